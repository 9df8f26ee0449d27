import * as z from 'zod';
import { sentence } from '../../base/sentence';
import type { Operation } from '../http/operation';
import { headersMs } from '../http/timeouts';
import { checkRange } from '../limits';
import { lenient, unixSeconds } from '../schema';
import type { Usage } from '../usage';
import { checkPageSize, defaultPageSize, type Page, readPage } from './pages';

export interface ListBatchesRequest {
  /** Batches per page, 1 to 100; 20 when absent. */
  readonly limit?: number | undefined;
  /** Number of batches to skip: `next` of the previous page. */
  readonly after?: number | undefined;
}

/** Dates are ms since the epoch. */
export interface Batch {
  /** `batch_…` */
  readonly id: string;
  /** `completed` or an undocumented value. */
  readonly status?: string | undefined;
  readonly model?: string | undefined;
  /** The path of the operation that the batch runs. */
  readonly endpoint?: string | undefined;
  /** `24h` */
  readonly completionWindow?: string | undefined;
  readonly inputFileId?: string | undefined;
  readonly outputFileId?: string | undefined;
  readonly errorFileId?: string | undefined;
  /** Only values that are text. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly requestCounts?: RequestCounts | undefined;
  readonly usage?: BatchUsage | undefined;
  /** The shape is not documented; absent when there are none. */
  readonly errors?: unknown;
  readonly createdAt?: number | undefined;
  readonly inProgressAt?: number | undefined;
  readonly finalizingAt?: number | undefined;
  readonly completedAt?: number | undefined;
  readonly failedAt?: number | undefined;
  readonly expiredAt?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly cancellingAt?: number | undefined;
  readonly cancelledAt?: number | undefined;
}

export interface RequestCounts {
  readonly total?: number | undefined;
  readonly completed?: number | undefined;
  readonly failed?: number | undefined;
}

interface BatchUsage extends Usage {
  readonly totalTokens: number;
}

const text = lenient(z.string());
const count = lenient(z.number().int().nonnegative());

const usageSchema = z.object({
  input_tokens: z.number(),
  input_tokens_details: lenient(z.object({ cached_tokens: count })),
  output_tokens: z.number(),
  output_tokens_details: lenient(z.object({ reasoning_tokens: count })),
  total_tokens: count,
});

const batchSchema = z.object({
  id: z.string().min(1),
  object: text,
  endpoint: text,
  input_file_id: text,
  completion_window: text,
  metadata: lenient(z.record(z.string(), z.unknown())),
  created_at: unixSeconds,
  status: text,
  model: text,
  output_file_id: text,
  error_file_id: text,
  in_progress_at: unixSeconds,
  finalizing_at: unixSeconds,
  completed_at: unixSeconds,
  failed_at: unixSeconds,
  expired_at: unixSeconds,
  expires_at: unixSeconds,
  cancelling_at: unixSeconds,
  cancelled_at: unixSeconds,
  request_counts: lenient(z.object({ total: count, completed: count, failed: count })),
  errors: z.unknown().optional(),
  usage: lenient(usageSchema),
});

/**
 * `next` is a number of batches to skip.
 * @see service document, Endpoints, "GET /v1/batches"
 */
export function listBatchesOperation({
  limit = defaultPageSize,
  after = 0,
}: ListBatchesRequest): Operation<Page<Batch, number>> {
  checkPageSize(limit);
  checkRange(after, 0, Number.MAX_SAFE_INTEGER, sentence('The number of batches to skip'));
  return {
    name: 'listBatches',
    callClass: 'read',
    method: 'GET',
    path: '/v1/batches',
    query: { limit, after },
    accept: 'application/json',
    timeouts: { headersMs: headersMs.read },
    read: context => readPage(context, batchSchema, 'batch', batch, () => after + limit),
  };
}

function batch(wire: z.infer<typeof batchSchema>): Batch {
  return {
    id: wire.id,
    status: wire.status,
    model: wire.model,
    endpoint: wire.endpoint,
    completionWindow: wire.completion_window,
    inputFileId: wire.input_file_id,
    outputFileId: wire.output_file_id,
    errorFileId: wire.error_file_id,
    metadata: texts(wire.metadata),
    requestCounts: wire.request_counts,
    usage: wire.usage && usage(wire.usage),
    errors: wire.errors ?? undefined,
    createdAt: wire.created_at,
    inProgressAt: wire.in_progress_at,
    finalizingAt: wire.finalizing_at,
    completedAt: wire.completed_at,
    failedAt: wire.failed_at,
    expiredAt: wire.expired_at,
    expiresAt: wire.expires_at,
    cancellingAt: wire.cancelling_at,
    cancelledAt: wire.cancelled_at,
  };
}

function usage(wire: z.infer<typeof usageSchema>): BatchUsage {
  const cachedTokens = wire.input_tokens_details?.cached_tokens;
  const reasoningTokens = wire.output_tokens_details?.reasoning_tokens;
  return {
    promptTokens: wire.input_tokens,
    completionTokens: wire.output_tokens,
    totalTokens: wire.total_tokens ?? wire.input_tokens + wire.output_tokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}

function texts(values: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
