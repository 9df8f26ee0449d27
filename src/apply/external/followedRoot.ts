import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../base/async/clock';
import { Sequencer } from '../../base/async/sequencer';
import { isRecord } from '../../base/typeGuards';
import { DisposableStore } from '../../platform/disposables';
import { excludeMatcher } from '../../platform/egress/paths/excludes';
import { RootTracker } from './core/tracker';
import { RootFiles } from './disk/diskFiles';
import { openGit } from './disk/git';
import { generatedFolders, ignoredOf } from './disk/git/workTree';
import { GitFollower } from './disk/gitFollower';
import type { ExternalChanges, ExternalRoot } from './externalChanges';
import { OpenDocuments } from './openTexts';
import { RootStore } from './store/rootStore';

export interface FollowedRootOptions {
  readonly folder: vscode.Uri;
  /** Folder of the extension's storage. */
  readonly storage: string;
  /** Globs of files that are never listed. */
  readonly ignored: readonly string[];
  readonly onError: (error: unknown) => void;
}

/** How long nothing must have happened before files are read, and the longest wait, in milliseconds. */
const quietMs = 150;
const maxWaitMs = 1000;
/** How long to wait for a command of git that is running, in milliseconds. */
const gitWaitMs = 300;
/** Files of a folder without git beyond this number have no reviewed text until they are opened. */
const maxListedFiles = 20_000;
/** Files beyond this size that git does not have are not read before they change, in bytes. */
const maxFirstFileBytes = 2 * 1024 * 1024;
/** How much of the files that git does not have is stored at the first look, in bytes. */
const maxFirstBytes = 50 * 1024 * 1024;
/** Files whose sizes are asked for at the same time. */
const maxAsked = 64;

