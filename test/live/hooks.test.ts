import assert from 'node:assert/strict';
import type { HookedAgent } from '../../src/apply/external/agents/core/hookSettings';
import type { AgentCli } from './agents/cli';
import {
  claude,
  codex,
  codexUntrusted,
  codexWithCode,
  copilot,
  gemini,
  isChosen,
  opencode,
  qwen,
} from './agents/clis';
import { LiveSession } from './agents/session';
import { heldStep } from './model/gate';
import type { Script } from './model/script';

/** Reads, edits and runs something. Codex has a tool for patches instead. */
function edits(cli: AgentCli, project: string): Script {
  const run = { actions: [{ do: 'run', command: 'sed -i.bak s/three/THREE/ a.txt' }] } as const;
  if (cli.name === 'codex') {
    const patch = `*** Begin Patch
*** Update File: a.txt
@@
 one
-two
+TWO
 three
*** End Patch
`;
    return [{ actions: [{ do: 'patch', patch }] }, run];
  }
  const path = `${project}/a.txt`;
  return [
    { actions: [{ do: 'read', path }] },
    { actions: [{ do: 'edit', path, old: 'two', new: 'TWO' }] },
    run,
  ];
}

interface Case {
  readonly cli: AgentCli;
  readonly agent: HookedAgent;
  readonly kinds: string;
  /** What the agent calls its tools. */
  readonly tools: readonly string[];
}

const tool = 'tool toolDone tool toolDone';
const cases: readonly Case[] = [
  {
    cli: claude,
    agent: 'claude',
    kinds: `prompt ${tool} stop sessionEnd`,
    tools: ['Edit', 'Bash'],
  },
  {
    cli: codex,
    agent: 'codex',
    kinds: `prompt ${tool} stop sessionEnd`,
    tools: ['apply_patch', 'Bash'],
  },
  {
    cli: codexWithCode,
    agent: 'codex',
    kinds: `prompt ${tool} stop sessionEnd`,
    tools: ['apply_patch', 'Bash'],
  },
  {
    cli: gemini,
    agent: 'gemini',
    kinds: `prompt ${tool} stop sessionEnd`,
    tools: ['replace', 'run_shell_command'],
  },
  {
    cli: qwen,
    agent: 'qwen',
    // It says "prompt" for each result of a tool.
    kinds: `prompt prompt tool toolDone prompt tool toolDone prompt stop`,
    tools: ['edit', 'run_shell_command'],
  },
  {
    cli: copilot,
    agent: 'copilot',
    kinds: `prompt tool toolDone ${tool} stop sessionEnd`,
    tools: ['view', 'edit', 'bash'],
  },
  {
    cli: opencode,
    agent: 'opencode',
    kinds: `prompt ${tool} stop`,
    tools: ['edit', 'bash'],
  },
];

for (const { cli, agent, kinds, tools } of cases.filter(each => isChosen(each.cli))) {
  describe(`the hooks of ${cli.package}${cli === codexWithCode ? ' with code' : ''}`, () => {
    let session: LiveSession;
    beforeEach(async () => {
      session = await LiveSession.start();
      session.write('a.txt', 'one\ntwo\nthree\n');
    });
    afterEach(async () => session.close());

    it('tell of one turn with its tools', async () => {
      session.addHooks(agent, cli);
      const before = Date.now();
      await session.run(cli, 'edits', edits(cli, session.project));
      assert.equal(session.read('a.txt'), 'one\nTWO\nTHREE\n');
      assert.equal(session.events.map(({ kind }) => kind).join(' '), kinds);
      assert.equal(session.skipped, 0);
      const [turn, ...others] = session.turns.turns;
      assert.deepEqual(others, []);
      assert.equal(turn?.agent, agent);
      assert.equal(turn?.isInterrupted, undefined);
      assert.ok(turn.from >= before && turn.to !== undefined && turn.to <= Date.now());
      const used = session.events.filter(({ kind }) => kind === 'tool').map(event => event.tool);
      assert.deepEqual(used, tools);
      const { tool: named, session: of } = session.turns.labelOf('a.txt', turn.from, turn.to);
      assert.ok(tools.includes(named ?? ''), named);
      assert.equal(of, turn.session);
      // Whose parent process is noted, so that its end can be noticed.
      assert.equal(new Set(session.events.map(({ pid }) => pid)).size, 1);
    });

    it('go away with no trace in the settings', async () => {
      session.addHooks(agent, cli);
      const [before, after] = session.removeHooks(agent);
      assert.equal(after, before);
    });
  });
}

if (isChosen(codex)) {
  describe('hooks of Codex that the user has not approved', () => {
    it('are not run, and nothing depends on them', async () => {
      const session = await LiveSession.start();
      try {
        session.write('a.txt', 'one\ntwo\nthree\n');
        session.addHooks('codex', codexUntrusted);
        await session.run(codexUntrusted, 'edits', edits(codex, session.project));
        assert.equal(session.read('a.txt'), 'one\nTWO\nTHREE\n');
        assert.deepEqual(session.events, []);
        assert.deepEqual(session.turns.labelOf('a.txt', 1, 2), { from: 1, to: 2 });
      } finally {
        await session.close();
      }
    });
  });
}

if (isChosen(claude)) {
  describe('a turn of Claude Code', () => {
    let session: LiveSession;
    beforeEach(async () => {
      session = await LiveSession.start();
      session.addHooks('claude', claude);
    });
    afterEach(async () => session.close());

    it('lasts until its subagents are done', async () => {
      session.model.scripts.set('inner', [
        { actions: [{ do: 'run', command: 'echo 1 > inner.txt' }] },
      ]);
      await session.run(claude, 'outer', [
        { actions: [{ do: 'delegate', prompt: 'Follow SCRIPT:inner to its end.' }] },
      ]);
      assert.equal(session.read('inner.txt'), '1\n');
      const done = session.events.find(event => event.kind === 'subagentStop');
      const write = session.events.find(
        event => event.tool === 'Bash' && event.kind === 'toolDone',
      );
      const [turn] = session.turns.turns;
      assert.ok(done && write && turn?.to !== undefined);
      assert.equal(write.subagent, done.subagent);
      assert.ok(turn.to >= done.time, 'the turn ended before its subagent');
      assert.equal(session.turns.labelOf('inner.txt', write.time, write.time).turn, turn.id);
    });

    it('is interrupted when the program is killed', async () => {
      const hold = heldStep();
      session.model.scripts.set('waits', [
        { actions: [{ do: 'run', command: 'echo 1 > a.txt' }] },
        hold.step,
      ]);
      const running = session.start(claude, 'waits');
      await session.reached(hold.reached, running);
      await session.readSpool();
      assert.equal(session.turns.isWorking(Date.now()), true);
      running.child.kill('SIGKILL');
      await running.ended;
      assert.equal(session.turns.isWorking(Date.now()), false);
      assert.equal(session.turns.turns[0]?.isInterrupted, true);
    });
  });
}
