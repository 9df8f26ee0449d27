import { AbortError, type Clock } from '../../base/async/clock';
import { ServiceError } from '../errors';
import type { Transport } from '../transport/transport';
import type { CallContext } from './callContext';
import type { CircuitBreaker } from './circuitBreaker';
import { Limiter } from './limiter';
import type { Operation, OperationName, RetryWait } from './operation';
import { OriginLimits } from './originLimits';
import type { RateLimitWindow } from './rateLimitWindow';
import { TimeoutController } from './timeoutController';

/** The limits that a call shares with others. */
export interface SharedLimits {
  readonly origin: OriginLimits;
  readonly window: RateLimitWindow;
}

export interface AdmissionOptions {
  readonly clock: Clock;
  /** Called before each wait of any call, in the asynchronous context of whoever made the call. */
  readonly onWait?: ((wait: RetryWait, operation: OperationName) => void) | undefined;
}

/** Decides when an attempt may be sent: rate limits, the circuit breaker and the concurrency limits. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #origins = new Map<string, OriginLimits>();
  readonly #endpointLimiters = new Map<string, Limiter>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The limits for an operation at an origin, with the present concurrency of the transport. */
  limitsOf(
    operation: Operation<unknown>,
    origin: string,
    { concurrency }: Transport,
  ): SharedLimits {
    let limits = this.#origins.get(origin);
    if (!limits) this.#origins.set(origin, (limits = new OriginLimits(concurrency)));
    limits.setConcurrency(concurrency);
    return { origin: limits, window: limits.window(scopeOf(operation)) };
  }

  /** Waits until the next attempt may be sent; the result releases its limiters and ends its probe. */
  async enter(shared: SharedLimits, call: CallContext<unknown>): Promise<() => void> {
    const {
      origin: { breaker },
      window,
    } = shared;
    const { clock } = this.#options;
    const { options, deadline } = call;
    for (;;) {
      await this.#waitForWindow(window, call);
      this.#refuseWhileOpen(breaker, call);
      const release = await this.#acquireLimiters(shared, call);
      try {
        const now = clock.monotonic();
        // While this call waited for a limiter another one may have met a 429 or an outage.
        if (window.closedForMs(now) > 0) {
          release();
          continue;
        }
        this.#refuseWhileOpen(breaker, call);
        if (options.signal.aborted) throw new AbortError();
        if (deadline.remainingMs() <= 0) throw unsentTimeout();
      } catch (error) {
        release();
        throw error;
      }
      const isProbe = options.background === true && breaker.startProbe();
      return () => {
        if (isProbe) breaker.endProbe();
        release();
      };
    }
  }

  /** Tells whoever made the call, and whoever shows waits for all calls. */
  notifyWait({ operation, options }: CallContext<unknown>, wait: RetryWait): void {
    options.onWait?.(wait);
    this.#options.onWait?.(wait, operation.name);
  }

  async sleep(ms: number, { options, deadline }: CallContext<unknown>): Promise<void> {
    const { clock } = this.#options;
    const due = clock.monotonic() + ms;
    await clock.sleep(ms, options.signal);
    deadline.forgive(clock.monotonic() - due);
  }

  /** Waits while the 429 of another call holds back all calls that the same limit counts. */
  async #waitForWindow(window: RateLimitWindow, call: CallContext<unknown>): Promise<void> {
    const { clock } = this.#options;
    const { timeouts, deadline, attempt } = call;
    for (;;) {
      const closedMs = window.closedForMs(clock.monotonic());
      if (closedMs <= 0) return;
      const retryAt = clock.now() + closedMs;
      const error = new ServiceError('rateLimited', 'held back after a 429', {
        retryAt,
        outcome: 'notProcessed',
      });
      error.attempts = attempt;
      if (closedMs > timeouts.patienceMs || closedMs >= deadline.remainingMs()) throw error;
      this.notifyWait(call, { retryAt, error });
      await this.sleep(closedMs, call);
    }
  }

  /** Background calls pause in an outage; what the user asked for is always tried. */
  #refuseWhileOpen(breaker: CircuitBreaker, { options }: CallContext<unknown>): void {
    const { clock } = this.#options;
    const pauseMs = options.background ? breaker.refusesForMs(clock.monotonic()) : 0;
    if (pauseMs <= 0) return;
    const { consecutiveFailures, last } = breaker.failure;
    throw new ServiceError('paused', `paused after ${consecutiveFailures} failures in a row`, {
      retryAt: clock.now() + pauseMs,
      outcome: 'notProcessed',
      consecutiveFailures,
      cause: last,
    });
  }

  /** Waits for the concurrency limits; only the deadline limits that wait. */
  async #acquireLimiters(
    { origin, window }: SharedLimits,
    call: CallContext<unknown>,
  ): Promise<() => void> {
    const { operation, options, deadline } = call;
    const isBackground = options.background ?? false;
    const { concurrencyLimit } = operation;
    const acquired: (() => void)[] = [];
    const release = (): void => {
      for (const releaseOne of acquired.splice(0)) releaseOne();
    };
    let timeoutController: TimeoutController | undefined;
    try {
      const endpointLimiters = concurrencyLimit ? [this.#endpointLimiter(concurrencyLimit)] : [];
      for (const limiter of [...endpointLimiters, window.limiter, origin.limiter]) {
        const free = limiter.tryAcquire(isBackground);
        if (free) {
          acquired.push(free);
          continue;
        }
        timeoutController ??= new TimeoutController(options.signal, this.#options.clock, deadline);
        timeoutController.arm(Number.POSITIVE_INFINITY, 'queue');
        acquired.push(await limiter.acquire(isBackground, timeoutController.signal));
      }
      return release;
    } catch (error) {
      release();
      throw timeoutController?.failure ? unsent(timeoutController.failure) : error;
    } finally {
      timeoutController?.close();
    }
  }

  #endpointLimiter({ key, max }: { key: string; max: number }): Limiter {
    let limiter = this.#endpointLimiters.get(key);
    if (!limiter) this.#endpointLimiters.set(key, (limiter = new Limiter(max)));
    limiter.resize(max);
    return limiter;
  }
}

/** Calls that one rate limit counts together, as far as is known; see {@link RateLimitWindow}. */
function scopeOf({ name, model }: Operation<unknown>): string {
  return model === undefined ? `operation ${name}` : `model ${model}`;
}

/** The deadline passed before anything was sent. */
export function unsentTimeout(): ServiceError {
  return new ServiceError('timeout', 'timeout (deadline) before sending', {
    outcome: 'notProcessed',
  });
}

/** A timeout while waiting for a limiter means that nothing was sent. */
function unsent(failure: Error): Error {
  return failure instanceof ServiceError ? unsentTimeout() : failure;
}
