import { createHash } from 'node:crypto';
import { type Clock, isAbortError } from '../../base/async/clock';
import type { OutputKind } from '../../base/table/tableFormat';
import { UserError } from '../../base/userError';
import type { GatedClient } from '../../platform/egress/gatedClient';
import { ServiceError } from '../../service';
import { type BatchRun, type BatchUpload, isUploadFinished } from './batchRun';
import { hashed, inputRows, rejectionOf, rowId, rowsDigest, uploadGroups } from './inputRows';
import { addResult, outcomeOf } from './rowOutcomes';
import { RowReader } from './rowReader';
import { type RowOutcome, RowWriter } from './rowWriter';

export type BatchClient = Pick<
  GatedClient,
  'uploadReflexBatch' | 'reflexBatch' | 'reflexBatchResults'
>;

export interface BatchFiles {
  /** @throws {UserError} when the file is not there. */
  readonly size: (path: string) => Promise<number>;
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  /** Creates a file next to the input; it appears under its final name on `finish`. */
  readonly create: (input: string, output: OutputKind) => Promise<ResultFile>;
}

export interface ResultFile {
  readonly write: (text: string) => Promise<void>;
  /** @returns its path. */
  readonly finish: () => Promise<string>;
  readonly discard: () => Promise<void>;
}

export interface BatchRunnerOptions {
  readonly client: BatchClient;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly files: BatchFiles;
  /** Resolves once the run would survive a crash. */
  readonly save: (run: BatchRun) => Promise<void>;
  /** Called before a retry, with the error that caused it. */
  readonly onWait?: (untilMs: number, error: unknown) => void;
  /** Describes an error for the user. */
  readonly explain: (error: unknown) => string;
  /** Maximum rows per upload; the service's limit by default. */
  readonly rowsPerUpload?: number;
}

/** Initial and maximum waits, in milliseconds. */
const waits = {
  firstPollMs: 2000,
  maxPollMs: 30_000,
  firstRetryMs: 5000,
  maxRetryMs: 300_000,
};

/** Errors that are worth retrying without the user. */
const transientErrors: ReadonlySet<string> = new Set([
  'connection',
  'offline',
  'timeout',
  'server',
  'truncated',
  'rateLimited',
  'paused',
]);

/**
 * Takes a run from any state to its end. Every step is stored before the next one, and the idempotency key
 * of an upload depends only on the run and its position, so resuming never creates a second batch.
 */
export class BatchRunner {
  readonly #options: BatchRunnerOptions;

  constructor(options: BatchRunnerOptions) {
    this.#options = options;
  }

  /**
   * @returns the run at its end: `done`, `failed` or `noResults`.
   * @throws {AbortError} if `signal` is aborted; the stored run can be resumed.
   */
  async run(start: BatchRun, signal: AbortSignal): Promise<BatchRun> {
    let run = start;
    const step = async (next: Partial<BatchRun>): Promise<BatchRun> => {
      run = { ...run, ...next };
      await this.#options.save(run);
      return run;
    };
    try {
      await step({ state: 'uploading', problem: undefined });
      if (!run.isUploaded) await this.#upload(() => run, step, signal);
      await step({ state: 'following' });
      await this.#follow(() => run, step, signal);
      await step({ state: 'fetching' });
      const { path, failedRows } = await this.#fetch(run, signal);
      return await step({ state: 'done', result: path, failedRows });
    } catch (error) {
      if (isAbortError(error) || signal.aborted) throw error;
      const isUnserved = error instanceof NoResultsError;
      return await step({
        state: isUnserved ? 'noResults' : 'failed',
        problem: isUnserved ? undefined : this.#options.explain(error),
      });
    }
  }

