import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Chat, type ChatFile, readChat } from '../../../../../src/compact/sessions/chat';
import { withDatabase } from '../../../../../src/compact/sessions/stores/databaseCopy';
import {
  storedSessions,
  storedText,
} from '../../../../../src/compact/sessions/stores/sessionStores';
import type { StoredSession } from '../../../../../src/compact/sessions/stores/storedSession';

type Value = string | number | null | Uint8Array;

/** A database of a tool, in a temporary folder of its own. */
export class DatabaseFile {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'stored-'));
  readonly path: string;

  constructor(name: string, schema: string) {
    this.path = path.join(this.folder, name);
    mkdirSync(path.dirname(this.path), { recursive: true });
    this.run(database => database.exec(schema));
  }

  add(table: string, row: Readonly<Record<string, Value>>): void {
    const marks = Object.keys(row).map(() => '?');
    const sql = `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${marks.join()})`;
    this.run(database => database.prepare(sql).run(...Object.values(row)));
  }

  run(change: (database: DatabaseSync) => void): void {
    const database = new DatabaseSync(this.path);
    change(database);
    database.close();
  }

  async sessions(limit = 10): Promise<StoredSession[]> {
    return withDatabase(this.path, query => storedSessions(query, limit));
  }

  async text(id: string): Promise<string | undefined> {
    return withDatabase(this.path, query => storedText(query, { database: this.path, id }));
  }

  async chat(id: string, more: Partial<ChatFile> = {}): Promise<Chat> {
    return readChat({ path: 'session.json', text: (await this.text(id)) ?? '', ...more });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Who says what: the role, and each part as its type, its call and its text. */
export function linesOfChat({ messages }: Chat): string[] {
  return messages.map(
    ({ role, parts }) =>
      `${role}: ${parts
        .map(({ type, callId, name, text }) =>
          [type, ...(name === undefined ? [] : [name]), ...(callId === undefined ? [] : [callId])]
            .join(' ')
            .concat(` ${JSON.stringify(text)}`),
        )
        .join(', ')}`,
  );
}
