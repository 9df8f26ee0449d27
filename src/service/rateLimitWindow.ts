import { RetryBudget } from './retry';
import { Slots } from './slots';

/** Longest time for which one answer may close the window. */
const longestPauseMs = 600_000;

/** Below this many slots a 429 takes none away: a few people's calls must not wait for each other. */
const leastLimit = 8;
/** Slots that come back while as many calls succeed as there are slots. */
const regrowth = 4;

/**
 * What the calls share that one rate limit of the service counts together: those of a model in either
 * wire format, and those of an operation without a model. It pauses, so that 1,000 queued calls meet one
 * 429 and not 1,000. Its slots are halved by a 429 and brought back by successes, so that a bulk run finds
 * the rate that the service allows. Calls of other windows go on meanwhile.
 *
 * @see service document, Endpoints ("the same rate limits" of both formats); Limits, which does not show
 *   whether they are per key or per model: one per key is met once by each window.
 */
export class RateLimitWindow {
  readonly slots: Slots;
  /** Pays for repeats after a 429; other failures concern the whole origin. */
  readonly budget = new RetryBudget();
  #concurrency: number;
  /** Present size of the slots, with a fraction. */
  #limit: number;
  #openAt = 0;

  constructor(concurrency: number) {
    this.slots = new Slots(concurrency);
    this.#concurrency = concurrency;
    this.#limit = concurrency;
  }

  setConcurrency(concurrency: number): void {
    this.#concurrency = concurrency;
    this.#setLimit(concurrency);
  }

  succeeded(): void {
    this.budget.succeeded();
    if (this.#limit < this.#concurrency)
      this.#setLimit(Math.min(this.#concurrency, this.#limit + regrowth / this.#limit));
  }

  /**
   * Closes the window after a 429. @param nowMs monotonic.
   * @returns `false` when it was closed already: requests under way meet the same limit together.
   */
  pause(ms: number, nowMs: number): boolean {
    const wasOpen = this.#openAt <= nowMs;
    if (wasOpen) {
      const half = Math.min(this.#limit, this.slots.running) / 2;
      this.#setLimit(Math.min(this.#limit, Math.max(leastLimit, half)));
    }
    this.#openAt = Math.max(this.#openAt, nowMs + Math.min(ms, longestPauseMs));
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
