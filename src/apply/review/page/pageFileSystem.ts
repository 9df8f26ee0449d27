import * as vscode from 'vscode';
import { endedText } from '../editor/reviewFileSystem';

/** What the documents of the page contain. */
export interface PageTexts {
  /** Undefined when the review is gone. */
  text(uri: vscode.Uri): Promise<string | undefined>;
  isEditable(uri: vscode.Uri): boolean;
  /** Takes over what the user typed. */
  write(uri: vscode.Uri, text: string): Promise<void>;
}

/**
 * Serves the documents of the page for a whole change set; the proposed ones can be edited. Light enough to be registered
 * at activation, as `ReviewFileSystem` is.
 */
export class PageFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #load: () => Promise<PageTexts>;
  // VS Code reads a file again only when its modification time has increased.
  #modified = Date.now();

  /** @param load restores the reviews of the last session, once. */
  constructor(load: () => Promise<PageTexts>) {
    this.#load = load;
  }

  refresh(uris: readonly vscode.Uri[]): void {
    this.#modified += 1;
    this.#changed.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const text = await (await this.#load()).text(uri);
    return new TextEncoder().encode(text ?? endedText());
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const isEditable = (await this.#load()).isEditable(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: this.#modified,
      // Always the same: with another size, VS Code would refuse to save what was typed while the file changed, and
      // `write` brings both together.
      size: 1,
      ...(!isEditable && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const texts = await this.#load();
    if (!texts.isEditable(uri)) throw vscode.FileSystemError.NoPermissions(uri);
    await texts.write(uri, new TextDecoder().decode(content));
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

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
