import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  link,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rmdir,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { errorCode, isMissing } from '../base/fileErrors';
import type { NewSession } from './sessions/history';
import { type IndexRow, withoutRow, withRow } from './sessions/indexRows';

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
  /** The row that was added to the tool's list of sessions. */
  readonly row?: IndexRow;
}

/** The target exists already or lies outside the allowed folders, or the tool's list is not as expected. Nothing was written. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';

  constructor(
    readonly reason: 'exists' | 'outside' | 'index',
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
  const root = path.resolve(folder, session.within ?? '..');
  try {
    for (const file of [...session.files, ...(session.copies ?? [])]) {
      const bytes = await bytesOf(folder, file);
      if (!bytes) continue;
      const target = path.resolve(folder, file.path);
      if (!isWithin(root, target)) throw new WriteRefused('outside', target);
      const made = await mkdir(path.dirname(target), { recursive: true });
      if (made !== undefined) folders.push(...chainOf(made, path.dirname(target)));
      await createAtomically(target, bytes);
      files.push({ path: target, digest: digestOf(bytes) });
    }
    if (!session.indexRow) return { files, folders };
    const row = { ...session.indexRow, path: path.resolve(folder, session.indexRow.path) };
    if (!isWithin(root, row.path)) throw new WriteRefused('outside', row.path);
    await changeIndex(row, text => withRow(text, row));
    return { files, folders, row };
  } catch (error) {
    await removeSession({ files, folders });
    throw error;
  }
}

async function bytesOf(
  folder: string,
  file: { readonly text: string } | { readonly from: string },
): Promise<Buffer | undefined> {
  if ('text' in file) return Buffer.from(file.text);
  return readFile(path.resolve(folder, file.from)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

/**
 * Changes the tool's list of sessions at once: a reader sees the old or the new list, and a list that the tool
 * has changed meanwhile is read again.
 * @throws {WriteRefused} when it is a link, or no list.
 */
async function changeIndex(
  { path: file }: IndexRow,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  const found = await lstat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found && !found.isFile()) throw new WriteRefused('index', file);
  for (let attempt = 0; ; attempt++) {
    const before = found && (await readFile(file, 'utf8'));
    const next = change(before);
    if (next === undefined) throw new WriteRefused('index', file);
    if (next === before) return;
    const temporary = path.join(path.dirname(file), `.${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, next, { flag: 'wx', mode: found ? found.mode & 0o777 : 0o600 });
      const now = found && (await readFile(file, 'utf8'));
      if (now !== before) {
        if (attempt < maxAttempts) continue;
        throw new WriteRefused('index', file);
      }
      await rename(temporary, file);
      return;
    } finally {
      await unlink(temporary).catch(() => undefined);
    }
  }
}

const maxAttempts = 5;

function isWithin(root: string, target: string): boolean {
  const relative = path.relative(root, target);
  return relative !== '' && !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}

/** The folders from the first to the last, which is within it. */
function chainOf(first: string, last: string): string[] {
  const names = path.relative(first, last).split(path.sep);
  const chain = [first];
  for (const name of names) if (name !== '') chain.push(path.join(chain.at(-1) ?? first, name));
  return chain;
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

/** Whether a file has a text, in UTF-8. */
export async function isTextOf(file: string, text: string): Promise<boolean> {
  return (await readFile(file)).equals(Buffer.from(text));
}

/**
 * Replaces the text of a file at once, so that its tool reads the old text or the new one.
 * @returns false when the file does not have the old text, in UTF-8, any more; then it is left as it is.
 */
export async function replaceText(file: string, before: string, after: string): Promise<boolean> {
  // A link stays: replaced itself, it would leave the old text where it leads to.
  const target = await realpath(file);
  const temporary = path.join(path.dirname(target), `.${randomUUID()}.tmp`);
  try {
    const { mode } = await lstat(target);
    await writeFile(temporary, after, { flag: 'wx', mode: mode & 0o777 });
    if (!(await isTextOf(target, before))) return false;
    await rename(temporary, target);
    return true;
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

/** Deletes the written files with their row, and the folders created for them if they are empty. */
export async function removeSession({ files, folders, row }: WrittenSession): Promise<void> {
  // A list that is gone or of another shape has no row of ours.
  if (row)
    await changeIndex(row, text => text && (withoutRow(text, row) ?? text)).catch(ignoreRefused);
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

function ignoreRefused(error: unknown): void {
  if (!(error instanceof WriteRefused)) throw error;
}
