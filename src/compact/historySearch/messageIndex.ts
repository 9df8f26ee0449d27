import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { errorCode } from '../../base/fileErrors';
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

/** What this version writes; another one is emptied and built again. */
const version = 3;
/** A file's number is made of its time, so that newer files come first; see {@link firstNumber}. */
const minuteMs = 60_000;
const filesPerMinute = 512;
/** A message's number is that of its file and its own place. Numbers stay exact up to 2^53. */
const messagesPerFile = 2 ** 18;
const maxNumber = 2 ** 35 - 1;
/**
 * Messages of a shard, about 200 MB of text. SQLite reads all places of a word before it gives the newest, so that one
 * table for everything took seconds for common words in 10 GB. A common word is found in the newest shard.
 */
const maxShardMessages = 2 ** 16;

const schema = `
  create table if not exists files (number integer primary key, path text unique not null, stamp text not null, messages integer not null);
  create table if not exists shards (id integer primary key, low integer unique not null, messages integer not null);
`;

/** For another one that writes, in milliseconds. */
const busyMs = 10_000;
const retryMs = 20;
/** Result codes of SQLite, see https://www.sqlite.org/rescode.html. */
const [busy, corrupt, notADatabase] = [5, 11, 26];

/** Part of the index: the files from the number `low` up to that of the next shard. */
interface Shard {
  readonly id: number;
  readonly low: number;
  readonly messages: number;
}

/**
 * A full-text index of the messages of session files, in SQLite. It has the words of each message, and neither their
 * order nor the texts. Several windows may use it at once.
 */
export class MessageIndex {
  readonly #database: DatabaseSync;
  readonly #maxShardMessages: number;

  private constructor(database: DatabaseSync, shardMessages: number) {
    this.#database = database;
    this.#maxShardMessages = shardMessages;
  }

  /**
   * Opens the index, or makes a new one. One of another version is emptied, and a damaged one is deleted: two that
   * open a damaged one at once delete each other's, so the first of a window opens it alone.
   * @param shardMessages see {@link maxShardMessages}.
   * @throws {Error} where this version of VS Code has no SQLite.
   */
  static async open(file: string, shardMessages = maxShardMessages): Promise<MessageIndex> {
    const { DatabaseSync: Database } = await import('node:sqlite');
    const open = (): MessageIndex => {
      createPrivate(file);
      const database = new Database(file);
      try {
        prepareIndex(database);
        database.exec(`pragma busy_timeout = ${busyMs}`);
        return new MessageIndex(database, shardMessages);
      } catch (error) {
        database.close();
        throw error;
      }
    };
    const end = performance.now() + busyMs;
    for (let isDeleted = false; ; ) {
      try {
        return open();
      } catch (error) {
        const result = sqliteResultOf(error);
        if (result === busy && performance.now() < end) {
          // SQLite itself would not wait for one that changes the mode of the journal.
          await setTimeout(retryMs);
        } else if ((result === corrupt || result === notADatabase) && !isDeleted) {
          // Nothing in it is worth more than the time to build it.
          deleteMessageIndex(file);
          isDeleted = true;
        } else throw error;
      }
    }
  }

  /** The stamps of the files that are indexed, by path. */
  get stamps(): ReadonlyMap<string, string> {
    const rows = this.#database.prepare('select path, stamp from files').all();
    return new Map(rows.map(row => [String(row['path']), String(row['stamp'])]));
  }

