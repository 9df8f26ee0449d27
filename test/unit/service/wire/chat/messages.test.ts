import assert from 'node:assert/strict';
import { messageUsage } from '../../../../../src/service/assumptions';
import type { AnswerDelta } from '../../../../../src/service/wire/chat/answer';
import type { MessagesResult } from '../../../../../src/service/wire/chat/messageBuilder';
import {
  effortOfBudget,
  type MessagesRequest,
} from '../../../../../src/service/wire/chat/messagesRequest';
import { type FaultServer, startFaultServer } from '../../../../service/faultServer';
import { answer } from '../../../../service/faults';
import { failureOf, never, replying, testClient } from '../../helpers';

const ask: MessagesRequest = {
  model: 'svc-qwen36-27b',
  maxTokens: 64,
  messages: [{ role: 'user', content: 'hi' }],
};

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Events of the messages format; each has its type as the name of the event too. */
const events = (...list: Event[]): string =>
  list.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const start = {
  type: 'message_start',
  message: {
    id: 'm-1',
    type: 'message',
    role: 'assistant',
    model: 'svc-qwen36-27b',
    content: [],
    usage: { input_tokens: 9, cache_read_input_tokens: 3, output_tokens: 1 },
  },
};
const begin = (index: number, block: object) => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const delta = (index: number, part: object) => ({
  type: 'content_block_delta',
  index,
  delta: part,
});
const end = (index: number) => ({ type: 'content_block_stop', index });
const ending = (reason: string) => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage: { output_tokens: 7 },
});
const stop = { type: 'message_stop' };
const text = (index: number, words: string) => [
  begin(index, { type: 'text', text: '' }),
  delta(index, { type: 'text_delta', text: words }),
  end(index),
];

const turn = [
  start,
  { type: 'ping' },
  begin(0, { type: 'thinking', thinking: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'I ' }),
  delta(0, { type: 'thinking_delta', thinking: 'look' }),
  delta(0, { type: 'signature_delta', signature: 'sig' }),
  end(0),
  ...text(1, 'first'),
  begin(2, { type: 'tool_use', id: 'a', name: 'now', input: {} }),
  delta(2, { type: 'input_json_delta', partial_json: '{"zone"' }),
  delta(2, { type: 'input_json_delta', partial_json: ':1}' }),
  end(2),
  ...text(3, 'last'),
  ending('tool_use'),
  stop,
];

const read = {
  text: 'last',
  thinking: 'I look',
  toolCalls: [{ id: 'a', name: 'now', arguments: '{"zone":1}', parsed: { zone: 1 } }],
  blocks: [
    { type: 'thinking', thinking: 'I look', signature: 'sig' },
    { type: 'text', text: 'first' },
    { type: 'toolUse', id: 'a', name: 'now', input: { zone: 1 } },
    { type: 'text', text: 'last' },
  ],
  stopReason: 'tool_use',
  isCut: false,
  model: 'svc-qwen36-27b',
  usage: { promptTokens: 12, completionTokens: 7, cachedTokens: 3 },
};

const streaming = (reads: readonly (string | Uint8Array)[], onDelta?: (d: AnswerDelta) => void) =>
  replying(reads).messages(ask, { signal: never(), stream: true, onDelta });

