import type { ServiceError } from './errors';
import { RateLimitWindow } from './rateLimitWindow';
import { RetryBudget } from './retry';
import { Slots } from './slots';

/** Failures in a row after which background calls rest. */
const failuresToRest = 5;
const firstRestMs = 30_000;
const longestRestMs = 600_000;

/**
 * What all calls to one origin share: the slots of its transport; a retry budget, so that an outage is not
 * answered with a storm; a circuit breaker, which only background calls obey; and the windows of its rate
 * limits, each of which holds back its own calls only.
 */
export class OriginState {
  readonly slots: Slots;
  readonly budget = new RetryBudget();
  readonly #windows = new Map<string, RateLimitWindow>();
  #concurrency: number;
  #failures = 0;
  #lastFailure: ServiceError | undefined;
  #restMs = firstRestMs;
  #restUntil = 0;
  #isProbing = false;

  /** @param concurrency requests that may be under way at once. */
  constructor(concurrency: number) {
    this.slots = new Slots(concurrency);
    this.#concurrency = concurrency;
  }

  /** The transport can change between two calls. */
  setConcurrency(concurrency: number): void {
    if (concurrency === this.#concurrency) return;
    this.#concurrency = concurrency;
    this.slots.resize(concurrency);
    for (const window of this.#windows.values()) window.setConcurrency(concurrency);
  }

  window(scope: string): RateLimitWindow {
    let window = this.#windows.get(scope);
    if (!window) this.#windows.set(scope, (window = new RateLimitWindow(this.#concurrency)));
    return window;
  }

  succeeded(): void {
    this.budget.succeeded();
    this.answered();
  }

  /** The service refused a request in its own words: it is not ill. */
  answered(): void {
    this.#failures = 0;
    this.#lastFailure = undefined;
    this.#restMs = firstRestMs;
    this.#restUntil = 0;
  }

  /** An attempt failed in a way that says something about the service's health. @param nowMs monotonic. */
  failed(error: ServiceError, nowMs: number): void {
    this.#failures++;
    this.#lastFailure = error;
    if (this.#failures < failuresToRest || this.#restUntil > nowMs) return;
    this.#restUntil = nowMs + this.#restMs;
    this.#restMs = Math.min(longestRestMs, this.#restMs * 2);
  }

  /** Why background calls rest. */
  get failure(): { readonly inARow: number; readonly last: ServiceError | undefined } {
    return { inARow: this.#failures, last: this.#lastFailure };
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
}
