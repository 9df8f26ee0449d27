import assert from 'node:assert/strict';
import { type Action, actions, SetWorld } from './setWorld';

/** Sequences of actions; the environment asks for more. */
const sequences = Number(process.env['REVIEW_SETS'] ?? 400);
/** Actions by the user or by others that may remove what the user typed. */
const removing: readonly Action[] = ['undo', 'redo', 'close', 'write', 'checkout'];

describe('the reviews of an answer', () => {
  it(`lose no change and no typed line, and can be decided, in ${sequences} sequences`, async () => {
    for (let seed = 1; seed <= sequences; seed++) {
      const world = new SetWorld(seed);
      const trail: string[] = [];
      const said = () => `seed ${seed}: ${trail.join(', ')}`;
      const check = async (action: string, run: () => Promise<unknown>, isSafe = true) => {
        const typed = world.typed();
        trail.push(action);
        await run();
        assert.deepEqual(await world.missing(trail.length % 8 === 0), [], said());
        for (const [path, before] of isSafe ? typed : []) {
          if (world.overwritten.has(path)) continue;
          const now = world.typed().get(path) ?? [];
          assert.deepEqual(
            before.filter(line => !now.includes(line)),
            [],
            said(),
          );
        }
      };
      for (let step = 0; step < 25; step++) {
        const action = world.oneOf(actions) ?? 'accept';
        await check(action, () => world.act(action), !removing.includes(action));
      }
      // All can be decided to the end: a refused change can at least be rejected.
      for (let left = 200; world.open.size > 0; left--) {
        assert.ok(left > 0, `stuck, ${said()}`);
        const [review] = [...world.open.values()];
        const hunk = review && world.oneOf(review.model.hunks);
        assert.ok(hunk, `nothing to decide, ${said()}`);
        await check('decide', async () => {
          const isAccepted = world.random() < 0.5 && (await world.decide(review, 'accept', [hunk]));
          if (!isAccepted) await world.decide(review, 'reject', [hunk]);
        });
      }
      // What can be undone is undone.
      for (let left = 200; ; left--) {
        assert.ok(left > 0, `undo has no end, ${said()}`);
        let isUndone = false;
        await check('undo decision', async () => void (isUndone = await world.undoAny()));
        if (!isUndone) break;
      }
      assert.deepEqual(await world.missing(true), [], said());
      assert.deepEqual(world.failures, [], said());
      world.close();
    }
  }).timeout(Math.max(120_000, 100 * sequences));
});
