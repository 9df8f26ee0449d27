import assert from 'node:assert/strict';
import type { FinishedCall } from '../../../../src/service/http/operation';
import type { RerankRequest } from '../../../../src/service/wire/rerank';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { answer } from '../../../service/faults';
import { failureOf, never, testClient } from '../helpers';

const ranked = (index: number, score: number, document?: unknown) => ({
  index,
  relevance_score: score,
  ...(document === undefined ? {} : { document }),
});

describe('rerank and embeddings', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  const options = { signal: never() };

  /** The client, with the calls that it is billed for and the unexpected in the answers. */
  function scripted(body: object) {
    server.script(answer(200, body));
    const calls: FinishedCall[] = [];
    const unexpected: string[] = [];
    const { client } = testClient(server.url, {
      billing: {
        admit: async () => undefined,
        record: async call => void calls.push(call),
      },
      log: line => void (line.startsWith('unexpected') && unexpected.push(line)),
      timeouts: { headersMs: 5000 },
    });
    return { client, calls, unexpected };
  }

  const sentBody = (): unknown => JSON.parse(server.requests[0]?.body ?? '');

  describe('rerank', () => {
    const documents = ['a', 'b', 'c'];

    it('sends documents, or embedding ids, and how many results to give', async () => {
      const body = {
        id: 'rerank-1',
        model: 'svc-rerank-v4',
        usage: { total_tokens: 9 },
        results: [],
      };
      const first = scripted(body);
      const result = await first.client.rerank({ query: 'q', documents, topN: 3 }, options);
      assert.equal(server.requests[0]?.path, '/v1/rerank');
      assert.deepEqual(sentBody(), { model: 'svc-rerank-v4', query: 'q', documents, top_n: 3 });
      assert.deepEqual(first.calls[0]?.charge, {
        kind: 'tokens',
        model: 'svc-rerank-v4',
        usage: { promptTokens: 9, completionTokens: 0 },
        answerChars: 0,
      });
      assert.deepEqual(result.results, []);
      await scripted(body).client.rerank({ query: 'q', embeddingIds: ['e'] }, options);
      assert.deepEqual(sentBody(), { model: 'svc-rerank-v4', query: 'q', embedding_ids: ['e'] });
    });

    const strange = 'unexpected: a rerank result has an index that was not asked about';
    const answers: [string, unknown[], object[], string[]][] = [
      [
        'text in any place, or none',
        [ranked(2, 0.9, { text: 'c' }), ranked(0, 0.5, 'a'), ranked(1, 0.1, { id: 1 })],
        [
          { index: 2, score: 0.9, text: 'c' },
          { index: 0, score: 0.5, text: 'a' },
          { index: 1, score: 0.1 },
        ],
        [],
      ],
      [
        'results in another order',
        [ranked(0, 0.1), ranked(1, 0.9)],
        [
          { index: 1, score: 0.9 },
          { index: 0, score: 0.1 },
        ],
        [],
      ],
      [
        'an index out of range, and one that comes twice',
        [ranked(3, 0.9), ranked(-1, 0.8), ranked(1, 0.7), ranked(1, 0.6)],
        [{ index: 1, score: 0.7 }],
        [strange],
      ],
      [
        'results that cannot be read',
        [null, { index: 1 }, { index: 0.5, relevance_score: 1 }, ranked(0, 0.2)],
        [{ index: 0, score: 0.2 }],
        ['unexpected: rerank result in a list could not be read'],
      ],
    ];
    for (const [name, results, expected, noted] of answers)
      it(`reads ${name}`, async () => {
        const { client, unexpected } = scripted({ results });
        assert.deepEqual(
          (await client.rerank({ query: 'q', documents }, options)).results,
          expected,
        );
        assert.deepEqual(unexpected, noted);
      });

    it('notes a new field and takes an answer without results for another one', async () => {
      const { client, unexpected } = scripted({ results: [], mood: 1 });
      await client.rerank({ query: 'q', documents }, options);
      assert.deepEqual(unexpected, ['unexpected: rerank result has a new field "mood"']);
      const other = scripted({ data: [] }).client.rerank({ query: 'q', documents }, options);
      assert.equal((await failureOf(other)).kind, 'protocol');
    });

    const refused: [string, object, RegExp][] = [
      ['both kinds', { documents, embeddingIds: ['e'] }, /not both/],
      ['neither kind', {}, /at least one document/],
      ['an empty list', { documents: [] }, /at least one document/],
      ['no result', { documents, topN: 0 }, /from 1 to 3/],
      ['more results than documents', { documents, topN: 4 }, /from 1 to 3/],
    ];
    for (const [name, request, message] of refused)
      it(`sends nothing for ${name}`, async () => {
        // Also what the type forbids: a request may come from elsewhere.
        const asked: RerankRequest = JSON.parse(JSON.stringify({ query: 'q', ...request }));
        const error = await failureOf(scripted({}).client.rerank(asked, options));
        assert.equal(error.kind, 'limit');
        assert.match(error.message, message);
        assert.equal(server.requests.length, 0);
      });
  });

  describe('embed', () => {
    const base64 = Buffer.from(Float32Array.of(1, -0.5).buffer).toString('base64');

    it('sends one text or several, and charges their tokens', async () => {
      const usage = { prompt_tokens: 5, total_tokens: 5 };
      const { client, calls } = scripted({ data: [{ embedding: [1, 2] }], usage });
      const { vectors } = await client.embed({ input: 'a' }, options);
      assert.deepEqual(vectors, [Float32Array.of(1, 2)]);
      assert.equal(server.requests[0]?.path, '/v1/embeddings');
      assert.deepEqual(sentBody(), { model: 'svc-embedding-v4', input: 'a' });
      assert.deepEqual(calls[0]?.charge, {
        kind: 'tokens',
        model: 'svc-embedding-v4',
        usage: { promptTokens: 5, completionTokens: 0 },
        answerChars: 0,
      });
      const many = scripted({ data: [{ embedding: [1] }, { embedding: [2] }] }).client;
      await many.embed({ input: ['a', 'b'] }, options);
      assert.deepEqual(sentBody(), { model: 'svc-embedding-v4', input: ['a', 'b'] });
    });

    const answers: [string, unknown[]][] = [
      ['in their order', [{ embedding: [1, -0.5] }, { embedding: [2, 0] }]],
      [
        'by their index',
        [
          { index: 1, embedding: [2, 0] },
          { index: 0, embedding: [1, -0.5] },
        ],
      ],
      [
        'in base64',
        [
          { index: 0, embedding: base64 },
          { index: 1, embedding: [2, 0] },
        ],
      ],
      [
        'among others',
        [{ embedding: [1, -0.5] }, { embedding: [2, 0], mood: 1 }, { index: 9, embedding: [3] }],
      ],
    ];
    for (const [name, data] of answers)
      it(`reads vectors ${name}`, async () => {
        const { vectors } = await scripted({ data }).client.embed({ input: ['a', 'b'] }, options);
        assert.deepEqual(vectors, [Float32Array.of(1, -0.5), Float32Array.of(2, 0)]);
      });

    const failed: [string, object][] = [
      ['no list', { vectors: [] }],
      ['a vector too few', { data: [{ embedding: [1] }] }],
      ['vectors of two lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
      ['an empty vector', { data: [{ embedding: [1] }, { embedding: [] }] }],
      ['no numbers', { data: [{ embedding: [1] }, { embedding: ['1'] }] }],
      ['half a number', { data: [{ embedding: [1] }, { embedding: base64.slice(0, 5) }] }],
    ];
    for (const [name, body] of failed)
      it(`${name} is protocol`, async () => {
        const pending = scripted(body).client.embed({ input: ['a', 'b'] }, options);
        assert.equal((await failureOf(pending)).kind, 'protocol');
      });

    it('sends nothing without a text', async () => {
      const error = await failureOf(scripted({}).client.embed({ input: [] }, options));
      assert.deepEqual([error.kind, server.requests.length], ['limit', 0]);
    });

    it('takes as many bytes as the vectors of all texts need', async () => {
      const embedding = Array.from({ length: 4096 }, (_, n) => -1 / (n + 3));
      const data = Array.from({ length: 250 }, (_, index) => ({ index, embedding }));
      assert.ok(JSON.stringify({ data }).length > 16 << 20);
      const input = Array.from({ length: 250 }, () => 'a');
      const { vectors } = await scripted({ data }).client.embed({ input }, options);
      assert.equal(vectors[249]?.[1], Math.fround(-1 / 4));
    });
  });
});
