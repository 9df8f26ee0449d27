import { createHash } from 'node:crypto';
import { UserError } from '../host/errors';
import type { RunState } from '../host/runs';
import { hasSecret } from '../host/secretText';
import type { GatedClient } from '../host/egress/gatedClient';
import { ServiceError, cleanServerText } from '../service/errors';
import { serviceLimits } from '../service/limits';
import { type Clock, isAbortError } from '../service/time';
import { estimateTokens } from '../service/tokens';
import { type ReflexRow, type ReflexRowResult, chunksOfRows } from '../service/wire/reflexBatches';
import {
  type InputRow,
  type OutputKind,
  type RowLabels,
  type RowOutcome,
  RowReader,
  RowWriter,
  type TableFormat,
  decoded,
  readRecords,
} from './tables';

export type BatchClient = Pick<
  GatedClient,
  'uploadReflexBatch' | 'reflexBatch' | 'reflexBatchResults'
>;

/** Rows that went up together: one batch of the service. */
export interface Upload {
  /** Number of the first row in the file, from 0. */
  readonly firstRow: number;
  /** One behind the last. */
  readonly endRow: number;
  /** Rows with a text: those that were sent. */
  readonly sent: number;
  /** Of ids, reflexes and texts. The same key must never stand for other rows. */
  readonly digest: string;
  /** Absent until the service has answered. */
  readonly batchId?: string | undefined;
  readonly status?: string | undefined;
  readonly completed?: number | undefined;
  readonly failed?: number | undefined;
}

/** One file that is classified; plain data, so that it can be stored. */
export interface BatchRun {
  readonly id: string;
  /** Path of the file. */
  readonly input: string;
  /** Bytes; another size means another file. */
  readonly inputBytes: number;
  readonly format: TableFormat;
  /** '' for lines of text. */
  readonly column: string;
  readonly models: readonly string[];
  readonly output: OutputKind;
  /** Origin of the service that has the batches. */
  readonly origin: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Of the whole file, with a text or without. */
  readonly rows: number;
  readonly state: RunState;
  readonly uploads: readonly Upload[];
  /** All rows are on their way. */
  readonly isUploaded: boolean;
  /** In words for people. */
  readonly problem?: string | undefined;
  /** Path of the file with the results. */
  readonly result?: string | undefined;
  /** Rows with an error in it. */
  readonly failedRows?: number | undefined;
}

export interface BatchFiles {
  /** @throws {UserError} when the file is not there. */
  readonly size: (path: string) => Promise<number>;
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  /** A new file next to the input; nothing stands there before `finish`. */
  readonly create: (input: string, output: OutputKind) => Promise<ResultFile>;
}

export interface ResultFile {
  readonly write: (text: string) => Promise<void>;
  /** @returns its path. */
  readonly finish: () => Promise<string>;
  readonly discard: () => Promise<void>;
}

export interface RunnerOptions {
  readonly client: BatchClient;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly files: BatchFiles;
  /** Returns when the run can be found again after a crash. */
  readonly save: (run: BatchRun) => Promise<void>;
  /** Told before a wait, with the reason where it is a failure. */
  readonly onWait?: (untilMs: number, error: unknown) => void;
  /** Tells a failure in words. */
  readonly explain: (error: unknown) => string;
  /** Rows of one upload; the service's limit when absent. */
  readonly rowsPerUpload?: number;
}

/** Longest waits, in ms. */
const waits = {
  firstPollMs: 2000,
  longestPollMs: 30_000,
  firstRetryMs: 5000,
  longestRetryMs: 300_000,
};

/** Failures that pass without anybody's help. */
const passing: ReadonlySet<string> = new Set([
  'connection',
  'offline',
  'timeout',
  'server',
  'truncated',
  'rateLimited',
  'paused',
]);

export interface FileCounts {
  readonly rows: number;
  /** With a text that can be classified. */
  readonly sendable: number;
}

/** Reads the whole file once, so that the price can be told. */
export async function countRows(
  bytes: AsyncIterable<Uint8Array>,
  format: TableFormat,
  column: string,
  signal: AbortSignal,
): Promise<FileCounts> {
  let rows = 0;
  let sendable = 0;
  for await (const row of inputRows(bytes, format, column)) {
    signal.throwIfAborted();
    rows++;
    if (problemOf(row) === undefined) sendable++;
  }
  return { rows, sendable };
}

async function* inputRows(
  bytes: AsyncIterable<Uint8Array>,
  format: TableFormat,
  column: string,
  reader = new RowReader(format, column),
): AsyncGenerator<InputRow> {
  for await (const records of readRecords(decoded(bytes), format)) yield* reader.rows(records);
}

