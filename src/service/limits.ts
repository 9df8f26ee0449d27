import { ServiceError } from './errors';
import { estimateTokens } from './tokens';

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

/** @throws {ServiceError} `limit`, naming the limit, when `text` is certainly too long. */
export function checkTokens(text: string, limit: number, what: string): void {
  // No token is shorter than one UTF-16 unit's worth of a byte pair; most texts end here, at no cost.
  if (text.length <= limit) return;
  const tokens = estimateTokens(text);
  if (tokens > limit * estimateMargin)
    throw limitError(
      `${what} is about ${number(tokens)} tokens long; the limit is ${number(limit)} tokens.`,
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

function number(value: number): string {
  return value.toLocaleString('en-US');
}
