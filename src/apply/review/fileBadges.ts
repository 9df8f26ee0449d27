import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { badgeOf, filesWithOtherCount, type PendingFiles, pendingFiles } from './pendingFiles';
import type { Review } from './review';

type BadgedReview = Pick<Review, 'fileUri'> & {
  readonly model: { readonly hunks: readonly unknown[] };
};

/** Marks the files with changes to review in the Explorer and in their tabs. */
export class FileBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #resources = new DisposableStore();
  readonly #changed = this.#resources.add(new vscode.EventEmitter<vscode.Uri[]>());
  readonly onDidChangeFileDecorations = this.#changed.event;
  #counts: PendingFiles = new Map();
  #isRegistered = false;

  show(reviews: readonly BadgedReview[]): void {
    const counts = pendingFiles(
      reviews.map(({ fileUri, model }) => ({
        file: entryOf(fileUri).toString(),
        changes: model.hunks.length,
      })),
    );
    const changed = filesWithOtherCount(this.#counts, counts);
    this.#counts = counts;
    if (changed.length === 0) return;
    if (this.#isRegistered) this.#changed.fire(changed.map(file => vscode.Uri.parse(file)));
    else this.#register();
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const count = this.#counts.get(uri.toString());
    if (count === undefined) return undefined;
    const decoration = new vscode.FileDecoration(
      badgeOf(count),
      count === 1
        ? vscode.l10n.t('1 change to review')
        : vscode.l10n.t('{0} changes to review', count),
      // No colour of git, which marks the same files.
      new vscode.ThemeColor('charts.purple'),
    );
    decoration.propagate = true;
    return decoration;
  }

  dispose(): void {
    this.#resources.dispose();
  }

  /** With the first review only: VS Code then asks about every file that it shows. */
  #register(): void {
    this.#isRegistered = true;
    this.#resources.add(vscode.window.registerFileDecorationProvider(this));
  }
}

/** What the Explorer lists: the notebook of a cell, and no fragment, which tells apart two reviews of one file. */
function entryOf(uri: vscode.Uri): vscode.Uri {
  const text = uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find(open =>
    open.getCells().some(({ document }) => document.uri.toString() === text),
  );
  return notebook?.uri ?? uri.with({ fragment: '' });
}
