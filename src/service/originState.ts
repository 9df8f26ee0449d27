import type { ErrorKind } from './errors';
import { Slots } from './slots';

const fullBudget = 10;
const refund = 0.1;

/** Longest time for which one answer may close the gate of an origin. */
const longestGateMs = 600_000;

/** Failures in a row after which background calls rest. */
const failuresToRest = 5;
const firstRestMs = 30_000;
const longestRestMs = 600_000;

/**
 * What all calls to one origin share: a retry budget, so that an outage is not answered with a storm;
 * a gate, so that 1,000 queued calls meet one 429 and not 1,000; a circuit breaker, which only
 * background calls obey; and the requests under way.
 */
export class OriginState {
  readonly slots: Slots;
  #tokens = fullBudget;
  #openAt = 0;
  #failures = 0;
  #restMs = firstRestMs;
  #restUntil = 0;
  #isProbing = false;

  /** @param concurrency requests that may be under way at once. */
  constructor(concurrency: number) {
    this.slots = new Slots(concurrency);
  }

  /** Takes the price of one retry; `false` means that too many have failed lately. */
  takeRetry(kind: ErrorKind): boolean {
    const price = kind === 'timeout' ? 2 : 1;
    if (this.#tokens < price) return false;
    this.#tokens -= price;
    return true;
  }

  succeeded(): void {
    this.#tokens = Math.min(fullBudget, this.#tokens + refund);
    this.#failures = 0;
    this.#restMs = firstRestMs;
    this.#restUntil = 0;
    this.#isProbing = false;
  }

  /** An attempt failed in a way that says something about the service's health. @param nowMs monotonic. */
  failed(nowMs: number): void {
    this.#isProbing = false;
    this.#failures++;
    if (this.#failures < failuresToRest || this.#restUntil > nowMs) return;
    this.#restUntil = nowMs + this.#restMs;
    this.#restMs = Math.min(longestRestMs, this.#restMs * 2);
  }

  /** ms that background calls still rest; 0 lets one call through as a probe. @param nowMs monotonic. */
  restMs(nowMs: number): number {
    if (this.#failures < failuresToRest) return 0;
    if (this.#restUntil > nowMs) return this.#restUntil - nowMs;
    // One probe at a time; the others wait for what it finds.
    if (this.#isProbing) return firstRestMs;
    this.#isProbing = true;
    return 0;
  }

  /** The probe ended without an answer that says anything. */
  probeEnded(): void {
    this.#isProbing = false;
  }

  /** @param nowMs monotonic. */
  pause(ms: number, nowMs: number): void {
    this.#openAt = Math.max(this.#openAt, nowMs + Math.min(ms, longestGateMs));
  }

  /** ms until calls may start; 0 when open. */
  closedForMs(nowMs: number): number {
    return Math.max(0, this.#openAt - nowMs);
  }
}
