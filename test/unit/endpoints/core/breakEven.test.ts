import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { breakEvenOf } from '../../../../src/endpoints/core/breakEven';
import { noTotals } from '../../../../src/service/billing/endpointCalls';
import { tokenUsd } from '../../../../src/service/billing/pricing';
import { hourMs, startMs } from './support';

const price = { input: 1, output: 4, cachedInput: 0.5 };
const totals = {
  ...noTotals,
  calls: 10,
  promptTokens: 8_000_000,
  cachedTokens: 2_000_000,
  completionTokens: 2_000_000,
  since: startMs + 2 * hourMs,
};
const input = {
  totals,
  sharedPrice: price,
  hourlyUsd: 30,
  readyAt: startMs,
  until: startMs + 12 * hourMs,
};

describe('the break-even of an endpoint', () => {
  it('compares its own tokens at the shared price with the hours in which they were recorded', () => {
    const found = breakEvenOf(input);
    // 6M at $1, 2M cached at $0.50, 2M out at $4.
    assert.equal(found.sharedUsd, 15);
    assert.equal(found.spentUsd, 360);
    assert.equal(found.since, startMs + 2 * hourMs);
    assert.equal(found.dedicatedUsd, 300);
    assert.equal(found.tokensPerHour, 1_000_000);
    assert.equal(found.evenTokensPerHour, 20_000_000);
  });

  it('costs the same as the shared model at its tokens per hour', () => {
    const tokens = fc.integer({ min: 1, max: 1e9 });
    const usd = fc.double({ min: 0.01, max: 1000, noNaN: true });
    fc.assert(
      fc.property(tokens, tokens, usd, usd, usd, (promptTokens, completionTokens, a, b, hourly) => {
        const sharedPrice = { input: a, output: b };
        const own = { ...noTotals, calls: 1, promptTokens, completionTokens, since: startMs };
        const { evenTokensPerHour = 0 } = breakEvenOf({
          ...input,
          totals: own,
          sharedPrice,
          hourlyUsd: hourly,
        });
        const scale = evenTokensPerHour / (promptTokens + completionTokens);
        const cost = tokenUsd(
          { promptTokens: promptTokens * scale, completionTokens: completionTokens * scale },
          sharedPrice,
        );
        assert.ok(Math.abs(cost - hourly) <= 1e-9 * hourly);
      }),
    );
  });

  it('says nothing of what is not known', () => {
    const unpriced = breakEvenOf({ ...input, sharedPrice: undefined });
    assert.deepEqual(
      [unpriced.sharedUsd, unpriced.evenTokensPerHour, unpriced.spentUsd],
      [undefined, undefined, 360],
    );
    const noHour = breakEvenOf({ ...input, hourlyUsd: undefined });
    assert.deepEqual(
      [noHour.sharedUsd, noHour.spentUsd, noHour.dedicatedUsd, noHour.evenTokensPerHour],
      [15, undefined, undefined, undefined],
    );
    const unused = breakEvenOf({ ...input, totals: noTotals });
    assert.deepEqual(
      [unused.sharedUsd, unused.tokensPerHour, unused.evenTokensPerHour],
      [0, undefined, undefined],
    );
    assert.equal(breakEvenOf({ ...input, readyAt: undefined }).spentUsd, undefined);
    assert.equal(breakEvenOf({ ...input, until: startMs - hourMs }).spentUsd, 0);
  });
});
