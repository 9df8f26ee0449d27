import * as z from 'zod';
import { sentence } from '../../base/sentence';
import { isRecord, textOf } from '../../base/typeGuards';
import type { Operation } from '../http/operation';
import { type ResponseContext, readJsonObject } from '../http/responseContext';
import { headersMs } from '../http/timeouts';
import { checkRange, limitError } from '../limits';
import { parseObject, readItems } from '../schema';
import { readUsage, type Usage } from '../usage';

/** Either `documents` or `embeddingIds`, at least one of them. */
export type RerankRequest = {
  readonly query: string;
  /** Number of results, 1 to the number of documents; all of them when absent. */
  readonly topN?: number | undefined;
} & (
  | { readonly documents: readonly string[]; readonly embeddingIds?: undefined }
  /** Require remote content storage, a setting of the account. */
  | { readonly embeddingIds: readonly string[]; readonly documents?: undefined }
);

interface RankedDocument {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly score: number;
  /** The document, where the answer holds it. */
  readonly text?: string | undefined;
}

export interface RerankResult {
  /** Highest score first. */
  readonly results: readonly RankedDocument[];
  readonly usage?: Usage | undefined;
}

const some = z.unknown().optional();
const answerSchema = z.object({
  id: some,
  object: some,
  model: some,
  usage: some,
  results: z.array(z.unknown()),
});
const rankedSchema = z.object({
  index: z.number().int(),
  relevance_score: z.number(),
  document: some,
});

const model = 'svc-rerank-v4';

/**
 * Sorts documents by relevance to a query. The service plans to remove this operation in favour of the code
 * search subagent; nothing new should be built on it.
 *
 * @throws {ServiceError} `limit` without documents, or with both kinds of them.
 * @see service document, Endpoints, "POST /v1/rerank", and Versioning, rule 5
 */
export function rerankOperation(request: RerankRequest): Operation<RerankResult> {
  const { query, documents, embeddingIds, topN } = request;
  if (documents !== undefined && embeddingIds !== undefined) {
    throw limitError('Give either documents or embedding ids, not both.');
  }
  const total = (documents ?? embeddingIds ?? []).length;
  if (total === 0) throw limitError('Give at least one document.');
  if (topN !== undefined) checkRange(topN, 1, total, sentence('The number of results'));
  return {
    name: 'rerank',
    model,
    callClass: 'compute',
    method: 'POST',
    path: '/v1/rerank',
    accept: 'application/json',
    timeouts: { headersMs: headersMs.predict },
    body: { model, query, documents, embedding_ids: embeddingIds, top_n: topN },
    read: async context => ranking(context, await readJsonObject(context), total),
    charge: ({ usage }) => ({ kind: 'tokens', model, usage, answerChars: 0 }),
  };
}

function ranking(context: ResponseContext, json: unknown, total: number): RerankResult {
  const wire = parseObject(context, answerSchema, 'rerank result', json);
  const { items } = readItems(context, rankedSchema, 'rerank result', wire.results);
  const seen = new Set<number>();
  const results: RankedDocument[] = [];
  for (const { index, relevance_score: score, document } of items) {
    if (index < 0 || index >= total || seen.has(index)) {
      context.warn('a rerank result has an index that was not asked about');
      continue;
    }
    seen.add(index);
    const text = textOf(document) ?? (isRecord(document) ? textOf(document['text']) : undefined);
    results.push({ index, score, ...(text === undefined ? {} : { text }) });
  }
  results.sort((a, b) => b.score - a.score);
  return { results, usage: readUsage(wire.usage) };
}
