import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isAbortError, systemClock } from '../../base/async/clock';
import { Sequencer } from '../../base/async/sequencer';
import { isRecord } from '../../base/typeGuards';
import { DisposableStore } from '../../platform/disposables';
import type { Exclude } from '../../platform/egress/paths/excludes';
import { settings } from '../../platform/settings';
import type { AgentTurns } from './agents/agentTurns';
import { type LabelOf, RootTracker } from './core/tracker';
import { RootFiles } from './disk/diskFiles';
import type { DiskBatch } from './disk/events/eventBatches';
import { eventFiles } from './disk/events/eventFiles';
import { RootWatcher } from './disk/events/rootWatcher';
import { chooseCopies } from './disk/firstCopies';
import { openGit } from './disk/git';
import { GitFollower } from './disk/gitFollower';
import { ReviewScope } from './disk/reviewScope';
import { StoredWalk } from './disk/storedWalk';
import { moveToTrash } from './disk/trash';
import { UnreadFiles } from './disk/unreadFiles';
import type { ExternalChanges, ExternalRoot } from './externalChanges';
import { OpenDocuments } from './openTexts';
import { RootStore } from './store/rootStore';

export interface FollowedRootOptions {
  readonly folder: vscode.Uri;
  /** Folder of the extension's storage. */
  readonly storage: string;
  /** Globs of files that are never listed. */
  readonly ignored: readonly string[];
  readonly turns: AgentTurns;
  /** The folder is the work tree of another repository now, or of none. */
  readonly onOtherRepository: () => void;
  /** There are other repositories in the folder, which may be new. */
  readonly onRepositories: (folders: readonly vscode.Uri[]) => void;
  readonly onError: (error: unknown) => void;
}

/** How long to wait for a command of git that is running, in milliseconds. */
const gitWaitMs = 300;
/** Files of a scan beyond this number have the time of the scan. */
const maxTimes = 2000;

interface RootParts {
  readonly tracker: RootTracker;
  readonly store: RootStore;
  readonly source: GitFollower | StoredWalk;
  readonly scope: ReviewScope;
  readonly unread: UnreadFiles;
}

/** One folder: its journal, its files and what happens to them. */
export class FollowedRoot implements ExternalRoot, vscode.Disposable {
  readonly folder: vscode.Uri;
  readonly tracker: RootTracker;
  readonly #parts: RootParts;
  readonly #git: GitFollower | undefined;
  readonly #options: FollowedRootOptions;
  readonly #resources = new DisposableStore();
  /** The folder has a repository of its own, and does not only lie in one. */
  readonly #isTop: boolean;
  /** Whether git ignores a repository that came after the scan. */
  readonly #isIgnored = new Map<string, boolean>();
  readonly #sequence = new Sequencer();
  readonly #stopped = new AbortController();

  private constructor(options: FollowedRootOptions, parts: RootParts) {
    this.#options = options;
    this.#parts = parts;
    this.#isTop = parts.scope.isRepository('');
    this.folder = options.folder;
    this.tracker = parts.tracker;
    this.#git = parts.source instanceof GitFollower ? parts.source : undefined;
  }

  static async open(changes: ExternalChanges, options: FollowedRootOptions): Promise<FollowedRoot> {
    const { folder, storage, onError } = options;
    const root = folder.fsPath;
    const store = new RootStore({ folder: storage, clock: systemClock, onError });
    const { state } = await store.open();
    const git = await openGit(root, { isTrusted: vscode.workspace.isTrusted });
    const algorithm = git?.algorithm ?? 'sha1';
    let follower: GitFollower | undefined;
    const files = new RootFiles({
      root,
      algorithm,
      moveToTrash: async file => moveToTrash(folder, file),
      isExecutable: below => follower?.snapshot.isExecutable(below) ?? false,
    });
    const scope = new ReviewScope({
      root,
      excludes: [...options.ignored, ...hiddenGlobs(folder)],
      git,
      isTracked: below => follower?.snapshot.entry(below) !== undefined,
    });
    const source = git
      ? await GitFollower.open({
          git,
          files,
          stateFile: path.join(storage, 'git.json'),
          entryOf: below => tracker.entryOf(below),
          onError,
        })
      : await StoredWalk.open({
          root,
          storage,
          isSkipped: (below, isFolder) => scope.isLeftOut(below, isFolder),
          isRepository: below => scope.isRepository(below),
          onError,
        });
    if (source instanceof GitFollower) follower = source;
    const unread = await UnreadFiles.open(storage, onError);
    const tracker = new RootTracker(
      {
        disk: files,
        open: new OpenDocuments(folder),
        unmodified: {
          algorithm,
          contentOf: async below => (unread.has(below) ? undefined : source.contentOf(below)),
          blob: async id => source.blob(id),
        },
        contents: store.contents,
        log: store.journal,
        clock: () => Date.now(),
        labels: async paths => labelsAtTimes(options, paths),
        onError,
      },
      state,
    );
    await options.turns.follow(folder);
    await tracker.start();
    store.connect(tracker);
    const followed = new FollowedRoot(options, { tracker, store, source, scope, unread });
    // What happens during the first look is looked at after it.
    followed.#watch();
    await followed.#sequence.run(async () => followed.#begin());
    followed.#resources.add(changes.add(followed));
    return followed;
  }

