import assert from 'node:assert/strict';
import { english } from '../../../../src/base/sentence';
import { notifyWait } from '../../../../src/platform/client/waitListener';
import { Poller, type ReadRequest } from '../../../../src/platform/polling/poller';
import type { PollRecord, PollState, PollStore } from '../../../../src/platform/polling/pollRecord';
import { ServiceError } from '../../../../src/service/errors';
import { seededRandom, VirtualTime } from '../../../support/unit/virtualTime';

const minuteMs = 60_000;

const parseJson = (text: string): PollRecord<number> => JSON.parse(text);

/** What windows share, in memory, through JSON as a file would. */
class MemoryStore implements PollStore<number> {
  text: string | undefined;
  async read(): Promise<PollRecord<number> | undefined> {
    return this.text === undefined ? undefined : parseJson(this.text);
  }
  async write(record: PollRecord<number>): Promise<void> {
    this.text = JSON.stringify(record);
  }
}

interface Setup {
  readonly time?: VirtualTime;
  readonly store?: PollStore<number>;
  readonly name?: string;
  readonly seed?: number;
  readonly everyMs?: (isLooked: boolean) => number | undefined;
  read?: (request: ReadRequest<number>, count: number) => Promise<number>;
}

function setUp({
  time = new VirtualTime(),
  store,
  name = 'w1',
  seed = 1,
  everyMs = isLooked => (isLooked ? 15_000 : minuteMs),
  read = async (_, count) => count,
}: Setup = {}) {
  const calls: { at: number; isAsked: boolean }[] = [];
  const states: PollState<number>[] = [];
  let reads = 0;
  let scope = 'https://service.test';
  const poller = new Poller<number>({
    t: english,
    clock: time,
    random: seededRandom(seed),
    name,
    store,
    scope: () => scope,
    pollIntervalMs: (_data, _now, isLooked) => everyMs(isLooked),
    read: async request => {
      calls.push({ at: time.now(), isAsked: request.isUserInitiated });
      return read(request, calls.length);
    },
    onChange: state => states.push(state),
    onRead: () => reads++,
  });
  return {
    time,
    poller,
    calls,
    states,
    reads: () => reads,
    moveTo: (url: string) => (scope = url),
  };
}

const windows = (count: number, read?: Setup['read']) => {
  const time = new VirtualTime();
  const store = new MemoryStore();
  return {
    time,
    store,
    all: Array.from({ length: count }, (_, n) =>
      setUp({ time, store, name: `w${n}`, seed: n + 1, ...(read ? { read } : {}) }),
    ),
  };
};
const total = (all: readonly { calls: readonly unknown[] }[]) =>
  all.reduce((sum, { calls }) => sum + calls.length, 0);

const refused = (kind: 'unauthorized' | 'forbidden' | 'server' | 'offline', retryAt?: number) =>
  new ServiceError(kind, 'no', { retryAt });

/** When this window reads, in ms, if the claim of another one ends at `until`. */
const firstRead = async (until: number): Promise<number> => {
  const { time, store, all } = windows(1);
  const start = time.now();
  const claim = { by: 'other', until: start + until };
  await store.write({ scope: 'https://service.test', data: 7, at: start - minuteMs, claim });
  all[0]?.poller.setVisible(true);
  await time.advance(3 * minuteMs);
  return (all[0]?.calls[0]?.at ?? assert.fail('it never reads')) - start;
};

