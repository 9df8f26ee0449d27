import assert from 'node:assert/strict';
import { type Edits, readHistory } from '../../../../../src/compact/sessions';
import { type Conversion, convertSession } from '../../../../../src/compact/sessions/convert';
import { type Fixture, fixtures, minting, readFixture, sameEdits } from '../fixtures';

const workspace = '/home/ada/kettle';
const targets = ['claudeCode', 'codex', 'gemini', 'opencode', 'vscodeExport'] as const;
const named = (name: string): Fixture => {
  const found = fixtures.find(one => one.name === name);
  assert.ok(found, name);
  return found;
};

function convert(
  one: Fixture,
  target: Conversion['target'],
  edits: Edits = sameEdits(readFixture(one).history),
) {
  return convertSession(readFixture(one).history, edits, { target, workspace }, minting());
}

/** Words and paired calls, as the other tool would read them. */
function drawn(one: Fixture, target: Conversion['target']): string[] {
  const [file] = convert(one, target).files;
  const { format, history } = readHistory(file?.path.replace(/^.*\//, '') ?? '', file?.text ?? '');
  assert.equal(format.id, target);
  const ids = history.messages.flatMap(({ parts }) => parts.flatMap(({ callId }) => callId ?? []));
  for (const id of ids) assert.equal(ids.filter(other => other === id).length, 2, 'unpaired');
  if (target !== 'vscodeExport' && target !== 'gemini') assert.equal(history.workspace, workspace);
  return history.messages.flatMap(({ role, parts }) =>
    parts
      .filter(({ text }) => text !== '')
      .map(({ type, name, text }) => `${role} ${name ?? type}: ${text.replaceAll('\n', '|')}`),
  );
}

const called = (name: string, key: string, role = 'tool') => [
  `assistant ${name}: ${key}: cat /dev/heat`,
  `${role} tool_result: Command: cat /dev/heat|Output: 98|`,
];
const expected = (calls: readonly string[]) => [
  'user text: How hot is it?|In degrees.',
  'assistant text: I measure.|One moment.',
  ...calls,
  'assistant text: It is 98 degrees.|Not boiling.',
  'user text: And now?',
];

describe('a session for another tool', () => {
  for (const [target, calls] of [
    ['claudeCode', called('Bash', 'command')],
    ['codex', called('exec_command', 'cmd')],
    ['gemini', called('run_shell_command', 'command', 'assistant')],
    ['opencode', called('bash', 'command', 'assistant')],
  ] as const) {
    it(`has words and calls that ${target} knows`, () => {
      assert.deepEqual(drawn(named('qwen.jsonl'), target), expected(calls));
    });
  }

  it('has calls as text where the other tool has none like it', () => {
    const [, , call] = drawn(named('gemini.jsonl'), 'claudeCode');
    assert.equal(
      call,
      'assistant text: (called search_file_content)|pattern: relay.open|(result)|Found 2 matches|src/switch.ts:1|src/lamp.ts:4',
    );
    const text = drawn(named('qwen.jsonl'), 'vscodeExport').join('\n');
    assert.match(text, /```\|\(called run_shell_command\)\|command: cat \/dev\/heat\|\(result\)/);
  });

  it('can be made of each format, without instructions and thoughts', () => {
    for (const one of fixtures)
      for (const target of targets) {
        const lines = drawn(one, target);
        assert.ok(
          lines.some(line => line.startsWith('user ')),
          `${one.name} ${target}`,
        );
        assert.ok(!lines.some(line => line.includes(' thinking:')), `${one.name} ${target}`);
      }
  });

  it('has what is left, and shortened arguments', () => {
    const one = named('claude.jsonl');
    const { history } = readFixture(one);
    const edits = history.messages.map(({ parts }) =>
      parts.map(({ type, callId, text }) =>
        callId === 'toolu_2' ? null : type === 'tool_call' ? ['short.ts'] : text,
      ),
    );
    const text = convert(one, 'opencode', edits).files[0]?.text ?? '';
    assert.ok(text.includes('"filePath": "short.ts"') && !text.includes('relay.open'), text);
  });

  it('is where the tool looks, and continued by its command', () => {
    const about = targets.map(target => {
      const { files, continueBy } = convert(named('qwen.jsonl'), target);
      return [files.map(({ path }) => path).join(' '), continueBy.shell ?? continueBy.command];
    });
    const id = '99999999-9999-4999-8999-000000000001';
    assert.deepEqual(about, [
      [`${id}.jsonl`, `claude --resume ${id}`],
      [`2026/03/03/rollout-2026-03-03T08-00-00-${id}.jsonl`, `codex resume ${id}`],
      ['session-2026-03-03T08-00-99999999.jsonl', `gemini --resume ${id}`],
      [about[3]?.[0], `opencode import ${about[3]?.[0] ?? ''}`],
      [about[4]?.[0], 'workbench.action.chat.import'],
    ]);
  });

  it('is refused when no question is left', () => {
    const one = named('qwen.jsonl');
    const none = readFixture(one).history.messages.map(({ parts }) => parts.map(() => null));
    assert.throws(() => convert(one, 'codex', none), /no question of the user is left/);
  });
});
