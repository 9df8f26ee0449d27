import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readChat } from '../../../../../src/compact/sessions/chat';
import {
  NoSqlite,
  type Query,
  withDatabase,
} from '../../../../../src/compact/sessions/stores/databaseCopy';
import { opencodeStore } from '../../../../../src/compact/sessions/stores/opencodeDatabase';
import {
  storedSessions,
  storedText,
} from '../../../../../src/compact/sessions/stores/sessionStores';

const data = (value: unknown) => JSON.stringify(value);

/** Rows by table, whatever else the query says. */
const query: Query = (sql, ...parameters) => {
  if (parameters.length > 0) assert.deepEqual(parameters, ['ses_1']);
  if (sql.includes('FROM message'))
    return [
      { id: 'msg_1', data: data({ role: 'user' }) },
      { id: 'msg_2', data: data({ role: 'assistant' }) },
    ];
  if (sql.startsWith('SELECT id, message_id'))
    return [
      { id: 'prt_1', message_id: 'msg_1', data: data({ type: 'text', text: 'Is it on?' }) },
      { id: 'prt_2', message_id: 'msg_2', data: data({ type: 'text', text: 'It is.' }) },
      { id: 'prt_3', message_id: 'msg_2', data: '{' },
      null,
    ];
  return [
    { id: 'ses_1', title: 'On?', directory: '/home/ada/kettle', at: 5, size: 40 },
    { id: 7, title: 'no id', at: 1 },
  ];
};

/** Without the part that is damaged. */
const whole: Query = (sql, ...parameters) =>
  query(sql, ...parameters).filter(
    row => typeof row !== 'object' || row === null || !('id' in row) || row.id !== 'prt_3',
  );

/** The tables of opencode 1.2, as far as they are read. */
const schema = `
  CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT,
    title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
`;

/** Of a link, which may be gone. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** The files of copies that this process has open, where the system tells. */
const openCopies = (): string[] =>
  readdirSync('/proc/self/fd').flatMap(fd => {
    const target = targetOf(path.join('/proc/self/fd', fd));
    return target.includes('splice-db-') ? [target] : [];
  });

/** Where a temporary folder is named, on each platform. */
const temporary = ['TMPDIR', 'TEMP', 'TMP'];

