import * as z from 'zod';
import { sentence } from '../../base/sentence';
import { isRecord, textOf } from '../../base/typeGuards';
import { batchResultLists, batchResultsPath, rowPredictions } from '../assumptions';
import { pathId } from '../baseUrl';
import type { Operation } from '../http/operation';
import { bodyError, type ResponseContext, readChunks } from '../http/responseContext';
import { headersMs, sizeLimits } from '../http/timeouts';
import { checkRange, checkTokens, limitError, serviceLimits } from '../limits';
import { lenient, readObject, unexpectedShape, unixSeconds, warnIfUnknown } from '../schema';
import { truncatedError } from '../stream/answerStream';
import { JsonItems } from '../stream/jsonItems';
import type { RequestCounts } from './batches';
import { errorText, type Predictions, sortPredictions } from './reflex';

/** In the order in which a batch passes through them; new ones can come. */
const reflexBatchStatuses = ['queued', 'in_progress', 'completed'] as const;

export interface ReflexRow {
  /** Not empty, and unique. */
  readonly id: string;
  /** Names of the reflexes, at least one. */
  readonly models: readonly string[];
  /** At most 65,536 tokens. */
  readonly text: string;
}

export interface UploadRequest {
  /** 1 to 10,000; {@link chunksOfRows} splits more of them. */
  readonly rows: readonly ReflexRow[];
  /**
   * Kept by the caller until the id of the batch is known: after a failure the same key returns the batch
   * that was created, if any, and never creates a second one. ASCII without spaces, at most 255 characters.
   */
  readonly idempotencyKey: string;
}

export interface ReflexBatch {
  /** `rbatch-…` */
  readonly id: string;
  /** One of {@link reflexBatchStatuses}, or a status that is new. */
  readonly status: string;
  /** Rows; they advance while the batch is worked on. */
  readonly requestCounts?: RequestCounts | undefined;
  /** ms since the epoch. */
  readonly createdAt?: number | undefined;
}

export interface ResultsRequest {
  readonly id: string;
  /** Gets every row once, some at a time; the next ones are read when it is done. What it throws ends the call. */
  readonly onRows: (rows: readonly ReflexRowResult[]) => void | Promise<void>;
}

export interface ReflexRowResult extends Predictions {
  readonly id: string;
  /** Why the whole row failed, in the service's words. */
  readonly error?: string | undefined;
}

export interface BatchResults {
  /** Handed to `onRows`. */
  readonly rows: number;
  /** Rows with an `error`. */
  readonly failed: number;
  /** Rows that could not be read, and were not handed out. */
  readonly unreadable: number;
}

/** What `onRows` threw. Handed around the caller, which would take it for a failure of the network. */
export interface Stopped {
  readonly stopped?: { readonly reason: unknown };
}

const count = lenient(z.number().int().nonnegative());

const batchSchema = z.object({
  id: lenient(z.string().min(1)),
  object: lenient(z.string()),
  status: z.string(),
  request_counts: lenient(z.object({ total: count, completed: count, failed: count })),
  created_at: unixSeconds,
});

const path = '/v1/reflex/asynchronous_batches';

/**
 * Queues rows at the batch rate. Not repeated when the outcome is unknown: the caller does that, with the same key.
 * @throws {ServiceError} `limit`, naming the limit.
 * @see service document, Endpoints, "POST /v1/reflex/asynchronous_batches/upload"
 */
export function uploadReflexBatchOperation(request: UploadRequest): Operation<ReflexBatch> {
  const { rows, idempotencyKey } = request;
  checkRows(rows);
  // Anything else cannot stand in a header, and the platform's error would quote it.
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw limitError('The idempotency key must be 1 to 255 ASCII characters without spaces.');
  }
  const events = rows.reduce((sum, { models }) => sum + models.length, 0);
  return {
    name: 'uploadBatch',
    callClass: 'money',
    method: 'POST',
    path: `${path}/upload`,
    idempotencyKey,
    accept: 'application/json',
    // A large body is on its way first.
    timeouts: { headersMs: headersMs.generation },
    body: { requests: rows.map(({ id, models, text }) => ({ id, model: models, text })) },
    read: context => readBatch(context),
    charge: () => ({ kind: 'reflex', events, isBatch: true }),
  };
}

/**
 * How far a batch is.
 * @see service document, Endpoints, "GET /v1/reflex/asynchronous_batches/{batch_id}"; its answer is not
 *   shown and taken for the batch object
 */
export function pollReflexBatchOperation(id: string): Operation<ReflexBatch> {
  return {
    name: 'pollBatch',
    callClass: 'read',
    method: 'GET',
    path: `${path}/${pathId(id, sentence('batch id'))}`,
    template: `${path}/{id}`,
    accept: 'application/json',
    timeouts: { headersMs: headersMs.read },
    read: context => readBatch(context, id),
  };
}

/**
 * The rows of a batch that is complete, read as they come: 10,000 rows need not fit in memory. When an
 * attempt breaks off, the next one hands out only the rows that are new.
 *
 * @throws {ServiceError} `notFound` when the service serves no results at {@link batchResultsPath},
 *   `tooLarge` above 512 MB.
 */
