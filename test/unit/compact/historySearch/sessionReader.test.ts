import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findMessages } from '../../../../src/compact/historySearch/findMessages';
import { indexSessions } from '../../../../src/compact/historySearch/indexSessions';
import { MessageIndex } from '../../../../src/compact/historySearch/messageIndex';
import { parseHistoryQuery } from '../../../../src/compact/historySearch/query';
import {
  pathOfStored,
  SessionReader,
  storedPlaceOf,
} from '../../../../src/compact/historySearch/sessionReader';
import { readChat } from '../../../../src/compact/sessions/chat';

const schema = `
  pragma journal_mode = wal;
  create table session (id text, parent_id text, slug text, project_id text, directory text, title text, version text, time_created int, time_updated int);
  create table message (id text, session_id text, time_created int, data text);
  create table part (id text, message_id text, session_id text, data text);
`;

/** Where `tmpdir` looks, on all platforms. */
const folderVariables = ['TMPDIR', 'TEMP', 'TMP'];

describe('the path of a session in a database', () => {
  it('is told from that of a file', () => {
    for (const id of ['ses_1', '0b51d9aa-2f7d-4f0e-9f53-0f9f6a1b2c3d', '20260302_1']) {
      const place = { database: '/home/ada/opencode.db', id };
      assert.deepEqual(storedPlaceOf(pathOfStored(place)), place);
    }
    for (const file of ['/a/b.jsonl', '/a/c#.db', '/a/b.db', '/a/x.db#ses 1', 'C:\\a#b.json'])
      assert.equal(storedPlaceOf(file), undefined, file);
  });
});

describe('sessions in a database', () => {
  let folder: string;
  let file: string;
  let database: DatabaseSync;
  /** A temporary folder of its own: other tests make copies at the same time. */
  let copies: string;
  let variables: (string | undefined)[];
  const reader = new SessionReader();
  const read = async (at: string) => reader.read(at);

  /** As the tool writes it, which keeps the database open. */
  const write = (id: string, ...texts: readonly string[]): void => {
    database
      .prepare("insert into session values (?, null, '', 'p', '/work', 'Kettle', '1', 1, 2)")
      .run(id);
    for (const [at, text] of texts.entries()) {
      const role = at % 2 === 0 ? 'user' : 'assistant';
      database
        .prepare('insert into message values (?, ?, ?, ?)')
        .run(`${id}m${at}`, id, at, JSON.stringify({ role }));
      database
        .prepare('insert into part values (?, ?, ?, ?)')
        .run(`${id}p${at}`, `${id}m${at}`, id, JSON.stringify({ type: 'text', text }));
    }
  };
  const pathOf = (id: string) => pathOfStored({ database: file, id });
  const textsOf = async (id: string) =>
    readChat(await reader.read(pathOf(id))).messages.flatMap(({ parts }) =>
      parts.map(({ text }) => text),
    );

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'stored-'));
    copies = path.join(folder, 'copies');
    mkdirSync(copies);
    variables = folderVariables.map(name => process.env[name]);
    for (const name of folderVariables) process.env[name] = copies;
    file = path.join(folder, 'opencode.db');
    database = new DatabaseSync(file);
    database.exec(schema);
  });
  afterEach(async () => {
    await reader.close();
    database.close();
    for (const [at, name] of folderVariables.entries()) {
      const value = variables[at];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    const left = readdirSync(copies);
    rmSync(folder, { recursive: true });
    assert.deepEqual(left, []);
  });

  it('are read from one copy, and from another one once the tool has written', async () => {
    write('ses_1', 'Is the kettle on?', 'It is.');
    write('ses_2', 'And now?');
    assert.deepEqual(await textsOf('ses_1'), ['Is the kettle on?', 'It is.']);
    assert.deepEqual(await textsOf('ses_2'), ['And now?']);
    await assert.rejects(reader.read(pathOf('ses_3')), /no longer in its database/);
    write('ses_3', 'Later');
    assert.deepEqual(await textsOf('ses_3'), ['Later']);
  });

  it('are indexed and found beside those in files', async () => {
    write('ses_1', 'Is the kettle on?', 'The kettle is off.');
    const other = path.join(folder, 'chat.md');
    writeFileSync(other, '## User\n\nA kettle, please.\n\n## Assistant\n\nHere.\n');
    const index = await MessageIndex.open(path.join(folder, 'index.db'));
    await indexSessions(index, {
      files: [
        { path: other, at: 1, size: 10 },
        { path: pathOf('ses_1'), at: 200_000, size: 10 },
      ],
      read,
      onProgress: () => undefined,
      onUnreadable: (at, error) => assert.fail(`${at}: ${String(error)}`),
      isStopped: () => false,
    });
    const query = parseHistoryQuery('kettle') ?? assert.fail();
    const found: string[] = [];
    for await (const { path: at, title, text } of findMessages(index, query, read)) {
      found.push(`${path.basename(at)} ${title}: ${text}`);
    }
    index.close();
    assert.deepEqual(found, [
      'opencode.db#ses_1 Kettle: The kettle is off.',
      'opencode.db#ses_1 Kettle: Is the kettle on?',
      'chat.md A kettle, please.: A kettle, please.',
    ]);
  });
});
