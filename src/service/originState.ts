import type { ErrorKind } from './errors';
import { Slots } from './slots';

const fullBudget = 10;
const refund = 0.1;

/** Longest time for which one answer may close the gate of an origin. */
const longestGateMs = 600_000;

/** Below this many slots a 429 takes none away: a few people's calls must not wait for each other. */
const leastLimit = 8;
/** Slots that come back while as many calls succeed as there are slots. */
const regrowth = 4;

/** Failures in a row after which background calls rest. */
const failuresToRest = 5;
const firstRestMs = 30_000;
const longestRestMs = 600_000;

/**
 * What all calls to one origin share: a retry budget, so that an outage is not answered with a storm;
 * a gate, so that 1,000 queued calls meet one 429 and not 1,000; a circuit breaker, which only
 * background calls obey; and the slots, which a 429 halves and successes bring back, so that a bulk
 * run finds the rate that the service allows.
 */
export class OriginState {
  readonly slots: Slots;
  #concurrency: number;
  /** Present size of the slots, with a fraction. */
  #limit: number;
  #tokens = fullBudget;
  #openAt = 0;
  #failures = 0;
  #restMs = firstRestMs;
  #restUntil = 0;
  #isProbing = false;

  /** @param concurrency requests that may be under way at once. */
  constructor(concurrency: number) {
    this.slots = new Slots(concurrency);
    this.#concurrency = concurrency;
    this.#limit = concurrency;
  }

  /** The transport can change between two calls. */
  setConcurrency(concurrency: number): void {
    if (concurrency === this.#concurrency) return;
    this.#concurrency = concurrency;
    this.#setLimit(concurrency);
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
    if (this.#limit < this.#concurrency)
      this.#setLimit(Math.min(this.#concurrency, this.#limit + regrowth / this.#limit));
    this.answered();
  }

  /** The service refused a request in its own words: it is not ill. */
  answered(): void {
    this.#failures = 0;
    this.#restMs = firstRestMs;
    this.#restUntil = 0;
  }

  /** An attempt failed in a way that says something about the service's health. @param nowMs monotonic. */
  failed(nowMs: number): void {
    this.#failures++;
    if (this.#failures < failuresToRest || this.#restUntil > nowMs) return;
    this.#restUntil = nowMs + this.#restMs;
    this.#restMs = Math.min(longestRestMs, this.#restMs * 2);
  }

  /** ms that background calls still rest; 0 means that one may go. @param nowMs monotonic. */
  restMs(nowMs: number): number {
    if (this.#failures < failuresToRest) return 0;
    if (this.#restUntil > nowMs) return this.#restUntil - nowMs;
    // One probe at a time; the others wait for what it finds.
    return this.#isProbing ? firstRestMs : 0;
  }

  /** A background call goes; `true` when it is the probe after a rest, which must be ended. */
  startProbe(): boolean {
    if (this.#failures < failuresToRest) return false;
    this.#isProbing = true;
    return true;
  }

  endProbe(): void {
    this.#isProbing = false;
  }

  /**
   * Closes the gate after a 429. @param nowMs monotonic.
   * @returns `false` when it was closed already: requests under way meet the same limit together.
   */
  pause(ms: number, nowMs: number): boolean {
    const wasOpen = this.#openAt <= nowMs;
    if (wasOpen) {
      const half = Math.min(this.#limit, this.slots.running) / 2;
      this.#setLimit(Math.min(this.#limit, Math.max(leastLimit, half)));
    }
    this.#openAt = Math.max(this.#openAt, nowMs + Math.min(ms, longestGateMs));
    return wasOpen;
  }

  /** ms until calls may start; 0 when open. */
  closedForMs(nowMs: number): number {
    return Math.max(0, this.#openAt - nowMs);
  }

  #setLimit(limit: number): void {
    this.#limit = limit;
    this.slots.resize(limit);
  }
}
