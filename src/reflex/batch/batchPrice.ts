import { eventPrices, priceOf } from '../../service';

/** Price of a file: one event per row and reflex, at the batch rate. */
export interface BatchPrice {
  readonly events: number;
  readonly usd: number;
}

/** @param eventsBefore batch events of this month so far, which decide the rate. */
export function batchPrice(rows: number, reflexes: number, eventsBefore: number): BatchPrice {
  const events = rows * reflexes;
  const charge = { kind: 'reflex', events, isBatch: true } as const;
  const { cost } = priceOf(charge, 0, { modelPrice: () => undefined, eventsBefore });
  return { events, usd: cost?.usd ?? 0 };
}

/** Price of the next event in USD. */
export function nextEventPrice(eventsBefore: number): number {
  const { first, beyond } = eventPrices.reflexBatch;
  return eventsBefore < eventPrices.tierEvents ? first : beyond;
}
