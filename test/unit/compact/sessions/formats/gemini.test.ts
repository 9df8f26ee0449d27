import assert from 'node:assert/strict';
import {
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { asCopy, draw, minting, sameEdits, write } from '../fixtures';

const header = {
  sessionId: '33333333-aaaa-4bbb-8ccc-00000000000e',
  projectHash: '5d41402abc',
  startTime: '2026-03-02T11:00:00.000Z',
  lastUpdated: '2026-03-02T11:00:00.000Z',
  kind: 'main',
};
const entry = (id: string, type: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: `2026-03-02T11:00:0${id}.000Z`,
  type,
  content,
  ...more,
});
const textOf = (...lines: readonly object[]): string =>
  [header, ...lines].map(line => `${JSON.stringify(line)}\n`).join('');
const read = (...lines: readonly object[]): ReadHistory =>
  readHistory('session-1.jsonl', textOf(...lines));
const drawn = (...lines: readonly object[]): string[] => draw(read(...lines).history);
const textsIn = (...lines: readonly object[]): string =>
  read(...lines)
    .history.messages.flatMap(({ parts }) => parts.map(({ text }) => text))
    .join();
const response = (id: string, own: unknown) => ({
  functionResponse: { id, name: 'read_file', response: own },
});
const call = (id: string, more: object = {}) => ({
  id,
  name: 'read_file',
  args: { path: 'a.ts' },
  status: 'success',
  ...more,
});

