import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { batchPrice, nextEventPrice } from '../../../../src/reflex/batch/batchPrice';
import { priceOf } from '../../../../src/service/billing/pricing';
import {
  chunksOfRows,
  uploadReflexBatchOperation,
} from '../../../../src/service/wire/reflexBatches';

/** What the uploads of a file are charged, one after the other. */
function charged(rows: number, reflexes: number, eventsBefore: number, perUpload: number): number {
  const models = Array.from({ length: reflexes }, (_, at) => `r${at}`);
  const all = Array.from({ length: rows }, (_, at) => ({ id: `row-${at}`, models, text: 'x' }));
  let usd = 0;
  let before = eventsBefore;
  for (const part of chunksOfRows(all, perUpload)) {
    const operation = uploadReflexBatchOperation({ rows: part, idempotencyKey: 'k' });
    const charge = operation.charge?.({ id: 'b', status: 'queued' });
    assert.ok(charge?.kind === 'reflex' && charge.isBatch);
    const prices = { modelPrice: () => undefined, eventsBefore: before };
    usd += priceOf(charge, 0, prices).cost?.usd ?? 0;
    before += charge.events;
  }
  return usd;
}

describe('the price of a batch', () => {
  it('is the batch rate of the service document, and half of it beyond a million events', () => {
    assert.equal(nextEventPrice(0), 0.0005);
    assert.equal(nextEventPrice(999_999), 0.0005);
    assert.equal(nextEventPrice(1_000_000), 0.00025);
    assert.deepEqual(batchPrice(4, 2, 0), { events: 8, usd: 0.004 });
    assert.deepEqual(batchPrice(1000, 1, 2_000_000), { events: 1000, usd: 0.25 });
    const { usd } = batchPrice(10, 2, 999_990);
    assert.ok(Math.abs(usd - (10 * 0.0005 + 10 * 0.00025)) < 1e-12);
  });

  it('is what the uploads are charged, however they are cut and wherever the tier ends', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 998_500, max: 1_000_500 }),
        fc.integer({ min: 1, max: 150 }),
        (rows, reflexes, before, perUpload) => {
          const told = batchPrice(rows, reflexes, before).usd;
          const paid = charged(rows, reflexes, before, perUpload);
          assert.ok(Math.abs(told - paid) < 1e-9, `${told} told, ${paid} charged`);
        },
      ),
    );
  });
});
