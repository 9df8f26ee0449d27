import assert from 'node:assert/strict';
import { readChat } from '../../../../../src/compact/sessions/chat';
import { DatabaseFile, linesOfChat } from './databaseFiles';

/**
 * The tables of goose, schema version 5 (block/goose commit 0164300, `session_manager.rs`), with what version 7
 * added to the messages.
 */
const schema = `
  CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
  CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '', user_set_name BOOLEAN DEFAULT FALSE,
    session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    extension_data TEXT DEFAULT '{}', total_tokens INTEGER, input_tokens INTEGER, output_tokens INTEGER,
    accumulated_total_tokens INTEGER, accumulated_input_tokens INTEGER,
    accumulated_output_tokens INTEGER, schedule_id TEXT, recipe_json TEXT, user_recipe_values_json TEXT);
  CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT,
    session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL, content_json TEXT NOT NULL,
    created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER,
    metadata_json TEXT);
`;

const own = '20260302_1';
const seconds = 1_772_445_600;

const text = (words: string) => ({ type: 'text', text: words });
const request = (id: string, name: string, input: object) => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name, arguments: input } },
});
const response = (id: string, value: unknown) => ({
  type: 'toolResponse',
  id,
  toolResult: { status: 'success', value },
});
const visible = (agentVisible: boolean, userVisible: boolean) => ({ agentVisible, userVisible });

