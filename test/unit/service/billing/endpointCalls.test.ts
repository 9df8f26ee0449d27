import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  boundRecord,
  callLine,
  type EndpointCall,
  parseRecord,
  recordText,
  totalsOf,
} from '../../../../src/service/billing/endpointCalls';

const calls = fc.array(
  fc.record(
    {
      at: fc.nat(1e12),
      ms: fc.nat(1e6),
      firstMs: fc.option(fc.nat(1e6), { nil: undefined }),
      promptTokens: fc.nat(1e6),
      cachedTokens: fc.nat(1e6),
      completionTokens: fc.nat(1e6),
      isOk: fc.boolean(),
      isProbe: fc.boolean(),
    },
    { noNullPrototype: true },
  ),
);
const byTime = (all: readonly EndpointCall[]) => all.toSorted((a, b) => a.at - b.at);

const call = (at: number, more: Partial<EndpointCall> = {}): EndpointCall => ({
  at,
  ms: 1,
  promptTokens: 100,
  cachedTokens: 40,
  completionTokens: 7,
  isOk: true,
  isProbe: false,
  ...more,
});

describe('the record of calls to an endpoint', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(calls, all => {
        const record = parseRecord(all.map(callLine).join(''));
        assert.deepEqual(record.calls, byTime(all));
        assert.deepEqual(parseRecord(recordText(record)), record);
      }),
    );
  });

  it('keeps its sums however often the older calls are moved into them', () => {
    fc.assert(
      fc.property(calls, fc.array(fc.integer({ min: 0, max: 20 })), (all, limits) => {
        const whole = totalsOf(all);
        let record = parseRecord(all.map(callLine).join(''));
        for (const limit of limits) {
          record = parseRecord(recordText(boundRecord(record, limit)));
          assert.ok(record.calls.length <= limit);
        }
        assert.deepEqual(totalsOf(record.calls, record.earlier), whole);
      }),
    );
  });

  it('counts the calls of the user, those that failed among them, and no test requests', () => {
    const all = [call(9, { isProbe: true }), call(30), call(20, { isOk: false }), call(40)];
    assert.deepEqual(totalsOf(all), {
      calls: 3,
      failed: 1,
      promptTokens: 300,
      cachedTokens: 120,
      completionTokens: 21,
      since: 20,
    });
  });

  it('skips what is damaged, and holds no text', () => {
    const text = callLine({
      at: 5,
      ms: 6,
      promptTokens: 1,
      cachedTokens: 0,
      completionTokens: 2,
      isOk: true,
      isProbe: false,
    });
    const { calls: found } = parseRecord(`{"at":1,"ms\n\u0000{}\nnull\n{"at":"x","ms":1}\n${text}`);
    assert.deepEqual(
      found.map(({ at }) => at),
      [5],
    );
    const values: unknown[] = Object.values(JSON.parse(text));
    assert.ok(values.every(value => ['number', 'boolean'].includes(typeof value)));
  });
});
