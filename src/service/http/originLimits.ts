import { CircuitBreaker } from './circuitBreaker';
import { Limiter } from './limiter';
import { RateLimitWindow } from './rateLimitWindow';
import { RetryBudget } from './retry';

/**
 * What all calls to one origin share: the limiter of its transport; a retry budget, so that an outage is
 * not answered with a storm of retries; a circuit breaker; and one window for each rate limit, which
 * holds back only its own calls.
 */
export class OriginLimits {
  readonly limiter: Limiter;
  readonly budget = new RetryBudget();
  readonly breaker = new CircuitBreaker();
  readonly #windows = new Map<string, RateLimitWindow>();
  #concurrency: number;

  /** @param concurrency requests that may be under way at once. */
  constructor(concurrency: number) {
    this.limiter = new Limiter(concurrency);
    this.#concurrency = concurrency;
  }

  /** The transport can change between two calls. */
  setConcurrency(concurrency: number): void {
    if (concurrency === this.#concurrency) return;
    this.#concurrency = concurrency;
    this.limiter.resize(concurrency);
    for (const window of this.#windows.values()) window.setConcurrency(concurrency);
  }

  /** @param scope names what one rate limit of the service counts together. */
  window(scope: string): RateLimitWindow {
    let window = this.#windows.get(scope);
    if (!window) this.#windows.set(scope, (window = new RateLimitWindow(this.#concurrency)));
    return window;
  }

  recordSuccess(): void {
    this.budget.recordSuccess();
    this.breaker.recordAnswer();
  }
}
