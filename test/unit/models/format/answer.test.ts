import assert from 'node:assert/strict';
import { type AnswerPart, AnswerReader } from '../../../../src/models/format/answer';
import { toChatRequest } from '../../../../src/models/format/chatFormat';
import { toMessagesRequest } from '../../../../src/models/format/messagesFormat';
import { ToolNames } from '../../../../src/models/format/toolNames';
import type { AnswerDelta, ToolCall } from '../../../../src/service/wire/chat/answer';
import type { ChatResult } from '../../../../src/service/wire/chat/chat';
import type { MessagesResult } from '../../../../src/service/wire/chat/messageBuilder';
import { type StandIn, startStandIn } from '../../../service/standIn';
import { apiKey, never, testClient } from '../../service/helpers';
import { conversation, options, readTool, user } from '../cases';

const t = (message: string): string => message;
const odd = 'mcp server/read';
const chat = (more: Partial<ChatResult>): ChatResult => ({
  text: '',
  reasoning: '',
  toolCalls: [],
  finishReason: 'stop',
  isCut: false,
  model: 'm',
  usage: undefined,
  tier: undefined,
  logprobs: undefined,
  ...more,
});
const messages = (blocks: MessagesResult['blocks']): MessagesResult => ({
  text: '',
  thinking: '',
  toolCalls: [],
  blocks,
  stopReason: 'end_turn',
  isCut: false,
  model: 'm',
  usage: undefined,
});
const delta = (text: string, reasoning = ''): AnswerDelta => ({ text, reasoning, toolCalls: [] });
const called = (id: string, name: string, parsed?: ToolCall['parsed']): ToolCall => ({
  id,
  name,
  arguments: parsed ? JSON.stringify(parsed) : '{"path',
  parsed,
});

const textOf = (parts: AnswerPart[], type: 'text' | 'thinking' = 'text'): string =>
  parts.map(part => (part.type === type ? part.text : '')).join('');
const block = (signature: string) => ({ type: 'thinking' as const, thinking: 'a', signature });
/** The words that are shown of an answer. */
const fallback = (result: ChatResult, ...pieces: AnswerDelta[]): string => {
  const fresh = new AnswerReader({ names: new ToolNames(), t });
  const parts = pieces.flatMap(piece => fresh.add(piece));
  return textOf([...parts, ...fresh.end(result)]);
};

describe('a character whose halves come apart', () => {
  it('is shown once it is whole, and what came before it once', () => {
    const parts = ['Hi 😀'.slice(0, 4), '😀!'.slice(1), ' bye'];
    for (const type of ['text', 'thinking'] as const) {
      const reader = new AnswerReader({ names: new ToolNames(), t });
      const shown = parts.flatMap(part =>
        reader.add(type === 'text' ? delta(part) : delta('', part)),
      );
      assert.equal(textOf(shown, type), 'Hi 😀! bye');
    }
  });
});

