import { AbortError, type Clock, type Deadline } from '../../base/async/clock';
import { ServiceError } from '../errors';

export type Phase = 'preparation' | 'queue' | 'headers' | 'first event' | 'stream' | 'body';

/** A timer that is later than this means that the computer slept, not that the service stalled. */
const sleepJumpMs = 5000;

/** The reason with which the signal of a finished attempt is aborted; shared, because creating an error captures a stack. */
const attemptEnded = new AbortError();

/**
 * Combines the caller's signal, the timeout of the current phase and the deadline for one attempt.
 * Each of them rejects the pending `wait` at once and aborts `signal`, which closes the socket.
 */
export class TimeoutController {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #clock: Clock;
  readonly #deadline: Deadline;
  #failure: Error | undefined;
  #reject: ((error: Error) => void) | undefined;
  /** The current phase; `undefined` when nothing is timed. */
  #phase: Phase | undefined;
  #limitMs = 0;
  #armedAt = 0;
  #cancelTimer: (() => void) | undefined;
  /** When the running timer is due, on the monotonic clock and on the wall clock. */
  #timerAt = 0;
  #timerWall = 0;
  readonly #onTimer = (): void => this.#checkTimer();
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

  /** Why the attempt was aborted on this side, if it was. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** When the current timeout began, ms on the monotonic clock. */
  get armedAt(): number {
    return this.#armedAt;
  }

  /**
   * Replaces the running timeout. Cheap enough for every read of a stream: a timer that is due no
   * later than the new timeout keeps running, and checks again when it fires.
   */
  arm(ms: number, phase: Phase): void {
    if (this.#failure) return;
    this.#phase = phase;
    this.#limitMs = ms;
    this.#armedAt = this.#clock.monotonic();
    if (this.#cancelTimer && this.#timerAt <= this.#armedAt + ms) return;
    this.#setTimer(this.#armedAt);
  }

  disarm(): void {
    this.#phase = undefined;
  }

  /** Waits for one promise at a time. A result after a failure is dropped. */
  wait<T>(pending: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#failure) reject(this.#failure);
      pending.then(resolve, reject);
    });
  }

  /** Ends the attempt: aborts what is still open and removes all listeners. */
  close(): void {
    this.#stop();
    this.#outer.removeEventListener('abort', this.#onAbort);
    this.#controller.abort(attemptEnded);
  }

  #setTimer(now: number): void {
    this.#cancelTimer?.();
    const waitMs = Math.max(
      0,
      Math.min(this.#armedAt + this.#limitMs - now, this.#deadline.remainingMs()),
    );
    this.#timerAt = now + waitMs;
    this.#timerWall = this.#clock.now() + waitMs;
    this.#cancelTimer = this.#clock.after(waitMs, this.#onTimer);
  }

  #checkTimer(): void {
    this.#cancelTimer = undefined;
    if (this.#phase === undefined) return;
    const now = this.#clock.monotonic();
    const monotonicLateMs = now - this.#timerAt;
    if (Math.max(monotonicLateMs, this.#clock.now() - this.#timerWall) > sleepJumpMs) {
      // Whether the monotonic clock advances while the computer sleeps depends on the platform.
      this.#deadline.extend(Math.max(0, monotonicLateMs));
      this.#armedAt = now;
      return this.#setTimer(now);
    }
    const phaseLeftMs = this.#armedAt + this.#limitMs - now;
    const deadlineLeftMs = this.#deadline.remainingMs();
    // Timers may fire a little early.
    if (Math.min(phaseLeftMs, deadlineLeftMs) > 1) return this.#setTimer(now);
    const what = deadlineLeftMs < phaseLeftMs ? 'deadline' : this.#phase;
    this.#fail(new ServiceError('timeout', `timeout (${what})`, { outcome: 'unknown' }));
  }

  #stop(): void {
    this.#phase = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#stop();
    this.#reject?.(error);
    this.#controller.abort();
  }
}
