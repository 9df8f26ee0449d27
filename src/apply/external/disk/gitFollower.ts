import { isRecord } from '../../../base/typeGuards';
import { type Content, contentOf, type IdAlgorithm } from '../core/content';
import type { UnmodifiedFiles } from '../core/tracker';
import type { RootFiles } from './diskFiles';
import type { Git } from './git';
import type { IndexEntries } from './git/indexEntries';
import { type GitLook, readGitLook, storedLook } from './git/look';
import { type AsideState, PutAside } from './git/putAside';
import { type ResolvedMove, resolveMoves } from './git/resolveMoves';
import { dirtyPaths } from './git/workTree';
import { gitActivity } from './gitMoves';
import { GitSnapshot, type IndexChange, indexStamp, type SnapshotMark } from './gitSnapshot';
import { StateFile } from './stateFile';

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
export class GitFollower implements UnmodifiedFiles {
  readonly snapshot: GitSnapshot;
  /** Nobody has looked at the root before. */
  readonly isFirst: boolean;
  readonly #options: GitFollowerOptions;
  #aside = new PutAside();
  #look: GitLook;
  #index: IndexEntries;
  #indexStamp: string | undefined;
  #change: IndexChange | undefined;
  #isScanned = false;
  #untrackedRepositories: readonly string[] = [];

  private constructor(
    options: GitFollowerOptions,
    opened: {
      readonly snapshot: GitSnapshot;
      readonly look: GitLook;
      readonly index: IndexEntries;
      readonly isFirst: boolean;
    },
  ) {
    this.#options = options;
    this.snapshot = opened.snapshot;
    this.#look = opened.look;
    this.#index = opened.index;
    this.isFirst = opened.isFirst;
  }

  /** Scan next: before that, nothing is known of files that git does not have. @throws {GitError} */
  static async open(options: GitFollowerOptions): Promise<GitFollower> {
    const { git, files } = options;
    const stored = await stateFileOf(options).read();
    const snapshot = await GitSnapshot.open({ git, readFile: async below => files.read(below) });
    const look = await readGitLook(git, async name => snapshot.commitOf(name));
    const index = await snapshot.refresh();
    index.accept();
    const follower = new GitFollower(options, {
      snapshot,
      look: storedLook(look),
      index: index.entries,
      isFirst: !stored,
    });
    if (stored) {
      try {
        follower.#change = await snapshot.since(stored.mark);
        follower.#look = stored.look;
        follower.#aside = PutAside.from(stored.aside);
      } catch (error) {
        // The commit of the last session is gone: the files are compared with the index of now.
        options.onError(error);
      }
    }
    return follower;
  }

  get algorithm(): IdAlgorithm {
    return this.snapshot.algorithm;
  }

  async contentOf(below: string): Promise<Content | undefined> {
    return this.snapshot.contentOf(below);
  }

  async blob(id: string): Promise<Uint8Array | undefined> {
    return this.snapshot.blob(id);
  }

  /**
   * Files that may have changed while nobody looked; none of them is read.
   * @throws {AbortError | GitError}
   */
  async scan(signal?: AbortSignal): Promise<readonly string[]> {
    const dirty = await dirtyPaths(this.git, signal);
    const isFirst = this.isFirst && !this.#isScanned;
    const untracked = await this.snapshot.rememberUntracked(isFirst, signal);
    this.#isScanned = true;
    this.#untrackedRepositories = untracked.repositories;
    return [...dirty.paths, ...untracked.paths, ...(this.#change?.paths ?? [])];
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
    const stamp = await indexStamp(git);
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

  /** Files of which the index got the bytes that they have now. Ask before `settled`. */
  async newlyStaged(): Promise<string[]> {
    const staged: string[] = [];
    for (const below of this.#change?.paths ?? []) {
      const known = this.snapshot.entry(below)?.id;
      const entry = this.#index.find(below);
      if (!entry || entry.isUnmerged || entry.id === known) continue;
      const now = await this.#contentOf(below);
      if (await this.snapshot.isFormOf(below, now, entry.id)) staged.push(below);
    }
    return staged;
  }

  /** What was resolved is recorded: from now on the index of now says what files were before. */
  async settled(): Promise<void> {
    if (!this.#change) return;
    this.#change.accept();
    this.#change = undefined;
    await this.#store();
  }

  /** Folders that are, or may become, work trees of other repositories; complete after a scan. */
  get repositories(): readonly string[] {
    return [...this.snapshot.submodules(), ...this.#untrackedRepositories];
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
    try {
      const mark = await this.snapshot.mark();
      if (!mark) return;
      const aside = this.#aside.toJSON();
      await stateFileOf(this.#options).write({ mark, look: this.#look, aside });
    } catch (error) {
      // The next session compares with an older look, or with the index of then.
      this.#options.onError(error);
    }
  }
}

function stateFileOf({ stateFile: file, onError }: GitFollowerOptions): StateFile<StoredLook> {
  return new StateFile({ file, isValid: isStored, onError });
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
