import assert from 'node:assert/strict';
import type { HookEvent } from '../../../../../../src/apply/external/agents/core/hookEvents';
import { type Turn, TurnLog } from '../../../../../../src/apply/external/agents/core/turns';

const root = '/home/user/project';

/** Events in one session of Claude Code in the root, unless they say something else. */
const event = (
  time: number,
  kind: HookEvent['kind'],
  more: Partial<HookEvent> = {},
): HookEvent => ({ agent: 'claude', session: 's1', cwd: root, time, kind, ...more });

const turn1 = { turn: 't1' };
const turn2 = { turn: 't2' };
const codex = { agent: 'codex', session: 's2', turn: 'c1' } as const;

/** A call of an agent that gives no ids to them. */
const call = (name: string): Partial<HookEvent> => ({ tool: 'edit', paths: [`${root}/${name}`] });

interface Made {
  readonly log: TurnLog;
  readonly ended: Turn[];
}

function make(events: readonly HookEvent[], isAlive?: (pid: number) => boolean): Made {
  const log = new TurnLog({ roots: [root], ...(isAlive ? { isAlive } : {}) });
  const ended: Turn[] = [];
  log.onTurnEnd(turn => ended.push(turn));
  log.add(events);
  return { log, ended };
}

const spans = ({ log }: Made): unknown[] =>
  log.turns.map(({ id, from, to, isInterrupted }) => [id, from, to, isInterrupted ?? false]);

