import * as vscode from 'vscode';
import { ServedFiles } from '../../../platform/documents/servedFiles';
import { endedText } from '../editor/reviewFileSystem';

/** What the documents of the page contain. */
export interface PageTexts {
  /** Undefined when the review is gone. */
  text(uri: vscode.Uri): Promise<string | undefined>;
  isEditable(uri: vscode.Uri): boolean;
  /** Takes over what the user typed. */
  write(uri: vscode.Uri, text: string): Promise<void>;
}

/** Serves the documents of the page for a whole change set; the proposed ones can be edited. */
export class PageFileSystem extends ServedFiles {
  readonly #load: () => Promise<PageTexts>;

  /** @param load restores the reviews of the last session, once. */
  constructor(load: () => Promise<PageTexts>) {
    super();
    this.#load = load;
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const text = await (await this.#load()).text(uri);
    return new TextEncoder().encode(text ?? endedText());
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    // The size is always the same: with another one, VS Code would refuse to save what was typed while the file
    // changed, and `write` brings both together.
    return this.statOf(1, (await this.#load()).isEditable(uri));
  }

  override async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const texts = await this.#load();
    if (!texts.isEditable(uri)) throw vscode.FileSystemError.NoPermissions(uri);
    await texts.write(uri, new TextDecoder().decode(content));
  }
}
