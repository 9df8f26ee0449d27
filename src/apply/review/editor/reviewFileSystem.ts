import * as vscode from 'vscode';
import type { CommandId } from '../../../platform/commands/contribute';
import { ServedFiles } from '../../../platform/documents/servedFiles';
import { reviewIdOf } from './reviewId';

export const endedText = (): string => vscode.l10n.t('This review has ended.');

/** Serves the read-only documents of reviews. */
export class ReviewFileSystem extends ServedFiles {
  readonly #texts = new Map<string, () => string>();
  readonly #restore: () => Promise<void>;

  /** @param restore restores the reviews of the last session, once. */
  constructor(restore: () => Promise<void>) {
    super();
    this.#restore = restore;
  }

  serve(uri: vscode.Uri, text: () => string): vscode.Disposable {
    this.#texts.set(uri.toString(), text);
    this.refresh([uri]);
    return new vscode.Disposable(() => this.#texts.delete(uri.toString()));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await this.#text(uri));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    // The time of a text is that from before it was made, or VS Code would not read the next one.
    const stat = this.statOf(0, false);
    return { ...stat, size: Buffer.byteLength(await this.#text(uri)) };
  }

  async #text(uri: vscode.Uri): Promise<string> {
    const known = this.#texts.get(uri.toString());
    if (known) return known();
    await this.#restore();
    const restored = this.#texts.get(uri.toString());
    if (restored) return restored();
    const id = reviewIdOf(uri);
    const isOpen = [...this.#texts.keys()].some(key => reviewIdOf(vscode.Uri.parse(key)) === id);
    return isOpen ? vscode.l10n.t('This review is open in another tab.') : endedText();
  }
}

/** Shown when the user types in a preview. */
export function readonlyMessage(): vscode.MarkdownString {
  const message = new vscode.MarkdownString(
    vscode.l10n.t(
      'This is a review. Accept or reject its changes, or [open the file]({0}) to edit it.',
      `command:${'splice.apply.openFile' satisfies CommandId}`,
    ),
  );
  message.isTrusted = { enabledCommands: ['splice.apply.openFile' satisfies CommandId] };
  return message;
}
