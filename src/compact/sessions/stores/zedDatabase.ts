import { parseJson, textOf } from '../../../base/typeGuards';
import { quoteName, UnsupportedHistory } from '../history';
import { decodeHistory } from '../historyFile';
import { parseJsonNode } from '../json';
import { decompressed, maxHistoryBytes } from './bytes';
import type { Query } from './databaseCopy';
import {
  numberOr,
  recordsOf,
  type SessionStore,
  type StoredPlace,
  type StoredSession,
} from './storedSession';

const label = 'Zed';

/** Characters of a thread for each byte of it that is compressed; an estimate, so that none is read for a list. */
const charsPerByte = 5;
/** Older threads that are read for their folder, which is not beside them, and how large each may be, in bytes. */
const maxOpened = 50;
const maxOpenedBytes = 256 * 1024;

/** The database of Zed since its version 0.178. Some columns were added later. */
export const zedStore: SessionStore = {
  columns: { threads: ['id', 'summary', 'updated_at', 'data_type', 'data'] },
  sessions: zedSessions,
  text: zedText,
};

/** Without those of sub-agents. */
function zedSessions(query: Query, limit: number): StoredSession[] {
  // All columns but the thread itself: which there are depends on the version.
  const names = recordsOf(query('SELECT name FROM pragma_table_info(?)', 'threads'))
    .map(({ name }) => textOf(name) ?? '')
    .filter(name => name === 'parent_id' || name === 'folder_paths');
  const own = ['id', 'summary', 'updated_at', 'data_type', ...names].join();
  const rows = rowsOf(query, `SELECT ${own}, LENGTH(data) AS bytes FROM threads`);
  let opened = 0;
  const canOpen = (bytes: number): boolean => bytes <= maxOpenedBytes && opened++ < maxOpened;
  return rows
    .filter(row => textOf(row['parent_id']) === undefined)
    .slice(0, limit)
    .flatMap(row => {
      const { id, data_type: type } = row;
      if (typeof id !== 'string') return [];
      const bytes = numberOr(row['bytes'], 0);
      const folder = firstPath(textOf(row['folder_paths']) ?? '');
      const at = Date.parse(textOf(row['updated_at']) ?? '');
      return [
        {
          id,
          title: textOf(row['summary']) ?? '',
          directory: folder === '' && canOpen(bytes) ? folderOfThread(query, id) : folder,
          at: Number.isNaN(at) ? 0 : at,
          size: bytes * (type === 'zstd' ? charsPerByte : 1),
        },
      ];
    });
}

/**
 * The rows of the table, newest first. Of a damaged database, the index of the ids still leads to each row that can be
 * read; a row that cannot is its id alone, and says why once it is opened.
 */
function rowsOf(query: Query, select: string): Record<string, unknown>[] {
  try {
    return recordsOf(query(`${select} ORDER BY updated_at DESC`));
  } catch {
    return recordsOf(query('SELECT id FROM threads ORDER BY id'))
      .flatMap(({ id }) => {
        try {
          return recordsOf(query(`${select} WHERE id = ?`, String(id)));
        } catch {
          return [{ id }];
        }
      })
      .toSorted((a, b) => (timeOf(b) < timeOf(a) ? -1 : 1));
  }
}

const timeOf = (row: Record<string, unknown>): string => textOf(row['updated_at']) ?? '';

/** A list of paths has one on each line; it was JSON at first. */
function firstPath(paths: string): string {
  const list = paths.startsWith('[') ? parseJson(paths) : paths.split('\n');
  return (Array.isArray(list) && textOf(list[0])) || '';
}

const worktreePath = /"worktree_path":\s*("(?:[^"\\]|\\.)*")/;

/** The folder that a thread notes itself, the first of those that were open. */
function folderIn(thread: string): string {
  const found = worktreePath.exec(thread)?.[1];
  return textOf(found === undefined ? undefined : parseJson(found)) ?? '';
}

/** '' where the thread cannot be read: it is listed all the same, and says why once it is opened. */
function folderOfThread(query: Query, id: string): string {
  try {
    const [row] = recordsOf(query('SELECT data_type, data FROM threads WHERE id = ?', id));
    return folderIn(row ? threadIn(row) : '');
  } catch {
    return '';
  }
}

/** @throws {UnsupportedHistory} */
function threadIn({ data_type: type, data }: Record<string, unknown>): string {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  if (!(bytes instanceof Uint8Array) || (type !== 'zstd' && type !== 'json')) {
    throw new UnsupportedHistory(
      label,
      'the thread is stored in a way that is not known',
      'Update Splice.',
    );
  }
  return decodeHistory(type === 'zstd' ? decompressed(label, bytes, maxHistoryBytes) : bytes);
}

/** @throws {UnsupportedHistory} where the database is damaged at this thread. */
function rowOf(query: Query, id: string): Record<string, unknown> | undefined {
  try {
    return recordsOf(query('SELECT * FROM threads WHERE id = ?', id))[0];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnsupportedHistory(
      label,
      `the thread ${quoteName(id)} cannot be read from the database (${reason})`,
      'Choose another one.',
    );
  }
}

/** @throws {UnsupportedHistory} */
function zedText(query: Query, { id }: StoredPlace): string | undefined {
  const row = rowOf(query, id);
  if (!row) return undefined;
  const thread = threadIn(row);
  if (parseJsonNode(thread)?.type !== 'object') {
    throw new UnsupportedHistory(label, 'the thread is damaged', 'Choose another one.');
  }
  const directory = firstPath(textOf(row['folder_paths']) ?? '') || folderIn(thread);
  const about = { id, title: row['summary'], directory: directory || undefined };
  return `{"zed":${JSON.stringify(about)},"thread":${thread}}`;
}
