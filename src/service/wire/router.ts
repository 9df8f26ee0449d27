import * as z from 'zod';
import { sentence } from '../../base/sentence';
import { isRecord } from '../../base/typeGuards';
import type { Operation, OperationName } from '../http/operation';
import { type ResponseContext, readJsonObject } from '../http/responseContext';
import { headersMs } from '../http/timeouts';
import { checkTokens, limitError, serviceLimits } from '../limits';
import { lenient, readObject, unexpectedShape, warnIfUnknown } from '../schema';

/** The classes of a prompt and their labels in the service document; new ones can come. */
const routerClasses = {
  difficulty: ['easy', 'medium', 'hard'],
  ambiguity: ['low', 'med', 'high'],
  domain: ['general', 'summary', 'coding', 'design', 'data'],
} as const;
type RouterClass = keyof typeof routerClasses;

/** Difficulties of `raw` and `multimodel`: a prompt that is too ambiguous has its own label. */
const difficulties = [...routerClasses.difficulty, 'needs_info'] as const;

export interface ClassifyRequest {
  /** At most 65,536 tokens, as in every request here. */
  readonly input: string;
  /** Absent or empty: all three. */
  readonly classes?: readonly RouterClass[] | undefined;
}

interface Classification {
  /** A {@link RouterClass} or one that is new. */
  readonly name: string;
  readonly label: string;
  /** 0 to 1 */
  readonly confidence: number | undefined;
  /** False when the label is not certain enough to be used. */
  readonly meetsThreshold: boolean | undefined;
}

export interface Classifications {
  readonly classifications: readonly Classification[];
}

export interface PickRequest {
  readonly input: string;
  /** The candidates: these models and all models of these providers; the whole catalogue when both are empty. */
  readonly allowedModels?: readonly string[] | undefined;
  readonly allowedProviders?: readonly string[] | undefined;
  /** `balanced` when absent. */
  readonly policy?: 'balanced' | 'cost_efficient' | undefined;
  /** Returned unchanged when the prompt is too ambiguous. */
  readonly defaultModel?: string | undefined;
}

export interface ModelPick {
  /** The model to call; absent when the prompt is too ambiguous and there was no default. */
  readonly model: string | undefined;
  readonly provider: string | undefined;
  /** One of {@link difficulties} or a new one. */
  readonly difficulty: string | undefined;
  /** 0 to 1 */
  readonly confidence: number | undefined;
  /** The other fields of the answer, unchanged: the signals of the classifier. */
  readonly signals: Readonly<Record<string, unknown>>;
}

export interface RawRouteRequest {
  readonly input: string;
  /** `balanced` when absent. */
  readonly mode?: 'balanced' | 'aggressive' | undefined;
}

export interface RawRoute {
  /** One of {@link difficulties} or a new one. */
  readonly difficulty: string;
  /** 0 to 1 */
  readonly confidence: number | undefined;
}

export interface ProviderRouteRequest extends RawRouteRequest {
  /** One of three keys that the service document does not name: letters, digits, `-` and `_`. */
  readonly provider: string;
}

export interface ProviderRoute {
  /** As the provider names it. */
  readonly model: string;
  readonly confidence: number | undefined;
}

const confidence = lenient(z.number());
const classificationSchema = z.object({
  class_id: lenient(z.number()),
  label: z.string(),
  confidence,
  meets_threshold: lenient(z.boolean()),
});
const pickSchema = z.object({
  model: lenient(z.string().min(1)),
  provider: lenient(z.string()),
  difficulty: lenient(z.string()),
  confidence,
});
const rawSchema = z.object({ difficulty: z.string().min(1), confidence });
const providerSchema = z.object({ model: z.string().min(1), confidence });

/** @see service document, Endpoints, "POST /v1/router/classify" */
export function classifyPromptOperation(request: ClassifyRequest): Operation<Classifications> {
  const { input, classes = [] } = request;
  return {
    ...route('classifyPrompt', 'classify', input),
    body: classes.length > 0 ? { input, classes } : { input },
    read: async context => classifications(context, await readJsonObject(context)),
  };
}

