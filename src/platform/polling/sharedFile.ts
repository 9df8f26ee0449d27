import * as vscode from 'vscode';
import type { PollRecord, PollStore } from './pollRecord';

/** A small JSON file in the global storage, shared by all windows. Written atomically, by renaming. */
export class SharedFile<S> implements PollStore<S> {
  readonly #folder: vscode.Uri;
  readonly #file: vscode.Uri;
  readonly #draft: vscode.Uri;
  readonly #parse: (value: unknown) => PollRecord<S> | undefined;
  readonly #onFailure: (error: unknown) => void;

  /** @param parse returns undefined for anything that this version has not written. */
  constructor(
    folder: vscode.Uri,
    name: string,
    parse: (value: unknown) => PollRecord<S> | undefined,
    onFailure: (error: unknown) => void,
  ) {
    this.#folder = folder;
    this.#file = vscode.Uri.joinPath(folder, `${name}.json`);
    this.#draft = vscode.Uri.joinPath(folder, `${name}-${Math.random().toString(36).slice(2)}.tmp`);
    this.#parse = parse;
    this.#onFailure = onFailure;
  }

  async read(): Promise<PollRecord<S> | undefined> {
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#file);
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return this.#parse(value);
    } catch (error) {
      // Missing, or truncated by a crash: treated as no record.
      if (!(error instanceof SyntaxError) && !isMissing(error)) this.#onFailure(error);
      return undefined;
    }
  }

  /** A failure is reported and not thrown: without the file each window polls on its own. */
  async write(record: PollRecord<S>): Promise<void> {
    try {
      await vscode.workspace.fs.createDirectory(this.#folder);
      await vscode.workspace.fs.writeFile(
        this.#draft,
        new TextEncoder().encode(JSON.stringify(record)),
      );
      await vscode.workspace.fs.rename(this.#draft, this.#file, { overwrite: true });
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}
