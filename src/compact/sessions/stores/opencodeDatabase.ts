import { isRecord, parseJson, textOf } from '../../../base/typeGuards';
import type { Query } from './databaseCopy';
import type { SessionStore, StoredSession } from './storedSession';

/** Also of Kilo Code, which was made from opencode. */
export const opencodeStore: SessionStore = {
  columns: {
    session: ['id', 'parent_id', 'title', 'directory', 'time_updated'],
    part: ['session_id', 'data'],
  },
  sessions: storedSessions,
  text: (query, { id }) => exportedSession(query, id),
};

function storedSessions(query: Query, limit: number): StoredSession[] {
  const rows = query(
    `SELECT id, title, directory, time_updated AS at,
       (SELECT COALESCE(SUM(OCTET_LENGTH(data)), 0) FROM part WHERE session_id = session.id) AS size
     FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT ${Math.trunc(limit)}`,
  );
  return rows.filter(isRecord).flatMap(row => {
    const { id, title, directory, at, size } = row;
    if (typeof id !== 'string' || typeof at !== 'number') return [];
    return [
      {
        id,
        title: textOf(title) ?? '',
        directory: textOf(directory) ?? '',
        at,
        size: typeof size === 'number' ? size : 0,
      },
    ];
  });
}

/** A session as `opencode export` writes it; undefined when there is none with this id. */
function exportedSession(query: Query, id: string): string | undefined {
  const [session] = query('SELECT * FROM session WHERE id = ?', id);
  if (!isRecord(session)) return undefined;
  const parts = new Map<string, object[]>();
  for (const row of query(
    'SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id',
    id,
  )) {
    if (!isRecord(row)) continue;
    const messageID = textOf(row['message_id']) ?? '';
    const own = { ...dataOf(row), id: row['id'], sessionID: id, messageID };
    parts.set(messageID, [...(parts.get(messageID) ?? []), own]);
  }
  const messages = query(
    'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id',
    id,
  )
    .filter(isRecord)
    .map(row => ({
      info: { ...dataOf(row), id: row['id'], sessionID: id },
      parts: parts.get(textOf(row['id']) ?? '') ?? [],
    }));
  const info = {
    id,
    slug: session['slug'],
    projectID: session['project_id'],
    directory: session['directory'],
    title: session['title'],
    version: session['version'],
    time: { created: session['time_created'], updated: session['time_updated'] },
  };
  return JSON.stringify({ info, messages }, null, 1);
}

function dataOf(row: Record<string, unknown>): Record<string, unknown> {
  const data = parseJson(textOf(row['data']) ?? '');
  return isRecord(data) ? data : {};
}
