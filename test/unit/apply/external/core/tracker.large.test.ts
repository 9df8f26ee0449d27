import assert from 'node:assert/strict';
import { cpuMsOfAsync } from '../../../../support/unit/cpuTime';
import { RootWorld } from './rootWorld';

const count = 39_000;
const line = (at: number) =>
  at % 3 === 0 ? '    }\n' : `    const value${at} = compute(${at}, "text");\n`;
const before = Array.from({ length: count }, (_, at) => line(at)).join('');
const after = Array.from({ length: count }, (_, at) =>
  at % 20 === 7 ? `changed ${at}\n` : line(at),
);

/** CPU time, in milliseconds; the least of some, because the compiler and the collector only add to it. */
async function least(times: number, work: () => Promise<unknown>): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  for (let n = 0; n < times; n++) ms = Math.min(ms, await cpuMsOfAsync(work));
  return ms;
}

describe('RootTracker with much to decide', () => {
  it('decides one of 1,950 changes of 39,000 lines within 100 ms', async () => {
    const world = await RootWorld.of({ p: before });
    await world.write('p', after.join(''));
    assert.equal((await world.tracker.changes('p'))?.changes.length, 1950);
    for (const decide of ['keep', 'undo'] as const) {
      const ms = await least(4, async () => assert.equal(await world[decide]('p', 5), 'done'));
      assert.ok(ms <= 100, `${decide}: ${ms} ms`);
    }
    const ms = await least(2, async () => assert.deepEqual(await world.undoDecision(), ['done']));
    assert.ok(ms <= 100, `undoDecision: ${ms} ms`);
  });

  it('lists 2,000 files within 20 ms, and again without any work', async () => {
    const world = await RootWorld.of();
    const paths = Array.from({ length: 2000 }, (_, at) => `folder/${at}`);
    for (const path of paths) world.put(path, `${path}\n`);
    await world.see(...paths);
    const ms = await least(3, async () => {
      await world.write('folder/7', `${world.time}\n`);
      const { pending } = world.tracker;
      assert.equal(pending.length, 2000);
      assert.equal(world.tracker.pending, pending);
    });
    assert.ok(ms <= 20, `${ms} ms`);
  });
});
