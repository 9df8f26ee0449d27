import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { schedule } from '../../../../src/playground/core/scheduler';

interface Task {
  readonly at: number;
  readonly target: number;
}

const tasks: fc.Arbitrary<Task[]> = fc
  .array(fc.nat(4), { maxLength: 40 })
  .map(targets => targets.map((target, at) => ({ at, target })));

describe('the schedule of calls', () => {
  it('runs each call once, within both limits, and in order for each target', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        tasks,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        async (scheduler, list, total, perTarget) => {
          const started: Task[] = [];
          const running = new Set<Task>();
          const end = schedule(list, {
            concurrency: { total, perTarget },
            signal: new AbortController().signal,
            targetOf: ({ target }) => target,
            isReady: () => true,
            mayStart: () => true,
            async run(task) {
              started.push(task);
              running.add(task);
              assert.ok(running.size <= total);
              const same = [...running].filter(({ target }) => target === task.target);
              assert.ok(same.length <= perTarget);
              await scheduler.schedule(Promise.resolve());
              running.delete(task);
            },
          });
          await scheduler.waitFor(end);
          assert.equal(await end, 'finished');
          assert.equal(new Set(started).size, list.length);
          assert.equal(started.length, list.length);
          for (const target of new Set(list.map(task => task.target))) {
            const own = started.filter(task => task.target === target).map(({ at }) => at);
            assert.deepEqual(
              own,
              own.toSorted((a, b) => a - b),
            );
          }
        },
      ),
    );
  });

  it('starts nothing after it was canceled, and waits for what runs', async () => {
    const controller = new AbortController();
    const ended: number[] = [];
    const list = Array.from({ length: 5 }, (_, at) => ({ at, target: at }));
    const end = await schedule(list, {
      concurrency: { total: 2, perTarget: 1 },
      signal: controller.signal,
      targetOf: ({ target }) => target,
      isReady: () => true,
      mayStart: () => true,
      async run({ at }) {
        await Promise.resolve();
        if (at === 0) controller.abort();
        await Promise.resolve();
        ended.push(at);
      },
    });
    assert.equal(end, 'canceled');
    assert.deepEqual(ended, [0, 1]);
  });

  it('ends at the first call that may not start, and leaves out what never becomes ready', async () => {
    const started: number[] = [];
    const list = Array.from({ length: 4 }, (_, at) => ({ at, target: 0 }));
    const run = async (mayStart: (at: number) => boolean, isReady: (at: number) => boolean) => {
      started.length = 0;
      return schedule(list, {
        concurrency: { total: 9, perTarget: 9 },
        signal: new AbortController().signal,
        targetOf: () => 0,
        isReady: ({ at }) => isReady(at),
        mayStart: ({ at }) => mayStart(at),
        run: async ({ at }) => void started.push(at),
      });
    };
    assert.equal(
      await run(
        at => at < 2,
        () => true,
      ),
      'held',
    );
    assert.deepEqual(started, [0, 1]);
    assert.equal(
      await run(
        () => true,
        at => at !== 1,
      ),
      'finished',
    );
    assert.deepEqual(started, [0, 2, 3]);
  });
});