/** Why a row is not sent. */
function problemOf({ text, problem }: InputRow): string | undefined {
  if (text === undefined) return problem;
  if (hasSecret(text)) return 'The text seems to hold a key or a password; it was not sent.';
  const { reflexTokens } = serviceLimits;
  return text.length > reflexTokens && estimateTokens(text) > reflexTokens
    ? 'The text is too long.'
    : undefined;
}

/**
 * Takes a run from wherever it is to its end. Every step is written down before the next one, and every
 * upload has a key that the run and its place give: whatever breaks off, going on makes no second batch.
 */
export class BatchRunner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * @returns the run at its end: `done`, `failed` or `noResults`.
   * @throws {AbortError} when `signal` is aborted; what is stored can go on.
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
      const isUnserved = error instanceof NoResults;
      return await step({
        state: isUnserved ? 'noResults' : 'failed',
        problem: isUnserved ? undefined : this.#options.explain(error),
      });
    }
  }

  async #upload(now: () => BatchRun, step: Step, signal: AbortSignal): Promise<void> {
    const { files, client, rowsPerUpload } = this.#options;
    const { input, inputBytes, format, column, models, id } = now();
    if ((await files.size(input)) !== inputBytes) throw changedFile();
    let at = 0;
    for await (const part of partsOf(
      inputRows(files.read(input), format, column),
      models,
      rowsPerUpload,
    )) {
      signal.throwIfAborted();
      const { rows, firstRow, endRow } = part;
      const digest = digestOf(rows);
      const known = now().uploads[at];
      if (known && (known.digest !== digest || known.firstRow !== firstRow)) throw changedFile();
      if (!known?.batchId) {
        const upload: Upload = { firstRow, endRow, sent: rows.length, digest };
        // Before it is sent: after a crash it is known that this may exist.
        if (!known) await step({ uploads: [...now().uploads, upload] });
        const batch = await this.#patiently(signal, () =>
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

  async #follow(now: () => BatchRun, step: Step, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    let waitMs = waits.firstPollMs;
    for (;;) {
      let hasMoved = false;
      let isOpen = false;
      for (const [at, upload] of now().uploads.entries()) {
        const { batchId } = upload;
        if (batchId === undefined || hasEnded(upload)) continue;
        const batch = await this.#patiently(signal, () =>
          client.reflexBatch(batchId, { signal, background: true }),
        );
        const { completed = upload.completed, failed = upload.failed } = batch.requestCounts ?? {};
        const next: Upload = { ...upload, status: batch.status, completed, failed };
        if (!hasEnded(next)) isOpen = true;
        if (
          next.status === upload.status &&
          completed === upload.completed &&
          failed === upload.failed
        )
          continue;
        hasMoved = true;
        await step({ uploads: now().uploads.with(at, next) });
      }
      if (!isOpen) return;
      waitMs = hasMoved ? waits.firstPollMs : Math.min(waits.longestPollMs, waitMs * 1.5);
      await clock.sleep(waitMs, signal);
    }
  }

  /** The input is read once more: next to its rows stand those of one batch at a time. */
  async #fetch(
    { input, inputBytes, format, column, models, output, uploads }: BatchRun,
    signal: AbortSignal,
  ): Promise<{ path: string; failedRows: number }> {
    const { files } = this.#options;
    if ((await files.size(input)) !== inputBytes) throw changedFile();
    const writer = new RowWriter(output, format, models);
    const reader = new RowReader(format, column);
    // Before a file is made: no results, no file.
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
      const checkUpload = (upload: Upload): void => {
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
        if (uploads[at] && problemOf(row) === undefined)
          hash.update(hashed(rowId(number), models, row.text ?? ''));
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

  /** By the number of the row. */
  async #resultsOf(upload: Upload, signal: AbortSignal): Promise<Map<number, RowOutcome>> {
    const { batchId } = upload;
    if (batchId === undefined) return new Map();
    return this.#patiently(signal, async () => {
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
        if (error instanceof ServiceError && error.kind === 'notFound') throw new NoResults();
        throw error;
      }
      return found;
    });
  }

  /** Until it works, or fails in a way that does not pass. */
  async #patiently<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    const { clock, onWait } = this.#options;
    for (let waitMs = waits.firstRetryMs; ; waitMs = Math.min(waits.longestRetryMs, waitMs * 2))
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof ServiceError) || !passing.has(error.kind)) throw error;
        const until = Math.max(clock.now() + waitMs, error.retryAt ?? 0);
        onWait?.(until, error);
        await clock.sleep(until - clock.now(), signal);
      }
  }
}

type Step = (next: Partial<BatchRun>) => Promise<BatchRun>;

const linesPerWrite = 500;

/** The batches are done; their results are not served. */
class NoResults extends Error {
  override readonly name = 'NoResults';
}