/** One folder: its journal, its files and what happens to them. */
export class FollowedRoot implements ExternalRoot, vscode.Disposable {
  readonly folder: vscode.Uri;
  readonly tracker: RootTracker;
  readonly #store: RootStore;
  readonly #git: GitFollower | undefined;
  readonly #options: FollowedRootOptions;
  readonly #resources = new DisposableStore();
  readonly #sequence = new Sequencer();
  /** Files that were there at the first look and that were not read. */
  readonly #unknownFiles: Set<string>;
  readonly #isIgnored: (below: string) => boolean;
  #waiting = new Set<string>();
  /** When the first event that waits came, in milliseconds since the epoch. */
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    options: FollowedRootOptions,
    parts: {
      readonly tracker: RootTracker;
      readonly store: RootStore;
      readonly git: GitFollower | undefined;
      readonly unknownFiles: Set<string>;
    },
  ) {
    this.#unknownFiles = parts.unknownFiles;
    this.#options = options;
    this.folder = options.folder;
    this.tracker = parts.tracker;
    this.#store = parts.store;
    this.#git = parts.git;
    this.#isIgnored = excludeMatcher([...options.ignored, ...hiddenGlobs(options.folder)]);
  }

  static async open(changes: ExternalChanges, options: FollowedRootOptions): Promise<FollowedRoot> {
    const { folder, storage, onError } = options;
    const store = new RootStore({ folder: storage, clock: systemClock, onError });
    const { state } = await store.open();
    const git = await openGit(folder.fsPath, { isTrusted: vscode.workspace.isTrusted });
    let follower: GitFollower | undefined;
    const files = new RootFiles({
      root: folder.fsPath,
      algorithm: git?.algorithm ?? 'sha1',
      moveToTrash: async file => moveToTrash(folder, file),
      isExecutable: below => follower?.snapshot.isExecutable(below) ?? false,
    });
    const unknownFiles = new Set<string>();
    const opened = git
      ? await GitFollower.open({
          git,
          files,
          stateFile: path.join(storage, 'git.json'),
          entryOf: below => tracker.entryOf(below),
          onError,
        })
      : undefined;
    follower = opened?.follower;
    const tracker = new RootTracker(
      {
        disk: files,
        open: new OpenDocuments(folder),
        unmodified: {
          algorithm: git?.algorithm ?? 'sha1',
          contentOf: async below => {
            if (unknownFiles.has(below)) return undefined;
            return follower ? follower.snapshot.contentOf(below) : { kind: 'absent' };
          },
          blob: async id => follower?.snapshot.blob(id),
        },
        contents: store.contents,
        log: store.journal,
        clock: () => Date.now(),
        onError,
      },
      state,
    );
    await tracker.start();
    store.connect(tracker);
    const root = new FollowedRoot(options, { tracker, store, git: follower, unknownFiles });
    const isFirst = opened ? opened.isFirst : state.files.size === 0;
    const found = opened?.paths ?? (await root.#listFiles());
    const paths = await root.#readable(found);
    if (isFirst) await tracker.rebased(await root.#listed(paths), maxFirstBytes);
    else await root.#look([...paths, ...tracker.pathsBelow('')], Date.now());
    await follower?.settled();
    root.#watch(git?.folder, git?.commonFolder);
    root.#resources.add(changes.add(root));
    return root;
  }

  pathsBelow(folder: string): readonly string[] {
    const known = this.tracker.pathsBelow(folder);
    return this.#git ? [...known, ...this.#git.snapshot.pathsBelow(folder)] : known;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#resources.dispose();
    this.#git?.dispose();
    this.#store.close();
  }

  /** One watcher for the folder, and one for the files of git, which other settings can hide. */
  #watch(...gitFolders: readonly (string | undefined)[]): void {
    const { workspace, window } = vscode;
    const resources = this.#resources;
    const watcher = resources.add(
      workspace.createFileSystemWatcher(new vscode.RelativePattern(this.folder, '**')),
    );
    const happened = (uri: vscode.Uri): void => this.#happened(this.#pathOf(uri));
    resources.add(watcher.onDidChange(happened));
    resources.add(watcher.onDidCreate(happened));
    resources.add(watcher.onDidDelete(happened));
    for (const folder of new Set(gitFolders)) {
      if (folder === undefined) continue;
      for (const pattern of ['{HEAD,index,ORIG_HEAD,MERGE_HEAD}', 'logs/HEAD', 'logs/refs/stash']) {
        const base = vscode.Uri.file(path.join(folder, path.dirname(pattern)));
        const inFolder = resources.add(
          workspace.createFileSystemWatcher(
            new vscode.RelativePattern(base, path.basename(pattern)),
          ),
        );
        const moved = (): void => this.#happened(undefined);
        resources.add(inFolder.onDidChange(moved));
        resources.add(inFolder.onDidCreate(moved));
        resources.add(inFolder.onDidDelete(moved));
      }
    }
    resources.add(
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.#rescan();
      }),
    );
  }

  /** @param below undefined when git did something. */
  #happened(below: string | undefined): void {
    if (below !== undefined) this.#waiting.add(below);
    const now = Date.now();
    this.#since ??= now;
    clearTimeout(this.#timer);
    const wait = Math.max(0, Math.min(quietMs, this.#since + maxWaitMs - now));
    this.#timer = setTimeout(() => void this.#lookAtWaiting(), wait);
  }

  async #lookAtWaiting(): Promise<void> {
    const since = this.#since ?? Date.now();
    const waiting = [...this.#waiting];
    this.#waiting = new Set();
    this.#since = undefined;
    try {
      const inFolders = await Promise.all(waiting.map(async below => this.#expanded(below)));
      await this.#look(inFolders.flat(), since);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** The watcher can miss events, for example when there are too many. */
  async #rescan(): Promise<void> {
    try {
      const paths = this.#git ? await this.#git.changedPaths() : this.tracker.pathsBelow('');
      const readable = await this.#readable(paths);
      await this.#look([...readable, ...this.tracker.pathsBelow('')], Date.now());
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** A folder stands for the files in it, also for those that are gone. */
  async #expanded(below: string): Promise<readonly string[]> {
    const known = this.pathsBelow(below);
    const uri = vscode.Uri.joinPath(this.folder, below);
    try {
      const { type } = await vscode.workspace.fs.stat(uri);
      if (type !== vscode.FileType.Directory) return [below];
    } catch {
      return [below, ...known];
    }
    const found = await this.#found(uri);
    return [...known, ...found];
  }

  async #found(folder: vscode.Uri): Promise<string[]> {
    const skipped = `**/{.git,${generatedFolders.join(',')}}/**`;
    const found = await vscode.workspace.findFiles(
      new vscode.RelativePattern(folder, '**'),
      skipped,
      maxListedFiles,
    );
    return found.map(uri => this.#pathOf(uri));
  }

  /** The files of a folder without git. */
  async #listFiles(): Promise<readonly string[]> {
    const found = await this.#found(this.folder);
    if (found.length < maxListedFiles) return found;
    for (const below of found) this.#unknownFiles.add(below);
    return [];
  }

  /** Without large files of which nothing is known: they are read once they change. */
  async #readable(paths: readonly string[]): Promise<string[]> {
    const readable: string[] = [];
    for (let start = 0; start < paths.length; start += maxAsked) {
      const part = paths.slice(start, start + maxAsked);
      const sizes = await Promise.all(part.map(async below => this.#sizeOf(below)));
      for (const [at, below] of part.entries()) {
        if (this.#isKnown(below) || (sizes[at] ?? 0) <= maxFirstFileBytes) readable.push(below);
        else this.#unknownFiles.add(below);
      }
    }
    return readable;
  }

  #isKnown(below: string): boolean {
    return (
      this.tracker.entryOf(below) !== undefined || this.#git?.snapshot.entry(below) !== undefined
    );
  }

  /** In bytes; 0 for what is gone. */
  async #sizeOf(below: string): Promise<number> {
    try {
      return (await stat(path.join(this.folder.fsPath, below))).size;
    } catch {
      return 0;
    }
  }

  /** Compares files with the disk, and says of each that has changed who did it. */
  async #look(paths: readonly string[], since: number): Promise<void> {
    await this.#sequence.run(async () => {
      const listed = await this.#listed(paths);
      const git = this.#git;
      if (!git) {
        await this.tracker.sawDisk(listed, { from: since, to: Date.now() });
        return;
      }
      const begun = Date.now();
      let moves = await git.resolve(listed, 0);
      while (moves === 'inProgress') {
        await new Promise(resolve => setTimeout(resolve, gitWaitMs));
        moves = await git.resolve(listed, Date.now() - begun);
      }
      const visible = new Set(await this.#listed(moves.map(({ path: below }) => below)));
      const of = (kind: string): string[] =>
        moves.flatMap(move => (move.kind === kind && visible.has(move.path) ? [move.path] : []));
      const rebased = await this.tracker.rebased(of('rebase'));
      for (const below of of('fold')) await this.tracker.saved(below, undefined);
      for (const move of moves) {
        if (move.kind === 'restore') await this.tracker.restored(move.path, move.baseline);
      }
      await this.tracker.sawDisk(of('list'), { from: since, to: Date.now() });
      await git.settled();
      if (rebased.length > 0) showRebased(rebased.length);
    });
  }

  /** Without what nobody reviews. */
  async #listed(paths: readonly string[]): Promise<string[]> {
    const isIgnored = this.#isIgnored;
    const candidates = [...new Set(paths)].filter(
      below =>
        below !== '' &&
        !below.split('/').some(name => name === '.git' || generatedNames.has(name)) &&
        !isIgnored(below),
    );
    const git = this.#git;
    if (!git) return candidates;
    const strange = candidates.filter(below => !git.snapshot.entry(below));
    const gitIgnored = strange.length > 0 ? await ignoredOf(git.git, strange) : new Set<string>();
    return candidates.filter(below => !gitIgnored.has(below));
  }

  #pathOf(uri: vscode.Uri): string {
    return uri.path.slice(this.folder.path.replace(/\/$/, '').length + 1);
  }
}

/** What the Explorer does not show, by the settings of the user. */
function hiddenGlobs(folder: vscode.Uri): string[] {
  const inspected = vscode.workspace.getConfiguration('files', folder).inspect('exclude');
  // An agent can write to the settings of a workspace.
  const [all, own] = [inspected?.defaultValue, inspected?.globalValue];
  const value = { ...(isRecord(all) && all), ...(isRecord(own) && own) };
  return Object.keys(value).filter(glob => value[glob] === true);
}

const generatedNames: ReadonlySet<string> = new Set(generatedFolders);

async function moveToTrash(folder: vscode.Uri, file: string): Promise<void> {
  const uri = folder.with({ path: vscode.Uri.file(file).path });
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    // There is no trash here. The bytes were stored before, so that the decision can be undone.
    await vscode.workspace.fs.delete(uri);
  }
}

function showRebased(count: number): void {
  vscode.window.setStatusBarMessage(
    count === 1
      ? vscode.l10n.t('1 file was changed by git, which is not listed for review.')
      : vscode.l10n.t('{0} files were changed by git, which is not listed for review.', count),
    8000,
  );
}