/** True when the difficulty is too uncertain, which counts as needing more information (service document, Router). */
export function needsInfo({ classifications: all }: Classifications): boolean {
  return all.some(({ name, meetsThreshold }) => name === 'difficulty' && meetsThreshold === false);
}

/** @see service document, Endpoints, "POST /v1/router/multimodel" */
export function pickModelOperation(request: PickRequest): Operation<ModelPick> {
  const { input, allowedModels = [], allowedProviders = [], policy, defaultModel } = request;
  return {
    ...route('routePrompt', 'multimodel', input),
    body: {
      input,
      allowed_models: allowedModels,
      allowed_providers: allowedProviders,
      policy,
      default_model: defaultModel,
    },
    read: async context => pick(context, await readJsonObject(context)),
  };
}

/**
 * Legacy, but still served.
 * @see service document, Endpoints, "POST /v1/router/raw"
 */
export function routeRawOperation({ input, mode }: RawRouteRequest): Operation<RawRoute> {
  return {
    ...route('routePrompt', 'raw', input),
    body: { input, mode },
    async read(context) {
      const wire = await readObject(context, rawSchema, 'route');
      return {
        difficulty: warnIfUnknown(context, 'difficulty', difficulties, wire.difficulty),
        confidence: wire.confidence,
      };
    },
  };
}

/**
 * @deprecated by the service, in favour of {@link pickModelOperation}
 * @see service document, Endpoints, "POST /v1/router/{provider}"
 */
export function routeWithProviderOperation(
  request: ProviderRouteRequest,
): Operation<ProviderRoute> {
  const { provider, input, mode } = request;
  // The names of the other routes consist of the same characters.
  if (!/^[\w-]+$/.test(provider) || ['classify', 'multimodel', 'raw'].includes(provider)) {
    throw limitError('The provider must be a key of letters, digits, - and _.');
  }
  return {
    ...route('routePrompt', provider, input),
    template: '/v1/router/{provider}',
    body: { input, mode },
    read: context => readObject(context, providerSchema, 'route of a provider'),
  };
}

function route(name: OperationName, segment: string, input: string) {
  checkTokens(input, serviceLimits.routerTokens, sentence('The prompt'));
  return {
    name,
    callClass: 'compute',
    method: 'POST',
    path: `/v1/router/${segment}`,
    accept: 'application/json',
    timeouts: { headersMs: headersMs.predict },
    charge: () => ({ kind: 'router', requests: 1 }) as const,
  } as const;
}

function classifications(
  context: ResponseContext,
  answer: Record<string, unknown>,
): Classifications {
  const wire = answer['classifications'];
  if (!isRecord(wire)) throw unexpectedShape('prompt classification', context);
  const all: Classification[] = [];
  for (const [name, value] of Object.entries(wire)) {
    const { success, data } = classificationSchema.safeParse(value);
    if (!success) {
      context.warn('a prompt classification could not be read');
      continue;
    }
    warnIfUnknown(context, 'router class', Object.keys(routerClasses), name);
    if (isRouterClass(name)) warnIfUnknown(context, name, routerClasses[name], data.label);
    all.push({
      name,
      label: data.label,
      confidence: data.confidence,
      meetsThreshold: data.meets_threshold,
    });
  }
  return { classifications: all };
}

function isRouterClass(name: string): name is RouterClass {
  return Object.hasOwn(routerClasses, name);
}

function pick(context: ResponseContext, answer: Record<string, unknown>): ModelPick {
  // Read without warnings: every other field is one of the signals.
  const { data } = pickSchema.safeParse(answer);
  if (data?.model === undefined && data?.difficulty === undefined) {
    throw unexpectedShape('pick of a model', context);
  }
  const signals = Object.entries(answer).filter(([name]) => !Object.hasOwn(pickSchema.shape, name));
  if (data.difficulty !== undefined) {
    warnIfUnknown(context, 'difficulty', difficulties, data.difficulty);
  }
  return { ...data, signals: Object.fromEntries(signals) };
}
