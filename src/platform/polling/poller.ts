import { AbortError, type Clock, isAbortError } from '../../base/async/clock';
import type { Translate } from '../../base/sentence';
import type { RetryWait } from '../../service';
import { withWaitListener } from '../client/waitListener';
import { pollProblemOf } from './pollProblem';
import type { PollProblem, PollRecord, PollState, PollStore } from './pollRecord';

export interface ReadRequest<S> {
  /** What any window has read before. */
  readonly before: S | undefined;
  /** When `before` was read, ms since the epoch. */
  readonly beforeAt: number | undefined;
  readonly signal: AbortSignal;
  /** The user waits for it. */
  readonly isUserInitiated: boolean;
}

export interface PollerOptions<S> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly t: Translate;
  read(request: ReadRequest<S>): Promise<S>;
  /** Milliseconds between two reads; undefined for no polling. @param isVisible whether the view is visible. */
  pollIntervalMs(data: S | undefined, nowMs: number, isVisible: boolean): number | undefined;
  /** The current service; '' for none. */
  scope(): string;
  readonly store?: PollStore<S> | undefined;
  /** Identifies this window. */
  readonly name?: string;
  onChange(state: PollState<S>): void;
  /** Called only in the window that has read, after the store has the data. */
  onRead?(before: S | undefined, after: S): void;
}

/** Data older than this is re-read when the view becomes visible, in milliseconds. */
const maxAgeWhenShownMs = 10_000;
/** The maximum delay of a timer, so that a wake-up of the computer is noticed within this time. */
const maxTimerMs = 30_000;
/** A timer that is later than this means that the computer slept. */
const sleepThresholdMs = 60_000;
/** How long a claim of another window is respected. */
const claimMs = 60_000;
/** Wait after a claim, so that of two windows that claimed at once only the last one reads. */
const settleMs = 60;
const claimedWaitMs = 1000;

/**
 * Polls no more often than needed: one read at a time, one window for all, and not at all while no change
 * is expected. Delays are measured on the wall clock, so that time in which the computer slept counts.
 */
export class Poller<S> {
  readonly #options: PollerOptions<S>;
  readonly #name: string;
  #data: S | undefined;
  #at: number | undefined;
  #problem: PollProblem | undefined;
  #isVisible = false;
  #reading:
    | { readonly controller: AbortController; isUserInitiated: boolean; done: Promise<void> }
    | undefined;
  #cancelTimer: (() => void) | undefined;
  /** ±10%, so that windows and users do not read simultaneously. */
  #jitter = 1;
  /** No read before then, because another window is reading. */
  #waitUntil = 0;
  #fasterPolling: { readonly intervalMs: number; readonly until: number } | undefined;
  /** The wait of the current read. */
  #wait: RetryWait | undefined;
  #isDisposed = false;

  constructor(options: PollerOptions<S>) {
    this.#options = options;
    this.#name = options.name ?? String(options.random()).slice(2);
  }

  get state(): PollState<S> {
    return {
      data: this.#data,
      at: this.#at,
      problem: this.#problem,
      isReading: this.#reading !== undefined,
      wait: this.#reading && this.#wait,
    };
  }

  /** Adopts what another window, or this one before a reload, has read, and begins to poll. */
  async start(): Promise<void> {
    const record = await this.#stored();
    if (record) this.#adopt(record);
    this.#schedule();
  }

  /** Whether the view is visible in a focused window. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    if (isVisible && this.#isOld(maxAgeWhenShownMs)) void this.#read(false, maxAgeWhenShownMs);
    else this.#schedule();
  }

  /** Reads now, even during backoff. Replaces a background read. @throws what the read throws. */
  async refresh(): Promise<void> {
    const { problem } = await this.#read(true, 0);
    if (problem) throw problem;
  }

