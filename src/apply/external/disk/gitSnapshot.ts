import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Slices } from '../../../base/async/slices';
import { isNoFile } from '../../../base/fileErrors';
import { type Content, contentOf, type IdAlgorithm } from '../core/content';
import type { Git } from './git';
import { IndexEntries, type IndexEntry } from './git/indexEntries';
import { GitObjects } from './git/objects';
import { stagedChanges, type TreeEntry, treeChanges } from './git/rawDiff';
import {
  dirtyPaths,
  headId,
  ignoredPaths,
  type UntrackedList,
  untrackedPaths,
} from './git/workTree';
import { indexStat, WorkTreeForms } from './git/workTreeForms';

/** Files that have another version in the index than before; they have to be looked at before that is accepted. */
export interface IndexChange {
  /** Relative to the root, with `/`. */
  readonly paths: readonly string[];
  /** From now on the new versions are what the files were before anybody changed them. */
  accept(): void;
}

/**
 * Which state of the index the files were last compared with, in a form that can be stored: a commit, and what the
 * index had in another version. Of a file without a version, mode and id are empty.
 */
export interface SnapshotMark {
  readonly head: string | undefined;
  readonly staged: readonly (readonly [below: string, mode: string, id: string])[];
}

export interface SnapshotOptions {
  readonly git: Git;
  /** The bytes of a file of the root now. */
  readonly readFile: (below: string) => Promise<Uint8Array | undefined>;
}

/** More files are staged only by operations that nobody reviews. */
const maxStaged = 20_000;
/** With more files than this, git is asked first which of them have to be read. */
const maxRead = 100;
const link = '120000';
const submodule = '160000';
const emptyBlobs = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

/**
 * What the files of a root were before anybody changed them, as far as git knows: the index at the time of the last
 * look, and the files that it did not have then. Without {@link IndexChange.accept} the view stays as it is, so that
 * what another program writes and stages at once is compared with what was there before.
 */
export class GitSnapshot {
  readonly algorithm: IdAlgorithm;
  readonly #git: Git;
  readonly #objects: GitObjects;
  readonly #forms: WorkTreeForms;
  readonly #readFile: (below: string) => Promise<Uint8Array | undefined>;
  #entries = new IndexEntries(Buffer.alloc(0));
  /** Which file of the index {@link #entries} come from. */
  #stamp: string | undefined;
  /** Versions that take precedence over those of the index; undefined where there was no file. */
  #older: ReadonlyMap<string, IndexEntry | undefined> = new Map();
  /** {@link since} was called and its change has not been accepted. */
  #isBehind = false;
  #unknown:
    | { readonly files: ReadonlySet<string>; readonly folders: ReadonlySet<string> }
    | undefined;

  private constructor({ git, readFile }: SnapshotOptions) {
    this.algorithm = git.algorithm;
    this.#git = git;
    this.#readFile = readFile;
    this.#objects = new GitObjects(git);
    this.#forms = new WorkTreeForms(git, this.#objects, readFile);
  }

  /** @throws {GitError} */
  static async open(options: SnapshotOptions, signal?: AbortSignal): Promise<GitSnapshot> {
    const snapshot = new GitSnapshot(options);
    snapshot.#stamp = await indexStamp(options.git);
    snapshot.#entries = await snapshot.#readIndex(signal);
    return snapshot;
  }

