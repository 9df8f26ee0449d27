import type { Charge, Cost, TokenPrice } from '../http/operation';
import type { Usage } from '../usage';
import { type Catalogue, fallbackModels, specialModels } from '../wire/catalogue';

/** US dollars per event or request (service document, Limits, "Prices"), which the catalogue does not list. */
export const eventPrices = {
  /** Events of a billing month at the first rate. */
  tierEvents: 1_000_000,
  reflex: { first: 0.001, beyond: 0.0005 },
  reflexBatch: { first: 0.0005, beyond: 0.00025 },
  router: 0.005,
} as const;

/** Models that the service document names without a price. A price of the live catalogue takes precedence. */
const unpublished: ReadonlySet<string> = new Set(
  [...specialModels, ...fallbackModels.filter(({ price }) => !price)].map(({ id }) => id),
);

export interface ModelPrice {
  readonly price: TokenPrice;
  /** True for a price of the live catalogue, false for the table built into this version. */
  readonly isLive: boolean;
}

export interface Prices {
  readonly modelPrice: (id: string) => ModelPrice | undefined;
  /**
   * Reflex events of this billing month before the charge. Whether batches and realtime events share a tier
   * is not shown; they are counted separately, because each has its own rates.
   */
  readonly eventsBefore: number;
}

/** Why a call that may be billed has no cost here. */
export type NoPrice = 'notPublished' | 'unknownModel';

export type Priced =
  | { readonly cost: Cost; readonly noPrice?: undefined }
  | { readonly cost?: undefined; readonly noPrice: NoPrice };

/** The usual rule of thumb for English and code, used only where the service reports no count. */
const charsPerToken = 4;

/** Estimates the usage of a call from its characters. */
export function estimatedUsage(sentChars: number, answerChars: number): Usage {
  return {
    promptTokens: Math.ceil(sentChars / charsPerToken),
    completionTokens: Math.ceil(answerChars / charsPerToken),
  };
}

/**
 * The price of a charge. Exact only where the service reported the usage and its live catalogue has the rate.
 * @param sentChars of the request body, for an estimate where the answer has no usage.
 */
export function priceOf(charge: Charge, sentChars: number, prices: Prices): Priced {
  if (charge.kind === 'router') return estimate(charge.requests * eventPrices.router);
  if (charge.kind === 'reflex') {
    const rates = charge.isBatch ? eventPrices.reflexBatch : eventPrices.reflex;
    return estimate(tiered(charge.events, prices.eventsBefore, rates));
  }
  const { model, usage, answerChars, pricePerM } = charge;
  const tokens = usage ?? estimatedUsage(sentChars, answerChars);
  // A dedicated endpoint is paid through its plan; its rates are for display only.
  if (pricePerM) return estimate(tokenUsd(tokens, pricePerM));
  const known = prices.modelPrice(model);
  if (!known) return { noPrice: unpublished.has(model) ? 'notPublished' : 'unknownModel' };
  const isExact = known.isLive && usage !== undefined;
  return { cost: { usd: tokenUsd(tokens, known.price), isExact } };
}

const estimate = (usd: number): Priced => ({ cost: { usd, isExact: false } });

/** Splits a charge that crosses the end of the first tier. */
function tiered(
  events: number,
  before: number,
  { first, beyond }: { readonly first: number; readonly beyond: number },
): number {
  const atFirst = Math.min(events, Math.max(0, eventPrices.tierEvents - before));
  return atFirst * first + (events - atFirst) * beyond;
}

/** Reasoning tokens are part of the completion tokens and billed as output. */
export function tokenUsd(usage: Usage, { input, output, cachedInput }: TokenPrice): number {
  const { promptTokens, completionTokens } = usage;
  const cached = cachedInput === undefined ? 0 : Math.min(usage.cachedTokens ?? 0, promptTokens);
  const perMillion =
    (promptTokens - cached) * input + cached * (cachedInput ?? 0) + completionTokens * output;
  return perMillion / 1_000_000;
}

/** Prices rarely change; after a failure the page is tried again sooner. */
const freshMs = 24 * 3600_000;
const retryMs = 3600_000;

/** Prices of the live catalogue, with those built into this version as fallback. */
export class PriceBook {
  readonly #live = new Map<string, TokenPrice>();
  #nextAt = 0;

  /** True when the catalogue should be read; then false for an hour, so that one read is under way at a time. */
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
