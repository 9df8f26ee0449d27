import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { ExternalChanges, ExternalFile, ExternalRoot } from './externalChanges';

/** Longer texts are compared as whole files, in UTF-16 code units. */
const maxLength = 2 * 1024 * 1024;
/** How long after a document is clean its save is announced at the latest, in milliseconds. */
const saveMs = 5000;
/** Files of a moved folder beyond this number count as changed by another program. */
const maxMovedFiles = 20_000;

/**
 * Tells the roots what the editor does with their files: what it has loaded, saved, moved and deleted. Everything else
 * that happens on disk was done by another program.
 */
export class EditorObserver implements vscode.Disposable {
  readonly #changes: ExternalChanges;
  readonly #onError: (error: unknown) => void;
  /** The text of a document when it was last the same as its file. */
  readonly #clean = new WeakMap<vscode.TextDocument, string>();
  /** What {@link #clean} had for documents that are being saved. */
  readonly #saving = new Map<vscode.TextDocument, string | undefined>();
  readonly #resources = new DisposableStore();

  constructor(changes: ExternalChanges, onError: (error: unknown) => void) {
    this.#changes = changes;
    this.#onError = onError;
    const { workspace } = vscode;
    const resources = this.#resources;
    for (const document of workspace.textDocuments) this.#remember(document);
    resources.add(workspace.onDidOpenTextDocument(document => this.#remember(document)));
    resources.add(workspace.onDidChangeTextDocument(event => this.#documentChanged(event)));
    resources.add(
      workspace.onWillSaveTextDocument(({ document }) => {
        if (changes.rootOf(document.uri)) this.#saving.set(document, this.#clean.get(document));
      }),
    );
    resources.add(workspace.onDidSaveTextDocument(document => this.#saved(document)));
    resources.add(workspace.onDidCloseTextDocument(document => this.#saving.delete(document)));
    resources.add(
      workspace.onDidSaveNotebookDocument(({ uri }) =>
        this.#tell(uri, async (root, path) => root.tracker.saved(path, undefined)),
      ),
    );
    resources.add(
      workspace.onDidCreateFiles(({ files }) => {
        for (const uri of files) this.#rebase(uri);
      }),
    );
    resources.add(
      workspace.onDidDeleteFiles(({ files }) => {
        for (const uri of files) this.#rebase(uri);
      }),
    );
    resources.add(
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#moved(oldUri, newUri);
      }),
    );
  }

  /** Whether the editor has unsaved text, and the disk other bytes than that text was made from. */
  isInConflict(file: ExternalFile): boolean {
    const document = vscode.workspace.textDocuments.find(
      ({ uri, isDirty }) => isDirty && uri.toString() === file.id,
    );
    if (!document) return false;
    if (file.pending.status === 'deleted') return true;
    const loaded = this.#clean.get(document);
    const shown = this.#changes.known(file);
    return (
      loaded !== undefined && shown !== undefined && plain(shown.lines.join('')) !== plain(loaded)
    );
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #remember(document: vscode.TextDocument): void {
    if (document.isDirty || !this.#changes.rootOf(document.uri)) return;
    const text = document.getText();
    if (text.length <= maxLength) this.#clean.set(document, text);
    else this.#clean.delete(document);
  }

  #documentChanged({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document.isDirty) return;
    if (contentChanges.length === 0) {
      // After a save, which is announced later, or after *Revert File*.
      if (this.#saving.has(document)) this.#rememberLater(document);
      else this.#remember(document);
      return;
    }
    const text = document.getText();
    this.#tell(document.uri, async (root, path) => {
      // A first keystroke can be reported before the document counts as dirty: only the disk can tell.
      const bytes = await vscode.workspace.fs.readFile(document.uri);
      if (this.#saving.has(document)) return;
      if (plain(new TextDecoder().decode(bytes)) !== plain(text)) return;
      if (text.length <= maxLength) this.#clean.set(document, text);
      await root.tracker.loaded(path, text);
    });
  }

  /** A save can fail, and then the text may be discarded. */
  #rememberLater(document: vscode.TextDocument): void {
    setTimeout(() => {
      if (this.#saving.delete(document)) this.#remember(document);
    }, saveMs).unref();
  }

  #saved(document: vscode.TextDocument): void {
    const before = this.#saving.get(document) ?? this.#clean.get(document);
    this.#saving.delete(document);
    this.#remember(document);
    const text = document.getText();
    this.#tell(document.uri, async (root, path) => root.tracker.saved(path, before, text));
  }

  /** The user created or deleted a file, or a folder, in the Explorer. */
  #rebase(uri: vscode.Uri): void {
    this.#tell(uri, async (root, path) => {
      await root.tracker.rebased([
        path,
        ...root.pathsBelow(path),
        ...(await filesBelow(uri)).map(below => pathIn(root, below)),
      ]);
    });
  }

  #moved(from: vscode.Uri, to: vscode.Uri): void {
    const source = this.#changes.rootOf(from);
    if (!source || source !== this.#changes.rootOf(to)) {
      this.#rebase(from);
      this.#rebase(to);
      return;
    }
    this.#tell(from, async (root, path) => {
      const target = pathIn(root, to);
      const below = (await filesBelow(to)).map(file => pathIn(root, file));
      await root.tracker.moved(
        below.length === 0
          ? [{ from: path, to: target }]
          : below.map(each => ({ from: path + each.slice(target.length), to: each })),
      );
    });
  }

  #tell(uri: vscode.Uri, tell: (root: ExternalRoot, path: string) => Promise<unknown>): void {
    const root = this.#changes.rootOf(uri);
    if (root) tell(root, pathIn(root, uri)).catch(this.#onError);
  }
}

/** The files in a folder; none for a file, or for what is gone. */
async function filesBelow(uri: vscode.Uri): Promise<vscode.Uri[]> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if (type !== vscode.FileType.Directory) return [];
  } catch {
    return [];
  }
  return vscode.workspace.findFiles(new vscode.RelativePattern(uri, '**'), null, maxMovedFiles);
}

/** The path of a file relative to its root, with `/`. */
export const pathIn = ({ folder }: Pick<ExternalRoot, 'folder'>, { path }: vscode.Uri): string =>
  path.slice(folder.path.replace(/\/$/, '').length + 1);

/** A text without what an editor adds or takes away. */
const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
