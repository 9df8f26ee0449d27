import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { indexedText } from './query';

/** A session file with the texts of its messages. */
export interface IndexedSession {
  readonly path: string;
  /** Says which state of the file was read. */
  readonly stamp: string;
  /** Modification time, in milliseconds since the epoch. */
  readonly at: number;
  readonly messages: readonly string[];
}

/** A message that has the words of a query. */
export interface IndexHit {
  readonly path: string;
  readonly message: number;
}

/** What this version writes; another one is deleted and built again. */
const version = 1;
/** A file's number is made of its time, so that newer files come first; see {@link firstNumber}. */
const minuteMs = 60_000;
const filesPerMinute = 512;
/** A message's number is that of its file and its own place. Numbers stay exact up to 2^53. */
const messagesPerFile = 2 ** 18;
const maxNumber = 2 ** 35 - 1;

const schema = `
  create table if not exists files (number integer primary key, path text unique not null, stamp text not null, messages integer not null);
  create virtual table if not exists words using fts5(text, content='', contentless_delete=1, detail=none, tokenize='unicode61 remove_diacritics 0');
`;

/**
 * A full-text index of the messages of session files, in SQLite. It has the words of each message, and neither their
 * order nor the texts. Several windows may use it at once.
 */
export class MessageIndex {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Opens the index, or makes a new one. A damaged one is deleted.
   * @throws {Error} where this version of VS Code has no SQLite.
   */
  static async open(file: string): Promise<MessageIndex> {
    const { DatabaseSync: Database } = await import('node:sqlite');
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const open = (): MessageIndex => {
      const database = new Database(file);
      try {
        database.exec(
          'pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = normal',
        );
        const known = database.prepare('pragma user_version').get()?.['user_version'];
        if (known !== 0 && known !== version) throw new Error('an index of another version');
        database.exec(`${schema} pragma user_version = ${version}`);
        chmodSync(file, 0o600);
        return new MessageIndex(database);
      } catch (error) {
        database.close();
        throw error;
      }
    };
    try {
      return open();
    } catch {
      // Nothing in it is worth more than the time to build it.
      deleteMessageIndex(file);
      return open();
    }
  }

  /** The stamps of the files that are indexed, by path. */
  get stamps(): ReadonlyMap<string, string> {
    const rows = this.#database.prepare('select path, stamp from files').all();
    return new Map(rows.map(row => [String(row['path']), String(row['stamp'])]));
  }

  /** Puts sessions in, in place of what was known of their files. All of them, or none. */
  replace(sessions: readonly IndexedSession[]): void {
    this.#inTransaction(() => {
      for (const session of sessions) this.#remove(session.path);
      const insert = this.#database.prepare('insert into words (rowid, text) values (?, ?)');
      const addFile = this.#database.prepare('insert into files values (?, ?, ?, ?)');
      // In the order of their numbers, which is much faster.
      for (const { path: file, stamp, at, messages } of sessions.toSorted((a, b) => a.at - b.at)) {
        const number = this.#freeNumber(at);
        const count = Math.min(messages.length, messagesPerFile);
        addFile.run(number, file, stamp, count);
        for (let message = 0; message < count; message++) {
          insert.run(number * messagesPerFile + message, indexedText(messages[message] ?? ''));
        }
      }
    });
  }

  /** Takes out files that are gone. */
  remove(paths: readonly string[]): void {
    this.#inTransaction(() => {
      for (const file of paths) this.#remove(file);
    });
  }

  /** Messages with the words, those of the newest files first. */
  *find(match: string): Generator<IndexHit> {
    const find: StatementSync = this.#database.prepare(
      'select rowid from words where words match ? and rowid < ? order by rowid desc limit 100',
    );
    const fileOf = this.#database.prepare('select path from files where number = ?');
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = find.all(match, before);
      for (const row of rows) {
        before = Number(row['rowid']);
        const file = fileOf.get(Math.floor(before / messagesPerFile))?.['path'];
        if (typeof file === 'string') yield { path: file, message: before % messagesPerFile };
      }
      if (rows.length === 0) return;
    }
  }

  close(): void {
    this.#database.close();
  }

  #remove(file: string): void {
    const known = this.#database
      .prepare('select number, messages from files where path = ?')
      .get(file);
    if (!known) return;
    const first = Number(known['number']) * messagesPerFile;
    this.#database
      .prepare('delete from words where rowid >= ? and rowid < ?')
      .run(first, first + Number(known['messages']));
    this.#database.prepare('delete from files where path = ?').run(file);
  }

  #freeNumber(at: number): number {
    const first = firstNumber(at);
    const taken = this.#database
      .prepare('select number from files where number >= ? order by number')
      .iterate(first);
    let free = first;
    for (const row of taken) {
      if (Number(row['number']) !== free) break;
      free++;
    }
    return free;
  }

  #inTransaction(run: () => void): void {
    this.#database.exec('begin immediate');
    try {
      run();
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }
}

/** Deletes an index with all files of SQLite that belong to it. */
export function deleteMessageIndex(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}

function firstNumber(at: number): number {
  const minute = Math.max(0, Math.floor(at / minuteMs));
  return Math.min(minute * filesPerMinute, maxNumber - filesPerMinute);
}
