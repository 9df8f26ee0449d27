import { ServiceError } from './errors';
import { estimateTokens } from './tokens';
import type { Model } from './wire/catalogue';

/** Limits of the service document (Limits); those of the models stand in the catalogue. */
export const serviceLimits = {
  reflexTokens: 65_536,
  routerTokens: 65_536,
  compactTokens: 1_000_000,
  batchRows: 10_000,
  pageSize: 100,
} as const;

/** An estimate can be this much too high; a text that may still fit is sent and the service decides. */
const estimateMargin = 1.15;

/** @throws {ServiceError} `limit`, naming the limit, when the text, or the texts together, are certainly too long. */
export function checkTokens(text: string | readonly string[], limit: number, what: string): void {
  const texts = typeof text === 'string' ? [text] : text;
  // No token is shorter than one UTF-16 unit's worth of a byte pair; most texts end here, at no cost.
  if (sum(texts, ({ length }) => length) <= limit) return;
  const tokens = sum(texts, estimateTokens);
  if (tokens > limit * estimateMargin)
    throw limitError(
      `${what} is about ${number(tokens)} tokens long; the limit is ${number(limit)} tokens.`,
    );
}

/**
 * The prompt and the answer share the window.
 *
 * @param tokens of the prompt, as `estimateTokens` gives them
 * @param maxTokens room that the answer asks for
 * @throws {ServiceError} `limit`, naming the model and its window, when they certainly do not fit; never
 *   for a model with an unknown window.
 */
export function checkContext(
  { id, contextTokens }: Pick<Model, 'id' | 'contextTokens'>,
  tokens: number,
  maxTokens = 0,
): void {
  if (contextTokens === undefined || tokens / estimateMargin + maxTokens <= contextTokens) return;
  const answer = maxTokens === 0 ? '' : ` and its answer of up to ${number(maxTokens)} tokens`;
  throw limitError(
    `The prompt of about ${number(tokens)} tokens${answer} does not fit ${id}; ` +
      `its context window is ${number(contextTokens)} tokens.`,
  );
}

/** @throws {ServiceError} `limit` unless `value` is a whole number from `least` to `most`. */
export function checkRange(value: number, least: number, most: number, what: string): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw limitError(
    `${what} must be a whole number from ${number(least)} to ${number(most)}, not ${value}.`,
  );
}

/** @throws {ServiceError} `limit` unless `value` is above 0 and at most 1. */
export function checkRatio(value: number, what: string): void {
  if (value > 0 && value <= 1) return;
  throw limitError(`${what} must be above 0 and at most 1, not ${value}.`);
}

/** For a request that the service would refuse; `message` is a sentence for people. */
export function limitError(message: string): ServiceError {
  return new ServiceError('limit', message);
}

function sum(texts: readonly string[], measure: (text: string) => number): number {
  return texts.reduce((total, text) => total + measure(text), 0);
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