  /** The folders of other repositories in this one, each of which is followed for itself. */
  get repositories(): readonly vscode.Uri[] {
    const { source, scope } = this.#parts;
    const added = [...scope.repositories].filter(below => this.#isIgnored.get(below) === false);
    return [...new Set([...source.repositories, ...added])]
      .filter(below => scope.isRepository(below))
      .map(below => vscode.Uri.joinPath(this.folder, below));
  }

  /** Another window decides. */
  get isReadOnly(): boolean {
    return this.tracker.isReadOnly;
  }

  pathsBelow(folder: string): readonly string[] {
    const known = this.tracker.pathsBelow(folder);
    return this.#git ? [...known, ...this.#git.snapshot.pathsBelow(folder)] : known;
  }

  dispose(): void {
    this.#stopped.abort();
    this.#resources.dispose();
    this.#options.turns.unfollow(this.folder);
    this.#git?.dispose();
    this.#parts.store.close();
  }

  #watch(): void {
    const { scope } = this.#parts;
    const git = this.#git?.git;
    this.#resources.add(
      new RootWatcher({
        folder: this.folder,
        git: git && { folder: git.folder, commonFolder: git.commonFolder },
        isLeftOut: below => scope.isLeftOut(below),
        onBatch: batch => void this.#happened(batch),
      }),
    );
  }

  /** What is there at the first look of all is reviewed; later, what has changed since the last session is not. */
  async #begin(): Promise<void> {
    const { source, scope, unread } = this.#parts;
    const known = this.tracker.pathsBelow('');
    const found = await source.scan(this.#stopped.signal);
    if (source.isFirst) {
      const fresh = found.filter(below => this.tracker.entryOf(below) === undefined);
      const paths = await scope.reviewed(fresh, this.#stopped.signal);
      const copies = await chooseCopies(this.folder.fsPath, paths, this.#stopped.signal);
      const copied = new Set(copies);
      await unread.set(paths.filter(below => !copied.has(below)));
      await this.tracker.rebased(copies);
    }
    const changed = source.isFirst ? [] : this.#withoutUnread(found);
    await this.#look([...known, ...changed], undefined);
    await this.#git?.settled();
  }

  async #happened(batch: DiskBatch): Promise<void> {
    try {
      await this.#sequence.run(async () => this.#lookAt(batch));
    } catch (error) {
      if (!this.#stopped.signal.aborted || !isAbortError(error)) this.#options.onError(error);
    }
  }

  async #lookAt({ paths, needsScan, isGitChanged, since }: DiskBatch): Promise<void> {
    const { signal } = this.#stopped;
    if (signal.aborted) return;
    if (isGitChanged && (await this.#hasOtherRepository())) {
      this.#options.onOtherRepository();
      return;
    }
    const { scope, source } = this.#parts;
    const files = needsScan
      ? undefined
      : await eventFiles({
          root: this.folder.fsPath,
          paths,
          isLeftOut: (below, isFolder) => scope.isLeftOut(below, isFolder),
          knownBelow: folder => this.pathsBelow(folder),
        });
    if (files) return this.#look(files, since);
    const found = this.#withoutUnread(await source.scan(signal));
    await this.#look([...found, ...this.tracker.pathsBelow('')], undefined);
  }

  async #hasOtherRepository(): Promise<boolean> {
    const { scope } = this.#parts;
    const known = this.#git?.git.folder;
    // Git is asked only where one of these is new, as most of its data change all the time.
    const isSame =
      scope.isRepository('') === this.#isTop && (known === undefined || existsSync(known));
    if (isSame) return false;
    const git = await openGit(this.folder.fsPath, { isTrusted: vscode.workspace.isTrusted });
    return git?.folder !== known;
  }

  /** Git lists files that it does not have whether they changed or not. */
  #withoutUnread(paths: readonly string[]): readonly string[] {
    const { unread } = this.#parts;
    if (!this.#git) return paths;
    return paths.filter(below => !unread.has(below) || this.tracker.entryOf(below) !== undefined);
  }

  /**
   * Compares files with the disk, and says of each that has changed who did it.
   * @param since when the first event about them came; undefined without events.
   */
  async #look(paths: readonly string[], since: number | undefined): Promise<void> {
    const { signal } = this.#stopped;
    const { scope } = this.#parts;
    const listed = await scope.reviewed([...new Set(paths)], signal);
    await this.#noticeRepositories();
    const git = this.#git;
    if (!git) {
      await this.#sawDisk(listed, since);
      return;
    }
    const begun = Date.now();
    let moves = await git.resolve(listed, 0);
    while (moves === 'inProgress') {
      await systemClock.sleep(gitWaitMs, signal);
      moves = await git.resolve(listed, Date.now() - begun);
    }
    const visible = new Set(
      await scope.reviewed(
        moves.map(({ path: below }) => below),
        signal,
      ),
    );
    const of = (kind: string): string[] =>
      moves.flatMap(move => (move.kind === kind && visible.has(move.path) ? [move.path] : []));
    const rebased = await this.tracker.rebased(of('rebase'));
    for (const below of of('fold')) await this.tracker.saved(below, undefined);
    for (const move of moves) {
      if (move.kind === 'restore') await this.tracker.restored(move.path, move.baseline);
    }
    await this.#sawDisk(of('list'), since);
    if (settings.keepsStagedChanges) await this.#keepStaged(git);
    await git.settled();
    if (rebased.length > 0) showRebased(rebased.length);
  }

  async #noticeRepositories(): Promise<void> {
    const { scope, source } = this.#parts;
    const known = new Set(source.repositories);
    const fresh = [...scope.repositories].filter(
      below => !known.has(below) && !this.#isIgnored.has(below),
    );
    const ignored = await scope.ignored(fresh, this.#stopped.signal);
    for (const below of fresh) this.#isIgnored.set(below, ignored.has(below));
    this.#options.onRepositories(this.repositories);
  }

  /** A decision like any other, which can be undone. */
  async #keepStaged(git: GitFollower): Promise<void> {
    const staged = new Set(await git.newlyStaged());
    const kept = this.tracker.pending.filter(({ path: below }) => staged.has(below));
    if (kept.length > 0) await this.tracker.keep(kept);
  }

  async #sawDisk(paths: readonly string[], since: number | undefined): Promise<void> {
    if (paths.length === 0) return;
    if (since === undefined) return this.tracker.sawDisk(paths);
    const time = { from: since, to: Date.now() };
    const labels = await this.#options.turns.labels(this.folder, () => time);
    await this.tracker.sawDisk(paths, labels);
  }
}

