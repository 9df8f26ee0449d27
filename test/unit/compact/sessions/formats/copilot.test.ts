import assert from 'node:assert/strict';
import {
  detectFormat,
  type NewSession,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { asCopy, draw, minting, sameEdits, write } from '../fixtures';

const sessionId = '66666666-aaaa-4bbb-8ccc-000000000009';
const startData = {
  sessionId,
  version: 1,
  producer: 'copilot-agent',
  startTime: '2026-03-02T12:00:00.000Z',
  context: { cwd: '/home/ada/kettle' },
};
type Event = readonly [type: string, data: object];
const start: Event = ['session.start', startData];

/** The lines of a session as Copilot CLI writes them, one below the other. */
const textOf = (events: readonly Event[]): string =>
  events
    .map(([type, data], at) => {
      const links = { id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}` };
      return `${JSON.stringify({ type, data, ...links, timestamp: `2026-03-02T12:00:0${at}.000Z` })}\n`;
    })
    .join('');
const read = (...events: readonly Event[]): ReadHistory =>
  readHistory('events.jsonl', textOf([start, ...events]));
const drawn = (...events: readonly Event[]): string[] => draw(read(...events).history);

const asked = (content: string, more: object = {}): Event => [
  'user.message',
  { content, attachments: [], ...more },
];
const answered = (content: string, more: object = {}): Event => [
  'assistant.message',
  { messageId: 'm', content, toolRequests: [], ...more },
];
const call = (toolCallId: string) => ({
  toolCallId,
  name: 'view',
  arguments: { path: 'lid.txt' },
  type: 'function',
});
const ended = (toolCallId: string, more: object): Event => [
  'tool.execution_complete',
  { toolCallId, success: true, ...more },
];

const formatOf = (...events: readonly Event[]): string | undefined =>
  detectFormat('events.jsonl', textOf(events))?.id;

/** The events of a new session: their type, and the ids of the line and of its parent. */
const eventsIn = ({ files }: NewSession): string[] =>
  (files[0]?.text ?? '')
    .trimEnd()
    .split('\n')
    .map(line => {
      const { type, id, parentId } = JSON.parse(line);
      return `${type} ${parentId} ${id}`;
    });
const dataIn = ({ files }: NewSession, at: number): Record<string, unknown> =>
  JSON.parse((files[0]?.text ?? '').split('\n')[at] ?? '').data;

describe('a session of Copilot CLI', () => {
  it('has what was said, thought and called, and no events that repeat it', () => {
    assert.deepEqual(
      drawn(
        ['system.message', { content: 'Be brief.' }],
        asked('Is the lid on?'),
        ['assistant.turn_start', { turnId: '0' }],
        answered('', { reasoningText: 'A lid.', toolRequests: [call('c1')] }),
        ['tool.execution_start', { toolCallId: 'c1', toolName: 'view' }],
        ended('c1', { result: { content: 'lid: on' } }),
        answered('It is.'),
        answered('Really.'),
      ),
      [
        'system',
        '  text whole: Be brief.',
        'user',
        '  text: Is the lid on?',
        'assistant',
        '  thinking whole: A lid.',
        '  text: ',
        '  tool_call view #c1 whole: path: lid.txt',
        'tool',
        '  tool_result #c1: lid: on',
        'assistant',
        '  text: It is.',
        '  text: Really.',
      ],
    );
  });

  it('has the results of calls in each of their forms', () => {
    for (const [more, line] of [
      [{ result: { content: 'lid: on' } }, '  tool_result #c1: lid: on'],
      [{ result: 'lid: on' }, '  tool_result #c1: lid: on'],
      [{ success: false, error: { message: 'no lid' } }, '  tool_result #c1: no lid'],
      [{ result: { contents: [{ type: 'image' }] } }, '  other #c1 whole: '],
      [{}, '  other #c1 whole: '],
    ] as const)
      assert.deepEqual(drawn(asked('a'), ended('c1', more)), ['user', '  text: a', 'tool', line]);
  });

  it('says where and when it was, with the time of each message', () => {
    const { history } = read(asked('a'));
    assert.deepEqual(
      [history.sessionId, history.workspace, history.startedAt, history.messages[0]?.at],
      [sessionId, '/home/ada/kettle', startData.startTime, '2026-03-02T12:00:01.000Z'],
    );
    const old = { ...startData, startTime: undefined };
    const other = readHistory('events.jsonl', textOf([['session.start', old], asked('a')]));
    assert.equal(other.history.startedAt, '2026-03-02T12:00:00.000Z');
    assert.throws(() => read(['hook.start', {}]), UnsupportedHistory);
  });

  it('is told from the transcript of the extension by who wrote it', () => {
    assert.equal(formatOf(start, asked('a')), 'copilotCli');
    const producer = 'copilot-developer';
    assert.equal(formatOf(['session.start', { ...startData, producer }], asked('a')), 'copilot');
    assert.equal(formatOf(asked('a')), 'copilot');
    const ofEditor = { ...startData, vscodeVersion: '1.139.1' };
    assert.equal(formatOf(['session.start', ofEditor], asked('a')), 'copilot');
    assert.notEqual(formatOf(['other', {}]), 'copilot');
  });

  it('is written as a session of its own, with a file that names it', () => {
    const session = read(asked('Is the lid on?\nCheck.'), answered('It is.'));
    const { files, continueBy } = write(session, sameEdits(session.history), minting());
    const id = '99999999-9999-4999-8999-000000000001';
    assert.deepEqual(
      files.map(({ path }) => path),
      [`../${id}/events.jsonl`, `../${id}/workspace.yaml`],
    );
    assert.equal(
      files[1]?.text,
      `id: "${id}"\ncwd: "/home/ada/kettle"\nname: "Is the lid on?"\nuser_named: false\ncreated_at: "2026-03-02T12:00:00.000Z"\nupdated_at: "2026-03-03T08:00:00.000Z"\n`,
    );
    assert.equal(continueBy.shell, `copilot --resume=${id}`);
    assert.match(continueBy.sentence, new RegExp(`copilot --resume=${id}`));
    const hostile = write(session, sameEdits(session.history), {
      newId: () => 'x; rm -rf ~',
      now: new Date(0),
    });
    assert.doesNotMatch(`${hostile.continueBy.shell} ${hostile.continueBy.sentence}`, /rm/);
  });

  it('leaves out a call with all events of it, and what only sums up', () => {
    const session = read(
      asked('a'),
      answered('b', { toolRequests: [call('c1'), call('c2')] }),
      ['tool.execution_start', { toolCallId: 'c1' }],
      ['tool.execution_start', { toolCallId: 'c2' }],
      ended('c1', { result: { content: 'one' } }),
      ended('c2', { result: { content: 'two' } }),
      ['tool.user_requested', {}],
      ['session.usage_info', { tokenLimit: 1 }],
      answered('c'),
      ['session.shutdown', {}],
      ['session.resume', {}],
    );
    const edits = session.history.messages.map(({ parts }) =>
      parts.map(({ callId, text }) => (callId === 'c1' ? null : text)),
    );
    const written = write(session, edits, minting());
    assert.deepEqual(eventsIn(written), [
      'session.start null e0',
      'user.message e0 e1',
      'assistant.message e1 e2',
      'tool.execution_start e2 e4',
      'tool.execution_complete e4 e6',
      'tool.user_requested e6 e7',
      'assistant.message e7 e9',
    ]);
    assert.equal(dataIn(written, 0)['sessionId'], '99999999-9999-4999-8999-000000000001');
    assert.deepEqual(dataIn(written, 2)['toolRequests'], [call('c2')]);
    const copy = eventsIn(write(session, edits, asCopy));
    assert.equal(copy.length, 11);
    assert.deepEqual(copy.slice(4, 7), [
      'tool.execution_start e3 e4',
      'tool.execution_complete e4 e6',
      'tool.user_requested e6 e7',
    ]);
  });

  it('sends what is left of a question, with the notes of the tool around it', () => {
    const note = '<current_datetime>noon</current_datetime>\n\n';
    const question = 'Is the lid on?\nCheck twice.';
    for (const [sent, wanted] of [
      [`${note}${question}\n\n<reminder>`, `${note}Check twice.\n\n<reminder>`],
      // Where the question stands cannot be told.
      [`${question}\n${question}`, 'Check twice.'],
      ['other words', 'Check twice.'],
    ] as const) {
      const session = read(asked(question, { transformedContent: sent }), answered('b'));
      const written = write(session, [['Check twice.'], ['b']], minting());
      const { content, transformedContent } = dataIn(written, 1);
      assert.deepEqual([content, transformedContent], ['Check twice.', wanted]);
      const same = write(session, sameEdits(session.history), minting());
      assert.equal(dataIn(same, 1)['transformedContent'], sent);
    }
  });

  it('shows what is left of a result where it shows the same', () => {
    for (const [detailedContent, wanted] of [
      ['one\ntwo\n', 'two\n'],
      ['diff of one', 'diff of one'],
    ]) {
      const result = { content: 'one\ntwo\n', detailedContent };
      const session = read(
        asked('a'),
        answered('b', { toolRequests: [call('c1')] }),
        ended('c1', { result }),
      );
      const edits = sameEdits(session.history);
      const left = edits.map((own, at) => (at === 2 ? ['two\n'] : own));
      const { result: written } = dataIn(write(session, left, minting()), 3);
      assert.deepEqual(written, { content: 'two\n', detailedContent: wanted });
    }
  });

  it('is not continued after a summary of the tool, but may be copied', () => {
    for (const type of [
      'session.compaction_complete',
      'session.snapshot_rewind',
      'session.truncation',
    ]) {
      const session = read(asked('a'), [type, {}], answered('b'));
      const edits = sameEdits(session.history);
      assert.throws(() => write(session, edits, minting()), /summarized or rewound/, type);
      assert.ok(write(session, edits, asCopy).files[0]?.text.includes(type));
    }
  });

  it('tells the size that is left, with nothing in a cache', () => {
    const words = 'word '.repeat(9000);
    const usage = { inputTokens: 21_000, outputTokens: 5, cacheReadTokens: 9, cacheWriteTokens: 8 };
    const session = read(
      ['system.message', { content: words }],
      asked(words),
      ['session.usage_record', { usage }],
      answered('b'),
      ['session.usage_record', { usage: { inputTokens: 0, cacheReadTokens: 7 } }],
    );
    const [system, , answer] = sameEdits(session.history);
    const written = write(session, [system ?? [], ['short'], answer ?? []], minting());
    const left = dataIn(written, 3)['usage'];
    // The instructions are sent anew, whatever the session says of them.
    assert.deepEqual(left, {
      inputTokens: 12_000 + 1,
      outputTokens: 5,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
    assert.deepEqual(dataIn(written, 5)['usage'], { inputTokens: 0, cacheReadTokens: 7 });
  });
});
