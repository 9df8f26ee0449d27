import type { Clock } from '../../base/async/clock';
import { isRecord, parseJson, textOf } from '../../base/typeGuards';
import {
  catalogueItems,
  cataloguePath,
  contextNames,
  maxOutputNames,
  perMillion,
  rateNames,
  windowTokens,
} from '../assumptions';
import { ServiceError } from '../errors';
import type { CallResult, Operation, TokenPrice } from '../http/operation';
import { type ResponseContext, readBodyText } from '../http/responseContext';
import { headersMs, sizeLimits } from '../http/timeouts';
import { unexpectedShape } from '../schema';

export interface Model {
  readonly id: string;
  /** Absent where it is unknown. */
  readonly contextTokens?: number | undefined;
  /** Longest answer; absent where it is unknown. */
  readonly maxOutputTokens?: number | undefined;
  /** As the service writes it: "~100 tok/s", "fastest". */
  readonly speed?: string | undefined;
  readonly isBeta: boolean;
  /** Absent where it is unknown. */
  readonly price?: TokenPrice | undefined;
  /** `tools`, `response_format`, …; empty where the page lists none. */
  readonly features: readonly string[];
  /** `text`, `image`, …; absent where the page lists none. */
  readonly inputModalities?: readonly string[] | undefined;
  /** Absent for a chat model. */
  readonly use?: SpecialUse | undefined;
}

export interface Catalogue {
  readonly models: readonly Model[];
  /** How many models of the page could not be read. */
  readonly unreadable: number;
  /** `builtIn`: the table of the service document, which can be out of date. */
  readonly source: 'live' | 'builtIn';
  /** ms since the epoch; absent for the built-in table. */
  readonly fetchedAt?: number | undefined;
  /** Why the built-in table is used. */
  readonly problem?: ServiceError | undefined;
}

type SpecialUse = 'apply' | 'compact' | 'search' | 'rerank' | 'embed' | 'fineTuning';

export interface SpecialModel {
  readonly id: string;
  readonly use: SpecialUse;
  readonly speed?: string;
  /** Share of edits that are merged correctly, 0 to 1. */
  readonly accuracy?: number;
}

/** Models other than chat models (service document, Model catalogue, "Other model ids"). */
export const specialModels: readonly SpecialModel[] = [
  { id: 'svc-v3-fast', use: 'apply', speed: '10,500+ tok/s', accuracy: 0.96 },
  { id: 'svc-v3-large', use: 'apply', speed: '5,000+ tok/s', accuracy: 0.98 },
  // The service picks the model.
  { id: 'auto', use: 'apply' },
  { id: 'svc-compactor', use: 'compact' },
  { id: 'svc-warp-grep-v2.1', use: 'search' },
  { id: 'svc-rerank-v4', use: 'rerank' },
  { id: 'svc-embedding-v4', use: 'embed' },
  { id: 'svc-reflex-v1', use: 'fineTuning' },
];

/** "Every model supports" these (service document, Model catalogue). */
const commonFeatures = ['tools', 'response_format', 'structured_outputs', 'logprobs', 'reasoning'];

/** Id, speed, window, USD per million tokens of input, output and cached input. */
type FallbackModelRow = readonly [
  string,
  (string | undefined)?,
  string?,
  number?,
  number?,
  number?,
];

/** The table of the service document, in its notation and order. */
const table: readonly FallbackModelRow[] = [
  ['svc-kimik3', '~100 tok/s', '1M', 2.9, 14],
  ['svc-kimik3-fast', 'fastest', '1M', 6, 22.5],
  ['svc-qwen35-397b', '~180 tok/s', '262k', 0.5, 3.5, 0.3],
  ['svc-glm52-744b', '~80 tok/s', '1M', 1.1, 4.1],
  ['svc-glm53flash', undefined, '1M', 0.15, 0.5],
  ['svc-minimax3-428b', '~90 tok/s', '256k', 0.3, 1.2],
  ['svc-minimax27-230b', '~90 tok/s', '196k', 0.279, 1.2],
  ['svc-dsv4flash', '~150 tok/s', '1M', 0.12, 0.278],
  ['svc-qwen38-27b', '~100 tok/s', '131k', 0.289, 2.4],
  ['svc-qwen36-27b', '~100 tok/s', '131k', 0.289, 2.4],
  ['svc-gemma4-31b', '~120 tok/s', '175k', 0.14, 0.4],
  // Also served; its context window and rates are not shown.
  ['svc-glm53-744b'],
];
const betas = new Set(['svc-dsv4flash']);

