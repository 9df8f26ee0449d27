import { textOf } from '../../../base/typeGuards';
import { UnsupportedHistory } from '../history';
import { crushStore } from './crushDatabase';
import { type Query, withDatabase } from './databaseCopy';
import { gooseStore } from './gooseDatabase';
import { opencodeStore } from './opencodeDatabase';
import {
  recordsOf,
  type SessionStore,
  type StoredPlace,
  type StoredSession,
} from './storedSession';
import { zedStore } from './zedDatabase';

const stores: readonly SessionStore[] = [opencodeStore, crushStore, gooseStore, zedStore];

/**
 * Sessions of the user, newest first.
 * @throws {UnsupportedHistory}
 */
export function storedSessions(query: Query, limit: number): StoredSession[] {
  return storeIn(query).sessions(query, Math.trunc(limit));
}

/**
 * A session in a format that is read from files too; undefined when there is none with this id.
 * @throws {UnsupportedHistory}
 */
export function storedText(query: Query, place: StoredPlace): string | undefined {
  return storeIn(query).text(query, place);
}

/**
 * {@link storedSessions} of a database, of which a copy is read.
 * @throws {NoSqlite}
 */
export async function listStored(
  database: string,
  limit: number,
): Promise<readonly StoredSession[]> {
  return withDatabase(database, query => storedSessions(query, limit));
}

/**
 * {@link storedText} of a database, of which a copy is read.
 * @throws {NoSqlite}
 */
export async function readStored(place: StoredPlace): Promise<string | undefined> {
  return withDatabase(place.database, query => storedText(query, place));
}

/** The tool is told by its tables: the file may have any name. */
function storeIn(query: Query): SessionStore {
  const columns = new Set(
    recordsOf(
      query(
        `SELECT tables.name || '.' || columns.name AS name
         FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table'`,
      ),
    ).map(({ name }) => textOf(name)),
  );
  const store = stores.find(one =>
    Object.entries(one.columns).every(([table, names]) =>
      names.every(name => columns.has(`${table}.${name}`)),
    ),
  );
  if (store) return store;
  throw new UnsupportedHistory(
    'Chat history',
    'the tables of this database are not known',
    'Export the session from its tool, or update Splice.',
  );
}
