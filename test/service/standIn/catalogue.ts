import type { Route } from './routing';

/** USD per million tokens, context in tokens (service document, Model catalogue). */
export interface CatalogueModel {
  readonly id: string;
  readonly name: string;
  readonly context: number;
  readonly input: number;
  readonly output: number;
  /** The others have no rate of their own for cached input. */
  readonly cachedInput?: number;
  /** One of {@link providers}. */
  readonly provider: string;
}

/** The three keys of the router's paths are not shown; these stand for them. */
export const providers = ['first', 'second', 'third'] as const;

const rows: readonly [string, number, number, number, number?][] = [
  ['svc-kimik3', 1_000_000, 2.9, 14],
  ['svc-kimik3-fast', 1_000_000, 6, 22.5],
  ['svc-qwen35-397b', 262_144, 0.5, 3.5, 0.3],
  ['svc-glm52-744b', 1_000_000, 1.1, 4.1],
  ['svc-glm53flash', 1_000_000, 0.15, 0.5],
  ['svc-minimax3-428b', 256_000, 0.3, 1.2],
  ['svc-minimax27-230b', 196_000, 0.279, 1.2],
  ['svc-dsv4flash', 1_000_000, 0.12, 0.278],
  ['svc-qwen38-27b', 131_072, 0.289, 2.4],
  ['svc-qwen36-27b', 131_072, 0.289, 2.4],
  ['svc-gemma4-31b', 175_000, 0.14, 0.4],
];

const displayName = (id: string): string => id.replace(/^svc-/, '').replaceAll('-', ' ');

export const catalogue: readonly CatalogueModel[] = rows.map(
  ([id, context, input, output, cachedInput], at) => ({
    id,
    name: displayName(id),
    context,
    input,
    output,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    provider: providers[at % providers.length] ?? providers[0],
  }),
);

/** Served, though without a context window and rates in the document. */
const unpriced = 'svc-glm53-744b';

export const applyModels: readonly string[] = ['svc-v3-fast', 'svc-v3-large', 'auto'];
export const compactModel = 'svc-compactor';
export const searchModel = 'svc-warp-grep-v2.1';
export const rerankModel = 'svc-rerank-v4';
export const embeddingModel = 'svc-embedding-v4';
export const reflexBase = 'svc-reflex-v1';
/** The only ones with dynamic tool loading. */
export const dynamicToolModels: readonly string[] = ['svc-kimik3', 'svc-kimik3-fast'];
/** The one that standby is documented for. */
export const standbyModel = 'svc-glm52-744b';

export function isChatModel(id: string): boolean {
  return id === unpriced || catalogue.some(model => model.id === id);
}

export function modelOf(id: string): CatalogueModel | undefined {
  return catalogue.find(model => model.id === id);
}

const features = ['tools', 'json_mode', 'structured_outputs', 'logprobs', 'reasoning'];

/** USD per token as text, without an exponent. */
const perToken = (perMillion: number): string =>
  (perMillion / 1e6).toFixed(12).replace(/\.?0+$/, '');

export function catalogueRoutes(): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/models/json',
      auth: 'none',
      handle: () => ({
        object: 'list',
        data: [
          ...catalogue.map(({ id, name, context, input, output, cachedInput }) => ({
            id,
            object: 'model',
            name,
            context_length: context,
            supported_features: features,
            pricing: {
              prompt: perToken(input),
              completion: perToken(output),
              ...(cachedInput === undefined ? {} : { input_cache_read: perToken(cachedInput) }),
            },
          })),
          { id: unpriced, object: 'model', name: displayName(unpriced) },
        ],
      }),
    },
  ];
}
