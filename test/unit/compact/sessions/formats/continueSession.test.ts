import assert from 'node:assert/strict';
import {
  detectFormat,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { asCopy, draw, minting, sameEdits, write } from '../fixtures';

const sessionId = '44444444-aaaa-4bbb-8ccc-00000000000c';
const said = (role: string, content: unknown, more: object = {}) => ({
  message: { role, content, ...more },
  contextItems: [],
});
const read = (entries: readonly object[], more: object = {}): ReadHistory =>
  readHistory('session.json', sessionOf(entries, more));
const sessionOf = (entries: readonly object[], more: object = {}): string =>
  JSON.stringify({
    sessionId,
    title: 'New Session',
    workspaceDirectory: 'file:///home/ada/kettle',
    history: entries,
    ...more,
  });
const drawn = (...entries: readonly object[]): string[] => draw(read(entries).history);

const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: '{"filepath":"lid.txt"}' },
});
const state = (toolCallId: string, ...output: readonly unknown[]) => ({
  toolCallId,
  toolCall: call(toolCallId),
  status: 'done',
  output: output.map(content => ({ name: 'lid.txt', content })),
});
/** An answer with calls, and the states of these. */
const called = (ids: readonly string[], ...states: readonly object[]) => ({
  ...said('assistant', 'I look.', { toolCalls: ids.map(call) }),
  toolCallStates: states,
});

