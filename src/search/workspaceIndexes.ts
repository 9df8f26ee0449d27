import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import type { SettingId } from '../platform/commands/contribute';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { FolderIndexes, type SearchIndexes } from './fileIndex/folderIndexes';
import { IndexThread } from './fileIndex/indexThread';
import { toPosixPath } from './workspace/sandbox';
import type { ListOptions } from './workspace/searchedFiles';

const { t } = vscode.l10n;

/** With the setting `auto`, folders of fewer files have no index, because they are searched as fast without one. */
const minFiles = 3000;

const opened = new WeakMap<vscode.ExtensionContext, WorkspaceIndexes>();

/** The indexes of the folders of this window; undefined where a workspace has no storage. */
export function workspaceIndexes({ context, log }: Host): WorkspaceIndexes | undefined {
  const { storageUri } = context;
  if (storageUri?.scheme !== 'file') return undefined;
  let indexes = opened.get(context);
  if (!indexes) {
    indexes = new WorkspaceIndexes(context, storageUri, message => log.info(message));
    opened.set(context, indexes);
    context.subscriptions.push(indexes);
  }
  return indexes;
}

/** Keeps the indexes of workspace folders where VS Code keeps what belongs to the workspace. */
export class WorkspaceIndexes implements SearchIndexes, vscode.Disposable {
  readonly #folder: string;
  readonly #indexes: FolderIndexes;
  readonly #listener: vscode.Disposable;
  readonly #log: (message: string) => void;

  constructor(
    { extensionUri }: vscode.ExtensionContext,
    storageUri: vscode.Uri,
    log: (message: string) => void,
  ) {
    const folder = path.join(storageUri.fsPath, 'searchIndex');
    const script = vscode.Uri.joinPath(extensionUri, 'dist/search/fileIndex/worker.mjs').fsPath;
    this.#folder = folder;
    this.#log = log;
    this.#indexes = new FolderIndexes({
      startThread: listener => new IndexThread(script, listener),
      isWanted,
      storageOf: root => path.join(folder, nameOf(root)),
      watch,
      onOpening: ready => {
        void vscode.window.withProgress(
          { location: vscode.ProgressLocation.Window, title: t('Indexing for the search') },
          () => ready,
        );
      },
      log,
      clock: systemClock,
    });
    this.#listener = vscode.workspace.onDidChangeConfiguration(change => {
      if (!change.affectsConfiguration('splice.search.index' satisfies SettingId)) return;
      if (settings.searchIndex === 'off') this.#indexes.close();
    });
  }

  of(roots: readonly string[], files: ListOptions): ReturnType<SearchIndexes['of']> {
    return this.#indexes.of(roots, files);
  }

  searched(roots: readonly string[], files: ListOptions, count: number): void {
    this.#indexes.searched(roots, files, count);
    // Folders that were removed from the workspace leave theirs behind.
    this.#deleteExcept(roots).catch((error: unknown) => {
      // The next search tries again.
      this.#log(`search index: that of a former folder is still there: ${String(error)}`);
    });
  }

  /** Deletes the indexes of this workspace, which the next search may build again. */
  async deleteAll(): Promise<void> {
    this.#indexes.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    const turnOff = t('Turn Off');
    const isOff = settings.searchIndex === 'off';
    const chosen = await vscode.window.showInformationMessage(
      isOff
        ? t('The search index of this workspace is deleted.')
        : t(
            'The search index of this workspace is deleted. The next search builds it again, unless it is turned off.',
          ),
      ...(isOff ? [] : [turnOff]),
    );
    if (chosen === turnOff) await settings.setSearchIndex('off');
  }

  dispose(): void {
    this.#listener.dispose();
    this.#indexes.close();
  }

  async #deleteExcept(roots: readonly string[]): Promise<void> {
    const used = new Set(roots.map(nameOf));
    const names = await readdir(this.#folder).catch((): string[] => []);
    for (const name of names.filter(one => !used.has(one))) {
      await rm(path.join(this.#folder, name), { recursive: true, force: true });
    }
  }
}

function isWanted(files: number): boolean {
  const { searchIndex } = settings;
  return searchIndex === 'always' || (searchIndex === 'auto' && files >= minFiles);
}

/** The name of the folder that has the index of a root. */
const nameOf = (root: string): string =>
  createHash('sha256').update(root).digest('hex').slice(0, 16);

/** Tells what changes in a folder. A document that is saved is told at once. */
function watch(root: string, onChange: (below: string) => void): () => void {
  const store = new DisposableStore();
  const changed = (uri: vscode.Uri): void => {
    const below = toPosixPath(path.relative(root, uri.fsPath));
    const [first = ''] = below.split('/');
    if (first !== '' && first !== '..' && first !== '.git') onChange(below);
  };
  const watcher = store.add(
    vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(root), '**/*'),
    ),
  );
  store.add(watcher.onDidCreate(changed));
  store.add(watcher.onDidChange(changed));
  store.add(watcher.onDidDelete(changed));
  store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => changed(uri)));
  return () => store.dispose();
}
