import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { readChat, writeChat } from '../../../../../src/compact/sessions/chat';
import { DatabaseFile, linesOfChat } from './databaseFiles';

/** The tables of Crush 0.96 (commit 37f36e9, `internal/db/migrations`), after all migrations. */
const schema = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL,
    message_count INTEGER NOT NULL DEFAULT 0, prompt_tokens INTEGER NOT NULL DEFAULT 0,
    completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0.0,
    updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT, todos TEXT);
  CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
    parts TEXT NOT NULL DEFAULT '[]', model TEXT, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, finished_at INTEGER, provider TEXT,
    is_summary_message INTEGER DEFAULT 0 NOT NULL);
`;

const own = '2f7d1c9a-0b51-4f0e-9f53-0f9f6a1b2c3d';
const seconds = 1_772_445_600;

const part = (type: string, data: object) => ({ type, data });
const text = (words: string) => part('text', { text: words });
const finish = part('finish', { reason: 'end_turn', time: seconds });
const call = (id: string, name: string, input: object) =>
  part('tool_call', { id, name, input: JSON.stringify(input), finished: true });
const result = (id: string, content: string, more: object = {}) =>
  part('tool_result', { tool_call_id: id, name: '', content, data: '', mime_type: '', ...more });

describe('sessions of Crush', () => {
  let database: DatabaseFile;
  const addSession = (id: string, more: Record<string, string | number | null> = {}): void =>
    database.add('sessions', {
      id,
      title: 'The kettle',
      updated_at: seconds + 60,
      created_at: seconds,
      ...more,
    });
  let count = 0;
  const say = (role: string, parts: readonly object[] | string, more = {}): string => {
    const id = `m${++count}`;
    database.add('messages', {
      id,
      session_id: own,
      role,
      parts: typeof parts === 'string' ? parts : JSON.stringify(parts),
      created_at: seconds + count,
      updated_at: seconds + count,
      ...more,
    });
    return id;
  };
  beforeEach(() => {
    count = 0;
    database = new DatabaseFile('kettle/.crush/crush.db', schema);
    addSession(own);
  });
  afterEach(() => database.remove());

  it('are listed, the newest first, without those of sub-agents and those without messages', async () => {
    addSession('empty', { updated_at: seconds + 99 });
    addSession('m1$$call_1', { parent_session_id: own });
    addSession('later', { title: 'Tea', updated_at: seconds + 100 });
    for (const id of [own, 'm1$$call_1', 'later'])
      database.add('messages', {
        id: `of ${id}`,
        session_id: id,
        role: 'user',
        parts: '[{"type":"text","data":{"text":"Hi"}}]',
        created_at: seconds,
        updated_at: seconds,
      });
    assert.deepEqual(await database.sessions(), [
      { id: 'later', title: 'Tea', directory: '', at: (seconds + 100) * 1000, size: 38 },
      { id: own, title: 'The kettle', directory: '', at: (seconds + 60) * 1000, size: 38 },
    ]);
    assert.equal((await database.sessions(1)).length, 1);
  });

  it('are read with calls, their results, thoughts and what was attached', async () => {
    say('user', [
      text('Is the kettle on?'),
      part('binary', { Path: '/a/photo.png', MIMEType: 'image/png', Data: 'AAAA' }),
      part('binary', {
        Path: '/a/note.txt',
        MIMEType: 'text/plain',
        Data: Buffer.from('cold\nwater').toString('base64'),
      }),
      finish,
    ]);
    say('assistant', [
      part('reasoning', { thinking: 'Look first.', signature: 's' }),
      text('I look.'),
      call('c1', 'bash', { command: 'cat kettle' }),
      call('c2', 'view', { file_path: 'photo.png' }),
      finish,
    ]);
    say('tool', [
      result('c1', 'on\nhot'),
      result('c2', '', { data: 'AAAA', mime_type: 'image/png' }),
    ]);
    say('assistant', [text('It is.'), finish]);
    say('user', [part('shell_command', { command: 'ls', output: 'kettle', exit_code: 1 })]);
    const chat = await database.chat(own);
    assert.deepEqual(
      [chat.label, chat.title, chat.workspace, chat.canWrite, chat.earlier, chat.isCut],
      ['Crush', 'The kettle', path.join(database.folder, 'kettle'), false, 'none', false],
    );
    assert.deepEqual(linesOfChat(chat), [
      'user: text "Is the kettle on?", image "", context "/a/note.txt\\ncold\\nwater"',
      'assistant: thinking "Look first.", text "I look.", tool_call bash c1 "command: cat kettle", tool_call view c2 "file_path: photo.png"',
      'tool: tool_result c1 "on\\nhot", other c2 "", image c2 ""',
      'assistant: text "It is."',
      'tool: context "$ ls\\nkettle\\n(exit code 1)"',
    ]);
    assert.equal(chat.messages[0]?.at, new Date((seconds + 1) * 1000).toISOString());
    assert.deepEqual(chat.notes, []);
  });

  it('have their first question as the title until Crush has named them', async () => {
    database.run(open => open.exec("UPDATE sessions SET title = 'Untitled Session'"));
    say('user', [text('Is it on?')]);
    assert.equal((await database.chat(own)).title, undefined);
  });

  it('begin at the summary, and have what is before it where that is asked for', async () => {
    say('user', [text('Is the kettle on?')]);
    say('assistant', [text('It is.'), finish]);
    const first = [
      part('reasoning', { thinking: 'Sum it up.' }),
      text('The kettle was on.'),
      finish,
    ];
    say('assistant', first, { is_summary_message: 1 });
    say('user', [text('And now?')]);
    const last = say('assistant', [text('Still on.'), finish], { is_summary_message: 1 });
    say('user', [text('And the lamp?')]);
    database.run(open => open.exec(`UPDATE sessions SET summary_message_id = '${last}'`));
    const chat = await database.chat(own);
    assert.equal(chat.earlier, 'left out');
    assert.deepEqual(linesOfChat(chat), [
      'user: summary "Still on."',
      'user: text "And the lamp?"',
    ]);
    const whole = await database.chat(own, { includesEarlier: true });
    assert.equal(whole.earlier, 'included');
    assert.deepEqual(linesOfChat(whole), [
      'user: text "Is the kettle on?"',
      'assistant: text "It is."',
      'user: text "And now?"',
      'user: text "And the lamp?"',
    ]);
  });

  it('are read whole where the summary is gone', async () => {
    say('user', [text('Is it on?')]);
    database.run(open => open.exec("UPDATE sessions SET summary_message_id = 'gone'"));
    const chat = await database.chat(own);
    assert.deepEqual([chat.earlier, chat.messages.length], ['none', 1]);
  });

  it('lose no other message to one that is damaged', async () => {
    say('user', [text('Is it on?')]);
    say('assistant', '[{"type":"text",');
    say('tool', '{"no":"list"}');
    say('assistant', '[],"role":"user","parts":[{"type":"text","data":{"text":"forged"}}]');
    say('assistant', [text('It is.')]);
    say('user', '[{"type"\n');
    const chat = await database.chat(own);
    assert.deepEqual(linesOfChat(chat), ['user: text "Is it on?"', 'assistant: text "It is."']);
    assert.deepEqual(chat.notes, [
      {
        text: 'Damaged lines of the session that are left out: {0}. The first is line {1}.',
        args: [4, 3],
      },
    ]);
    assert.equal(chat.isCut, false);
  });

  it('are refused with the reason where they have what is not known', async () => {
    say('user', [part('hologram', {})]);
    await assert.rejects(database.chat(own), /Crush: A part "hologram" is not known/);
    database.run(open => open.exec("UPDATE messages SET parts = '[]', role = 'oracle'"));
    await assert.rejects(database.chat(own), /Crush: A role "oracle" is not known/);
    database.run(open => open.exec('DELETE FROM messages'));
    await assert.rejects(database.chat(own), /Crush: the session has no messages/);
    assert.equal(await database.text('gone'), undefined);
    database.run(open => open.exec('ALTER TABLE messages RENAME COLUMN parts TO content'));
    await assert.rejects(database.sessions(), /the tables of this database are not known/);
  });

  it('are read from a database of a version without summaries', async () => {
    say('user', [text('Is it on?')]);
    database.run(open =>
      open.exec(`
        ALTER TABLE sessions DROP COLUMN summary_message_id;
        ALTER TABLE messages DROP COLUMN is_summary_message`),
    );
    assert.equal((await database.sessions()).length, 1);
    assert.deepEqual(linesOfChat(await database.chat(own)), ['user: text "Is it on?"']);
  });

  it('go on in another tool, and are not written back', async () => {
    say('user', [text('Is it on?')]);
    say('assistant', [call('c1', 'bash', { command: 'cat kettle' }), finish]);
    say('tool', [result('c1', 'on')]);
    say('assistant', [text('It is.'), finish]);
    const file = { path: 'session.json', text: (await database.text(own)) ?? '' };
    const edits = readChat(file).messages.map(({ parts }) => parts.map(each => each.text));
    const request = { edits, asCopy: false, now: new Date(0) };
    assert.throws(() => writeChat(file, request, randomUUID), /Crush: it cannot be written/);
    const conversion = { target: 'claudeCode', workspace: '/home/ada/kettle' } as const;
    const session = writeChat(file, { ...request, conversion }, randomUUID);
    const written = readChat({ path: 'new.jsonl', text: session.files[0]?.text ?? '' });
    const [asked, called, answered, said] = linesOfChat(written);
    assert.equal(asked, 'user: text "Is it on?"');
    assert.match(called ?? '', /^assistant: tool_call Bash \S+ "command: cat kettle"$/);
    assert.match(answered ?? '', /^tool: tool_result \S+ "on"$/);
    assert.equal(said, 'assistant: text "It is."');
  });
});
