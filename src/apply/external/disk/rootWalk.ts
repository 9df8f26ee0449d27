import { lstatSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { grown } from '../../../base/arrays';
import { Slices } from '../../../base/async/slices';
import { errorCode, isNoFile } from '../../../base/fileErrors';
import type { Content, IdAlgorithm } from '../core/content';

export interface RootWalkOptions {
  /** Absolute. */
  readonly root: string;
  /** Whether a file, or all of a folder, is left out. */
  readonly isSkipped: (below: string, isFolder: boolean) => boolean;
  readonly maxFiles?: number;
  /** What {@link RootWalk.files} gave before a restart. */
  readonly before?: Iterable<WalkedFile> | undefined;
}

/** A file as a walk found it; times in milliseconds. All but the path say only whether it has to be read again. */
export interface WalkedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

export interface WalkResult {
  /** Files that are new, gone, or may have other bytes than at the last walk. */
  readonly paths: readonly string[];
  /** There are more files than are looked at. */
  readonly isCut: boolean;
}

const usualMaxFiles = 100_000;
/** Numbers per file: size, mtime, ctime, inode. */
const width = 4;
/** When files take longer on average, the disk is slow, and waiting for it must not block the window. */
const slowMs = 1;
const minAsked = 20;

/**
 * The files of a folder without git. What changed between two walks has to be read; what was not there at the first
 * walk is new. Links are not followed.
 */
export class RootWalk {
  readonly algorithm: IdAlgorithm = 'sha1';
  readonly #options: RootWalkOptions;
  readonly #maxFiles: number;
  #walked = new FileStats();
  /** Files and folders that were there before anybody changed them; undefined before the first walk. */
  #old: { readonly files: ReadonlySet<string>; readonly skipped: ReadonlySet<string> } | undefined;
  #isCut = false;
  /** How many files were asked for at once, and how long that took. */
  #asked = 0;
  #askedMs = 0;

  constructor(options: RootWalkOptions) {
    this.#options = options;
    this.#maxFiles = options.maxFiles ?? usualMaxFiles;
    for (const file of options.before ?? []) this.#walked.add(file.path, file);
  }

  /** Files of the last walk, to be stored. */
  files(): Iterable<WalkedFile> {
    return this.#walked.all();
  }

  /**
   * Looks at all files.
   * @throws {AbortError} when the signal is aborted; then the last walk still counts
   */
  async walk(signal?: AbortSignal): Promise<WalkResult> {
    const root = path.join(this.#options.root, path.sep);
    const before = this.#walked;
    const now = new FileStats();
    const skipped = new Set<string>();
    const changed: string[] = [];
    const slices = new Slices(signal);
    let isCut = false;
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined && !isCut; folder = folders.pop()) {
      for (const entry of await this.#entriesOf(folder)) {
        if (slices.isDue) await slices.pause();
        const isFolder = entry.isDirectory();
        if (!isFolder && !entry.isFile()) continue;
        const below = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (this.#options.isSkipped(below, isFolder)) skipped.add(below);
        else if (isFolder) folders.push(below);
        else if (now.size >= this.#maxFiles) isCut = true;
        else {
          const found = await this.#statOf(`${root}${below}`);
          if (!found?.isFile()) continue;
          now.add(below, found);
          if (!now.isSame(below, before)) changed.push(below);
        }
        if (isCut) break;
      }
    }
    // Files that were not looked at are not gone.
    if (!isCut) for (const below of before.paths()) if (!now.has(below)) changed.push(below);
    this.#old ??= {
      files: new Set((before.size > 0 ? before : now).paths()),
      skipped,
    };
    this.#walked = now;
    this.#isCut ||= isCut;
    return { paths: changed, isCut };
  }

  /** What the file was before anybody changed it, without having read it: absent, or not known. */
  async contentOf(below: string): Promise<Content | undefined> {
    if (!this.#old || this.#isCut || this.#old.files.has(below)) return undefined;
    for (let part = below; part !== '.'; part = path.posix.dirname(part)) {
      if (this.#old.skipped.has(part)) return undefined;
    }
    return { kind: 'absent' };
  }

  /** There is no repository to read from. */
  async blob(): Promise<undefined> {
    return undefined;
  }

  async #entriesOf(folder: string) {
    try {
      return await readdir(path.join(this.#options.root, folder), { withFileTypes: true });
    } catch (error) {
      // Without its root, nothing of it is known. A folder may be deleted or locked in the meantime.
      if (folder === '') throw error;
      return [];
    }
  }

  /** Undefined where there is no file, or none that may be looked at. */
  async #statOf(file: string): Promise<Stats | undefined> {
    try {
      if (this.#asked >= minAsked && this.#askedMs > this.#asked * slowMs) return await lstat(file);
      // Three times as fast as asking for a promise.
      const start = performance.now();
      const found = lstatSync(file, { throwIfNoEntry: false });
      this.#askedMs += performance.now() - start;
      this.#asked++;
      return found;
    } catch (error) {
      // What cannot be read is reported by who reads it.
      if (isNoFile(error) || ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return undefined;
      throw error;
    }
  }
}

/** The times and sizes of files, without an object for each. */
class FileStats {
  readonly #places = new Map<string, number>();
  #numbers = new Float64Array(width * 1024);

  get size(): number {
    return this.#places.size;
  }

  add(below: string, { size, mtimeMs, ctimeMs, ino }: Omit<WalkedFile, 'path'>): void {
    const at = this.#places.size * width;
    if (at === this.#numbers.length) {
      this.#numbers = grown(this.#numbers, new Float64Array(2 * this.#numbers.length));
    }
    this.#places.set(below, at);
    this.#numbers[at] = size;
    this.#numbers[at + 1] = mtimeMs;
    this.#numbers[at + 2] = ctimeMs;
    this.#numbers[at + 3] = ino;
  }

  has(below: string): boolean {
    return this.#places.has(below);
  }

  paths(): Iterable<string> {
    return this.#places.keys();
  }

  isSame(below: string, other: FileStats): boolean {
    const at = this.#places.get(below);
    const there = other.#places.get(below);
    if (at === undefined || there === undefined) return false;
    for (let offset = 0; offset < width; offset++) {
      if (this.#numbers[at + offset] !== other.#numbers[there + offset]) return false;
    }
    return true;
  }

  *all(): Generator<WalkedFile> {
    for (const [below, at] of this.#places) {
      const [size = 0, mtimeMs = 0, ctimeMs = 0, ino = 0] = this.#numbers.subarray(at, at + width);
      yield { path: below, size, mtimeMs, ctimeMs, ino };
    }
  }
}
