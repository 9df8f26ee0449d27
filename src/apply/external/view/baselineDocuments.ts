import * as vscode from 'vscode';
import { createTextDocuments, type TextDocuments } from '../../../platform/documents/textDocuments';
import type { ExternalChanges, ExternalFile } from '../externalChanges';
import { baselineScheme } from '../ids';

/** The read-only documents on the left of a comparison: files as they were reviewed last. */
export class BaselineDocuments implements vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #documents: TextDocuments;
  /** Documents that were shown, by the URI of their file. */
  readonly #shown = new Map<string, vscode.Uri>();
  readonly #listener: vscode.Disposable;

  constructor(changes: ExternalChanges) {
    this.#changes = changes;
    this.#documents = createTextDocuments(baselineScheme, () => '');
    this.#listener = changes.onDidChange(() => {
      for (const uri of this.#shown.values()) this.#documents.refresh(uri);
    });
  }

  /** The last reviewed text of a file. */
  uriOf({ id, uri }: ExternalFile): vscode.Uri {
    const known = this.#shown.get(id);
    if (known) return known;
    const shown = vscode.Uri.from({ scheme: baselineScheme, path: uri.path });
    this.#shown.set(id, shown);
    this.#documents.serve(shown, async () => this.#textOf(id, uri));
    return shown;
  }

  /** Stands for a file that does not exist any more: VS Code shows lenses on the right of a comparison only. */
  emptyUriOf({ uri }: ExternalFile): vscode.Uri {
    const empty = vscode.Uri.from({ scheme: baselineScheme, path: uri.path, query: 'deleted' });
    this.#documents.serve(empty, '');
    return empty;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#documents.dispose();
  }

  /** A file that is reviewed by now is compared with itself. */
  async #textOf(id: string, uri: vscode.Uri): Promise<string> {
    const file = this.#changes.byId(id);
    if (file) return (await this.#changes.baselineText(file)) ?? '';
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    } catch {
      // It was deleted, and that is reviewed.
      return '';
    }
  }
}