  /** Puts sessions in, in place of what was known of their files. All of them, or none. */
  replace(sessions: readonly IndexedSession[]): void {
    inTransaction(this.#database, () => {
      for (const session of sessions) this.#remove(session.path);
      const addFile = this.#database.prepare('insert into files values (?, ?, ?, ?)');
      // In the order of their numbers, which is much faster.
      for (const { path: file, stamp, at, messages } of sessions.toSorted((a, b) => a.at - b.at)) {
        const number = this.#freeNumber(at);
        const count = Math.min(messages.length, messagesPerFile);
        const shard = this.#shardFor(number);
        const insert = this.#database.prepare(
          `insert into words${shard.id} (rowid, text) values (?, ?)`,
        );
        addFile.run(number, file, stamp, count);
        this.#count(shard, count);
        for (let message = 0; message < count; message++) {
          insert.run(number * messagesPerFile + message, indexedText(messages[message] ?? ''));
        }
      }
    });
  }

  /** Takes out files that are gone. */
  remove(paths: readonly string[]): void {
    inTransaction(this.#database, () => {
      for (const file of paths) this.#remove(file);
    });
  }

  /** Messages with the words, those of the newest files first. */
  *find(match: string): Generator<IndexHit> {
    const fileOf = this.#database.prepare('select path from files where number = ?');
    for (const { id } of this.#shards('order by low desc')) {
      for (const row of this.#rowsOf(id, match)) {
        const file = fileOf.get(Math.floor(row / messagesPerFile))?.['path'];
        if (typeof file === 'string') yield { path: file, message: row % messagesPerFile };
      }
    }
  }

  *#rowsOf(shard: number, match: string): Generator<number> {
    const words = `words${shard}`;
    const find: StatementSync = this.#database.prepare(
      `select rowid from ${words} where ${words} match ? and rowid < ? order by rowid desc limit 100`,
    );
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = find.all(match, before);
      for (const row of rows) {
        before = Number(row['rowid']);
        yield before;
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
    const [number, count] = [Number(known['number']), Number(known['messages'])];
    const first = number * messagesPerFile;
    const shard = this.#shardOf(number);
    if (shard) {
      const words = `words${shard.id}`;
      // Words of a deleted row stay in the table until it is merged, but not when it is emptied as a whole.
      if (shard.messages === count) {
        this.#database.exec(`insert into ${words} (${words}) values ('delete-all')`);
      } else {
        this.#database
          .prepare(`delete from ${words} where rowid >= ? and rowid < ?`)
          .run(first, first + count);
      }
      this.#count(shard, -count);
    }
    this.#database.prepare('delete from files where path = ?').run(file);
  }

  #shards(rest: string, ...values: readonly number[]): Shard[] {
    return this.#database
      .prepare(`select id, low, messages from shards ${rest}`)
      .all(...values)
      .map(row => ({
        id: Number(row['id']),
        low: Number(row['low']),
        messages: Number(row['messages']),
      }));
  }

  #shardOf(number: number): Shard | undefined {
    return this.#shards('where low <= ? order by low desc limit 1', number)[0];
  }

  /** The shard for a new file: another one where its own is full and the file is newer or older than all in it. */
  #shardFor(number: number): Shard {
    const shard = this.#shardOf(number);
    if (!shard) return this.#addShard(0);
    if (shard.messages < this.#maxShardMessages) return shard;
    const [next] = this.#shards('where low > ? order by low limit 1', shard.low);
    const numbers = this.#database
      .prepare(
        'select min(number) low, max(number) high from files where number >= ? and number < ?',
      )
      .get(shard.low, next?.low ?? maxNumber + 1);
    if (number > Number(numbers?.['high'])) return this.#addShard(number);
    const lowest = Number(numbers?.['low']);
    if (number > lowest) return shard;
    this.#database.prepare('update shards set low = ? where id = ?').run(lowest, shard.id);
    return this.#addShard(shard.low);
  }

  #addShard(low: number): Shard {
    const added = this.#database
      .prepare('insert into shards (low, messages) values (?, 0)')
      .run(low);
    const id = Number(added.lastInsertRowid);
    this.#database.exec(
      `create virtual table words${id} using fts5(text, content='', contentless_delete=1, detail=none, tokenize='unicode61 remove_diacritics 0')`,
    );
    return { id, low, messages: 0 };
  }

  #count({ id }: Shard, more: number): void {
    this.#database.prepare('update shards set messages = messages + ? where id = ?').run(more, id);
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
}

/** For its user only. SQLite gives what it writes beside it the mode of the file. */
function createPrivate(file: string): void {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  try {
    // Never opened where it exists: to close it would end the locks that another thread has on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  chmodSync(file, 0o600);
}

function prepareIndex(database: DatabaseSync): void {
  database.exec('pragma busy_timeout = 0; pragma journal_mode = wal; pragma synchronous = normal');
  // Words of chats that are gone would stay in the free pages of the file.
  database.exec('pragma secure_delete = on');
  const isReady = () => pragmaOf(database, 'user_version') === version;
  if (isReady()) return;
  inTransaction(database, () => {
    // Another one may have made it meanwhile.
    if (!isReady()) removeTables(database);
  });
  // Pages that were free before have words too. Where the file is busy, all of this is done again.
  if (pragmaOf(database, 'freelist_count') !== 0) database.exec('vacuum');
  inTransaction(database, () => {
    if (!isReady()) database.exec(`${schema} pragma user_version = ${version}`);
  });
}

const pragmaOf = (database: DatabaseSync, name: string): unknown =>
  database.prepare(`pragma ${name}`).get()?.[name];

/** Not with the file, which another window may have open. */
function removeTables(database: DatabaseSync): void {
  const tablesOf = (sql: string): string[] =>
    database
      .prepare(`select name from sqlite_schema where type = 'table' and ${sql}`)
      .all()
      .map(row => String(row['name']).replaceAll('"', '""'));
  // Virtual ones first, which take their own tables with them.
  for (const those of ["sql like 'create virtual%'", "name not like 'sqlite_%'"])
    for (const name of tablesOf(those)) database.exec(`drop table "${name}"`);
}

/** The primary result code, without what extends it. */
function sqliteResultOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

function inTransaction(database: DatabaseSync, run: () => void): void {
  database.exec('begin immediate');
  try {
    run();
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
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