/** Used when the live catalogue cannot be read. */
export const fallbackModels: readonly Model[] = table.map(
  ([id, speed, window, input, output, cachedInput]) => ({
    id,
    speed,
    contextTokens: window === undefined ? undefined : windowTokens(window),
    isBeta: betas.has(id),
    price: input === undefined || output === undefined ? undefined : { input, output, cachedInput },
    features: commonFeatures,
  }),
);

/**
 * The public page of the site, which is requested without the key.
 * @see service document, introduction, and Versioning, 6; the shape is not shown: {@link catalogueItems}
 */
export function catalogueOperation(): Operation<Catalogue> {
  return {
    name: 'catalogue',
    callClass: 'read',
    method: 'GET',
    path: cataloguePath,
    target: 'site',
    accept: 'application/json',
    // Short, because the built-in table can be used instead.
    timeouts: { headersMs: headersMs.read, deadlineMs: 30_000, patienceMs: 5000 },
    read: async context => {
      // Not `readJsonObject`: the page may be a list.
      const page = parseJson(await readBodyText(context, sizeLimits.jsonBody));
      const { models, unreadable } = readModels(context, page);
      if (models.length === 0) throw unexpectedShape('model catalogue', context);
      return { models, unreadable, source: 'live', fetchedAt: context.now() };
    },
  };
}

/**
 * Falls back to the built-in table, with the reason, when `call` fails.
 * @throws {AbortError} when the call is canceled.
 */
export async function orBuiltIn(
  call: () => Promise<CallResult<Catalogue>>,
  { clock, log }: { readonly clock: Clock; readonly log: (line: string) => void },
): Promise<CallResult<Catalogue>> {
  const startedAt = clock.monotonic();
  try {
    return await call();
  } catch (problem) {
    if (!(problem instanceof ServiceError)) throw problem;
    log(`catalogue: the built-in table stands in (${problem.kind})`);
    return {
      models: fallbackModels,
      unreadable: 0,
      source: 'builtIn',
      problem,
      attempts: problem.attempts,
      ms: clock.monotonic() - startedAt,
    };
  }
}

/** When several models have the same id, the first one is used. */
function readModels(
  context: ResponseContext,
  page: unknown,
): { models: Model[]; unreadable: number } {
  const models = new Map<string, Model>();
  let unreadable = 0;
  for (const [key, item] of catalogueItems(page)) {
    const model = readModel(key, item);
    if (!model) {
      unreadable++;
      context.warn('a model in the catalogue could not be read');
    } else if (!models.has(model.id)) models.set(model.id, model);
  }
  return { models: [...models.values()], unreadable };
}

function readModel(key: string | undefined, item: unknown): Model | undefined {
  if (key === undefined && typeof item === 'string') return readModel(item, {});
  if (!isRecord(item)) return undefined;
  const id = textOf(item['id']) ?? key;
  // An id with other characters, or a longer one, is not fit to be sent or shown.
  if (id === undefined || !/^[\w.:/@-]{1,200}$/.test(id)) return undefined;
  return {
    id,
    contextTokens: tokens(item, contextNames),
    maxOutputTokens: tokens(item, maxOutputNames),
    speed: textOf(item['speed']),
    isBeta: item['beta'] === true || item['is_beta'] === true,
    price: readPrice(item),
    features: texts(item['supported_features']) ?? [],
    inputModalities: texts(item['input_modalities']),
    use: specialModels.find(special => special.id === id)?.use,
  };
}

function tokens(
  item: Readonly<Record<string, unknown>>,
  names: readonly string[],
): number | undefined {
  for (const name of names) {
    const value = item[name];
    const count = typeof value === 'string' ? windowTokens(value) : value;
    if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) return count;
  }
  return undefined;
}

/** `undefined` unless both rates are known: half a price would be wrong. */
function readPrice(item: Readonly<Record<string, unknown>>): TokenPrice | undefined {
  const pricing = isRecord(item['pricing']) ? item['pricing'] : {};
  const rate = (names: (typeof rateNames)[keyof typeof rateNames]): number | undefined => {
    const exact = rateOf(item[names.perMillion]) ?? rateOf(pricing[names.perMillion]);
    if (exact !== undefined) return exact;
    const open = names.open.map(name => rateOf(pricing[name])).find(value => value !== undefined);
    return open === undefined ? undefined : perMillion(open);
  };
  const input = rate(rateNames.input);
  const output = rate(rateNames.output);
  if (input === undefined || output === undefined) return undefined;
  return { input, output, cachedInput: rate(rateNames.cachedInput) };
}

/** A number, also as text; in public catalogues a negative rate means "it depends". */
function rateOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined;
}
