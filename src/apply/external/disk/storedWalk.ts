import path from 'node:path';
import type { Content, IdAlgorithm } from '../core/content';
import type { UnmodifiedFiles } from '../core/tracker';
import { RootWalk, type RootWalkOptions, type WalkedFile } from './rootWalk';
import { StateFile } from './stateFile';

export interface StoredWalkOptions extends Omit<RootWalkOptions, 'before'> {
  /** Whether a folder is a work tree, whose files are left out. */
  readonly isRepository: (below: string) => boolean;
  /** Folder for what the next session needs. */
  readonly storage: string;
  readonly onError: (error: unknown) => void;
}

/** A file as it is stored: path, size, mtime, ctime and inode. */
type StoredFile = readonly [string, number, number, number, number];

/** {@link RootWalk} that goes on from the last walk of the session before. */
export class StoredWalk implements UnmodifiedFiles {
  /** Nobody has looked at the root before. */
  readonly isFirst: boolean;
  readonly #walk: RootWalk;
  readonly #stored: StateFile<StoredFile[]>;
  readonly #repositories = new Set<string>();

  private constructor(
    options: StoredWalkOptions,
    stored: StateFile<StoredFile[]>,
    before: readonly StoredFile[] | undefined,
  ) {
    this.isFirst = !before;
    this.#stored = stored;
    this.#walk = new RootWalk({
      ...options,
      isSkipped: (below, isFolder) => {
        if (options.isSkipped(below, isFolder)) return true;
        const isRepository = isFolder && options.isRepository(below);
        if (isRepository) this.#repositories.add(below);
        return isRepository;
      },
      before: before?.map(walkedFile),
    });
  }

  static async open(options: StoredWalkOptions): Promise<StoredWalk> {
    const { storage, onError } = options;
    const file = path.join(storage, 'walk.json');
    const stored = new StateFile({ file, isValid: areFiles, onError });
    return new StoredWalk(options, stored, await stored.read());
  }

  /** Folders with repositories; complete after a scan. */
  get repositories(): readonly string[] {
    return [...this.#repositories];
  }

  get algorithm(): IdAlgorithm {
    return this.#walk.algorithm;
  }

  async contentOf(below: string): Promise<Content | undefined> {
    return this.#walk.contentOf(below);
  }

  async blob(): Promise<undefined> {
    return undefined;
  }

  /**
   * Files that may have changed while nobody looked; none of them is read.
   * @throws {AbortError}
   */
  async scan(signal?: AbortSignal): Promise<readonly string[]> {
    const { paths } = await this.#walk.walk(signal);
    if (paths.length > 0 || this.isFirst) {
      await this.#stored.write(
        [...this.#walk.files()].map(({ path: below, size, mtimeMs, ctimeMs, ino }) => [
          below,
          size,
          mtimeMs,
          ctimeMs,
          ino,
        ]),
      );
    }
    return paths;
  }
}

const walkedFile = ([below, size, mtimeMs, ctimeMs, ino]: StoredFile): WalkedFile => ({
  path: below,
  size,
  mtimeMs,
  ctimeMs,
  ino,
});

/** Only this extension writes the file, as one draft that takes its place; a damaged one has no valid JSON. */
const areFiles = (value: unknown): value is StoredFile[] =>
  Array.isArray(value) && value.every(each => Array.isArray(each) && typeof each[0] === 'string');
