import assert from 'node:assert/strict';
import { SearchConversation } from '../../../../src/search/agent/conversation';
import { searchConversationChars, searchTurns } from '../../../../src/service';

const truncated = '[truncated for context limit]';
const call = (id: string, text = '{}') => ({ id, name: 'read', arguments: text });
const toolResults = ({ messages }: SearchConversation): string[] =>
  messages.flatMap(message => (message.role === 'tool' ? message.content : []));
/** Results of a turn with so many characters each. */
const add = (conversation: SearchConversation, ...lengths: number[]): void =>
  conversation.add(
    '',
    lengths.map((_, at) => call(`${at}`)),
    lengths.map(length => 'x'.repeat(length)),
  );
const charsOf = (conversation: SearchConversation): number =>
  conversation.messages.reduce(
    (sum, message) =>
      sum +
      message.content.length +
      (message.role === 'assistant'
        ? message.toolCalls.reduce((all, { arguments: text }) => all + text.length, 0)
        : 0),
    0,
  );
/** What the last note says of the characters before it, in thousands. */
const noted = ({ messages }: SearchConversation): number =>
  Number(/\((\d+)K\//.exec(messages.at(-1)?.content ?? '')?.[1]);

describe('a conversation with the search model', () => {
  it('begins with the folders, the question and what is known', () => {
    const { messages, turns, turnsLeft } = new SearchConversation('why?', ['/r', '/r/a'], ['a:1']);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'user'],
    );
    const [first] = messages;
    assert.match(
      first?.content ?? '',
      /^<repo_structure>\n\/r\n\/r\/a\n<\/repo_structure>\n\n<search_string>\nwhy\?\n<\/search_string>\n\n.*\n<local_results>\na:1\n<\/local_results>$/s,
    );
    assert.deepEqual([turns, turnsLeft], [0, searchTurns]);
    assert.doesNotMatch(new SearchConversation('why?', []).messages[0]?.content ?? '', /local_res/);
  });

  it('has at most 200 entries of the folders', () => {
    const many = Array.from({ length: 201 }, (_, n) => `/r/${n}`);
    const [first] = new SearchConversation('why?', many).messages;
    assert.match(first?.content ?? '', /\n\/r\/199\n<\/repo_structure>/);
  });

  it('has a turn for each answer, with its calls and their results', () => {
    const conversation = new SearchConversation('why?', []);
    conversation.add('Let me see', [call('1', '{"a":1}'), call('2')], ['one']);
    conversation.requestToolCall('I think');
    conversation.requestToolCall('');
    assert.deepEqual([conversation.turns, conversation.turnsLeft], [3, searchTurns - 3]);
    assert.deepEqual(
      conversation.messages.slice(2).map(message => [message.role, message.content.split('\n')[0]]),
      [
        ['assistant', 'Let me see'],
        ['tool', 'one'],
        ['tool', ''],
        ['user', ''],
        ['assistant', 'I think'],
        ['user', 'Call a tool, or finish with the files and lines that answer the question.'],
        ['user', 'Call a tool, or finish with the files and lines that answer the question.'],
      ],
    );
    assert.match(conversation.messages.at(-1)?.content ?? '', /used 3 turns and have 3 remaining/);
  });

  it('has at most 8,000 characters of what the model says, and no cut arguments', () => {
    const conversation = new SearchConversation('why?', []);
    conversation.add('x'.repeat(8000), [call('1', 'y'.repeat(8000))], ['']);
    conversation.add('x'.repeat(8001), [call('1', 'y'.repeat(8001))], ['']);
    const said = conversation.messages.flatMap(message =>
      message.role === 'assistant' ? [[message.content, message.toolCalls[0]?.arguments]] : [],
    );
    assert.deepEqual(said, [
      ['x'.repeat(8000), 'y'.repeat(8000)],
      [`${'x'.repeat(8000)}\n[1 characters left out]`, '{}'],
    ]);
  });

  it('tells how long it is', () => {
    const conversation = new SearchConversation('x'.repeat(10_000), []);
    assert.equal(noted(conversation), 10);
    conversation.add('x'.repeat(5000), [call('1', 'y'.repeat(7000))], ['z'.repeat(20_000)]);
    assert.equal(noted(conversation), 42);
    conversation.requestToolCall('x'.repeat(6000));
    assert.equal(noted(conversation), 48);
  });

  it('forgets as many of the oldest results as it has to, and no more', () => {
    const conversation = new SearchConversation('why?', []);
    add(conversation, 100_000, 10);
    add(conversation, 100_000, 100_000);
    assert.ok(toolResults(conversation).every(text => text !== truncated));
    add(conversation, 90_000);
    assert.deepEqual(
      toolResults(conversation).map(text => (text === truncated ? 'gone' : text.length)),
      ['gone', 10, 100_000, 100_000, 90_000],
    );
    add(conversation, 150_000);
    assert.deepEqual(
      toolResults(conversation).map(text => (text === truncated ? 'gone' : text.length)),
      ['gone', 10, 'gone', 'gone', 90_000, 150_000],
    );
    assert.ok(charsOf(conversation) <= searchConversationChars + 500);
  });

  it('is exactly as long as it may be', () => {
    const saved = 1000 - truncated.length;
    for (const [over, ...left] of [
      [0, 1000, 1000],
      [1, 'gone', 1000],
      [saved, 'gone', 1000],
      [saved + 1, 'gone', 'gone'],
    ] as const) {
      const conversation = new SearchConversation('why?', []);
      // The three calls have two characters of arguments each.
      const rest = searchConversationChars - charsOf(conversation) - 3 * 2 - 2 * 1000;
      add(conversation, 1000, 1000, rest + over);
      assert.deepEqual(
        toolResults(conversation).map(text => (text === truncated ? 'gone' : text.length)),
        [...left, rest + over],
        `${over} too many`,
      );
    }
  });

  it('keeps results that are as short as what would stand for them', () => {
    const conversation = new SearchConversation('why?', []);
    add(conversation, truncated.length, truncated.length + 1, searchConversationChars);
    assert.deepEqual(
      toolResults(conversation).map(text => (text === truncated ? 'gone' : text.length)),
      [truncated.length, 'gone', 'gone'],
    );
  });
});
