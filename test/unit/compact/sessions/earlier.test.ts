import assert from 'node:assert/strict';
import {
  type Chat,
  type ChatFile,
  eraseFromChat,
  readChat,
  writeChat,
} from '../../../../src/compact/sessions/chat';
import { cpuMs } from '../../../support/unit/cpuTime';
import { fixtures, minting, textOf } from './fixtures';

type Json = Record<string, unknown>;

const lines = (...entries: readonly Json[]): string =>
  entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

const claude = (
  uuid: string,
  parentUuid: string | null,
  content: string,
  more: Json = {},
): Json => ({
  uuid,
  parentUuid,
  sessionId: 's-1',
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const boundary = (uuid: string, logicalParentUuid: string | undefined): Json => ({
  uuid,
  parentUuid: null,
  logicalParentUuid,
  sessionId: 's-1',
  type: 'system',
  subtype: 'compact_boundary',
  content: 'Conversation compacted',
});
const isCompactSummary = { isCompactSummary: true };

const codex = (type: string, payload: Json): Json => ({ type, payload });
const codexMeta = codex('session_meta', {
  id: '11111111-aaaa-4bbb-8ccc-000000000001',
  cwd: '/work/app',
});
const codexMessage = (text: string): Json => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
const codexSaid = (text: string): Json => codex('response_item', codexMessage(text));

const pi = (id: string, parentId: string | null, type: string, more: Json): Json => ({
  type,
  id,
  parentId,
  ...more,
});
const piSaid = (id: string, parentId: string | null, content: string): Json =>
  pi(id, parentId, 'message', { message: { role: 'user', content } });
const kimiSaid = (text: string, role = 'user'): Json => ({
  type: 'context.append_message',
  agentId: 'main',
  message: { role, content: [{ type: 'text', text }], toolCalls: [] },
});
const piHeader = { type: 'session', version: 3, id: 's-1', cwd: '/work/app' };

const qwen = (uuid: string, parentUuid: string | null, more: Json): Json => ({
  uuid,
  parentUuid,
  sessionId: 's-1',
  ...more,
});
const qwenContent = (text: string): Json => ({ role: 'user', parts: [{ text }] });
const qwenSaid = (uuid: string, parentUuid: string | null, text: string): Json =>
  qwen(uuid, parentUuid, { type: 'user', message: qwenContent(text) });

const opencodeId = (at: number): string => `msg_3f2a0011223${at}abcdefghijABCD`;
const opencode = (at: number, role: string, part: Json, more: Json = {}): Json => ({
  info: { id: opencodeId(at), sessionID: 'ses_3f2a00112233abcdefghijABCD', role, ...more },
  parts: [{ id: `prt_${at}`, ...part }],
});

const text = (own: string): Json => ({ type: 'text', text: own });

/** What the tool sends of each session, and what the session has. */
const sessions: readonly [name: string, content: string, sent: string[], all: string[]][] = [
  [
    'Claude Code, with a summary',
    lines(
      claude('a', null, 'first'),
      claude('b', 'a', 'second'),
      boundary('c', 'b'),
      claude('d', 'c', 'In short.', isCompactSummary),
      claude('e', 'd', 'third'),
    ),
    ['In short.', 'third'],
    ['first', 'second', 'third'],
  ],
  [
    'Claude Code, with two summaries, of which one names no line',
    lines(
      claude('a', null, 'first'),
      boundary('c', undefined),
      claude('d', 'c', 'In short.', isCompactSummary),
      claude('e', 'd', 'second'),
      claude('x', 'd', 'taken back'),
      claude('f', 'e', 'third'),
      boundary('g', 'f'),
      claude('h', 'g', 'In shorter.', isCompactSummary),
      claude('i', 'g', 'fourth'),
    ),
    ['fourth'],
    ['first', 'second', 'third', 'fourth'],
  ],
  [
    'Claude Code, with a summary that keeps the last messages',
    lines(
      claude('a', null, 'first'),
      claude('b', 'a', 'second'),
      claude('c', 'b', 'third'),
      {
        ...boundary('d', 'c'),
        compactMetadata: {
          trigger: 'auto',
          preservedSegment: { headUuid: 'b', anchorUuid: 'e', tailUuid: 'c' },
          preservedMessages: { anchorUuid: 'e', uuids: ['b', 'c'] },
          preTokens: 9,
        },
      },
      claude('e', 'd', 'In short.', isCompactSummary),
      claude('f', 'e', 'fourth'),
      claude('g', 'f', 'fifth'),
    ),
    ['In short.', 'second', 'third', 'fourth', 'fifth'],
    ['first', 'second', 'third', 'fourth', 'fifth'],
  ],
  [
    'Claude Code, with a line whose parent was never written',
    lines(
      claude('a', null, 'first'),
      claude('b', 'a', 'second'),
      claude('c', 'gone', 'third'),
      claude('d', 'c', 'fourth'),
    ),
    ['third', 'fourth'],
    ['first', 'second', 'third', 'fourth'],
  ],
  [
    'Codex',
    lines(
      codexMeta,
      codexSaid('first'),
      codex('compacted', { message: '', replacement_history: [codexMessage('In short.')] }),
      codexSaid('second'),
      codex('compacted', { message: 'In shorter.' }),
      codexSaid('third'),
    ),
    ['In shorter.', 'third'],
    ['first', 'second', 'third'],
  ],
  [
    'pi',
    lines(
      piHeader,
      piSaid('1', null, 'first'),
      piSaid('2', '1', 'second'),
      pi('3', '2', 'compaction', { summary: 'In short.', firstKeptEntryId: '2' }),
      piSaid('4', '3', 'third'),
    ),
    ['In short.', 'second', 'third'],
    ['first', 'second', 'third'],
  ],
  [
    'oh-my-pi, whose context was cleared',
    lines(
      { type: 'title', v: 1, title: '', updatedAt: '', pad: ' ' },
      piHeader,
      piSaid('1', null, 'first'),
      pi('2', '1', 'compaction', { summary: 'In short.', firstKeptEntryId: '1' }),
      piSaid('3', '2', 'second'),
      pi('4', '3', 'reset_boundary', {}),
      piSaid('5', '4', 'third'),
    ),
    ['third'],
    ['first', 'second', 'third'],
  ],
  [
    'Kimi Code',
    lines(
      { type: 'metadata', protocol_version: '1.5', created_at: 1 },
      kimiSaid('first'),
      { type: 'context.clear' },
      kimiSaid('second'),
      kimiSaid('third', 'assistant'),
      {
        type: 'context.apply_compaction',
        summary: 'In short.',
        contextSummary: 'So far: In short.',
        compactedCount: 2,
        keptUserMessageCount: 1,
      },
      kimiSaid('fourth'),
    ),
    ['second', 'So far: In short.', 'fourth'],
    ['first', 'second', 'third', 'fourth'],
  ],
  [
    'Qwen Code',
    lines(
      qwenSaid('1', null, 'first'),
      qwen('2', '1', {
        type: 'system',
        subtype: 'chat_compression',
        systemPayload: { info: {}, compressedHistory: [qwenContent('In short.')] },
      }),
      qwenSaid('3', '2', 'second'),
    ),
    ['In short.', 'second'],
    ['first', 'second'],
  ],
  [
    'opencode',
    JSON.stringify({
      info: {
        id: 'ses_3f2a00112233abcdefghijABCD',
        directory: '/work/app',
        title: 'Kettle',
        time: { created: 1_772_445_600_000, updated: 1_772_445_600_000 },
      },
      messages: [
        opencode(1, 'user', text('first')),
        opencode(2, 'user', { type: 'compaction' }),
        opencode(3, 'assistant', text('In short.'), { summary: true, parentID: opencodeId(2) }),
        opencode(4, 'user', text('second')),
      ],
    }),
    ['', 'In short.', 'second'],
    ['first', 'second'],
  ],
];

const textsOf = ({ messages }: Chat): string[] =>
  messages.flatMap(({ parts }) => parts.map(part => part.text));
const fileOf = (content: string, includesEarlier: boolean): ChatFile => ({
  path: content.startsWith('{"info"')
    ? 'session.json'
    : content.startsWith('{"type":"metadata"')
      ? '/sessions/wd_app_1/session_1/agents/main/wire.jsonl'
      : 'session.jsonl',
  text: content,
  includesEarlier,
});

/** The text of a new session of the same tool, with all that the chat has. */
function rewritten(file: ChatFile): string {
  const edits = readChat(file).messages.map(({ parts }) => parts.map(part => part.text));
  const request = { edits, asCopy: false, now: new Date(0) };
  const { newId } = minting();
  return writeChat(file, request, newId).files[0]?.text ?? '';
}

/** Lines whose parents were never written. */
const dangling = (count: number) =>
  lines(...Array.from({ length: count }, (_, at) => claude(`u${at}`, `gone${at}`, 'x')));
/** Summaries of summaries, of which all later lines are children. */
const nested = (count: number) =>
  lines(
    claude('first', null, 'x'),
    ...Array.from({ length: count }, (_, at) =>
      boundary(`b${at}`, at === 0 ? 'first' : `b${at - 1}`),
    ),
    ...Array.from({ length: count }, (_, at) => claude(`u${at}`, `b${count - 1}`, 'x')),
  );

describe('messages that a tool no longer sends', () => {
  for (const [name, content, sent, all] of sessions) {
    it(`are included when they are asked for: ${name}`, () => {
      const now = readChat(fileOf(content, false));
      assert.deepEqual([textsOf(now), now.earlier], [sent, 'left out']);
      const whole = readChat(fileOf(content, true));
      assert.deepEqual([textsOf(whole), whole.earlier], [all, 'included']);
      const bytes = { ...fileOf(content, true), text: Buffer.from(content) };
      assert.deepEqual(textsOf(readChat(bytes)), all);
    });

    it(`are sent again by the session that is written: ${name}`, () => {
      const again = readChat(fileOf(rewritten(fileOf(content, true)), false));
      assert.deepEqual([textsOf(again), again.earlier], [all, 'none']);
    });
  }

  it('are kept by a summary as long as the user does not go back behind it', () => {
    const [, , [, content] = ['', '']] = sessions;
    const sent = ['In short.', 'second', 'third', 'fourth', 'fifth'];
    const again = readChat(fileOf(rewritten(fileOf(content, false)), false));
    assert.deepEqual([textsOf(again), again.earlier], [sent, 'none']);
    const written = rewritten(fileOf(content, false)).trimEnd().split('\n');
    const parents = written.map((line): Json => JSON.parse(line));
    assert.deepEqual(
      parents.map(({ parentUuid }) => parentUuid),
      [null, ...parents.slice(0, -1).map(({ uuid }) => uuid)],
    );
    assert.deepEqual(parents[0]?.['compactMetadata'], { trigger: 'auto', preTokens: 9 });
    const back = `${content}${lines(claude('h', 'b', 'sixth'))}`;
    assert.deepEqual(textsOf(readChat(fileOf(back, false))), ['first', 'second', 'sixth']);
    const unknown = content.replace('"headUuid":"b"', '"headUuid":"gone"');
    assert.deepEqual(textsOf(readChat(fileOf(unknown, false))), ['In short.', 'fourth', 'fifth']);
  });

  it('are none where the user took them back, or nothing is before them', () => {
    for (const content of [
      lines(claude('a', null, 'taken back'), claude('b', null, 'first')),
      lines(claude('b', 'gone', 'first')),
      lines(boundary('a', 'gone'), claude('b', 'a', 'In short.', isCompactSummary)),
      lines(codexMeta, codex('compacted', { message: 'In short.' }), codexSaid('first')),
    ]) {
      const chat = readChat(fileOf(content, false));
      assert.equal(chat.earlier, 'none', content);
      assert.deepEqual(readChat(fileOf(content, true)), chat);
    }
  });

  it('are none in a chat of a tool that has no summaries, which stays as it is', () => {
    for (const one of fixtures) {
      const file = { path: one.path, text: textOf(one), companions: one.companions ?? [] };
      const chat = readChat(file);
      if (chat.earlier === 'none')
        assert.deepEqual(readChat({ ...file, includesEarlier: true }), chat);
    }
  });

  it('are found above lines that nothing links to, and around a circle', () => {
    const snapshot = { type: 'file-history-snapshot', messageId: 'c', snapshot: {} };
    const content = lines(claude('a', null, 'first'), snapshot, claude('c', 'gone', 'second'));
    assert.deepEqual(textsOf(readChat(fileOf(content, true))), ['first', 'second']);
    const circle = lines(
      claude('a', 'b', 'first'),
      claude('b', 'a', 'second'),
      claude('c', 'gone', 'third'),
    );
    assert.deepEqual(textsOf(readChat(fileOf(circle, true))), ['first', 'second', 'third']);
  });

  it('are read in time that grows with their number, in whatever way they are linked', () => {
    for (const content of [dangling, nested]) {
      const msOf = (count: number) => {
        const file = fileOf(content(count), true);
        return cpuMs(() => void readChat(file));
      };
      msOf(1000);
      // 8 times the lines; quadratic work would take 64 times as long.
      assert.ok(msOf(16_000) < Math.max(30 * msOf(2000), 2000));
    }
    assert.equal(readChat(fileOf(dangling(5000), true)).messages.length, 5000);
  });

  it('come with the notes of the file, and without that of missing lines', () => {
    const content = lines(claude('a', null, 'first'), claude('b', 'gone', 'second')).replace(
      '\n',
      '\n{"type":\n',
    );
    for (const includesEarlier of [false, true])
      assert.deepEqual(
        readChat(fileOf(content, includesEarlier)).notes.map(({ text: own, args }) => [own, args]),
        [['Line {0} of the session is damaged and left out.', [2]]],
      );
  });

  it('lose lines in the file, which keeps its summary', () => {
    const [, content = ''] = sessions[0] ?? [];
    const whole = content.replace('second', 'the secret word');
    const file = fileOf(whole, true);
    const edits = readChat(file).messages.map(({ parts }) => parts.map(part => part.text));
    const erase = (line: string) => eraseFromChat(file, { edits, lines: [line] }, new Date(0));
    const { files, copies, left } = erase('the secret word');
    assert.deepEqual(
      [files, copies, left],
      [[{ path: file.path, text: whole.replace('the secret word', '[removed]') }], 1, 0],
    );
    assert.throws(() => erase('first'), RangeError);
    // Nothing is included where nothing is left out.
    const short = { ...fileOf(lines(claude('a', null, 'x')), true) };
    const { files: own } = eraseFromChat(short, { edits: [['']], lines: ['x'] }, new Date(0));
    assert.doesNotMatch(own[0]?.text ?? '', /"x"/);
  });
});
