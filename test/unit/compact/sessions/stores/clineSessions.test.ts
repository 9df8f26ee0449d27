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

const oldId = `${ts}_abcde`;
const manifest = {
  version: 1,
  session_id: oldId,
  status: 'completed',
  started_at: '2026-03-02T10:00:00.000Z',
  ended_at: '2026-03-02T10:05:00.000Z',
  cwd: '/home/ada/kettle',
  prompt: 'Is the lamp lit?',
  metadata: {
    title: 'The lamp',
    usage: { inputTokens: 190_000, outputTokens: 40, cacheReadTokens: 9, totalCost: 0.5 },
  },
  messages_path: `/home/ada/.cline/data/sessions/${oldId}/${oldId}.messages.json`,
};
const answer = { metrics: { inputTokens: 170_000, outputTokens: 40, cacheReadTokens: 20_000 } };
const call = { type: 'tool_use', id: 'c1', name: 'run_commands', input: { commands: ['ls'] } };
const lamps = Array.from({ length: 50 }, (_, at) => `lamp ${at} is lit`).join('\n');
const longSession = {
  ...sessionOf([
    said('user', 'Is the lamp lit?'),
    said('assistant', [call], answer),
    said('user', [result([{ query: 'ls', result: lamps, success: true }])]),
    said('assistant', 'It is.', answer),
  ]),
  origin: { source: 'cli', sessionId: oldId },
};
const now = new Date('2026-03-03T09:00:00.000Z');

/** The texts of the written files by path, with what is left of the result. */
function write(about: object | undefined, left: string | null): Map<string, string> {
  const companions = about ? [new HistoryFile('/s/1.json', JSON.stringify(about))] : [];
  const text = JSON.stringify(longSession);
  const { format, history } = readHistory('/s/1.messages.json', text, companions);
  const edits = history.messages.map(({ parts }) =>
    parts.map(part => (part.callId === undefined ? part.text : left === null ? null : part.text)),
  );
  if (left !== null) edits[2] = [left];
  const written = format.write?.(history, edits, { newId: () => '9f8e7d6c-0000', now });
  assert.equal(written?.continueBy.shell, `cline --id ${newId}`);
  return new Map(written.files.map(file => [file.path, file.text]));
}
const newId = `${now.getTime()}_9f8e7`;

describe('a session of Cline 3', () => {
  it('is written as a folder of its own, which the tool lists and goes on with', () => {
    const files = write(manifest, 'lamp 7 is lit');
    const [messages, about] = [`../${newId}/${newId}.messages.json`, `../${newId}/${newId}.json`];
    assert.deepEqual([...files.keys()], [messages, about]);
    const written = JSON.parse(files.get(messages) ?? '');
    assert.deepEqual([written.sessionId, written.origin.sessionId], [newId, newId]);
    assert.equal(written.messages[2].content[0].content[0].result, 'lamp 7 is lit');
    const listed = JSON.parse(files.get(about) ?? '');
    const path = `/home/ada/.cline/data/sessions/${newId}/${newId}.messages.json`;
    assert.deepEqual(
      [listed.session_id, listed.messages_path, listed.ended_at, listed.metadata.title],
      [newId, path, now.toISOString(), 'The lamp'],
    );
  });

  it('tells its own size, of each answer and of the whole', () => {
    const files = write(manifest, 'lamp 7 is lit');
    const [messages, about] = [...files.values()].map(text => JSON.parse(text));
    const [, first, , last] = messages.messages;
    assert.ok(first.metrics.inputTokens < last.metrics.inputTokens);
    assert.ok(last.metrics.inputTokens < 10_000, String(last.metrics.inputTokens));
    assert.equal(last.metrics.cacheReadTokens, 0);
    assert.equal(about.metadata.usage.inputTokens, last.metrics.inputTokens);
    assert.equal(about.metadata.usage.totalCost, 0.5);
  });

  it('loses a call with its result', () => {
    const [messages = ''] = write(manifest, null).values();
    assert.deepEqual(
      JSON.parse(messages).messages.map(({ content }: { content: unknown }) => content),
      ['Is the lamp lit?', 'It is.'],
    );
  });

  it('is not written without the file that lists it', () => {
    assert.throws(() => write(undefined, 'lamp 7 is lit'), /the file beside it .* is missing/);
  });

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
