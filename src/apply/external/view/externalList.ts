import * as vscode from 'vscode';
import type { CommandId } from '../../../platform/commands/contribute';
import { DisposableStore } from '../../../platform/disposables';
import type { RowData } from '../../../platform/tree/rows';
import type { ExternalChanges, ExternalFile } from '../externalChanges';
import { externalRows } from '../rows/externalRows';
import { type ExternalFilter, everything, filteredFiles } from '../rows/filters';
import { type Grouping, groupings } from '../rows/groups';
import type { ExternalFindings } from './externalFindings';

/** Changes are counted in this many files at most; the others are read when they are opened. */
const maxReadFiles = 500;
const groupingKey = 'splice.external.grouping';

/** The rows of external changes in the Reviews view. */
export class ExternalList implements vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #findings: ExternalFindings;
  readonly #memory: vscode.Memento;
  readonly #isInConflict: (file: ExternalFile) => boolean;
  readonly #isQueued: (file: ExternalFile) => boolean;
  readonly #onError: (error: unknown) => void;
  readonly #resources = new DisposableStore();
  readonly #changed = this.#resources.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  /** Which files are listed; of this session only, so that nothing stays unseen. */
  filter: ExternalFilter = everything;
  #isReading = false;
  /** Files have changed since reading began. */
  #isOutdated = false;

  constructor(
    changes: ExternalChanges,
    parts: {
      readonly findings: ExternalFindings;
      /** Remembers how the list is grouped. */
      readonly memory: vscode.Memento;
      readonly isInConflict: (file: ExternalFile) => boolean;
      /** Whether an undo waits for the end of a turn. */
      readonly isQueued: (file: ExternalFile) => boolean;
      readonly onError: (error: unknown) => void;
    },
  ) {
    this.#changes = changes;
    this.#findings = parts.findings;
    this.#memory = parts.memory;
    this.#isInConflict = parts.isInConflict;
    this.#isQueued = parts.isQueued;
    this.#onError = parts.onError;
    this.#resources.add(changes.onDidChange(() => this.refresh()));
    // Whether a file has unsaved text shows in its row.
    this.#resources.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 && changes.of(document.uri)) this.#changed.fire();
      }),
    );
  }

  get grouping(): { value: Grouping } {
    const memory = this.#memory;
    return {
      get value(): Grouping {
        return groupings.find(each => each === memory.get(groupingKey)) ?? 'turn';
      },
      set value(value: Grouping) {
        void memory.update(groupingKey, value);
      },
    };
  }

  /** The files that the filter leaves, which the items stand for. */
  get shown(): readonly ExternalFile[] {
    return filteredFiles(this.#changes.files, this.filter);
  }

  /** Number of files with pending changes. */
  get count(): number {
    return this.#changes.files.length;
  }

  rows(): RowData[] {
    return externalRows({
      files: this.shown,
      total: this.count,
      grouping: this.grouping.value,
      changesOf: file => this.#changes.known(file)?.changes,
      isInConflict: this.#isInConflict,
      isQueued: this.#isQueued,
      now: Date.now(),
      locale: vscode.env.language,
      t: vscode.l10n.t,
      showCommand: 'splice.external.openPage' satisfies CommandId,
    });
  }

  refresh(): void {
    this.#findings.tidy();
    this.#changed.fire();
    this.#isOutdated = true;
    if (!this.#isReading) this.#readAll().catch(this.#onError);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        await this.#read();
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads the changes of files that were not read yet. */
  async #read(): Promise<void> {
    const files = this.#changes.files
      .slice(0, maxReadFiles)
      .filter(
        file =>
          file.pending.whole === undefined &&
          this.#changes.known(file)?.version !== file.pending.version,
      );
    for (const file of files) {
      const shown = await this.#changes.changes(file);
      if (shown) this.#findings.check(file, shown);
    }
    if (files.length > 0) this.#changed.fire();
  }
}
