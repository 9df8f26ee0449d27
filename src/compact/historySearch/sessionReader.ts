import { stat } from 'node:fs/promises';
import type { ReadableFile } from '../sessions/chat';
import { readChatBytes } from '../sessions/readChatFile';
import { copyDatabase, type DatabaseCopy } from '../sessions/stores/databaseCopy';
import { storedText } from '../sessions/stores/sessionStores';
import type { StoredPlace } from '../sessions/stores/storedSession';

/** Stands for the path of a session that has none of its own. */
export function pathOfStored({ database, id }: StoredPlace): string {
  return `${database}#${id}`;
}

/** The session in a database that a path stands for; undefined for a file. */
export function storedPlaceOf(path: string): StoredPlace | undefined {
  const [, database, id] = /^(.+\.db)#([\w-]+)$/.exec(path) ?? [];
  return database === undefined || id === undefined ? undefined : { database, id };
}

/** Reads sessions in files and in databases. A database is copied once for all of its sessions. */
export class SessionReader {
  #copied:
    | { readonly path: string; readonly stamp: string; readonly copy: DatabaseCopy }
    | undefined;

  /** @throws {Error} for a session that is gone. */
  async read(path: string): Promise<ReadableFile> {
    const place = storedPlaceOf(path);
    if (!place) return readChatBytes(path);
    const { query } = await this.#copyOf(place.database);
    const text = storedText(query, place);
    if (text === undefined) throw new Error('the session is no longer in its database');
    return { path: 'session.json', text };
  }

  async close(): Promise<void> {
    await this.#copied?.copy.close();
    this.#copied = undefined;
  }

  async #copyOf(path: string): Promise<DatabaseCopy> {
    const stamp = `${await stampOf(path)} ${await stampOf(`${path}-wal`)}`;
    if (this.#copied?.path === path && this.#copied.stamp === stamp) return this.#copied.copy;
    await this.close();
    const copy = await copyDatabase(path);
    this.#copied = { path, stamp, copy };
    return copy;
  }
}

async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${found.mtimeMs}-${found.size}` : '';
}