  /** What the file was before anybody changed it; undefined where that is not known. */
  async contentOf(below: string): Promise<Content | undefined> {
    const entry = this.entry(below);
    if (!entry) {
      const isUnknown = !this.#older.has(below) && this.#wasThere(below);
      return isUnknown ? undefined : { kind: 'absent' };
    }
    if (entry.isUnmerged) return undefined;
    // Neither is a regular file.
    if (entry.mode === submodule) return { kind: 'absent' };
    if (entry.mode === link) {
      return (await this.#readFile(below)) ? undefined : { kind: 'absent' };
    }
    if (emptyBlobs.has(entry.id) && (await indexStat(this.#git, below))?.isIntentToAdd === true) {
      return { kind: 'absent' };
    }
    return this.#forms.contentOf(below, entry.id);
  }

  /** The bytes of a content that {@link contentOf} gave, or of any blob. */
  async blob(id: string): Promise<Uint8Array | undefined> {
    return this.#forms.bytesOf(id);
  }

  /** The version of a file in the index that was last accepted. */
  entry(below: string): IndexEntry | undefined {
    return this.#older.has(below) ? this.#older.get(below) : this.#entries.find(below);
  }

  /** Files of the index in a folder; '' for all. */
  pathsBelow(folder: string): Generator<string> {
    return this.#entries.paths(folder);
  }

  /** The folders of submodules. */
  submodules(): readonly string[] {
    return this.#entries.submodules();
  }

  isExecutable(below: string): boolean {
    return this.entry(below)?.mode === '100755';
  }

  /** Whether git takes a content for the blob, in whatever form it has in the work tree. */
  async isFormOf(below: string, content: Content, id: string): Promise<boolean> {
    return this.#forms.isFormOf(below, content, id);
  }

  /** The blob of a file in a commit, where it has one. @param commit an id or a name, such as `HEAD` */
  async blobAt(commit: string, below: string): Promise<string | undefined> {
    const found = await this.#objects.find(`${commit}:${this.#git.prefix}${below}`);
    return found?.type === 'blob' ? found.id : undefined;
  }

  /** The commit that a name stands for. */
  async commitOf(name: string): Promise<string | undefined> {
    const found = await this.#objects.find(`${name}^{commit}`);
    return found?.type === 'commit' ? found.id : undefined;
  }

  /**
   * Reads the index again. Until the change is accepted, everything here is about the index before.
   * @throws {GitError}
   */
  async refresh(signal?: AbortSignal): Promise<IndexChange & { readonly entries: IndexEntries }> {
    this.#forms.forgetConfig();
    const stamp = await indexStamp(this.#git);
    // Other programs run git all the time, which touches the data of git but not the index.
    const isSame = stamp !== undefined && stamp === this.#stamp && !this.#isBehind;
    const entries = isSame ? this.#entries : await this.#readIndex(signal);
    const { pause } = new Slices(signal);
    const paths = new Set(await this.#entries.differences(entries, pause));
    const kept = await this.#keptOf([...paths, ...this.#older.keys()], entries, signal);
    for (const below of this.#older.keys()) {
      if (this.#isBehind || !kept.has(below)) paths.add(below);
    }
    const accept = (): void => {
      this.#entries = entries;
      this.#stamp = stamp;
      this.#older = kept;
      this.#isBehind = false;
    };
    return { paths: [...paths], entries, accept };
  }

  /**
   * Lists the untracked files, and remembers which of those that the index does not have were there before.
   * @param isFirst the root has not been looked at before: all of them were. Otherwise only ignored ones are added
   * @throws {GitError}
   */
  async rememberUntracked(isFirst: boolean, signal?: AbortSignal): Promise<UntrackedList> {
    const untracked = await untrackedPaths(this.#git, signal);
    // They may be ignored no longer, later.
    const ignored = await ignoredPaths(this.#git, signal);
    const files = new Set(isFirst ? untracked.paths : this.#unknown?.files);
    const folders = new Set(this.#unknown?.folders);
    for (const below of ignored.paths) {
      if (below.endsWith('/')) folders.add(below);
      else files.add(below);
    }
    // With more than can be listed, none is certain to be new.
    if (untracked.isCut || ignored.isCut) folders.add('');
    this.#unknown = { files, folders };
    return untracked;
  }

  /**
   * What is staged now, and on which commit.
   * @returns undefined where that cannot be stored: too much, or the index is not the one that was accepted
   * @throws {GitError}
   */
  async mark(signal?: AbortSignal): Promise<SnapshotMark | undefined> {
    const head = await headId(this.#git, signal);
    const changes = await stagedChanges(this.#git, head, signal);
    if (changes.size > maxStaged || this.#isBehind) return undefined;
    const index = await this.#readIndex(signal);
    const { pause } = new Slices(signal);
    const differences = await this.#entries.differences(index, pause);
    if (differences.length > 0 || (await headId(this.#git, signal)) !== head) return undefined;
    const staged = new Map([...changes].map(([below, { after }]) => [below, after]));
    for (const [below, entry] of this.#older) staged.set(below, entry);
    return {
      head,
      staged: [...staged].map(([below, entry]) => [below, entry?.mode ?? '', entry?.id ?? '']),
    };
  }

  /**
   * Goes back to the index at the time of a mark: what was committed or staged since is a change that has to be looked
   * at and accepted.
   * @throws {GitError} when the commit of the mark is gone
   */
  async since(mark: SnapshotMark, signal?: AbortSignal): Promise<IndexChange> {
    const head = await headId(this.#git, signal);
    const commits = await treeChanges(this.#git, mark.head, head, signal);
    const staged = await stagedChanges(this.#git, head, signal);
    const before = new Map<string, TreeEntry | undefined>();
    for (const [below, change] of staged) before.set(below, change.before);
    for (const [below, change] of commits) before.set(below, change.before);
    for (const [below, mode, id] of mark.staged) {
      before.set(below, id === '' ? undefined : { mode, id });
    }
    const older = new Map<string, IndexEntry | undefined>();
    for (const [below, entry] of before) {
      const now = this.#entries.find(below);
      if (now?.id === entry?.id && now?.mode === entry?.mode) continue;
      older.set(below, entry && { ...entry, isUnmerged: false });
    }
    this.#older = older;
    this.#isBehind = true;
    const kept = await this.#keptOf(older.keys(), this.#entries, signal);
    const accept = (): void => {
      this.#older = kept;
      this.#isBehind = false;
    };
    return { paths: [...older.keys()], accept };
  }

  dispose(): void {
    this.#objects.dispose();
    this.#forms.dispose();
  }

  /**
   * Files that are on disk as they were, while the index has another version or none: whoever changed the index did not
   * change them.
   */
  async #keptOf(
    paths: Iterable<string>,
    entries: IndexEntries,
    signal?: AbortSignal,
  ): Promise<Map<string, IndexEntry | undefined>> {
    const kept = new Map<string, IndexEntry | undefined>();
    const candidates = [...new Set(paths)].flatMap(below => {
      const before = this.entry(below);
      const after = entries.find(below);
      if (!before || before.isUnmerged || after?.id === before.id) return [];
      return [{ below, before, isIndexed: after !== undefined }];
    });
    // After a checkout nearly all files are those of the index: git knows that without reading them.
    const dirty =
      candidates.length > maxRead
        ? new Set((await dirtyPaths(this.#git, signal)).paths)
        : undefined;
    for (const { below, before, isIndexed } of candidates) {
      if (dirty && isIndexed && !dirty.has(below)) continue;
      const bytes = await this.#readFile(below);
      const now = bytes && contentOf(bytes, this.algorithm);
      if (now && (await this.isFormOf(below, now, before.id))) kept.set(below, before);
    }
    return kept;
  }

  #wasThere(below: string): boolean {
    if (!this.#unknown) return true;
    const { files, folders } = this.#unknown;
    if (files.has(below) || folders.has('')) return true;
    for (let at = below.indexOf('/'); at >= 0; at = below.indexOf('/', at + 1)) {
      if (folders.has(below.slice(0, at + 1))) return true;
    }
    return false;
  }

  async #readIndex(signal: AbortSignal | undefined): Promise<IndexEntries> {
    const { bytes, isCut } = await this.#git.run('ls-files', ['-s', '-z'], {
      signal,
      maxBytes: maxIndexBytes,
    });
    // A part of the list would make the rest look new.
    if (isCut) throw new RangeError(`ls-files: more than ${maxIndexBytes} bytes`);
    return new IndexEntries(bytes);
  }
}

/** About two million files. */
const maxIndexBytes = 256 * 1024 * 1024;

/** Different whenever the index was written; undefined before it was for the first time. */
export async function indexStamp({ folder }: Git): Promise<string | undefined> {
  try {
    const found = await stat(path.join(folder, 'index'), { bigint: true });
    return `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  } catch (error) {
    if (isNoFile(error)) return undefined;
    throw error;
  }
}
