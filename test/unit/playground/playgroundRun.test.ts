import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AbortError } from '../../../src/base/async/clock';
import { eventLine, type JournalEvent, readRun } from '../../../src/playground/core/journal';
import {
  doubtfulSteps,
  openSteps,
  type RunPlan,
  type RunStep,
  runSteps,
  type StepResult,
} from '../../../src/playground/core/run';
import { PlaygroundRun } from '../../../src/playground/playgroundRun';
import { plan, result, rows } from './plans';

const prices = { byId: new Map([['svc-a', { input: 1, output: 10 }]]), candidates: [] };

/** A disk that keeps what was written before the window ended. */
class Disk {
  text = '';
  isDead = false;
  append = async (event: JournalEvent): Promise<void> => {
    // A window that has ended writes no more.
    if (this.isDead) return new Promise(() => undefined);
    this.text += eventLine(event);
  };
}

function start(
  disk: Disk,
  perform: (step: RunStep, signal: AbortSignal) => Promise<StepResult>,
): PlaygroundRun {
  const stored = readRun(disk.text) ?? assert.fail('no plan');
  return new PlaygroundRun({
    ...stored,
    journal: disk,
    perform: async (step, _states, signal) => perform(step, signal),
    isUnsent: error => error instanceof RangeError,
    messageOf: String,
    onChange: () => undefined,
  });
}

function diskOf(runPlan: RunPlan): Disk {
  const disk = new Disk();
  disk.text = eventLine({ plan: runPlan });
  return disk;
}

const kinds = ({ plan: { rows: list, targets }, states }: PlaygroundRun) =>
  list.map((_, row) =>
    targets.map((__, target) => states.get(`${row}.${target}`)?.kind ?? 'open').join(' '),
  );

