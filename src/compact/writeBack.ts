import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, isMissing } from '../base/fileErrors';
import type { NewSession } from './sessions/history';

/** A file that a write-back created. */
interface WrittenFile {
  readonly path: string;
  /** SHA-256 of the bytes. */
  readonly digest: string;
}

export interface WrittenSession {
  readonly files: readonly WrittenFile[];
  /** Folders that were created for the files; the deepest last. */
  readonly folders: readonly string[];
}

/** The target exists already or lies outside the allowed folders. Nothing was written. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';

  constructor(
    readonly reason: 'exists' | 'outside',
    readonly file: string,
  ) {
    super(`${reason}: ${file}`);
  }
}

/**
 * Writes the files of a session next to the one that it was made from. Each file is created atomically
 * and never replaces another.
 * @param folder that holds the file that was compacted.
 * @throws {WriteRefused}
 */
export async function writeSession(folder: string, session: NewSession): Promise<WrittenSession> {
  const files: WrittenFile[] = [];
  const folders: string[] = [];
  try {
    for (const file of session.files) {
      const target = path.resolve(folder, file.path);
      if (!isInSiblingFolder(folder, target)) throw new WriteRefused('outside', target);
      const made = await mkdir(path.dirname(target), { recursive: true });
      if (made !== undefined) folders.push(made);
      const bytes = Buffer.from(file.text);
      await createAtomically(target, bytes);
      files.push({ path: target, digest: digestOf(bytes) });
    }
  } catch (error) {
    await removeSession({ files, folders });
    throw error;
  }
  return { files, folders };
}

/** Whether the target lies in the folder itself or in a sibling folder. */
function isInSiblingFolder(folder: string, target: string): boolean {
  const relative = path.relative(path.dirname(folder), target);
  return relative !== '' && !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}

async function createAtomically(target: string, bytes: Uint8Array): Promise<void> {
  const temporary = path.join(path.dirname(target), `.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600 });
    // A rename would replace an existing file; a hard link fails instead.
    await link(temporary, target).catch(async (error: unknown) => {
      if (errorCode(error) === 'EEXIST') throw error;
      // Not every file system supports hard links.
      await copyFile(temporary, target, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new WriteRefused('exists', target);
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

/** Files whose content differs from what was written. Deleted files are not listed. */
export async function changedFiles({ files }: WrittenSession): Promise<string[]> {
  const changed: string[] = [];
  for (const { path: file, digest } of files) {
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes && digestOf(bytes) !== digest) changed.push(file);
  }
  return changed;
}

/** Deletes the written files, and the folders created for them if they are empty. */
export async function removeSession({ files, folders }: WrittenSession): Promise<void> {
  for (const { path: file } of files) {
    await unlink(file).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => undefined);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
