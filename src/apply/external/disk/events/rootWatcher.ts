import path from 'node:path';
import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../../../base/async/clock';
import { DisposableStore } from '../../../../platform/disposables';
import { isInGitFolder } from '../rootPaths';
import { type DiskBatch, EventBatches } from './eventBatches';

export interface RootWatchOptions {
  /** With the scheme `file`. */
  readonly folder: vscode.Uri;
  /** Where git keeps the data of the work tree, and those that all its work trees share. */
  readonly git?: { readonly folder: string; readonly commonFolder: string } | undefined;
  /** Whether events of a path are of no interest. Asked for each event. */
  readonly isLeftOut: (below: string) => boolean;
  readonly onBatch: (batch: DiskBatch) => void;
  readonly clock?: Clock;
}

/** A window that is looked at again sooner has missed nothing, in milliseconds. */
const minAwayMs = 2000;

/**
 * Watches the files of a root and the data of git. Watchers lose events: after the window was away, everything is
 * looked at.
 */
export class RootWatcher implements vscode.Disposable {
  readonly #resources = new DisposableStore();
  readonly #batches: EventBatches;
  readonly #options: RootWatchOptions;

  constructor(options: RootWatchOptions) {
    const { folder, git, clock = systemClock, onBatch } = options;
    this.#options = options;
    this.#batches = new EventBatches(clock, onBatch);
    this.#resources.add({ dispose: () => this.#batches.dispose() });
    this.#watch(new vscode.RelativePattern(folder, '**'), uri => this.#changed(uri));
    if (git) this.#watchGit(git.folder, git.commonFolder);
    let awayAt = clock.monotonic();
    this.#resources.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (!focused) awayAt = clock.monotonic();
        else if (clock.monotonic() - awayAt >= minAwayMs) this.scan();
      }),
    );
  }

  /** Asks for everything to be looked at, in the next batch. */
  scan(): void {
    this.#batches.addScan();
  }

  dispose(): void {
    this.#resources.dispose();
  }

  /** A pattern without a slash is watched without its subfolders, whatever `files.watcherExclude` says. */
  #watchGit(folder: string, commonFolder: string): void {
    const names = '{HEAD,index,ORIG_HEAD,MERGE_HEAD,CHERRY_PICK_HEAD,REVERT_HEAD,REBASE_HEAD}';
    const changed = (): void => this.#batches.addGit();
    for (const [base, pattern] of [
      [folder, names],
      [path.join(folder, 'logs'), 'HEAD'],
      [path.join(commonFolder, 'refs'), 'stash'],
    ] as const) {
      this.#watch(new vscode.RelativePattern(vscode.Uri.file(base), pattern), changed);
    }
  }

  #watch(pattern: vscode.RelativePattern, changed: (uri: vscode.Uri) => void): void {
    const watcher = this.#resources.add(vscode.workspace.createFileSystemWatcher(pattern));
    this.#resources.add(watcher.onDidCreate(changed));
    this.#resources.add(watcher.onDidChange(changed));
    this.#resources.add(watcher.onDidDelete(changed));
  }

  #changed(uri: vscode.Uri): void {
    const { folder, isLeftOut } = this.#options;
    const below = path.relative(folder.fsPath, uri.fsPath).replaceAll(path.sep, '/');
    // The folder became a repository, or is none any more.
    if (below === '.git') this.#batches.addGit();
    // So it is with a folder below, whose files are looked at for that.
    else if (below.endsWith('/.git')) this.#batches.addPath(path.posix.dirname(below));
    if (below === '') this.scan();
    else if (!isInGitFolder(below) && !isLeftOut(below)) this.#batches.addPath(below);
  }
}
