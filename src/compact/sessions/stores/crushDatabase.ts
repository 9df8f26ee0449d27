import path from 'node:path';
import { textOf } from '../../../base/typeGuards';
import type { Query } from './databaseCopy';
import {
  epochMs,
  numberOr,
  recordsOf,
  rowsAsLines,
  type SessionStore,
  type StoredPlace,
  type StoredSession,
} from './storedSession';

/** The database of Crush, as its version 0.96 has it. Some columns were added later. */
export const crushStore: SessionStore = {
  columns: {
    sessions: ['id', 'parent_session_id', 'title', 'updated_at'],
    messages: ['id', 'session_id', 'role', 'parts', 'created_at'],
  },
  sessions: crushSessions,
  text: crushText,
};

/** Without those of sub-agents, and those without messages. */
function crushSessions(query: Query, limit: number): StoredSession[] {
  const rows = query(
    `SELECT * FROM (
       SELECT id, title, updated_at AS at,
         (SELECT SUM(OCTET_LENGTH(parts)) FROM messages WHERE session_id = sessions.id) AS size
       FROM sessions WHERE parent_session_id IS NULL
     ) WHERE size > 0 ORDER BY at DESC LIMIT ${limit}`,
  );
  return recordsOf(rows).flatMap(({ id, title, at, size }) =>
    typeof id === 'string'
      ? [
          {
            id,
            title: textOf(title) ?? '',
            directory: '',
            at: epochMs(numberOr(at, 0)),
            size: numberOr(size, 0),
          },
        ]
      : [],
  );
}

function crushText(query: Query, { database, id }: StoredPlace): string | undefined {
  const [session] = recordsOf(query('SELECT * FROM sessions WHERE id = ?', id));
  if (!session) return undefined;
  const about = {
    id,
    title: session['title'],
    directory: folderOf(database),
    created_at: epochMs(numberOr(session['created_at'], 0)),
    summary_message_id: session['summary_message_id'],
  };
  // Times are too coarse to order messages; their rows are added in order.
  const rows = query('SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid', id);
  return rowsAsLines(
    { crush: about },
    recordsOf(rows).map(row => ({
      own: {
        id: row['id'],
        role: row['role'],
        created_at: epochMs(numberOr(row['created_at'], 0)),
        is_summary_message: row['is_summary_message'] === 1,
      },
      key: 'parts',
      json: row['parts'],
    })),
  );
}

/** Crush keeps its database in the folder that the sessions are about. */
function folderOf(database: string): string | undefined {
  const folder = path.dirname(database);
  return path.basename(folder) === '.crush' ? path.dirname(folder) : undefined;
}
