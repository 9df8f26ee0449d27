import { isRecord, parseJson, textOf } from '../../../base/typeGuards';
import type { Query } from './databaseCopy';
import {
  numberOr,
  recordsOf,
  rowsAsLines,
  type SessionStore,
  type StoredSession,
} from './storedSession';

/** Kinds of sessions that goose does not list either. */
const hiddenTypes = new Set<unknown>(['sub_agent', 'hidden']);

/** The database of goose since version 1.10. Some columns were added later. */
export const gooseStore: SessionStore = {
  columns: {
    sessions: ['id', 'description', 'working_dir', 'updated_at'],
    messages: ['id', 'session_id', 'role', 'content_json', 'created_timestamp'],
  },
  sessions: gooseSessions,
  text: (query, { id }) => gooseText(query, id),
};

function gooseSessions(query: Query, limit: number): StoredSession[] {
  const rows = query(
    `SELECT sessions.*, CAST(strftime('%s', updated_at) AS INTEGER) AS seconds,
       (SELECT SUM(OCTET_LENGTH(content_json)) FROM messages WHERE session_id = sessions.id) AS size
     FROM sessions ORDER BY updated_at DESC`,
  );
  return recordsOf(rows)
    .filter(row => numberOr(row['size'], 0) > 0 && !hiddenTypes.has(row['session_type']))
    .slice(0, limit)
    .flatMap(row => {
      const { id, working_dir: directory, seconds, size } = row;
      if (typeof id !== 'string') return [];
      const at = numberOr(seconds, 0) * 1000;
      const about = { title: nameOf(row), directory: textOf(directory) ?? '' };
      return [{ id, ...about, at, size: numberOr(size, 0) }];
    });
}

/** The first versions had a description, which is empty now. */
function nameOf({ name, description }: Record<string, unknown>): string {
  return textOf(name) || (textOf(description) ?? '');
}

/** A session in the format of the files that older versions of goose wrote. */
function gooseText(query: Query, id: string): string | undefined {
  const [session] = recordsOf(query('SELECT * FROM sessions WHERE id = ?', id));
  if (!session) return undefined;
  const about = {
    id,
    working_dir: textOf(session['working_dir']) ?? '',
    description: nameOf(session),
  };
  const rows = query(
    'SELECT * FROM messages WHERE session_id = ? ORDER BY created_timestamp, id',
    id,
  );
  return rowsAsLines(
    about,
    recordsOf(rows).map(row => {
      const metadata = parseJson(textOf(row['metadata_json']) ?? '');
      return {
        own: {
          id: row['message_id'] ?? undefined,
          role: row['role'],
          created: row['created_timestamp'],
          metadata: isRecord(metadata) ? metadata : undefined,
        },
        key: 'content',
        json: row['content_json'],
      };
    }),
  );
}
