import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../../base/typeGuards';
import { nodeFileOps } from '../../review/journal/nodeFileOps';
import { type Content, contentOf } from '../core/content';
import type { RootFiles } from './diskFiles';
import type { Git } from './git';
import type { IndexEntries } from './git/indexEntries';
import { type GitLook, readGitLook, storedLook } from './git/look';
import { type AsideState, PutAside } from './git/putAside';
import { type ResolvedMove, resolveMoves } from './git/resolveMoves';
import { dirtyPaths } from './git/workTree';
import { gitActivity } from './gitMoves';
import { GitSnapshot, type IndexChange, type SnapshotMark } from './gitSnapshot';

export interface GitFollowerOptions {
  readonly git: Git;
  readonly files: RootFiles;
  /** Where the state of the last look is kept, so that the next session can compare with it. */
  readonly stateFile: string;
  readonly entryOf: (path: string) => AsideState | undefined;
  readonly onError: (error: unknown) => void;
}

/** The last look of an earlier session. */
interface StoredLook {
  readonly mark: SnapshotMark;
  readonly look: GitLook;
  readonly aside: ReturnType<PutAside['toJSON']>;
}

/** Tells what git changed from what others wrote, from one look to the next. */
export class GitFollower {
  readonly snapshot: GitSnapshot;
  readonly #options: GitFollowerOptions;
  #aside = new PutAside();
  #look: GitLook;
  #index: IndexEntries;
  #indexStamp = '';
  #change: IndexChange | undefined;

  private constructor(
    options: GitFollowerOptions,
    opened: {
      readonly snapshot: GitSnapshot;
      readonly look: GitLook;
      readonly index: IndexEntries;
    },
  ) {
    this.#options = options;
    this.snapshot = opened.snapshot;
    this.#look = opened.look;
    this.#index = opened.index;
  }

  /**
   * @returns the files that may have changed since the last session; `isFirst` when there was none, so that all of
   *   them count as reviewed.
   */
  static async open(
    options: GitFollowerOptions,
  ): Promise<{ follower: GitFollower; paths: readonly string[]; isFirst: boolean }> {
    const { git, files } = options;
    const stored = await readStored(options);
    const snapshot = await GitSnapshot.open({ git, readFile: async below => files.read(below) });
    const untracked = await snapshot.rememberUntracked(!stored);
    const look = await readGitLook(git, async name => snapshot.commitOf(name));
    const index = await snapshot.refresh();
    index.accept();
    const follower = new GitFollower(options, {
      snapshot,
      look: storedLook(look),
      index: index.entries,
    });
    const dirty = await dirtyPaths(git);
    const paths = new Set([...dirty.paths, ...untracked.paths]);
    if (stored) {
      try {
        follower.#change = await snapshot.since(stored.mark);
        follower.#look = stored.look;
        follower.#aside = PutAside.from(stored.aside);
        for (const each of follower.#change.paths) paths.add(each);
      } catch (error) {
        // The commit of the last session is gone: the files are compared with the index of now.
        options.onError(error);
      }
    }
    return { follower, paths: [...paths], isFirst: !stored };
  }

  /** Files that may have changed while nobody looked. */
  async changedPaths(): Promise<readonly string[]> {
    const dirty = await dirtyPaths(this.#options.git);
    const untracked = await this.snapshot.rememberUntracked(false);
    return [...dirty.paths, ...untracked.paths];
  }

  /**
   * Says of each file that does not have the bytes that were last seen who changed it. Call `settled` once that is
   * recorded.
   *
   * @param waitedMs for how long a command of git has been running.
   */
  async resolve(
    paths: readonly string[],
    waitedMs: number,
  ): Promise<readonly ResolvedMove[] | 'inProgress'> {
    const { git, files, entryOf } = this.#options;
    const look = await readGitLook(git, async name => this.snapshot.commitOf(name));
    const activity = gitActivity(this.#look, look, waitedMs);
    if (activity.kind === 'inProgress') return 'inProgress';
    const all = new Set(paths);
    const stamp = await stampOf(path.join(git.folder, 'index'));
    if (stamp !== this.#indexStamp || activity.kind === 'moved') {
      const change = await this.snapshot.refresh();
      this.#index = change.entries;
      this.#indexStamp = stamp;
      this.#change = change;
      for (const each of change.paths) all.add(each);
    }
    const contents = new Map<string, Promise<Content>>();
    const resolved = await resolveMoves({
      paths: all,
      activity,
      snapshot: this.snapshot,
      index: this.#index,
      contentOf: async below => {
        const known = contents.get(below) ?? this.#contentOf(below);
        contents.set(below, known);
        return known;
      },
      readFile: async below => files.read(below),
      entryOf,
      aside: this.#aside,
    });
    this.#look = storedLook(look);
    return resolved;
  }

  /** What was resolved is recorded: from now on the index of now says what files were before. */
  async settled(): Promise<void> {
    if (!this.#change) return;
    this.#change.accept();
    this.#change = undefined;
    await this.#store();
  }

  get git(): Git {
    return this.#options.git;
  }

  dispose(): void {
    this.snapshot.dispose();
  }

  async #contentOf(below: string): Promise<Content> {
    const bytes = await this.#options.files.read(below);
    return bytes ? contentOf(bytes, this.snapshot.algorithm) : { kind: 'absent' };
  }

  async #store(): Promise<void> {
    const { stateFile, onError } = this.#options;
    try {
      const mark = await this.snapshot.mark();
      if (!mark) return;
      const stored: StoredLook = { mark, look: this.#look, aside: this.#aside.toJSON() };
      await nodeFileOps.makeFolder(path.dirname(stateFile));
      await nodeFileOps.write(`${stateFile}.draft`, JSON.stringify(stored));
      await nodeFileOps.rename(`${stateFile}.draft`, stateFile);
    } catch (error) {
      // The next session compares with an older look, or with the index of then.
      onError(error);
    }
  }
}

async function stampOf(file: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await stat(file);
    return `${size}:${mtimeMs}:${ino}`;
  } catch {
    return '';
  }
}

async function readStored({
  stateFile,
  onError,
}: GitFollowerOptions): Promise<StoredLook | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(stateFile, 'utf8'));
    return isStored(value) ? value : undefined;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) onError(error);
    return undefined;
  }
}

/** Only this extension writes the file, as one draft that takes its place; a damaged one has no valid JSON. */
function isStored(value: unknown): value is StoredLook {
  if (!isRecord(value)) return false;
  const { mark, look, aside } = value;
  return (
    isRecord(mark) &&
    Array.isArray(mark['staged']) &&
    isRecord(look) &&
    Array.isArray(look['stashes']) &&
    isRecord(look['stopped']) &&
    isRecord(aside) &&
    Array.isArray(aside['aside']) &&
    Array.isArray(aside['made'])
  );
}
