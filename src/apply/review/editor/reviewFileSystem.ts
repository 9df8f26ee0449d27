import * as vscode from 'vscode';
import type { CommandId } from '../../../platform/commands/contribute';
import { reviewIdOf } from './previewUri';

export const endedText = (): string => vscode.l10n.t('This review has ended.');

/**
 * Serves the read-only documents of reviews. Light enough to be registered at activation: a tab
 * that VS Code restores after a reload is read before any command runs.
 */
export class ReviewFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #texts = new Map<string, () => string>();
  readonly #restore: () => Promise<void>;
  // VS Code reads a file again only when its modification time has increased.
  #modified = Date.now();

  /** @param restore restores the reviews of the last session, once. */
  constructor(restore: () => Promise<void>) {
    this.#restore = restore;
  }

  serve(uri: vscode.Uri, text: () => string): vscode.Disposable {
    this.#texts.set(uri.toString(), text);
    this.refresh(uri);
    return new vscode.Disposable(() => this.#texts.delete(uri.toString()));
  }

  refresh(uri: vscode.Uri): void {
    this.#modified += 1;
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await this.#text(uri));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: this.#modified,
      size: Buffer.byteLength(await this.#text(uri)),
      permissions: vscode.FilePermission.Readonly,
    };
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#changed.dispose();
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
