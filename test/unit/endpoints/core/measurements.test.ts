import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  bucketsOf,
  callsWithin,
  chartOf,
  figuresByMeasure,
  figuresOf,
  measured,
  measures,
  niceMax,
  quantile,
  rangeOf,
} from '../../../../src/endpoints/core/measurements';
import type { EndpointCall } from '../../../../src/service/billing/endpointCalls';
import { hourMs, startMs } from './support';

const call = (more: Partial<EndpointCall> = {}): EndpointCall => ({
  at: startMs,
  ms: 1200,
  firstMs: 200,
  promptTokens: 100,
  cachedTokens: 0,
  completionTokens: 101,
  isOk: true,
  isProbe: false,
  ...more,
});

const numbers = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 });
const calls = fc.array(
  fc.record({
    at: fc.integer({ min: startMs - 40 * 24 * hourMs, max: startMs }),
    ms: fc.integer({ min: 0, max: 600_000 }),
    firstMs: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined }),
    promptTokens: fc.nat(1e6),
    cachedTokens: fc.nat(1e6),
    completionTokens: fc.nat(1e5),
    isOk: fc.boolean(),
    isProbe: fc.boolean(),
  }),
);
const hours = fc.constantFrom(1 as const, 24 as const, 168 as const, 720 as const);

describe('the figures of calls', () => {
  it('are those of each measure, as far as the calls have it', () => {
    const own = [call(), call({ ms: 800 }), call({ isOk: false }), call({ firstMs: undefined })];
    const figures = figuresByMeasure(own);
    for (const measure of measures) {
      const values = own.flatMap(each => measured(each, measure) ?? []);
      assert.ok(values.length > 1);
      assert.deepEqual(figures[measure], figuresOf(values, measure));
    }
    assert.equal(figuresByMeasure([call({ firstMs: undefined })]).first, undefined);
  });
});

describe('what is measured of a call', () => {
  it('is its time, the time to its first token, and the speed after that', () => {
    assert.deepEqual(
      measures.map(measure => measured(call(), measure)),
      [1200, 200, 100],
    );
  });

  it('is the speed of all tokens where the answer came in one piece', () => {
    const whole = call({ firstMs: undefined, ms: 2000, completionTokens: 50 });
    assert.deepEqual(
      measures.map(measure => measured(whole, measure)),
      [2000, undefined, 25],
    );
  });

  it('is nothing where the call failed or its answer is too short for a speed', () => {
    for (const measure of measures)
      assert.equal(measured(call({ isOk: false }), measure), undefined);
    assert.equal(measured(call({ completionTokens: 1 }), 'speed'), undefined);
    assert.equal(measured(call({ ms: 220 }), 'speed'), undefined);
  });
});

describe('quantiles', () => {
  it('lie between the values, and grow with the share', () => {
    fc.assert(
      fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const sorted = values.toSorted((a, b) => a - b);
        const found = quantile(sorted, share);
        assert.ok(found >= (sorted[0] ?? 0) && found <= (sorted.at(-1) ?? 0));
        assert.ok(quantile(sorted, share / 2) <= found);
      }),
    );
  });

  it('are the values themselves at their places', () => {
    assert.equal(quantile([1, 2, 10], 0.5), 2);
    assert.equal(quantile([1, 3], 0.5), 2);
    const values = Array.from({ length: 21 }, (_, n) => n);
    assert.deepEqual(figuresOf(values, 'latency'), { median: 10, bound: 19 });
    assert.deepEqual(figuresOf(values, 'speed'), { median: 10, bound: 1 });
    assert.equal(figuresOf([], 'first'), undefined);
  });
});

describe('the parts of the time', () => {
  it('have each call of the time once', () => {
    fc.assert(
      fc.property(calls, hours, (all, span) => {
        const range = rangeOf(span, startMs);
        const buckets = bucketsOf(all, range);
        const inside = callsWithin(all, range);
        const sum = (of: (bucket: (typeof buckets)[number]) => number) =>
          buckets.reduce((total, bucket) => total + of(bucket), 0);
        assert.equal(
          sum(bucket => bucket.calls),
          inside.length,
        );
        assert.equal(
          sum(bucket => bucket.failed),
          inside.filter(({ isOk }) => !isOk).length,
        );
        assert.equal(
          sum(bucket => bucket.probes),
          inside.filter(({ isProbe }) => isProbe).length,
        );
        assert.ok(buckets.every(({ from }) => from >= range.from && from < range.to));
        assert.ok(buckets.length <= 60);
      }),
    );
  });

  it('end with now, and stay as they are while time goes on', () => {
    const range = rangeOf(24, startMs + 1000);
    assert.ok(range.to > startMs && range.to - startMs <= 30 * 60_000);
    assert.deepEqual(rangeOf(24, startMs + 60_000), range);
    assert.equal(callsWithin([call({ at: startMs })], rangeOf(1, startMs)).length, 1);
  });
});

describe('the chart', () => {
  const size = { width: 480, height: 96 };

  it('holds its marks, and stands for the figures', () => {
    fc.assert(
      fc.property(calls, hours, fc.constantFrom(...measures), (all, span, measure) => {
        const range = rangeOf(span, startMs);
        const { marks, max } = chartOf(bucketsOf(all, range), measure, range, size);
        for (const { x, width, y, top, figures } of marks) {
          assert.ok(x >= 0 && x + width <= size.width + 1e-6, `${x} ${width}`);
          assert.ok(top >= -1e-9 && top <= y && y <= size.height + 1e-9, `${top} ${y}`);
          assert.ok(Math.max(figures.median, figures.bound) <= max);
          assert.ok(Math.abs((1 - y / size.height) * max - figures.median) <= 1e-6 * max);
        }
        assert.ok(marks.every(({ x }, at) => at === 0 || x > (marks[at - 1]?.x ?? 0)));
      }),
    );
  });

  it('has a scale that ends with 1, 2 or 5', () => {
    assert.deepEqual([0, 1, 1.2, 3, 7, 180, 1234].map(niceMax), [1, 1, 2, 5, 10, 200, 2000]);
  });
});
