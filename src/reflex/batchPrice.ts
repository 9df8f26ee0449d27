import { eventPrices, priceOf } from '../service/billing/pricing';

/** What a file will cost: one event for each row and reflex, at the batch rate. */
export interface BatchPrice {
  readonly events: number;
  readonly usd: number;
}

/** @param eventsBefore batch events of this month so far: the rate falls with them. */
export function batchPrice(rows: number, reflexes: number, eventsBefore: number): BatchPrice {
  const events = rows * reflexes;
  const charge = { kind: 'reflex', events, isBatch: true } as const;
  const { cost } = priceOf(charge, 0, { modelPrice: () => undefined, eventsBefore });
  return { events, usd: cost?.usd ?? 0 };
}

/** USD of the next event. */
export function nextEventPrice(eventsBefore: number): number {
  const { first, beyond } = eventPrices.reflexBatch;
  return eventsBefore < eventPrices.tierEvents ? first : beyond;
}
