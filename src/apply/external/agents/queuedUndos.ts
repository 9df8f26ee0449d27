import * as vscode from 'vscode';
import { filesText } from '../../../base/format/counts';
import { DisposableStore } from '../../../platform/disposables';
import type { ExternalChanges, ExternalFile, ExternalSelection } from '../externalChanges';
import type { AgentTurns, EndedTurn } from './agentTurns';
import { type QueuedUndo, stillThere, UndoQueue } from './core/undoQueue';

const { t } = vscode.l10n;

const queueKey = 'splice.external.queuedUndos';
/** How often it is looked whether an agent that was killed is gone, while an undo waits, in milliseconds. */
const lookMs = 5000;

export interface QueuedUndosParts {
  readonly changes: ExternalChanges;
  readonly turns: AgentTurns;
  /** The memory of the workspace. */
  readonly memory: vscode.Memento;
  readonly undo: (selected: readonly ExternalSelection[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Undos that wait until the agents in their folder have ended their turns: an agent that finds its lines gone while it
 * works writes them again, or builds on what is no longer there.
 */
export class QueuedUndos implements vscode.Disposable {
  readonly #parts: QueuedUndosParts;
  readonly #queue: UndoQueue;
  readonly #resources = new DisposableStore();
  readonly #changed = this.#resources.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  /** Folders in which a turn was stopped while an undo waited. */
  readonly #stopped = new Set<string>();

  constructor(parts: QueuedUndosParts) {
    this.#parts = parts;
    this.#queue = new UndoQueue(parts.memory.get(queueKey));
    this.#resources.add(
      parts.turns.onDidEndTurn(ended => void this.#turnEnded(ended).catch(parts.onError)),
    );
  }

  /** What waited when the window was closed: the turn may have ended since, in whatever way. */
  async resume(): Promise<void> {
    const waiting = this.#queue.all.filter(({ id }) => this.#workersOn(id).length === 0);
    if (waiting.length > 0)
      await this.#ask(waiting, t('The turn has ended while this window was closed.'));
    this.#lookLater();
  }

  /** Number of files in which something waits. */
  get count(): number {
    return this.#queue.all.length;
  }

  isQueued({ id }: ExternalFile): boolean {
    return this.#queue.of(id) !== undefined;
  }

  /** Queues what has to wait. @returns what can be undone at once. */
  async hold(selected: readonly ExternalSelection[]): Promise<ExternalSelection[]> {
    const { turns, changes } = this.#parts;
    const free: ExternalSelection[] = [];
    const names = new Set<string>();
    let count = 0;
    await turns.refresh();
    for (const selection of selected) {
      const { file } = selection;
      const workers = turns.atWork(file.root.folder);
      if (workers.length === 0) {
        free.push(selection);
        continue;
      }
      for (const name of workers) names.add(name);
      const ids = selection.changes ?? (await changes.changes(file))?.changes.map(({ id }) => id);
      this.#queue.add({ id: file.id, version: file.pending.version, ...(ids && { changes: ids }) });
      count += 1;
    }
    if (count === 0) return free;
    this.#store();
    this.#lookLater();
    void this.#offerNow([...names].join(', '), count).catch(this.#parts.onError);
    return free;
  }

  /** Undoes what waits without waiting longer. @param file all when left out. */
  async now(file?: ExternalFile): Promise<void> {
    await this.#undo(this.#queue.take(file?.id));
  }

  /** Leaves what waits as it is. @param file all when left out. */
  cancel(file?: ExternalFile): void {
    this.#queue.take(file?.id);
    this.#store();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#resources.dispose();
  }

  async #offerNow(agents: string, count: number): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const [now, cancel] = [t('Undo Now'), t('Do Not Undo')];
      const picked = await vscode.window.showInformationMessage(
        t(
          '{0} is at work. The changes in {1} will be undone when it has ended its turn.',
          agents,
          filesText(count, t),
        ),
        now,
        cancel,
      );
      if (picked === now) await this.now();
      if (picked === cancel) this.cancel();
    } finally {
      this.#isAsking = false;
    }
  }

  async #turnEnded({ folder, turn }: EndedTurn): Promise<void> {
    const waiting = this.#queue.all.filter(
      ({ id }) => this.#folderOf(id)?.toString() === folder.toString(),
    );
    if (waiting.length === 0) return;
    if (turn.isInterrupted) this.#stopped.add(folder.toString());
    if (this.#parts.turns.atWork(folder).length > 0) return;
    if (this.#stopped.delete(folder.toString())) {
      await this.#ask(waiting, t('The turn was stopped before its end.'));
      return;
    }
    await this.#undo(waiting.flatMap(({ id }) => this.#queue.take(id)));
  }

  async #ask(waiting: readonly QueuedUndo[], reason: string): Promise<void> {
    const [now, cancel] = [t('Undo Now'), t('Do Not Undo')];
    const picked = await vscode.window.showWarningMessage(
      `${reason} ${t('The changes in {0} wait to be undone.', filesText(waiting.length, t))}`,
      now,
      cancel,
    );
    if (picked === undefined) return;
    const taken = waiting.flatMap(({ id }) => this.#queue.take(id));
    if (picked === now) await this.#undo(taken);
    else this.#store();
  }

  /** Undoes what is still there as it was when the user decided, and says what is not. */
  async #undo(taken: readonly QueuedUndo[]): Promise<void> {
    this.#store();
    const { changes, undo } = this.#parts;
    const selected: ExternalSelection[] = [];
    const left: string[] = [];
    // The last writes of the turn may not have been seen yet.
    const known = taken.flatMap(({ id }) => changes.byId(id) ?? []);
    for (const root of new Set(known.map(file => file.root))) {
      const paths = known.flatMap(file => (file.root === root ? [file.pending.path] : []));
      await root.tracker.sawDisk(paths);
    }
    for (const queued of taken) {
      const file = changes.byId(queued.id);
      const shown = file && (await changes.changes(file));
      const found = file && stillThere(queued, file.pending, shown?.changes);
      if (file && found) {
        selected.push({ file, ...(found.changes && { changes: found.changes }) });
      }
      if (!found?.isAll) {
        left.push(file?.label ?? vscode.workspace.asRelativePath(vscode.Uri.parse(queued.id)));
      }
    }
    if (selected.length > 0) await undo(selected);
    if (left.length === 0) return;
    void vscode.window.showWarningMessage(
      t(
        'The agent has changed again what was to be undone, so that was left as it is: {0}. Look at it again.',
        left.join(', '),
      ),
    );
  }

  #folderOf(id: string): vscode.Uri | undefined {
    return this.#parts.changes.rootOf(vscode.Uri.parse(id))?.folder;
  }

  #workersOn(id: string): readonly string[] {
    const folder = this.#folderOf(id);
    return folder ? this.#parts.turns.atWork(folder) : [];
  }

  #store(): void {
    void this.#parts.memory.update(queueKey, this.#queue.all);
    this.#changed.fire();
  }

  /** An agent that was killed does not say that its turn has ended; asking who is at work finds out. */
  #lookLater(): void {
    clearTimeout(this.#timer);
    if (this.#queue.all.length === 0) return;
    this.#timer = setTimeout(() => {
      for (const { id } of this.#queue.all) this.#workersOn(id);
      this.#lookLater();
    }, lookMs);
  }
}
