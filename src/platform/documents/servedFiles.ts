import * as vscode from 'vscode';

/**
 * A file system of generated documents: files without folders, which cannot be made, deleted or renamed. Light enough
 * to be registered at activation: a tab that VS Code restores after a reload is read before any command runs.
 */
export abstract class ServedFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  // VS Code reads a file again only when its modification time has increased.
  #modified = Date.now();

  abstract readFile(uri: vscode.Uri): Promise<Uint8Array>;
  abstract stat(uri: vscode.Uri): Promise<vscode.FileStat>;

  refresh(uris: readonly vscode.Uri[]): void {
    this.#modified += 1;
    this.#changed.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  async writeFile(uri: vscode.Uri, _content: Uint8Array): Promise<void> {
    throw vscode.FileSystemError.NoPermissions(uri);
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

  /** @param size in bytes. */
  protected statOf(size: number, isEditable: boolean): vscode.FileStat {
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: this.#modified,
      size,
      ...(!isEditable && { permissions: vscode.FilePermission.Readonly }),
    };
  }
}
