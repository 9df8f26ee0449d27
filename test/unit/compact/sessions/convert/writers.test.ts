import assert from 'node:assert/strict';
import { type Conversion, convertSession } from '../../../../../src/compact/sessions/convert';
import { assertApproved } from '../../../../support/unit/approved';
import { historyOf, minting, sameEdits } from '../fixtures';

const call = (id: string, name: string, input: object) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});
const targets = [
  'claudeCode',
  'codex',
  'gemini',
  'opencode',
  'vscodeExport',
] satisfies Conversion['target'][];
const history = historyOf([
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: '# The kettle\n\nIs it on?' },
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [
      call('c1', 'run_shell_command', { command: 'cat /dev/heat' }),
      call('c2', 'paint', { color: 'red', coats: 2 }),
      call('c3', 'paint', { color: 'blue' }),
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: '98' },
  { role: 'tool', tool_call_id: 'c2', content: 'painted\ntwice' },
  { role: 'assistant', content: 'It is.' },
  { role: 'user', content: 'Thanks.' },
  { role: 'user', content: 'And the lamp?' },
]);

describe('a session that is written for another tool', () => {
  for (const target of targets)
    it(`has all that ${target} looks for`, () => {
      const conversion = { target, workspace: '/home/ada/kettle' };
      const { files, continueBy } = convertSession(
        history,
        sameEdits(history),
        conversion,
        minting(),
      );
      const texts = files.map(({ path, text }) => `== ${path}\n${text}\n`);
      assertApproved(
        `convertedSessions/${target}`,
        `${continueBy.sentence}\n${continueBy.shell ?? ''}\n\n${texts.join('\n')}`,
      );
    });

  it('has times up to now, however many calls an answer has', () => {
    const { now } = minting();
    const many = historyOf([
      { role: 'user', content: 'Measure.' },
      ...Array.from({ length: 20 }, (_, at) => [
        {
          role: 'assistant',
          content: 'Again.',
          tool_calls: [call(`c${at}`, 'run_shell_command', { command: 'cat /dev/heat' })],
        },
        { role: 'tool', tool_call_id: `c${at}`, content: '98' },
      ]).flat(),
    ]);
    for (const target of targets) {
      const conversion = { target, workspace: '/home/ada/kettle' };
      const [file] = convertSession(many, sameEdits(many), conversion, minting()).files;
      const times = [...(file?.text ?? '').matchAll(/\d{4}-[\d-]+T[\d:.]+Z|\b17\d{11}\b/g)].map(
        ([time]) => new Date(time.includes('T') ? time : Number(time)).getTime(),
      );
      assert.ok(times.length > 0, target);
      assert.deepEqual(
        times.filter(time => time > now.getTime()),
        [],
        target,
      );
    }
  });
});
