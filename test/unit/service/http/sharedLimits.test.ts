import assert from 'node:assert/strict';
import { isAbortError } from '../../../../src/base/async/clock';
import { ServiceError } from '../../../../src/service/errors';
import { CircuitBreaker } from '../../../../src/service/http/circuitBreaker';
import { Limiter } from '../../../../src/service/http/limiter';
import { OriginLimits } from '../../../../src/service/http/originLimits';
import { RateLimitWindow } from '../../../../src/service/http/rateLimitWindow';
import { StartThrottle } from '../../../../src/service/http/startThrottle';

const second = 1000;
const failure = new ServiceError('server', 'no');
const turn = async (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const failing = (times: number, nowMs = 0): CircuitBreaker => {
  const breaker = new CircuitBreaker();
  for (let n = 0; n < times; n++) breaker.recordFailure(failure, nowMs);
  return breaker;
};

describe('a circuit breaker', () => {
  it('opens with the fifth failure in a row, for half a minute', () => {
    assert.equal(failing(4).state(0), 'closed');
    assert.equal(failing(4).refusesForMs(0), 0);
    const breaker = failing(5);
    assert.deepEqual(breaker.failure, { consecutiveFailures: 5, last: failure });
    assert.deepEqual(
      [0, 29_999, 30_000].map(now => [breaker.state(now), breaker.refusesForMs(now)]),
      [
        ['open', 30_000],
        ['open', 1],
        ['halfOpen', 0],
      ],
    );
  });

  it('lets one probe go, and stays open twice as long after each that fails, at most ten minutes', () => {
    const breaker = failing(5);
    assert.equal(new CircuitBreaker().startProbe(), false);
    let now = 0;
    for (const openMs of [30, 60, 120, 240, 480, 600, 600]) {
      assert.equal(breaker.refusesForMs(now), openMs * second);
      // What else fails meanwhile makes it no longer.
      breaker.recordFailure(failure, now + 1);
      now += openMs * second;
      assert.equal(breaker.refusesForMs(now), 0);
      assert.equal(breaker.startProbe(), true);
      assert.equal(breaker.refusesForMs(now), 30_000, 'the others wait for the probe');
      breaker.recordFailure(failure, now);
      breaker.endProbe();
    }
  });

  it('closes with any answer', () => {
    const breaker = failing(6);
    breaker.recordAnswer();
    assert.equal(breaker.state(0), 'closed');
    assert.deepEqual(breaker.failure, { consecutiveFailures: 0, last: undefined });
    for (let n = 0; n < 5; n++) breaker.recordFailure(failure, 0);
    assert.equal(breaker.refusesForMs(0), 30_000, 'it begins with half a minute again');
  });
});

describe('a limiter', () => {
  it('lets a background call go only where the share of the others stays free', () => {
    const limiter = new Limiter(24);
    const releases = Array.from({ length: 20 }, () => limiter.tryAcquire(true));
    assert.ok(releases.every(Boolean));
    assert.equal(limiter.tryAcquire(true), undefined);
    for (let n = 0; n < 4; n++) assert.ok(limiter.tryAcquire(false));
    assert.equal(limiter.tryAcquire(false), undefined);
    assert.equal(limiter.running, 24);
    releases[0]?.();
    releases[0]?.();
    assert.equal(limiter.running, 23);
    assert.ok(limiter.tryAcquire(true));
    assert.ok(new Limiter(1).tryAcquire(true));
  });

  it('serves those who wait first, and forgets who no longer does', async () => {
    const { signal } = new AbortController();
    const limiter = new Limiter(1);
    const release = await limiter.acquire(false, signal);
    const order: string[] = [];
    const wait = async (name: string, isBackground: boolean, ends = signal): Promise<void> => {
      const done = await limiter.acquire(isBackground, ends);
      order.push(name);
      done();
    };
    const leaving = new AbortController();
    const left = wait('left', false, leaving.signal);
    const waiting = [wait('background', true), wait('first', false), wait('second', false)];
    leaving.abort();
    await assert.rejects(left, isAbortError);
    await assert.rejects(limiter.acquire(false, AbortSignal.abort()), isAbortError);
    release();
    await Promise.all(waiting);
    assert.deepEqual(order, ['first', 'second', 'background']);
    assert.equal(limiter.running, 0);
  });

  it('grows at once and shrinks as calls end', async () => {
    const { signal } = new AbortController();
    const limiter = new Limiter(1);
    const first = await limiter.acquire(false, signal);
    const waiting = limiter.acquire(false, signal);
    limiter.resize(2.9);
    (await waiting)();
    limiter.resize(Number.NaN);
    assert.equal(limiter.tryAcquire(false), undefined);
    first();
    assert.ok(limiter.tryAcquire(false));
  });
});

/** How many calls it lets run at once. */
const room = (window: RateLimitWindow): number => {
  const releases: (() => void)[] = [];
  for (let release = window.limiter.tryAcquire(false); release; ) {
    releases.push(release);
    release = window.limiter.tryAcquire(false);
  }
  for (const release of releases) release();
  return releases.length;
};

const fill = (window: RateLimitWindow, calls: number): (() => void) => {
  const releases = Array.from({ length: calls }, () => window.limiter.tryAcquire(false));
  return () => releases.forEach(release => release?.());
};

describe('the window of a rate limit', () => {
  it('closes for as long as it is told, at most ten minutes', () => {
    const window = new RateLimitWindow(24);
    assert.equal(window.closedForMs(5), 0);
    assert.equal(window.pause(1000, 5), true);
    assert.equal(window.closedForMs(5), 1000);
    assert.equal(window.pause(500, 5), false);
    assert.equal(window.closedForMs(5), 1000);
    assert.equal(window.closedForMs(1005), 0);
    assert.equal(window.pause(3_600_000, 1005), true);
    assert.equal(window.closedForMs(1005), 600_000);
  });

  it('halves what runs at once, once for all that meet the limit together, and never below 8', () => {
    const window = new RateLimitWindow(64);
    for (const [running, now, left] of [
      [64, 0, 32],
      [32, 1, 32],
      [24, 5000, 12],
      [12, 9000, 8],
      [2, 20_000, 8],
    ] as const) {
      const end = fill(window, running);
      window.pause(1000, now);
      end();
      assert.equal(room(window), left);
    }
    const small = new RateLimitWindow(4);
    small.pause(1000, 0);
    assert.equal(room(small), 4);
  });

  it('grows by four while as many calls succeed as may run, up to what the transport carries', () => {
    const window = new RateLimitWindow(64);
    const end = fill(window, 20);
    window.pause(1000, 0);
    end();
    assert.equal(room(window), 10);
    for (let n = 0; n < 10; n++) window.recordSuccess();
    assert.equal(room(window), 13);
    for (let n = 0; n < 2000; n++) window.recordSuccess();
    assert.equal(room(window), 64);
    window.setConcurrency(5);
    assert.equal(room(window), 5);
  });

  it('is one for each scope of an origin, and follows its transport', () => {
    const origin = new OriginLimits(24);
    const window = origin.window('a');
    assert.equal(origin.window('a'), window);
    assert.notEqual(origin.window('b'), window);
    window.pause(1000, 0);
    const before = room(window);
    origin.setConcurrency(24);
    assert.equal(room(window), before, 'the same transport changes nothing');
    origin.setConcurrency(30);
    assert.equal(room(window), 30);
    assert.equal(room(origin.window('c')), 30);
    for (let n = 0; n < 5; n++) origin.breaker.recordFailure(failure, 0);
    origin.recordSuccess();
    assert.equal(origin.breaker.state(0), 'closed');
    while (origin.budget.tryTake('server'));
    for (let n = 0; n < 11; n++) origin.recordSuccess();
    assert.equal(origin.budget.tryTake('server'), true, 'successes give a retry back');
  });
});

describe('a burst of calls', () => {
  it('starts fifty in each turn of the event loop, in order', async () => {
    const throttle = new StartThrottle();
    const started: number[] = [];
    for (let n = 0; n < 120; n++) {
      const waiting = throttle.acquire();
      if (waiting) void waiting.then(() => started.push(n));
      else started.push(n);
    }
    assert.equal(started.length, 50);
    await turn();
    assert.equal(started.length, 100);
    await turn();
    assert.deepEqual(
      started,
      Array.from({ length: 120 }, (_, n) => n),
    );
    for (let n = 0; n < 3; n++) await turn();
    assert.equal(throttle.acquire(), undefined);
  });
});
