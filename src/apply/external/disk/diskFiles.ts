import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  access,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import path from 'node:path';
import { errorCode, isNoFile } from '../../../base/fileErrors';
import { type Content, contentOf, type IdAlgorithm, sameContent } from '../core/content';
import { type FilePlace, RootPaths } from './rootPaths';

/** `changed`: the file has other bytes than expected. `refused`: nothing may be written there. */
type WriteOutcome = 'done' | 'changed' | 'readOnly' | 'refused';

export interface RootFilesOptions {
  /** Absolute. */
  readonly root: string;
  readonly algorithm: IdAlgorithm;
  /** Moves a file to the trash of the system. When it throws, nothing has been deleted. */
  readonly moveToTrash: (file: string) => Promise<void>;
  /** Whether a file that is written anew was executable. */
  readonly isExecutable?: ((below: string) => boolean) | undefined;
  /** Makes the written bytes durable; tests pass their own. */
  readonly sync?: ((file: FileHandle) => Promise<void>) | undefined;
}

/** Larger files are not read: neither a baseline nor a way back is kept for them. */
const maxFileBytes = 64 * 1024 * 1024;
/** How often a file is read again that changes while it is read. */
const maxReads = 3;
const draftPrefix = '.splice-draft-';

/** Whether a path is a file that {@link RootFiles} writes for the moment before it takes the place of another. */
export function isDraft(below: string): boolean {
  return below.slice(below.lastIndexOf('/') + 1).startsWith(draftPrefix);
}

/**
 * The files of one root. A write replaces the bytes that the user saw, or nothing: the content is compared before
 * the new bytes are written beside the file, and again before they take its place. Paths are relative to the root,
 * with `/`; links that lead out of it and `.git` are out of reach.
 */
export class RootFiles {
  readonly #paths: RootPaths;
  readonly #algorithm: IdAlgorithm;
  readonly #moveToTrash: (file: string) => Promise<void>;
  readonly #isExecutable: (below: string) => boolean;
  readonly #sync: (file: FileHandle) => Promise<void>;

  constructor(options: RootFilesOptions) {
    this.#paths = new RootPaths(options.root);
    this.#algorithm = options.algorithm;
    this.#moveToTrash = options.moveToTrash;
    this.#isExecutable = options.isExecutable ?? (() => false);
    this.#sync = options.sync ?? (async file => file.sync());
  }

  /**
   * Undefined where there is no regular file that belongs to the root.
   * @throws when the file cannot be read or has more than 64 MB, and when the root is gone.
   */
  async read(below: string): Promise<Uint8Array | undefined> {
    const place = await this.#paths.find(below);
    if (!place || place.missing.length > 0) return undefined;
    return readRegular(path.join(place.folder, place.name));
  }

  /** Writes only if the file still has `expected`, and then all bytes at once. Its mode stays. */
  async replace(below: string, expected: Content, bytes: Uint8Array): Promise<WriteOutcome> {
    if (expected.kind === 'unknown') return 'changed';
    const place = await this.#paths.find(below);
    if (!place) return 'refused';
    try {
      return expected.kind === 'absent'
        ? await this.#create(place, bytes, this.#isExecutable(below))
        : await this.#overwrite(place, expected, bytes);
    } catch (error) {
      if (isReadOnlyError(error)) return 'readOnly';
      // A file has the name of a folder that is needed.
      if (errorCode(error) === 'ENOTDIR') return 'refused';
      throw error;
    }
  }

  /** Deletes only if the file still has `expected`, and only into the trash. */
  async trash(below: string, expected: Content): Promise<WriteOutcome> {
    if (expected.kind !== 'file') return 'changed';
    const place = await this.#paths.find(below);
    if (!place) return 'refused';
    const file = path.join(place.folder, place.name);
    const found = await this.#checked(place, expected);
    if (!found) return 'changed';
    if (await isReadOnly(place.folder, file, found)) return 'readOnly';
    try {
      await this.#moveToTrash(file);
    } catch {
      // There may be no trash. Deleting for good instead is not for us to decide.
      return 'refused';
    }
    return (await statOf(file)) ? 'refused' : 'done';
  }