  /** Drops all data after a change of the key or the address: it may be of another account. */
  async reset(): Promise<void> {
    this.#reading?.controller.abort();
    this.#reading = undefined;
    this.#data = undefined;
    this.#at = undefined;
    this.#problem = undefined;
    this.#waitUntil = 0;
    this.#fasterPolling = undefined;
    this.#notify();
    await this.#save({ scope: this.#options.scope() });
    if (this.#isVisible) await this.#read(false, 0);
    else this.#schedule();
  }

  /** Polls more often for a while, because a change is expected. */
  pollFasterFor(intervalMs: number, forMs: number): void {
    this.#fasterPolling = { intervalMs, until: this.#options.clock.now() + forMs };
    this.#schedule();
  }

  /** Edits the latest data, also for the other windows. */
  async change(edit: (data: S) => S): Promise<void> {
    const record = await this.#stored();
    if (record) this.#adopt(record);
    if (this.#data === undefined) return;
    this.#data = edit(this.#data);
    this.#notify();
    await this.#save({
      ...record,
      scope: this.#options.scope(),
      data: this.#data,
      at: this.#at,
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelTimer?.();
    this.#reading?.controller.abort();
  }

  #pollIntervalMs(): number | undefined {
    const now = this.#options.clock.now();
    const every = this.#options.pollIntervalMs(this.#data, now, this.#isVisible);
    const faster =
      this.#fasterPolling && now < this.#fasterPolling.until
        ? this.#fasterPolling.intervalMs
        : undefined;
    if (every === undefined || faster === undefined) return faster ?? every;
    return Math.min(every, faster);
  }

  #isOld(ms: number): boolean {
    const latest = Math.max(this.#at ?? 0, this.#problem?.at ?? 0);
    return Math.abs(this.#options.clock.now() - latest) > ms;
  }

  /** When the next read is due; undefined for never. */
  #dueAt(): number | undefined {
    const every = this.#pollIntervalMs();
    if (every === undefined) return undefined;
    const now = this.#options.clock.now();
    this.#correctClock(now);
    if (this.#problem) {
      const { nextAt } = this.#problem;
      return nextAt === undefined ? undefined : Math.max(nextAt, this.#waitUntil);
    }
    const wait = every * this.#jitter;
    const due = this.#at === undefined ? now : this.#at + wait;
    return Math.max(due, this.#waitUntil);
  }

  /** Corrects times in the future: a clock that was set back must not delay the next read. */
  #correctClock(now: number): void {
    if (this.#at !== undefined && this.#at > now) this.#at = now;
    if (this.#problem && this.#problem.at > now) {
      const { at, nextAt } = this.#problem;
      this.#problem = {
        ...this.#problem,
        at: now,
        ...(nextAt === undefined ? {} : { nextAt: nextAt - at + now }),
      };
    }
    if (this.#waitUntil > now + claimedWaitMs) this.#waitUntil = 0;
  }

  #schedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#isDisposed || this.#reading) return;
    const due = this.#dueAt();
    if (due === undefined) return;
    const { clock } = this.#options;
    const wait = Math.min(Math.max(0, due - clock.now()), maxTimerMs);
    const wakeAt = clock.now() + wait;
    this.#cancelTimer = clock.after(wait, () => {
      if (clock.now() - wakeAt > sleepThresholdMs) this.#resetBackoffAfterSleep();
      const dueAt = this.#dueAt();
      if (dueAt !== undefined && clock.now() >= dueAt) void this.#read(false, undefined);
      else this.#schedule();
    });
  }