export function reflexBatchResultsOperation(
  request: ResultsRequest,
): Operation<BatchResults & Stopped> {
  const { id, onRows } = request;
  const reader = new ResultsReader(onRows);
  return {
    name: 'batchResults',
    callClass: 'read',
    method: 'GET',
    path: batchResultsPath(pathId(id, sentence('batch id'))),
    template: batchResultsPath('{id}'),
    accept: 'application/json',
    timeouts: { headersMs: headersMs.generation },
    read: context => reader.read(context),
  };
}

/** Rows in groups that {@link uploadReflexBatchOperation} takes. */
export function* chunksOfRows(
  rows: Iterable<ReflexRow>,
  max: number = serviceLimits.batchRows,
): Generator<ReflexRow[]> {
  let chunk: ReflexRow[] = [];
  let chars = 0;
  for (const row of rows) {
    if (chunk.length === max || (chunk.length > 0 && chars + row.text.length > maxUploadChars)) {
      yield chunk;
      chunk = [];
      chars = 0;
    }
    chunk.push(row);
    chars += row.text.length;
  }
  if (chunk.length > 0) yield chunk;
}

/** Limit of all texts together; not a limit of the service, but the body must be one string, with every character escaped. */
const maxUploadChars = 64 << 20;

function checkRows(rows: readonly ReflexRow[]): void {
  checkRange(rows.length, 1, serviceLimits.batchRows, sentence('The number of rows'));
  const ids = new Set<string>();
  let chars = 0;
  for (const [at, { id, models, text }] of rows.entries()) {
    if (id.trim() === '') throw limitError('Row {0} has no id.', at + 1);
    if (ids.has(id)) throw limitError('Row {0} has the id of a row before it.', at + 1);
    if (models.length === 0) throw limitError('Row {0} names no reflex.', at + 1);
    checkTokens(text, serviceLimits.reflexTokens, sentence('The text of row {0}', at + 1));
    ids.add(id);
    chars += text.length;
  }
  if (chars > maxUploadChars) throw limitError('The rows are too long for one upload.');
}

/** @param asked the id, where the answer may leave it out */
async function readBatch(context: ResponseContext, asked?: string): Promise<ReflexBatch> {
  const wire = await readObject(context, batchSchema, 'reflex batch');
  const id = wire.id ?? asked;
  if (id === undefined) throw unexpectedShape('reflex batch', context);
  return {
    id,
    status: warnIfUnknown(context, 'reflex batch status', reflexBatchStatuses, wire.status),
    requestCounts: wire.request_counts,
    createdAt: wire.created_at,
  };
}

/** Reads the results over all attempts of one call. */
class ResultsReader {
  readonly #onRows: ResultsRequest['onRows'];
  /** Rows passed on, by id; a row with several reflexes may come as several. */
  readonly #passedOn = new Map<string, number>();
  #rows = 0;
  #failed = 0;

  constructor(onRows: ResultsRequest['onRows']) {
    this.#onRows = onRows;
  }

  async read(context: ResponseContext): Promise<BatchResults & Stopped> {
    const items = new JsonItems({
      listNames: batchResultLists,
      isItem: value => rowId(value) !== undefined,
      maxChars: sizeLimits.batchRow,
    });
    const seen = new Map<string, number>();
    let unreadable = 0;
    for await (const text of readChunks(context, sizeLimits.batchResults, 'lenient')) {
      const rows: ReflexRowResult[] = [];
      for (const item of items.feed(text)) {
        const row = resultRow(context, item);
        // An error in place of all rows concerns the whole call.
        const error = row || seen.size > 0 ? undefined : bodyError(item, context);
        if (error) throw error;
        if (row === undefined) unreadable++;
        else if (addOne(seen, row.id) > (this.#passedOn.get(row.id) ?? 0)) rows.push(row);
      }
      if (rows.length === 0) continue;
      const stopped = await context.timeoutController.wait(this.#passOn(rows));
      if (stopped) return { ...this.#counts(unreadable), stopped };
    }
    if (!items.isWhole) throw truncatedError(context);
    if (!items.isFound || (unreadable > 0 && this.#rows === 0)) {
      throw unexpectedShape('list of batch results', context);
    }
    return this.#counts(unreadable);
  }

  async #passOn(rows: readonly ReflexRowResult[]): Promise<Stopped['stopped']> {
    try {
      await this.#onRows(rows);
    } catch (reason) {
      return { reason };
    }
    for (const { id, error } of rows) {
      addOne(this.#passedOn, id);
      this.#rows++;
      if (error !== undefined) this.#failed++;
    }
    return undefined;
  }

  #counts(unreadable: number): BatchResults {
    return { rows: this.#rows, failed: this.#failed, unreadable };
  }
}

function resultRow(context: ResponseContext, item: unknown): ReflexRowResult | undefined {
  const id = rowId(item);
  if (id === undefined || !isRecord(item)) {
    context.warn('a row of batch results could not be read');
    return undefined;
  }
  const found = sortPredictions(context, rowPredictions(item), []);
  const error = errorText(item);
  return { id, ...found, ...(error === undefined ? {} : { error }) };
}

function addOne(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}

function rowId(value: unknown): string | undefined {
  return isRecord(value) ? textOf(value['id']) : undefined;
}
