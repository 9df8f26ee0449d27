import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { detectFormat, historyFormats, readHistory } from '../../../../src/compact/sessions';
import { readChat } from '../../../../src/compact/sessions/chat';
import {
  asCopy,
  draw,
  fixtures,
  minting,
  readFixture,
  sameEdits,
  textOf,
  textWritten,
  write,
} from './fixtures';

const drawings: Record<string, { about: (string | undefined)[]; lines: string[] }> = {
  'claude.jsonl': {
    about: ['11111111-aaaa-4bbb-8ccc-000000000001', 'Kettle stays on', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: The kettle never switches off.|Look at src/boiler.ts first.|Café mode must stay as it is.',
      'assistant',
      '  thinking whole: The boiler first.',
      '  text: I read both files.|Then I run the tests.',
      '  tool_call Read #toolu_1 whole: file_path: src/boiler.ts',
      '  tool_call Read #toolu_2 whole: file_path: src/switch.ts',
      'tool',
      '  tool_result #toolu_1:      1\texport const boilingPoint = 100;|     2\texport function isBoiling(celsius: number) {|     3\t  return celsius > boilingPoint;|     4\t}|',
      'tool',
      '  tool_result #toolu_2: export const off = () => relay.open();|export const on = () => relay.close();',
      '  image #toolu_2 whole: ',
      'tool',
      '  text: Note of the tool: the file has changed.',
      'assistant',
      '  text: Water boils at exactly 100 degrees here.|The comparison has to be `>=`.',
      'user',
      '  text: Good.|Now write a test for it.',
    ],
  },
  'claude-agent.jsonl': {
    about: ['11111111-aaaa-4bbb-8ccc-000000000001', undefined, '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Find the fuse of the kettle.|Answer with its file.',
      'assistant',
      '  tool_call Grep #toolu_s1 whole: pattern: fuse',
      'tool',
      '  tool_result #toolu_s1: src/fuse.ts|src/fuseBox.ts',
      'assistant',
      '  text: It is in src/fuse.ts.|The box only holds it.',
    ],
  },
  'codex-early.jsonl': {
    about: ['55555555-aaaa-4bbb-8ccc-000000000011', undefined, undefined],
    lines: [
      'system',
      '  text whole: <environment_context>|  <cwd>/home/ada/kettle</cwd>|</environment_context>',
      'user',
      '  text: Which lamp is broken?|Look at the switch first.',
      'assistant',
      '  thinking whole: The switch first.',
      '  tool_call shell #call_1 whole: command: cat|command: switch.txt',
      'tool',
      '  tool_result #call_1: lamp 1: on|lamp 2: broken',
      'assistant',
      '  text: Lamp 2 is broken.|Its wire is loose.',
    ],
  },
  'codex.jsonl': {
    about: ['22222222-aaaa-4bbb-8ccc-000000000002', undefined, '/home/ada/kettle'],
    lines: [
      'system',
      '  text whole: <permissions instructions>|Ask before writing.|</permissions instructions>',
      'system',
      '  text whole: <environment_context>|  <cwd>/home/ada/kettle</cwd>|</environment_context>',
      'user',
      '  text: List the switches.|Only those that are wired.',
      'assistant',
      '  thinking whole: Looking for switches',
      '  tool_call shell_command #call_1 whole: command: grep -rn wired src',
      'tool',
      '  tool_result #call_1: Exit code: 0|Output:|src/a.ts:1:wired|src/b.ts:9:wired|',
      'assistant',
      '  tool_call apply_patch #call_2 whole: *** Begin Patch|*** End Patch',
      'tool',
      '  tool_result #call_2: Done.|Nothing changed.',
      'assistant',
      '  text: Two switches are wired.|- a|- b',
      'user',
      '  text: Unwire b.',
      '  image whole: ',
    ],
  },
  'codex-compacted.jsonl': {
    about: ['22222222-aaaa-4bbb-8ccc-000000000003', undefined, '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Kept words.|More kept words.',
      'assistant',
      '  other whole: ',
      '  text: After it.|Still after it.',
    ],
  },
  'gemini.jsonl': {
    about: ['33333333-aaaa-4bbb-8ccc-000000000004', undefined, undefined],
    lines: [
      'user',
      '  text: Where is the relay opened?|Name the file.',
      'assistant',
      '  thinking whole: Searching|The relay is a switch.',
      '  text: I search for it.|One moment.',
      '  tool_call search_file_content #search-1 whole: pattern: relay.open',
      '  tool_result #search-1: Found 2 matches|src/switch.ts:1|src/lamp.ts:4',
      'assistant',
      '  text: In two files:|src/switch.ts and src/lamp.ts.',
      'user',
      '  text: Show the lamp.|Not the switch.',
    ],
  },
  'gemini.json': {
    about: ['33333333-aaaa-4bbb-8ccc-000000000005', undefined, undefined],
    lines: [
      'user',
      '  text: Old form?|Yes, one object.',
      'assistant',
      '  text: Right.|All in a list.',
    ],
  },
  'pi.jsonl': {
    about: ['44444444-aaaa-4bbb-8ccc-000000000007', 'The leak', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Which valve leaks?|Only the file.',
      'assistant',
      '  thinking whole: Search first.',
      '  text: I search.|In all files.',
      '  tool_call bash #call_p1 whole: command: grep -rn leak src',
      'tool',
      '  tool_result #call_p1: src/valve.ts:3: leak|src/pump.ts:8: leak|',
      'tool',
      '  text: A note of an extension.|Two lines.',
      'tool',
      '  tool_call bash #bash-p6 whole: npm test',
      '  tool_result #bash-p6: 1 passed|1 failed',
      'assistant',
      '  other whole: ',
      'assistant',
      '  text: The valve leaks.|src/valve.ts, line 3.',
    ],
  },
  'omp.jsonl': {
    about: ['44444444-aaaa-4bbb-8ccc-00000000000b', 'The spout', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Which spout drips?|Only the name.',
      'tool',
      '  context spouts.txt: long spout|short spout',
      'assistant',
      '  thinking whole: Look first.',
      '  encrypted whole: ',
      '  text: I look.|At both of them.',
      '  tool_call bash #call_o1 whole: i: looks|command: drip --all',
      'tool',
      '  tool_result #call_o1: long: dry|short: wet|',
      'tool',
      '  tool_call python #python-o6 whole: print(2)',
      '  tool_result #python-o6: 2|litres',
      'tool',
      '  text: Be brief.|Always.',
      'assistant',
      '  text: The short one.|It is wet.',
    ],
  },
  'kimi.jsonl': {
    about: ['session_k1', 'The fuse', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Where is the fuse?|One word.',
      'tool',
      '  text: <system-reminder>|It is Monday.|</system-reminder>',
      'assistant',
      '  thinking whole: In the base?',
      '  text: I look at it.|The base first.',
      '  tool_call Bash #call_k1 whole: command: grep -rn fuse',
      'tool',
      '  tool_result #call_k1: base.txt:3: fuse|lid.txt:1: no fuse|',
      'assistant',
      '  text: In the base.|Line 3.',
      'user',
      '  text: And a spare one?',
    ],
  },
  'droid.jsonl': {
    about: ['66666666-aaaa-4bbb-8ccc-000000000009', 'The kettle hums', '/home/ada/kettle'],
    lines: [
      'system',
      '  text whole: <system-reminder>|Tools may be loaded later.|</system-reminder>',
      'user',
      '  text: Why does it hum?|It did not before.',
      'assistant',
      '  thinking whole: The coil, perhaps.',
      '  text: I listen first.|One moment.',
      '  tool_call Execute #call_d1 whole: command: cat hum.log|riskLevel: low',
      'tool',
      '  tool_result #call_d1: 50 Hz|100 Hz|',
      'assistant',
      '  thinking whole: Mains, clearly.',
      '  text: It is the coil.|It hums at 50 Hz.',
      'user',
      '  text: And now?',
    ],
  },
  'grok.jsonl': {
    about: ['77777777-aaaa-4bbb-8ccc-00000000000b', 'How loud it is', '/home/ada/kettle'],
    lines: [
      'system',
      '  text whole: You are an agent.|The user asks in a tag.',
      'system',
      '  text whole: <user_info>|Workspace Path: /home/ada/kettle|</user_info>',
      'user',
      '  text: How loud is it?|In decibels.',
      'assistant',
      '  thinking whole: Measure it.',
      'assistant',
      '  text: I measure.|One moment.',
      '  tool_call run_terminal_command #call_g1 whole: command: cat /dev/mic',
      'tool',
      '  tool_result #call_g1: exit: 0|61|62|',
      'assistant',
      '  other whole: ',
      'tool',
      '  text: Task 7 has ended.|It wrote 3 files.',
      'assistant',
      '  text: It has 62 dB.|That is loud.',
      'user',
      '  text: And now?',
    ],
  },
  'nanocoder.json': {
    about: ['88888888-aaaa-4bbb-8ccc-00000000000c', 'The spout drips', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Why does the spout drip?|Only when it is full.',
      'assistant',
      '  thinking whole: Look at the seal.',
      '  tool_call execute_bash #call_n1 whole: command: cat seal.log',
      'tool',
      '  tool_result #call_n1: EXIT_CODE: 0|worn|',
      'assistant',
      '  text: The seal is worn.|Replace it.',
      'user',
      '  text: With which one?',
    ],
  },
  'qwen.jsonl': {
    about: ['55555555-aaaa-4bbb-8ccc-000000000008', 'Heat', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: How hot is it?|In degrees.',
      'assistant',
      '  thinking whole: Measure.',
      '  text: I measure.|One moment.',
      '  tool_call run_shell_command #call_q1 whole: command: cat /dev/heat',
      'tool',
      '  tool_result #call_q1: Command: cat /dev/heat|Output: 98|',
      'assistant',
      '  text: It is 98 degrees.|Not boiling.',
      'user',
      '  text: And now?',
    ],
  },
  'continue.json': {
    about: ['44444444-aaaa-4bbb-8ccc-000000000006', 'Descale', 'file:///home/ada/kettle'],
    lines: [
      'user',
      '  context manual.md: # Manual|Descale each month.|Use vinegar.|',
      '  text: How often must it be descaled?|See the manual.',
      'assistant',
      '  text: I check the counter.|It counts boils.',
      '  tool_call read_file #tc_1 whole: filepath: counter.txt',
      '  tool_result #tc_1: boils: 120|since: May|',
      'assistant',
      '  thinking whole: Monthly then.',
      'assistant',
      '  text: Once a month.|With vinegar.',
      'user',
      '  text: Thanks.|Set a reminder.',
    ],
  },
  'roo.json': {
    about: ['t1', 'Paint the kettle', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: <task>|Paint the kettle red.|</task>',
      '  text: <environment_details>|# Files|src/paint.ts|</environment_details>',
      'assistant',
      '  thinking whole: Which red?',
      '  text: I read the colours.|There are many.',
      '  tool_call read_file #toolu_r1 whole: path: src/paint.ts',
      'user',
      "  tool_result #toolu_r1: export const red = '#f00';|export const blue = '#00f';",
      '  text: <environment_details>|# Time|noon|</environment_details>',
      'user',
      '  summary whole: Summary: the kettle gets painted.|Red it is.',
      'assistant',
      '  text: Painted.|It is drying.',
      'user',
      '  text: Now the lid.|Same red.',
    ],
  },
  'openai.json': {
    about: [undefined, undefined, undefined],
    lines: [
      'system',
      '  text whole: You are a kettle expert.|Be brief.',
      'user',
      '  text: What is the weather like?|Is it tea weather?',
      'assistant',
      '  tool_call weather #call_a whole: city: Riga',
      '  tool_call tea #call_b whole: ',
      'tool',
      '  tool_result #call_a: Rain.|Wind: 7 m/s|',
      'tool',
      '  tool_result #call_b: black|green',
      'assistant',
      '  text: It rains.|Tea weather indeed.',
      'user',
      '  text: Which tea goes|with this picture?',
      '  image whole: ',
    ],
  },
  'openai.jsonl': {
    about: [undefined, undefined, undefined],
    lines: [
      'user',
      '  text: First line.|Second line.',
      'assistant',
      '  thinking whole: Hm.',
      '  text: Answer one.|Answer two.',
      'user',
      '  text: Last words.|Really.',
    ],
  },
  'opencode.json': {
    about: ['ses_3f2a00112233abcdefghijABCD', 'Whistle', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Why is there no whistle?|It used to be loud.',
      'assistant',
      '  other whole: ',
      '  thinking whole: Steam pressure?',
      '  tool_call bash #oc_1 whole: command: cat valve.log',
      '  tool_result #oc_1: valve: open|valve: open|valve: stuck|',
      '  text: The valve is stuck.|Steam leaves early.',
      '  other whole: ',
      'user',
      '  text: Grease it.|Gently.',
    ],
  },
  'vscode-export.json': {
    about: [undefined, undefined, undefined],
    lines: [
      'user',
      '  text: Explain the thermostat.|In short.',
      'assistant',
      '  text: It opens a relay.|The relay cuts the current.',
      '  other whole: ',
      '  text: |That is all.',
      'user',
      '  text: <context>|noon|</context>|<userRequest>|Read the log.|All of it.|</userRequest>',
      'assistant',
      '  thinking whole: The log is long.',
      '  text: I read the log.|It is long.',
      '  tool_call read_file #vs_1 whole: path: fuse.log',
      'tool',
      '  tool_result #vs_1: fuse 1 ok|fuse 2 blown|fuse 3 ok|',
      'assistant',
      '  text: The fuse is blown.|Replace it.',
      'user',
      '  text: Which fuse?|Be exact.',
    ],
  },
  'vscode-session.jsonl': {
    about: ['55555555-aaaa-4bbb-8ccc-000000000007', 'Thermostat and fuse', undefined],
    lines: [
      'user',
      '  text: Explain the thermostat.|In short.',
      'assistant',
      '  text: It opens a relay.|The relay cuts the current.',
      'user',
      '  text: Which fuse?|Be exact.',
      'assistant',
      '  text: Fuse 2.|It is blown.',
    ],
  },
  'copilot-cli.jsonl': {
    about: ['66666666-aaaa-4bbb-8ccc-000000000008', undefined, '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Is the lid on?|Check twice.',
      'assistant',
      '  thinking whole: A lid.',
      '  text: I look.',
      '  tool_call read_file #ct_1 whole: filePath: lid.txt',
      'tool',
      '  tool_result #ct_1: lid: on|lid: tight',
      'assistant',
      '  text: The lid is on.',
    ],
  },
  'cline-session.json': {
    about: ['1772445600000_abcde', 'The lamp', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Is the lamp lit?|Look.',
      'assistant',
      '  text: I look.',
      '  tool_call run_commands #call_c1 whole: commands: cat lamp',
      'tool',
      '  tool_result #call_c1: lit|warm|',
      'assistant',
      '  text: It is lit.',
    ],
  },
  'copilot.jsonl': {
    about: ['66666666-aaaa-4bbb-8ccc-000000000008', undefined, undefined],
    lines: [
      'user',
      '  text: Is the lid on?|Check twice.',
      'assistant',
      '  thinking whole: A lid.',
      '  text: I look.',
      '  tool_call read_file #ct_1 whole: filePath: lid.txt',
      'tool',
      '  tool_result #ct_1: lid: on|lid: on',
      'assistant',
      '  text: The lid is on.',
    ],
  },
  'cursor.json': {
    about: ['77777777', 'Cord', undefined],
    lines: [
      'user',
      '  text: How long is the cord?|In cm.',
      'assistant',
      '  thinking whole: Length?',
      '  tool_call read_file #cu_1 whole: path: cord.txt',
      'tool',
      '  tool_result #cu_1 whole: contents: 75 cm',
      'assistant',
      '  text: 75 cm.',
    ],
  },
  'crush.jsonl': {
    about: ['2f7d1c9a-0b51-4f0e-9f53-0f9f6a1b2c3d', 'The kettle', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Is the kettle on?|Look at the switch.',
      '  image whole: ',
      'assistant',
      '  thinking whole: The switch tells it.',
      '  text: I look at it.',
      '  tool_call bash #call_1 whole: command: cat src/switch.ts|description: Show the switch',
      'tool',
      '  tool_result #call_1: export const isOn = true;|export const watts = 2000;|',
      'assistant',
      '  text: It is on.',
      'tool',
      '  context: $ ls src|lamp.ts|switch.ts||(exit code 0)',
      'user',
      '  text: Thanks. And the lamp?',
      'assistant',
      '  text: It is off.',
    ],
  },
  'goose.jsonl': {
    about: ['20260302_1', 'The kettle', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Is the kettle on?|Look at the switch.',
      '  image whole: ',
      'assistant',
      '  thinking whole: The switch tells it.',
      '  text: I look at it.',
      '  tool_call developer__shell #toolu_1 whole: command: cat src/switch.ts',
      'tool',
      '  tool_result #toolu_1: export const isOn = true;|export const watts = 2000;|',
      'assistant',
      '  text: It is on.',
      'user',
      '  text: Thanks. And the lamp?',
      'assistant',
      '  text: It is off.',
    ],
  },
  'amp.json': {
    about: ['T-019b9d03-62e3-772f-9780-3e637f90eaec', 'The kettle', 'file:///home/ada/kettle'],
    lines: [
      'user',
      '  text: Is the kettle on?|Look at @src/switch.ts.',
      '  image whole: ',
      '  context: file:///home/ada/kettle/src/switch.ts|export const isOn = true;|',
      'assistant',
      '  thinking whole: The switch tells it.',
      '  text: I look at it.',
      '  tool_call Bash #toolu_1 whole: cmd: cat src/switch.ts',
      'tool',
      '  tool_result #toolu_1: output: export const isOn = true;|export const watts = 2000;||exitCode: 0',
      'assistant',
      '  text: It is on.',
      'tool',
      '  context: $ ls src|lamp.ts|switch.ts||(exit code 0)',
      'user',
      '  text: Thanks. And the lamp?',
      'assistant',
      '  text: It is off.',
    ],
  },
  'zed.json': {
    about: ['0b51d9aa-2f7d-4f0e-9f53-0f9f6a1b2c3d', 'The kettle', '/home/ada/kettle'],
    lines: [
      'user',
      '  text: Is the kettle on?|Look at ',
      '  context: abs_path: /home/ada/kettle/src/switch.ts|export const isOn = true;|',
      '  image whole: ',
      'assistant',
      '  thinking whole: The switch tells it.',
      '  text: I look at it.',
      '  tool_call terminal #toolu_1 whole: command: cat src/switch.ts|cd: kettle',
      'tool',
      '  tool_result #toolu_1: export const isOn = true;|export const watts = 2000;|',
      'assistant',
      '  text: It is on.',
      'user',
      '  text: Thanks. And the lamp?',
      'assistant',
      '  text: It is off.',
    ],
  },
  'aider.md': {
    about: [undefined, undefined, undefined],
    lines: [
      'assistant',
      '  text: |',
      'system',
      '  text whole: # aider chat started at 2026-03-02 13:00:00||',
      'tool',
      '  text: > Tokens: 1.2k sent, 80 received.  ||',
      'user',
      '  text: #### Make the handle longer.  |#### By two centimetres.  ||',
      'assistant',
      '  text: The handle is set in `handle.ts`.|I change the constant.||```ts|export const handle = 14;|```||',
      'tool',
      '  text: > Applied edit to handle.ts  ||',
      'user',
      '  text: #### Thanks.|',
    ],
  },
  'transcript.md': {
    about: [undefined, undefined, undefined],
    lines: [
      'assistant',
      '  text: # Kettle||',
      'user',
      '  other whole: ## User|',
      '  text: |Does it boil dry?|Please check.||',
      'assistant',
      '  other whole: ## Assistant|',
      '  text: |There is a sensor.|It cuts the power.||',
      'user',
      '  other whole: ## User|',
      '  text: |Good to know.|',
    ],
  },
  'transcript.txt': {
    about: [undefined, undefined, undefined],
    lines: [
      'user',
      '  text: User: Does it boil dry?|Please check.|',
      'assistant',
      '  text: Assistant: There is a sensor.|It cuts the power.|',
      'user',
      '  text: User: Good to know.|',
    ],
  },
};

