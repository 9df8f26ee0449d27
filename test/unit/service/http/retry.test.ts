import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { delayMsInMessage } from '../../../../src/service/assumptions';
import type { ErrorKind, RequestOutcome } from '../../../../src/service/errors';
import { OriginLimits } from '../../../../src/service/http/originLimits';
import { RateLimitWindow } from '../../../../src/service/http/rateLimitWindow';
import {
  backoffMs,
  type CallClass,
  jitteredRetryAfterMs,
  RetryBudget,
  retryAfterMs,
  shouldRetry,
} from '../../../../src/service/http/retry';

const failure = (kind: ErrorKind, outcome: RequestOutcome, retryHint?: boolean) => ({
  kind,
  outcome,
  retryHint,
});

/** Attempts of a call that always fails in this way. */
function attempts(what: ReturnType<typeof failure>, callClass: CallClass): number {
  for (let n = 1; ; n++)
    if (!shouldRetry(what, callClass, n, what.outcome === 'unknown' ? n - 1 : 0)) return n;
}

describe('shouldRetry', () => {
  const rows: [string, ReturnType<typeof failure>, Record<CallClass, number>][] = [
    ['not processed', failure('offline', 'notProcessed'), { read: 4, compute: 3, money: 3 }],
    ['failed', failure('server', 'failed'), { read: 4, compute: 3, money: 1 }],
    ['unknown', failure('connection', 'unknown'), { read: 4, compute: 2, money: 1 }],
    ['final', failure('badRequest', 'final'), { read: 1, compute: 1, money: 1 }],
    ['told to repeat', failure('badRequest', 'final', true), { read: 4, compute: 3, money: 1 }],
    ['told not to', failure('server', 'notProcessed', false), { read: 1, compute: 1, money: 1 }],
  ];
  for (const [name, what, expected] of rows) {
    it(`${name}: ${JSON.stringify(expected)} attempts`, () => {
      const actual = {
        read: attempts(what, 'read'),
        compute: attempts(what, 'compute'),
        money: attempts(what, 'money'),
      };
      assert.deepEqual(actual, expected);
    });
  }
});

const date = (at: number): string => new Date(at).toUTCString();

describe('waits', () => {
  it('backs off with full jitter between 50 ms and the cap', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), unit, (attempt, random) => {
        const ms = backoffMs(attempt, 8000, () => random);
        return ms >= 50 && ms <= Math.min(8000, 500 * 2 ** (attempt - 1));
      }),
    );
  });

  it('is never earlier than asked, and at most 250 ms later', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 50, max: 1e8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (asked, random) => {
          const ms = jitteredRetryAfterMs(asked, () => random);
          return ms >= asked && ms <= asked + 250;
        },
      ),
    );
  });

  it('reads garbage as nothing', () => {
    for (const value of ['', ' ', '-1', 'NaN', 'Infinity', '1e3', '0x10', 'soon 1', '99999999'])
      assert.equal(retryAfterMs(new Headers({ 'retry-after': value }), undefined, 0), undefined);
  });

  it('waits no time for a date that is past, and a day at most', () => {
    for (const [value, ms] of [
      [date(4000), 0],
      ['86400', 86_400_000],
      ['86401', undefined],
    ] as const)
      assert.equal(retryAfterMs(new Headers({ 'retry-after': value }), undefined, 10_000), ms);
  });

  it('takes the longer one where a header came twice', () => {
    const rows: [string, number][] = [
      ['1, 5', 5000],
      [`${date(9000)}, ${date(3000)}`, 9000],
      [date(4000), 4000],
    ];
    for (const [value, ms] of rows)
      assert.equal(retryAfterMs(new Headers({ 'retry-after': value }), undefined, 0), ms);
  });

  it('takes any number of them', () => {
    const headers = { get: () => '1,'.repeat(300_000) + '2' };
    assert.equal(retryAfterMs(headers, undefined, 0), 2);
    const dates = Array.from({ length: 200_000 }, () => date(5000)).join(', ');
    assert.equal(
      retryAfterMs({ get: name => (name === 'retry-after' ? dates : null) }, undefined, 0),
      5000,
    );
  });

  it('finds the delay in the message', () => {
    assert.equal(delayMsInMessage('Please try again in 1.5s.'), 1500);
    assert.equal(delayMsInMessage('retry after 12 seconds'), 12_000);
    assert.equal(delayMsInMessage('Retry in 300 ms'), 300);
    assert.equal(delayMsInMessage('retry in 2 minutes'), 120_000);
    assert.equal(delayMsInMessage('retry after 7'), 7000);
    assert.equal(delayMsInMessage('10 requests per second, retry later'), undefined);
  });
});

describe('RetryBudget', () => {
  it('gives a retry back for ten successes', () => {
    const budget = new RetryBudget();
    while (budget.tryTake('server'));
    assert.equal(budget.tryTake('server'), false);
    for (let n = 0; n < 11; n++) budget.recordSuccess();
    assert.equal(budget.tryTake('timeout'), false);
    assert.equal(budget.tryTake('server'), true);
  });
});

describe('RateLimitWindow', () => {
  it('opens by itself', () => {
    const window = new RateLimitWindow(8);
    window.pause(100, 1000);
    window.pause(50, 1000);
    assert.equal(window.closedForMs(1030), 70);
    assert.equal(window.closedForMs(1100), 0);
  });

  it('is one for each scope, and closes for itself', () => {
    const limits = new OriginLimits(8);
    limits.window('model a').pause(100, 1000);
    assert.equal(limits.window('model a').closedForMs(1000), 100);
    assert.equal(limits.window('model b').closedForMs(1000), 0);
  });

  it('takes the size of another transport', () => {
    const limits = new OriginLimits(8);
    const { limiter: slots } = limits.window('model a');
    limits.setConcurrency(2);
    const taken = [1, 2, 3].map(() => slots.tryAcquire(false));
    assert.deepEqual(
      taken.map(slot => slot !== undefined),
      [true, true, false],
    );
  });
});
