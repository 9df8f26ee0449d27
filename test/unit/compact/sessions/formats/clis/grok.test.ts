import assert from 'node:assert/strict';
import {
  detectFormat,
  HistoryFile,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../../src/compact/sessions';
import { draw, jsonLines, minting, sameEdits, write } from '../../fixtures';

const name = '/sessions/g/chat_history.jsonl';
const summary = {
  info: { id: 'g', cwd: '/home/ada/kettle' },
  session_summary: 'Leak',
  created_at: '2026-03-02T12:00:00Z',
  updated_at: '2026-03-02T12:00:00Z',
  last_active_at: '2026-03-02T12:00:00Z',
  num_messages: 1,
  num_chat_messages: 2,
  generated_title: '',
};
const user = (text: string, more = {}) => ({
  type: 'user',
  content: [{ type: 'text', text }],
  ...more,
});
const asked = (text: string) => user(`<user_query>\n${text}\n</user_query>`, { prompt_index: 0 });
const answer = (content: string, more = {}) => ({ type: 'assistant', content, ...more });
const call = { id: 'c', name: 'run_terminal_command', arguments: '{"command":"ls"}' };
const result = { type: 'tool_result', tool_call_id: 'c', content: 'out' };

const about = (more: object = {}) =>
  new HistoryFile('/sessions/g/summary.json', JSON.stringify({ ...summary, ...more }));
const read = (...lines: readonly object[]): ReadHistory =>
  readHistory(name, jsonLines(lines), [about()]);
const drawn = (...lines: readonly object[]): string[] => draw(read(...lines).history);
const linesOf = (text: string | undefined): Record<string, unknown>[] =>
  (text ?? '')
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));

/** The kind that a session of a kind is written with. */
function kindWritten(session_kind: string): unknown {
  const more = { session_kind, hidden: true, parent_session_id: 'p' };
  const session = readHistory(name, jsonLines([asked('one')]), [about(more)]);
  const { files } = write(session, [['one']], minting());
  const told: Record<string, unknown> = JSON.parse(files[1]?.text ?? '');
  assert.ok(!('hidden' in told) && !('parent_session_id' in told));
  return told['session_kind'];
}