describe('messages', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  it('sends a conversation with every block, and the version of the format', async () => {
    server.script(answer(200, { content: 'hello', stop_reason: 'end_turn' }));
    const { client } = testClient(server.url);
    const result = await client.messages(
      {
        ...ask,
        system: [{ type: 'text', text: 'be brief', isCached: true }],
        tools: [{ name: 'now', description: 'Time', isCached: true }],
        thinking: { budgetTokens: 9000 },
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { mediaType: 'image/png', data: 'AA==' } },
              { type: 'image', source: { url: 'https://a.test/b.png' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's' },
              { type: 'toolUse', id: 'a', name: 'now', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'toolResult',
                toolUseId: 'a',
                content: [{ type: 'text', text: '9' }],
                isError: true,
              },
              { type: 'text', text: 'go', isCached: true },
            ],
          },
        ],
      },
      { signal: never() },
    );
    assert.equal(result.text, 'hello');
    const [seen] = server.requests;
    assert.equal(`${seen?.method} ${seen?.path}`, 'POST /v1/messages');
    assert.ok(Object.values(seen?.headers ?? {}).includes('2023-06-01'));
    const ephemeral = { cache_control: { type: 'ephemeral' } };
    assert.deepEqual(JSON.parse(seen?.body ?? ''), {
      model: ask.model,
      max_tokens: 64,
      system: [{ type: 'text', text: 'be brief', ...ephemeral }],
      tools: [
        {
          name: 'now',
          description: 'Time',
          input_schema: { type: 'object', properties: {} },
          ...ephemeral,
        },
      ],
      thinking: { type: 'enabled', budget_tokens: 9000 },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'tool_use', id: 'a', name: 'now', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [{ type: 'text', text: '9' }],
              is_error: true,
            },
            { type: 'text', text: 'go', ...ephemeral },
          ],
        },
      ],
    });
  });

  const refused: [string, Partial<MessagesRequest>, RegExp][] = [
    ['an Apply model', { model: 'auto' }, /chat-completions format only/],
    ['the compactor', { model: 'svc-compactor' }, /chat-completions format only/],
    ['the search model', { model: 'svc-warp-grep-v2.1' }, /chat-completions format only/],
    ['no message', { messages: [] }, /at least one message/],
    [
      'a system role among the messages',
      { messages: [JSON.parse('{"role":"system","content":"secret"}')] },
      /field "system"/,
    ],
    ['no room for an answer', { maxTokens: 0 }, /tokens to generate/],
    ['half a token of thinking', { thinking: { budgetTokens: 0.5 } }, /thinking budget/],
    [
      'a conversation above the window',
      { contextTokens: 10, system: 'many words '.repeat(20) },
      /limit is 10 tokens/,
    ],
  ];
  for (const [name, request, message] of refused)
    it(`refuses ${name} before sending`, async () => {
      server.script('ok');
      const { client } = testClient(server.url);
      const error = await failureOf(client.messages({ ...ask, ...request }, { signal: never() }));
      assert.equal(error.kind, 'limit');
      assert.match(error.message, message);
      assert.ok(!error.message.includes('secret'));
      assert.equal(server.requests.length, 0);
    });

  it('reads a whole answer: the last text, thinking and calls apart', async () => {
    const content = [
      { type: 'thinking', thinking: 'I look', signature: 'sig' },
      { type: 'text', text: 'first' },
      { type: 'tool_use', id: 'a', name: 'now', input: { zone: 1 } },
      { type: 'brand_new', secret: 1 },
      { type: 'text', text: 'last' },
    ];
    const usage = { input_tokens: 9, cache_read_input_tokens: 3, output_tokens: 7 };
    server.script(answer(200, { model: ask.model, content, stop_reason: 'tool_use', usage }));
    const { client, lines } = testClient(server.url);
    const { requestId, attempts, ms, ...result } = await client.messages(ask, { signal: never() });
    assert.deepEqual([requestId, attempts, ms >= 0], ['req-7', 1, true]);
    assert.deepEqual(result, read);
    assert.ok(lines.some(line => line === 'unexpected: message has a new block "brand_new"'));
  });

  it('takes an answer without content for none', async () => {
    server.script(answer(200, { id: 'm-1' }));
    const { client } = testClient(server.url);
    assert.equal((await failureOf(client.messages(ask, { signal: never() }))).kind, 'protocol');
  });

  it('reads the same from a stream, at every cut', async () => {
    const bytes = Buffer.from(events(...turn));
    for (const size of [bytes.length, 100, 7, 1]) {
      const reads: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) reads.push(bytes.subarray(at, at + size));
      const shown = { text: '', reasoning: '', arguments: '' };
      const { attempts, ms, ...result } = await streaming(reads, piece => {
        shown.text += piece.text;
        shown.reasoning += piece.reasoning;
        for (const call of piece.toolCalls) shown.arguments += call.arguments;
      });
      assert.deepEqual([attempts, ms >= 0], [1, true]);
      assert.deepEqual(result, read);
      assert.deepEqual(shown, {
        text: 'firstlast',
        reasoning: 'I look',
        arguments: '{"zone":1}',
      });
    }
  });

  it('is at its end with message_stop, though the line stays open', async () => {
    server.script((response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(events(...turn));
      request.socket.setTimeout(5000);
    });
    const { client } = testClient(server.url, { timeouts: { streamIdleMs: 3_600_000 } });
    await client.messages(ask, { signal: never(), stream: true });
  });

  const ends: [string, Event[], Partial<MessagesResult>][] = [
    ['a stop_reason without message_stop', [ending('end_turn')], { isCut: false }],
    ['a limit', [ending('max_tokens'), stop], { isCut: true, stopReason: 'max_tokens' }],
  ];
  for (const [name, last, expected] of ends)
    it(`takes ${name} for a whole answer`, async () => {
      const result = await streaming([events(start, ...text(0, 'hello'), ...last)]);
      assert.equal(result.text, 'hello');
      assert.deepEqual({ ...result, ...expected }, result);
    });

  const failing: [string, string, string][] = [
    ['ends early', '', 'truncated'],
    ['ends without a stop_reason', events(stop), 'truncated'],
    ['ends for a reason that is new', events(ending('brand_new'), stop), 'truncated'],
    [
      'reports an error',
      events({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }),
      'server',
    ],
    ['is damaged', 'data: {"type"\n\n', 'protocol'],
  ];
  for (const [name, last, kind] of failing)
    it(`keeps the text of a stream that ${name}`, async () => {
      const error = await failureOf(streaming([events(start, ...text(0, 'secret')) + last]));
      assert.equal(error.kind, kind);
      assert.equal(error.partial, 'secret');
      assert.ok(!error.message.includes('secret'));
    });

  it('goes on at events and deltas that it does not know', async () => {
    const result = await streaming([
      events(
        start,
        { type: 'constructor' },
        begin(0, { type: 'constructor' }),
        delta(0, { type: 'toString' }),
        // A block whose start was lost.
        delta(4, { type: 'text_delta', text: 'hello' }),
        ending('end_turn'),
      ),
    ]);
    assert.equal(result.text, 'hello');
    assert.deepEqual(result.blocks, [{ type: 'text', text: 'hello' }]);
  });

  const efforts: [number, string][] = [
    [1, 'low'],
    [7999, 'low'],
    [8000, 'medium'],
    [23_999, 'medium'],
    [24_000, 'high'],
  ];
  for (const [budget, effort] of efforts)
    it(`makes ${effort} effort of a budget of ${budget}`, () =>
      assert.equal(effortOfBudget(budget), effort));
});

