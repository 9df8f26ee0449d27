import assert from 'node:assert/strict';
import { replay } from '../../../../../src/apply/review/journal/replay';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { actions, World } from './world';

/** Kills and actions; the environment asks for the full numbers. */
const kills = Number(process.env['REVIEW_KILLS'] ?? 400);
const fuzzed = Number(process.env['REVIEW_ACTIONS'] ?? 2000);

describe('reviews when the window dies', () => {
  it(`lose no change in ${kills} deaths at any byte`, async () => {
    let deaths = 0;
    for (let seed = 1; deaths < kills; seed++) {
      const world = new World(seed);
      const count = 1 + world.pick(3);
      for (let name = 0; name < count; name++) world.start(name);
      for (const file of world.files) await file.review?.settled();
      const trail: string[] = [];
      // Without edits by others, each change is known for what it is.
      const isQuiet = seed % 3 === 0;
      for (let round = 0; round < 4; round++) {
        if (world.random() < 0.2) world.disk.capacity = 2_000 + world.pick(60_000);
        if (world.random() < 0.5) world.disk.untilDeath = world.pick(12_000);
        else world.disk.stepsUntilDeath = world.pick(40);
        const death = new Promise<'died'>(resolve => (world.disk.onDeath = () => resolve('died')));
        for (let step = 0; step < 12 && !world.disk.isDead; step++) {
          const file = world.files[world.pick(count)];
          const action = actions[world.pick(actions.length - 2)];
          assert.ok(file && action);
          if (isQuiet && ['type', 'propose', 'changeOnDisk'].includes(action)) continue;
          trail.push(`${world.files.indexOf(file)} ${action}`);
          await Promise.race([world.act(file, action), death]);
          // The host may also die between two actions, with nothing being written.
          if (world.random() < 0.03) world.disk.die();
        }
        if (!world.disk.isDead) world.disk.die();
        deaths++;
        trail.push('death');
        world.disk.capacity = Number.POSITIVE_INFINITY;
        await world.restart();
        for (const file of world.files) {
          assert.deepEqual(world.missing(file), [], `seed ${seed}: ${trail.join(', ')}`);
          // The user was told when the journal could not be written, so that it may be behind the file.
          if (isQuiet && world.failures.length === 0)
            assert.deepEqual(world.offeredTwice(file), [], `seed ${seed}: ${trail.join(', ')}`);
        }
      }
      world.store.dispose();
    }
  }).timeout(120_000);

  it(`has in storage what is pending after each of ${fuzzed} actions`, async () => {
    let done = 0;
    for (let seed = 1; done < fuzzed; seed++) {
      const world = new World(seed);
      const file = world.start(0);
      const trail: string[] = [];
      for (let step = 0; step < 25; step++, done++) {
        const action = actions[world.pick(actions.length)];
        assert.ok(action);
        await world.act(file, action);
        await file.review?.flush();
        await file.review?.settled();
        const [stored] = await world.store.folder.readOpen(0);
        const model = replay(stored?.text ?? '')?.model;
        assert.ok(model instanceof ReviewModel);
        trail.push(action);
        const said = `seed ${seed}, step ${step}: ${trail.join(', ')}`;
        assert.deepEqual(model.current, file.buffer, said);
        assert.deepEqual(model.hunks, file.review?.model.hunks, said);
        assert.deepEqual(model.toJSON().decisions, file.review?.model.toJSON().decisions, said);
        assert.deepEqual(world.missing(file), [], said);
      }
      world.store.dispose();
    }
  }).timeout(120_000);
});
