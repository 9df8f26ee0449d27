import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  addHooks,
  type HookedAgent,
  hookSettingsFile,
  removeHooks,
  type SettingsEdit,
  type SettingsResult,
} from '../../../../../../src/apply/external/agents/core/hookSettings';
import { written } from '../../../../../../src/base/sentence';
import { isRecord, parseJson } from '../../../../../../src/base/typeGuards';

const place = { isWindows: false, folder: '/home/user/.config/Code/splice' };
const agents: readonly HookedAgent[] = ['claude', 'codex', 'copilot', 'cursor', 'gemini', 'qwen'];

function edit(result: SettingsResult): SettingsEdit {
  if ('problem' in result) assert.fail(written(result.problem));
  return result;
}

const problem = (result: SettingsResult): string =>
  'problem' in result ? written(result.problem) : 'none';

const added = (agent: HookedAgent, text: string | undefined, at = place): string =>
  edit(addHooks(agent, text, at)).after ?? '';
const removed = (agent: HookedAgent, text: string | undefined): string | undefined =>
  edit(removeHooks(agent, text)).after;

const parsed = (text: string): Record<string, Record<string, unknown[]>> => JSON.parse(text);

const commandOf = (args: string): string =>
  `exec sh -c 'test -r "$0" || exit 0; exec sh "$0" "$@"' '${place.folder}/splice-spool.sh' '${place.folder}/events.jsonl' ${args}`;

const notesOn = (agent: HookedAgent, text: string): string[] =>
  edit(addHooks(agent, text, place)).notes.map(written);

const matchers = (agent: HookedAgent): unknown[] =>
  Object.values(parsed(added(agent, undefined))['hooks'] ?? {})
    .map(([entry]) => (isRecord(entry) ? entry['matcher'] : undefined))
    .filter(matcher => matcher !== undefined);

/** The members of a JSON object but for the hooks. */
function othersIn(text: string): unknown {
  const object = parseJson(text.replace('\uFEFF', ''));
  assert.ok(isRecord(object));
  const { hooks: _hooks, ...others } = object;
  return others;
}

