import { sentence } from '../../base/sentence';
import * as z from 'zod';
import { isRecord, textOf } from '../guards';
import { checkRange, limitError } from '../limits';
import type { Operation } from '../operation';
import { type Reply, readJson } from '../reply';
import { parseObject, readItems } from '../schema';
import { headersMs } from '../timeouts';
import { type Usage, readUsage } from '../usage';

/** Either `documents` or `embeddingIds`, at least one of them. */
export type RerankRequest = {
  readonly query: string;
  /** How many results to give, 1 to the number of documents; all of them when absent. */
  readonly topN?: number | undefined;
} & (
  | { readonly documents: readonly string[]; readonly embeddingIds?: undefined }
  /** They need remote content storage, a setting of the account. */
  | { readonly embeddingIds: readonly string[]; readonly documents?: undefined }
);

export interface Ranked {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly score: number;
  /** The document, where the answer holds it. */
  readonly text?: string | undefined;
}

export interface RerankResult {
  /** Highest score first. */
  readonly results: readonly Ranked[];
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
 * Orders documents by how relevant they are to a query. The service plans to remove this and names the
 * code search subagent in its place; nothing new should be built on it.
 *
 * @throws {ServiceError} `limit` without documents, or with both kinds of them.
 * @see service document, Endpoints, "POST /v1/rerank", and Versioning, rule 5
 */
export function rerankOperation(request: RerankRequest): Operation<RerankResult> {
  const { query, documents, embeddingIds, topN } = request;
  if (documents !== undefined && embeddingIds !== undefined)
    throw limitError('Give either documents or embedding ids, not both.');
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
    read: async reply => ranking(reply, await readJson(reply), total),
    charge: ({ usage }) => ({ kind: 'tokens', model, usage, answerChars: 0 }),
  };
}

function ranking(reply: Reply, json: unknown, total: number): RerankResult {
  const wire = parseObject(reply, answerSchema, 'rerank result', json);
  const { items } = readItems(reply, rankedSchema, 'rerank result', wire.results);
  const seen = new Set<number>();
  const results: Ranked[] = [];
  for (const { index, relevance_score: score, document } of items) {
    if (index < 0 || index >= total || seen.has(index)) {
      reply.note('a rerank result has an index that was not asked about');
      continue;
    }
    seen.add(index);
    const text = textOf(document) ?? (isRecord(document) ? textOf(document['text']) : undefined);
    results.push({ index, score, ...(text === undefined ? {} : { text }) });
  }
  results.sort((a, b) => b.score - a.score);
  return { results, usage: readUsage(wire.usage) };
}
