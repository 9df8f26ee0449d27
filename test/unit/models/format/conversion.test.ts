import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { callIdsOf } from '../../../../src/models/format/answer';
import { toChatRequest } from '../../../../src/models/format/chatFormat';
import type { Conversation } from '../../../../src/models/format/conversation';
import type { ConversionOptions } from '../../../../src/models/format/conversion';
import { toMessagesRequest } from '../../../../src/models/format/messagesFormat';
import { chatOperation } from '../../../../src/service/wire/chat/chat';
import { messagesOperation } from '../../../../src/service/wire/chat/messages';
import { effortOfBudget } from '../../../../src/service/wire/chat/messagesRequest';
import { type StandIn, startStandIn } from '../../../service/standIn';
import { apiKey, never, testClient } from '../../service/helpers';
import {
  assistant,
  call,
  cases,
  conversation,
  image,
  options,
  readTool,
  result,
  text,
  user,
} from '../cases';
import { checkChatBody, checkMessagesBody } from '../wireRules';

const folder = 'test/unit/models/golden';
const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.json`;

interface Golden {
  readonly chat: unknown;
  readonly messages: unknown;
  readonly notes: { readonly chat: readonly string[]; readonly messages: readonly string[] };
}

function bodiesOf(given: Conversation, more: Partial<ConversionOptions> = {}) {
  const chat = toChatRequest(given, { ...options, ...more });
  const messages = toMessagesRequest(given, { ...options, ...more });
  return {
    chat: JSON.stringify(chatOperation(chat.request, {}).body),
    messages: JSON.stringify(messagesOperation(messages.request, {}).body),
    notes: { chat: chat.notes, messages: messages.notes },
  };
}

describe('a conversation as a request', () => {
  for (const { name, conversation: given, options: more } of cases)
    it(`${name}: byte for byte as written down (UPDATE_GOLDEN=1 writes it)`, () => {
      const { chat, messages, notes } = bodiesOf(given, more);
      const file = `${folder}/${fileOf(name)}`;
      if (process.env['UPDATE_GOLDEN']) {
        const bodies = { chat: JSON.parse(chat), messages: JSON.parse(messages), notes };
        writeFileSync(file, `${JSON.stringify(bodies, null, 2)}\n`);
      }
      const golden: Golden = JSON.parse(readFileSync(file, 'utf8'));
      assert.equal(chat, JSON.stringify(golden.chat));
      assert.equal(messages, JSON.stringify(golden.messages));
      assert.deepEqual(notes, golden.notes);
      checkChatBody(chat);
      checkMessagesBody(messages);
    });

  it('has no written-down request without a case', () => {
    assert.deepEqual(readdirSync(folder).sort(), cases.map(({ name }) => fileOf(name)).sort());
  });

  it('begins as the request before it, whatever came since', () => {
    const turns = [
      user('Read it'),
      assistant('I look.', call('call_1', 'read_file', { path: 'a' })),
      user(result('call_1', image())),
      assistant('Seen.'),
      user('More'),
    ];
    const messagesIn = (count: number): unknown[] => {
      const { request } = toChatRequest(conversation(turns.slice(0, count), [readTool]), options);
      return request.messages.map(message => JSON.stringify(message));
    };
    const last = messagesIn(5);
    for (const count of [1, 3])
      assert.deepEqual(last.slice(0, messagesIn(count).length), messagesIn(count));
  });

  it('raises the longest answer above the reasoning, in the messages format alone', () => {
    const given = conversation([user('Hi')]);
    for (const effort of ['low', 'medium', 'high'] as const) {
      const { request, notes } = toMessagesRequest(given, { ...options, effort });
      const { maxTokens, thinking } = request;
      assert.ok(thinking && maxTokens > thinking.budgetTokens);
      assert.equal(effortOfBudget(thinking.budgetTokens), effort);
      assert.equal(notes.length, 1);
      const wide = toMessagesRequest(given, { ...options, effort, maxTokens: 60_000 });
      assert.equal(wide.request.maxTokens, 60_000);
      assert.deepEqual(wide.notes, []);
      assert.equal(toChatRequest(given, { ...options, effort }).request.maxTokens, 1000);
    }
  });

  it('forces a tool without reasoning, and none where there is no tool', () => {
    const forced = { ...options, effort: 'high' as const };
    const { request, notes } = toMessagesRequest(
      conversation([user('Hi')], [readTool], 'required'),
      forced,
    );
    assert.equal(request.toolChoice, 'any');
    assert.equal(request.thinking, undefined);
    assert.equal(notes.length, 1);
    const bare = conversation([user('Hi')], [], 'required');
    assert.equal(toMessagesRequest(bare, forced).request.toolChoice, undefined);
    assert.equal(toChatRequest(bare, forced).request.toolChoice, undefined);
  });

  it('asks for standby where it is offered, and says where it is not', () => {
    const given = conversation([user('Hi')]);
    const standby = { ...options, serviceTier: 'standby' as const };
    const offered = toChatRequest(given, { ...standby, model: 'svc-glm52-744b' });
    assert.equal(offered.request.serviceTier, 'standby');
    const { request, notes } = toChatRequest(given, standby);
    assert.equal(request.serviceTier, undefined);
    assert.deepEqual(notes, ['standby left out: it is not offered for this model']);
  });

  it('caps the tools after the bad ones are out', () => {
    const tools = Array.from({ length: 140 }, (_, n) => ({
      ...readTool,
      name: `t${n}`,
      schema: n < 20 ? 'bad' : readTool.schema,
    }));
    const { request, notes } = toChatRequest(conversation([user('Hi')], tools), options);
    assert.equal(request.tools?.length, 120);
    assert.deepEqual(notes, ['a tool left out: its schema cannot be used (20 times)']);
    const more = [...tools, ...tools.map(tool => ({ ...tool, name: `u${tool.name}` }))];
    const capped = toChatRequest(conversation([user('Hi')], more), options);
    assert.equal(capped.request.tools?.length, 128);
    assert.equal(capped.request.tools.at(-1)?.name, 'ut27');
  });

  it('gives each of two calls with the same id its own result, in their order', () => {
    const given = conversation(
      [
        user('Read both.'),
        assistant(
          call('call_1', 'read_file', { path: 'a' }),
          call('call_1', 'read_file', { path: 'b' }),
        ),
        user(result('call_1', text('text of a')), result('call_1', text('text of b'))),
        user('And now?'),
      ],
      [readTool],
    );
    const { request, notes } = toChatRequest(given, options);
    const calls = request.messages.flatMap(message =>
      'toolCalls' in message ? (message.toolCalls ?? []) : [],
    );
    const results = request.messages.flatMap(message =>
      message.role === 'tool' ? [[message.toolCallId, message.content]] : [],
    );
    assert.deepEqual(
      calls.map(each => each.arguments),
      ['{"path":"a"}', '{"path":"b"}'],
    );
    assert.deepEqual(results, [
      [calls[0]?.id, 'text of a'],
      [calls[1]?.id, 'text of b'],
    ]);
    assert.notEqual(calls[0]?.id, calls[1]?.id);
    assert.ok(notes.some(note => /same id/.test(note)));
  });

  it('raises no answer that has just room for the reasoning', () => {
    const raised = toMessagesRequest(conversation([user('hi')]), {
      ...options,
      effort: 'low',
      maxTokens: 1,
    });
    const least = raised.request.maxTokens;
    assert.match(raised.notes.join(), new RegExp(`raised to ${least} tokens`));
    const exact = toMessagesRequest(conversation([user('hi')]), {
      ...options,
      effort: 'low',
      maxTokens: least,
    });
    assert.deepEqual([exact.request.maxTokens, exact.notes], [least, []]);
  });

  it('knows the ids of all calls', () => {
    const turns = [assistant(call('a', 'x'), call('b', 'x')), user(result('a')), assistant('hi')];
    assert.deepEqual([...callIdsOf(conversation(turns))], ['a', 'b']);
  });
});

describe('a conversation sent to the stand-in', () => {
  let service: StandIn;
  before(async () => (service = await startStandIn({ apiKey })));
  after(() => service.close());

  for (const { name, conversation: given, options: more } of cases)
    it(`${name}: both formats are taken`, async () => {
      const { client } = testClient(service.url);
      const all = { ...options, ...more };
      const signal = never();
      const chat = await client.chat(toChatRequest(given, all).request, { signal });
      assert.ok(chat.text !== '' || chat.toolCalls.length > 0);
      const said = await client.messages(toMessagesRequest(given, all).request, { signal });
      assert.ok(said.text !== '' || said.toolCalls.length > 0);
    });
});