describe('an answer', () => {
  let names: ToolNames;
  let reader: AnswerReader;
  beforeEach(() => {
    names = new ToolNames();
    reader = new AnswerReader({ names, t });
  });

  it('comes in pieces, and nothing comes twice', () => {
    assert.deepEqual(reader.add(delta('', 'Let me')), [{ type: 'thinking', text: 'Let me' }]);
    assert.deepEqual(reader.add(delta('Yes', ' see')), [
      { type: 'thinking', text: ' see' },
      { type: 'text', text: 'Yes' },
    ]);
    assert.deepEqual(reader.add(delta('')), []);
    assert.deepEqual(reader.end(chat({ text: 'Yes', reasoning: 'Let me see' })), []);
  });

  it('comes whole at its end where there were no pieces', () => {
    assert.deepEqual(reader.end(chat({ text: 'Yes', reasoning: 'Hm' })), [
      { type: 'thinking', text: 'Hm' },
      { type: 'text', text: 'Yes' },
    ]);
  });

  it('keeps the order and the signatures of its blocks', () => {
    const parts = reader.end(
      messages([
        { type: 'thinking', thinking: 'a', signature: 's1' },
        { type: 'text', text: 'b' },
        { type: 'thinking', thinking: 'c' },
        { type: 'text', text: 'd' },
      ]),
    );
    assert.deepEqual(parts, [
      { type: 'thinking', text: 'a', signature: 's1' },
      { type: 'text', text: 'b' },
      { type: 'thinking', text: 'c' },
      { type: 'text', text: 'd' },
    ]);
  });

  it('gives the signature after reasoning that came in pieces, of one block only', () => {
    reader.add(delta('b', 'a'));
    assert.deepEqual(reader.end(messages([block('s1'), { type: 'text', text: 'b' }])), [
      { type: 'thinking', text: '', signature: 's1' },
    ]);
    const other = new AnswerReader({ names, t });
    other.add(delta('b', 'aa'));
    assert.deepEqual(other.end(messages([block('s1'), block('s2')])), []);
    assert.equal(other.notes.length, 1);
  });

  it('calls tools by the names that VS Code knows', () => {
    const call = called('call_0', names.toWire(odd), { a: 1 });
    assert.deepEqual(reader.end(chat({ toolCalls: [call] })), [
      { type: 'toolCall', callId: 'call_0', name: odd, input: { a: 1 } },
    ]);
    assert.deepEqual(reader.notes, []);
  });

  it('gives its calls ids that the conversation does not have yet', () => {
    const taken = new AnswerReader({ names, t, takenIds: new Set(['call_0', 'call_0_2']) });
    const parts = taken.end(
      chat({ toolCalls: [called('call_0', 'x', {}), called('call_0', 'y', {})] }),
    );
    assert.deepEqual(
      parts.map(part => part.type === 'toolCall' && part.callId),
      ['call_0_3', 'call_0_4'],
    );
  });

  it('says in the log what is wrong with a call', () => {
    const parts = reader.end(chat({ toolCalls: [called('a', 'x'), called('b', '', {})] }));
    assert.deepEqual(parts, [{ type: 'toolCall', callId: 'a', name: 'x', input: {} }]);
    assert.equal(reader.notes.length, 2);
    assert.ok(reader.notes.every(note => !note.includes('path')));
  });

  it('does not make a call whose input was cut', () => {
    const toolCalls = [called('a', 'x', { whole: true }), called('b', 'delete')];
    const parts = reader.end(chat({ toolCalls, isCut: true }));
    assert.deepEqual(
      parts.map(part => part.type === 'toolCall' && part.name),
      ['x'],
    );
    const alone = new AnswerReader({ names, t });
    assert.match(
      textOf(alone.end(chat({ toolCalls: toolCalls.slice(1), isCut: true }))),
      /limit.*nothing was called/,
    );
  });

  it('shows words where the model gave none', () => {
    assert.match(fallback(chat({})), /empty answer/);
    assert.match(fallback(chat({ reasoning: 'hm' })), /gave no answer/);
    assert.match(fallback(chat({ reasoning: 'hm' }), delta('', 'hm')), /gave no answer/);
    assert.match(fallback(chat({ reasoning: 'hm', isCut: true })), /still thinking/);
    assert.match(fallback(chat({ isCut: true })), /cut off before/);
    assert.match(fallback(chat({ text: ' \n' }), delta(' \n')), /empty answer/);
    assert.equal(fallback(chat({ text: 'a', isCut: true })), 'a');
  });

  it('keeps a character whole whose halves come apart', () => {
    const [high = '', low = ''] = '😀'.split('');
    const parts = [...reader.add(delta(`a${high}`)), ...reader.add(delta(`${low}b`))];
    assert.deepEqual(
      parts.map(part => part.type === 'text' && part.text),
      ['a', '😀b'],
    );
    reader.add(delta(high));
    assert.equal(textOf(reader.end(chat({ text: 'x' }))), '\ufffd');
  });
});

describe('an answer of the stand-in', () => {
  let service: StandIn;
  before(async () => (service = await startStandIn({ apiKey })));
  after(() => service.close());

  for (const format of ['chat', 'messages'] as const)
    for (const stream of [false, true])
      it(`calls a tool with an odd name (${format}, stream: ${stream})`, async () => {
        const { client } = testClient(service.url);
        const wire = new ToolNames().toWire(odd);
        const given = conversation(
          [user(`use tool ${wire} with {"at": "é漢😀"}`)],
          [{ ...readTool, name: odd }],
        );
        const all = { ...options, effort: 'low' as const, maxTokens: 9000 };
        const to = format === 'chat' ? toChatRequest(given, all) : toMessagesRequest(given, all);
        const reader = new AnswerReader({ names: to.names, t });
        const parts: AnswerPart[] = [];
        const onDelta = (piece: AnswerDelta): void => void parts.push(...reader.add(piece));
        const how = { signal: never(), stream, onDelta };
        const result =
          format === 'chat'
            ? await client.chat(toChatRequest(given, all).request, how)
            : await client.messages(toMessagesRequest(given, all).request, how);
        parts.push(...reader.end(result));
        const thinking = parts.filter(part => part.type === 'thinking');
        assert.match(thinking.map(({ text }) => text).join(''), /^The question names/);
        assert.equal(thinking.at(-1)?.signature !== undefined, format === 'messages');
        const [call] = parts.slice(-1);
        assert.ok(call?.type === 'toolCall');
        assert.equal(call.name, odd);
        assert.deepEqual(call.input, { at: 'é漢😀' });
        assert.deepEqual(reader.notes, []);
      });
});
