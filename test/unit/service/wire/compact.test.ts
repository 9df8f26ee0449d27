import assert from 'node:assert/strict';
import type { FinishedCall } from '../../../../src/service/http/operation';
import type { CompactRequest, CompactRoute } from '../../../../src/service/wire/compact';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { answer } from '../../../service/faults';
import { completion } from '../../../service/wire';
import { failureOf, never, testClient } from '../helpers';

const input = 'one\ntwo\nthree\nfour\nfive\n';

describe('compact', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  const compact = (body: object, request: Partial<CompactRequest> = {}, lines: string[] = []) => {
    server.script(answer(200, body));
    const made = testClient(server.url, {
      log: line => lines.push(line),
      timeouts: { headersMs: 5000 },
    });
    return made.client.compact({ input, ...request }, { signal: never() });
  };

  const model = 'svc-compactor';
  const sent: [Partial<CompactRequest>, string, object][] = [
    [{}, '/v1/compact', { input }],
    [
      { query: 'q', ratio: 1, preserveRecent: 0 },
      '/v1/compact',
      { input, query: 'q', compression_ratio: 1, preserve_recent: 0 },
    ],
    [
      { route: 'chat' },
      '/v1/chat/completions',
      { model, messages: [{ role: 'user', content: input }] },
    ],
    [{ route: 'responses' }, '/v1/responses', { model, input }],
  ];
  for (const [request, path, body] of sent)
    it(`sends ${JSON.stringify(Object.keys(request))} to ${path}`, async () => {
      const shapes = { output: 'one\n', status: 'completed', ...completion('one\n') };
      const { text } = await compact(shapes, request);
      assert.equal(text, 'one\n');
      const [seen] = server.requests;
      assert.equal(`${seen?.method} ${seen?.path}`, `POST ${path}`);
      assert.deepEqual(JSON.parse(seen?.body ?? ''), body);
    });

  const answers: [string, CompactRoute, object, string, unknown][] = [
    ['output', 'compact', { output: 'one\n' }, 'one\n', undefined],
    ['a message', 'compact', { messages: [{ content: 'one' }] }, 'one', undefined],
    [
      'a message in parts',
      'compact',
      { messages: [{ content: [{ type: 'text', text: 'one\n' }, { text: 'two' }] }] },
      'one\ntwo',
      undefined,
    ],
    [
      'counts of tokens',
      'compact',
      { output: 'one', usage: { input_tokens: 9, output_tokens: 2, compression_ratio: 0.2 } },
      'one',
      { promptTokens: 9, completionTokens: 2 },
    ],
    ['completion', 'chat', completion('one'), 'one', { promptTokens: 12, completionTokens: 3 }],
    [
      'output_text',
      'responses',
      { status: 'completed', output_text: 'one', error: null },
      'one',
      undefined,
    ],
    [
      'output parts without the reasoning',
      'responses',
      {
        status: 'completed',
        output: [
          { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] },
          { type: 'message', content: [{ type: 'output_text', text: 'one\n' }, { text: 'two' }] },
          { content: 'three' },
        ],
        usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 2 },
      },
      'one\ntwothree',
      { promptTokens: 9, completionTokens: 2, cachedTokens: 4 },
    ],
  ];
  for (const [name, route, body, text, usage] of answers)
    it(`reads ${name} (${route})`, async () => {
      const result = await compact(body, { route });
      assert.equal(result.text, text);
      assert.deepEqual(result.usage, usage);
      assert.deepEqual([result.removedRanges, result.keptRanges], [undefined, undefined]);
    });

  const note = 'unexpected: a line range of a compacted text could not be used';
  const ranges: [string, object, unknown, boolean][] = [
    ['objects', { compacted_line_ranges: [{ start: 1, end: 2 }] }, [[1, 2]], false],
    [
      'pairs and texts',
      { compacted_line_ranges: [[1, 1], '3 - 5'] },
      [
        [1, 1],
        [3, 5],
      ],
      false,
    ],
    ['an empty list', { compacted_line_ranges: [] }, [], false],
    ['no list', { compacted_line_ranges: 'all' }, undefined, false],
    ['null', { compacted_line_ranges: null }, undefined, false],
    ['those of a message', { messages: [{ compacted_line_ranges: [[2, 3]] }] }, [[2, 3]], false],
    [
      'only those that fit together and into the text',
      {
        compacted_line_ranges: [
          [0, 1],
          [2, 3],
          [3, 4],
          [1, 1],
          [5, 4],
          [4, 7],
          [4, '5'],
          [1.5, 2],
          [4],
          null,
          'x',
          { start: 5, end: 6 },
        ],
      },
      [
        [2, 3],
        [5, 6],
      ],
      true,
    ],
  ];
  for (const [name, body, expected, isNoted] of ranges)
    it(`takes of the ranges ${name}`, async () => {
      const lines: string[] = [];
      const result = await compact({ output: 'one', ...body }, {}, lines);
      assert.deepEqual(result.removedRanges, expected);
      assert.equal(lines.filter(line => line === note).length, isNoted ? 1 : 0);
    });

  it('keeps the kept ranges apart', async () => {
    const body = { output: 'one', compacted_line_ranges: [[2, 5]], kept_line_ranges: [[1, 1]] };
    const result = await compact(body);
    assert.deepEqual(result.keptRanges, [[1, 1]]);
    assert.deepEqual(result.removedRanges, [[2, 5]]);
  });

  it('charges the tokens, or tells how long the text is that they have to be estimated from', async () => {
    const calls: FinishedCall[] = [];
    const billing = {
      admit: async () => undefined,
      record: async (call: FinishedCall) => void calls.push(call),
    };
    server.script(answer(200, completion('one')), answer(200, { output: 'one' }));
    const { client } = testClient(server.url, { billing });
    await client.compact({ input, route: 'chat' }, { signal: never() });
    await client.compact({ input }, { signal: never() });
    const usage = { promptTokens: 12, completionTokens: 3 };
    assert.deepEqual(
      calls.map(({ charge }) => charge),
      [
        { kind: 'tokens', model, usage, answerChars: 3 },
        { kind: 'tokens', model, usage: undefined, answerChars: 3 },
      ],
    );
  });

  it('notes a new field by name', async () => {
    const lines: string[] = [];
    await compact({ output: 'one', mood: 'secret' }, {}, lines);
    assert.ok(lines.includes('unexpected: compacted text has a new field "mood"'));
  });

  const refused: [string, Partial<CompactRequest>, RegExp][] = [
    ['ratio 0', { ratio: 0 }, /ratio must be above 0 and at most 1/],
    ['ratio 1.01', { ratio: 1.01 }, /ratio/],
    ['ratio NaN', { ratio: Number.NaN }, /ratio/],
    ['half a line to preserve', { preserveRecent: 0.5 }, /whole number/],
    ['fewer than none to preserve', { preserveRecent: -1 }, /whole number/],
    ['a query over chat', { route: 'chat', query: 'q' }, /compact endpoint/],
    ['a ratio over responses', { route: 'responses', ratio: 0.5 }, /compact endpoint/],
    ['too many tokens', { input: 'word '.repeat(1_200_000) }, /1,000,000 tokens/],
  ];
  for (const [name, request, message] of refused)
    it(`sends nothing with ${name}`, async () => {
      const error = await failureOf(compact({ output: 'one' }, request));
      assert.equal(error.kind, 'limit');
      assert.match(error.message, message);
      assert.equal(server.requests.length, 0);
    });

  const failed: [string, CompactRoute, object, string][] = [
    ['an empty text', 'compact', { output: '\n' }, 'truncated'],
    ['an empty completion', 'chat', completion(''), 'truncated'],
    ['an empty response', 'responses', { status: 'completed', output_text: '' }, 'truncated'],
    ['a response without a status', 'responses', { output_text: 'one' }, 'truncated'],
    ['a failed response', 'responses', { status: 'failed', output_text: 'one' }, 'truncated'],
    ['a text with another end', 'compact', { output: 'one', finish_reason: 'length' }, 'truncated'],
    [
      'a response that hit a limit',
      'responses',
      { status: 'incomplete', output_text: 'one' },
      'truncated',
    ],
    ['no text', 'compact', { object: 'compact' }, 'protocol'],
    ['no text', 'responses', { output: [] }, 'protocol'],
    ['an error', 'responses', { error: { message: 'no' } }, 'server'],
  ];
  for (const [name, route, body, kind] of failed)
    it(`${name} is ${kind} (${route})`, async () => {
      assert.equal((await failureOf(compact(body, { route }))).kind, kind);
    });

  it('takes an empty text for the answer to an empty one', async () => {
    assert.equal((await compact({ output: '' }, { input: ' \n' })).text, '');
  });

  it('takes an answer that is longer than others may be', async () => {
    const long = 'many words\n'.repeat(300_000);
    const content = long.repeat(5);
    const body = { output: long, messages: [{ content, compacted_line_ranges: [] }] };
    assert.ok(JSON.stringify(body).length > 16 << 20);
    assert.equal((await compact(body, { input: long })).text.length, long.length);
  });
});
