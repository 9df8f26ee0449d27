import assert from 'node:assert/strict';
import {
  detectFormat,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import {
  asCopy,
  draw,
  jsonLines,
  minting,
  parsedLines,
  sameEdits,
  textsOf,
  write,
} from '../fixtures';

const message = (id: string, parentId: string | null, content: Record<string, unknown>) =>
  JSON.stringify({ type: 'message', id, parentId, message: content });

describe('a message of pi that sums up others', () => {
  const session = '{"type":"session","version":3,"id":"s","cwd":"/home/ada/kettle"}';
  for (const role of ['branchSummary', 'compactionSummary']) {
    it(`is a summary: ${role}`, () => {
      const lines = [
        session,
        message('a', null, { role: 'user', content: 'Which valve leaks?' }),
        message('b', 'a', { role, summary: 'It is not the first one.', fromId: 'x' }),
        message('c', 'b', { role: 'assistant', content: [{ type: 'text', text: 'The second.' }] }),
      ];
      assert.deepEqual(draw(readHistory('s.jsonl', `${lines.join('\n')}\n`).history), [
        'user',
        '  text: Which valve leaks?',
        'user',
        '  summary whole: It is not the first one.',
        'assistant',
        '  text: The second.',
      ]);
    });
  }
});

const header = {
  type: 'session',
  version: 3,
  id: '44444444-aaaa-4bbb-8ccc-00000000000a',
  timestamp: '2026-03-02T12:00:00.000Z',
  cwd: '/home/ada/kettle',
};
const entry = (id: string, parentId: string | null, type: string, more: object) => ({
  type,
  id,
  parentId,
  timestamp: `2026-03-02T12:00:0${id}.000Z`,
  ...more,
});
const said = (id: string, parentId: string | null, role: string, text: string, more = {}) =>
  entry(id, parentId, 'message', {
    message: { role, content: [{ type: 'text', text }], ...more },
  });
const read = (...lines: readonly object[]): ReadHistory =>
  readHistory('session.jsonl', jsonLines([header, ...lines]));

const compacted = (firstKeptEntryId: string) =>
  entry('5', '4', 'compaction', { summary: 'sum', firstKeptEntryId, tokensBefore: 9000 });
const named = (id: string, name: string) =>
  entry(id, String(Number(id) - 1), 'session_info', { name });
const withoutLinks = (line: object) => ({ ...line, id: undefined, parentId: undefined });
const prompt = (id: string, parentId: string | null, more: object) =>
  entry(id, parentId, 'message', { message: { role: 'system', content: '', ...more } });
const contextEdit = (id: string, targetId: string, replacement: unknown) =>
  entry(id, String(Number(id) - 1), 'context_edit', { targetId, replacement });
/** A command that the user ran. */
const bash = (id: string | undefined, more: object) => ({
  ...entry('2', '1', 'message', {
    message: { role: 'bashExecution', command: 'npm test', timestamp: 77, ...more },
  }),
  id,
});
const drawnBehindOne = (line: object): string[] =>
  draw(read(said('1', null, 'user', 'one'), line).history);

describe('a session of pi', () => {
  const turns = [
    said('1', null, 'user', 'one'),
    said('2', '1', 'assistant', 'two'),
    said('3', '2', 'user', 'three'),
    said('4', '3', 'assistant', 'four'),
  ];
  const after = said('6', '5', 'user', 'six');

  it('begins with its latest summary, and then what that keeps, as pi sends them', () => {
    assert.deepEqual(textsOf(read(...turns, compacted('3'), after)), [
      'sum',
      'three',
      'four',
      'six',
    ]);
    assert.deepEqual(textsOf(read(...turns, compacted('1'), after)).length, 6);
    // Nothing is kept where the first kept line is unknown or behind the summary.
    for (const kept of ['9', '6'])
      assert.deepEqual(textsOf(read(...turns, compacted(kept), after)), ['sum', 'six']);
    const again = entry('7', '6', 'compaction', { summary: 'all', firstKeptEntryId: '6' });
    assert.deepEqual(textsOf(read(...turns, compacted('3'), after, again)), ['all', 'six']);
    const wider = { ...again, firstKeptEntryId: '4' };
    assert.deepEqual(textsOf(read(...turns, compacted('3'), after, wider)), ['all', 'four', 'six']);
  });

  it('of the first version has no ids, and names what a summary keeps by its place', () => {
    const plain = turns.map(withoutLinks);
    const summary = {
      ...withoutLinks(compacted('3')),
      firstKeptEntryId: undefined,
      firstKeptEntryIndex: 4,
    };
    assert.deepEqual(textsOf(read(...plain)), ['one', 'two', 'three', 'four']);
    assert.deepEqual(textsOf(read(...plain, summary)), ['sum', 'four']);
    const nothing = { ...summary, firstKeptEntryIndex: undefined };
    assert.deepEqual(textsOf(read(...plain, nothing)), ['sum']);
  });

  it('is the branch that was written last', () => {
    assert.deepEqual(textsOf(read(...turns, said('7', '2', 'user', 'instead'))), [
      'one',
      'two',
      'instead',
    ]);
  });

  it('has the latest name, its folder, and the time of each line', () => {
    const { history } = read(...turns, named('5', 'Tea'), named('6', 'Leak'));
    assert.deepEqual(
      [history.sessionId, history.title, history.workspace, history.startedAt],
      [header.id, 'Leak', '/home/ada/kettle', '2026-03-02T12:00:00.000Z'],
    );
    assert.deepEqual(
      history.messages.map(({ id, at }) => `${id} ${at}`),
      ['1', '2', '3', '4'].map(id => `${id} 2026-03-02T12:00:0${id}.000Z`),
    );
  });

  it('has commands of the user, results, and messages of extensions', () => {
    for (const [line, ...lines] of [
      [
        bash('2', { output: 'fine\n' }),
        'tool',
        '  tool_call bash #bash-2 whole: npm test',
        '  tool_result #bash-2: fine|',
      ],
      [bash('2', {}), 'tool', '  tool_call bash #bash-2 whole: npm test'],
      [said('2', '1', 'toolResult', 'out', { toolCallId: 'c' }), 'tool', '  tool_result #c: out'],
      [
        said('2', '1', 'toolResult', '', { toolCallId: 'c', content: [] }),
        'tool',
        '  other #c whole: ',
      ],
      [said('2', '1', 'custom', 'note', { toolCallId: 'c' }), 'tool', '  text: note'],
      [
        entry('2', '1', 'branch_summary', { summary: 'left', fromId: '9' }),
        'user',
        '  summary whole: left',
      ],
      [entry('2', '1', 'thinking_level_change', { thinkingLevel: 'high' })],
      [entry('2', '1', 'label', { label: 'x' })],
    ] as [object, ...string[]][])
      assert.deepEqual(drawnBehindOne(line), ['user', '  text: one', ...lines]);
    const { history } = readHistory(
      's.jsonl',
      [header, bash(undefined, {})].map(line => JSON.stringify(line)).join('\n'),
    );
    assert.equal(history.messages[0]?.parts[0]?.callId, 'bash-77');
  });

  describe('of version 1, which keeps its prompt', () => {
    const first = prompt('1', null, {
      sections: { preamble: 'You help.', cwd: '/home/ada/kettle', skills: null },
      toolsAdded: [{ name: 'read', description: 'Reads a file.', parameters: {} }],
    });
    const others = [
      said('2', '1', 'user', 'one'),
      prompt('3', '2', { toolsRemoved: [{ name: 'read' }] }),
      said('4', '3', 'assistant', 'two', { usage: { input: 5000, output: 9 } }),
      said('5', '4', 'user', 'three'),
    ];

    it('has it as words of the system, and keeps it whatever is left out', () => {
      const session = read(first, ...others);
      assert.deepEqual(draw(session.history), [
        'system',
        '  text whole: You help.',
        '  text whole: /home/ada/kettle',
        'user',
        '  text: one',
        'system',
        '  other whole: ',
        'assistant',
        '  text: two',
        'user',
        '  text: three',
      ]);
      const edits = sameEdits(session.history).map((own, at) => (at === 1 ? [null] : own));
      const lines = parsedLines(write(session, edits, minting()).files[0]?.text ?? '');
      assert.deepEqual(
        lines.slice(1).map(line => `${String(line['parentId'])} ${String(line['id'])}`),
        ['null 1', '1 3', '3 4', '4 5'],
      );
      assert.deepEqual(lines[1]?.['message'], Reflect.get(first, 'message'));
    });

    it('has no messages that the model no longer gets, and others as it gets them', () => {
      const session = read(
        first,
        ...others,
        contextEdit('6', '4', null),
        contextEdit('7', '5', 'four'),
        contextEdit('8', '5', [{ type: 'text', text: 'five' }]),
      );
      assert.deepEqual(textsOf(session).filter(Boolean).slice(2), ['one', 'five']);
      const same = parsedLines(
        write(session, sameEdits(session.history), minting()).files[0]?.text ?? '',
      );
      assert.deepEqual(
        same.slice(1).map(({ id }) => id),
        ['1', '2', '3', '5', '8'],
      );
      const at = session.history.messages.findIndex(({ parts }) => parts[0]?.text === 'five');
      const edits = sameEdits(session.history).map((own, index) => (index === at ? [null] : own));
      const left = parsedLines(write(session, edits, minting()).files[0]?.text ?? '');
      assert.deepEqual(
        left.slice(1).map(({ id }) => id),
        ['1', '2', '3'],
      );
    });

    it('keeps what follows the first line that its summary names, though that is omitted', () => {
      const session = read(
        first,
        ...others,
        contextEdit('6', '4', null),
        entry('7', '6', 'compaction', { summary: 'sum', firstKeptEntryId: '4' }),
        said('8', '7', 'user', 'six'),
      );
      assert.deepEqual(textsOf(session).filter(Boolean), ['sum', 'three', 'six']);
      assert.equal(session.history.hasEarlier, true);
    });

    it('may have a result that cost tokens of its own, which say nothing of the context', () => {
      const usage = { input: 90_000, output: 10, cacheRead: 0, cacheWrite: 0 };
      const call = { type: 'toolCall', id: 'c', name: 'ask', arguments: {} };
      const result = said('6', '5', 'toolResult', 'out', { toolCallId: 'c', usage });
      const session = read(
        first,
        ...others.slice(0, 3),
        entry('5', '4', 'message', { message: { role: 'assistant', content: [call] } }),
        result,
      );
      const text = write(session, sameEdits(session.history), minting()).files[0]?.text ?? '';
      assert.deepEqual(parsedLines(text).at(-1)?.['message'], Reflect.get(result, 'message'));
    });
  });

  it('is refused where a role is not known or nothing was said', () => {
    assert.throws(() => read(said('1', null, 'ghost', 'boo')), UnsupportedHistory);
    assert.throws(() => read(entry('1', null, 'model_change', {})), UnsupportedHistory);
  });

  it('is told by its first line', () => {
    for (const missing of ['type', 'id', 'cwd']) {
      const first = JSON.stringify({ ...header, [missing]: undefined });
      const rest = JSON.stringify(turns[0]);
      assert.notEqual(detectFormat('session.jsonl', `${first}\n${rest}\n`)?.id, 'pi', missing);
    }
  });

  it('is written as a new session that begins with what is kept', () => {
    const session = read(...turns, compacted('3'), after);
    const edits = sameEdits(session.history).map((own, at) => (at === 1 ? [null] : own));
    const { files, continueBy } = write(session, edits, minting());
    const id = '99999999-9999-4999-8999-000000000001';
    assert.equal(files[0]?.path, `2026-03-03T08-00-00-000Z_${id}.jsonl`);
    assert.equal(continueBy.shell, `pi --session ${id}`);
    const [first, ...rest] = parsedLines(files[0]?.text ?? '');
    assert.deepEqual(first, { ...header, id });
    assert.deepEqual(
      rest.map(line => [line['id'], line['parentId'], line['firstKeptEntryId']]),
      [
        ['4', null, undefined],
        ['5', '4', '4'],
        ['6', '5', undefined],
      ],
    );
  });

  it('keeps its other branches in a copy, below what is left', () => {
    const session = read(...turns, said('7', '2', 'user', 'instead'));
    const edits = sameEdits(session.history).map((own, at) => (at === 1 ? [null] : own));
    const lines = parsedLines(write(session, edits, asCopy).files[0]?.text ?? '');
    assert.deepEqual(
      lines.slice(1).map(line => `${String(line['parentId'])} ${String(line['id'])}`),
      ['null 1', '1 3', '3 4', '1 7'],
    );
    assert.deepEqual(lines[0], header);
  });
});
