import assert from 'node:assert/strict';
import { DailyUsage } from '../../../../src/reflex/indicator/dailyUsage';
import { dayOf } from '../../../../src/service';

const dayMs = 24 * 3600 * 1000;

describe('DailyUsage', () => {
  let now: number;
  let kept: unknown;
  let limit: number;
  let usage: DailyUsage;

  beforeEach(() => {
    now = 1_700_000_000_000;
    kept = undefined;
    limit = 2;
    const store = { get: () => kept, set: (use: object) => void (kept = { ...use }) };
    usage = new DailyUsage(
      store,
      () => now,
      () => limit,
    );
  });

  it('adds up calls, events, tokens and costs, and starts at zero each day', () => {
    usage.addCall(4);
    usage.addCost(0.5, 100);
    usage.addCall(1);
    usage.addCost(0.25, 20);
    const day = dayOf(now);
    assert.deepEqual(usage.today, { day, calls: 2, events: 5, tokens: 120, usd: 0.75 });
    now += dayMs;
    assert.deepEqual(usage.today, { day: dayOf(now), calls: 0, events: 0, tokens: 0, usd: 0 });
    usage.addCost(1, 1);
    assert.deepEqual(usage.today, { day: dayOf(now), calls: 0, events: 0, tokens: 1, usd: 1 });
  });

  it('is at its limit after so many calls, whatever the limit is now', () => {
    usage.addCall(1);
    assert.equal(usage.isBelowLimit(), true);
    usage.addCall(1);
    assert.equal(usage.isBelowLimit(), false);
    limit = 3;
    assert.equal(usage.isBelowLimit(), true);
    limit = 0;
    now += dayMs;
    assert.equal(usage.isBelowLimit(), false);
  });

  it('takes what is stored in another shape for nothing', () => {
    const day = dayOf(now);
    const empty = { day, calls: 0, events: 0, tokens: 0, usd: 0 };
    for (const value of [undefined, null, 'use', [], {}, { day: 'another', calls: 5 }]) {
      kept = value;
      assert.deepEqual(usage.today, empty, JSON.stringify(value));
    }
    kept = { day, calls: '5', events: -1, tokens: null, usd: 0.5 };
    assert.deepEqual(usage.today, { ...empty, usd: 0.5 });
  });
});
