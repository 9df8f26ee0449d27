import { Limiter } from './limiter';
import { RetryBudget } from './retry';

/** One answer closes the window for at most this long. */
const maxPauseMs = 600_000;

/** A 429 never reduces the concurrency below this: a few interactive calls must not wait for each other. */
const minLimit = 8;
/** How far the limit grows while as many calls succeed as the limit allows at once. */
const growthPerRound = 4;

/**
 * The state shared by calls that one rate limit of the service counts together: those of a model in either
 * wire format, and those of an operation without a model. A 429 pauses them, so that 1,000 queued calls meet
 * one 429 and not 1,000, and halves their concurrency; successes restore it, so that a bulk run finds
 * the rate that the service allows. Calls of other windows are not affected.
 *
 * @see service document, Endpoints ("the same rate limits" of both formats), and Limits, which does not say
 *   whether limits are per key or per model: a limit per key is then met once by each window.
 */
export class RateLimitWindow {
  readonly limiter: Limiter;
  /** For retries after a 429; other failures concern the whole origin. */
  readonly budget = new RetryBudget();
  #concurrency: number;
  /** Current concurrency, with a fraction. */
  #limit: number;
  #openAt = 0;

  constructor(concurrency: number) {
    this.limiter = new Limiter(concurrency);
    this.#concurrency = concurrency;
    this.#limit = concurrency;
  }

  setConcurrency(concurrency: number): void {
    this.#concurrency = concurrency;
    this.#setLimit(concurrency);
  }

  recordSuccess(): void {
    this.budget.recordSuccess();
    if (this.#limit < this.#concurrency) {
      this.#setLimit(Math.min(this.#concurrency, this.#limit + growthPerRound / this.#limit));
    }
  }

  /**
   * Closes the window after a 429. @param nowMs monotonic.
   * @returns `false` when it was closed already: requests under way meet the same limit together.
   */
  pause(ms: number, nowMs: number): boolean {
    const wasOpen = this.#openAt <= nowMs;
    if (wasOpen) {
      const half = Math.min(this.#limit, this.limiter.running) / 2;
      this.#setLimit(Math.min(this.#limit, Math.max(minLimit, half)));
    }
    this.#openAt = Math.max(this.#openAt, nowMs + Math.min(ms, maxPauseMs));
    return wasOpen;
  }

  /** Milliseconds until calls may start; 0 when open. */
  closedForMs(nowMs: number): number {
    return Math.max(0, this.#openAt - nowMs);
  }

  #setLimit(limit: number): void {
    this.#limit = limit;
    this.limiter.resize(limit);
  }
}
