import { delayMsInMessage } from './assumptions';
import type { ErrorKind, Outcome } from './errors';

/**
 * What a call does, and so how freely it may be repeated.
 * - `read`: lists and status.
 * - `compute`: tokens are billed, nothing is changed.
 * - `money`: buys, creates or cancels; never repeated when the outcome is unknown.
 */
export type CallClass = 'read' | 'compute' | 'money';

const maxAttempts: Record<CallClass, number> = { read: 4, compute: 3, money: 3 };
const retryableAnswer = new Set<ErrorKind>(['server', 'rateLimited', 'timeout', 'connection']);
const firstBackoffMs = 500;
const shortestWaitMs = 50;
/** Above this a Retry-After is taken for a mistake. */
const longestRetryAfterMs = 24 * 3600_000;

const fullBudget = 10;
const refund = 0.1;

/** What repeats may cost: each failed attempt that is repeated takes from it, successes fill it up. */
export class RetryBudget {
  #tokens = fullBudget;

  /** Takes the price of one retry; `false` means that too many have failed lately. */
  take(kind: ErrorKind): boolean {
    const price = kind === 'timeout' ? 2 : 1;
    if (this.#tokens < price) return false;
    this.#tokens -= price;
    return true;
  }

  succeeded(): void {
    this.#tokens = Math.min(fullBudget, this.#tokens + refund);
  }
}

export interface Failure {
  readonly kind: ErrorKind;
  readonly outcome: Outcome;
  readonly shouldRetry: boolean | undefined;
}

/** @param unknownBefore attempts of this call that already ended with an unknown outcome. */
export function mayRetry(
  failure: Failure,
  callClass: CallClass,
  attempt: number,
  unknownBefore: number,
): boolean {
  if (attempt >= maxAttempts[callClass]) return false;
  const { kind, outcome, shouldRetry } = failure;
  if (shouldRetry === false) return false;
  if (callClass === 'money') return outcome === 'notProcessed';
  if (shouldRetry === true) return true;
  if (outcome === 'notProcessed') return true;
  if (outcome === 'failed') return retryableAnswer.has(kind);
  if (outcome === 'unknown') return callClass === 'read' || unknownBefore === 0;
  return false;
}

/** Full jitter: `attempt` is 1 after the first failure; 0.5 s, 1 s, 2 s, … up to `capMs`. */
export function backoffMs(attempt: number, capMs: number, random: () => number): number {
  const ceiling = Math.min(capMs, firstBackoffMs * 2 ** (attempt - 1));
  return Math.max(shortestWaitMs, random() * ceiling);
}

/** Never earlier than asked; up to a tenth (at most 250 ms) later, so that clients do not return together. */
export function politeMs(askedMs: number, random: () => number): number {
  return Math.max(shortestWaitMs, askedMs + random() * Math.min(250, askedMs / 10));
}

/**
 * The wait that an answer asks for, in ms: `retry-after-ms`, `Retry-After` as seconds (also a
 * fraction) or HTTP date, else the delay that the message gives. Nonsense reads as `undefined`.
 *
 * A date is a time of the service's clock, so it counts from the `Date` of the same answer; this
 * machine's clock, which may be wrong by hours, only where that header is missing.
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
  const latest = largest(dates.map(date => httpDate(date) ?? Number.NaN));
  return Number.isFinite(latest) ? Math.max(0, latest - nowMs) : undefined;
}

/** ms since the epoch. A weekday comes first in every form; Date.parse alone accepts "-5" and "soon 1". */
function httpDate(text: string | null): number | undefined {
  if (text === null || !/^\s*(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Where a header came twice, with a comma between, the larger one: never earlier than asked. */
function numberIn(value: string | null): number | undefined {
  const parts = value?.split(',') ?? [];
  if (!parts.every(part => /^\s*\d+(\.\d+)?\s*$/.test(part))) return undefined;
  return parts.length > 0 ? largest(parts.map(Number)) : undefined;
}

/** As `Math.max`, which takes only as many numbers as the stack holds. */
function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
}

function plausible(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= longestRetryAfterMs ? ms : undefined;
}
