import { Sequencer } from '../../../base/async/sequencer';
import type { Content } from './content';
import { type PendingFile, pendingFilesOf } from './pendingFiles';
import type { LabelOf, TrackerPorts } from './ports';
import { findRenames, renameCandidates } from './renames';
import {
  emptyState,
  isPending,
  type RootState,
  type TrackedFile,
  type WriteLabel,
} from './rootState';
import { DiskEvents, type FileMove } from './tracking/diskEvents';
import { EditorEvents } from './tracking/editorEvents';
import { keepSelected } from './tracking/keeping';
import { revertDecision } from './tracking/reverting';
import { type Decided, linesOfPending, type Selection } from './tracking/selections';
import { type FileLines, TrackedRoot } from './tracking/trackedRoot';
import { recoverWrites, undoSelected } from './tracking/undoing';

export type { PendingFile, WholeReason } from './pendingFiles';
export type { DiskFiles, LabelOf, OpenTexts, TrackerPorts, UnmodifiedFiles } from './ports';
export type { Decided, Outcome, Selection } from './tracking/selections';
export type { FileLines } from './tracking/trackedRoot';

/**
 * What other programs changed in the files of a folder, and the user's decisions about it. Events and decisions run one
 * after another, each against the state that the one before left.
 */
export class RootTracker {
  readonly #root: TrackedRoot;
  readonly #disk: DiskEvents;
  readonly #editors: EditorEvents;
  readonly #queue = new Sequencer();
  readonly #listeners = new Set<() => void>();
  #renames: ReadonlyMap<string, string> = new Map();
  /** The states that the list and the renames are of. */
  #shown: RootState = emptyState;
  #renamedOf: RootState = emptyState;
  #pending: readonly PendingFile[] | undefined;
  #byPath: ReadonlyMap<string, PendingFile> | undefined;

  /** @param state what the journal has. */
  constructor(ports: TrackerPorts, state: RootState = emptyState) {
    this.#root = new TrackedRoot(ports, state);
    this.#disk = new DiskEvents(this.#root);
    this.#editors = new EditorEvents(this.#root);
  }

  /** Sorted by path; another array after each change. */
  get pending(): readonly PendingFile[] {
    this.#pending ??= pendingFilesOf(this.#root.state, this.#renames, this.#root.lost);
    return this.#pending;
  }

  /** Whether another window decides. */
  get isReadOnly(): boolean {
    return this.#root.ports.log.isReadOnly;
  }

  /** Whether there is a decision that {@link undoDecision} can undo. */
  get canUndoDecision(): boolean {
    return this.#root.state.decisions.length > 0;
  }

  /** Call first: finds out what became of writes that a crash interrupted, and what changed on disk since. */
  async start(): Promise<void> {
    await this.#run(async () => this.#recover());
  }

