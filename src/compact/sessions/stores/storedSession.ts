import { isRecord } from '../../../base/typeGuards';
import { parseJsonNode } from '../json';
import type { Query } from './databaseCopy';

/** A session in the database of a tool. */
export interface StoredSession {
  readonly id: string;
  readonly title: string;
  /** Absolute path; '' where the tool does not note it. */
  readonly directory: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Bytes of its messages, about as many as characters. SQLite has them without reading the texts. */
  readonly size: number;
}

/** Where a session is that has no file of its own. */
export interface StoredPlace {
  readonly database: string;
  readonly id: string;
}

/** How the sessions of a tool are kept in its database. */
export interface SessionStore {
  /** Columns that are read, by table. A database that has all of them is of this tool. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Sessions of the user, newest first. */
  readonly sessions: (query: Query, limit: number) => StoredSession[];
  /** The text of a session, in a format that is read from files too; undefined when there is none with this id. */
  readonly text: (query: Query, place: StoredPlace) => string | undefined;
}

/**
 * Rows as JSON Lines, so that a row that is damaged does not lose the others: it becomes a line that is told to
 * be damaged.
 * @param about the first line.
 * @param rows the members of each line, and JSON as the tool wrote it with its key.
 */
export function rowsAsLines(
  about: object,
  rows: readonly { readonly own: object; readonly key: string; readonly json: unknown }[],
): string {
  const lines = rows.map(({ own, key, json }) => {
    const members = JSON.stringify(own).slice(1, -1);
    return isJsonList(json)
      ? `{${members},${JSON.stringify(key)}:${json.replaceAll(lineBreaks, ' ')}}`
      : `{${members},`;
  });
  // A last line that is damaged would be taken for one that is still written.
  return [JSON.stringify(about), ...lines, '{}', ''].join('\n');
}

/** Between the values of JSON; its strings have none. */
const lineBreaks = /[\r\n]/g;

function isJsonList(json: unknown): json is string {
  return typeof json === 'string' && parseJsonNode(json)?.type === 'list';
}

/** The rows that are records of columns. */
export function recordsOf(rows: readonly unknown[]): Record<string, unknown>[] {
  return rows.filter(isRecord);
}

export function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** Larger times are in milliseconds since the epoch, smaller ones in seconds. */
const minMs = 1e11;

/** Milliseconds since the epoch: tools have written seconds into columns for milliseconds, or both. */
export function epochMs(time: number): number {
  return time < minMs ? time * 1000 : time;
}