describe('hooks in the settings of agents', () => {
  it('are added to the settings of Claude Code in this form', () => {
    const text = `{
  "model": "opus",
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }
    ]
  },
  "env": {}
}
`;
    const after = added('claude', text);
    const command = `exec sh -c 'test -r \\"$0\\" || exit 0; exec sh \\"$0\\" \\"$@\\"' '/home/user/.config/Code/splice/splice-spool.sh' '/home/user/.config/Code/splice/events.jsonl' claude`;
    const hooks = `"hooks": [
          {
            "type": "command",
            "command": "${command}",
            "timeout": 5
          }
        ]`;
    const event = (name: string, matcher = ''): string => `
    "${name}": [
      {${matcher}
        ${hooks}
      }
    ]`;
    const tools = `
        "matcher": "Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell",`;
    assert.equal(
      after,
      `{
  "model": "opus",
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] },
      {
        ${hooks}
      }
    ],${event('UserPromptSubmit')},${event('PreToolUse', tools)},${event('PostToolUse', tools)},${event('SubagentStop')},${event('SessionEnd')}
  },
  "env": {}
}
`,
    );
    assert.equal(removed('claude', after), text);
  });

  it('make a file where there is none, which goes with them', () => {
    for (const agent of agents) {
      const after = added(agent, undefined);
      assert.ok(Object.keys(parsed(after)['hooks'] ?? {}).length >= 5, agent);
      assert.equal(removed(agent, after), undefined);
      assert.equal(added(agent, ''), after);
    }
  });

  it('are in the form that each agent reads', () => {
    const first = (agent: HookedAgent, event: string): unknown =>
      parsed(added(agent, undefined))['hooks']?.[event]?.[0];
    assert.deepEqual(first('codex', 'Interrupt'), {
      hooks: [{ type: 'command', command: commandOf('codex'), timeout: 3 }],
    });
    assert.deepEqual(first('copilot', 'agentStop'), {
      type: 'command',
      bash: commandOf('copilot agentStop'),
      timeoutSec: 5,
    });
    assert.equal(parsed(added('copilot', undefined))['version'], 1);
    assert.deepEqual(first('cursor', 'afterFileEdit'), { command: commandOf('cursor') });
    assert.equal(parsed(added('cursor', undefined))['version'], 1);
    assert.deepEqual(first('gemini', 'AfterTool'), {
      matcher: 'write_file|replace|run_shell_command',
      hooks: [{ type: 'command', name: 'splice', command: commandOf('gemini') }],
    });
    assert.deepEqual(first('qwen', 'Stop'), {
      hooks: [{ type: 'command', command: commandOf('qwen') }],
    });
  });

  it('stay when they are there already, also behind what the user added later', () => {
    for (const agent of agents) {
      const once = added(agent, '{"a":1}');
      assert.equal(added(agent, once), once);
    }
    const once = added('claude', '{}');
    const later = once.replace('"Stop": [', '"Stop": [ { "hooks": [] },');
    assert.notEqual(later, once);
    assert.equal(added('claude', later), later);
  });

  it('replace those of an older version or another folder', () => {
    const old = added('claude', '{\n  "a": 1\n}\n', { isWindows: false, folder: '/old' });
    const now = added('claude', '{\n  "a": 1\n}\n');
    assert.equal(added('claude', old), now);
    const moved = now.replace('"SessionEnd"', '"SessionStart"');
    assert.equal(added('claude', moved), now);
  });

  it('are found inside a group of the user', () => {
    const ours = "exec sh '/x/splice-spool.sh' '/x/events.jsonl' claude";
    const text = JSON.stringify({
      hooks: { Stop: [{ hooks: [{ command: 'a' }, { command: ours }, { command: 'b' }] }] },
    });
    assert.equal(
      removed('claude', text),
      '{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"b"}]}]}}',
    );
  });

  it('leave every other byte as it was', () => {
    const texts = [
      '{}',
      '{ }\n',
      '{\n}\n',
      '{"a":1}',
      '{ "a": 1 }',
      '{\r\n\t"a": [],\r\n\t"b": "\\u00e9"\r\n}\r\n',
      '\uFEFF{\n    "a": 1\n}',
      '{"hooks":{}}',
      '{\n  "hooks": {}\n}',
      '{\n  "hooks": {\n  }\n}',
      '{"hooks":{"Stop":[],"PreToolUse":[ ]}}',
      '{\n  "hooks": {\n    "Stop": [\n    ]\n  }\n}',
      '{"hooks":{"Stop":[{"hooks":[]}],"Other":[{"hooks":[]}]},"z":0}',
    ];
    for (const text of texts) {
      const after = added('claude', text);
      assert.deepEqual(othersIn(after), othersIn(text));
      assert.equal(removed('claude', after), text, JSON.stringify(text));
    }
  });

  it('leave comments where an agent reads them, and remarks at their values', () => {
    const text = `// mine
{
  "a": 1, // one, of many
  /* two */ "b": [1, 2] // last, really
  // the end
}
`;
    for (const agent of ['gemini', 'qwen'] as const) {
      const after = added(agent, text);
      assert.ok(after.includes('"b": [1, 2], // last, really\n  "hooks": {'), after);
      assert.equal(removed(agent, after), text);
    }
  });

  it('do not take along what the user has added since', () => {
    const after = added('claude', '{\n  "a": 1\n}\n');
    const edited = after
      .replace('"a": 1', '"a": 2')
      .replace('"Stop": [', '"Stop": [\n      {"hooks": [{"command": "mine"}]},')
      .replace(/\}\n$/, '  ,"z": 3}\n');
    const rest = parseJson(removed('claude', edited) ?? '');
    assert.deepEqual(rest, { a: 2, hooks: { Stop: [{ hooks: [{ command: 'mine' }] }] }, z: 3 });
  });

  it('are given back to the byte for any settings', () => {
    const names = fc.constantFrom('hooks', 'Stop', 'PreToolUse', 'model', 'env', 'a"b');
    const json = fc.jsonValue({ maxDepth: 3 });
    const entry = fc.record({
      hooks: fc.array(fc.record({ command: fc.string() }), { maxLength: 2 }),
    });
    const hooks = fc.dictionary(
      fc.constantFrom('Stop', 'SessionEnd', 'Notification'),
      fc.array(entry, { maxLength: 2 }),
      { noNullPrototype: true },
    );
    const document = fc
      .tuple(fc.dictionary(names, json, { noNullPrototype: true }), fc.option(hooks))
      .map(([rest, own]) => {
        const { hooks: _hooks, ...others } = rest;
        return own === null ? others : { ...others, hooks: own };
      });
    const layout = fc.constantFrom('', ' ', '  ', '    ', '\t');
    const eol = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.constantFrom(...agents), document, layout, eol, (agent, value, unit, end) => {
        const text = JSON.stringify(value, null, unit).replaceAll('\n', end) + end;
        const after = added(agent, text);
        assert.deepEqual(othersIn(after), othersIn(text));
        assert.equal(added(agent, after), after);
        assert.equal(removed(agent, after), text);
      }),
    );
  });

  it('are not added to a file that is damaged or of another form', () => {
    assert.equal(
      problem(addHooks('claude', '{\n  "a": 1,\n}', place)),
      'The settings of Claude Code are no valid JSON at line 3. Repair the file first; nothing was changed.',
    );
    assert.equal(
      problem(addHooks('claude', '{\n  // Claude Code reads no comments\n}', place)),
      'The settings of Claude Code are no valid JSON at line 2. Repair the file first; nothing was changed.',
    );
    const unknown =
      'The settings of Codex have hooks in a form that Splice does not know. Nothing was changed.';
    for (const text of ['[]', '1', '{"hooks":[]}', '{"hooks":{"Stop":{}}}'])
      assert.equal(problem(addHooks('codex', text, place)), unknown, text);
    for (const text of ['{"hooks":{},"hooks":{}}', '{"hooks":{"Stop":[],"Stop":[]}}'])
      assert.equal(problem(removeHooks('codex', text)), unknown, text);
    assert.match(problem(addHooks('codex', '['.repeat(500_000), place)), /no valid JSON/);
    assert.match(problem(addHooks('codex', ' '.repeat(1_000_000) + '{}', place)), /too large/);
  });

  it('are written for Windows where it is known how', () => {
    const windows = { isWindows: true, folder: 'C:\\splice' };
    const text = added('copilot', undefined, windows);
    assert.deepEqual(parsed(text)['hooks']?.['preToolUse'], [
      {
        type: 'command',
        powershell: String.raw`node 'C:\splice\splice-spool.cjs' 'C:\splice\events.jsonl' copilot preToolUse`,
        timeoutSec: 5,
      },
    ]);
    assert.equal(removed('copilot', text), undefined);
    assert.equal(
      problem(addHooks('qwen', undefined, windows)),
      'Hooks of Qwen Code are not supported on Windows.',
    );
    assert.match(
      problem(addHooks('codex', undefined, { ...windows, folder: 'C:\\100%' })),
      /cannot be written in a hook/,
    );
  });

  it('ask only about tools that write, where an agent has others', () => {
    const tools = 'edit|write_file|notebook_edit|run_shell_command';
    assert.deepEqual(matchers('qwen'), [tools, tools]);
    assert.deepEqual(matchers('codex'), []);
  });

  it('say when the agent will not run them', () => {
    assert.deepEqual(notesOn('claude', '{}'), []);
    assert.deepEqual(notesOn('claude', '{"disableAllHooks": true}'), [
      'Hooks are turned off in these settings ("disableAllHooks"), so that Claude Code runs none.',
    ]);
    assert.deepEqual(notesOn('codex', '{}'), [
      'Codex runs new hooks after you have approved them there with /hooks.',
    ]);
  });

  it('are in the settings of the user', () => {
    assert.equal(hookSettingsFile('claude', '/home/user', {}), '/home/user/.claude/settings.json');
    assert.equal(
      hookSettingsFile('opencode', '/home/user', {}),
      '/home/user/.config/opencode/plugins/splice.js',
    );
    assert.equal(
      hookSettingsFile('opencode', '/home/user', { XDG_CONFIG_HOME: '/etc' }),
      '/etc/opencode/plugins/splice.js',
    );
    assert.equal(
      hookSettingsFile('codex', '/home/user', { CODEX_HOME: '/etc/codex' }),
      '/etc/codex/hooks.json',
    );
    assert.equal(
      hookSettingsFile('copilot', '/home/user', { COPILOT_HOME: '' }),
      '/home/user/.copilot/hooks/splice.json',
    );
  });
});