const changedFile = (): UserError =>
  new UserError('The file has changed since the batch was started.');

/** A status that is new counts as the end when all rows are accounted for, or when its name says so. */
export function hasEnded({ status = '', sent, completed = 0, failed = 0 }: Upload): boolean {
  if (status === 'completed') return true;
  if (status === 'queued' || status === 'in_progress') return false;
  return completed + failed >= sent || /fail|cancel|expire|error|abort/i.test(status);
}

interface Part {
  readonly rows: readonly ReflexRow[];
  readonly firstRow: number;
  readonly endRow: number;
}

/** Rows in groups of one upload; rows without a text belong to a group and are not in it. */
async function* partsOf(
  all: AsyncIterable<InputRow>,
  models: readonly string[],
  rowsPerUpload: number = serviceLimits.batchRows,
): AsyncGenerator<Part> {
  let rows: ReflexRow[] = [];
  let number = 0;
  let firstRow = 0;
  const cut = function* (isEnd: boolean): Generator<Part> {
    if (rows.length === 0) return;
    // By their characters too.
    const groups = [...chunksOfRows(rows, rowsPerUpload)];
    const whole = isEnd ? groups : groups.slice(0, -1);
    for (const group of whole) {
      const endRow = rowNumber(group.at(-1)?.id ?? '') + 1;
      yield { rows: group, firstRow, endRow };
      firstRow = endRow;
    }
    rows = isEnd ? [] : (groups.at(-1) ?? []);
  };
  let chars = 0;
  for await (const row of all) {
    if (problemOf(row) === undefined && row.text !== undefined) {
      rows.push({ id: rowId(number), models, text: row.text });
      chars += row.text.length;
      if (rows.length > rowsPerUpload || chars > checkChars) {
        yield* cut(false);
        chars = rows.reduce((sum, { text }) => sum + text.length, 0);
      }
    }
    number++;
  }
  yield* cut(true);
}

/** Characters after which it is seen whether the rows still fit one upload. */
const checkChars = 64 << 20;

const rowId = (number: number): string => `row-${number}`;

function rowNumber(id: string): number {
  const [, digits] = /^row-(\d+)$/.exec(id) ?? [];
  return digits === undefined ? -1 : Number(digits);
}

const hashed = (id: string, models: readonly string[], text: string): string =>
  JSON.stringify([id, models, text]);

function digestOf(rows: readonly ReflexRow[]): string {
  const hash = createHash('sha256');
  for (const { id, models, text } of rows) hash.update(hashed(id, models, text));
  return hash.digest('hex');
}

/** A row with several reflexes may come in several parts. */
function addResult(
  found: Map<number, RowOutcome>,
  { id, predictions, failures, error }: ReflexRowResult,
): void {
  const number = rowNumber(id);
  const before = found.get(number);
  const labels = predictions.map(({ model, classes, selected }): RowLabels => {
    const best = selected.toSorted((a, b) => b.score - a.score);
    return {
      reflex: model,
      selected: best.map(({ label }) => cleanServerText(label)),
      score: best[0]?.score,
      scores: classes.map(({ label, score }) => [cleanServerText(label), score]),
    };
  });
  const errors = [
    before?.error,
    error,
    ...failures.map(({ model, message }) => `${model}: ${message}`),
  ].filter(Boolean);
  found.set(number, { labels: [...(before?.labels ?? []), ...labels], error: errors.join(' ') });
}

function outcomeOf(
  row: InputRow,
  found: RowOutcome | undefined,
  upload: Upload | undefined,
): RowOutcome {
  if (found) return found;
  const problem = problemOf(row);
  if (problem !== undefined) return { labels: [], error: problem };
  const status = upload?.status ?? 'completed';
  return {
    labels: [],
    error:
      status === 'completed'
        ? 'The service gave no result for this row.'
        : `The batch ended as "${cleanServerText(status)}".`,
  };
}

export interface BatchProgress {
  /** With a text. */
  readonly sent: number;
  readonly classified: number;
  readonly failed: number;
  readonly uploads: number;
}

export function progressOf({ uploads }: BatchRun): BatchProgress {
  const sum = (count: (upload: Upload) => number): number =>
    uploads.reduce((total, upload) => total + count(upload), 0);
  return {
    sent: sum(({ sent, batchId }) => (batchId === undefined ? 0 : sent)),
    classified: sum(({ completed = 0, failed = 0 }) => completed + failed),
    failed: sum(({ failed = 0 }) => failed),
    uploads: uploads.filter(({ batchId }) => batchId !== undefined).length,
  };
}

/** True while the run goes on by itself after a reload. */
export function isActive({ state }: BatchRun): boolean {
  return state === 'uploading' || state === 'following' || state === 'fetching';
}
