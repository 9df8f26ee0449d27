import * as vscode from 'vscode';
import { bytesText } from '../../../base/format/numbers';
import { createTextDocuments, type TextDocuments } from '../../../platform/documents/textDocuments';
import type { MultiDiffFile } from '../../review/page/multiDiff';
import type { Content } from '../core/content';
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

  /** Both sides of a file that no editor can show: their sizes. VS Code would show no lenses beside them. */
  sizesOf({ uri, pending: { baseline, now } }: ExternalFile): MultiDiffFile {
    const sized = (query: string, content: Content): vscode.Uri => {
      const shown = vscode.Uri.from({ scheme: baselineScheme, path: uri.path, query });
      const size = content.kind === 'file' ? bytesText(content.size, vscode.l10n.t) : '';
      this.#documents.serve(shown, size && vscode.l10n.t('No text, {0}', size));
      return shown;
    };
    return {
      before: baseline.kind === 'file' ? sized('size-reviewed', baseline) : undefined,
      after: sized('size-now', now),
    };
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
