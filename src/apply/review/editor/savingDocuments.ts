import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';

/** A save that was cancelled fires no event; after this time a document counts as not being saved, in milliseconds. */
const maxSaveMs = 60_000;

/**
 * The documents that VS Code is saving. Until it has written one, it applies the edits of extensions, trims blanks, runs
 * code actions and the formatter and adds a final newline, each as a change of its own.
 *
 * In VS Code 1.139 the order is: will save, these changes, did save. It depends on what started first, however: where the
 * extensions started later, such as after a restart of them all, VS Code's own changes come before the first event, which
 * is why `willSave` must look back. An automatic save after a delay runs no code actions
 * and no formatter, and *Save without Formatting* does not fire the first event.
 */
export class SavingDocuments implements vscode.Disposable {
  /** With the time when the save began. */
  readonly #saving = new Map<vscode.TextDocument, number>();
  readonly #resources = new DisposableStore();

  constructor(willSave: (document: vscode.TextDocument) => void) {
    const { workspace } = vscode;
    const resources = this.#resources;
    const begin = (document: vscode.TextDocument) => {
      this.#saving.set(document, performance.now());
      willSave(document);
    };
    const end = (document: vscode.TextDocument) => this.#saving.delete(document);
    resources.add(workspace.onWillSaveTextDocument(({ document }) => begin(document)));
    resources.add(workspace.onDidSaveTextDocument(end));
    resources.add(workspace.onDidCloseTextDocument(end));
    resources.add(
      workspace.onWillSaveNotebookDocument(({ notebook }) => {
        for (const { document } of notebook.getCells()) begin(document);
      }),
    );
    resources.add(
      workspace.onDidSaveNotebookDocument(notebook => {
        for (const { document } of notebook.getCells()) end(document);
      }),
    );
  }

  has(document: vscode.TextDocument): boolean {
    const start = this.#saving.get(document);
    return start !== undefined && performance.now() - start < maxSaveMs;
  }

  dispose(): void {
    this.#saving.clear();
    this.#resources.dispose();
  }
}