describe('a session of Gemini CLI', () => {
  it('has the parts of a message in each of their forms', () => {
    for (const [content, ...lines] of [
      ['words', '  text: words'],
      [{ text: 'words' }, '  text: words'],
      [['words', { text: 'more' }], '  text: words', '  text: more'],
      [[{ text: 'Hm.', thought: true }], '  thinking whole: Hm.'],
      [[{ text: 'said', thought: false }], '  text: said'],
      [[{ functionCall: { id: 'c', name: 'f', args: { a: 1 } } }], '  tool_call f #c whole: a: 1'],
      [[{ inlineData: { data: 'x' } }], '  image whole: '],
      [[{ fileData: { fileUri: 'x' } }], '  image whole: '],
      [[{ executableCode: { code: 'x' } }], '  other whole: '],
      [[{ codeExecutionResult: {} }], '  other whole: '],
      [null],
    ] as [unknown, ...string[]][])
      assert.deepEqual(drawn(entry('1', 'user', 'a'), entry('2', 'gemini', content)), [
        'user',
        '  text: a',
        'assistant',
        ...lines,
      ]);
    for (const content of [5, [{ hologram: 1 }], [{}]])
      assert.throws(() => read(entry('1', 'user', content)), UnsupportedHistory);
  });

  it('has results, also those that failed, as messages of tools', () => {
    for (const [own, line] of [
      [{ output: 'x' }, '  tool_result #c: x'],
      [{ error: 'no file' }, '  tool_result #c: no file'],
      [{ lines: 3, name: 'a.ts' }, '  other #c whole: lines: 3|name: a.ts'],
    ] as const)
      assert.deepEqual(
        drawn(entry('1', 'user', 'a'), entry('2', 'user', [response('c', own)])).slice(2),
        [line.includes('other') ? 'user' : 'tool', line],
      );
    assert.deepEqual(
      drawn(entry('1', 'user', [response('c', { output: 'x' }), { text: 'b' }])).at(0),
      'user',
    );
  });

  it('has thoughts and calls with their results in an answer', () => {
    const answer = entry('2', 'gemini', 'I look.', {
      thoughts: [{ subject: 'Search', description: 'In a.ts.' }, { description: 'Or b.ts.' }],
      toolCalls: [
        call('c1', { result: [response('c1', { output: 'x' }), { inlineData: {} }] }),
        call('c2'),
      ],
    });
    assert.deepEqual(drawn(entry('1', 'user', 'a'), answer).slice(2), [
      'assistant',
      '  thinking whole: Search|In a.ts.',
      '  thinking whole: Or b.ts.',
      '  text: I look.',
      '  tool_call read_file #c1 whole: path: a.ts',
      '  tool_result #c1: x',
      '  image #c1 whole: ',
      '  tool_call read_file #c2 whole: path: a.ts',
    ]);
  });

  it('is without what is only shown, and knows what the tool says itself', () => {
    assert.deepEqual(
      drawn(
        entry('1', 'user', '\n<session_context>\nToday is Monday.'),
        entry('2', 'info', 'Update available.'),
        entry('3', 'error', 'x'),
        entry('4', 'warning', 'x'),
        entry('5', 'user', '<hook_context>x'),
        entry('6', 'user', 'What is <session_context>?'),
      ),
      [
        'system',
        '  text whole: |<session_context>|Today is Monday.',
        'system',
        '  text whole: <hook_context>x',
        'user',
        '  text: What is <session_context>?',
      ],
    );
    assert.throws(() => read(entry('1', 'note', 'x')), UnsupportedHistory);
    assert.throws(() => read(entry('1', 'user', 'a'), { note: 1 }), /note/);
    assert.throws(() => read(), UnsupportedHistory);
  });

  it('has messages as they were noted last, without those that were taken back', () => {
    const a = entry('1', 'user', 'a');
    const b = entry('2', 'gemini', 'b');
    const c = entry('3', 'user', 'c');
    const again = entry('1', 'user', 'A');
    for (const [lines, expected] of [
      [[a, b, again, c], 'A,b,c'],
      [[a, b, c, { $rewindTo: '2' }], 'a'],
      [[a, b, c, { $rewindTo: '3' }, b], 'a,b'],
      [[a, b, { $rewindTo: '9' }, c], 'c'],
      [[a, { $set: { messages: [b] } }, c], 'b,c'],
      [[a, { $set: { lastUpdated: 'x' } }, b], 'a,b'],
      [[a, { ...header, messages: [b, c] }], 'a,b,c'],
    ] as [object[], string][])
      assert.equal(textsIn(...lines), expected);
  });

  it('is about the latest that its lines say', () => {
    const { history } = read(entry('1', 'user', 'a'), {
      $set: { summary: 'Relay', projectHash: 'f00' },
    });
    assert.deepEqual(
      [history.sessionId, history.title, history.startedAt, history.workspaceHash],
      [header.sessionId, 'Relay', header.startTime, 'f00'],
    );
    assert.equal(history.messages[0]?.at, '2026-03-02T11:00:01.000Z');
  });

  it('is written as one header and the messages that are left', () => {
    const session = read(
      entry('1', 'user', 'a'),
      entry('2', 'gemini', 'b\nc'),
      { $set: { summary: 'Relay' } },
      entry('3', 'info', 'shown'),
      entry('4', 'user', 'taken back'),
      { $rewindTo: '4' },
      entry('5', 'user', 'd'),
      entry('2', 'gemini', 'B\nC', { tokens: { input: 11_000, output: 9, cached: 5, total: 8 } }),
    );
    const edits = [[null], ['C'], ['d']];
    const { files, continueBy } = write(session, edits, minting());
    const id = '99999999-9999-4999-8999-000000000001';
    const [first, ...rest] = (files[0]?.text ?? '')
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    assert.deepEqual(first, {
      ...header,
      summary: 'Relay',
      sessionId: id,
      lastUpdated: '2026-03-03T08:00:00.000Z',
    });
    const tokens = { input: 10_999, output: 1, cached: 0, total: 11_000 };
    assert.deepEqual(rest, [
      entry('2', 'gemini', 'C', { tokens }),
      entry('3', 'info', 'shown'),
      entry('5', 'user', 'd'),
    ]);
    assert.deepEqual(
      [files[0]?.path, continueBy.shell],
      ['session-2026-03-03T08-00-99999999.jsonl', `gemini --resume ${id}`],
    );
    // All versions of a message go, so that none of them is left in a copy.
    const copy = write(session, [['a'], [null], ['d']], asCopy).files[0]?.text ?? '';
    assert.doesNotMatch(copy, /"2"/);
    assert.match(copy, /\$rewindTo/);
  });

  it('of the old form is one object, and stays one', () => {
    const whole = JSON.stringify({ ...header, messages: [entry('1', 'user', 'a\nb')] }, null, 2);
    const session = readHistory('session-1.json', whole);
    const same = sameEdits(session.history);
    assert.deepEqual(draw(session.history), ['user', '  text: a|b']);
    const [file] = write(session, [['b']], minting()).files;
    assert.equal(file?.path, 'session-2026-03-03T08-00-99999999.json');
    assert.deepEqual(JSON.parse(file?.text ?? ''), {
      ...header,
      sessionId: '99999999-9999-4999-8999-000000000001',
      messages: [entry('1', 'user', 'b')],
    });
    assert.equal(write(session, same, asCopy).files[0]?.text, whole);
  });
});
