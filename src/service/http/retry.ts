import { delayMsInMessage } from '../assumptions';
import type { ErrorKind, RequestOutcome } from '../errors';

/**
 * What a call does, which determines when it may be repeated.
 * - `read`: lists and status.
 * - `compute`: tokens are billed, nothing is changed.
 * - `money`: buys, creates or cancels; never repeated when the outcome is unknown.
 */
export type CallClass = 'read' | 'compute' | 'money';

const maxAttempts: Record<CallClass, number> = { read: 4, compute: 3, money: 3 };
const retryableKinds = new Set<ErrorKind>(['server', 'rateLimited', 'timeout', 'connection']);
const firstBackoffMs = 500;
const minWaitMs = 50;
/** A longer Retry-After is treated as a mistake. */
const maxRetryAfterMs = 24 * 3600_000;

const fullBudget = 10;
const refund = 0.1;

/** Limits retries while many calls fail: each retry takes tokens from it, each success returns some. */
export class RetryBudget {
  #tokens = fullBudget;

  /** Takes the tokens of one retry; `false` when too many calls have failed lately. */
  tryTake(kind: ErrorKind): boolean {
    const price = kind === 'timeout' ? 2 : 1;
    if (this.#tokens < price) return false;
    this.#tokens -= price;
    return true;
  }

  recordSuccess(): void {
    this.#tokens = Math.min(fullBudget, this.#tokens + refund);
  }
}

export interface AttemptFailure {
  readonly kind: ErrorKind;
  readonly outcome: RequestOutcome;
  readonly retryHint: boolean | undefined;
}

/** @param unknownBefore attempts of this call whose outcome is unknown. */
export function shouldRetry(
  failure: AttemptFailure,
  callClass: CallClass,
  attempt: number,
  unknownBefore: number,
): boolean {
  if (attempt >= maxAttempts[callClass]) return false;
  const { kind, outcome, retryHint } = failure;
  if (retryHint === false) return false;
  if (callClass === 'money') return outcome === 'notProcessed';
  if (retryHint === true) return true;
  if (outcome === 'notProcessed') return true;
  if (outcome === 'failed') return retryableKinds.has(kind);
  if (outcome === 'unknown') return callClass === 'read' || unknownBefore === 0;
  return false;
}

/** Exponential backoff with full jitter, up to 0.5 s, 1 s, 2 s, … `capMs`. `attempt` is 1 after the first failure. */
export function backoffMs(attempt: number, capMs: number, random: () => number): number {
  const ceiling = Math.min(capMs, firstBackoffMs * 2 ** (attempt - 1));
  return Math.max(minWaitMs, random() * ceiling);
}

/** Never earlier than asked, and up to a tenth (at most 250 ms) later, so that clients do not return together. */
export function jitteredRetryAfterMs(askedMs: number, random: () => number): number {
  return Math.max(minWaitMs, askedMs + random() * Math.min(250, askedMs / 10));
}

/**
 * The wait that an answer asks for, in milliseconds: `retry-after-ms`, `Retry-After` as seconds (also a
 * fraction) or HTTP date, else the delay that the message gives. `undefined` for anything else.
 *
 * A date is a time of the service's clock, so it is compared with the `Date` of the same answer; only where
 * that header is missing, with this machine's clock, which may be wrong by hours.
 */
export function retryAfterMs(
  headers: { get(name: string): string | null },
  message: string | undefined,
  nowMs: number,
): number | undefined {
  return (
    plausible(numberIn(headers.get('retry-after-ms'))) ??
    plausible(afterHeader(headers.get('retry-after'), httpDate(headers.get('date')) ?? nowMs)) ??
    plausible(message === undefined ? undefined : delayMsInMessage(message))
  );
}

function afterHeader(value: string | null, nowMs: number): number | undefined {
  const seconds = numberIn(value);
  if (seconds !== undefined) return seconds * 1000;
  const dates = value?.split(/,\s*(?=(?:mon|tue|wed|thu|fri|sat|sun))/i) ?? [];
  const latest = maxOf(dates.map(date => httpDate(date) ?? Number.NaN));
  return Number.isFinite(latest) ? Math.max(0, latest - nowMs) : undefined;
}

/** ms since the epoch. Every form begins with a weekday; Date.parse alone accepts "-5" and "soon 1". */
function httpDate(text: string | null): number | undefined {
  if (text === null || !/^\s*(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** The largest value of a header that came more than once, joined by commas: never earlier than asked. */
function numberIn(value: string | null): number | undefined {
  const parts = value?.split(',') ?? [];
  if (!parts.every(part => /^\s*\d+(\.\d+)?\s*$/.test(part))) return undefined;
  return parts.length > 0 ? maxOf(parts.map(Number)) : undefined;
}

/** Like `Math.max`, which takes only as many numbers as fit on the stack. */
function maxOf(numbers: readonly number[]): number {
  return numbers.reduce((max, number) => Math.max(max, number), Number.NEGATIVE_INFINITY);
}

function plausible(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= maxRetryAfterMs ? ms : undefined;
}
