import * as z from 'zod';
import { fineTuningPageQuery } from '../assumptions';
import { isRecord, textOf } from '../guards';
import { limitError } from '../limits';
import type { Operation } from '../operation';
import { type Page, checkPageSize, defaultPageSize, readPage } from '../pages';
import { lenient, unixSeconds } from '../schema';
import { headersMs } from '../timeouts';

export interface ListFineTuningJobsRequest {
  /** Jobs on the page, 1 to 100; 20 when absent. */
  readonly limit?: number | undefined;
  /** Only jobs that were made before this one: `next` of the page before. */
  readonly before?: string | undefined;
}

/** Dates are ms since the epoch. */
export interface FineTuningJob {
  /** `ftjob-…` */
  readonly id: string;
  /** `succeeded` or one of the values that are not documented. */
  readonly status?: string | undefined;
  /** The reflex that it started from. */
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
  /** Of a shape that is not documented; absent when there is none. */
  readonly error?: unknown;
  readonly createdAt?: number | undefined;
  readonly finishedAt?: number | undefined;
}

export interface Hyperparameters {
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
    read: reply => readPage(reply, jobSchema, 'fine-tuning job', job, lastId),
  };
}

/** Also of a job that cannot be read otherwise. */
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