describe('the turns of agents', () => {
  it('last from the prompt to the stop', () => {
    const made = make([event(1000, 'prompt', turn1), event(9000, 'stop', turn1)]);
    assert.deepEqual(spans(made), [['t1', 1000, 9000, false]]);
    assert.deepEqual(made.ended, [
      { agent: 'claude', session: 's1', id: 't1', from: 1000, to: 9000 },
    ]);
    assert.equal(made.log.isWorking(9001), false);
  });

  it('are open until then, however long nothing is said', () => {
    const { log, ended } = make([event(1000, 'prompt', turn1)]);
    assert.equal(log.isWorking(1000 + 24 * 3_600_000), true);
    assert.deepEqual(ended, []);
  });

  it('that were stopped by the user end at the next prompt of the session', () => {
    const made = make([
      event(1000, 'prompt', turn1),
      event(2000, 'prompt', { ...codex }),
      event(5000, 'prompt', turn2),
    ]);
    assert.deepEqual(spans(made), [
      ['t1', 1000, 5000, true],
      ['c1', 2000, undefined, false],
      ['t2', 5000, undefined, false],
    ]);
  });

  it('end with the session', () => {
    const made = make([event(1000, 'prompt', turn1), event(4000, 'sessionEnd')]);
    assert.deepEqual(spans(made), [['t1', 1000, 4000, false]]);
  });

  it('are interrupted when the process is gone, which is noticed when somebody asks', () => {
    const alive = new Set([77]);
    const made = make([event(1000, 'prompt', { ...turn1, pid: 77 })], pid => alive.has(pid));
    assert.equal(made.log.isWorking(2000), true);
    alive.clear();
    assert.deepEqual(made.ended, []);
    assert.equal(made.log.isWorking(3000), false);
    assert.deepEqual(spans(made), [['t1', 1000, 3000, true]]);
    assert.deepEqual(
      made.ended.map(({ isInterrupted }) => isInterrupted),
      [true],
    );
  });

  it('go on while a subagent works, which may be longer than the agent itself', () => {
    const subagent = 'a1';
    const made = make([
      event(1000, 'prompt', turn1),
      event(2000, 'tool', { ...turn1, subagent, tool: 'Bash', call: 'b1' }),
      event(3000, 'stop', turn1),
      event(4000, 'toolDone', { ...turn1, subagent, tool: 'Bash', call: 'b1' }),
    ]);
    assert.equal(made.log.isWorking(4500), true);
    made.log.add([event(5000, 'subagentStop', { ...turn1, subagent })]);
    assert.deepEqual(spans(made), [['t1', 1000, 5000, false]]);
  });

  it('of subagents in the background do not end with the next prompt', () => {
    const made = make([
      event(1000, 'prompt', turn1),
      event(1500, 'subagentStart', { ...turn1, subagent: 'a1' }),
      event(2000, 'stop', turn1),
      event(3000, 'prompt', turn2),
      event(4000, 'stop', turn2),
      event(6000, 'subagentStop', { ...turn1, subagent: 'a1' }),
    ]);
    assert.deepEqual(spans(made), [
      ['t1', 1000, 6000, false],
      ['t2', 3000, 4000, false],
    ]);
  });

  it('open again when a hook has told the agent to go on', () => {
    const made = make([
      event(1000, 'prompt', turn1),
      event(2000, 'stop', turn1),
      event(3000, 'tool', { ...turn1, tool: 'Edit', call: 'e1' }),
    ]);
    assert.equal(made.log.isWorking(3000), true);
    made.log.add([event(4000, 'stop', turn1)]);
    assert.deepEqual(spans(made), [['t1', 1000, 4000, false]]);
    assert.deepEqual(
      made.ended.map(({ to }) => to),
      [2000, 4000],
    );
  });

  it('stay ended when the end of a tool is noted after them', () => {
    const made = make([
      event(1000, 'prompt', turn1),
      event(2000, 'tool', { ...turn1, tool: 'Edit', call: 'e1' }),
      event(3000, 'stop', turn1),
      event(2900, 'toolDone', { ...turn1, tool: 'Edit', call: 'e1' }),
    ]);
    assert.deepEqual(spans(made), [['t1', 1000, 3000, false]]);
  });

  it('are one when the agent says "prompt" again for the same turn', () => {
    const made = make([
      event(1000, 'prompt', turn1),
      event(2000, 'prompt', turn1),
      event(3000, 'stop', turn1),
    ]);
    assert.deepEqual(spans(made), [['t1', 1000, 3000, false]]);
  });

  it('of agents without ids of turns are told apart by their start', () => {
    const made = make([
      event(1000, 'prompt'),
      event(2000, 'stop'),
      event(3000, 'tool', { tool: 'edit' }),
      event(4000, 'stop'),
    ]);
    assert.deepEqual(spans(made), [
      ['s1@1000', 1000, 2000, false],
      ['s1@3000', 3000, 4000, false],
    ]);
  });

  it('begin with the first tool when nobody has seen the prompt', () => {
    const made = make([event(1000, 'tool', { ...turn1, tool: 'Edit' })]);
    assert.deepEqual(spans(made), [['t1', 1000, undefined, false]]);
  });

  it('count once when the hooks of two settings tell of them, under the better name', () => {
    const copilot = { agent: 'copilot' } as const;
    const expected = [{ agent: 'copilot', session: 's1', id: 's1@1000', from: 1000, to: 3000 }];
    const both = [
      event(1000, 'prompt'),
      event(1001, 'prompt', copilot),
      event(2000, 'tool', { tool: 'edit' }),
      event(2001, 'tool', { ...copilot, tool: 'edit' }),
      event(3000, 'stop', copilot),
      event(3001, 'stop'),
    ];
    assert.deepEqual(make(both).log.turns, expected);
    const swapped = [event(1000, 'prompt', copilot), event(1001, 'prompt'), ...both.slice(2)];
    assert.deepEqual(make(swapped).log.turns, expected);
  });

  it('elsewhere are no concern of the root', () => {
    const elsewhere = { cwd: '/home/user/other', session: 's9' };
    const { log, ended } = make([
      event(1000, 'prompt', elsewhere),
      event(2000, 'prompt', { cwd: '/home/user/project2', session: 's8' }),
      event(3000, 'stop', elsewhere),
    ]);
    assert.deepEqual([log.turns, ended, log.isWorking(4000)], [[], [], false]);
    assert.deepEqual(log.labelOf('a.txt', 1000, 2000), { from: 1000, to: 2000 });
  });

  it('in a folder below or above the root, or that name a file of it, are', () => {
    for (const more of [
      { cwd: `${root}/packages/a` },
      { cwd: '/home/user' },
      { cwd: '/elsewhere', paths: [`${root}/a.txt`] },
    ])
      assert.equal(make([event(1000, 'tool', { ...more, tool: 'Edit' })]).log.turns.length, 1);
  });

  it('say nothing of the root when the agent does not say where it works', () => {
    const { log } = make([{ agent: 'codex', kind: 'prompt', session: 's1', time: 1 }]);
    assert.deepEqual(log.turns, []);
    log.add([event(2, 'tool', { session: 's2', cwd: '/elsewhere', paths: [`${root}/..a.txt`] })]);
    assert.equal(log.turns.length, 1);
  });

  it('are found by each name of the root', () => {
    const log = new TurnLog({ roots: ['/link', root] });
    log.add([
      event(1000, 'prompt', { cwd: '/link/src', ...turn1 }),
      event(1100, 'tool', { ...turn1, tool: 'Edit', paths: ['/link/a.txt', `${root}/b.txt`] }),
    ]);
    assert.equal(log.labelOf('a.txt', 1200, 1300).tool, 'Edit');
    assert.equal(log.labelOf('b.txt', 1200, 1300).tool, 'Edit');
  });

  it('are forgotten, oldest first', () => {
    const made = make(
      Array.from({ length: 500 }, (_, at) => [
        event(at * 10, 'prompt', { turn: `t${at}`, session: `s${at}` }),
        event(at * 10 + 5, 'stop', { turn: `t${at}`, session: `s${at}` }),
      ]).flat(),
    );
    assert.equal(made.log.turns.length, 200);
    assert.equal(made.log.turns.at(-1)?.id, 't499');
  });

  it('are forgotten without their session, as long as it goes on', () => {
    const { log, ended } = make(
      Array.from({ length: 300 }, (_, at) => event(at * 10, 'prompt', { turn: `t${at}` })),
    );
    assert.equal(log.turns.length, 200);
    log.add([event(5000, 'stop')]);
    assert.equal(ended.at(-1)?.id, 't299');
    assert.equal(log.isWorking(5001), false);
  });
});

