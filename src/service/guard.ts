import { ServiceError } from './errors';
import { AbortError, type Clock, type Deadline } from './time';

export type Phase = 'preparation' | 'queue' | 'headers' | 'first event' | 'stream' | 'body';

/** A timer that is this late means that the computer slept, not that the service stalled. */
const sleepJumpMs = 5000;

/** Why an attempt's signal is aborted when the attempt is over; one for all, since each would read a stack. */
const over = new AbortError();

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
  /** The present phase; `undefined` when nothing is timed. */
  #phase: Phase | undefined;
  #limitMs = 0;
  #armedAt = 0;
  #cancelTimer: (() => void) | undefined;
  /** When the running timer is due: monotonic, and by the wall clock. */
  #timerAt = 0;
  #timerWall = 0;
  readonly #onTimer = (): void => this.#look();
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

  /** When the present timeout began, ms on the monotonic clock. */
  get armedAt(): number {
    return this.#armedAt;
  }

  /**
   * Replaces the running timeout. Cheap enough for every read of a stream: a timer that is due no
   * later than the new timeout runs on, and looks again when it fires.
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
    this.#stop();
    this.#outer.removeEventListener('abort', this.#onAbort);
    this.#controller.abort(over);
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

  #look(): void {
    this.#cancelTimer = undefined;
    if (this.#phase === undefined) return;
    const now = this.#clock.monotonic();
    const steadyLateMs = now - this.#timerAt;
    if (Math.max(steadyLateMs, this.#clock.now() - this.#timerWall) > sleepJumpMs) {
      // Whether the steady clock runs on while the computer sleeps depends on the platform.
      this.#deadline.extend(Math.max(0, steadyLateMs));
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