  /** Failures from before the computer slept are no longer relevant. */
  #resetBackoffAfterSleep(): void {
    if (this.#problem?.nextAt !== undefined && this.#problem.kind !== 'rateLimited') {
      this.#problem = { ...this.#problem, failures: 0, nextAt: this.#options.clock.now() };
    }
  }

  /** @param maxAgeMs data of another window that is no older is used; by default the interval. */
  async #read(
    isUserInitiated: boolean,
    maxAgeMs: number | undefined,
  ): Promise<{ problem?: unknown }> {
    if (this.#isDisposed) return {};
    const running = this.#reading;
    if (running && (running.isUserInitiated || !isUserInitiated)) {
      await running.done;
      return {};
    }
    running?.controller.abort();
    const controller = new AbortController();
    let problem: unknown;
    const run = async (): Promise<void> => {
      try {
        await this.#readOnce(controller.signal, isUserInitiated, maxAgeMs);
      } catch (error) {
        if (!isAbortError(error)) problem = error;
      }
    };
    this.#cancelTimer?.();
    const reading = { controller, isUserInitiated, done: Promise.resolve() };
    this.#reading = reading;
    this.#wait = undefined;
    reading.done = run().then(() => {
      if (this.#reading !== reading) return;
      this.#reading = undefined;
      this.#wait = undefined;
      this.#notify();
      this.#schedule();
    });
    this.#notify();
    await reading.done;
    return problem === undefined ? {} : { problem };
  }

  async #readOnce(
    signal: AbortSignal,
    isUserInitiated: boolean,
    maxAgeMs: number | undefined,
  ): Promise<void> {
    const { clock, random } = this.#options;
    const here = this.#options.scope();
    const record = await this.#stored();
    if (signal.aborted) throw new AbortError();
    if (
      record &&
      !isUserInitiated &&
      this.#isEnough(record, maxAgeMs ?? this.#pollIntervalMs() ?? maxAgeWhenShownMs)
    ) {
      return;
    }
    // After a permanent error, only another window can bring news.
    if (!isUserInitiated && this.#problem && this.#problem.nextAt === undefined) return;
    if (record?.claim && !isUserInitiated && isOther(record.claim, this.#name, clock.now())) {
      this.#waitUntil = clock.now() + claimedWaitMs;
      return;
    }
    if (!(await this.#claim(record, isUserInitiated, signal))) {
      this.#waitUntil = clock.now() + claimedWaitMs;
      return;
    }
    const [before, beforeAt] = this.#newer(record);
    this.#jitter = 0.9 + 0.2 * random();
    try {
      const data = await withWaitListener(
        wait => this.#showWait(wait, signal),
        () => this.#options.read({ before, beforeAt, signal, isUserInitiated }),
      );
      if (signal.aborted || this.#options.scope() !== here) throw new AbortError();
      this.#data = data;
      this.#at = clock.now();
      this.#problem = undefined;
      await this.#save({ scope: here, data, at: this.#at });
      this.#options.onRead?.(before, data);
    } catch (error) {
      const isCanceled = isAbortError(error) || signal.aborted;
      if (!isCanceled) this.#problem = pollProblemOf(error, this.#problem, this.#options);
      if (!signal.aborted) {
        await this.#save({
          scope: here,
          data: before,
          at: beforeAt,
          problem: this.#problem,
        });
      }
      throw isCanceled ? new AbortError() : error;
    }
  }

  /** Shows a wait until the call is retried. */
  #showWait(wait: RetryWait, signal: AbortSignal): void {
    if (signal.aborted) return;
    const { clock } = this.#options;
    this.#wait = wait;
    this.#notify();
    clock.after(wait.retryAt - clock.now(), () => {
      if (this.#wait !== wait) return;
      this.#wait = undefined;
      this.#notify();
    });
  }

  /** Adopts the data or problem of another window; true when no read is needed. */
  #isEnough(record: PollRecord<S>, maxAgeMs: number): boolean {
    const now = this.#options.clock.now();
    if (!this.#adopt(record)) return false;
    if (this.#problem) return this.#problem.nextAt === undefined || now < this.#problem.nextAt;
    return this.#at !== undefined && now - this.#at < maxAgeMs;
  }

  /** @returns false when the record is no newer than what this window knows. */
  #adopt({ data, at = 0, problem }: PollRecord<S>): boolean {
    const isNewer = data !== undefined && at > (this.#at ?? 0);
    const isProblemNewer = problem !== undefined && problem.at > (this.#problem?.at ?? 0);
    if (isNewer) {
      this.#data = data;
      this.#at = at;
      if (this.#problem && this.#problem.at < at) this.#problem = undefined;
    }
    if (isProblemNewer && problem.at > (this.#at ?? 0)) this.#problem = problem;
    return isNewer || isProblemNewer;
  }

  /** The latest data that any window has read. */
  #newer(record: PollRecord<S> | undefined): [data: S | undefined, at: number | undefined] {
    return record?.data !== undefined && (record.at ?? 0) >= (this.#at ?? 0)
      ? [record.data, record.at]
      : [this.#data, this.#at];
  }

  /** @returns false when another window claimed the read first. */
  async #claim(
    record: PollRecord<S> | undefined,
    isUserInitiated: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { store, clock } = this.#options;
    if (!store) return true;
    const claim = { by: this.#name, until: clock.now() + claimMs };
    const [data, at] = this.#newer(record);
    await this.#save({
      scope: this.#options.scope(),
      data,
      at,
      problem: record?.problem ?? this.#problem,
      claim,
    });
    // The user waits, and one additional read does no harm.
    if (isUserInitiated) return true;
    await clock.sleep(settleMs, signal);
    const now = await this.#stored();
    return now?.claim === undefined || now.claim.by === this.#name;
  }

  async #stored(): Promise<PollRecord<S> | undefined> {
    const record = await this.#options.store?.read();
    return record?.scope === this.#options.scope() ? record : undefined;
  }

  async #save(record: PollRecord<S>): Promise<void> {
    await this.#options.store?.write(record);
  }

  #notify(): void {
    if (!this.#isDisposed) this.#options.onChange(this.state);
  }
}

function isOther(claim: { by: string; until: number }, name: string, nowMs: number): boolean {
  // A claim further in the future was written under another clock.
  return claim.by !== name && nowMs < claim.until && claim.until - nowMs <= claimMs;
}
