import type { Clock } from '../../base/async/clock';
import type { CandidateIndex } from '../local/candidateIndex';
import type { ListOptions } from '../workspace/searchedFiles';
import type { IndexSize } from './answerIndex';
import type { IndexListener, IndexThread } from './indexThread';

/** Knows the words of all files of some folders, and so which of them may mention an identifier. */
export interface SearchIndex extends CandidateIndex {
  /**
   * The files of a root that may mention an identifier, relative to the root: all that do, and others that have its
   * parts elsewhere. Undefined when it cannot say now.
   */
  filesWith(root: string, name: string): Promise<readonly string[] | undefined>;
}

/** Indexes of folders that are kept between searches. */
export interface SearchIndexes {
  /** The index for a search; undefined unless each of the folders has one of just these files. */
  of(roots: readonly string[], files: ListOptions): SearchIndex | undefined;
  /**
   * Called after a search, so that its folders get an index, or theirs is compared with the files.
   * @param count of files that were searched
   */
  searched(roots: readonly string[], files: ListOptions, count: number): void;
}

export interface FolderIndexesParts {
  readonly startThread: (
    listener: IndexListener,
  ) => Pick<
    IndexThread,
    'open' | 'update' | 'verify' | 'close' | 'find' | 'filesWith' | 'correctionsOf' | 'dispose'
  >;
  /** Whether folders of so many files get an index. */
  readonly isWanted: (files: number) => boolean;
  /** Where the index of a folder is kept. */
  readonly storageOf: (root: string) => string;
  /** Calls back with paths below the root that may have changed, with `/`, until the result is called. */
  readonly watch: (root: string, onChange: (below: string) => void) => () => void;
  /** Called when an index is being made or read. */
  readonly onOpening: (ready: Promise<void>) => void;
  readonly log: (message: string) => void;
  readonly clock: Clock;
}

/** Milliseconds after the last search in which nothing was searched. */
const idleMs = 2000;
/** Changes are told together, in milliseconds. */
const batchMs = 300;
/** An index is compared with its files after a search, but not more often than this, in milliseconds. */
const verifyAfterMs = 60_000;

/** Indexes are closed when nothing was searched for so long, in milliseconds: they hold memory. */
const closeAfterMs = 30 * 60_000;

interface OpenFolder {
  /** Which files the index is of. */
  readonly key: string;
  readonly unwatch: () => void;
  readonly changed: Set<string>;
  readonly settle: () => void;
  verifiedAt: number;
  isReady: boolean;
}

/**
 * Opens the indexes of folders that are searched, and keeps them up to date. A folder whose changes are not all told
 * has none from then on.
 */
export class FolderIndexes implements SearchIndexes {
  readonly #parts: FolderIndexesParts;
  readonly #folders = new Map<string, OpenFolder>();
  /** Folders without an index for the rest of this session. */
  readonly #refused = new Set<string>();
  #thread: ReturnType<FolderIndexesParts['startThread']> | undefined;
  #cancelOpening: (() => void) | undefined;
  #cancelClosing: (() => void) | undefined;
  #cancelBatch: (() => void) | undefined;

  constructor(parts: FolderIndexesParts) {
    this.#parts = parts;
  }

  of(roots: readonly string[], files: ListOptions): SearchIndex | undefined {
    const key = keyOf(files);
    const thread = this.#thread;
    const isReady = roots.every(root => {
      const folder = this.#folders.get(root);
      return folder?.isReady === true && folder.key === key;
    });
    if (!thread || !isReady) return undefined;
    return {
      find: async query => {
        this.#flushChanges();
        return thread.find(query);
      },
      filesWith: async (root, name) => {
        this.#flushChanges();
        return thread.filesWith(root, name);
      },
      correctionsOf: async (folders, words) => {
        this.#flushChanges();
        return thread.correctionsOf(folders, words);
      },
    };
  }

  searched(roots: readonly string[], files: ListOptions, count: number): void {
    this.#cancelOpening?.();
    this.#cancelClosing?.();
    if (!this.#parts.isWanted(count)) {
      this.close();
      return;
    }
    this.#cancelClosing = this.#parts.clock.after(closeAfterMs, () => this.close());
    const key = keyOf(files);
    this.#cancelOpening = this.#parts.clock.after(idleMs, () => {
      for (const root of this.#folders.keys()) {
        if (!roots.includes(root)) this.#forget(root);
      }
      for (const root of roots) {
        const folder = this.#folders.get(root);
        if (folder?.key !== key) this.#open(root, key, files);
        else this.#verify(root, folder);
      }
    });
  }

  /** Ends the thread; what is stored stays. */
  close(): void {
    this.#cancelOpening?.();
    this.#cancelClosing?.();
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
    for (const root of this.#folders.keys()) this.#forget(root);
    void this.#thread?.dispose();
    this.#thread = undefined;
  }

  #open(root: string, key: string, files: ListOptions): void {
    this.#forget(root);
    if (this.#refused.has(root)) return;
    this.#thread ??= this.#parts.startThread({
      onReady: (ready, size) => this.#ready(ready, size),
      onVerified: (verified, missed) => this.#verified(verified, missed),
      onFailed: (failed, message) => this.#failed(failed, message),
    });
    const changed = new Set<string>();
    const unwatch = this.#parts.watch(root, below => {
      changed.add(below);
      this.#cancelBatch ??= this.#parts.clock.after(batchMs, () => this.#flushChanges());
    });
    let settle: (() => void) | undefined;
    const ready = new Promise<void>(resolve => {
      settle = resolve;
    });
    this.#parts.onOpening(ready);
    const verifiedAt = this.#parts.clock.monotonic();
    this.#folders.set(root, {
      key,
      unwatch,
      changed,
      settle: () => settle?.(),
      verifiedAt,
      isReady: false,
    });
    this.#thread.open({ root, storage: this.#parts.storageOf(root), files });
  }

  #verify(root: string, folder: OpenFolder): void {
    const now = this.#parts.clock.monotonic();
    if (!folder.isReady || now - folder.verifiedAt < verifyAfterMs) return;
    folder.verifiedAt = now;
    this.#flushChanges();
    this.#thread?.verify(root);
  }

  #flushChanges(): void {
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
    for (const [root, { changed }] of this.#folders) {
      if (changed.size > 0) this.#thread?.update(root, [...changed]);
      changed.clear();
    }
  }

  #ready(root: string, { files, bytes, ms }: IndexSize): void {
    const folder = this.#folders.get(root);
    if (!folder) return;
    folder.isReady = true;
    folder.settle();
    this.#parts.log(
      `search index: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, ready after ${Math.round(ms)} ms`,
    );
  }

  #verified(root: string, missed: number): void {
    if (missed === 0) return;
    this.#refuse(root);
    this.#parts.log(
      `search index: not used any more, as VS Code did not report ${missed} changed files`,
    );
  }

  #failed(root: string | undefined, message: string): void {
    for (const failed of root === undefined ? [...this.#folders.keys()] : [root]) {
      this.#refuse(failed);
    }
    if (root === undefined) this.#thread = undefined;
    this.#parts.log(`search index: not used any more: ${message}`);
  }

  #refuse(root: string): void {
    this.#refused.add(root);
    this.#forget(root);
  }

  #forget(root: string): void {
    const folder = this.#folders.get(root);
    if (!folder) return;
    folder.unwatch();
    folder.settle();
    this.#folders.delete(root);
    this.#thread?.close(root);
  }
}

const keyOf = ({ exclude, flags }: ListOptions): string => JSON.stringify([exclude, flags]);
