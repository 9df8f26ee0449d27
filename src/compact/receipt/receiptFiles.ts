import * as vscode from 'vscode';
import { ServedFiles } from '../../platform/documents/servedFiles';

/**
 * The read-only documents of receipts. A file system, because VS Code restores tabs after a reload for files only.
 * Light enough to be registered at activation.
 */
export class ReceiptFiles extends ServedFiles {
  readonly #texts = new Map<string, () => string>();
  readonly #reopen: (uri: vscode.Uri) => Promise<string | undefined>;

  /** @param reopen gives the text of a receipt of before a reload, and serves it from then on. */
  constructor(reopen: (uri: vscode.Uri) => Promise<string | undefined>) {
    super();
    this.#reopen = reopen;
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await this.#textOf(uri));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.statOf(Buffer.byteLength(await this.#textOf(uri)), false);
  }

  /** Sets where the text of a document comes from; one that is open is updated. */
  serve(uri: vscode.Uri, text: () => string): void {
    this.#texts.set(uri.toString(), text);
    this.refresh([uri]);
  }

  end(uri: vscode.Uri): void {
    this.#texts.delete(uri.toString());
  }

  async #textOf(uri: vscode.Uri): Promise<string> {
    return (
      this.#texts.get(uri.toString())?.() ??
      (await this.#reopen(uri)) ??
      vscode.l10n.t('This receipt has ended. Run "Splice: Compact Chat History…" again.')
    );
  }
}
