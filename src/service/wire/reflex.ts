import * as z from 'zod';
import { cleanServerText } from '../../base/format/serverText';
import { sentence } from '../../base/sentence';
import { isRecord, textOf } from '../../base/typeGuards';
import { predictionLists } from '../assumptions';
import type { Operation } from '../http/operation';
import { type ResponseContext, readAnyJson, readJsonObject } from '../http/responseContext';
import { headersMs } from '../http/timeouts';
import { checkTokens, limitError, serviceLimits } from '../limits';
import { lenient, readObject, unexpectedShape, warnIfUnknown } from '../schema';

/** Modes of the service document; an account can have its own (fine-tuning jobs). */
const reflexModes = ['single_label', 'multi_label'] as const;

export interface PredictRequest {
  /** Name of the reflex. */
  readonly model: string;
  /** At most 65,536 tokens. */
  readonly text: string;
}

export interface PredictManyRequest {
  /** Names of the reflexes, at least one. */
  readonly models: readonly string[];
  readonly text: string;
}

interface ReflexClass {
  readonly classId: number | undefined;
  readonly label: string;
  /** 0 to 1; with `single_label` the scores of all classes sum to 1. */
  readonly score: number;
  readonly isSelected: boolean;
}

export interface Prediction {
  readonly model: string;
  /** `single_label`, `multi_label` or a mode that is new. */
  readonly mode: string;
  readonly classes: readonly ReflexClass[];
  /** Empty: no confident label. */
  readonly selected: readonly ReflexClass[];
  readonly inferenceMs?: number | undefined;
  readonly prefillTokens?: number | undefined;
}

export interface Predictions {
  readonly predictions: readonly Prediction[];
  /** Reflexes without a prediction, with the message of the service. */
  readonly failures: readonly { readonly model: string; readonly message: string }[];
}

const classSchema = z.object({
  class_id: lenient(z.number()),
  label: z.string(),
  score: z.number(),
  selected: z.boolean().catch(false),
});

const predictionSchema = z.object({
  model: lenient(z.string()),
  mode: z.string().catch('single_label'),
  classes: z.array(classSchema),
  inference_time_ms: lenient(z.number()),
  prefill_tokens: lenient(z.number()),
});

/** @see service document, Endpoints, "POST /v1/reflex/predict", and Resources, "Reflex prediction" */
export function predictOperation({ model, text }: PredictRequest): Operation<Prediction> {
  checkText(text);
  return {
    ...predict(model),
    body: { model, text },
    read: async context =>
      prediction(context, await readObject(context, predictionSchema, what), model),
    charge: () => ({ kind: 'reflex', events: 1, isBatch: false }),
  };
}

/**
 * @throws {ServiceError} `protocol` when the answer holds no predictions at all.
 * @see {@link predictionLists} for the shape of the answer, which the service document does not show
 */
export function predictManyOperation(request: PredictManyRequest): Operation<Predictions> {
  const { models, text } = request;
  if (models.length === 0) throw limitError('Choose at least one reflex.');
  checkText(text);
  return {
    ...predict(models.join(', ')),
    body: { models, text },
    read: async context => predictions(context, await readJsonObject(context), models),
    charge: () => ({ kind: 'reflex', events: models.length, isBatch: false }),
  };
}

export interface ReflexTraces {
  /** The whole answer, unchanged. */
  readonly json: unknown;
}

/**
 * Labeled turns that tracing recorded. Parameters and answer are not shown, so the answer is returned unchanged.
 * @see service document, Endpoints, "GET /v1/reflex/traces"
 */
export function tracesOperation(): Operation<ReflexTraces> {
  return {
    name: 'traces',
    callClass: 'read',
    method: 'GET',
    path: '/v1/reflex/traces',
    accept: 'application/json',
    timeouts: { headersMs: headersMs.read },
    read: async context => ({ json: await readAnyJson(context) }),
  };
}

const what = 'reflex prediction';

const predict = (model: string) =>
  ({
    name: 'predict',
    model,
    callClass: 'compute',
    method: 'POST',
    path: '/v1/reflex/predict',
    accept: 'application/json',
    timeouts: { headersMs: headersMs.predict },
  }) as const;

function checkText(text: string): void {
  checkTokens(text, serviceLimits.reflexTokens, sentence('The text to classify'));
}

function prediction(
  context: ResponseContext,
  wire: z.infer<typeof predictionSchema>,
  asked: string,
): Prediction {
  const classes = wire.classes.map(
    ({ class_id, label, score, selected }): ReflexClass => ({
      classId: class_id,
      label,
      score,
      isSelected: selected,
    }),
  );
  return {
    model: wire.model ?? asked,
    mode: warnIfUnknown(context, 'reflex mode', reflexModes, wire.mode),
    classes,
    selected: classes.filter(({ isSelected }) => isSelected),
    inferenceMs: wire.inference_time_ms,
    prefillTokens: wire.prefill_tokens,
  };
}

function predictions(
  context: ResponseContext,
  value: unknown,
  models: readonly string[],
): Predictions {
  const items = predictionLists(value);
  if (!items) throw unexpectedShape('list of reflex predictions', context);
  return sortPredictions(context, items, models);
}

/** @param models the names of the reflexes in the order of `items`, where they are known */
export function sortPredictions(
  context: ResponseContext,
  items: readonly (readonly [string | undefined, unknown])[],
  models: readonly string[],
): Predictions {
  const good: Prediction[] = [];
  const failures: { model: string; message: string }[] = [];
  items.forEach(([name, item], at) => {
    const model = name ?? models[at] ?? '';
    const parsed = predictionSchema.safeParse(item);
    if (parsed.success) good.push(prediction(context, parsed.data, model));
    else failures.push({ model: nameIn(item) ?? model, message: failureText(item) });
  });
  return { predictions: good, failures };
}

function nameIn(item: unknown): string | undefined {
  return isRecord(item) ? textOf(item['model']) : undefined;
}

function failureText(item: unknown): string {
  return errorText(item) ?? 'The prediction could not be read.';
}

/** Text or `{message}` under `error`; cleaned, because it is shown. */
export function errorText(item: unknown): string | undefined {
  const error = isRecord(item) ? item['error'] : undefined;
  const text = textOf(error) ?? (isRecord(error) ? textOf(error['message']) : undefined);
  return text === undefined ? undefined : cleanServerText(text);
}
