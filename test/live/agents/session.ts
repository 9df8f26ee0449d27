import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HookEvent, readHookEvents } from '../../../src/apply/external/agents/core/hookEvents';
import { spoolName } from '../../../src/apply/external/agents/core/hookFiles';
import {
  addHooks,
  type HookedAgent,
  hookSettingsFile,
  removeHooks,
} from '../../../src/apply/external/agents/core/hookSettings';
import { TurnLog } from '../../../src/apply/external/agents/core/turns';
import { installHookScripts } from '../../../src/apply/external/agents/hookScripts';
import { MessageStore } from '../../../src/apply/external/agents/messageStore';
import { SpoolReader } from '../../../src/apply/external/agents/spool';
import { written } from '../../../src/base/sentence';
import { promptFor, type Script } from '../model/script';
import { type ScriptedModel, startModel } from '../model/server';
import { type AgentCli, type Place, type Running, start, writeFileIn } from './cli';

/** A project in a folder of its own, a home without anything, the product's hooks, and a model. */
export class LiveSession {
  readonly base = realpathSync(mkdtempSync(path.join(tmpdir(), 'splice-live-')));
  readonly project = path.join(this.base, 'project');
  readonly home = path.join(this.base, 'home');
  readonly turns = new TurnLog({ roots: [this.project], isAlive });
  readonly events: HookEvent[] = [];
  /** Lines of the spool file that were no events. */
  skipped = 0;
  readonly #hooks = path.join(this.base, 'storage', "it's agents");
  /** Messages for the agents. */
  readonly messages = new MessageStore(this.#hooks);
  readonly #spool = new SpoolReader(path.join(this.#hooks, spoolName));
  readonly #hooked = new Map<HookedAgent, { readonly file: string; readonly before?: string }>();
  readonly #running = new Set<Running>();

  private constructor(readonly model: ScriptedModel) {
    mkdirSync(this.project);
  }

  static async start(): Promise<LiveSession> {
    const session = new LiveSession(await startModel());
    await session.#spool.prepare();
    await installHookScripts(path.resolve('media/hooks'), session.#hooks);
    return session;
  }

  get place(): Place {
    return { home: this.home, project: this.project, modelUrl: this.model.url };
  }

  /** As the user does who adds hooks: the program's settings are edited, whatever is in them. */
  addHooks(agent: HookedAgent, { settings }: AgentCli): void {
    const file = hookSettingsFile(agent, this.home, {});
    const before = settings && `${JSON.stringify(settings, null, 2)}\n`;
    const edit = addHooks(agent, before, { isWindows: false, folder: this.#hooks });
    if ('problem' in edit) throw new Error(written(edit.problem));
    writeFileIn(path.dirname(file), path.basename(file), edit.after ?? '');
    this.#hooked.set(agent, { file, ...(before === undefined ? {} : { before }) });
  }

  /** Takes the hooks out again. @returns the settings before, and after: they must be the same. */
  removeHooks(agent: HookedAgent): readonly [string | undefined, string | undefined] {
    const { file, before } = this.#hooked.get(agent) ?? {};
    const removed = removeHooks(agent, file && readFileSync(file, 'utf8'));
    if ('problem' in removed) throw new Error(written(removed.problem));
    return [before, removed.after];
  }

  start(cli: AgentCli, script: string, session?: string): Running {
    const running = start(cli, promptFor(script), this.place, session);
    this.#running.add(running);
    return running;
  }

  /** Waits for something that a script does on its way; rejects when a program ends before. */
  async reached(place: Promise<unknown>, ...running: readonly Running[]): Promise<void> {
    const ends = running.map(async ({ ended }) => {
      const { code, out, err } = await ended;
      throw new Error(`ended with ${code} before it got there\n${this.#failure()}\n${out}\n${err}`);
    });
    await Promise.race([place, ...ends]);
    for (const end of ends) end.catch(() => {}); // later, it may
  }

  #failure(): string {
    return this.model.requests.find(({ failure }) => failure !== undefined)?.failure ?? '';
  }

  /** Runs a script to its end. @param session to go on with; a new one when left out. */
  async run(cli: AgentCli, name: string, script: Script, session?: string): Promise<void> {
    this.model.scripts.set(name, script);
    const { code, out, err } = await this.start(cli, name, session).ended;
    await this.readSpool();
    if (code !== 0 || this.#failure() !== '')
      throw new Error(`${cli.name} exited ${code}: ${this.#failure()}\n${out}\n${err}`);
  }

  /** Takes in what the hooks have noted by now. */
  async readSpool(): Promise<void> {
    const { events, skipped } = readHookEvents(await this.#spool.read());
    this.events.push(...events);
    this.skipped += skipped;
    this.turns.add(events);
  }

  write(name: string, text: string): void {
    writeFileIn(this.project, name, text);
  }

  read(name: string): string | undefined {
    const file = path.join(this.project, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
      cwd: this.project,
      encoding: 'utf8',
      env: { ...process.env, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' },
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  async close(): Promise<void> {
    for (const { child, ended } of this.#running) {
      child.kill('SIGKILL');
      await ended;
    }
    await this.model.close();
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  }
}

const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'gc.auto=0'];

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
