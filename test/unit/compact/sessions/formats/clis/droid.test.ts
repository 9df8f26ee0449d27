import assert from 'node:assert/strict';
import {
  detectFormat,
  HistoryFile,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../../src/compact/sessions';
import { readChat } from '../../../../../../src/compact/sessions/chat';
import {
  asCopy,
  draw,
  jsonLines,
  minting,
  parsedLines,
  sameEdits,
  textsOf,
  write,
} from '../../fixtures';

const header = { type: 'session_start', id: 's', title: 'Leak', cwd: '/home/ada/kettle' };
const message = (id: string, parentId: string | undefined, own: object, more = {}) => ({
  type: 'message',
  id,
  ...(parentId === undefined ? {} : { parentId }),
  timestamp: `2026-03-02T12:00:0${id}.000Z`,
  message: own,
  ...more,
});
const said = (id: string, parentId: string | undefined, role: string, text: string, more = {}) =>
  message(id, parentId, { role, content: [{ type: 'text', text }], ...more });
const result = (id: string, parentId: string, more = {}) =>
  message(id, parentId, {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c', content: 'out' }],
    ...more,
  });
const call = (id: string, parentId: string) =>
  message(id, parentId, {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c', name: 'Execute', input: { command: 'ls' } }],
  });
const summary = (anchorMessage: object | undefined) => ({
  type: 'compaction_state',
  id: '8',
  timestamp: '2026-03-02T12:00:08.000Z',
  summaryText: 'In short.',
  ...(anchorMessage === undefined ? {} : { anchorMessage, uiRenderCutoffMessageId: '2' }),
  removedCount: 2,
});
const read = (...lines: readonly object[]): ReadHistory =>
  readHistory('s.jsonl', jsonLines([header, ...lines]));
const newLines = (session: ReadHistory): Record<string, unknown>[] =>
  parsedLines(write(session, sameEdits(session.history), minting()).files[0]?.text ?? '');

const turns = [
  said('1', undefined, 'user', 'one'),
  call('2', '1'),
  result('3', '2'),
  said('4', '3', 'assistant', 'four'),
  said('5', '4', 'user', 'five'),
];
/** A session whose first line has more. */
const headed = (more: object): ReadHistory['history'] =>
  readHistory('s.jsonl', jsonLines([{ ...header, ...more }, ...turns])).history;

describe('a session of Droid', () => {
  it('begins with its latest summary, and then what follows the message that it names', () => {
    const rows: [anchor: object | undefined, texts: string[]][] = [
      [{ id: '4', index: 1 }, ['In short.', 'five']],
      [{ id: '5' }, ['In short.']],
      // A result does not come without its call.
      [{ id: '2', index: 0 }, ['In short.', 'four', 'five']],
      [{ index: 3 }, ['In short.', 'five']],
      // All is sent where it names none that there is.
      [{ id: 'gone', index: 3 }, ['In short.', 'one', 'command: ls', 'out', 'four', 'five']],
      [{ index: 9 }, ['In short.', 'one', 'command: ls', 'out', 'four', 'five']],
      [undefined, ['In short.', 'one', 'command: ls', 'out', 'four', 'five']],
    ];
    for (const [anchor, texts] of rows) {
      const session = read(...turns, summary(anchor));
      assert.deepEqual(textsOf(session), texts);
      assert.equal(session.history.hasEarlier, texts.length < 6, JSON.stringify(anchor));
    }
    const again = { ...summary({ id: '5' }), id: '9', summaryText: 'Shorter.' };
    assert.deepEqual(textsOf(read(...turns, summary({ id: '1' }), again)), ['Shorter.']);
  });

  it('has all messages and no summary once the earlier ones are included', () => {
    const text = jsonLines([header, ...turns, summary({ id: '4' })]);
    const chat = readChat({ path: 's.jsonl', text, includesEarlier: true });
    assert.equal(chat.earlier, 'included');
    assert.deepEqual(
      chat.messages.flatMap(({ parts }) => parts.map(part => part.text)),
      ['one', 'command: ls', 'out', 'four', 'five'],
    );
  });

  it('has nothing that is only shown, but results', () => {
    const only = { visibility: 'user_only' };
    const hook = message('6', '5', { role: 'user', content: [], hookEventName: 'Stop', ...only });
    assert.deepEqual(
      draw(
        read(call('1', '0'), result('2', '1', only), said('3', '2', 'user', 'Not sent', only), hook)
          .history,
      ),
      ['assistant', '  tool_call Execute #c whole: command: ls', 'tool', '  tool_result #c: out'],
    );
  });

  it('has texts, and thoughts beside the content, which go with what stands for them', () => {
    const session = read(
      message('1', undefined, { role: 'user', content: 'plain' }),
      said('2', '1', 'assistant', 'yes', {
        openaiReasoningId: 'r',
        openaiReasoningSummary: 'Hm.',
        openaiEncryptedContent: 'ZW5j',
      }),
      message('3', '2', { role: 'assistant', content: [] }),
    );
    assert.deepEqual(draw(session.history), [
      'user',
      '  text: plain',
      'assistant',
      '  thinking whole: Hm.',
      '  text: yes',
      'assistant',
      '  other whole: ',
    ]);
    const edits = [['plain'], [null, 'yes'], ['']];
    const { files } = write(session, edits, minting());
    assert.deepEqual(parsedLines(files[0]?.text ?? '')[2]?.['message'], {
      role: 'assistant',
      content: [{ type: 'text', text: 'yes' }],
    });
  });

  it('tells of its folder, and of the one that started it', () => {
    assert.equal(headed({}).workspace, '/home/ada/kettle');
    assert.equal(headed({ lastCwd: '/home/ada/tea' }).workspace, '/home/ada/tea');
    assert.equal(headed({}).isOfSubAgent, false);
    assert.equal(headed({ callingSessionId: 'x' }).isOfSubAgent, true);
    assert.equal(headed({}).startedAt, '2026-03-02T12:00:01.000Z');
  });

  it('is written as one of its own, with what is sent in a chain', () => {
    const own = { ...header, callingSessionId: 'x', parent: 'y', decompSessionType: 'worker' };
    const lines = [own, ...turns, summary({ id: '3' }), { type: 'todo_state', id: 't' }];
    const [first, ...rest] = newLines(readHistory('s.jsonl', jsonLines(lines)));
    assert.deepEqual(first, { ...header, id: '99999999-9999-4999-8999-000000000001' });
    assert.deepEqual(
      rest.map(line => [line['id'], line['parentId'], line['anchorMessage']]),
      [
        ['4', undefined, undefined],
        ['5', '4', undefined],
        ['8', undefined, undefined],
      ],
    );
    assert.ok(!('parentId' in (rest[0] ?? {})));
    assert.ok(!('uiRenderCutoffMessageId' in (rest[2] ?? {})));
  });

  it('is read as it was written, with its summary first', () => {
    const session = read(...turns, summary({ id: '3' }));
    const { files } = write(session, sameEdits(session.history), minting());
    const again = readHistory('new.jsonl', files[0]?.text ?? '');
    assert.deepEqual(draw(again.history), draw(session.history));
    assert.equal(again.history.hasEarlier, false);
  });

  it('keeps everything else in a copy', () => {
    const session = read(...turns, { type: 'todo_state', id: 't' });
    const edits = sameEdits(session.history).map((one, at) => (at === 0 ? [null] : one));
    const lines = parsedLines(write(session, edits, asCopy).files[0]?.text ?? '');
    assert.deepEqual(
      lines.map(({ id, parentId }) => `${String(id)} ${String(parentId)}`),
      ['s undefined', '2 null', '3 2', '4 3', '5 4', 't undefined'],
    );
  });

  it('has the figures of the file beside it, for what is left', () => {
    const settings = {
      assistantActiveTimeMs: 700,
      model: 'custom:m',
      tokenUsage: { inputTokens: 90_000 },
      archivedAt: '2026-03-02',
      lastCallTokenUsage: { inputTokens: 11_000, outputTokens: 5, cacheReadTokens: 20 },
    };
    const { format, history } = readHistory(
      's.jsonl',
      jsonLines([
        header,
        said('1', undefined, 'user', 'word '.repeat(900)),
        said('2', '1', 'assistant', 'a'),
      ]),
      [new HistoryFile('s.settings.json', JSON.stringify(settings))],
    );
    const { files } = write({ format, history }, [['word'], ['a']], minting());
    assert.equal(files[1]?.path, '99999999-9999-4999-8999-000000000001.settings.json');
    const written: Record<string, unknown> = JSON.parse(files[1]?.text ?? '');
    assert.deepEqual(Object.keys(written), [
      'assistantActiveTimeMs',
      'model',
      'lastCallTokenUsage',
    ]);
    assert.equal(written['assistantActiveTimeMs'], 0);
    const input = /"inputTokens":(\d+)/.exec(files[1]?.text ?? '')?.[1];
    assert.ok(Number(input) > 9000 && Number(input) < 10_700, input);
  });

  it('is refused where a role or a block is not known, or nothing was said', () => {
    for (const line of [
      said('1', undefined, 'ghost', 'boo'),
      message('1', undefined, { role: 'user', content: [{ type: 'smell' }] }),
      { type: 'todo_state', id: 't' },
    ])
      assert.throws(() => read(line), UnsupportedHistory);
  });

  it('is told by its first line', () => {
    const rest = said('1', undefined, 'user', 'one');
    for (const missing of ['type', 'id']) {
      const text = jsonLines([{ ...header, [missing]: undefined }, rest]);
      assert.notEqual(detectFormat('s.jsonl', text)?.id, 'droid', missing);
    }
  });
});
