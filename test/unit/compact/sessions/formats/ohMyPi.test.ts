import assert from 'node:assert/strict';
import { detectFormat, type ReadHistory, readHistory } from '../../../../../src/compact/sessions';
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

const title = { type: 'title', v: 1, title: '', updatedAt: '2026-03-02T12:00:00.000Z', pad: '  ' };
const header = { type: 'session', version: 3, id: 's-1', cwd: '/home/ada/kettle' };
const entry = (id: string, type: string, more: object) => ({
  type,
  id,
  parentId: id === '1' ? null : String(Number(id) - 1),
  timestamp: `2026-03-02T12:00:0${id}.000Z`,
  ...more,
});
const said = (id: string, role: string, content: unknown, more = {}) =>
  entry(id, 'message', { message: { role, content, ...more } });
const read = (...lines: readonly object[]): ReadHistory =>
  readHistory('session.jsonl', jsonLines([title, header, ...lines]));
const written = (session: ReadHistory, edits = sameEdits(session.history)) =>
  parsedLines(write(session, edits, minting()).files[0]?.text ?? '');

const turns = [
  said('1', 'user', 'one'),
  said('2', 'assistant', 'two'),
  said('3', 'user', 'three'),
  said('4', 'assistant', 'four'),
];
const compacted = (id: string, more: object) =>
  entry(id, 'compaction', { summary: 'sum', tokensBefore: 9000, ...more });