  async #upload(now: () => BatchRun, step: SaveStep, signal: AbortSignal): Promise<void> {
    const { files, client, rowsPerUpload } = this.#options;
    const { input, inputBytes, format, column, models, id } = now();
    if ((await files.size(input)) !== inputBytes) throw changedFile();
    let at = 0;
    for await (const part of uploadGroups(
      inputRows(files.read(input), format, column),
      models,
      rowsPerUpload,
    )) {
      signal.throwIfAborted();
      const { rows, firstRow, endRow } = part;
      const digest = rowsDigest(rows);
      const known = now().uploads[at];
      if (known && (known.digest !== digest || known.firstRow !== firstRow)) throw changedFile();
      if (!known?.batchId) {
        const upload: BatchUpload = { firstRow, endRow, sent: rows.length, digest };
        // Stored before it is sent, so that after a crash the batch is known to be possible.
        if (!known) await step({ uploads: [...now().uploads, upload] });
        const batch = await this.#retryUntilDone(signal, () =>
          client.uploadReflexBatch(
            { rows, idempotencyKey: `splice-${id}-${at}-${digest.slice(0, 16)}` },
            { signal, background: true, sending: { purpose: 'batch' } },
          ),
        );
        await step({
          uploads: now().uploads.with(at, { ...upload, batchId: batch.id, status: batch.status }),
        });
      }
      at++;
    }
    await step({ isUploaded: true });
  }

  async #follow(now: () => BatchRun, step: SaveStep, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    let waitMs = waits.firstPollMs;
    for (;;) {
      let hasMoved = false;
      let isOpen = false;
      for (const [at, upload] of now().uploads.entries()) {
        const { batchId } = upload;
        if (batchId === undefined || isUploadFinished(upload)) continue;
        const batch = await this.#retryUntilDone(signal, () =>
          client.reflexBatch(batchId, { signal, background: true }),
        );
        const { completed = upload.completed, failed = upload.failed } = batch.requestCounts ?? {};
        const next: BatchUpload = { ...upload, status: batch.status, completed, failed };
        if (!isUploadFinished(next)) isOpen = true;
        if (
          next.status === upload.status &&
          completed === upload.completed &&
          failed === upload.failed
        ) {
          continue;
        }
        hasMoved = true;
        await step({ uploads: now().uploads.with(at, next) });
      }
      if (!isOpen) return;
      waitMs = hasMoved ? waits.firstPollMs : Math.min(waits.maxPollMs, waitMs * 1.5);
      await clock.sleep(waitMs, signal);
    }
  }

  /** Reads the input again and writes each row with its result; holds the results of one batch at a time. */
  async #fetch(
    { input, inputBytes, format, column, models, output, uploads }: BatchRun,
    signal: AbortSignal,
  ): Promise<{ path: string; failedRows: number }> {
    const { files } = this.#options;
    if ((await files.size(input)) !== inputBytes) throw changedFile();
    const writer = new RowWriter(output, format, models);
    const reader = new RowReader(format, column);
    // Read before the file is created: no file without results.
    let found = uploads[0]
      ? await this.#resultsOf(uploads[0], signal)
      : new Map<number, RowOutcome>();
    const file = await files.create(input, output);
    try {
      let failedRows = 0;
      let number = 0;
      let at = 0;
      let lines: string[] = [];
      let hasHeader = false;
      let hash = createHash('sha256');
      const checkUpload = (upload: BatchUpload): void => {
        if (hash.digest('hex') !== upload.digest) throw changedFile();
        hash = createHash('sha256');
      };
      for await (const row of inputRows(files.read(input), format, column, reader)) {
        if (!hasHeader) lines.push(writer.header(reader.names));
        hasHeader = true;
        for (let upload = uploads[at]; upload && number >= upload.endRow; upload = uploads[at]) {
          checkUpload(upload);
          const next = uploads[++at];
          found = next ? await this.#resultsOf(next, signal) : new Map();
        }
        if (uploads[at] && rejectionOf(row) === undefined) {
          hash.update(hashed(rowId(number), models, row.text ?? ''));
        }
        const outcome = outcomeOf(row, found.get(number), uploads[at]);
        if (outcome.error !== '') failedRows++;
        lines.push(writer.row(row.cells, reader.names, outcome));
        number++;
        if (lines.length >= linesPerWrite) {
          signal.throwIfAborted();
          await file.write(lines.join(''));
          lines = [];
        }
      }
      const last = uploads[at];
      if (last) checkUpload(last);
      if (at + 1 < uploads.length) throw changedFile();
      await file.write(lines.join(''));
      return { path: await file.finish(), failedRows };
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  /** Results by row index. */
  async #resultsOf(upload: BatchUpload, signal: AbortSignal): Promise<Map<number, RowOutcome>> {
    const { batchId } = upload;
    if (batchId === undefined) return new Map();
    return this.#retryUntilDone(signal, async () => {
      const found = new Map<number, RowOutcome>();
      try {
        await this.#options.client.reflexBatchResults(
          {
            id: batchId,
            onRows: rows => {
              for (const row of rows) addResult(found, row);
            },
          },
          { signal, background: true },
        );
      } catch (error) {
        if (error instanceof ServiceError && error.kind === 'notFound') throw new NoResultsError();
        throw error;
      }
      return found;
    });
  }

  /** Retries transient errors with exponential backoff; other errors are thrown. */
  async #retryUntilDone<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    const { clock, onWait } = this.#options;
    for (let waitMs = waits.firstRetryMs; ; waitMs = Math.min(waits.maxRetryMs, waitMs * 2)) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof ServiceError) || !transientErrors.has(error.kind)) throw error;
        const until = Math.max(clock.now() + waitMs, error.retryAt ?? 0);
        onWait?.(until, error);
        await clock.sleep(until - clock.now(), signal);
      }
    }
  }
}

type SaveStep = (next: Partial<BatchRun>) => Promise<BatchRun>;

const linesPerWrite = 500;

/** The batches are done, but the service does not serve their results. */
class NoResultsError extends Error {
  override readonly name = 'NoResults';
}

const changedFile = (): UserError =>
  new UserError('The file has changed since the batch was started.');
