import type { PlatformPath } from 'node:path';
import type { WriteLabel } from '../../core/rootState';
import { type AgentId, type HookEvent, pathRules } from './hookEvents';

/** What an agent did for one prompt. */
export interface Turn {
  readonly agent: AgentId;
  readonly session: string;
  readonly id: string;
  /** ms since the epoch, like all times here */
  readonly from: number;
  /** undefined while the agent works. */
  readonly to?: number;
  /** It ended without saying so: the user stopped it, or its process is gone. */
  readonly isInterrupted?: true;
}

export interface TurnLogOptions {
  /** The folder whose files are labelled, under each name that it has: as it was opened, and without links. */
  readonly roots: readonly string[];
  /** Whether this process still runs; without it, turns that were killed stay open until the session's next prompt. */
  readonly isAlive?: (pid: number) => boolean;
}

/** One call of a tool. */
interface ToolUse {
  readonly tool: string | undefined;
  /** Relative to the root, with `/`. */
  readonly paths: readonly string[];
  readonly from: number;
  to?: number;
}

interface TurnRecord {
  agent: AgentId;
  readonly session: string;
  readonly id: string;
  readonly from: number;
  to?: number;
  isInterrupted?: true;
  /** When the agent said that it was done, which subagents may not be. */
  stoppedAt?: number;
  readonly subagents: Set<string>;
  readonly uses: Map<string, ToolUse>;
  pid?: number;
  /** It works in the root, or has named a file of it. */
  isNear: boolean;
}

interface Session {
  agent: AgentId;
  current?: TurnRecord;
  lastKind?: HookEvent['kind'];
}

const maxTurns = 200;
const maxUses = 500;

/** A clock without fractions is up to a second behind. */
const clockErrorMs = 1000;

/**
 * The turns of all agents, from what their hooks have noted. Times say when a file may have been written, and labels
 * are made of nothing else: they group and filter, and decide nothing.
 */
export class TurnLog {
  readonly #options: TurnLogOptions;
  readonly #sessions = new Map<string, Session>();
  #turns: TurnRecord[] = [];
  readonly #listeners = new Set<(turn: Turn) => void>();

  constructor(options: TurnLogOptions) {
    this.#options = options;
  }

  /** Turns of the root, oldest first. */
  get turns(): readonly Turn[] {
    return this.#turns.filter(({ isNear }) => isNear).map(asTurn);
  }

  /** Told when a turn of the root has ended. */
  onTurnEnd(listener: (turn: Turn) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(events: readonly HookEvent[]): void {
    for (const event of events) this.#add(event);
    while (this.#turns.length > maxTurns) this.#forgetOldest();
  }

  /** Whether an agent that tells us works in the root at this time. */
  isWorking(now: number): boolean {
    this.#endGone(now);
    return this.#turns.some(turn => turn.isNear && turn.to === undefined);
  }

  /**
   * Who may have written a file of the root between two times: the tool that named it, else the turn of then. When
   * several sessions may have, the label is shared.
   */
  labelOf(path: string, from: number, to: number): WriteLabel {
    this.#endGone(to);
    const turns = this.#turns.filter(turn => turn.isNear && isWithin(turn, turn.to, from, to));
    const uses = turns.flatMap(turn =>
      [...turn.uses.values()]
        .filter(use => isWithin(use, use.to ?? turn.to, from, to))
        .map(use => ({ turn, use })),
    );
    const naming = uses.filter(({ use }) => use.paths.includes(path));
    if (naming.length > 0) {
      const last = naming.reduce((a, b) => (b.use.from >= a.use.from ? b : a));
      const writers = naming.map(({ turn }) => turn);
      return labelled(from, to, writers, last.turn, last.use.tool);
    }
    const last = turns.at(-1);
    if (!last) return { from, to };
    const tools = new Set(uses.filter(({ turn }) => turn === last).map(({ use }) => use.tool));
    return labelled(from, to, turns, last, tools.size === 1 ? [...tools][0] : undefined);
  }

  #add(event: HookEvent): void {
    const session = this.#sessionOf(event);
    if (!session) return;
    session.lastKind = event.kind;
    const turn = this.#turnOf(event, session);
    if (!turn) return;
    if (event.pid !== undefined) turn.pid = event.pid;
    const paths = this.#pathsOf(event);
    if (paths.length > 0 || this.#isNear(event.cwd)) turn.isNear = true;
    switch (event.kind) {
      case 'prompt':
        delete turn.stoppedAt;
        break;
      case 'tool':
      case 'toolDone':
        if (event.subagent !== undefined) turn.subagents.add(event.subagent);
        noteUse(turn, event, paths);
        break;
      case 'subagentStart':
        if (event.subagent !== undefined) turn.subagents.add(event.subagent);
        break;
      case 'subagentStop':
        if (event.subagent !== undefined) turn.subagents.delete(event.subagent);
        this.#endIfDone(turn, event.time);
        break;
      case 'stop':
        if (event.subagent === undefined) turn.stoppedAt = event.time;
        else turn.subagents.delete(event.subagent);
        this.#endIfDone(turn, event.time);
        break;
      case 'sessionEnd':
        for (const each of this.#turns)
          if (each.session === event.session) this.#end(each, event.time);
        break;
      default:
        event.kind satisfies never;
    }
  }

  /**
   * The session of an event; undefined when another agent's hook tells of the same session. A hook in Claude Code's
   * settings is run by other agents too, so that a name which is not Claude Code's is the right one.
   */
  #sessionOf(event: HookEvent): Session | undefined {
    const session = this.#sessions.get(event.session);
    if (!session) {
      const opened: Session = { agent: event.agent };
      this.#sessions.set(event.session, opened);
      return opened;
    }
    if (session.agent === event.agent) return session;
    if (session.agent !== 'claude') return undefined;
    session.agent = event.agent;
    for (const turn of this.#turns) if (turn.session === event.session) turn.agent = event.agent;
    // The same event has come from the other hook.
    return session.lastKind === event.kind ? undefined : session;
  }

  /** The turn that an event is part of, which it may begin or open again. */
  #turnOf(event: HookEvent, session: Session): TurnRecord | undefined {
    const named = this.#turns.findLast(
      ({ session: of, id }) => of === event.session && id === event.turn,
    );
    const { current } = session;
    switch (event.kind) {
      case 'prompt':
        // Some agents say "prompt" again when they hand the result of a tool to the model.
        if (named && named.to === undefined) return named;
        if (current && current.stoppedAt === undefined) this.#end(current, event.time, true);
        return this.#begin(event, session);
      case 'tool':
      case 'toolDone':
      case 'subagentStart': {
        const turn = named ?? (event.turn === undefined ? current : undefined);
        if (!turn) return this.#begin(event, session);
        if (turn.to === undefined || event.time <= turn.to) return turn;
        if (event.kind === 'toolDone' && event.subagent === undefined) return turn;
        if (named === undefined) return this.#begin(event, session);
        // Another hook has told the agent to go on, or a subagent works on.
        delete turn.to;
        delete turn.isInterrupted;
        return turn;
      }
      case 'subagentStop':
      case 'stop':
      case 'sessionEnd':
        return named ?? current;
      default:
        return event.kind satisfies never;
    }
  }

  #begin(event: HookEvent, session: Session): TurnRecord {
    const turn: TurnRecord = {
      agent: session.agent,
      session: event.session,
      id: event.turn ?? `${event.session}@${event.time}`,
      from: event.time,
      subagents: new Set(),
      uses: new Map(),
      isNear: false,
    };
    this.#turns.push(turn);
    session.current = turn;
    return turn;
  }

