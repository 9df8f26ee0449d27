import { constants } from 'node:fs';
import { copyFile, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isMissing } from '../../../base/fileErrors';

/** Runs a query with texts as parameters; each row is a record of its columns. */
export type Query = (sql: string, ...parameters: readonly string[]) => readonly unknown[];

/** The runtime has no SQLite: Node.js has it from version 22.13. */
export class NoSqlite extends Error {
  override readonly name = 'NoSqlite';
}

/** A copy of a database, with what is still in its log, so that the one of the tool is not locked. */
export interface DatabaseCopy {
  readonly query: Query;
  readonly close: () => Promise<void>;
}

const copyPrefix = 'splice-db-';
const dayMs = 24 * 60 * 60 * 1000;

/** Removes what a process or a thread has left that was ended while it read. */
async function removeOldCopies(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter(each => each.startsWith(copyPrefix))) {
    const folder = path.join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    if (!found?.isDirectory() || Date.now() - found.mtimeMs < dayMs) continue;
    // Windows keeps one that is still read; another user may own it.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** @throws {NoSqlite} */
export async function copyDatabase(file: string): Promise<DatabaseCopy> {
  const sqlite = await import('node:sqlite').catch(() => {
    throw new NoSqlite('node:sqlite is missing');
  });
  await removeOldCopies();
  const folder = await mkdtemp(path.join(tmpdir(), copyPrefix));
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, 'copy.db');
    // Costs neither time nor space where the file system can share the blocks.
    const { COPYFILE_FICLONE: share } = constants;
    await copyFile(file, copy, share);
    await copyFile(`${file}-wal`, `${copy}-wal`, share).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    const database = new sqlite.DatabaseSync(copy, { allowExtension: false });
    try {
      // One in the open folder may come from anybody: see "Untrusted SQLite database files" in the manual of SQLite.
      database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
      database.prepare('SELECT COUNT(*) FROM sqlite_master').get();
    } catch (error) {
      database.close();
      throw error;
    }
    // Once the copy and its log are open, they need no names: nothing stays when the process is ended. Windows
    // does not allow that, and removes them below.
    await remove().catch(() => undefined);
    return {
      query: (sql, ...parameters) => database.prepare(sql).all(...parameters),
      async close() {
        database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Reads a copy of a database.
 * @throws {NoSqlite}
 */
export async function withDatabase<T>(file: string, read: (query: Query) => T): Promise<T> {
  const copy = await copyDatabase(file);
  try {
    return read(copy.query);
  } finally {
    await copy.close();
  }
}
