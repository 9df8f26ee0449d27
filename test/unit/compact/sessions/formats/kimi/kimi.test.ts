import assert from 'node:assert/strict';
import {
  detectFormat,
  HistoryFile,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../../src/compact/sessions';
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

const metadata = { type: 'metadata', protocol_version: '1.5', created_at: 1_772_452_800_000 };
const line = (type: string, more: object) => ({
  type,
  agentId: 'main',
  time: 1_772_452_801_000,
  ...more,
});
const said = (role: string, text: string, more: object = {}) =>
  line('context.append_message', {
    message: { role, content: [{ type: 'text', text }], toolCalls: [], ...more },
  });
const asked = (text: string, id = text) => said('user', text, { id, origin: { kind: 'user' } });
const reminder = (text: string, ownerPromptId?: string) =>
  said('user', text, { origin: { kind: 'injection', variant: 'date', ownerPromptId } });
const event = (type: string, more: object) =>
  line('context.append_loop_event', { event: { type, ...more } });
const usage = (input: number) => ({
  inputOther: input,
  output: 9,
  inputCacheRead: 0,
  inputCacheCreation: 0,
});
/** An answer of one text, as far as it came. */
const answer = (uuid: string, text: string, tokens = 20_000) => [
  event('step.begin', { uuid }),
  line('token_counting.measured', { length: 99, tokens: tokens + 9 }),
  event('content.part', { stepUuid: uuid, part: { type: 'text', text } }),
  event('step.end', { uuid, usage: usage(tokens) }),
];
const summed = (more: object) =>
  line('context.apply_compaction', { summary: 'sum', compactedCount: 2, ...more });

const image = (url: string) => ({ type: 'image_url', imageUrl: { url } });

const folder = '/sessions/wd_kettle_1/session_1';
const read = (lines: readonly object[], path = `${folder}/agents/main/wire.jsonl`): ReadHistory =>
  readHistory(path, jsonLines([metadata, ...lines]));
const written = (session: ReadHistory, edits = sameEdits(session.history)) =>
  parsedLines(write(session, edits, minting()).files[0]?.text ?? '');
const typesOf = (lines: readonly Record<string, unknown>[]) => lines.map(({ type }) => type);

describe('a session of Kimi Code', () => {
  it('is told by its first line', () => {
    const rest = JSON.stringify(asked('one'));
    assert.equal(detectFormat('w.jsonl', `${JSON.stringify(metadata)}\n${rest}\n`)?.id, 'kimi');
    for (const missing of ['type', 'protocol_version', 'created_at']) {
      const first = JSON.stringify({ ...metadata, [missing]: undefined });
      assert.notEqual(detectFormat('w.jsonl', `${first}\n${rest}\n`)?.id, 'kimi', missing);
    }
  });

  it('has what the user typed as his words, and other texts as those of the tool', () => {
    const command = { kind: 'skill_activation', trigger: 'user-slash' };
    const { history } = read([
      said('user', 'typed'),
      said('user', 'a skill', { origin: command }),
      said('user', 'of the model', { origin: { ...command, trigger: 'model-tool' } }),
      said('user', 'ls', { origin: { kind: 'shell_command', phase: 'input' } }),
      said('system', 'Be brief.'),
      said('user', 'so far', { origin: { kind: 'compaction_summary' } }),
    ]);
    assert.deepEqual(
      history.messages.map(({ role, parts }) => `${role} ${parts[0]?.type}`),
      ['user text', 'user text', 'tool text', 'tool text', 'system text', 'user summary'],
    );
  });

  it('has answers with their thoughts, calls and results, as far as they are of the same step', () => {
    const { history } = read([
      asked('one'),
      event('step.begin', { uuid: 's' }),
      event('content.part', { stepUuid: 's', part: { type: 'think', think: 'Hm.' } }),
      event('content.part', { stepUuid: 'other', part: { type: 'text', text: 'lost' } }),
      event('tool.call', { stepUuid: 's', toolCallId: 'c', name: 'View', args: { path: 'a' } }),
      event('tool.result', {
        toolCallId: 'c',
        result: {
          output: [
            { type: 'text', text: 'out' },
            { type: 'image_url', imageUrl: {} },
          ],
        },
      }),
      event('tool.result', { toolCallId: 'unknown', result: { output: 'lost' } }),
      event('step.begin', { uuid: 'empty' }),
      event('step.end', { uuid: 'empty' }),
      event('tool.result', { toolCallId: 'c', result: { output: '' } }),
    ]);
    assert.deepEqual(draw(history), [
      'user',
      '  text: one',
      'assistant',
      '  thinking whole: Hm.',
      '  tool_call View #c whole: path: a',
      'tool',
      '  tool_result #c: out',
      '  image #c whole: ',
      'tool',
      '  tool_result #c: ',
    ]);
  });

  it('has calls as older versions wrote them', () => {
    const own = { id: 'c', function: { name: 'Bash', arguments: '{"command":"ls"}' } };
    const { history } = read([
      asked('one'),
      said('assistant', 'two', { toolCalls: [own, { id: 'd', name: 'Bash', arguments: null }] }),
      said('tool', 'out', { toolCallId: 'c' }),
      said('tool', '', { toolCallId: 'd', content: [] }),
    ]);
    assert.deepEqual(draw(history).slice(2), [
      'assistant',
      '  text: two',
      '  tool_call Bash #c whole: command: ls',
      '  tool_call Bash #d whole: null',
      'tool',
      '  tool_result #c: out',
      'tool',
      '  other #d whole: ',
    ]);
  });

  it('is without what was taken back', () => {
    const turns = [asked('one'), ...answer('a', 'two'), reminder('own', 'three'), asked('three')];
    const undo = (count: number) => line('context.undo', { count });
    assert.deepEqual(textsOf(read([...turns, undo(1)])), ['one', 'two']);
    // There are not as many.
    assert.equal(textsOf(read([...turns, undo(3)])).length, 4);
    const inTurn = said('user', 'and', { origin: { kind: 'user', inTurn: true } });
    assert.deepEqual(textsOf(read([...turns, inTurn, undo(1)])), ['one', 'two']);
    // With a branch, notes of the tool stay.
    const later = [...turns, reminder('noon'), line('agent.switched', { branch: 'b' }), undo(1)];
    assert.deepEqual(textsOf(read(later)), ['one', 'two', 'noon']);
    const all = summed({ keptUserMessageCount: 1 });
    assert.deepEqual(textsOf(read([...turns, all, undo(1)])), ['one', 'three', 'sum']);
  });

  it('keeps its questions beside a summary, but for those in the middle of many', () => {
    const kept = summed({ keptUserMessageCount: 9 });
    const long = (text: string, tokens: number) => asked(text + 'x'.repeat(tokens * 4 - 1), text);
    const session = read([
      long('a', 1500),
      long('b', 1000),
      long('c', 1000),
      asked('d'.repeat(10) + 'ü'.repeat(9000), 'd'),
      ...answer('s', 'gone'),
      long('e', 9500),
      kept,
      asked('f'),
    ]);
    assert.deepEqual(
      textsOf(session).map(text => text.slice(0, 1)),
      ['a', 'b', 'd', 'e', 's', 'f'],
    );
    assert.equal(session.history.hasEarlier, true);
  });

  it('is written with what is sent, and how much a summary keeps', () => {
    const session = read([
      line('profile.bind', { systemPrompt: 'You help.' }),
      line('turn.prompt', { input: [] }),
      asked('one'),
      ...answer('a', 'two'),
      asked('three'),
      line('full_compaction.begin', { source: 'auto' }),
      summed({ contextSummary: 'in short', keptUserMessageCount: 2 }),
      line('token_counting.rebased', { length: 4, tokens: 9 }),
      asked('four'),
      ...answer('b', 'five'),
    ]);
    assert.deepEqual(textsOf(session), ['one', 'three', 'in short', 'four', 'five']);
    const edits = sameEdits(session.history).map((own, at) => (at === 0 ? [null] : own));
    const { files, continueBy, within } = write(session, edits, minting());
    const id = 'session_99999999-9999-4999-8999-000000000001';
    assert.equal(continueBy.shell, `kimi --session ${id}`);
    assert.equal(within, '../../..');
    assert.deepEqual(
      files.map(({ path }) => path),
      [`../../../${id}/agents/main/wire.jsonl`, `../../../${id}/state.json`],
    );
    const lines = parsedLines(files[0]?.text ?? '');
    assert.deepEqual(typesOf(lines), [
      'metadata',
      'profile.bind',
      'context.append_message',
      'context.apply_compaction',
      'context.append_message',
      'context.append_loop_event',
      'token_counting.measured',
      'context.append_loop_event',
      'context.append_loop_event',
    ]);
    assert.equal(lines[3]?.['keptUserMessageCount'], 1);
    // The question, the summary, a line of the tool, the next question, and the answer.
    assert.equal(lines[6]?.['length'], 5);
    const tokens = Number(lines[6]?.['tokens']);
    assert.ok(tokens > 15_000 && tokens < 20_100, `${tokens}`);
    const about: Record<string, unknown> = JSON.parse(files[1]?.text ?? '');
    assert.deepEqual(about, {
      version: 2,
      custom: {},
      createdAt: Date.parse('2026-03-03T08:00:00Z'),
      updatedAt: Date.parse('2026-03-03T08:00:00Z'),
      id,
      title: 'one',
      archived: false,
      agents: { main: { type: 'main' } },
    });
  });

  it('keeps what followed a summary of an older version behind it', () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'old sum' }] };
    const session = read([
      asked('one'),
      ...answer('a', 'two'),
      asked('three'),
      ...answer('b', 'four'),
      line('context.apply_compaction', { summary: message, count: 2 }),
      asked('five'),
    ]);
    assert.deepEqual(textsOf(session), ['old sum', 'three', 'four', 'five']);
    const lines = written(session);
    assert.equal(lines.find(({ type }) => type === 'context.apply_compaction')?.['count'], 0);
    // What it measured before is of another context.
    assert.ok(!typesOf(lines).includes('token_counting.measured'));
    const texts = JSON.stringify(lines);
    assert.ok(!texts.includes('"two"') && texts.includes('"four"'));
  });

  it('takes its images along', () => {
    const hash = 'ab'.repeat(32);
    const content = [
      { type: 'text', text: 'one' },
      image(`blobref:image/png;${hash}`),
      image('blobref:image/png;../../x'),
      image(`blobref:image/png;${hash}`),
    ];
    const session = read([said('user', '', { content })]);
    const { copies, files } = write(session, sameEdits(session.history), minting());
    const own = files[0]?.path.replace('wire.jsonl', '') ?? '';
    assert.deepEqual(copies, [{ from: `blobs/${hash}`, path: `${own}blobs/${hash}` }]);
  });

  it('of a sub-agent is written as one of its own', () => {
    const session = read(
      [{ ...asked('one'), agentId: 'agent-0' }],
      `${folder}/agents/agent-0/wire.jsonl`,
    );
    assert.equal(session.history.isOfSubAgent, true);
    assert.equal(written(session)[1]?.['agentId'], 'main');
  });

  it('is refused as a new one where its folder has no name, but can be copied', () => {
    const session = read([asked('one')], 'wire.jsonl');
    const edits = sameEdits(session.history);
    assert.throws(() => write(session, edits, minting()), UnsupportedHistory);
    assert.equal(write(session, edits, asCopy).files[0]?.path, 'wire.jsonl');
    const about = new HistoryFile('state.json', '{"id":"session_2","cwd":"/home/ada"}');
    const { history } = readHistory('wire.jsonl', session.history.file.text, [about]);
    assert.deepEqual([history.sessionId, history.workspace], ['session_2', '/home/ada']);
  });

  it('is refused where a role is not known or nothing was said', () => {
    assert.throws(() => read([said('ghost', 'boo')]), UnsupportedHistory);
    assert.throws(() => read([line('context.clear', {})]), UnsupportedHistory);
  });
});