/** Who wrote files last, where no event says when that was. */
async function labelsAtTimes(
  { folder, turns }: FollowedRootOptions,
  paths: readonly string[],
): Promise<LabelOf> {
  const now = Date.now();
  const times = new Map<string, number>();
  for (const below of paths.slice(0, maxTimes)) {
    // What is gone, or out of reach, has the time at which that is seen.
    const found = await stat(path.join(folder.fsPath, below)).catch(() => undefined);
    if (found && found.mtimeMs < now) times.set(below, Math.round(found.mtimeMs));
  }
  return turns.labels(folder, below => {
    const at = times.get(below) ?? now;
    return { from: at, to: at };
  });
}

/** What the Explorer does not show, by the settings of the user. */
function hiddenGlobs(folder: vscode.Uri): Exclude[] {
  const inspected = vscode.workspace.getConfiguration('files', folder).inspect('exclude');
  // An agent can write to the settings of a workspace.
  const [all, own] = [inspected?.defaultValue, inspected?.globalValue];
  const value = { ...(isRecord(all) && all), ...(isRecord(own) && own) };
  return Object.entries(value).flatMap(([glob, isOn]): Exclude[] => {
    const when = isRecord(isOn) ? isOn['when'] : undefined;
    if (typeof when === 'string') return [{ glob, when }];
    return isOn === true ? [glob] : [];
  });
}

function showRebased(count: number): void {
  vscode.window.setStatusBarMessage(
    count === 1
      ? vscode.l10n.t('1 file was changed by git, which is not listed for review.')
      : vscode.l10n.t('{0} files were changed by git, which is not listed for review.', count),
    8000,
  );
}