describe('a session of Grok', () => {
  it('has the words of the user without their tag', () => {
    assert.deepEqual(
      drawn(asked('one\ntwo'), user('<user_query>three'), user('four'), asked('<hook>')),
      [
        'user',
        '  text: one|two',
        'user',
        '  text: <user_query>three',
        'user',
        '  text: four',
        // The user typed it.
        'user',
        '  text: <hook>',
      ],
    );
  });

  it('tells what the tool said in the name of the user', () => {
    const rows: [reason: string, text: string, lines: string[]][] = [
      ['interjection', 'Stop', ['user', '  text: Stop']],
      ['system_reminder', '<system-reminder>a', ['system', '  text whole: <system-reminder>a']],
      ['system_reminder', 'Note', ['tool', '  text: Note']],
      ['project_instructions', 'Rules', ['system', '  text whole: Rules']],
      ['compaction_meta', '<user_info>\nlinux', ['system', '  text whole: <user_info>|linux']],
      ['compaction_meta', 'In short.', ['user', '  summary whole: In short.']],
      [
        'compaction_meta',
        'This session is being continued from a previous conversation',
        ['user', '  summary whole: This session is being continued from a previous conversation'],
      ],
      ['task_completed', 'Done', ['tool', '  text: Done']],
      ['of a later version', 'What', ['tool', '  text: What']],
    ];
    for (const [reason, text, lines] of rows)
      assert.deepEqual(drawn(user(text, { synthetic_reason: reason })), lines);
  });

  it('has calls with results, thoughts and calls that the service ran', () => {
    assert.deepEqual(
      drawn(
        asked('one'),
        { type: 'reasoning', id: 'r', summary: [], content: [{ type: 'text', text: 'Hm.' }] },
        answer('', { tool_calls: [call] }),
        result,
        { ...result, content: null },
        { type: 'backend_tool_call', kind: { tool_type: 'web_search' } },
        answer(''),
        { type: 'user', content: [{ type: 'image', url: 'data:' }] },
        { type: 'user', content: [] },
      ),
      [
        'user',
        '  text: one',
        'assistant',
        '  thinking whole: Hm.',
        'assistant',
        '  tool_call run_terminal_command #c whole: command: ls',
        'tool',
        '  tool_result #c: out',
        'tool',
        '  other #c whole: ',
        'assistant',
        '  other whole: ',
        'assistant',
        '  other whole: ',
        'user',
        '  image whole: ',
        'user',
        '  other whole: ',
      ],
    );
  });

  it('takes its title, folder and origin from the file beside it', () => {
    const told = (more: object) =>
      readHistory(name, jsonLines([asked('one')]), [about(more)]).history;
    assert.deepEqual(
      [told({}).title, told({ generated_title: 'Drip' }).title, told({}).workspace],
      ['Leak', 'Drip', '/home/ada/kettle'],
    );
    assert.equal(told({ session_summary: '' }).title, undefined);
    assert.equal(told({ session_kind: 'subagent_fork' }).isOfSubAgent, true);
    assert.equal(told({ session_kind: 'fork' }).isOfSubAgent, false);
    const alone = readHistory(name, jsonLines([asked('one')])).history;
    assert.deepEqual([alone.sessionId, alone.title], [undefined, undefined]);
  });

  it('is written with its tags, and shown as far as it is left', () => {
    const session = read(
      { type: 'system', content: 'You help.' },
      user('<user_info>\nlinux'),
      asked('one\ntwo'),
      answer('Look.', { tool_calls: [call] }),
      result,
      answer('gone'),
    );
    const edits = sameEdits(session.history);
    const next = edits.map((own, at) => (at === 2 ? ['two'] : at === 5 ? [null] : own));
    const [sent, told, shown] = write(session, next, minting()).files;
    assert.deepEqual(linesOf(sent?.text), [
      { type: 'system', content: 'You help.' },
      user('<user_info>\nlinux'),
      asked('two'),
      answer('Look.', { tool_calls: [call] }),
      result,
    ]);
    const id = '99999999-9999-4999-8999-000000000001';
    assert.deepEqual(JSON.parse(told?.text ?? ''), {
      ...summary,
      info: { ...summary.info, id },
      updated_at: '2026-03-03T08:00:00.000Z',
      last_active_at: '2026-03-03T08:00:00.000Z',
      num_messages: 4,
      num_chat_messages: 5,
    });
    assert.deepEqual(
      linesOf(shown?.text).map(({ params }) => params && Reflect.get(params, 'update')),
      [
        { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'two' } },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Look.' } },
        {
          sessionUpdate: 'tool_call',
          toolCallId: 'c',
          title: 'run_terminal_command',
          rawInput: { command: 'ls' },
        },
        {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c',
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: 'out' } }],
        },
      ],
    );
  });

  it('is a session of its own, unless it is in a worktree', () => {
    assert.deepEqual(['subagent', 'headless', 'worktree'].map(kindWritten), [
      undefined,
      undefined,
      'worktree',
    ]);
  });

  it('is not written without the file that tells of it, and refused where a line is not known', () => {
    const alone = readHistory(name, jsonLines([asked('one')]));
    assert.throws(() => write(alone, [['one']], minting()), UnsupportedHistory);
    assert.throws(() => read(asked('one'), { type: 'smell' }), UnsupportedHistory);
  });

  it('is told by lines that nobody named or dated', () => {
    for (const line of [asked('one'), answer('two'), result])
      assert.equal(detectFormat('any.jsonl', jsonLines([line]))?.id, 'grok');
    for (const key of ['id', 'uuid', 'role', 'message', 'timestamp'])
      assert.notEqual(
        detectFormat('any.jsonl', jsonLines([{ ...asked('one'), [key]: 'x' }]))?.id,
        'grok',
      );
    assert.notEqual(
      detectFormat('any.jsonl', jsonLines([{ type: 'user', content: 'x' }]))?.id,
      'grok',
    );
  });
});
