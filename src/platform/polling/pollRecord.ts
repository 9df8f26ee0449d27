import type { ErrorKind, RetryWait } from '../../service';

/** Why the last read failed, in a form that windows can share: no secrets, no content. */
export interface PollProblem {
  readonly kind: ErrorKind | 'unknown';
  /** Shown to the user. */
  readonly text: string;
  /** When it happened, ms since the epoch. */
  readonly at: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Earliest next attempt; absent when there is none until the key changes or the user asks. */
  readonly nextAt?: number | undefined;
}

/** What windows share, so that one of them polls for all. */
export interface PollRecord<S> {
  /** The service that the data belongs to. */
  readonly scope: string;
  readonly data?: S | undefined;
  /** When `data` was read, ms since the epoch. */
  readonly at?: number | undefined;
  readonly problem?: PollProblem | undefined;
  /** The window that is reading, and when its claim expires. */
  readonly claim?: { readonly by: string; readonly until: number } | undefined;
}

export interface PollStore<S> {
  /** Undefined when there is no readable record. */
  read(): Promise<PollRecord<S> | undefined>;
  write(record: PollRecord<S>): Promise<void>;
}

export interface PollState<S> {
  readonly data: S | undefined;
  /** When `data` was read, ms since the epoch. */
  readonly at: number | undefined;
  readonly problem: PollProblem | undefined;
  readonly isReading: boolean;
  /** Set while the read waits for the service. */
  readonly wait?: RetryWait | undefined;
}