describe("opencode's database in SQLite", () => {
  let folder: string;
  let file: string;
  const before = Object.fromEntries(temporary.map(name => [name, process.env[name]]));
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'stored-'));
    file = path.join(folder, 'opencode.db');
    const database = new DatabaseSync(file);
    database.exec(schema);
    const add = (table: string, ...values: (string | number | null)[]): void => {
      const marks = values.map(() => '?').join();
      database.prepare(`INSERT INTO ${table} VALUES (${marks})`).run(...values);
    };
    const kettle = '/home/ada/kettle';
    add('session', 'ses_1', 'p1', null, 'calm-owl', kettle, 'On?', '1.2.0', 1000, 3000);
    add('session', 'ses_2', 'p1', null, 'red-fox', '/home/ada/tea', '', '1.2.0', 2000, 9000);
    add('session', 'ses_3', 'p1', 'ses_1', 'sub', kettle, 'A sub-agent', '1.2.0', 2500, 9500);
    add('message', 'msg_2', 'ses_1', 20, data({ role: 'assistant', modelID: 'm' }));
    add('message', 'msg_1', 'ses_1', 10, data({ role: 'user', time: { created: 10 } }));
    add('message', 'msg_9', 'ses_2', 5, data({ role: 'user' }));
    add('part', 'prt_3', 'msg_2', 'ses_1', data({ type: 'text', text: 'Now it is.' }));
    add('part', 'prt_2', 'msg_2', 'ses_1', data({ type: 'text', text: 'It is not.' }));
    add('part', 'prt_1', 'msg_1', 'ses_1', data({ type: 'text', text: 'Is it on?' }));
    add('part', 'prt_9', 'msg_9', 'ses_2', data({ type: 'text', text: 'Tea?' }));
    database.close();
  });
  afterEach(() => {
    for (const name of temporary) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the sessions of the user, newest first, with the size of their parts', async () => {
    const size = data({ type: 'text', text: '' }).length;
    const all = [
      { id: 'ses_2', title: '', directory: '/home/ada/tea', at: 9000, size: size + 4 },
      { id: 'ses_1', title: 'On?', directory: '/home/ada/kettle', at: 3000, size: 3 * size + 29 },
    ];
    assert.deepEqual(await withDatabase(file, run => storedSessions(run, 10)), all);
    assert.deepEqual(await withDatabase(file, run => storedSessions(run, 1)), all.slice(0, 1));
  });

  it('gives a session as the tool exports it, messages by time and parts by id', async () => {
    const text = await withDatabase(file, run => storedText(run, { database: file, id: 'ses_1' }));
    const sessionID = 'ses_1';
    assert.deepEqual(JSON.parse(text ?? ''), {
      info: {
        id: 'ses_1',
        slug: 'calm-owl',
        projectID: 'p1',
        directory: '/home/ada/kettle',
        title: 'On?',
        version: '1.2.0',
        time: { created: 1000, updated: 3000 },
      },
      messages: [
        {
          info: { role: 'user', time: { created: 10 }, id: 'msg_1', sessionID },
          parts: [{ type: 'text', text: 'Is it on?', id: 'prt_1', sessionID, messageID: 'msg_1' }],
        },
        {
          info: { role: 'assistant', modelID: 'm', id: 'msg_2', sessionID },
          parts: [
            { type: 'text', text: 'It is not.', id: 'prt_2', sessionID, messageID: 'msg_2' },
            { type: 'text', text: 'Now it is.', id: 'prt_3', sessionID, messageID: 'msg_2' },
          ],
        },
      ],
    });
    assert.equal(
      await withDatabase(file, run => storedText(run, { database: file, id: 'ses_7' })),
      undefined,
    );
  });

  it('is read with what is still in its log, and left as it was', async () => {
    const open = new DatabaseSync(file);
    open.exec("PRAGMA journal_mode = WAL; UPDATE session SET title = 'Off' WHERE id = 'ses_2'");
    const files = readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name))]);
    const [newest] = await withDatabase(file, run => storedSessions(run, 1));
    assert.equal(newest?.title, 'Off');
    assert.deepEqual(
      readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name))]),
      files,
    );
    open.close();
  });

  it('leaves no copy of it behind, whatever happens while it is read', async () => {
    const own = mkdtempSync(path.join(folder, 'tmp-'));
    Object.assign(process.env, Object.fromEntries(temporary.map(name => [name, own])));
    await withDatabase(file, run => storedSessions(run, 1));
    const reading = withDatabase(file, () => {
      throw new Error('canceled');
    });
    await assert.rejects(reading, /canceled/);
    writeFileSync(file, 'no database');
    await assert.rejects(withDatabase(file, run => run('SELECT 1')));
    await assert.rejects(withDatabase(path.join(folder, 'missing.db'), run => run('SELECT 1')));
    assert.deepEqual(readdirSync(own), []);
  });

  it('takes old copies away that were left behind, and nothing else', async () => {
    const own = mkdtempSync(path.join(folder, 'tmp-'));
    Object.assign(process.env, Object.fromEntries(temporary.map(name => [name, own])));
    const hourMs = 60 * 60 * 1000;
    for (const [name, hours] of [
      ['splice-db-old', 25],
      ['splice-db-new', 23],
      ['another-old', 25],
    ] as const) {
      const copies = path.join(own, name);
      mkdirSync(copies);
      writeFileSync(path.join(copies, 'copy.db'), 'secret');
      const at = new Date(Date.now() - hours * hourMs);
      utimesSync(copies, at, at);
    }
    await withDatabase(file, run => storedSessions(run, 1));
    assert.deepEqual(readdirSync(own), ['another-old', 'splice-db-new']);
  });
});

describe('a copy of a database', () => {
  it('is closed, also where the database is damaged', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = mkdtempSync(path.join(tmpdir(), 'stored-'));
    const file = path.join(folder, 'opencode.db');
    new DatabaseSync(file).close();
    assert.equal((await withDatabase(file, openCopies)).length, 1);
    assert.deepEqual(openCopies(), []);
    writeFileSync(file, 'no database');
    await assert.rejects(withDatabase(file, openCopies), /not a database/);
    assert.deepEqual(openCopies(), []);
    rmSync(folder, { recursive: true });
  });
});

describe("opencode's database", () => {
  it('has sessions', () => {
    assert.deepEqual(opencodeStore.sessions(query, 10), [
      { id: 'ses_1', title: 'On?', directory: '/home/ada/kettle', at: 5, size: 40 },
    ]);
  });

  it('gives a session as the tool exports it', () => {
    const text = opencodeStore.text(whole, { database: '', id: 'ses_1' }) ?? '';
    const chat = readChat({ path: 'session.json', text });
    assert.deepEqual(
      [chat.formatId, chat.title, chat.workspace],
      ['opencode', 'On?', '/home/ada/kettle'],
    );
    assert.deepEqual(
      chat.messages.map(({ parts }) => parts.map(part => part.text)),
      [['Is it on?'], ['It is.']],
    );
    assert.equal(
      opencodeStore.text(() => [], { database: '', id: 'ses_1' }),
      undefined,
    );
  });

  it('is refused by name when it is damaged, or where there is no SQLite', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'stored-'));
    try {
      const file = path.join(folder, 'opencode.db');
      writeFileSync(file, 'no database');
      await assert.rejects(
        withDatabase(file, run => run('SELECT * FROM session')),
        error => error instanceof NoSqlite || /database/.test(String(error)),
      );
      assert.deepEqual(readdirSync(folder), ['opencode.db']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
