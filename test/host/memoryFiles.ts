// A file system in memory, which cannot search: what a workspace on another machine may be made of.
import * as vscode from 'vscode';

interface Entry {
  readonly type: vscode.FileType;
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

const folder: Entry = { type: vscode.FileType.Directory, bytes: new Uint8Array(), mtime: 0 };

export class MemoryFiles implements vscode.FileSystemProvider {
  readonly #entries = new Map<string, Entry>([['/', folder]]);
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;
  #time = 1;

  watch(): vscode.Disposable {
    return { dispose: () => {} };
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const { type, bytes, mtime } = this.#entry(path);
    return { type, ctime: 0, mtime, size: bytes.length };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    this.#entry(path);
    const start = path.endsWith('/') ? path : `${path}/`;
    return [...this.#entries].flatMap(([each, { type }]): [string, vscode.FileType][] => {
      const name = each.slice(start.length);
      return each.startsWith(start) && name !== '' && !name.includes('/') ? [[name, type]] : [];
    });
  }

  createDirectory({ path }: vscode.Uri): void {
    for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
      this.#entries.set(path.slice(0, end), folder);
    }
    this.#entries.set(path, folder);
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    return this.#entry(path).bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    const isNew = !this.#entries.has(uri.path);
    this.createDirectory(vscode.Uri.joinPath(uri, '..'));
    this.#entries.set(uri.path, { type: vscode.FileType.File, bytes, mtime: this.#time++ });
    const type = isNew ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed;
    this.#changes.fire([{ type, uri }]);
  }

  delete(uri: vscode.Uri): void {
    this.#entry(uri.path);
    for (const path of this.#entries.keys()) {
      if (path === uri.path || path.startsWith(`${uri.path}/`)) this.#entries.delete(path);
    }
    this.#changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    const { bytes } = this.#entry(from.path);
    this.delete(from);
    this.writeFile(to, bytes);
  }

  #entry(path: string): Entry {
    const entry = this.#entries.get(path.length > 1 ? path.replace(/\/$/, '') : path);
    if (!entry) throw vscode.FileSystemError.FileNotFound(path);
    return entry;
  }
}
