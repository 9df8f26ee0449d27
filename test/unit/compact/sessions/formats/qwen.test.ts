import assert from 'node:assert/strict';
import {
  detectFormat,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { draw, minting, sameEdits, write } from '../fixtures';

const sessionId = '55555555-aaaa-4bbb-8ccc-00000000000d';
const line = (at: number, type: string, more: object) => ({
  uuid: `q${at}`,
  parentUuid: at === 0 ? null : `q${at - 1}`,
  sessionId,
  timestamp: `2026-03-02T14:00:0${at}.000Z`,
  type,
  cwd: '/home/ada/kettle',
  version: '0.24.1',
  ...more,
});
const said = (at: number, role: 'user' | 'model', ...parts: readonly object[]) =>
  line(at, role === 'user' ? 'user' : 'assistant', { message: { role, parts } });
const text = (own: string) => ({ text: own });
const compressed = (at: number, ...contents: readonly object[]) =>
  line(at, 'system', {
    subtype: 'chat_compression',
    systemPayload: { info: {}, compressedHistory: contents },
  });
const titled = (at: number, customTitle: string) =>
  line(at, 'system', { subtype: 'custom_title', systemPayload: { customTitle } });
const textOf = (...lines: readonly object[]): string =>
  lines.map(one => `${JSON.stringify(one)}\n`).join('');
const read = (...lines: readonly object[]): ReadHistory =>
  readHistory('session.jsonl', textOf(...lines));

const call = { functionCall: { id: 'c1', name: 'read_file', args: { path: 'a.ts' } } };
const response = { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'x' } } };

describe('a session of Qwen Code', () => {
  it('has results as messages of tools, and answers that were stopped', () => {
    const { history } = read(
      said(0, 'user', text('a')),
      said(1, 'model', { text: 'Hm.', thought: true }, call),
      said(2, 'user', response),
      said(3, 'user', response, text('b')),
      said(4, 'model'),
      line(5, 'system', { subtype: 'ui_telemetry', systemPayload: {} }),
      line(6, 'system', {
        subtype: 'realtime_message',
        message: { role: 'user', parts: [text('shown only')] },
      }),
    );
    assert.deepEqual(draw(history), [
      'user',
      '  text: a',
      'assistant',
      '  thinking whole: Hm.',
      '  tool_call read_file #c1 whole: path: a.ts',
      'tool',
      '  tool_result #c1: x',
      'user',
      '  tool_result #c1: x',
      '  text: b',
      'assistant',
      '  other whole: ',
    ]);
    assert.deepEqual(
      [history.sessionId, history.workspace, history.startedAt, history.messages[1]?.at],
      [sessionId, '/home/ada/kettle', '2026-03-02T14:00:00.000Z', '2026-03-02T14:00:01.000Z'],
    );
  });

  it('begins with what its latest summary kept', () => {
    const lines = [
      said(0, 'user', text('gone')),
      compressed(1, { role: 'user', parts: [text('old sum')] }),
      said(2, 'model', text('gone, too')),
      compressed(
        3,
        { role: 'user', parts: [text('sum')] },
        { role: 'model', parts: [text('Understood.')] },
      ),
      line(4, 'system', { subtype: 'chat_compression', systemPayload: { info: 'failed' } }),
      said(5, 'user', text('after')),
    ];
    assert.deepEqual(draw(read(...lines).history), [
      'user',
      '  text: sum',
      'assistant',
      '  text: Understood.',
      'user',
      '  text: after',
    ]);
  });

  it('is the branch that was written last, under its latest name', () => {
    const { history } = read(
      said(0, 'user', text('a')),
      said(1, 'model', text('taken back')),
      titled(2, 'Tea'),
      { ...said(3, 'model', text('b')), parentUuid: 'q0' },
      titled(4, 'Heat'),
    );
    assert.deepEqual(draw(history), ['user', '  text: a', 'assistant', '  text: b']);
    assert.equal(history.title, 'Heat');
  });

  it('is refused where a role is not known or nothing was said', () => {
    const ghost = line(0, 'user', { message: { role: 'ghost', parts: [text('boo')] } });
    assert.throws(() => read(ghost), UnsupportedHistory);
    const none = { ...said(0, 'user', text('a')), subtype: 'realtime_message' };
    assert.throws(() => read(none), UnsupportedHistory);
    for (const missing of ['sessionId', 'uuid', 'message'])
      assert.notEqual(
        detectFormat('a.jsonl', textOf({ ...said(0, 'user', text('a')), [missing]: undefined }))
          ?.id,
        'qwen',
      );
  });

  it('is written as a session of its own, without notes about what it has', () => {
    const session = read(
      said(0, 'user', text('a')),
      titled(1, 'Heat'),
      line(2, 'system', { subtype: 'ui_telemetry', systemPayload: { text: 'a' } }),
      { ...said(3, 'model', text('b')), parentUuid: 'q2' },
      { ...said(4, 'user', text('c')), parentUuid: 'q3' },
      { ...said(5, 'model', text('d')), parentUuid: 'q4' },
    );
    const edits = sameEdits(session.history).map((own, at) => (at === 1 ? [null] : own));
    const { files, continueBy } = write(session, edits, minting());
    const id = '99999999-9999-4999-8999-000000000001';
    assert.deepEqual(
      [files.map(({ path }) => path), continueBy.shell],
      [[`${id}.jsonl`], `qwen --resume ${id}`],
    );
    assert.deepEqual(
      (files[0]?.text ?? '')
        .trimEnd()
        .split('\n')
        .map(row => {
          const { uuid, parentUuid, sessionId: own } = JSON.parse(row);
          return `${parentUuid} ${uuid} ${own === id}`;
        }),
      ['null q0 true', 'q0 q1 true', 'q1 q4 true', 'q4 q5 true'],
    );
    assert.equal(readHistory('new.jsonl', files[0]?.text ?? '').history.title, 'Heat');
  });
});
