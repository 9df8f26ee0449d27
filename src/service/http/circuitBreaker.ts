import type { ServiceError } from '../errors';

/** Failures in a row after which the breaker opens. */
const failureThreshold = 5;
const initialOpenMs = 30_000;
const maxOpenMs = 600_000;

/** What is known about the failures that opened a breaker. */
export interface BreakerFailure {
  readonly consecutiveFailures: number;
  readonly last: ServiceError | undefined;
}

/**
 * Keeps background calls away from a service that fails again and again. `closed`: calls go through.
 * `open`: they are refused, for twice as long after each probe that fails. `halfOpen`: one probe may go,
 * the others wait for its result. Calls that the user waits for are always tried. Times are in
 * milliseconds of the monotonic clock.
 */
export class CircuitBreaker {
  #consecutiveFailures = 0;
  #lastFailure: ServiceError | undefined;
  #openMs = initialOpenMs;
  #openUntil = 0;
  #isProbing = false;

  get failure(): BreakerFailure {
    return { consecutiveFailures: this.#consecutiveFailures, last: this.#lastFailure };
  }

  state(nowMs: number): 'closed' | 'open' | 'halfOpen' {
    if (this.#consecutiveFailures < failureThreshold) return 'closed';
    return this.#openUntil > nowMs ? 'open' : 'halfOpen';
  }

  /** Closes the breaker: the service answered, if only to refuse the request. */
  recordAnswer(): void {
    this.#consecutiveFailures = 0;
    this.#lastFailure = undefined;
    this.#openMs = initialOpenMs;
    this.#openUntil = 0;
  }

  /** Counts a failure of the service itself or of the way to it. */
  recordFailure(error: ServiceError, nowMs: number): void {
    this.#consecutiveFailures++;
    this.#lastFailure = error;
    if (this.#consecutiveFailures < failureThreshold || this.#openUntil > nowMs) return;
    this.#openUntil = nowMs + this.#openMs;
    this.#openMs = Math.min(maxOpenMs, this.#openMs * 2);
  }

  /** How long background calls are still refused; 0 means that one may go. */
  refusesForMs(nowMs: number): number {
    const state = this.state(nowMs);
    if (state === 'closed') return 0;
    if (state === 'open') return this.#openUntil - nowMs;
    return this.#isProbing ? initialOpenMs : 0;
  }

  /** Announces a background call; `true` when it is the probe, which must be ended with {@link endProbe}. */
  startProbe(): boolean {
    if (this.#consecutiveFailures < failureThreshold) return false;
    this.#isProbing = true;
    return true;
  }

  endProbe(): void {
    this.#isProbing = false;
  }
}
