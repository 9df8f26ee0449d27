import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { ExternalChange } from './core/fileChanges';
import type { Decided, RootTracker, Selection } from './core/tracker';
import type { ListedFile } from './rows/groups';

/** A workspace folder whose files are followed. */
export interface ExternalRoot {
  readonly folder: vscode.Uri;
  readonly tracker: RootTracker;
  /** The files in a folder that are known, also those that are gone from the disk. */
  pathsBelow(folder: string): readonly string[];
}

/** A file with pending changes. */
export interface ExternalFile extends ListedFile {
  readonly uri: vscode.Uri;
  readonly root: ExternalRoot;
}

/** The changes of a file, change by change. */
export interface ShownChanges {
  readonly version: string;
  readonly baseline: readonly string[];
  /** Lines on disk with their line ends. */
  readonly lines: readonly string[];
  readonly changes: readonly ExternalChange[];
}

/** What is decided at once: files, or some changes of a file. */
export interface ExternalSelection {
  readonly file: ExternalFile;
  /** Ids; all when left out. */
  readonly changes?: readonly string[];
}

/** A decision that concerns one file. */
export interface ShownOutcome extends Decided {
  readonly label: string;
  readonly uri: vscode.Uri;
}

/** How long several events of a burst are shown as one, in milliseconds. */
const settleMs = 60;

/** The pending changes of all roots of this window. */
export class ExternalChanges implements vscode.Disposable {
  readonly #roots = new Map<string, ExternalRoot>();
  readonly #resources = new DisposableStore();
  readonly #changed = this.#resources.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  /** The roots of decisions, the latest last. */
  #decided: readonly ExternalRoot[] = [];
  readonly #known = new Map<string, ShownChanges>();
  #files: readonly ExternalFile[] | undefined;
  #byId = new Map<string, ExternalFile>();
  #timer: NodeJS.Timeout | undefined;

  add(root: ExternalRoot): vscode.Disposable {
    const key = root.folder.toString();
    this.#roots.set(key, root);
    const stop = root.tracker.onDidChange(() => this.#refresh());
    this.#refresh();
    return new vscode.Disposable(() => {
      stop();
      this.#roots.delete(key);
      this.#decided = this.#decided.filter(each => each !== root);
      this.#refresh();
    });
  }

  get roots(): readonly ExternalRoot[] {
    return [...this.#roots.values()];
  }

  /** All files with pending changes. */
  get files(): readonly ExternalFile[] {
    if (!this.#files) {
      this.#files = this.roots.flatMap(root =>
        root.tracker.pending.map(pending => {
          const uri = vscode.Uri.joinPath(root.folder, pending.path);
          const id = uri.toString();
          return { id, uri, label: vscode.workspace.asRelativePath(uri), root, pending };
        }),
      );
      this.#byId = new Map(this.#files.map(file => [file.id, file]));
      for (const [id, { version }] of this.#known) {
        if (this.#byId.get(id)?.pending.version !== version) this.#known.delete(id);
      }
    }
    return this.#files;
  }

  byId(id: unknown): ExternalFile | undefined {
    const { length } = this.files;
    return typeof id === 'string' && length > 0 ? this.#byId.get(id) : undefined;
  }

  of(uri: vscode.Uri | undefined): ExternalFile | undefined {
    return uri && this.byId(uri.toString());
  }

  /** The root that a file lies in; the innermost where roots are nested. */
  rootOf(uri: vscode.Uri): ExternalRoot | undefined {
    const inside = this.roots.filter(
      ({ folder }) =>
        folder.scheme === uri.scheme &&
        folder.authority === uri.authority &&
        uri.path.startsWith(`${folder.path.replace(/\/$/, '')}/`),
    );
    return inside.toSorted((a, b) => b.folder.path.length - a.folder.path.length)[0];
  }

  /** The changes of a file that were read already. */
  known({ id }: ExternalFile): ShownChanges | undefined {
    return this.#known.get(id);
  }

  /** Undefined for a file that is decided as a whole, or that has no changes any more. */
  async changes({ id, pending, root }: ExternalFile): Promise<ShownChanges | undefined> {
    const known = this.#known.get(id);
    if (known?.version === pending.version) return known;
    if (pending.whole !== undefined) return undefined;
    const read = await root.tracker.changes(pending.path);
    if (!read) return undefined;
    const shown = { version: pending.version, ...read };
    // The file may have changed while it was read.
    if (this.byId(id)?.pending.version === pending.version) this.#known.set(id, shown);
    return shown;
  }

  /** The last reviewed text of a file; undefined where it is not known. */
  async baselineText({ pending, root }: ExternalFile): Promise<string | undefined> {
    if (pending.baseline.kind !== 'file') return undefined;
    const bytes = await root.tracker.bytesOf(pending.baseline);
    return bytes && new TextDecoder().decode(bytes);
  }

  async keep(selected: readonly ExternalSelection[]): Promise<ShownOutcome[]> {
    return this.#decide(selected, async (root, parts) => root.tracker.keep(parts));
  }

  /** @param isConfirmed the user agreed to lose edits within these changes. */
  async undo(selected: readonly ExternalSelection[], isConfirmed = false): Promise<ShownOutcome[]> {
    return this.#decide(selected, async (root, parts) => root.tracker.undo(parts, { isConfirmed }));
  }

  /** Takes back the last decision; undefined when there is none. */
  async undoDecision(): Promise<ShownOutcome[] | undefined> {
    // After a restart the roots do not know which of them was decided on last.
    const candidates = [...new Set([...this.#decided.toReversed(), ...this.roots])];
    for (const root of candidates) {
      const decided = await root.tracker.undoDecision();
      if (decided.length === 0) continue;
      const at = this.#decided.lastIndexOf(root);
      if (at >= 0) this.#decided = this.#decided.toSpliced(at, 1);
      return decided.map(each => named(root, each));
    }
    return undefined;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#resources.dispose();
  }

  async #decide(
    selected: readonly ExternalSelection[],
    decide: (root: ExternalRoot, parts: readonly Selection[]) => Promise<Decided[]>,
  ): Promise<ShownOutcome[]> {
    const byRoot = new Map<ExternalRoot, Selection[]>();
    for (const { file, changes } of selected) {
      const part = {
        path: file.pending.path,
        version: file.pending.version,
        ...(changes && { changes }),
      };
      byRoot.set(file.root, [...(byRoot.get(file.root) ?? []), part]);
    }
    const results: ShownOutcome[] = [];
    for (const [root, parts] of byRoot) {
      const decided = await decide(root, parts);
      if (decided.some(({ outcome }) => outcome === 'done'))
        this.#decided = [...this.#decided, root];
      results.push(...decided.map(each => named(root, each)));
    }
    this.#files = undefined;
    return results;
  }

  #refresh(): void {
    this.#files = undefined;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, settleMs);
  }
}

function named(root: ExternalRoot, decided: Decided): ShownOutcome {
  const uri = vscode.Uri.joinPath(root.folder, decided.path);
  return { ...decided, uri, label: vscode.workspace.asRelativePath(uri) };
}