describe('a run of the Playground', () => {
  it('sends every call once, and writes it down before and after', async () => {
    const disk = diskOf(plan());
    const sent: string[] = [];
    const run = start(disk, async ({ id }) => {
      assert.ok(
        disk.text.endsWith(eventLine({ sent: id })) || disk.text.includes(`"sent":"${id}"`),
      );
      sent.push(id);
      return result(`answer ${id}`);
    });
    assert.equal(await run.send(1, prices), 'finished');
    assert.deepEqual(sent.toSorted(), ['0.0', '0.1', '1.0', '1.1']);
    assert.deepEqual(kinds(run), ['done done', 'done done']);
    assert.deepEqual(readRun(disk.text)?.states, run.states);
    assert.equal(await run.send(1, prices), 'finished');
    assert.equal(sent.length, 4);
  });

  it('sends nothing twice, whenever the window ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat(25), { maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        async (scheduler, deaths, isTorn, isScored) => {
          const runPlan = plan({
            rows: rows(3),
            scoring: isScored ? { kind: 'reflex', reflex: 'r' } : { kind: 'none' },
          });
          let disk = diskOf(runPlan);
          const sent: string[] = [];
          for (const [window, after] of [...deaths, 1000].entries()) {
            let steps = 0;
            const mine = disk;
            const run = start(mine, async ({ id }) => {
              if (mine.isDead) return new Promise(() => undefined);
              sent.push(id);
              await scheduler.schedule(Promise.resolve());
              // The window ends while some answers are on their way.
              if (++steps > after) mine.isDead = true;
              return mine.isDead ? new Promise(() => undefined) : result(id);
            });
            const sending = run.send(1e6, prices);
            await Promise.race([
              scheduler.waitFor(sending),
              (async () => {
                for (let n = 0; n < 200 && !mine.isDead; n++) {
                  if (scheduler.count() > 0) await scheduler.waitOne();
                  else await new Promise(resolve => setImmediate(resolve));
                  if (!run.isRunning) break;
                }
              })(),
            ]);
            if (!mine.isDead) break;
            disk = new Disk();
            disk.text = mine.text;
            // Half of a line that was being written.
            if (isTorn) disk.text += `{"done":"0.0","res${window}\n`;
          }
          assert.equal(new Set(sent).size, sent.length, `twice: ${sent.join(' ')}`);
          const end = readRun(disk.text) ?? assert.fail('no plan');
          // What is neither answered nor sent is open; what was sent without an answer is the user's choice.
          const open = openSteps(end.plan, end.states).map(({ id }) => id);
          assert.deepEqual(
            open.filter(id => sent.includes(id)),
            [],
          );
          for (const { id } of doubtfulSteps(end.plan, end.states)) assert.ok(sent.includes(id));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is never read as less than what was sent, wherever its file was cut off', () => {
    const runPlan = plan();
    const events: JournalEvent[] = runSteps(runPlan).flatMap(({ id }): JournalEvent[] => [
      { sent: id },
      { done: id, result: result('é🎉') },
    ]);
    const lines = [{ plan: runPlan }, ...events].map(eventLine);
    const text = lines.join('');
    const head = eventLine({ plan: runPlan }).length;
    for (let end = head; end <= text.length; end++) {
      const whole = text.slice(0, end).split('\n').length - 1;
      const states = readRun(text.slice(0, end))?.states;
      const sentIds = lines
        .slice(1, whole)
        .flatMap(line => /"sent":"([^"]+)"/.exec(line)?.[1] ?? []);
      for (const id of sentIds) assert.ok(states?.has(id), `${id} at ${end}`);
    }
    assert.equal(readRun(text.slice(0, head - 2)), undefined);
    assert.equal(readRun('{"plan":{"id":"x"}}\n'), undefined);
  });

  it('ends calls in flight when it is canceled, and says that they may have been billed', async () => {
    const disk = diskOf(plan({ rows: rows(5) }));
    let calls = 0;
    const run = start(disk, async (_step, signal) => {
      if (++calls === 4) run.cancel();
      return new Promise((_, reject) => {
        const stop = (): void => reject(new AbortError());
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop);
      });
    });
    assert.equal(await run.send(1, prices), 'canceled');
    assert.equal(doubtfulSteps(run.plan, run.states).length, 4);
    assert.equal(openSteps(run.plan, run.states).length, 6);
    for (const state of run.states.values())
      assert.deepEqual(state, { kind: 'failed', message: '', isSent: true });
    assert.deepEqual(readRun(disk.text)?.states, run.states);
  });

  it('sends what failed before it was sent again, and the rest only when the user wants it', async () => {
    const disk = diskOf(plan());
    const sent: string[] = [];
    let isBroken = true;
    const run = start(disk, async ({ id, target }) => {
      sent.push(id);
      if (isBroken) throw target === 0 ? new RangeError('not sent') : new Error('reset');
      return result(id);
    });
    await run.send(1, prices);
    assert.deepEqual(kinds(run), ['failed failed', 'failed failed']);
    isBroken = false;
    await run.send(1, prices);
    assert.deepEqual(kinds(run), ['done failed', 'done failed']);
    await run.send(1, prices, doubtfulSteps(run.plan, run.states).slice(0, 1));
    assert.deepEqual(kinds(run), ['done done', 'done failed']);
    assert.equal(sent.length, 7);
  });

  it('starts no call that could go beyond the agreed price', async () => {
    // Each call costs at most (1 + 16) * 1 + 100 * 10 dollars per million.
    const runPlan = plan({ targets: [{ kind: 'model', id: 'svc-a', label: 'a' }], rows: rows(6) });
    const run = start(diskOf(runPlan), async ({ id }) => result(id, { usd: 0.0005 }));
    assert.equal(await run.send(0.0021, prices), 'held');
    const { size } = run.states;
    assert.equal(size, 3);
    assert.ok([...run.states.values()].every(({ kind }) => kind === 'done'));
  });

  it('sends nothing when it cannot be written down', async () => {
    const disk = diskOf(plan());
    let calls = 0;
    const run = start(disk, async () => {
      calls++;
      return result('');
    });
    disk.append = async () => Promise.reject(new Error('disk full'));
    await assert.rejects(run.send(1, prices), /disk full/);
    assert.equal(calls, 0);
    assert.equal(run.isRunning, false);
  });

  it('scores an answer once it is there', async () => {
    const order: string[] = [];
    const run = start(
      diskOf(plan({ scoring: { kind: 'reflex', reflex: 'r' } })),
      async ({ id, isScore, target }) => {
        if (!isScore && target === 1) throw new Error('no answer');
        order.push(id);
        return result(id);
      },
    );
    assert.equal(await run.send(1, prices), 'finished');
    assert.deepEqual(order.toSorted(), ['0.0', '0.0.s', '1.0', '1.0.s']);
    assert.ok(order.indexOf('0.0') < order.indexOf('0.0.s'));
    assert.deepEqual(openSteps(run.plan, run.states), []);
  });
});
