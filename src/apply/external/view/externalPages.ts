import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import {
  isTabOfMultiDiff,
  type MultiDiffFile,
  openMultiDiff,
  placeCursor,
  tabsOfMultiDiff,
} from '../../review/page/multiDiff';
import type { ExternalChanges, ExternalFile } from '../externalChanges';
import type { BaselineDocuments } from './baselineDocuments';

/** Pages of external changes: the last reviewed texts on the left, the files themselves on the right. */
export class ExternalPages implements vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #documents: BaselineDocuments;
  /** The files of each open page, by its title. */
  readonly #pages = new Map<string, readonly string[]>();
  readonly #resources = new DisposableStore();

  constructor(
    changes: ExternalChanges,
    documents: BaselineDocuments,
    onError: (error: unknown) => void,
  ) {
    this.#changes = changes;
    this.#documents = documents;
    this.#resources.add(
      changes.onDidChange(() => {
        this.#closeDecided().catch(onError);
      }),
    );
    this.#resources.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) {
          for (const title of this.#pages.keys()) {
            if (isTabOfMultiDiff(tab, title)) this.#pages.delete(title);
          }
        }
      }),
    );
  }

  /** @param at where the cursor goes: a line of a file, from 0. */
  async open(
    title: string,
    files: readonly ExternalFile[],
    at?: { readonly file: ExternalFile; readonly line: number },
  ): Promise<void> {
    const source = `splice-external-${files.map(({ id }) => id).join('|')}`;
    const compared = files.map(file => this.#compared(file));
    const target = at && this.#compared(at.file).after;
    await openMultiDiff(title, source, compared, target && { target, line: at.line });
    this.#pages.set(
      title,
      files.map(({ id }) => id),
    );
    if (target) await placeCursor({ target, line: at.line });
  }

  /** Compares one file in an editor of its own. */
  async compare(file: ExternalFile): Promise<void> {
    const { before, after } = this.#compared(file);
    await vscode.commands.executeCommand(
      'vscode.diff',
      before ?? this.#documents.emptyUriOf(file),
      after,
      vscode.l10n.t('{0} (reviewed ↔ now)', file.label),
    );
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #compared(file: ExternalFile): MultiDiffFile {
    const { pending, uri } = file;
    if (pending.noText === 'binary' || pending.noText === 'encoding') {
      return this.#documents.sizesOf(file);
    }
    const hasBaseline = pending.baseline.kind === 'file';
    return {
      before: hasBaseline ? this.#documents.uriOf(file) : undefined,
      after: pending.status === 'deleted' ? this.#documents.emptyUriOf(file) : uri,
    };
  }

  /** Closes pages on which everything is decided. */
  async #closeDecided(): Promise<void> {
    for (const [title, ids] of this.#pages) {
      if (ids.some(id => this.#changes.byId(id))) continue;
      this.#pages.delete(title);
      await vscode.window.tabGroups.close(tabsOfMultiDiff(title), true);
    }
  }
}
