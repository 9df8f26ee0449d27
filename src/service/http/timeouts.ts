/** All limits of a call. Times in ms, sizes in bytes. */
export interface Timeouts {
  /** Over all attempts and waits. */
  deadlineMs: number;
  /** From sending the request to the status line. */
  headersMs: number;
  /** From the status line to the first event of a stream. */
  firstEventMs: number;
  /** Between two reads of a stream; comments alone extend it to at most three times this. */
  streamIdleMs: number;
  /** Between two reads of any other body. */
  bodyIdleMs: number;
  /** Longest wait before a retry; a call that would wait longer fails with `retryAt`. */
  patienceMs: number;
  /** Longest backoff between two attempts. */
  backoffCapMs: number;
}

export const interactiveTimeouts: Readonly<Timeouts> = {
  deadlineMs: 600_000,
  headersMs: 60_000,
  firstEventMs: 120_000,
  streamIdleMs: 60_000,
  bodyIdleMs: 30_000,
  patienceMs: 30_000,
  backoffCapMs: 8_000,
};

/** For background calls. */
export const backgroundTimeouts: Readonly<Timeouts> = {
  ...interactiveTimeouts,
  deadlineMs: 3600_000,
  patienceMs: 600_000,
  backoffCapMs: 60_000,
};

/** How long the status line may take, by what the service does before it. */
export const headersMs = {
  /** Lists and status. */
  read: 15_000,
  /** Classifiers, router, rerank, embeddings. */
  predict: 10_000,
  /** A stream begins before the answer is complete. */
  stream: 60_000,
  /** The status line comes after the whole answer has been generated. */
  generation: 300_000,
} as const;

export const sizeLimits = {
  errorBody: 64 << 10,
  jsonBody: 16 << 20,
  /** Characters of one event. */
  streamEvent: 8 << 20,
  /** All rows of a batch's results, which are never held in memory at once. */
  batchResults: 512 << 20,
  /** Characters of one row, which may quote its text of 65,536 tokens. */
  batchRow: 4 << 20,
  /** One vector as a list of numbers: 4,096 of 20 digits. */
  vector: 96 << 10,
} as const;
