import { type Translate, translated } from '../base/sentence';
import { brief, causeOf, explain } from '../service/advice';
import { type ErrorKind, ServiceError } from '../service/errors';
import type { Wait } from '../service/operation';
import { AbortError, type Clock, isAbortError } from '../service/time';
import { tellingWaits } from './waits';

/** What the last reading failed with, in a form that windows can share: no secrets, no content. */
export interface PollProblem {
  readonly kind: ErrorKind | 'unknown';
  /** For people. */
  readonly text: string;
  /** When it happened, ms since the epoch. */
  readonly at: number;
  /** In a row. */
  readonly failures: number;
  /** Earliest next try; absent: none until the key changes or somebody asks. */
  readonly nextAt?: number | undefined;
}

/** What windows share, so that one of them reads for all. */
export interface PollRecord<S> {
  /** The service that it is about; another one's is of no use. */
  readonly scope: string;
  readonly data?: S | undefined;
  /** Of `data`, ms since the epoch. */
  readonly at?: number | undefined;
  readonly problem?: PollProblem | undefined;
  /** A window is reading, at the latest until then. */
  readonly claim?: { readonly by: string; readonly until: number } | undefined;
}

export interface PollStore<S> {
  /** Nothing when there is none, or none that can be read. */
  read(): Promise<PollRecord<S> | undefined>;
  write(record: PollRecord<S>): Promise<void>;
}

export interface PollState<S> {
  readonly data: S | undefined;
  /** Of `data`, ms since the epoch. */
  readonly at: number | undefined;
  readonly problem: PollProblem | undefined;
  readonly isReading: boolean;
  /** The reading waits for the service. */
  readonly wait?: Wait | undefined;
}

export interface ReadRequest<S> {
  /** What any window has read before. */
  readonly before: S | undefined;
  /** Of `before`, ms since the epoch. */
  readonly beforeAt: number | undefined;
  readonly signal: AbortSignal;
  /** Somebody waits for it. */
  readonly isAsked: boolean;
}

export interface PollerOptions<S> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly t: Translate;
  read(request: ReadRequest<S>): Promise<S>;
  /** ms between two readings; undefined: none. @param isLooked somebody looks at the view. */
  everyMs(data: S | undefined, nowMs: number, isLooked: boolean): number | undefined;
  /** The service that is asked now; '' is none. */
  scope(): string;
  readonly store?: PollStore<S> | undefined;
  /** Of this window. */
  readonly name?: string;
  onChange(state: PollState<S>): void;
  /** Only in the window that has read; after the store has it. */
  onRead?(before: S | undefined, after: S): void;
}

/** A look at data that is older reads again. */
const freshMs = 10_000;
/** Longest timer: a computer that slept is noticed within this time. */
const tickMs = 30_000;
/** A timer later than this: the computer slept. */
const sleepMs = 60_000;
const firstBackoffMs = 15_000;
const longestBackoffMs = 600_000;
/** How long a reading of another window is waited for. */
const claimMs = 60_000;
/** After a claim, so that of two windows that wrote at once only the last goes on. */
const settleMs = 60;
const claimedWaitMs = 1000;

/** Nothing but a new key or address helps. */
const stopping: readonly string[] = ['unauthorized', 'forbidden', 'noKey', 'noUrl', 'badUrl'];

/**
 * Reads something again and again, as seldom as will do: one reading at a time, one window for all,
 * not at all while nothing is expected. Waits are measured on the wall clock, so that time in which the
 * computer slept counts.
 */
export class Poller<S> {
  readonly #options: PollerOptions<S>;
  readonly #name: string;
  #data: S | undefined;
  #at: number | undefined;
  #problem: PollProblem | undefined;
  #isLooked = false;
  #reading:
    | { readonly controller: AbortController; isAsked: boolean; done: Promise<void> }
    | undefined;
  #cancelTimer: (() => void) | undefined;
  /** ±10 %, so that windows and users do not read in step. */
  #jitter = 1;
  /** Another window is reading: not before then. */
  #waitUntil = 0;
  #hurry: { readonly everyMs: number; readonly until: number } | undefined;
  /** Of the present reading. */
  #wait: Wait | undefined;
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

  /** Takes what another window, or this one before a reload, has read. Sends nothing by itself. */
  async start(): Promise<void> {
    const record = await this.#stored();
    if (record) this.#adopt(record);
    this.#plan();
  }