  #endIfDone(turn: TurnRecord, time: number): void {
    if (turn.stoppedAt !== undefined && turn.subagents.size === 0)
      this.#end(turn, Math.max(time, turn.stoppedAt));
  }

  #end(turn: TurnRecord, time: number, isInterrupted = false): void {
    if (turn.to !== undefined) return;
    turn.to = Math.max(time, turn.from);
    turn.subagents.clear();
    if (isInterrupted) turn.isInterrupted = true;
    if (turn.isNear) for (const listener of this.#listeners) listener(asTurn(turn));
  }

  #endGone(now: number): void {
    const { isAlive } = this.#options;
    if (!isAlive) return;
    for (const turn of this.#turns)
      if (turn.to === undefined && turn.pid !== undefined && !isAlive(turn.pid))
        this.#end(turn, now, true);
  }

  #forgetOldest(): void {
    const [oldest] = this.#turns.splice(0, 1);
    if (oldest && !this.#turns.some(({ session }) => session === oldest.session))
      this.#sessions.delete(oldest.session);
  }

  #pathsOf({ paths = [] }: HookEvent): string[] {
    return paths
      .map(path => this.#relative(path))
      .filter(path => path !== undefined)
      .filter(path => path !== '');
  }

  /** From the root on, with `/`; undefined for a path outside of it. */
  #relative(path: string): string | undefined {
    for (const root of this.#options.roots) {
      const relative = pathBelow(root, path, pathRules(root));
      if (relative !== undefined) return relative;
    }
    return undefined;
  }

  /** An agent that was started in the root, below it, or in a folder that holds it. */
  #isNear(cwd: string | undefined): boolean {
    if (cwd === undefined) return false;
    if (this.#relative(cwd) !== undefined) return true;
    return this.#options.roots.some(root => pathBelow(cwd, root, pathRules(root)) !== undefined);
  }
}

/** From a folder on, with `/`; undefined for a path outside of it. */
function pathBelow(folder: string, path: string, rules: PlatformPath): string | undefined {
  const relative = rules.relative(folder, path);
  const isOutside = rules.isAbsolute(relative) || relative.split(rules.sep, 1)[0] === '..';
  return isOutside ? undefined : relative.replaceAll(rules.sep, '/');
}

const asTurn = ({ agent, session, id, from, to, isInterrupted }: TurnRecord): Turn => ({
  agent,
  session,
  id,
  from,
  ...(to === undefined ? {} : { to }),
  ...(isInterrupted ? { isInterrupted } : {}),
});

/** Whether something that began and ended (or has not) overlaps a time. */
const isWithin = (
  { from: began }: { readonly from: number },
  ended: number | undefined,
  from: number,
  to: number,
): boolean => began <= to && (ended === undefined || ended + clockErrorMs >= from);

function labelled(
  from: number,
  to: number,
  writers: readonly TurnRecord[],
  { agent, session, id }: TurnRecord,
  tool: string | undefined,
): WriteLabel {
  if (writers.some(writer => writer.session !== session)) {
    const isOneAgent = writers.every(writer => writer.agent === agent);
    return { from, to, ...(isOneAgent ? { agent } : {}), isShared: true };
  }
  return { from, to, agent, session, turn: id, ...(tool === undefined ? {} : { tool }) };
}

function noteUse(turn: TurnRecord, event: HookEvent, paths: readonly string[]): void {
  const key = event.call ?? [event.subagent ?? '', event.tool ?? '', ...paths].join('\n');
  const use = turn.uses.get(key);
  if (event.kind === 'tool' || !use) {
    turn.uses.delete(key);
    turn.uses.set(key, { tool: event.tool, paths, from: event.time });
  }
  const noted = turn.uses.get(key);
  if (noted && event.kind === 'toolDone') noted.to = event.time;
  const [oldest] = turn.uses.keys();
  if (turn.uses.size > maxUses && oldest !== undefined) turn.uses.delete(oldest);
}
