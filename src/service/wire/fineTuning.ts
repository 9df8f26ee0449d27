import * as z from 'zod';
import { isRecord, textOf } from '../../base/typeGuards';
import { fineTuningPageQuery } from '../assumptions';
import type { Operation } from '../http/operation';
import { headersMs } from '../http/timeouts';
import { limitError } from '../limits';
import { lenient, unixSeconds } from '../schema';
import { checkPageSize, defaultPageSize, type Page, readPage } from './pages';

export interface ListFineTuningJobsRequest {
  /** Jobs per page, 1 to 100; 20 when absent. */
  readonly limit?: number | undefined;
  /** Only jobs created before this one: `next` of the previous page. */
  readonly before?: string | undefined;
}

/** Dates are ms since the epoch. */
export interface FineTuningJob {
  /** `ftjob-…` */
  readonly id: string;
  /** `succeeded` or an undocumented value. */
  readonly status?: string | undefined;
  /** The base reflex. */
  readonly model?: string | undefined;
  /** Name of the trained classifier, for `predict`. */
  readonly fineTunedModel?: string | undefined;
  readonly suffix?: string | undefined;
  /** The classes. */
  readonly labels: readonly string[];
  readonly trainedExamples?: number | undefined;
  /** Numbers, or `auto`. */
  readonly hyperparameters?: Hyperparameters | undefined;
  /** 0 to 1. */
  readonly result?:
    | { readonly accuracy?: number | undefined; readonly f1Score?: number | undefined }
    | undefined;
  /** The shape is not documented; absent when there is none. */
  readonly error?: unknown;
  readonly createdAt?: number | undefined;
  readonly finishedAt?: number | undefined;
}

interface Hyperparameters {
  readonly epochs?: number | string | undefined;
  readonly batchSize?: number | string | undefined;
  readonly learningRateMultiplier?: number | string | undefined;
}

const text = lenient(z.string());
const number = lenient(z.number());
const numberOrAuto = lenient(z.union([z.number(), z.string()]));

const jobSchema = z.object({
  id: z.string().min(1),
  object: text,
  model: text,
  created_at: unixSeconds,
  finished_at: unixSeconds,
  fine_tuned_model: text,
  status: text,
  labels: lenient(z.array(z.unknown())),
  trained_examples: number,
  hyperparameters: lenient(
    z.object({
      n_epochs: numberOrAuto,
      batch_size: numberOrAuto,
      learning_rate_multiplier: numberOrAuto,
    }),
  ),
  result: lenient(z.object({ accuracy: number, f1_score: number })),
  error: z.unknown().optional(),
  suffix: text,
});

/**
 * `next` is the id of the last job.
 * @see service document, Endpoints, "GET /v1/fine_tuning/jobs"
 */
export function listFineTuningJobsOperation({
  limit = defaultPageSize,
  before,
}: ListFineTuningJobsRequest): Operation<Page<FineTuningJob, string>> {
  checkPageSize(limit);
  if (before === '') throw limitError('The id of the last job is empty.');
  return {
    name: 'listFineTuningJobs',
    callClass: 'read',
    method: 'GET',
    path: '/v1/fine_tuning/jobs',
    query: { limit, [fineTuningPageQuery]: before },
    accept: 'application/json',
    timeouts: { headersMs: headersMs.read },
    read: context => readPage(context, jobSchema, 'fine-tuning job', job, lastId),
  };
}

/** Works also for a job whose other fields cannot be read. */
function lastId(data: readonly unknown[]): string | undefined {
  const last = data.findLast(item => isRecord(item) && textOf(item['id']));
  return isRecord(last) ? textOf(last['id']) : undefined;
}

function job(wire: z.infer<typeof jobSchema>): FineTuningJob {
  const { hyperparameters, result } = wire;
  return {
    id: wire.id,
    status: wire.status,
    model: wire.model,
    fineTunedModel: wire.fine_tuned_model,
    suffix: wire.suffix,
    labels: (wire.labels ?? []).filter(label => typeof label === 'string'),
    trainedExamples: wire.trained_examples,
    hyperparameters: hyperparameters && {
      epochs: hyperparameters.n_epochs,
      batchSize: hyperparameters.batch_size,
      learningRateMultiplier: hyperparameters.learning_rate_multiplier,
    },
    result: result && { accuracy: result.accuracy, f1Score: result.f1_score },
    error: wire.error ?? undefined,
    createdAt: wire.created_at,
    finishedAt: wire.finished_at,
  };
}
