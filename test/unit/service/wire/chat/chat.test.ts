import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { english } from '../../../../../src/base/sentence';
import { adviceFor } from '../../../../../src/service/advice';
import type { FinishedCall } from '../../../../../src/service/http/operation';
import type { AnswerDelta } from '../../../../../src/service/wire/chat/answer';
import type { ChatRequest } from '../../../../../src/service/wire/chat/chatRequest';
import { corpusOf } from '../../../../bench/streamCorpus';
import { type FaultServer, startFaultServer } from '../../../../service/faultServer';
import { answer, type Fault } from '../../../../service/faults';
import { completion, done, envelope, sse } from '../../../../service/wire';
import { failureOf, never, replying, testClient } from '../../helpers';

const glm = 'svc-glm52-744b';
const ask: ChatRequest = { model: glm, messages: [{ role: 'user', content: 'hi' }] };
const weather = { name: 'weather', description: 'Says it', parameters: { type: 'object' } };
const wireWeather = { type: 'function', function: weather };

/** A stream of chunks, each with this `delta`; the last one says why it ended. */
function deltas(parts: object[], finishReason = 'stop'): Fault {
  const events = parts.map(delta => sse({ choices: [{ index: 0, delta }] }));
  const end = sse({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }] });
  return streamed(events.join('') + end + done);
}

function streamed(text: string): Fault {
  return answer(200, text, { 'content-type': 'text/event-stream' });
}

