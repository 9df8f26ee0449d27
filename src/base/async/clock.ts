/** Time; tests pass their own. All values in milliseconds. */
export interface Clock {
  /** Wall clock, ms since the epoch: for dates that are shown or stored. */
  now(): number;
  /** Never jumps: for durations and deadlines. */
  monotonic(): number;
  /** Runs `run` once after `ms`; the result cancels it. */
  after(ms: number, run: () => void): () => void;
  /** @throws {AbortError} as soon as `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The user or a newer request canceled the call. Not a failure, so not a `ServiceError`. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
  constructor() {
    super('Canceled');
  }
}

export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

// Node fires longer timers at once (32-bit milliseconds).
const maxTimerMs = 2 ** 31 - 1;

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(Math.max(0, ms), maxTimerMs));
  return () => clearTimeout(timer);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new AbortError());
      const onAbort = (): void => {
        cancel();
        reject(new AbortError());
      };
      const cancel = after(ms, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
    }),
};

const sleepJumpMs = 5000;

/** One limit over all attempts and waits of a call. */
export class Deadline {
  readonly #clock: Clock;
  #endMs: number;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#endMs = clock.monotonic() + ms;
  }

  remainingMs(): number {
    return this.#endMs - this.#clock.monotonic();
  }

  /** Adds the time in which the computer slept. */
  extend(ms: number): void {
    this.#endMs += ms;
  }

  /** {@link extend} after a timer that was so late that the computer must have slept. */
  forgive(lateMs: number): void {
    if (lateMs > sleepJumpMs) this.extend(lateMs);
  }
}