describe('Poller', () => {
  it('tells the last failure of the service where background calls rest, and its own next try', async () => {
    const time = new VirtualTime();
    const last = new ServiceError('server', 'HTTP 503', { status: 503 });
    const { poller, states } = setUp({
      time,
      read: () =>
        Promise.reject(
          new ServiceError('paused', '', {
            consecutiveFailures: 7,
            cause: last,
            retryAt: time.now() + minuteMs,
          }),
        ),
    });
    poller.setVisible(true);
    await time.advance(0);
    const { kind, text, nextAt = 0 } = states.at(-1)?.problem ?? assert.fail();
    assert.equal(kind, 'server');
    assert.equal(text, 'The service failed (503), 7 failures in a row.');
    assert.ok(nextAt >= time.now() + minuteMs);
  });

  it('reads at once when looked at, then at its interval with ±10 %', async () => {
    const { time, poller, calls } = setUp();
    await poller.start();
    poller.setVisible(true);
    await time.advance(10 * minuteMs);
    const waits = calls.slice(1).map(({ at }, n) => at - (calls[n]?.at ?? 0));
    assert.ok(
      waits.every(ms => ms >= 13_500 && ms <= 16_501),
      String(waits),
    );
    assert.ok(new Set(waits).size > 5, 'waits that differ');
  });

  it('goes to the longer interval when nobody looks, and to none', async () => {
    let hidden: number | undefined = minuteMs;
    const { time, poller, calls } = setUp({ everyMs: looked => (looked ? 15_000 : hidden) });
    poller.setVisible(true);
    await time.advance(1000);
    poller.setVisible(false);
    await time.advance(10 * minuteMs);
    assert.ok(calls.length >= 10 && calls.length <= 12, String(calls.length));
    hidden = undefined;
    await time.advance(2 * minuteMs);
    const before = calls.length;
    await time.advance(24 * 60 * minuteMs);
    assert.equal(calls.length, before);
  });

  it('reads on a look when the data is older than 10 s, and not before', async () => {
    const { time, poller, calls } = setUp({ everyMs: looked => (looked ? 300_000 : undefined) });
    poller.setVisible(true);
    await time.advance(0);
    for (const [away, expected] of [
      [5000, 1],
      [11_000, 2],
    ] as const) {
      poller.setVisible(false);
      await time.advance(away);
      poller.setVisible(true);
      await time.advance(0);
      assert.equal(calls.length, expected);
    }
  });

  it('has one reading at a time; one that is asked for takes the place of one in the background', async () => {
    const signals: AbortSignal[] = [];
    let finish: (() => void)[] = [];
    const { time, poller, calls, states } = setUp({
      read: ({ signal }, count) =>
        new Promise(resolve => {
          signals.push(signal);
          finish.push(() => resolve(count));
        }),
    });
    poller.setVisible(true);
    await time.advance(0);
    const asked = [poller.refresh(), poller.refresh()];
    await time.advance(10 * minuteMs);
    assert.deepEqual(
      calls.map(({ isAsked }) => isAsked),
      [false, true],
    );
    assert.equal(signals[0]?.aborted, true);
    for (const end of finish.toReversed()) end();
    finish = [];
    await Promise.all(asked);
    assert.equal(states.at(-1)?.data, 2);
    assert.equal(poller.state.isReading, false);
  });

  it('says while its reading waits for the service, and no longer', async () => {
    const time = new VirtualTime();
    const wait = { retryAt: time.now() + 20_000, error: new ServiceError('rateLimited', 'busy') };
    let finish: (() => void) | undefined;
    const { poller, states } = setUp({
      time,
      read: async (_, count) => {
        notifyWait(wait);
        await new Promise<void>(resolve => (finish = resolve));
        return count;
      },
    });
    poller.setVisible(true);
    await time.advance(0);
    assert.equal(poller.state.wait, wait);
    assert.equal(states.at(-1)?.wait, wait);
    await time.advance(19_000);
    assert.equal(poller.state.wait, wait);
    await time.advance(1000);
    assert.deepEqual([states.at(-1)?.wait, states.at(-1)?.isReading], [undefined, true]);
    finish?.();
    await time.advance(0);
    assert.equal(poller.state.wait, undefined);
  });

  it('forgets a wait when another reading takes the place of the one that waits', async () => {
    const time = new VirtualTime();
    let reads = 0;
    const { poller } = setUp({
      time,
      read: async ({ signal }, count) => {
        if (reads++ > 0) return count;
        notifyWait({ retryAt: time.now() + 60_000, error: new ServiceError('rateLimited', 'x') });
        await time.sleep(60_000, signal);
        return count;
      },
    });
    poller.setVisible(true);
    await time.advance(0);
    assert.ok(poller.state.wait);
    await poller.refresh();
    assert.equal(poller.state.wait, undefined);
  });

  for (const kind of ['unauthorized', 'forbidden'] as const)
    it(`stops on ${kind} until the key changes; a refresh still asks`, async () => {
      let isRefused = true;
      const { time, poller, calls } = setUp({
        read: async (_, count) => {
          if (isRefused) throw refused(kind);
          return count;
        },
      });
      poller.setVisible(true);
      await time.advance(24 * 60 * minuteMs);
      assert.equal(calls.length, 1);
      poller.setVisible(false);
      poller.setVisible(true);
      await time.advance(60 * minuteMs);
      assert.equal(calls.length, 1);
      await assert.rejects(poller.refresh(), { kind });
      assert.equal(calls.length, 2);
      isRefused = false;
      await Promise.all([poller.reset(), time.advance(100)]);
      assert.equal(calls.length, 3);
      assert.equal(poller.state.problem, undefined);
      await time.advance(minuteMs);
      assert.ok(calls.length >= 6, 'it goes on');
    });

  it('waits as long as the service says', async () => {
    const time = new VirtualTime();
    const retryAt = time.now() + 45 * minuteMs;
    const { poller, calls } = setUp({
      time,
      read: async () => {
        throw new ServiceError('rateLimited', 'no', { retryAt });
      },
    });
    poller.setVisible(true);
    await time.advance(44 * minuteMs);
    assert.equal(calls.length, 1);
    assert.equal(poller.state.problem?.nextAt, retryAt);
    await time.advance(minuteMs + 5000);
    assert.equal(calls.length, 2);
  });

  it('backs off with chance from 15 s to 10 min, and keeps what it has', async () => {
    let isIll = false;
    const { time, poller, calls } = setUp({
      read: async (_, count) => {
        if (isIll) throw refused('server');
        return count;
      },
    });
    poller.setVisible(true);
    await time.advance(1000);
    isIll = true;
    await time.advance(20_000);
    const from = calls.length;
    await time.advance(3 * 60 * minuteMs);
    const perHour = (calls.length - from) / 3;
    assert.ok(perHour <= 20, `${perHour} per hour`);
    const waits = calls.slice(from).map(({ at }, n, all) => at - (all[n - 1]?.at ?? at));
    assert.ok(
      waits.slice(1).every(ms => ms >= 15_000 && ms <= 600_000),
      String(waits),
    );
    assert.equal(poller.state.data, 1);
    isIll = false;
    await time.advance(11 * minuteMs);
    assert.equal(poller.state.problem, undefined);
  });

  it('reads soon after the computer has slept', async () => {
    const { time, poller, calls } = setUp({ everyMs: () => 300_000 });
    poller.setVisible(true);
    await time.advance(1000);
    time.sleepComputer(8 * 60 * minuteMs);
    const before = calls.length;
    await time.advance(30_000);
    assert.equal(calls.length, before + 1);
  });

  it('forgets a long backoff over a sleep', async () => {
    let isIll = true;
    const { time, poller, calls } = setUp({
      read: async (_, count) => {
        if (isIll) throw refused('offline');
        return count;
      },
    });
    poller.setVisible(true);
    await time.advance(2 * 60 * minuteMs);
    time.sleepComputer(70_000);
    isIll = false;
    const before = calls.length;
    await time.advance(30_000);
    assert.ok(calls.length > before);
    assert.equal(poller.state.problem, undefined);
  });

  it('is not put off by a clock that is set back', async () => {
    const { time, poller, calls } = setUp();
    poller.setVisible(true);
    await time.advance(1000);
    time.sleepComputer(-24 * 60 * minuteMs);
    await time.advance(minuteMs);
    assert.ok(calls.length >= 2, String(calls.length));
  });

  it('is not put off by a clock that is set back while it waits after a failure', async () => {
    let isIll = true;
    const { time, poller, calls } = setUp({
      read: async (_, count) => {
        if (isIll) throw refused('server');
        return count;
      },
    });
    poller.setVisible(true);
    await time.advance(1000);
    assert.ok(poller.state.problem);
    isIll = false;
    time.sleepComputer(-24 * 60 * minuteMs);
    await time.advance(10 * minuteMs);
    assert.ok(calls.length >= 2, String(calls.length));
    assert.equal(poller.state.problem, undefined);
  });

  it('hurries for a while', async () => {
    const { time, poller, calls } = setUp({ everyMs: looked => (looked ? 300_000 : undefined) });
    poller.setVisible(true);
    await time.advance(0);
    poller.pollFasterFor(5000, 3 * minuteMs);
    await time.advance(3 * minuteMs);
    assert.ok(calls.length >= 30 && calls.length <= 42, String(calls.length));
    const before = calls.length;
    await time.advance(4 * minuteMs);
    assert.ok(calls.length - before <= 1);
    poller.pollFasterFor(5000, 3 * minuteMs);
    poller.setVisible(false);
    await poller.reset();
    const atReset = calls.length;
    await time.advance(3 * minuteMs);
    assert.equal(calls.length, atReset, 'another account is not hurried for');
  });

  it('throws away an answer for another address', async () => {
    const finish: ((value: number) => void)[] = [];
    const { time, poller, moveTo } = setUp({
      read: async () => new Promise(resolve => void finish.push(resolve)),
    });
    poller.setVisible(true);
    await time.advance(0);
    moveTo('https://other.test');
    finish[0]?.(7);
    await time.advance(0);
    assert.equal(poller.state.data, undefined);
  });

  describe('with several windows', () => {
    it('reads once for all of them, and shows it in each', async () => {
      let value = 0;
      const { time, all } = windows(5, async () => ++value);
      for (const { poller } of all) poller.setVisible(true);
      await time.advance(60 * minuteMs);
      const one = setUp();
      one.poller.setVisible(true);
      await one.time.advance(60 * minuteMs);
      assert.ok(
        total(all) <= one.calls.length * 1.15,
        `${total(all)} with 5, ${one.calls.length} with 1`,
      );
      await time.advance(20_000);
      for (const { poller } of all)
        assert.ok((poller.state.data ?? 0) >= value - 1, `${poller.state.data} of ${value}`);
    });

    it('tells only the window that has read', async () => {
      const { time, all } = windows(3);
      for (const { poller } of all) poller.setVisible(true);
      await time.advance(10 * minuteMs);
      assert.equal(
        all.reduce((sum, { reads }) => sum + reads(), 0),
        total(all),
      );
    });

    describe('while another one has claimed the next reading', () => {
      it('waits until that is over', async () => {
        assert.ok((await firstRead(-1)) < 1000);
        assert.ok((await firstRead(0)) < 1000);
        const waited = await firstRead(30_000);
        assert.ok(waited >= 30_000 && waited < 35_000, String(waited));
        const longest = await firstRead(minuteMs);
        assert.ok(longest >= minuteMs && longest < minuteMs + 5000, String(longest));
      });

      it('does not wait for a claim that was written under another clock', async () => {
        assert.ok((await firstRead(minuteMs + 1)) < 1000);
      });
    });

    it('goes on when the window that reads is closed, also in the middle of it', async () => {
      let isStuck = false;
      const { time, all } = windows(2, async (_, count) =>
        isStuck ? new Promise<number>(() => undefined) : count,
      );
      const [first, second] = all;
      first?.poller.setVisible(true);
      await time.advance(1000);
      isStuck = true;
      await time.advance(20_000);
      first?.poller.dispose();
      isStuck = false;
      second?.poller.setVisible(true);
      await time.advance(3 * minuteMs);
      assert.ok((second?.calls.length ?? 0) >= 3, String(second?.calls.length));
    });

    it('shares failures, so that an outage is not asked about by each', async () => {
      const { time, all } = windows(5, async () => {
        throw refused('server');
      });
      for (const { poller } of all) poller.setVisible(true);
      await time.advance(60 * minuteMs);
      assert.ok(total(all) <= 25, String(total(all)));
      for (const { poller } of all) assert.equal(poller.state.problem?.kind, 'server');
    });

    it('stops in all of them on 401, and resumes in all after one has a new key', async () => {
      let isRefused = true;
      const { time, all } = windows(3, async () => {
        if (isRefused) throw refused('unauthorized');
        return 1;
      });
      for (const { poller } of all) poller.setVisible(true);
      await time.advance(60 * minuteMs);
      assert.ok(total(all) <= 1, String(total(all)));
      isRefused = false;
      await Promise.all([all[0]?.poller.reset(), time.advance(100)]);
      for (const { poller } of all.slice(1)) {
        poller.setVisible(false);
        await time.advance(11_000);
        poller.setVisible(true);
      }
      await time.advance(minuteMs);
      for (const { poller } of all) assert.equal(poller.state.data, 1);
    });

    it('shows after a reload what was read before it, without a request', async () => {
      const { time, store, all } = windows(1);
      all[0]?.poller.setVisible(true);
      await time.advance(1000);
      all[0]?.poller.dispose();
      const reloaded = setUp({ time, store, name: 'again' });
      await reloaded.poller.start();
      assert.equal(reloaded.poller.state.data, 1);
      assert.equal(reloaded.calls.length, 0);
    });

    it('takes nothing of another service', async () => {
      const { time, store, all } = windows(1);
      all[0]?.poller.setVisible(true);
      await time.advance(1000);
      const other = setUp({ time, store, name: 'other' });
      other.moveTo('https://other.test');
      await other.poller.start();
      assert.equal(other.poller.state.data, undefined);
    });
  });
});
