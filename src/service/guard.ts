import { ServiceError } from './errors';
import { AbortError, type Clock, type Deadline } from './time';

export type Phase = 'preparation' | 'queue' | 'headers' | 'first event' | 'stream' | 'body';

/** A timer that is this late means that the computer slept, not that the service stalled. */
const sleepJumpMs = 5000;

/**
 * Watches one attempt: the caller's signal, the timeout of the present phase and the deadline.
 * Any of them rejects the pending `wait` at once and aborts `signal`, which closes the socket.
 */
export class Guard {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #clock: Clock;
  readonly #deadline: Deadline;
  #failure: Error | undefined;
  #reject: ((error: Error) => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  readonly #onAbort = (): void => this.#fail(new AbortError());

  constructor(outer: AbortSignal, clock: Clock, deadline: Deadline) {
    this.#outer = outer;
    this.#clock = clock;
    this.#deadline = deadline;
    if (outer.aborted) this.#onAbort();
    else outer.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** For the transport. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the attempt was stopped from our side, if it was. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Replaces the running timeout. */
  arm(ms: number, phase: Phase): void {
    this.disarm();
    if (this.#failure) return;
    const waitMs = Math.max(0, Math.min(ms, this.#deadline.remainingMs()));
    const due = this.#clock.monotonic() + waitMs;
    const dueWall = this.#clock.now() + waitMs;
    this.#cancelTimer = this.#clock.after(waitMs, () => {
      const steadyLateMs = this.#clock.monotonic() - due;
      const wallLateMs = this.#clock.now() - dueWall;
      if (Math.max(steadyLateMs, wallLateMs) > sleepJumpMs) {
        // Whether the steady clock runs on while the computer sleeps depends on the platform.
        this.#deadline.extend(Math.max(0, steadyLateMs));
        return this.arm(ms, phase);
      }
      const what = waitMs < ms ? 'deadline' : phase;
      this.#fail(new ServiceError('timeout', `timeout (${what})`, { outcome: 'unknown' }));
    });
  }

  disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Waits for one thing at a time. A result that comes after the guard gave up is dropped. */
  wait<T>(pending: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#failure) reject(this.#failure);
      pending.then(resolve, reject);
    });
  }

  /** Ends the attempt and frees everything; what is still open is cut. */
  close(): void {
    this.disarm();
    this.#outer.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.disarm();
    this.#reject?.(error);
    this.#controller.abort();
  }
}