describe('the label of a write', () => {
  const edit = { ...turn1, tool: 'Edit', call: 'e1', paths: [`${root}/src/a.ts`] };
  const turnLabel = { agent: 'claude', session: 's1', turn: 't1' };

  it('names the tool that named the file', () => {
    const { log } = make([
      event(1000, 'prompt', turn1),
      event(2000, 'tool', edit),
      event(2500, 'toolDone', edit),
      event(8000, 'stop', turn1),
    ]);
    assert.deepEqual(log.labelOf('src/a.ts', 1900, 2300), {
      from: 1900,
      to: 2300,
      ...turnLabel,
      tool: 'Edit',
    });
  });

  it('is found for each of several calls that have no id', () => {
    const { log } = make([
      event(1000, 'prompt'),
      event(2000, 'tool', call('a.txt')),
      event(2000, 'tool', call('b.txt')),
      event(2100, 'toolDone', call('a.txt')),
      event(2200, 'toolDone', call('b.txt')),
      event(2300, 'tool', { tool: 'bash' }),
      event(2900, 'toolDone', { tool: 'bash' }),
      event(9000, 'stop'),
    ]);
    for (const name of ['a.txt', 'b.txt'])
      assert.equal(log.labelOf(name, 2050, 2060).tool, 'edit', name);
    assert.equal(log.labelOf('c.txt', 5000, 5100).tool, undefined);
  });

  it('names the turn when no tool named the file, and the tool when only one ran', () => {
    const { log } = make([
      event(1000, 'prompt', turn1),
      event(2000, 'tool', { ...turn1, tool: 'Bash', call: 'b1' }),
      event(4000, 'toolDone', { ...turn1, tool: 'Bash', call: 'b1' }),
      event(9000, 'stop', turn1),
    ]);
    assert.deepEqual(log.labelOf('x', 3000, 3500), {
      from: 3000,
      to: 3500,
      ...turnLabel,
      tool: 'Bash',
    });
    assert.deepEqual(log.labelOf('x', 6000, 7000), { from: 6000, to: 7000, ...turnLabel });
  });

  it('has only times when no agent worked then', () => {
    const { log } = make([event(1000, 'prompt', turn1), event(2000, 'stop', turn1)]);
    assert.deepEqual(log.labelOf('x', 4000, 5000), { from: 4000, to: 5000 });
    assert.deepEqual(log.labelOf('x', 500, 900), { from: 500, to: 900 });
  });

  it('is shared where the turns of two sessions overlap', () => {
    const { log } = make([
      event(1000, 'prompt', turn1),
      event(2000, 'prompt', codex),
      event(6000, 'stop', turn1),
      event(9000, 'stop', codex),
    ]);
    assert.deepEqual(log.labelOf('x', 3000, 4000), { from: 3000, to: 4000, isShared: true });
    assert.deepEqual(log.labelOf('x', 1200, 1500), { from: 1200, to: 1500, ...turnLabel });
    assert.deepEqual(log.labelOf('x', 7500, 8000).agent, 'codex');
  });

  it('is not shared where one of them named the file', () => {
    const { log } = make([
      event(1000, 'prompt', turn1),
      event(1000, 'prompt', codex),
      event(2000, 'tool', edit),
      event(2500, 'toolDone', edit),
    ]);
    assert.equal(log.labelOf('src/a.ts', 2000, 2400).turn, 't1');
    assert.deepEqual(log.labelOf('src/b.ts', 2000, 2400).isShared, true);
  });

  it('is shared where both named the file', () => {
    const other = { ...codex, tool: 'apply_patch', call: 'p1', paths: edit.paths };
    const { log } = make([
      event(1000, 'prompt', turn1),
      event(1000, 'prompt', codex),
      event(2000, 'tool', edit),
      event(2100, 'tool', other),
    ]);
    assert.deepEqual(log.labelOf('src/a.ts', 2000, 2400), {
      from: 2000,
      to: 2400,
      isShared: true,
    });
  });

  it('names the agent where two of its sessions shared the time', () => {
    const { log } = make([
      event(1000, 'prompt', turn1),
      event(1000, 'prompt', { session: 's5', turn: 't5' }),
    ]);
    assert.deepEqual(log.labelOf('x', 2000, 3000), {
      from: 2000,
      to: 3000,
      agent: 'claude',
      isShared: true,
    });
  });

  it('names the later turn where two of one session may have written', () => {
    const { log } = make([
      event(1000, 'prompt', turn1),
      event(2000, 'stop', turn1),
      event(3000, 'prompt', turn2),
      event(4000, 'stop', turn2),
    ]);
    assert.equal(log.labelOf('x', 0, 9000).turn, 't2');
  });

  it('is found although the clock of a hook has whole seconds', () => {
    const { log } = make([event(1000, 'prompt', turn1), event(2000, 'stop', turn1)]);
    assert.equal(log.labelOf('x', 2600, 2700).turn, 't1');
  });

  it('does not name a process that was gone before', () => {
    const { log } = make([event(1000, 'prompt', { ...turn1, pid: 77 })], () => false);
    assert.equal(log.labelOf('x', 1000, 2000).turn, 't1');
    assert.deepEqual(log.labelOf('x', 5000, 6000), { from: 5000, to: 6000 });
  });
});
