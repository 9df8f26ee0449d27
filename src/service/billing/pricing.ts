import type { Charge, Cost, TokenPrice } from '../operation';
import type { Usage } from '../usage';
import { type Catalogue, fallbackModels, specialModels } from '../wire/catalogue';

/** USD per event or request (service document, Limits, "Prices"). The catalogue does not list them. */
export const eventPrices = {
  /** Events of a billing month at the first rate. */
  tierEvents: 1_000_000,
  reflex: { first: 0.001, beyond: 0.0005 },
  reflexBatch: { first: 0.0005, beyond: 0.00025 },
  router: 0.005,
} as const;

/** Models that the service document names without a price. A live catalogue that has one wins. */
const unpublished: ReadonlySet<string> = new Set(
  [...specialModels, ...fallbackModels.filter(({ price }) => !price)].map(({ id }) => id),
);

export interface ModelPrice {
  readonly price: TokenPrice;
  /** From the catalogue that the service serves; false for the table built into this version. */
  readonly isLive: boolean;
}

export interface Prices {
  readonly modelPrice: (id: string) => ModelPrice | undefined;
  /**
   * Reflex events of this billing month before the charge. Whether batches and realtime events fill one
   * tier is not shown; they are counted apart, because each has rates of its own.
   */
  readonly eventsBefore: number;
}

/** Why a call that may be billed has no cost here. */
export type NoPrice = 'notPublished' | 'unknownModel';

export type Priced =
  | { readonly cost: Cost; readonly noPrice?: undefined }
  | { readonly cost?: undefined; readonly noPrice: NoPrice };

// The usual rule of thumb for English and code; a count by the service always wins.
const charsPerToken = 4;

/** What a call without a count may have used, from its characters. */
export function estimatedUsage(sentChars: number, answerChars: number): Usage {
  return {
    promptTokens: Math.ceil(sentChars / charsPerToken),
    completionTokens: Math.ceil(answerChars / charsPerToken),
  };
}

/**
 * The price of a charge. Exact only where the service counted and its live catalogue has the rate.
 * @param sentChars of the request's body; for the estimate where the answer gave no usage.
 */
export function priceOf(charge: Charge, sentChars: number, prices: Prices): Priced {
  if (charge.kind === 'router') return estimate(charge.requests * eventPrices.router);
  if (charge.kind === 'reflex') {
    const rates = charge.isBatch ? eventPrices.reflexBatch : eventPrices.reflex;
    return estimate(tiered(charge.events, prices.eventsBefore, rates));
  }
  const { model, usage, answerChars, pricePerM } = charge;
  const tokens = usage ?? estimatedUsage(sentChars, answerChars);
  // A dedicated endpoint is paid by its plan: its rates are for display only.
  if (pricePerM) return estimate(tokenUsd(tokens, pricePerM));
  const known = prices.modelPrice(model);
  if (!known) return { noPrice: unpublished.has(model) ? 'notPublished' : 'unknownModel' };
  const isExact = known.isLive && usage !== undefined;
  return { cost: { usd: tokenUsd(tokens, known.price), isExact } };
}

const estimate = (usd: number): Priced => ({ cost: { usd, isExact: false } });

/** A charge that crosses the end of the first tier is split. */
function tiered(
  events: number,
  before: number,
  { first, beyond }: { readonly first: number; readonly beyond: number },
): number {
  const atFirst = Math.min(events, Math.max(0, eventPrices.tierEvents - before));
  return atFirst * first + (events - atFirst) * beyond;
}

/** Reasoning is part of the completion tokens and bills as output. */
function tokenUsd(usage: Usage, { input, output, cachedInput }: TokenPrice): number {
  const { promptTokens, completionTokens } = usage;
  const cached = cachedInput === undefined ? 0 : Math.min(usage.cachedTokens ?? 0, promptTokens);
  const perMillion =
    (promptTokens - cached) * input + cached * (cachedInput ?? 0) + completionTokens * output;
  return perMillion / 1_000_000;
}

// Prices rarely change, and a page that failed is no news for a while.
const freshMs = 24 * 3600_000;
const retryMs = 3600_000;

/** Prices of the live catalogue over those built into this version. */
export class PriceBook {
  readonly #live = new Map<string, TokenPrice>();
  #nextAt = 0;

  /** True when the catalogue should be read (again); false until that has had time to end. */
  isDue(now: number): boolean {
    if (now < this.#nextAt) return false;
    this.#nextAt = now + retryMs;
    return true;
  }

  learn({ models, source, fetchedAt }: Catalogue): void {
    if (source !== 'live') return;
    this.#live.clear();
    for (const { id, price } of models) if (price) this.#live.set(id, price);
    this.#nextAt = (fetchedAt ?? 0) + freshMs;
  }

  modelPrice(id: string): ModelPrice | undefined {
    const live = this.#live.get(id);
    if (live) return { price: live, isLive: true };
    const price = fallbackModels.find(model => model.id === id)?.price;
    return price && { price, isLive: false };
  }
}

/** `$10`, `$0.42`, `$0.0005`, `less than $0.0001`: for people; two decimals as soon as they say enough. */
export function formatUsd(usd: number): string {
  if (Number.isInteger(usd)) return `$${usd.toLocaleString('en-US')}`;
  if (usd < 0.0001) return 'less than $0.0001';
  const most = usd < 0.1 ? 4 : 2;
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: most })}`;
}