describe('a session of oh-my-pi', () => {
  it('is told from pi by the line of its title, or by its folder', () => {
    const lines = jsonLines([header, ...turns]);
    assert.equal(detectFormat('s.jsonl', lines)?.id, 'pi');
    assert.equal(detectFormat('/home/ada/.pi/agent/sessions/a/s.jsonl', lines)?.id, 'pi');
    assert.equal(detectFormat('s.jsonl', jsonLines([title]) + lines)?.id, 'ohMyPi');
    for (const path of ['/home/ada/.omp/agent/s.jsonl', 'C:\\Users\\ada\\.omp\\agent\\s.jsonl'])
      assert.equal(detectFormat(path, lines)?.id, 'ohMyPi', path);
    assert.equal(detectFormat('s.jsonl', jsonLines([title, ...turns]))?.id, undefined);
  });

  it('is written with its title first, ids of its own, and no copies of what was said', () => {
    const call = { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls' } };
    const session = read(
      ...turns.slice(0, 1),
      said('2', 'assistant', [{ ...call, partialArgs: '{"command":"ls"}', rawBlock: '<ls>' }], {
        providerPayload: { type: 'openaiResponsesHistory', items: [] },
      }),
      said('3', 'toolResult', [{ type: 'text', text: 'a' }], { toolCallId: 'c' }),
      entry('4', 'custom', { customType: 'session_exit', data: {} }),
      entry('5', 'custom', { customType: 'todo', data: {} }),
    );
    const { files, continueBy } = write(session, sameEdits(session.history), minting());
    const id = '99999999-9999-4999-8999-000000000001';
    assert.equal(continueBy.shell, `omp --resume ${id}`);
    assert.equal(files[0]?.path, `2026-03-03T08-00-00-000Z_${id}.jsonl`);
    const lines = parsedLines(files[0]?.text ?? '');
    assert.deepEqual(lines.slice(0, 2), [title, { ...header, id }]);
    assert.deepEqual(
      lines.slice(2).map(line => `${String(line['parentId'])} ${String(line['id'])}`),
      ['null 1', '1 2', '2 3', '3 5'],
    );
    assert.deepEqual(lines[3]?.['message'], { role: 'assistant', content: [call] });
    const shorter = sameEdits(session.history).with(0, ['uno']);
    const copy = write(session, shorter, asCopy).files[0]?.text ?? '';
    assert.ok(!copy.includes('providerPayload') && !copy.includes('partialArgs'));
    const same = write(session, sameEdits(session.history), asCopy).files[0]?.text;
    assert.equal(same, session.history.file.text);
  });

  it('has what the provider made of the messages in their place, and then what follows', () => {
    const replaced = { provider: 'x', replacementHistory: [{ type: 'compaction' }] };
    const preserveData = { openaiRemoteCompaction: replaced };
    const more = { firstKeptEntryId: '1', preserveData };
    const after = said('6', 'user', 'six');
    assert.deepEqual(textsOf(read(...turns, compacted('5', more), after)), ['sum', 'six']);
    const through = { ...more, providerReplayThroughEntryId: '3' };
    const session = read(...turns, compacted('5', through), after);
    assert.deepEqual(textsOf(session), ['sum', 'four', 'six']);
    assert.equal(session.history.hasEarlier, true);
    // The tool finds nothing before its summary, which has the place of that.
    assert.deepEqual(
      written(session)
        .slice(2)
        .map(line => `${String(line['parentId'])} ${String(line['id'])}`),
      ['null 5', '5 4', '4 6'],
    );
  });

  it('has the latest question in any case where its notes take the place of a summary', () => {
    const details = { kind: 'experimental-context-rollover' };
    const session = read(...turns, compacted('5', { firstKeptEntryId: '4', details }));
    assert.deepEqual(textsOf(session), ['sum', 'three', 'four']);
    const summary = written(session).at(-1);
    assert.equal(summary?.['firstKeptEntryId'], '3');
    const kept = read(...turns, compacted('5', { firstKeptEntryId: '3', details }));
    assert.deepEqual(textsOf(kept), ['sum', 'three', 'four']);
  });

  it('has what its provider ran, and what an extension of old said', () => {
    const ran = { type: 'server_tool_use', id: 'w', name: 'web_search', input: { query: 'tea' } };
    const found = { type: 'web_search_tool_result', tool_use_id: 'w', content: [] };
    const { history } = read(
      said('1', 'hookMessage', 'note'),
      said('2', 'assistant', [
        { type: 'anthropicServerTool', block: ran },
        { type: 'anthropicServerTool', block: found },
        { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
      ]),
      said('3', 'fileMention', undefined, { files: [{ path: 'a.png', skippedReason: 'binary' }] }),
      said('4', 'fileMention', undefined, { files: [] }),
    );
    assert.deepEqual(draw(history), [
      'tool',
      '  text: note',
      'assistant',
      '  tool_call web_search #w whole: query: tea',
      '  other #w whole: ',
      '  other whole: ',
      'tool',
      '  other whole: ',
      'tool',
      '  other whole: ',
    ]);
  });

  it('may be that of a sub-agent, and is written as one of its own', () => {
    const first = entry('1', 'session_init', { systemPrompt: 'You scout.', task: 'Look.' });
    const session = read(first, said('2', 'user', 'Look.'));
    assert.equal(session.history.isOfSubAgent, true);
    assert.deepEqual(
      written(session).map(({ type }) => type),
      ['title', 'session', 'message'],
    );
  });

  it('has figures of its new size', () => {
    const words = 'hot tea '.repeat(4000);
    const usage = { input: 30_000, output: 9, cacheRead: 0, cacheWrite: 0, totalTokens: 30_009 };
    const contextSnapshot = { promptTokens: 30_000, nonMessageTokens: 15_000 };
    const session = read(
      said('1', 'user', words),
      said('2', 'assistant', 'two', { usage, contextSnapshot }),
    );
    const edits = sameEdits(session.history).map((own, at) => (at === 0 ? ['hot tea'] : own));
    const text = JSON.stringify(written(session, edits).at(-1));
    const [, input] = /"usage":\{"input":(\d+)/.exec(text) ?? [];
    assert.ok(Number(input) > 10_000 && Number(input) < 23_000, input);
    assert.ok(text.includes(`"promptTokens":${input},"nonMessageTokens":15000`), text);
  });
});
