import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readChat } from '../../../../../src/compact/sessions/chat';
import {
  exportedSession,
  NoSqlite,
  type Query,
  storedSessions,
  withDatabase,
} from '../../../../../src/compact/sessions/stores/opencodeDatabase';

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

describe("opencode's database", () => {
  it('has sessions', () => {
    assert.deepEqual(storedSessions(query, 10), [
      { id: 'ses_1', title: 'On?', directory: '/home/ada/kettle', at: 5, size: 40 },
    ]);
  });

  it('gives a session as the tool exports it', () => {
    const text = exportedSession(whole, 'ses_1') ?? '';
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
      exportedSession(() => [], 'ses_1'),
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
