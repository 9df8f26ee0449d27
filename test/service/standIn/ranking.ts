import { estimateTokens } from '../../../src/service/tokens';
import { embeddingModel, rerankModel } from './catalogue';
import { wordsOf } from './compactor';
import { invalid, oneOf, type Route, readFields } from './routing';
import type { World } from './world';

/** Texts behind embedding ids, as an account with remote storage has them. */
const storedTexts: Readonly<Record<string, string | undefined>> = {
  'emb-cart': 'The cart adds up the prices of its items and applies one discount.',
  'emb-login': 'A user logs in with a password; the session ends after an hour.',
  'emb-search': 'The search reads an index of words and ranks files by their rarity.',
  /** Known, though its text is not stored any more. */
  'emb-old': undefined,
};

const dimensions = 512;

/** Service document, Endpoints, "POST /v1/rerank" and "Embeddings". */
export function rankingRoutes(world: World): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/rerank',
      handle({ body }) {
        const read = readFields(body, {
          model: 'string',
          query: 'string',
          documents: 'strings?',
          embedding_ids: 'strings?',
          top_n: 'integer?',
        });
        const { query, documents, embedding_ids: ids } = read;
        oneOf('model', read.model, [rerankModel]);
        if (!documents && !ids) throw invalid('missing field: documents or embedding_ids');
        if (documents && ids) throw invalid('either documents or embedding_ids, not both');
        if (ids && !world.switches.remoteStorage)
          throw invalid('embedding_ids need remote content storage, see the account settings');
        const texts: readonly (string | undefined)[] = documents ?? (ids ?? []).map(storedText);
        const topN = read.top_n ?? texts.length;
        if (topN < (texts.length > 0 ? 1 : 0)) throw invalid('top_n must be at least 1');
        const results = texts
          .map((text, index) => ({
            index,
            ...(text === undefined ? {} : { document: { text } }),
            relevance_score: relevance(query, text ?? ''),
          }))
          .sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index);
        return {
          id: world.nextId('rerank-'),
          model: rerankModel,
          usage: { total_tokens: texts.reduce((sum, text) => sum + estimateTokens(text ?? ''), 0) },
          results: results.slice(0, topN),
        };
      },
    },
    {
      method: 'POST',
      path: '/v1/embeddings',
      handle({ body }) {
        const { model, encoding_format: format } = readFields(body, {
          model: 'string',
          encoding_format: 'string?',
        });
        oneOf('model', model, [embeddingModel]);
        oneOf('encoding_format', format, ['float', 'base64']);
        const { input } = body;
        const texts =
          typeof input === 'string' ? [input] : readFields(body, { input: 'strings' }).input;
        const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
        return {
          object: 'list',
          data: texts.map((text, index) => {
            const vector = vectorOf(text);
            const embedding =
              format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
            return { object: 'embedding', index, embedding };
          }),
          model,
          usage: { prompt_tokens: tokens, total_tokens: tokens },
        };
      },
    },
  ];
}

function storedText(id: string): string | undefined {
  if (!Object.hasOwn(storedTexts, id)) throw invalid(`unknown embedding id: ${id}`);
  return storedTexts[id];
}

/** 0 to 1: the share of the query's words in the text; where they stand dense counts a little. */
function relevance(query: string, text: string): number {
  const asked = [...new Set(wordsOf(query))];
  const words = wordsOf(text);
  const known = new Set(words);
  const found = asked.filter(word => known.has(word)).length;
  if (found === 0) return 0.01;
  const density = Math.min(1, found / Math.sqrt(words.length));
  return Math.round((0.9 * (found / asked.length) + 0.09 * density) * 1e4) / 1e4;
}

/** A unit vector; texts with the same words are near each other. */
function vectorOf(text: string): Float32Array<ArrayBuffer> {
  const vector = new Float32Array(dimensions);
  for (const word of wordsOf(text)) {
    let hash = 2_166_136_261;
    for (let at = 0; at < word.length; at++)
      hash = Math.imul(hash ^ word.charCodeAt(at), 16_777_619) >>> 0;
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + ((hash & 0x10000) === 0 ? 1 : -1);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map(value => value / length);
}