describe('the usage of an answer in the messages format', () => {
  it('counts what came from the cache and what was written to it as sent', () => {
    const usage = {
      input_tokens: 9,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 50,
      output_tokens: 7,
    };
    assert.deepEqual(messageUsage(usage), { prompt: 359, cached: 300, completion: 7 });
    assert.deepEqual(messageUsage({ input_tokens: 9, output_tokens: -1 }), {
      prompt: 9,
      cached: undefined,
      completion: undefined,
    });
  });
});

describe('count tokens', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  const { maxTokens: _, ...request } = ask;
  const count = () => testClient(server.url).client.countTokens(request, { signal: never() });

  for (const body of [{ input_tokens: 5 }, { token_count: 5 }, { usage: { input_tokens: 5 } }])
    it(`reads ${JSON.stringify(body)}`, async () => {
      server.script(answer(200, body));
      assert.equal((await count()).inputTokens, 5);
      const [seen] = server.requests;
      assert.equal(seen?.path, '/v1/messages/count_tokens');
      assert.deepEqual(JSON.parse(seen.body), { model: ask.model, messages: ask.messages });
    });

  it('takes an answer without a count for none', async () => {
    server.script(answer(200, { input_tokens: 'many' }));
    assert.equal((await failureOf(count())).kind, 'protocol');
  });
});
