import assert from 'node:assert/strict';
import { written } from '../../../../../src/base/sentence';
import { readHistory, UnsupportedHistory } from '../../../../../src/compact/sessions';
import { asCopy, draw, minting, sameEdits, write } from '../fixtures';

const meta = {
  type: 'session_meta',
  payload: { id: 's-1', cwd: '/home/ada', timestamp: '2026-03-02T10:00:00.000Z' },
};
const item = (payload: object) => ({ type: 'response_item', payload });
const say = (role: string, text: string) =>
  item({ type: 'message', role, content: [{ type: 'input_text', text }] });
const event = (payload: object) => ({ type: 'event_msg', payload });
const read = (...lines: readonly object[]) =>
  readHistory(
    'rollout-1.jsonl',
    [meta, ...lines].map(line => `${JSON.stringify(line)}\n`).join(''),
  );
const drawn = (...lines: readonly object[]) => draw(read(...lines).history);

describe('a session of Codex', () => {
  it('is without the turns that were taken back', () => {
    const back = (count?: number) => event({ type: 'thread_rolled_back', num_turns: count });
    const lines = [
      say('user', 'a'),
      say('assistant', 'b'),
      say('user', 'c'),
      say('assistant', 'd'),
    ];
    assert.deepEqual(drawn(...lines, back(1)), ['user', '  text: a', 'assistant', '  text: b']);
    assert.equal(drawn(...lines, back()).length, 8);
    assert.equal(drawn(...lines, event({ type: 'other', num_turns: 1 })).length, 8);
    const own = say('user', '<environment_context>\nx');
    assert.deepEqual(drawn(say('user', 'z'), lines[0] ?? {}, own, back(1)), ['user', '  text: z']);
    assert.deepEqual(drawn(...lines, back(9), say('user', 'e')), ['user', '  text: e']);
  });

  it('goes on behind a damaged line, and is written with each object on a line of its own', () => {
    const [a, b, c] = [say('user', 'a'), say('assistant', 'b'), say('user', 'c')].map(line =>
      JSON.stringify(line),
    );
    const text = `${JSON.stringify(meta)}\n{"type":\n${a}${b}\n${c}\n`;
    const session = readHistory('rollout-1.jsonl', text);
    assert.deepEqual(
      draw(session.history).filter(row => row.startsWith('  ')),
      ['  text: a', '  text: b', '  text: c'],
    );
    assert.deepEqual(session.history.notes.map(written), [
      'Line 2 of the session is damaged and left out.',
    ]);
    const [file] = write(session, sameEdits(session.history), minting()).files;
    assert.ok(file?.text.endsWith(`\n{"type":\n${a}\n${b}\n${c}\n`));
    const [copy] = write(session, sameEdits(session.history), asCopy).files;
    assert.equal(copy?.text, text);
    const worse = readHistory('rollout-1.jsonl', `${text}{\n${c}\n`);
    assert.deepEqual(worse.history.notes.map(written), [
      'Damaged lines of the session that are left out: 2. The first is line 2.',
    ]);
  });

  it('begins anew where it was compacted', () => {
    const replacement = [say('user', 'kept').payload, say('user', 'summary').payload];
    assert.deepEqual(
      drawn(
        say('user', 'gone'),
        { type: 'compacted', payload: { message: 'x', replacement_history: replacement } },
        say('user', 'new'),
      ),
      ['user', '  text: kept', 'user', '  text: summary', 'user', '  text: new'],
    );
    assert.deepEqual(
      drawn(
        say('user', 'gone'),
        { type: 'compacted', payload: { message: 'sum' } },
        say('user', 'new'),
      ),
      ['user', '  summary whole: sum', 'user', '  text: new'],
    );
  });

  it('has a summary of its own that is no words of the user, and stays whole', () => {
    const summary = `Another language model started to solve this problem and produced a summary of its thinking process. Here is it:\nThe valve leaks.`;
    const list = [say('user', 'kept').payload, say('user', summary).payload];
    const lines = [
      say('user', 'gone'),
      { type: 'compacted', payload: { message: summary, replacement_history: list } },
      say('user', 'new'),
    ];
    const session = read(...lines);
    assert.deepEqual(draw(session.history), [
      'user',
      '  text: kept',
      'user',
      `  summary whole: ${summary.replace('\n', '|')}`,
      'user',
      '  text: new',
    ]);
    const without = [['kept'], [null], ['new']];
    assert.throws(() => write(session, without, minting()), UnsupportedHistory);
    const [file] = write(session, [['k'], [summary], ['n']], minting()).files;
    assert.equal(file?.text.split(JSON.stringify(summary)).length, 3);
    assert.deepEqual(drawn(say('assistant', summary))[1]?.slice(0, 8), '  text: ');
  });

  it('has calls with their results, in old and new shapes', () => {
    const calls = [
      { type: 'function_call', name: 'f', arguments: '{"a":"x"}', call_id: '1' },
      { type: 'custom_tool_call', name: 'g', input: 'patch', call_id: '2' },
      { type: 'local_shell_call', action: { command: 'ls' }, call_id: '3' },
      { type: 'tool_search_call', arguments: { query: 'q' }, call_id: '4' },
    ];
    const results = [
      { type: 'function_call_output', call_id: '1', output: 'r' },
      { type: 'custom_tool_call_output', call_id: '2', output: { content: 's', success: true } },
      { type: 'function_call_output', call_id: '3', output: [{ type: 'input_text', text: 't' }] },
      { type: 'tool_search_output', call_id: '4', tools: [] },
    ];
    assert.deepEqual(drawn(say('user', 'a'), ...[...calls, ...results].map(item)), [
      'user',
      '  text: a',
      'assistant',
      '  tool_call f #1 whole: a: x',
      '  tool_call g #2 whole: patch',
      '  tool_call #3 whole: command: ls',
      '  tool_call #4 whole: query: q',
      'tool',
      '  tool_result #1: r',
      'tool',
      '  tool_result #2: s',
      'tool',
      '  tool_result #3: t',
      'tool',
      '  other #4 whole: ',
    ]);
  });

  it('has what the provider did itself, as it is', () => {
    for (const type of [
      'web_search_call',
      'image_generation_call',
      'ghost_snapshot',
      'compaction',
      'compaction_summary',
      'compaction_trigger',
      'context_compaction',
      'agent_message',
      'other',
    ])
      assert.deepEqual(
        drawn(say('user', 'a'), item({ type })).slice(2),
        ['assistant', '  other whole: '],
        type,
      );
    assert.throws(() => drawn(say('user', 'a'), item({ type: 'unknown' })), UnsupportedHistory);
    assert.throws(() => drawn(say('ghost', 'a')), UnsupportedHistory);
  });

  it('knows what the tool wrote in the name of the user', () => {
    for (const text of [
      '<environment_context>',
      ' <skill>',
      '<turn_aborted>',
      '# AGENTS.md instructions for x',
    ])
      assert.equal(drawn(say('user', text))[0], 'system', text);
    for (const text of ['<environment>', 'see <skill>', '# AGENTS.md'])
      assert.equal(drawn(say('user', text))[0], 'user', text);
    assert.equal(drawn(say('developer', 'a'))[0], 'system');
  });

  it('has thoughts that can be read, from either list', () => {
    const thought = item({
      type: 'reasoning',
      summary: [{ text: 'a' }],
      content: [{ text: 'b' }, {}],
    });
    assert.deepEqual(drawn(say('user', 'x'), thought).slice(2), [
      'assistant',
      '  thinking whole: a|b|',
    ]);
  });

  it('tells the size that is left, in all figures of a request', () => {
    const usage = {
      input_tokens: 30_000,
      cached_input_tokens: 5,
      cache_write_input_tokens: 6,
      output_tokens: 7,
      reasoning_output_tokens: 8,
      total_tokens: 30_007,
    };
    const long = 'words of a long question '.repeat(400);
    const whole = read(
      say('user', long),
      event({ type: 'token_count', info: { last_token_usage: usage, total_token_usage: usage } }),
      {
        type: 'token_usage_record',
        payload: { usage, turn_token_usage: usage, thread_token_usage: usage },
      },
      event({ type: 'other', info: { last_token_usage: usage } }),
      say('assistant', 'b'),
    );
    const edits = sameEdits(whole.history).map((own, at) => (at === 0 ? ['Why?'] : own));
    const text = write(whole, edits, minting()).files[0]?.text ?? '';
    const [count, record, other] = text
      .trim()
      .split('\n')
      .slice(2)
      .map(line => JSON.parse(line).payload);
    const size = count.info.last_token_usage.input_tokens;
    assert.ok(size > 12_000 && size < 29_000, `${size}`);
    const left = {
      input_tokens: size,
      cached_input_tokens: 0,
      cache_write_input_tokens: 0,
      output_tokens: 0,
      reasoning_output_tokens: 0,
      total_tokens: size,
    };
    assert.deepEqual(count.info, { last_token_usage: left, total_token_usage: left });
    assert.deepEqual(record, { usage: left, turn_token_usage: left, thread_token_usage: left });
    assert.deepEqual(other.info.last_token_usage, usage);
  });

  it('gets a new id outside of its messages only', () => {
    const whole = read(
      say('user', 's-1'),
      item({ type: 'function_call', id: 's-1', name: 'f', arguments: '{}', call_id: 'c' }),
    );
    const { newId, now } = minting();
    const { files } = write(whole, sameEdits(whole.history), { newId, now });
    const [head, ...others] = (files[0]?.text ?? '')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).payload);
    assert.equal(head.id, '99999999-9999-4999-8999-000000000001');
    assert.deepEqual([others[0]?.content[0].text, others[1]?.id], ['s-1', 's-1']);
  });
});
