import * as z from 'zod';
import { isRecord } from '../../base/typeGuards';
import { embeddingsPath, vectorOf } from '../assumptions';
import type { Operation } from '../http/operation';
import { type ResponseContext, readJsonObject } from '../http/responseContext';
import { headersMs, sizeLimits } from '../http/timeouts';
import { limitError } from '../limits';
import { parseObject, unexpectedShape } from '../schema';
import { readUsage, type Usage } from '../usage';

export interface EmbedRequest {
  /** One text, or several in one request. */
  readonly input: string | readonly string[];
}

export interface Embeddings {
  /** One for each text, in the order of the texts, all of the same length. */
  readonly vectors: readonly Float32Array[];
  readonly usage?: Usage | undefined;
}

const some = z.unknown().optional();
/** Without the vectors, which are read separately because they are long. */
const answerSchema = z.object({
  id: some,
  object: some,
  model: some,
  usage: some,
  data: z.array(z.unknown()),
});

const model = 'svc-embedding-v4';

/**
 * @throws {ServiceError} `protocol` unless every text has its vector.
 * @see service document, Endpoints, "Embeddings"; {@link embeddingsPath} for the path, which it does not show
 */
export function embedOperation({ input }: EmbedRequest): Operation<Embeddings> {
  const total = typeof input === 'string' ? 1 : input.length;
  if (total === 0) throw limitError('Give at least one text.');
  return {
    name: 'embed',
    model,
    callClass: 'compute',
    method: 'POST',
    path: embeddingsPath,
    accept: 'application/json',
    timeouts: { headersMs: headersMs.predict },
    body: { model, input },
    async read(context) {
      const json = await readJsonObject(
        context,
        Math.max(sizeLimits.jsonBody, total * sizeLimits.vector),
      );
      const wire = parseObject(context, answerSchema, 'list of embeddings', json);
      return { vectors: inOrder(context, wire.data, total), usage: readUsage(wire.usage) };
    },
    charge: ({ usage }) => ({ kind: 'tokens', model, usage, answerChars: 0 }),
  };
}

function inOrder(
  context: ResponseContext,
  data: readonly unknown[],
  total: number,
): Float32Array[] {
  const byIndex = new Map<number, Float32Array>();
  for (const [at, item] of data.entries()) {
    if (!isRecord(item)) continue;
    const { index, embedding } = item;
    const vector = vectorOf(embedding);
    if (vector && vector.length > 0) byIndex.set(typeof index === 'number' ? index : at, vector);
  }
  const vectors: Float32Array[] = [];
  for (let at = 0; at < total; at++) {
    const vector = byIndex.get(at);
    // A vector that is missing or of another length would make comparisons wrong without notice.
    if (!vector || vector.length !== (vectors[0] ?? vector).length) {
      throw unexpectedShape('list with an embedding for every text', context);
    }
    vectors.push(vector);
  }
  return vectors;
}