describe('sessions of goose', () => {
  let database: DatabaseFile;
  const addSession = (id: string, more: Record<string, string> = {}): void =>
    database.add('sessions', {
      id,
      name: 'The kettle',
      working_dir: '/home/ada/kettle',
      updated_at: '2026-03-02 10:01:00',
      ...more,
    });
  let count = 0;
  const say = (role: string, content: readonly object[] | string, metadata?: object): void =>
    database.add('messages', {
      message_id: `msg_${++count}`,
      session_id: own,
      role,
      content_json: typeof content === 'string' ? content : JSON.stringify(content),
      created_timestamp: seconds,
      metadata_json: metadata ? JSON.stringify(metadata) : null,
    });
  beforeEach(() => {
    count = 0;
    database = new DatabaseFile('sessions/sessions.db', schema);
    addSession(own);
  });
  afterEach(() => database.remove());

  it('are listed, the newest first, without those of sub-agents and those without messages', async () => {
    addSession('20260302_2');
    addSession('20260302_3', { session_type: 'sub_agent' });
    addSession('20260302_4', {
      name: '',
      description: 'Tea',
      updated_at: '2026-03-02T10:02:00.5+00:00',
    });
    for (const id of [own, '20260302_3', '20260302_4'])
      database.add('messages', {
        session_id: id,
        role: 'user',
        content_json: '[{"type":"text","text":"Hi"}]',
        created_timestamp: seconds,
      });
    const directory = '/home/ada/kettle';
    const at = Date.parse('2026-03-02T10:01:00Z');
    assert.deepEqual(await database.sessions(), [
      { id: '20260302_4', title: 'Tea', directory, at: at + 60_000, size: 29 },
      { id: own, title: 'The kettle', directory, at, size: 29 },
    ]);
    assert.equal((await database.sessions(1)).length, 1);
  });

  it('are read with calls, their results as the model got them, and thoughts', async () => {
    say('user', [
      text('Is the kettle on?'),
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]);
    say('assistant', [
      { type: 'thinking', thinking: 'Look first.', signature: 's' },
      { type: 'redactedThinking', data: 'x' },
      text('I look.'),
      request('t1', 'developer__shell', { command: 'cat kettle' }),
      request('t2', 'developer__screen', {}),
      { type: 'toolRequest', id: 't3', toolCall: { status: 'error', error: '-32602: no name' } },
    ]);
    say('user', [
      { type: 'toolConfirmationRequest', id: 't1', toolName: 'developer__shell', arguments: {} },
    ]);
    say('user', [
      response('t1', [
        { type: 'text', text: 'on\nhot', annotations: { audience: ['assistant'] } },
        { type: 'text', text: '**on**', annotations: { audience: ['user'], priority: 0 } },
      ]),
      response('t2', {
        content: [
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'file:///a', text: 'cold' } },
        ],
        isError: false,
      }),
      { type: 'toolResponse', id: 't3', toolResult: { status: 'error', error: 'no such tool' } },
      response('t4', []),
    ]);
    say('assistant', [{ type: 'reasoning', text: 'Hm.' }, text('It is.')]);
    say('assistant', [{ type: 'systemNotification', notificationType: 'inlineMessage', msg: 'x' }]);
    const chat = await database.chat(own);
    assert.deepEqual(
      [chat.label, chat.title, chat.workspace, chat.canWrite, chat.earlier, chat.isCut],
      ['goose', 'The kettle', '/home/ada/kettle', false, 'none', false],
    );
    assert.deepEqual(linesOfChat(chat), [
      'user: text "Is the kettle on?", image ""',
      'assistant: thinking "Look first.", encrypted "", text "I look.", tool_call developer__shell t1 "command: cat kettle", tool_call developer__screen t2 "", tool_call t3 "-32602: no name"',
      'tool: tool_result t1 "on\\nhot", image t2 "", tool_result t2 "cold", tool_result t3 "no such tool", other t4 ""',
      'assistant: thinking "Hm.", text "It is."',
    ]);
    assert.equal(chat.messages[0]?.at, new Date(seconds * 1000).toISOString());
  });

  it('have a summary in place of what is no longer sent, which is there where it is asked for', async () => {
    // As `compact_messages` leaves them, twice (commit 0036b81).
    say('user', [text('Is the kettle on?')], visible(false, true));
    say('assistant', [text('It is.')], visible(false, true));
    say('user', [text('First summary.')], visible(false, false));
    say('assistant', [text('Go on.')], visible(false, false));
    say('user', [text('And now?')], visible(false, false));
    say('user', [text('Second summary.')], visible(true, false));
    say('assistant', [text('Go on again.')], visible(true, false));
    say('user', [text('And now?')], visible(true, true));
    say('assistant', [text('Still on.')]);
    const chat = await database.chat(own);
    assert.equal(chat.earlier, 'left out');
    assert.deepEqual(linesOfChat(chat), [
      'user: summary "Second summary."',
      'assistant: summary "Go on again."',
      'user: text "And now?"',
      'assistant: text "Still on."',
    ]);
    const whole = await database.chat(own, { includesEarlier: true });
    assert.equal(whole.earlier, 'included');
    assert.deepEqual(linesOfChat(whole), [
      'user: text "Is the kettle on?"',
      'assistant: text "It is."',
      'user: text "And now?"',
      'assistant: text "Still on."',
    ]);
  });

  it('have no earlier messages where only a notice was not sent', async () => {
    say('user', [text('Is it on?')]);
    const notice = { type: 'systemNotification', notificationType: 'inlineMessage', msg: 'x' };
    say('assistant', [notice], visible(false, true));
    say('user', [text('A prompt of a recipe.')], visible(true, false));
    const chat = await database.chat(own);
    assert.equal(chat.earlier, 'none');
    assert.equal(chat.messages.length, 2);
  });

  it('lose no other message to one that is damaged, and are refused where they are not known', async () => {
    say('user', [text('Is it on?')]);
    say('assistant', '[{"type":"text","te');
    say('assistant', [text('It is.')]);
    const chat = await database.chat(own);
    assert.deepEqual(linesOfChat(chat), ['user: text "Is it on?"', 'assistant: text "It is."']);
    assert.deepEqual(chat.notes, [
      { text: 'Line {0} of the session is damaged and left out.', args: [3] },
    ]);
    say('user', [{ type: 'hologram' }]);
    await assert.rejects(database.chat(own), /goose: Content "hologram" is not known/);
    database.run(open => open.exec("UPDATE messages SET role = 'oracle'"));
    await assert.rejects(database.chat(own), /goose: A role "oracle" is not known/);
    assert.equal(await database.text('gone'), undefined);
    database.run(open => open.exec('ALTER TABLE messages RENAME COLUMN content_json TO content'));
    await assert.rejects(database.sessions(), /the tables of this database are not known/);
  });

  it('are read from the first version of the database', async () => {
    database.run(open =>
      open.exec(`
        ALTER TABLE sessions DROP COLUMN name;
        ALTER TABLE sessions DROP COLUMN session_type;
        ALTER TABLE messages DROP COLUMN message_id;
        ALTER TABLE messages DROP COLUMN metadata_json;
        UPDATE sessions SET description = 'Old'`),
    );
    database.add('messages', {
      session_id: own,
      role: 'user',
      content_json: JSON.stringify([text('Is it on?')]),
      created_timestamp: seconds * 1000,
    });
    assert.deepEqual(
      (await database.sessions()).map(({ title }) => title),
      ['Old'],
    );
    const chat = await database.chat(own);
    assert.deepEqual(linesOfChat(chat), ['user: text "Is it on?"']);
    assert.equal(chat.messages[0]?.at, new Date(seconds * 1000).toISOString());
  });

  it('are read from the files of versions before the database', () => {
    const lines = [
      { working_dir: '/home/ada/kettle', description: 'The kettle', message_count: 2 },
      { id: 'm1', role: 'user', created: seconds, content: [text('Is it on?')] },
      {
        role: 'assistant',
        created: seconds,
        content: [request('t1', 'developer__shell', { command: 'cat kettle' })],
      },
      { role: 'user', created: seconds, content: [response('t1', [text('on')])] },
    ];
    const file = lines.map(line => `${JSON.stringify(line)}\n`).join('');
    const chat = readChat({ path: '20250601_120000.jsonl', text: `${file}{"role":"assist` });
    assert.deepEqual(
      [chat.label, chat.title, chat.workspace, chat.isCut],
      ['goose', 'The kettle', '/home/ada/kettle', true],
    );
    assert.deepEqual(linesOfChat(chat), [
      'user: text "Is it on?"',
      'assistant: tool_call developer__shell t1 "command: cat kettle"',
      'tool: tool_result t1 "on"',
    ]);
  });
});