  /** The view is shown in a window that has the focus. */
  setLooked(isLooked: boolean): void {
    if (isLooked === this.#isLooked) return;
    this.#isLooked = isLooked;
    if (isLooked && this.#isOld(freshMs)) void this.#read(false, freshMs);
    else this.#plan();
  }

  /** Reads now, whatever was said before. A reading in the background makes room for it. */
  async refresh(): Promise<void> {
    const { problem } = await this.#read(true, 0);
    if (problem) throw problem;
  }

  /** Another key or address: what was read may be of another account. */
  async reset(): Promise<void> {
    this.#reading?.controller.abort();
    this.#reading = undefined;
    this.#data = undefined;
    this.#at = undefined;
    this.#problem = undefined;
    this.#waitUntil = 0;
    this.#hurry = undefined;
    this.#tell();
    await this.#save({ scope: this.#options.scope() });
    if (this.#isLooked) await this.#read(false, 0);
    else this.#plan();
  }

  /** Reads more often for a while: something is about to happen. */
  hurry(everyMs: number, forMs: number): void {
    this.#hurry = { everyMs, until: this.#options.clock.now() + forMs };
    this.#plan();
  }

  /** What was read is changed here; kept for the other windows too, on top of what they have read. */
  async change(edit: (data: S) => S): Promise<void> {
    const record = await this.#stored();
    if (record) this.#adopt(record);
    if (this.#data === undefined) return;
    this.#data = edit(this.#data);
    this.#tell();
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

  #everyMs(): number | undefined {
    const now = this.#options.clock.now();
    const every = this.#options.everyMs(this.#data, now, this.#isLooked);
    const hurried = this.#hurry && now < this.#hurry.until ? this.#hurry.everyMs : undefined;
    if (every === undefined || hurried === undefined) return hurried ?? every;
    return Math.min(every, hurried);
  }

  #isOld(ms: number): boolean {
    const latest = Math.max(this.#at ?? 0, this.#problem?.at ?? 0);
    return Math.abs(this.#options.clock.now() - latest) > ms;
  }

  /** When the next reading is due; undefined: not at all. */
  #dueAt(): number | undefined {
    const every = this.#everyMs();
    if (every === undefined) return undefined;
    const now = this.#options.clock.now();
    this.#putForwardTo(now);
    if (this.#problem) {
      const { nextAt } = this.#problem;
      return nextAt === undefined ? undefined : Math.max(nextAt, this.#waitUntil);
    }
    const wait = every * this.#jitter;
    const due = this.#at === undefined ? now : this.#at + wait;
    return Math.max(due, this.#waitUntil);
  }

  /** A clock that was set back must not put the next reading off. */
  #putForwardTo(now: number): void {
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

  #plan(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#isDisposed || this.#reading) return;
    const due = this.#dueAt();
    if (due === undefined) return;
    const { clock } = this.#options;
    const wait = Math.min(Math.max(0, due - clock.now()), tickMs);
    const wakeAt = clock.now() + wait;
    this.#cancelTimer = clock.after(wait, () => {
      if (clock.now() - wakeAt > sleepMs) this.#wake();
      const dueAt = this.#dueAt();
      if (dueAt !== undefined && clock.now() >= dueAt) void this.#read(false, undefined);
      else this.#plan();
    });
  }

  /** After a sleep of the computer, failures of before say nothing. */
  #wake(): void {
    if (this.#problem?.nextAt !== undefined && this.#problem.kind !== 'rateLimited')
      this.#problem = { ...this.#problem, failures: 0, nextAt: this.#options.clock.now() };
  }

  /** @param enoughMs data of another window will do when it is no older; by default the interval. */
  async #read(isAsked: boolean, enoughMs: number | undefined): Promise<{ problem?: unknown }> {
    if (this.#isDisposed) return {};
    const running = this.#reading;
    if (running && (running.isAsked || !isAsked)) {
      await running.done;
      return {};
    }
    running?.controller.abort();
    const controller = new AbortController();
    let problem: unknown;
    const run = async (): Promise<void> => {
      try {
        await this.#readOnce(controller.signal, isAsked, enoughMs);
      } catch (error) {
        if (!isAbortError(error)) problem = error;
      }
    };
    this.#cancelTimer?.();
    const reading = { controller, isAsked, done: Promise.resolve() };
    this.#reading = reading;
    this.#wait = undefined;
    reading.done = run().then(() => {
      if (this.#reading !== reading) return;
      this.#reading = undefined;
      this.#wait = undefined;
      this.#tell();
      this.#plan();
    });
    this.#tell();
    await reading.done;
    return problem === undefined ? {} : { problem };
  }

  async #readOnce(
    signal: AbortSignal,
    isAsked: boolean,
    enoughMs: number | undefined,
  ): Promise<void> {
    const { clock, random } = this.#options;
    const here = this.#options.scope();
    const record = await this.#stored();
    if (signal.aborted) throw new AbortError();
    if (record && !isAsked && this.#isEnough(record, enoughMs ?? this.#everyMs() ?? freshMs))
      return;
    // It can only be heard of from another window now.
    if (!isAsked && this.#problem && this.#problem.nextAt === undefined) return;
    if (record?.claim && !isAsked && isOther(record.claim, this.#name, clock.now())) {
      this.#waitUntil = clock.now() + claimedWaitMs;
      return;
    }
    if (!(await this.#claim(record, isAsked, signal))) {
      this.#waitUntil = clock.now() + claimedWaitMs;
      return;
    }
    const [before, beforeAt] = this.#newer(record);
    this.#jitter = 0.9 + 0.2 * random();
    try {
      const data = await tellingWaits(
        wait => this.#showWait(wait, signal),
        () => this.#options.read({ before, beforeAt, signal, isAsked }),
      );
      if (signal.aborted || this.#options.scope() !== here) throw new AbortError();
      this.#data = data;
      this.#at = clock.now();
      this.#problem = undefined;
      await this.#save({ scope: here, data, at: this.#at });
      this.#options.onRead?.(before, data);
    } catch (error) {
      const isLeft = isAbortError(error) || signal.aborted;
      if (!isLeft) this.#problem = this.#problemOf(error);
      if (!signal.aborted)
        await this.#save({
          scope: here,
          data: before,
          at: beforeAt,
          problem: this.#problem,
        });
      throw isLeft ? new AbortError() : error;
    }
  }

  /** Until the call is tried again. */
  #showWait(wait: Wait, signal: AbortSignal): void {
    if (signal.aborted) return;
    const { clock } = this.#options;
    this.#wait = wait;
    this.#tell();
    clock.after(wait.retryAt - clock.now(), () => {
      if (this.#wait !== wait) return;
      this.#wait = undefined;
      this.#tell();
    });
  }

  /** Takes over what another window has read or met lately. */
  #isEnough(record: PollRecord<S>, enoughMs: number): boolean {
    const now = this.#options.clock.now();
    if (!this.#adopt(record)) return false;
    if (this.#problem) return this.#problem.nextAt === undefined || now < this.#problem.nextAt;
    return this.#at !== undefined && now - this.#at < enoughMs;
  }

  /** @returns false when it is no newer than what this window knows. */
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

  /** What to compare with: the newest that any window has read. */
  #newer(record: PollRecord<S> | undefined): [data: S | undefined, at: number | undefined] {
    return record?.data !== undefined && (record.at ?? 0) >= (this.#at ?? 0)
      ? [record.data, record.at]
      : [this.#data, this.#at];
  }

  /** @returns false when another window was quicker. */
  async #claim(
    record: PollRecord<S> | undefined,
    isAsked: boolean,
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
    // Somebody waits, and one reading more does no harm.
    if (isAsked) return true;
    await clock.sleep(settleMs, signal);
    const now = await this.#stored();
    return now?.claim === undefined || now.claim.by === this.#name;
  }

  #problemOf(error: unknown): PollProblem {
    const { clock, random, t } = this.#options;
    const now = clock.now();
    const failures = (this.#problem?.failures ?? 0) + 1;
    const [kind, text] =
      error instanceof ServiceError
        ? [(causeOf(error) ?? error).kind, translated(brief(error), t)]
        : (['unknown', explain(error, t).message] as const);
    const known: PollProblem = { kind, text, at: now, failures };
    if (stopping.includes(kind)) return known;
    const cap = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(failures, 10));
    const backoff = firstBackoffMs + random() * (cap - firstBackoffMs);
    const gate = error instanceof ServiceError ? (error.retryAt ?? 0) : 0;
    return { ...known, nextAt: Math.max(gate, now + backoff) };
  }

  async #stored(): Promise<PollRecord<S> | undefined> {
    const record = await this.#options.store?.read();
    return record?.scope === this.#options.scope() ? record : undefined;
  }

  async #save(record: PollRecord<S>): Promise<void> {
    await this.#options.store?.write(record);
  }

  #tell(): void {
    if (!this.#isDisposed) this.#options.onChange(this.state);
  }
}

function isOther(claim: { by: string; until: number }, name: string, nowMs: number): boolean {
  // One that reaches further was written under another clock.
  return claim.by !== name && nowMs < claim.until && claim.until - nowMs <= claimMs;
}