  /** Takes over the state that another window has stored, when that window has ended or has gone on. */
  async resume(load: () => Promise<RootState>): Promise<void> {
    await this.#run(async () => {
      // Read in the queue: no decision is made between the state that was read and the one that it replaces.
      this.#root.replaceState(await load());
      await this.#recover();
    });
  }

  /** Runs a task while no event or decision runs. */
  async whenIdle<T>(task: (state: RootState) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => task(this.#root.state));
  }

  /** Lines and changes of a pending file; undefined when it is no text, or its baseline is lost or unknown. */
  async changes(path: string): Promise<FileLines | undefined> {
    return this.#queue.run(async () => {
      const pending = this.#pendingByPath().get(path);
      return pending && linesOfPending(this.#root, pending);
    });
  }

  /** Moves the baselines; writes no file. All of it is one decision. */
  async keep(selected: readonly Selection[]): Promise<Decided[]> {
    return this.#decide(selected, async () =>
      keepSelected(this.#root, selected, this.#pendingByPath()),
    );
  }

  /**
   * Brings the old lines back. All of it is one decision.
   *
   * @param options.isConfirmed the user agreed that lines go that the user typed.
   */
  async undo(
    selected: readonly Selection[],
    { isConfirmed = false }: { readonly isConfirmed?: boolean } = {},
  ): Promise<Decided[]> {
    return this.#decide(selected, async () => {
      const pending = this.#pendingByPath();
      return undoSelected(this.#root, this.#editors, selected, pending, isConfirmed);
    });
  }

  /** Undoes the last decision to keep or to undo; empty when there is none. */
  async undoDecision(): Promise<Decided[]> {
    const files = this.#root.state.decisions.at(-1)?.files ?? [];
    return this.#decide(files, async () => revertDecision(this.#root, this.#editors));
  }

  /** From the store, else from git. */
  async bytesOf(content: Content): Promise<Uint8Array | undefined> {
    return this.#root.bytesOf(content);
  }

  /**
   * Files may have been written by other programs: compares them with the disk.
   * @param label who may have written them; left out where that is not known better than by the time of the files.
   */
  async sawDisk(paths: readonly string[], label?: WriteLabel | LabelOf): Promise<void> {
    await this.#run(async () => this.#disk.saw(paths, label));
  }

  /** An editor loaded a document, or loaded it again: this text was on disk. */
  async loaded(path: string, text: string): Promise<void> {
    await this.#run(async () => this.#editors.loaded(path, text));
  }

  /**
   * An editor saved a document.
   *
   * @param textWhenClean its text before the user began to edit it; undefined: not known.
   * @param textSaved what the editor wrote; undefined: what is on disk now.
   */
  async saved(path: string, textWhenClean: string | undefined, textSaved?: string): Promise<void> {
    await this.#run(async () => this.#editors.saved(path, textWhenClean, textSaved));
  }

  /**
   * Takes the files as they are as reviewed: git changed them, or they are seen for the first time.
   * @returns those for which that is new.
   */
  async rebased(paths: readonly string[]): Promise<readonly string[]> {
    return this.#run(async () => this.#disk.review(paths));
  }

  /** The user moved files in the editor: what is pending in them moves along. */
  async moved(pairs: readonly FileMove[]): Promise<void> {
    await this.#run(async () => this.#disk.moved(pairs));
  }

  /** Git brought back a file that was put aside with changes to review: these are pending again. */
  async restored(path: string, baseline: Content): Promise<void> {
    await this.#run(async () => this.#disk.restored(path, baseline));
  }

  /** What is known of a file beyond what git says. */
  entryOf(path: string): TrackedFile | undefined {
    return this.#root.state.files.get(path);
  }

  /** The paths in a folder of which something is known beyond what git says. @param folder '' for all. */
  pathsBelow(folder: string): readonly string[] {
    const all = [...this.#root.state.files.keys()];
    return folder === '' ? all : all.filter(path => path.startsWith(`${folder}/`));
  }

  /** What the files are now is reviewed. @param paths all that are pending when left out. */
  async reviewFromNow(paths?: readonly string[]): Promise<void> {
    await this.#run(async () => {
      const all = paths ?? this.#pendingPaths();
      await this.#disk.review(all);
    });
  }

  /** Drops what is known of the files. @param paths all when left out. */
  async forget(paths?: readonly string[]): Promise<void> {
    await this.#run(async () => {
      const { files, decisions } = this.#root.state;
      const decided = decisions.flatMap(decision => decision.files.map(({ path }) => path));
      await this.#disk.forget(paths ?? [...new Set([...files.keys(), ...decided])]);
    });
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #recover(): Promise<void> {
    if (!this.isReadOnly) await recoverWrites(this.#root);
    const paths = this.#pendingPaths();
    await this.#disk.saw(paths);
    for (const path of paths) {
      const file = this.#root.state.files.get(path);
      if (!file) continue;
      await this.#root.keepBaseline(file.baseline);
      await this.#root.storeNow(path, file.now);
    }
  }

  #pendingPaths(): string[] {
    return [...this.#root.state.files].flatMap(([path, file]) => (isPending(file) ? [path] : []));
  }

  #pendingByPath(): ReadonlyMap<string, PendingFile> {
    this.#byPath ??= new Map(this.pending.map(file => [file.path, file]));
    return this.#byPath;
  }

  async #decide(
    paths: readonly { readonly path: string }[],
    decide: () => Promise<Decided[]>,
  ): Promise<Decided[]> {
    return this.#run(async () => {
      if (this.isReadOnly) return paths.map(({ path }) => ({ path, outcome: 'otherWindow' }));
      // The lock may be lost while the decision is made, as after this computer slept.
      const decided = (await decide()).map(
        (one): Decided =>
          one.outcome === 'failed' && this.isReadOnly
            ? { path: one.path, outcome: 'otherWindow' }
            : one,
      );
      // What was shown is not what is on disk.
      const stale = decided.filter(({ outcome }) => outcome === 'stale' || outcome === 'conflict');
      await this.#disk.saw(stale.map(({ path }) => path));
      return decided;
    });
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      const lostBefore = this.#root.lost.size;
      try {
        return await task();
      } finally {
        if (this.#root.state !== this.#shown || this.#root.lost.size !== lostBefore) {
          await this.#changed().catch(this.#root.ports.onError);
        }
      }
    });
  }

  async #changed(): Promise<void> {
    this.#shown = this.#root.state;
    await this.#findRenames().finally(() => {
      this.#pending = undefined;
      this.#byPath = undefined;
    });
    for (const listener of this.#listeners) listener();
  }

  async #findRenames(): Promise<void> {
    const { state } = this.#root;
    if (state.files === this.#renamedOf.files) return;
    this.#renamedOf = state;
    this.#renames = await findRenames(renameCandidates(state), async ({ path, content }) =>
      this.#root.linesNow(path, content),
    );
  }
}
