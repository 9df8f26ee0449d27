import assert from 'node:assert/strict';
import {
  detectFormat,
  HistoryFile,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { draw } from '../fixtures';

const ts = 1_772_445_600_000;
const said = (role: string, content: unknown, more: object = {}) => ({
  id: 'm1',
  role,
  content,
  ts,
  ...more,
});
const sessionOf = (messages: readonly object[]) => ({
  version: 1,
  sessionId: `${ts}_abcde`,
  agent: 'lead',
  messages,
});
const read = (messages: readonly object[], about?: object): ReadHistory =>
  readHistory(
    '/sessions/1/1.messages.json',
    JSON.stringify(sessionOf(messages)),
    about ? [new HistoryFile('/sessions/1/1.json', JSON.stringify(about))] : [],
  );
const drawn = (...messages: readonly object[]): string[] => draw(read(messages).history);
const result = (content: unknown) => ({ type: 'tool_result', tool_use_id: 'c1', content });

const aboutOf = ({ history }: ReadHistory) => [
  history.sessionId,
  history.title,
  history.workspace,
  history.startedAt,
];

describe('a session of Cline 3', () => {
  it('has what each command gave, or why it gave nothing', () => {
    for (const [content, ...lines] of [
      ['lit', '  tool_result #c1: lit'],
      [[{ type: 'text', text: 'lit' }], '  tool_result #c1: lit'],
      [
        [
          { query: 'cat lamp', result: 'lit\n', success: true },
          { query: 'x', error: 'not found' },
        ],
        '  tool_result #c1: lit|',
        '  tool_result #c1: not found',
      ],
      [[{ query: 'x', result: { rows: 1 } }], '  other #c1 whole: '],
      [[], '  other #c1 whole: '],
    ] as [unknown, ...string[]][])
      assert.deepEqual(drawn(said('assistant', 'I look.'), said('user', [result(content)])), [
        'assistant',
        '  text: I look.',
        'tool',
        ...lines,
      ]);
  });

  it('has words of the user beside results as words of the user', () => {
    assert.deepEqual(drawn(said('user', [result('lit'), { type: 'text', text: 'And now?' }])), [
      'user',
      '  tool_result #c1: lit',
      '  text: And now?',
    ]);
    assert.deepEqual(drawn(said('user', 'Is it lit?'), said('user', [])), [
      'user',
      '  text: Is it lit?',
      'user',
    ]);
  });

  it('tells what it is about, from the file beside it', () => {
    const folder = { workspace_root: '/home/ada/kettle', cwd: '/home/ada' };
    const titled = { metadata: { title: 'The lamp' } };
    const [id, start] = [`${ts}_abcde`, '2026-03-02T10:00:00.000Z'];
    const messages = [said('user', 'a')];
    assert.deepEqual(aboutOf(read(messages, { ...folder, ...titled })), [
      id,
      'The lamp',
      '/home/ada/kettle',
      start,
    ]);
    assert.deepEqual(aboutOf(read(messages, { cwd: '/home/ada' })), [
      id,
      undefined,
      '/home/ada',
      start,
    ]);
    const bare = read([said('user', 'a', { ts: undefined })]);
    assert.deepEqual(aboutOf(bare), [id, undefined, undefined, undefined]);
    assert.deepEqual(
      [bare.history.messages[0]?.id, bare.history.messages[0]?.at],
      ['m1', undefined],
    );
    assert.equal(read(messages).history.messages[0]?.at, start);
  });

  it('is told by its members, and refused where something is not known', () => {
    const whole = sessionOf([said('user', 'a')]);
    for (const missing of ['sessionId', 'agent', 'messages'])
      assert.notEqual(
        detectFormat('1.messages.json', JSON.stringify({ ...whole, [missing]: undefined }))?.id,
        'clineSession',
        missing,
      );
    assert.notEqual(
      detectFormat('1.messages.json', JSON.stringify(sessionOf([{ text: 'a' }])))?.id,
      'clineSession',
    );
    assert.throws(() => read([said('ghost', 'boo')]), UnsupportedHistory);
    assert.throws(() => read([said('user', [{ type: 'hologram' }])]), UnsupportedHistory);
    assert.throws(() => read([]), UnsupportedHistory);
  });
});
