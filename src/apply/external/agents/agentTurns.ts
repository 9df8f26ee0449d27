import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isProcessAlive } from '../../../base/process';
import { DisposableStore } from '../../../platform/disposables';
import type { LabelOf } from '../core/tracker';
import { agentName, type HookEvent, readHookEvents } from './core/hookEvents';
import { spoolName } from './core/hookFiles';
import { type Turn, TurnLog } from './core/turns';
import { SpoolReader } from './spool';

/** The end of a turn in a folder of the workspace. */
export interface EndedTurn {
  readonly folder: vscode.Uri;
  readonly turn: Turn;
}

/** A clock without fractions is up to a second behind. */
const clockErrorMs = 1000;

/** Events that a folder learns of when it is opened later. */
const maxKept = 5000;

/**
 * What the hooks of agents have noted, for the folders of this window. Without hooks nothing is known, and every label
 * has only its time.
 */
export class AgentTurns implements vscode.Disposable {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  readonly #spool: SpoolReader;
  readonly #logs = new Map<string, TurnLog>();
  readonly #resources = new DisposableStore();
  readonly #ended = this.#resources.add(new vscode.EventEmitter<EndedTurn>());
  readonly onDidEndTurn = this.#ended.event;
  #events: HookEvent[] = [];
  #started: Promise<void> | undefined;
  #isListening = false;

  /** @param folder where the programs of the hooks and their file are. */
  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
    this.#spool = new SpoolReader(path.join(folder, spoolName));
  }

  /** Reads what agents have noted, and from then on each time they note more. */
  async start(): Promise<void> {
    this.#started ??= this.#start();
    await this.#started;
  }

  /** From now on the turns in this folder are known. */
  async follow(folder: vscode.Uri): Promise<void> {
    const key = folder.toString();
    const real = await realpath(folder.fsPath);
    const roots = [...new Set([folder.fsPath, real])];
    const log = new TurnLog({ roots, isAlive: isProcessAlive });
    log.add(this.#events);
    log.onTurnEnd(turn => {
      // What ended before this window was opened is no news.
      if (this.#isListening) this.#ended.fire({ folder, turn });
    });
    this.#logs.set(key, log);
  }

  unfollow(folder: vscode.Uri): void {
    this.#logs.delete(folder.toString());
  }

  /** Reads what was noted just now, before the watcher tells of it. */
  async refresh(): Promise<void> {
    if (this.#started) await this.#read();
  }

  /** Who may have written the files of a folder. @param timesOf between which times, by path. */
  async labels(
    folder: vscode.Uri,
    timesOf: (below: string) => { readonly from: number; readonly to: number },
  ): Promise<LabelOf> {
    await this.refresh();
    const log = this.#logs.get(folder.toString());
    return below => {
      const { from, to } = timesOf(below);
      return log?.labelOf(below, from, to) ?? { from, to };
    };
  }

  /** The agents with hooks that are at work in a folder now, by their names. */
  atWork(folder: vscode.Uri): readonly string[] {
    const log = this.#logs.get(folder.toString());
    if (!log?.isWorking(Date.now())) return [];
    const working = log.turns.filter(({ to }) => to === undefined);
    return [...new Set(working.map(({ agent }) => agentName(agent)))];
  }

  /** Whether a prompt was sent in a session since a time, as far as was read by now. */
  hasPrompt(session: string, since: number): boolean {
    return this.#events.some(
      event =>
        event.kind === 'prompt' && event.session === session && event.time >= since - clockErrorMs,
    );
  }

  dispose(): void {
    this.#resources.dispose();
  }

  async #start(): Promise<void> {
    await this.#spool.prepare();
    await this.#read();
    this.#isListening = true;
    const watcher = this.#resources.add(
      vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.file(this.#folder), spoolName),
      ),
    );
    const read = (): void => void this.#read();
    this.#resources.add(watcher.onDidChange(read));
    this.#resources.add(watcher.onDidCreate(read));
  }

  async #read(): Promise<void> {
    try {
      const { events } = readHookEvents(await this.#spool.read());
      this.#events = [...this.#events, ...events].slice(-maxKept);
      for (const log of this.#logs.values()) log.add(events);
    } catch (error) {
      this.#onError(error);
    }
  }
}