const line = (node: unknown) => JSON.stringify(node);
const claude = (uuid: string, parentUuid: string | null, content: string, more: object) =>
  line({
    parentUuid,
    sessionId: 's',
    type: 'user',
    message: { role: 'user', content },
    uuid,
    ...more,
  });
const codex = (type: string, payload: unknown) => line({ type, payload });
const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});
const gemini = (id: string, text: string) => ({ id, type: 'user', content: text });

/** The texts that are left of three turns of Codex, after some of them were taken back. */
function textsAfterRollback(turns: number): string[] {
  const said = (role: string, text: string) => codex('response_item', message(role, text));
  const lines = [
    codex('session_meta', { id: 'x', cwd: '/k' }),
    said('user', 'first'),
    said('assistant', 'one'),
    said('user', 'second'),
    said('assistant', 'two'),
    said('assistant', 'three'),
    codex('event_msg', { type: 'thread_rolled_back', num_turns: turns }),
    said('user', 'instead'),
  ];
  const { history } = readHistory('codex.jsonl', lines.join('\n'));
  return history.messages.flatMap(({ parts }) => parts.map(part => part.text));
}

describe('formats of chat histories', () => {
  for (const one of fixtures) {
    const { name, path, format } = one;

    it(`finds ${format} in ${path}`, () => {
      assert.equal(detectFormat(path, textOf(one))?.id, format);
      const { history } = readFixture(one);
      assert.equal(history.tool, format);
      assert.equal(history.isCut, false);
      const { lines } = drawings[name] ?? { lines: [] };
      assert.deepEqual(draw(history), lines);
    });
  }

  it('reads what a session is called, and the folder it is about', () => {
    for (const one of fixtures.filter(({ format }) => format !== 'cline')) {
      const { sessionId, title, workspace } = readFixture(one).history;
      assert.deepEqual([sessionId, title, workspace], drawings[one.name]?.about, one.name);
    }
  });

  it('takes each file for one format only, except those that any text is', () => {
    for (const one of fixtures) {
      const { file } = readFixture(one).history;
      const found = historyFormats.filter(format => format.detect(file)).map(({ id }) => id);
      const others = found.filter(id => !['markdown', 'text', 'openai'].includes(id));
      assert.deepEqual(others.length > 0 ? others : found.slice(0, 1), [one.format], one.path);
    }
  });

  it('reads what a tool has shortened before', () => {
    const rows: [name: string, lines: string[], expected: string[]][] = [
      [
        'claude.jsonl',
        [
          claude('a', null, 'before', {}),
          line({
            parentUuid: null,
            logicalParentUuid: 'a',
            sessionId: 's',
            type: 'system',
            subtype: 'compact_boundary',
            content: 'Compacted',
            uuid: 'b',
          }),
          claude('c', 'b', 'A summary.', { isCompactSummary: true }),
          claude('d', 'c', 'after', {}),
        ],
        ['user', '  summary whole: A summary.', 'user', '  text: after'],
      ],
      [
        'codex.jsonl',
        [
          codex('session_meta', { id: 'x' }),
          codex('response_item', message('user', 'before')),
          codex('compacted', { message: 'A summary.' }),
          codex('response_item', message('user', 'after')),
        ],
        ['user', '  summary whole: A summary.', 'user', '  text: after'],
      ],
      [
        'gemini.jsonl',
        [
          line({ sessionId: 'x', projectHash: 'p' }),
          line(gemini('1', 'before')),
          line({ $set: { sessionId: 'y', messages: [gemini('2', 'after')] } }),
          line(gemini('3', 'added later')),
        ],
        ['user', '  text: after', 'user', '  text: added later'],
      ],
      [
        'continue.json',
        [
          line({
            sessionId: 'x',
            history: [
              { message: { role: 'user', content: 'before' }, conversationSummary: 'A summary.' },
              { message: { role: 'user', content: 'after' }, contextItems: [] },
            ],
          }),
        ],
        ['user', '  summary whole: A summary.', 'user', '  text: after'],
      ],
      [
        'chat.json',
        [
          line({
            responderUsername: 'A',
            requests: [
              { message: { text: 'before' }, response: [{ value: 'before' }] },
              {
                message: { text: 'before, too' },
                response: [],
                result: {
                  metadata: {
                    toolCallRounds: [
                      { id: 'r1', response: 'before', toolCalls: [] },
                      { id: 'r2', response: 'stands in the summary', toolCalls: [] },
                      { id: 'r3', response: 'after', toolCalls: [] },
                    ],
                    summaries: [{ toolCallRoundId: 'r2', text: 'A summary.' }],
                  },
                },
              },
            ],
          }),
        ],
        ['user', '  summary whole: A summary.', 'assistant', '  text: after'],
      ],
      [
        'opencode.json',
        [
          line({
            info: { id: 'ses_1' },
            messages: [
              { info: { id: 'm1', role: 'user' }, parts: [{ type: 'text', text: 'before' }] },
              { info: { id: 'm2', role: 'user' }, parts: [{ type: 'compaction' }] },
              {
                info: { id: 'm3', role: 'assistant', parentID: 'm2', summary: true },
                parts: [{ type: 'text', text: 'A summary.' }],
              },
              { info: { id: 'm4', role: 'user' }, parts: [{ type: 'text', text: 'after' }] },
            ],
          }),
        ],
        [
          'user',
          '  summary whole: ',
          'assistant',
          '  summary whole: A summary.',
          'user',
          '  text: after',
        ],
      ],
    ];
    for (const [name, lines, expected] of rows) {
      const text = lines.join('\n');
      const read = readHistory(name, text);
      assert.deepEqual(draw(read.history), expected, name);
      assert.equal(textWritten(read, sameEdits(read.history)), text);
      const again = write(read, sameEdits(read.history), minting());
      assert.deepEqual(draw(readHistory(name, again.files[0]?.text ?? '').history), expected, name);
    }
  });

  it('leaves out the turns that the user of Codex took back, from the message of the user on', () => {
    assert.deepEqual(textsAfterRollback(0), ['first', 'one', 'second', 'two', 'three', 'instead']);
    assert.deepEqual(textsAfterRollback(1), ['first', 'one', 'instead']);
    assert.deepEqual(textsAfterRollback(2), ['instead']);
  });

  it('reads results once that Gemini notes twice, and writes them once', () => {
    const result = { functionResponse: { id: 'c', name: 'run', response: { output: 'one\ntwo' } } };
    const text = [
      { sessionId: 'x', projectHash: 'p', kind: 'main' },
      gemini('1', 'Run it.'),
      { id: '2', type: 'gemini', content: [{ functionCall: { id: 'c', name: 'run', args: {} } }] },
      { id: '3', type: 'user', content: [result] },
      { id: '4', type: 'user', content: [result] },
      { id: '5', type: 'gemini', content: 'Done.', tokens: { input: 990_000, output: 5 } },
    ]
      .map(line)
      .join('\n');
    const { history } = readHistory('session-1.jsonl', text);
    assert.equal(history.messages.length, 4);
    const edits = history.messages.map(({ parts }) =>
      parts.map(part => (part.type === 'tool_result' ? 'one\n' : part.text)),
    );
    const { format } = readHistory('session-1.jsonl', text);
    assert.equal(write({ format, history }, edits, asCopy).files[0]?.text.includes('two'), false);
    const fresh = write({ format, history }, edits, minting()).files[0]?.text ?? '';
    assert.deepEqual([fresh.split('functionResponse').length, fresh.includes('two')], [2, false]);
    assert.match(fresh, /"tokens":\{"input":100\d\d,/);
  });

  it('tells the folder of a Gemini session by its hash', () => {
    const text = [{ sessionId: 'x', projectHash: 'p' }, gemini('1', 'a')].map(line).join('\n');
    assert.equal(readHistory('session-1.jsonl', text).history.workspaceHash, 'p');
  });

  it('says when something of the session is missing', () => {
    const cursor = fixtures.find(({ name }) => name === 'cursor.json');
    assert.deepEqual(cursor && readFixture(cursor).history.notes.map(written), [
      'Messages that are missing: 1.',
    ]);
  });

  it('reads the same from bytes as from text, and edits no bytes', () => {
    for (const one of fixtures) {
      const plain = textOf(one);
      for (const text of [plain, `\ufeff${plain}`, `${plain.trimEnd()}\n{"a":"é😀\\u00e9`]) {
        const chatOf = (content: string | Uint8Array): unknown => {
          try {
            return readChat({ path: one.path, text: content, companions: one.companions ?? [] });
          } catch (error) {
            return error;
          }
        };
        assert.deepEqual(chatOf(Buffer.from(text)), chatOf(text), one.name);
      }
      const read = readHistory(one.path, Buffer.from(plain), one.companions);
      if (read.format.write && !read.format.isReadOnly) {
        assert.throws(() => write(read, sameEdits(read.history), asCopy), TypeError, one.name);
      }
    }
  });

  it('writes nothing where nothing is read back', () => {
    for (const format of historyFormats)
      assert.equal(format.write === undefined, format.isReadOnly, format.id);
  });
});
