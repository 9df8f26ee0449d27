import { numberText } from '../base/format/numbers';
import { type Sentence, sentence } from '../base/sentence';
import { ServiceError } from './errors';
import { estimateTokens } from './tokens';

/** Limits of the service document (Limits); those of models are in the catalogue. */
export const serviceLimits = {
  reflexTokens: 65_536,
  routerTokens: 65_536,
  compactTokens: 1_000_000,
  batchRows: 10_000,
  pageSize: 100,
} as const;

/** An estimate can be too high by this factor; a text that may still fit is sent, and the service decides. */
const estimateMargin = 1.15;

/** @throws {ServiceError} `limit`, naming the limit, when the texts together are certainly too long. */
export function checkTokens(text: string | readonly string[], limit: number, what: Sentence): void {
  const texts = typeof text === 'string' ? [text] : text;
  // A token has at least one UTF-16 unit, so that most texts need no estimate.
  if (sum(texts, ({ length }) => length) <= limit) return;
  const tokens = sum(texts, estimateTokens);
  if (tokens > limit * estimateMargin) {
    throw limitError(
      '{0} is about {1} tokens long; the limit is {2} tokens.',
      what,
      numberText(tokens),
      numberText(limit),
    );
  }
}

/** @throws {ServiceError} `limit` unless `value` is a whole number from `min` to `max`. */
export function checkRange(value: number, min: number, max: number, what: Sentence): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw limitError(
    '{0} must be a whole number from {1} to {2}, not {3}.',
    what,
    numberText(min),
    numberText(max),
    String(value),
  );
}

/** @throws {ServiceError} `limit` unless `value` is above 0 and at most 1. */
export function checkRatio(value: number, what: Sentence): void {
  if (value > 0 && value <= 1) return;
  throw limitError('{0} must be above 0 and at most 1, not {1}.', what, String(value));
}

/** The error for a request that the service would refuse, with a message for the user. */
export function limitError(text: string, ...args: Sentence['args']): ServiceError {
  return new ServiceError('limit', sentence(text, ...args));
}

function sum(texts: readonly string[], measure: (text: string) => number): number {
  return texts.reduce((total, text) => total + measure(text), 0);
}