describe('chat', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  const chat = (request: ChatRequest = ask, options = {}) =>
    testClient(server.url).client.chat(request, { signal: never(), ...options });
  const sentBody = (): Record<string, unknown> => JSON.parse(server.requests[0]?.body ?? '');

  const bodies: [string, Partial<ChatRequest>, object][] = [
    ['nothing that was not asked for', { tools: [] }, {}],
    [
      'tools',
      { tools: [weather], toolChoice: 'required' },
      { tools: [wireWeather], tool_choice: 'required' },
    ],
    ['JSON mode', { responseFormat: 'json' }, { response_format: { type: 'json_object' } }],
    [
      'a JSON schema',
      { responseFormat: { name: 'n', schema: { type: 'object' } } },
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'n', schema: { type: 'object' }, strict: true },
        },
      },
    ],
    [
      'effort and limits',
      { reasoning: { effort: 'low' }, maxTokens: 9, temperature: 0 },
      { reasoning: { effort: 'low' }, max_tokens: 9, temperature: 0 },
    ],
    ['logprobs', { logprobs: 3 }, { logprobs: true, top_logprobs: 3 }],
    ['standby', { serviceTier: 'standby' }, { service_tier: 'standby' }],
  ];
  for (const [name, request, expected] of bodies)
    it(`sends ${name}`, async () => {
      server.script('ok');
      await chat({ ...ask, ...request });
      const messages = [{ role: 'user', content: 'hi' }];
      assert.deepEqual(sentBody(), { model: glm, messages, ...expected });
    });

  it('sends a conversation of every role', async () => {
    server.script('ok');
    const toolCalls = [{ id: 'a', name: 'weather', arguments: '{}' }];
    await chat({
      model: 'svc-kimik3',
      messages: [
        { role: 'system', content: 'be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', url: 'data:image/png;base64,AA==' },
          ],
        },
        { role: 'assistant', toolCalls },
        { role: 'tool', toolCallId: 'a', content: 'sunny' },
        { role: 'system', tools: [weather] },
        { role: 'assistant' },
      ],
    });
    assert.deepEqual(sentBody()['messages'], [
      { role: 'system', content: 'be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'sunny' },
      // No `content` key, not even null.
      { role: 'system', tools: [wireWeather] },
      { role: 'assistant', content: '' },
    ]);
  });

  const refused: [string, Partial<ChatRequest>, RegExp][] = [
    ['no message', { messages: [] }, /at least one message/],
    ['tools for the search model', { model: 'svc-warp-grep-v2.1', tools: [weather] }, /own tools/],
    [
      'tools within a conversation',
      { messages: [{ role: 'system', tools: [weather] }] },
      /only svc-kimik3 and svc-kimik3-fast/,
    ],
    [
      'an empty list of them',
      { model: 'svc-kimik3', messages: [{ role: 'system', tools: [] }] },
      /at least one/,
    ],
    [
      'standby for another model',
      { model: 'svc-kimik3', serviceTier: 'standby' },
      /svc-glm52-744b only/,
    ],
    [
      'a conversation above the window',
      {
        contextTokens: 1000,
        messages: [0, 1, 2].map(() => ({ role: 'user', content: 'some words '.repeat(300) })),
      },
      /^The conversation is about .* limit is 1,000 tokens/,
    ],
    [
      'thoughts above the window',
      {
        contextTokens: 1000,
        messages: [{ role: 'assistant', content: 'yes', reasoning: 'some words '.repeat(900) }],
      },
      /limit is 1,000 tokens/,
    ],
    [
      'a call above the window',
      {
        contextTokens: 1000,
        messages: [
          {
            role: 'assistant',
            toolCalls: [{ id: 'a', name: 'weather', arguments: 'some words '.repeat(900) }],
          },
        ],
      },
      /limit is 1,000 tokens/,
    ],
    [
      'tools above the window',
      { contextTokens: 1000, tools: [{ ...weather, description: 'some words '.repeat(900) }] },
      /limit is 1,000 tokens/,
    ],
  ];
  for (const [name, request, message] of refused)
    it(`refuses ${name} before sending`, async () => {
      server.script('ok');
      const error = await failureOf(chat({ ...ask, ...request }));
      assert.equal(error.kind, 'limit');
      assert.match(adviceFor(error, english).message, message);
      assert.equal(server.requests.length, 0);
    });

  it('reads a whole answer with everything in it', async () => {
    const logprobs = { content: [{ token: 'a', logprob: -0.1 }] };
    const message = {
      content: [{ type: 'text', text: 'sun' }, { text: 'ny' }],
      reasoning_content: 'I look',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"at":"x"}' } },
        { function: { name: 'weather', arguments: { at: 'y' } } },
        { id: '', function: { name: 'now' } },
        { function: { name: 'now', arguments: '"{\\"zone\\":1}"' } },
        { function: { name: 'now', arguments: '{"zo' } },
        'damaged',
      ],
    };
    server.script(
      answer(
        200,
        completion('', {
          service_tier: 'standby',
          choices: [{ message, finish_reason: 'tool_calls', logprobs }],
        }),
      ),
    );
    const result = await chat();
    assert.equal(result.text, 'sunny');
    assert.equal(result.reasoning, 'I look');
    assert.deepEqual(result.toolCalls, [
      { id: 'a', name: 'weather', arguments: '{"at":"x"}', parsed: { at: 'x' } },
      { id: 'call_1', name: 'weather', arguments: '{"at":"y"}', parsed: { at: 'y' } },
      { id: 'call_2', name: 'now', arguments: '', parsed: {} },
      { id: 'call_3', name: 'now', arguments: '"{\\"zone\\":1}"', parsed: { zone: 1 } },
      { id: 'call_4', name: 'now', arguments: '{"zo', parsed: undefined },
    ]);
    assert.equal(result.finishReason, 'tool_calls');
    assert.equal(result.isCut, false);
    assert.equal(result.tier, 'standby');
    assert.deepEqual(result.logprobs, logprobs.content);
    assert.deepEqual(result.usage, { promptTokens: 12, completionTokens: 3 });
  });

  for (const [name, message] of Object.entries({
    'tool calls': { content: null, tool_calls: [{ id: 'a', function: { name: 'now' } }] },
    reasoning: { reasoning: 'hm' },
    nothing: {},
  }))
    it(`takes ${name} without a text for an answer`, async () => {
      const choice = { message, finish_reason: 'stop' };
      server.script(answer(200, completion('', { choices: [choice] })));
      const result = await chat();
      assert.equal(result.text, '');
      assert.equal(result.toolCalls.length, 'tool_calls' in message ? 1 : 0);
      assert.equal(result.reasoning, 'reasoning' in message ? 'hm' : '');
      assert.equal(result.finishReason, 'stop');
    });

  for (const stream of [false, true])
    it(`keeps an answer that was cut (stream: ${stream})`, async () => {
      server.script(stream ? 'streamLength' : 'lengthLimit');
      const result = await chat(ask, { stream });
      assert.equal(result.text, stream ? 'hello' : 'half');
      assert.equal(result.finishReason, 'length');
      assert.equal(result.isCut, true);
    });

  const pieces: [string, object[], [string, string, string][]][] = [
    [
      'by index',
      [
        { tool_calls: [{ index: 0, id: 'a', function: { name: 'now', arguments: '' } }] },
        { tool_calls: [{ index: 1, id: 'b', function: { name: 'then', arguments: '{"b"' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] },
        { tool_calls: [{ index: 1, function: { arguments: ':2}' } }] },
      ],
      [
        ['a', 'now', '{"a":1}'],
        ['b', 'then', '{"b":2}'],
      ],
    ],
    [
      'with one index and several ids',
      [
        { tool_calls: [{ index: 0, id: 'a', function: { name: 'now', arguments: '{}' } }] },
        { tool_calls: [{ index: 0, id: 'a', function: { name: 'now', arguments: '' } }] },
        { tool_calls: [{ index: 0, id: 'b', function: { name: 'now', arguments: '{}' } }] },
      ],
      [
        ['a', 'now', '{}'],
        ['b', 'now', '{}'],
      ],
    ],
    [
      'without index or id, arguments as an object',
      [
        { tool_calls: [{ function: { name: 'now', arguments: { a: 1 } } }] },
        { tool_calls: [{ function: { name: 'now' } }] },
        { tool_calls: [{ function: { arguments: '{"b":' } }] },
        { tool_calls: [{ function: { arguments: '2}' } }, 'damaged'] },
      ],
      [
        ['call_0', 'now', '{"a":1}'],
        ['call_1', 'now', '{"b":2}'],
      ],
    ],
    [
      'with the name after the id',
      [
        { tool_calls: [{ index: 7, id: 'a', function: {} }] },
        { tool_calls: [{ index: 7, id: '', function: { name: 'now', arguments: '{}' } }] },
      ],
      [['a', 'now', '{}']],
    ],
  ];
  for (const [name, parts, expected] of pieces)
    it(`joins the tool calls of a stream ${name}`, async () => {
      server.script(deltas(parts, 'tool_calls'));
      const seen = new Map<number, string[]>();
      const { toolCalls } = await chat(ask, {
        stream: true,
        onDelta: (delta: AnswerDelta) => {
          for (const piece of delta.toolCalls) {
            const call = seen.get(piece.index) ?? ['', '', ''];
            call[0] ||= piece.id ?? '';
            call[1] ||= piece.name ?? '';
            call[2] += piece.arguments;
            seen.set(piece.index, call);
          }
        },
      });
      assert.deepEqual(
        toolCalls.map(call => [call.id, call.name, call.arguments]),
        expected,
      );
      // What was shown piece by piece is what came out; made-up ids are only in the result.
      assert.deepEqual(
        [...seen.values()],
        expected.map(([id, ...rest]) => [id.startsWith('call_') ? '' : id, ...rest]),
      );
    });

  it('hands on what is new once per network read', async () => {
    const events = ['a', 'b'].map(content => sse({ choices: [{ delta: { content } }] }));
    const thought = sse({ choices: [{ delta: { reasoning: 'c' } }] });
    const seen: AnswerDelta[] = [];
    const client = replying([
      events.join('') + thought,
      ': still here\n\n',
      events.join('') + sse({ choices: [{ delta: {}, finish_reason: 'stop' }] }) + done,
    ]);
    const result = await client.chat(ask, {
      signal: never(),
      stream: true,
      onDelta: delta => seen.push(delta),
    });
    assert.deepEqual(seen, [
      { text: 'ab', reasoning: 'c', toolCalls: [] },
      { text: 'ab', reasoning: '', toolCalls: [] },
    ]);
    assert.equal(result.text, 'abab');
  });

  it('hands on nothing for an event without content', async () => {
    const seen: string[] = [];
    const client = replying([
      sse({ choices: [{ delta: { role: 'assistant' } }] }),
      sse({ choices: [{ delta: { content: 'a' } }] }),
      sse({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
      done,
    ]);
    const onDelta = ({ text }: AnswerDelta) => void seen.push(text);
    await client.chat(ask, { signal: never(), stream: true, onDelta });
    assert.deepEqual(seen, ['a']);
  });

  it('asks for the usage of a stream, and no more once the service has refused that', async () => {
    const { client } = testClient(server.url);
    const stream = true;
    const refusal = answer(400, envelope('invalid_request_error', 'unknown field stream_options'));
    server.script(refusal, 'okStream');
    const turn = () => client.chat(ask, { signal: never(), stream });
    assert.equal((await turn()).text, 'hello');
    await turn();
    assert.deepEqual(
      server.requests.map(seen => JSON.parse(seen.body).stream_options),
      [{ include_usage: true }, undefined, undefined],
    );
    server.script(refusal);
    assert.equal((await failureOf(turn())).kind, 'badRequest');
    assert.equal(server.requests.length, 1);
  });

  it('repeats no other refusal', async () => {
    server.script('status400');
    assert.equal((await failureOf(chat(ask, { stream: true }))).kind, 'badRequest');
    assert.equal(server.requests.length, 1);
  });

  it('reads the usage from the last event of a stream', async () => {
    const usage = {
      prompt_tokens: 4,
      completion_tokens: 2,
      completion_tokens_details: { reasoning_tokens: 1 },
    };
    const text = sse({
      service_tier: 'standby',
      choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }],
      usage: null,
    });
    server.script(streamed(text + sse({ choices: [], usage }) + done));
    const result = await chat(ask, { stream: true });
    assert.deepEqual(result.usage, { promptTokens: 4, completionTokens: 2, reasoningTokens: 1 });
    assert.equal(result.tier, 'standby');
  });

  it('says that standby is busy and until when, and holds no other call back', async () => {
    const busy = answer(429, envelope('resource_unavailable', 'busy'), { 'retry-after': '90' });
    server.script(busy, 'ok');
    const { client, clock } = testClient(server.url);
    const error = await failureOf(
      client.chat({ ...ask, serviceTier: 'standby' }, { signal: never() }),
    );
    assert.equal(error.kind, 'rateLimited');
    assert.equal(error.code, 'resource_unavailable');
    assert.ok(Math.abs((error.retryAt ?? 0) - clock.now() - 90_000) < 2000);
    assert.match(
      adviceFor(error, english).message,
      /^The service is busy and takes no standby .* after \d\d:/,
    );
    assert.equal((await client.chat(ask, { signal: never() })).text, 'hello');
    assert.deepEqual(clock.sleeps, []);
  });

  it('sends nothing to an endpoint that the service address of now has no part in', async () => {
    server.script('ok');
    const { client } = testClient('https://service.test');
    const url = new URL(`${server.url}/e-1`);
    const endpoint = { endpointId: 'e', url, servedModelName: 'mine' };
    const error = await failureOf(client.chat({ ...ask, endpoint }, { signal: never() }));
    assert.equal(error.kind, 'endpoint');
    assert.equal(server.requests.length, 0);
  });

  it('talks to a dedicated endpoint at its address, by its name, its limit and its price', async () => {
    let running = 0;
    let most = 0;
    server.script(async (response, request) => {
      most = Math.max(most, ++running);
      await new Promise(resolve => setTimeout(resolve, 20));
      running--;
      await answer(200, completion('hello'))(response, request);
    });
    const calls: FinishedCall[] = [];
    const { client } = testClient(server.url, {
      billing: {
        admit: async () => undefined,
        record: async call => void calls.push(call),
      },
    });
    const pricePerM = { input: 1, output: 2 };
    const url = new URL(`${server.url}/e-1`);
    const endpoint = {
      endpointId: 'e',
      url,
      servedModelName: 'mine',
      maxConcurrency: 1,
      pricePerM,
    };
    const turn = () => client.chat({ ...ask, endpoint }, { signal: never() });
    await Promise.all([turn(), turn()]);
    assert.deepEqual(
      server.requests.map(({ path, body }) => [path, JSON.parse(body).model]),
      [0, 1].map(() => ['/e-1/v1/chat/completions', 'mine']),
    );
    assert.equal(most, 1);
    const charge = calls[0]?.charge;
    assert.ok(charge?.kind === 'tokens');
    assert.deepEqual([charge.model, charge.pricePerM, charge.answerChars], ['mine', pricePerM, 5]);
    const error = await failureOf(
      client.chat(
        {
          ...ask,
          endpoint: { ...endpoint, contextTokens: 2 },
          messages: [{ role: 'user', content: 'far too many words' }],
        },
        { signal: never() },
      ),
    );
    assert.match(error.message, /limit is 2 tokens/);
  });

  it('stops at an answer that is too large', async () => {
    const event = sse({ choices: [{ delta: { content: 'x'.repeat(1 << 20) } }] });
    const error = await failureOf(
      replying(Array(20).fill(event)).chat(ask, { signal: never(), stream: true }),
    );
    assert.equal(error.kind, 'tooLarge');
  });

  it('reads the same answer however the network cuts the stream', async () => {
    const { reads, size } = corpusOf({
      name: 'split',
      events: 40,
      wide: 0.5,
      isHostile: true,
      readSize: () => 1 << 20,
    });
    const bytes = Buffer.concat(reads);
    const read = async (cuts: readonly number[]) => {
      const places = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
      const parts = places.slice(1).map((to, at) => bytes.subarray(places[at], to));
      let shown = '';
      const result = await replying(parts).chat(ask, {
        signal: never(),
        stream: true,
        onDelta: ({ text }) => (shown += text),
      });
      assert.equal(shown, result.text);
      return { ...result, ms: 0 };
    };
    const whole = await read([]);
    assert.equal(whole.text.length, size.text);
    assert.ok(whole.toolCalls.length > 0 && whole.usage);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 200 }), async cuts => {
        assert.deepEqual(await read(cuts), whole);
      }),
      { numRuns: 100 },
    );
    assert.deepEqual(await read([...bytes.keys()]), whole);
  });
});