  async #overwrite(place: FilePlace, expected: Content, bytes: Uint8Array): Promise<WriteOutcome> {
    const file = path.join(place.folder, place.name);
    const found = await this.#checked(place, expected);
    if (!found) return 'changed';
    if (await isReadOnly(place.folder, file, found)) return 'readOnly';
    const draft = await this.#writeDraft(place.folder, bytes, found);
    try {
      if (!(await this.#paths.isSame(place.folder))) return 'refused';
      if (!(await this.#checked(place, expected))) return 'changed';
      await rename(draft, file);
    } finally {
      await removeDraft(draft);
    }
    await syncFolder(place.folder);
    return 'done';
  }

  async #create(
    { folder: deepest, missing, name }: FilePlace,
    bytes: Uint8Array,
    isExecutable: boolean,
  ): Promise<WriteOutcome> {
    const occupant = missing.length === 0 ? await statOf(path.join(deepest, name)) : undefined;
    // A link or a special file has no bytes to compare.
    if (occupant) return occupant.isFile() ? 'changed' : 'refused';
    if (await isReadOnly(deepest)) return 'readOnly';
    const made: string[] = [];
    let isDone = false;
    try {
      let folder = deepest;
      for (const part of missing) {
        folder = path.join(folder, part);
        if (await madeFolder(folder)) made.unshift(folder);
        if (!(await this.#paths.isSame(folder))) return 'refused';
      }
      const draft = await this.#writeDraft(folder, bytes);
      try {
        if (!(await this.#paths.isSame(folder))) return 'refused';
        isDone = await createdFrom(draft, path.join(folder, name), bytes, isExecutable);
      } finally {
        await removeDraft(draft);
      }
      await syncFolder(folder);
      return isDone ? 'done' : 'changed';
    } finally {
      if (!isDone) await removeEmpty(made);
    }
  }

  /** The file with exactly the expected content; undefined when it has another one or is no regular file. */
  async #checked({ folder, missing, name }: FilePlace, expected: Content) {
    if (missing.length > 0) return undefined;
    const file = path.join(folder, name);
    const bytes = await readRegular(file);
    if (!bytes || !sameContent(contentOf(bytes, this.#algorithm), expected)) return undefined;
    const found = await statOf(file);
    return found?.isFile() ? found : undefined;
  }

  /** @param model the file whose mode and owner the draft gets */
  async #writeDraft(folder: string, bytes: Uint8Array, model?: Stats): Promise<string> {
    const draft = path.join(folder, draftPrefix + randomBytes(8).toString('hex'));
    // Nobody else may read it before it has its mode.
    const handle = await open(draft, 'wx', model ? 0o600 : 0o666);
    try {
      await handle.writeFile(bytes);
      if (model) await copyOwnerAndMode(handle, model);
      await this.#sync(handle);
    } catch (error) {
      await handle.close();
      await removeDraft(draft);
      throw error;
    }
    await handle.close();
    return draft;
  }
}

async function readRegular(file: string): Promise<Uint8Array | undefined> {
  try {
    // O_NOFOLLOW: no link. O_NONBLOCK: a pipe must not block. Both are missing on Windows.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    if (!(await statOf(file))?.isFile()) return undefined;
    await using handle = await open(file, flags);
    for (let reads = 1; ; reads++) {
      const before = await handle.stat();
      if (!before.isFile()) return undefined;
      if (before.size > maxFileBytes) throw new RangeError(`${before.size} bytes: ${file}`);
      const bytes = await readAll(handle, before.size);
      const after = await handle.stat();
      const isQuiet = after.mtimeMs === before.mtimeMs && after.size === bytes.byteLength;
      if (isQuiet || reads === maxReads) return bytes;
    }
  } catch (error) {
    // ENXIO: a socket.
    if (isNoFile(error) || errorCode(error) === 'ENXIO') return undefined;
    throw error;
  }
}

/** From the start, whatever was read before. */
async function readAll(handle: FileHandle, size: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < buffer.byteLength) {
    const { bytesRead } = await handle.read(buffer, length, buffer.byteLength - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (isNoFile(error)) return undefined;
    throw error;
  }
}

/** By the mode as well, because the administrator may write everything. */
async function isReadOnly(folder: string, file?: string, found?: Stats): Promise<boolean> {
  if (found && (found.mode & 0o222) === 0) return true;
  // The bit says something else about folders on Windows.
  if (process.platform !== 'win32' && ((await lstat(folder)).mode & 0o222) === 0) return true;
  for (const checked of file === undefined ? [folder] : [folder, file]) {
    try {
      await access(checked, constants.W_OK);
    } catch (error) {
      if (isReadOnlyError(error)) return true;
      throw error;
    }
  }
  return false;
}

const isReadOnlyError = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '');

async function copyOwnerAndMode(draft: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await draft.stat();
  if (own.uid !== uid || own.gid !== gid) {
    // Only the administrator may give files away; for others the file becomes the user's.
    await draft.chown(uid, gid).catch((error: unknown) => {
      if (!isReadOnlyError(error)) throw error;
    });
  }
  await draft.chmod(mode & 0o7777);
}

/**
 * Gives a draft its name, if nothing has that name yet.
 * @returns whether it did
 */
async function createdFrom(
  draft: string,
  file: string,
  bytes: Uint8Array,
  isExecutable: boolean,
): Promise<boolean> {
  try {
    if (isExecutable) {
      await using handle = await open(draft, 'r+');
      const { mode } = await handle.stat();
      // Whoever may read may execute.
      await handle.chmod((mode & 0o777) | ((mode & 0o444) >> 2));
    }
    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) throw error;
  }
  // A file system without hard links.
  return createdDirectly(file, bytes, isExecutable);
}

async function createdDirectly(
  file: string,
  bytes: Uint8Array,
  isExecutable: boolean,
): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'wx', isExecutable ? 0o777 : 0o666);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    // Half of a file is worse than none.
    await unlink(file);
    throw error;
  } finally {
    await handle.close();
  }
  return true;
}

async function madeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The inner folders first; one that somebody has used in the meantime stays. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error) ?? '')) throw error;
    }
  }
}

async function removeDraft(draft: string): Promise<void> {
  try {
    await unlink(draft);
  } catch (error) {
    // It has become the file, or its folder has been moved away.
    if (!isNoFile(error)) throw error;
  }
}

/** Makes a new name durable. Windows knows no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
