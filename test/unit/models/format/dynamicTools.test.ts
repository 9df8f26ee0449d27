import assert from 'node:assert/strict';
import { toChatRequest } from '../../../../src/models/format/chatFormat';
import type {
  Conversation,
  ConversationTurn,
  OfferedTool,
} from '../../../../src/models/format/conversation';
import { ToolMemory } from '../../../../src/models/format/dynamicTools';
import { chatOperation } from '../../../../src/service/wire/chat/chat';
import { type StandIn, startStandIn } from '../../../service/standIn';
import { apiKey, never, testClient } from '../../service/helpers';
import { assistant, call, conversation, options, readTool, result, system, user } from '../cases';

const model = 'svc-kimik3';
const tool = (name: string, description = name): OfferedTool => ({
  ...readTool,
  name,
  description,
});
const [a, b, c, d] = [tool('a'), tool('b'), tool('c'), tool('long.name')];

const turns: ConversationTurn[] = [
  system('You help, at 9:00.'),
  user('Read it'),
  assistant(call('call_1', 'a')),
  user(result('call_1')),
  assistant('Done.'),
  user('Go on'),
];

describe('tools within a conversation', () => {
  let memory: ToolMemory;
  beforeEach(() => (memory = new ToolMemory()));

  const bodyOf = (given: Conversation): { tools?: unknown; messages: unknown[] } => {
    const earlierTools = memory.recall(given, model);
    const { request } = toChatRequest(given, { ...options, model, earlierTools });
    return JSON.parse(JSON.stringify(chatOperation(request, {}).body));
  };
  const namesIn = (given: Conversation): (readonly string[])[] => {
    const history = memory.recall(given, model);
    const lists = [history?.first, ...(history?.added ?? []).map(({ tools }) => tools)];
    return lists.map(list => (list ?? []).map(({ name }) => name));
  };

  it('leave all of the earlier request as it was, and come after it', () => {
    const first = bodyOf(conversation(turns.slice(0, 2), [a, b]));
    const second = bodyOf(conversation(turns.slice(0, 4), [b, c, a, d]));
    assert.deepEqual(second.tools, first.tools);
    assert.deepEqual(second.messages.slice(0, first.messages.length), first.messages);
    const [added] = second.messages.slice(-1);
    assert.match(JSON.stringify(added), /^\{"role":"system","tools":\[.*"name":"c".*"long_name_h/);
    const third = bodyOf(conversation(turns, [a, b, c, d]));
    assert.deepEqual(third.messages.slice(0, second.messages.length), second.messages);
    assert.equal(third.messages.filter(one => JSON.stringify(one).includes('"tools"')).length, 1);
  });

  it('are taken by the stand-in, and called', async () => {
    const service: StandIn = await startStandIn({ apiKey });
    try {
      const { client } = testClient(service.url);
      memory.recall(conversation(turns.slice(0, 2), [a]), model);
      const given = conversation(
        [...turns.slice(0, 5), user('use tool late_h1')],
        [a, tool('late_h1')],
      );
      const earlierTools = memory.recall(given, model);
      const { request, names } = toChatRequest(given, { ...options, model, earlierTools });
      const { toolCalls } = await client.chat(request, { signal: never() });
      assert.deepEqual(
        toolCalls.map(({ name }) => names.fromWire(name)),
        ['late_h1'],
      );
    } finally {
      await service.close();
    }
  });

  it('that change are declared again', () => {
    namesIn(conversation(turns.slice(0, 2), [a, b]));
    assert.deepEqual(namesIn(conversation(turns.slice(0, 4), [a, tool('b', 'new words')])), [
      ['a', 'b'],
      ['b'],
    ]);
    assert.deepEqual(namesIn(conversation(turns, [a, tool('b', 'new words')])), [
      ['a', 'b'],
      ['b'],
    ]);
  });

  it('that are gone stay declared, until most are gone', () => {
    namesIn(conversation(turns.slice(0, 2), [a, b, c]));
    assert.deepEqual(namesIn(conversation(turns.slice(0, 4), [a, b])), [['a', 'b', 'c']]);
    assert.deepEqual(namesIn(conversation(turns, [a])), [['a']]);
    assert.deepEqual(namesIn(conversation(turns, [])), [[]]);
  });

  it('that are gone cannot be forced', () => {
    namesIn(conversation(turns.slice(0, 2), [a, b, c]));
    assert.deepEqual(namesIn(conversation(turns.slice(0, 4), [a, b], 'required')), [['a', 'b']]);
  });

  it('are forgotten where the conversation was cut before they came', () => {
    namesIn(conversation(turns.slice(0, 2), [a]));
    namesIn(conversation(turns, [a, b]));
    assert.deepEqual(namesIn(conversation(turns.slice(0, 2), [a])), [['a']]);
    const other = [...turns.slice(0, 5), user('Another way'), assistant('Yes'), user('So?')];
    const history = memory.recall(conversation(other, [a, c]), model);
    assert.deepEqual(
      history?.added.map(({ afterTurns }) => afterTurns),
      [8],
    );
  });

  it('that change with every request do not add up without end', () => {
    const declared = Array.from({ length: 300 }, (_, n) =>
      namesIn(conversation(turns.slice(0, 2), [a, tool('b', `at ${n}`)])).flat(),
    ).map(names => names.length);
    assert.equal(Math.max(...declared), 256);
    assert.equal(declared.filter(count => count === 2).length, 2);
  });

  it('do not mind a system text that changes', () => {
    namesIn(conversation(turns.slice(0, 2), [a]));
    namesIn(conversation(turns.slice(0, 4), [a, b]));
    const later = [system('You help, at 9:05.'), ...turns.slice(1)];
    assert.deepEqual(namesIn(conversation(later, [a, b])), [['a'], ['b']]);
  });

  it('are for the models that take them only', () => {
    assert.equal(memory.recall(conversation(turns, [a]), 'svc-glm52-744b'), undefined);
    assert.equal(memory.size, 0);
  });

  it('are remembered of the latest conversations, without their content', () => {
    const small = new ToolMemory(2);
    const ask = (words: string, tools: OfferedTool[]) =>
      small.recall(conversation([user(words)], tools), model);
    ask('one', [a]);
    ask('two', [a]);
    ask('one', [a]);
    ask('three', [a]);
    assert.equal(small.size, 2);
    assert.deepEqual(
      ask('one', [a, b])?.first.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(
      ask('two', [a, b])?.first.map(({ name }) => name),
      ['a', 'b'],
    );
  });
});