describe('a session of Continue', () => {
  it('has each result once, although a message repeats it', () => {
    assert.deepEqual(
      drawn(
        said('user', 'Is it on?'),
        called(['c1', 'c2'], state('c1', 'on\n', 'tight\n'), state('c2', { type: 'image' })),
        said('tool', 'on\n', { toolCallId: 'c1' }),
        said('tool', 'stray', { toolCallId: 'c9' }),
        said('assistant', 'It is.'),
      ),
      [
        'user',
        '  text: Is it on?',
        'assistant',
        '  text: I look.',
        '  tool_call read_file #c1 whole: filepath: lid.txt',
        '  tool_call read_file #c2 whole: filepath: lid.txt',
        '  tool_result #c1: on|',
        '  tool_result #c1: tight|',
        'tool',
        '  tool_result #c9: stray',
        'assistant',
        '  text: It is.',
      ],
    );
  });

  it('has what goes with a question before it, and instructions as they are', () => {
    const withFile = {
      ...said('user', [{ type: 'text', text: 'Why?' }]),
      contextItems: [
        { name: 'a.ts', content: 'one\ntwo\n' },
        { name: 'b.ts' },
        { name: 'c.ts', content: 5 },
      ],
    };
    assert.deepEqual(drawn(said('system', 'Be brief.'), withFile, said('thinking', 'Hm.')), [
      'system',
      '  text whole: Be brief.',
      'user',
      '  context a.ts: one|two|',
      '  context c.ts whole: ',
      '  text: Why?',
      'assistant',
      '  thinking whole: Hm.',
    ]);
  });

  it('begins with its latest summary', () => {
    const entries = [
      { ...said('user', 'a'), conversationSummary: 'first' },
      { ...said('assistant', 'b'), conversationSummary: 'second' },
      { ...said('user', 'c'), conversationSummary: '' },
    ];
    assert.deepEqual(drawn(...entries), ['user', '  summary whole: second', 'user', '  text: c']);
  });

  it('is refused where it is empty or has a role that is not known', () => {
    for (const entries of [[], [said('ghost', 'boo')], [{ message: {} }]])
      assert.throws(() => read(entries), UnsupportedHistory);
    assert.throws(() => read([]), /the session has no messages/);
    assert.notEqual(detectFormat('a.json', sessionOf([{ note: 'a' }]))?.id, 'continue');
    assert.notEqual(
      detectFormat('a.json', JSON.stringify({ history: [said('user', 'a')] }))?.id,
      'continue',
    );
  });

  it('loses a call with its state and the message that repeats its result', () => {
    const session = read([
      said('user', 'a'),
      called(['c1', 'c2'], state('c1', 'one'), state('c2', 'two')),
      said('tool', 'one', { toolCallId: 'c1' }),
      said('tool', 'two', { toolCallId: 'c2' }),
      called(['c3'], state('c3', 'three')),
      said('tool', 'three', { toolCallId: 'c3' }),
    ]);
    const edits = session.history.messages.map(({ parts }) =>
      parts.map(({ callId, text }) => (callId === 'c1' || callId === 'c3' ? null : text)),
    );
    const { files } = write(session, edits, asCopy);
    const { history } = JSON.parse(files[0]?.text ?? '');
    assert.deepEqual(history, [
      said('user', 'a'),
      called(['c2'], state('c2', 'two')),
      said('tool', 'two', { toolCallId: 'c2' }),
      said('assistant', 'I look.'),
    ]);
  });

  it('changes the message that repeats a result, and none that says something else', () => {
    const session = read([
      said('user', 'a'),
      called(['c1'], state('c1', 'one\ntwo\n', 'three\nfour\n')),
      said('tool', 'one\ntwo\n', { toolCallId: 'c1' }),
    ]);
    const repeatedAfter = (...left: readonly string[]): unknown => {
      const edits = [['a'], ['I look.', 'filepath: lid.txt', ...left]];
      const { history } = JSON.parse(write(session, edits, asCopy).files[0]?.text ?? '');
      return [history[2].message.content, history[1].toolCallStates[0].output[1].content];
    };
    assert.deepEqual(repeatedAfter('two\n', 'three\nfour\n'), ['two\n', 'three\nfour\n']);
    assert.deepEqual(repeatedAfter('one\ntwo\n', 'four\n'), ['one\ntwo\n', 'four\n']);
  });

  it('is written as a session of its own, which the list of sessions names', () => {
    for (const [title, wanted] of [
      ['New Session', 'Is it on?'],
      ['Untitled Session', 'Is it on?'],
      ['The New Session', 'The New Session'],
    ]) {
      const session = read([said('user', 'Is it on?'), said('assistant', 'Yes.')], { title });
      const { files, indexRow, continueBy } = write(session, sameEdits(session.history), minting());
      const id = '99999999-9999-4999-8999-000000000001';
      assert.equal(files[0]?.path, `${id}.json`);
      const own = JSON.parse(files[0]?.text ?? '');
      assert.deepEqual([own.sessionId, own.title], [id, wanted]);
      assert.deepEqual(
        [indexRow?.path, indexRow?.key, JSON.parse(indexRow?.json ?? '')],
        [
          'sessions.json',
          'sessionId',
          {
            sessionId: id,
            title: wanted,
            dateCreated: String(Date.parse('2026-03-03T08:00:00Z')),
            workspaceDirectory: 'file:///home/ada/kettle',
            messageCount: 2,
          },
        ],
      );
      assert.match(continueBy.sentence, /history of Continue/);
      assert.equal(write(session, sameEdits(session.history), asCopy).indexRow, undefined);
    }
  });

  it('tells the size that is left, in the names of the command line and of the editors', () => {
    const words = 'word '.repeat(9000);
    for (const names of [
      ['prompt_tokens', 'completion_tokens', 'total_tokens'],
      ['promptTokens', 'completionTokens', 'totalTokens'],
    ]) {
      const [input = '', output = '', total = ''] = names;
      const usage = { [input]: 13_000, [output]: 900, [total]: 13_900, cost: 0.5 };
      const session = read(
        [
          said('user', words),
          said('assistant', 'word', { usage: { [input]: 0, [output]: 3 } }),
          said('assistant', 'word', { usage }),
        ],
        { usage: { ...usage, totalCost: 2 } },
      );
      const edits = sameEdits(session.history).map((own, at) => (at === 0 ? ['short'] : own));
      const written = JSON.parse(write(session, edits, minting()).files[0]?.text ?? '');
      const request = 4000 - 1 + 2;
      const left = {
        [input]: request,
        [output]: 1,
        // The editors have no sum.
        [total]: total === 'total_tokens' ? request + 1 : 13_900,
        cost: 0.5,
      };
      const [, stopped, last] = written.history;
      assert.deepEqual(last.message.usage, left);
      assert.deepEqual(written.usage, { ...left, totalCost: 2 });
      assert.deepEqual(stopped.message.usage, { [input]: 0, [output]: 3 });
    }
  });
});
