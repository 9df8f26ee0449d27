import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import zlib from 'node:zlib';
import { written } from '../../../../../src/base/sentence';
import { DatabaseFile, linesOfChat } from './databaseFiles';

/** The table of Zed (zed-industries/zed commit 0642ec7, `crates/agent/src/db.rs`). */
const schema = `
  CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL,
    updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL);
  ALTER TABLE threads ADD COLUMN parent_id TEXT;
  ALTER TABLE threads ADD COLUMN folder_paths TEXT;
  ALTER TABLE threads ADD COLUMN folder_paths_order TEXT;
  ALTER TABLE threads ADD COLUMN created_at TEXT;
`;

const own = '0b51d9aa-2f7d-4f0e-9f53-0f9f6a1b2c3d';

const user = (...content: readonly object[]) => ({ User: { id: 'u1', content } });
const agent = (content: readonly object[], results: object = {}) => ({
  Agent: { content, tool_results: results, reasoning_details: null },
});
const call = (id: string, name: string, input: object) => ({
  ToolUse: { id, name, raw_input: JSON.stringify(input), input, is_input_complete: true },
});
const result = (id: string, content: unknown) => ({
  [id]: { tool_use_id: id, tool_name: 'x', is_error: false, content, output: null },
});

const said = (role: string, more: object) => ({ id: 0, role, ...more });
const segments = (text: string) => ({ segments: [{ type: 'text', text }] });
const thread = (messages: readonly unknown[], version = '0.3.0') =>
  JSON.stringify({ version, messages });

describe('threads of Zed', () => {
  let database: DatabaseFile;
  const addRaw = (data: string | Uint8Array, more: Record<string, string | null> = {}): void =>
    database.add('threads', {
      id: own,
      summary: 'The kettle',
      updated_at: '2026-03-02T10:00:00.123456789+00:00',
      data_type: 'json',
      data: Buffer.from(data),
      ...more,
    });
  const add = (messages: readonly unknown[], more: object = {}): void =>
    addRaw(JSON.stringify({ version: '0.3.0', title: 'The kettle', messages, ...more }));
  const starts = async (id: string) =>
    (await database.chat(id)).messages.map(({ parts }) => parts[0]?.text.slice(0, 2));
  beforeEach(() => {
    database = new DatabaseFile('threads/threads.db', schema);
  });
  afterEach(() => database.remove());

  it('are listed, the newest first, with their folders, without those of sub-agents', async () => {
    const at = Date.parse('2026-03-02T10:00:00.123Z');
    addRaw('12345678', { folder_paths: '/home/ada/kettle\n/home/ada/tea' });
    const later = { updated_at: '2026-03-02T11:00:00Z' };
    addRaw('1234', { ...later, id: 'list', folder_paths: '["/home/ada/tea"]', data_type: 'zstd' });
    addRaw('1234', { ...later, id: 'sub', parent_id: own });
    const snapshot =
      '{"initial_project_snapshot":{"worktree_snapshots":[{"worktree_path":"/a \\"b"}]}}';
    addRaw(snapshot, { id: 'old', updated_at: 'never' });
    const [list, first, old, ...others] = (await database.sessions()).toSorted(
      (a, b) => b.at - a.at,
    );
    assert.deepEqual(list, {
      id: 'list',
      title: 'The kettle',
      directory: '/home/ada/tea',
      at: Date.parse(later.updated_at),
      size: 20,
    });
    assert.deepEqual(first, {
      id: own,
      title: 'The kettle',
      directory: '/home/ada/kettle',
      at,
      size: 8,
    });
    assert.deepEqual([old?.id, old?.directory, old?.at], ['old', '/a "b', 0]);
    assert.deepEqual(others, []);
    assert.equal((await database.sessions(1)).length, 1);
  });

  it('are read with calls, their results, thoughts and what was mentioned', async () => {
    add(
      [
        user(
          { Text: 'Is it on?' },
          { Mention: { uri: { File: { abs_path: '/a/kettle' } }, content: '1\n0' } },
          { Image: { source: 'AAAA', size: { width: 1, height: 1 } } },
        ),
        agent(
          [
            { Thinking: { text: 'Look first.', signature: 's' } },
            { RedactedThinking: 'x' },
            { Text: 'I look.' },
            call('c1', 'terminal', { command: 'cat kettle', cd: 'a' }),
            call('c2', 'read_file', { type: 'json', value: { path: 'a' } }),
            call('c3', 'mcp', {}),
          ],
          {
            ...result('c1', { Text: 'on\nhot' }),
            ...result('c2', ['cold', { Image: { source: 'AAAA' } }]),
            ...result('c3', []),
          },
        ),
        'Resume',
        agent([{ Text: 'It is.' }]),
        user(),
      ],
      { initial_project_snapshot: { worktree_snapshots: [{ worktree_path: '/home/ada/kettle' }] } },
    );
    const chat = await database.chat(own);
    assert.deepEqual(
      [chat.label, chat.title, chat.workspace, chat.canWrite, chat.earlier],
      ['Zed', 'The kettle', '/home/ada/kettle', false, 'none'],
    );
    assert.deepEqual(linesOfChat(chat), [
      'user: text "Is it on?", context "abs_path: /a/kettle\\n1\\n0", image ""',
      'assistant: thinking "Look first.", encrypted "", text "I look.", tool_call terminal c1 "command: cat kettle\\ncd: a", tool_call read_file c2 "path: a", tool_call mcp c3 ""',
      'tool: tool_result c1 "on\\nhot", tool_result c2 "cold", image c2 "", other c3 ""',
      'assistant: text "It is."',
    ]);
  });

  it('are read in the versions before, whose results were in the next message at first', async () => {
    const messages = [
      said('system', segments('Be brief.')),
      said('user', { ...segments('Is it on?'), context: 'The kettle: 1' }),
      said('assistant', {
        segments: [
          { type: 'thinking', text: 'Look.', signature: 's' },
          { type: 'RedactedThinking', data: 'x' },
        ],
        tool_uses: [{ id: 'c1', name: 'terminal', input: { command: 'cat' } }],
      }),
      said('user', {
        ...segments('Here are the results.'),
        tool_results: [{ tool_use_id: 'c1', is_error: false, content: 'on', output: null }],
      }),
      said('assistant', {
        ...segments('It is.'),
        tool_uses: [{ id: 'c2', name: 'now', input: {} }],
        tool_results: [
          { tool_use_id: 'c2', is_error: false, content: { type: 'text', text: '10' } },
        ],
      }),
      said('user', { ...segments('Go on.'), is_hidden: true }),
    ];
    addRaw(JSON.stringify({ version: '0.1.0', summary: 'The kettle', messages }));
    const chat = await database.chat(own);
    assert.deepEqual(linesOfChat(chat), [
      'user: text "Is it on?", context "The kettle: 1"',
      'assistant: thinking "Look.", encrypted "", tool_call terminal c1 "command: cat"',
      'tool: tool_result c1 "on"',
      'assistant: text "It is.", tool_call now c2 ""',
      'tool: tool_result c2 "10"',
      'tool: text "Go on."',
    ]);
    addRaw(JSON.stringify({ summary: 'First', messages: [said('user', { text: 'Is it on?' })] }), {
      id: 'first',
    });
    assert.deepEqual(linesOfChat(await database.chat('first')), ['user: text "Is it on?"']);
  });

  it('send the words of the user and the summary, and the rest where that is asked for', async () => {
    add([
      user({ Text: 'Is the kettle on?' }),
      agent([{ Text: 'It is.' }]),
      { Compaction: { Summary: 'First.' } },
      user({ Text: 'And now?' }),
      agent([{ Text: 'Still on.' }]),
      { Compaction: { Summary: 'Second.' } },
      user({ Text: 'And the lamp?' }),
    ]);
    const chat = await database.chat(own);
    assert.equal(chat.earlier, 'left out');
    assert.deepEqual(linesOfChat(chat), [
      'user: text "Is the kettle on?"',
      'user: text "And now?"',
      'user: summary "Second."',
      'user: text "And the lamp?"',
    ]);
    const whole = await database.chat(own, { includesEarlier: true });
    assert.equal(whole.earlier, 'included');
    assert.deepEqual(
      whole.messages.map(({ parts }) => parts[0]?.text),
      ['Is the kettle on?', 'It is.', 'And now?', 'Still on.', 'And the lamp?'],
    );
  });

  it('send only the newest words of the user before a summary, and none where a provider made it', async () => {
    const many = 'x'.repeat(50_000);
    const before = [user({ Text: `1${many}` }), user({ Text: `2${many}` })];
    add([...before, { Compaction: { Summary: 'S.' } }, user({ Text: 'And now?' })]);
    assert.deepEqual(await starts(own), ['2x', 'S.', 'An']);
    const native = { Compaction: { ProviderNative: { provider: 'openai', items: [] } } };
    const messages = [...before, native, user({ Text: 'And now?' })];
    addRaw(JSON.stringify({ version: '0.3.0', messages }), { id: 'native' });
    assert.deepEqual(await starts('native'), ['', 'An']);
  });

  it('are refused with the reason where they are damaged or not known', async () => {
    const refused = async (data: string, reason: RegExp, more: Record<string, string> = {}) => {
      database.run(open => open.exec('DELETE FROM threads'));
      addRaw(data, more);
      assert.equal((await database.sessions()).length, 1);
      await assert.rejects(database.chat(own), reason);
    };
    await refused(thread([user()], '0.9.0'), /Zed: version "0.9.0" of a thread is not known/);
    await refused(thread([user()]).slice(1), /Zed: the thread is damaged/);
    await refused(thread([{ Oracle: {} }]), /Zed: A message "Oracle" is not known/);
    await refused(thread([user({ Hologram: 1 })]), /Zed: Content "Hologram" is not known/);
    await refused(thread([agent([{ Hologram: 1 }])]), /Zed: Content "Hologram" is not known/);
    await refused(thread([]), /Zed: the session has no messages/);
    await refused('x', /Zed: the thread is stored in a way/, { data_type: 'brotli' });
    await refused('x', /Zed: the (?:compressed )?session is/, { data_type: 'zstd' });
    assert.equal(await database.text('gone'), undefined);
    database.run(open => open.exec('ALTER TABLE threads DROP COLUMN data_type'));
    await assert.rejects(database.sessions(), /the tables of this database are not known/);
  });

  it('are read without what is not known, and say what that is', async () => {
    const known = [user({ Text: 'Is it on?' }, { Hologram: 1 }), agent([{ Text: 'It is.' }])];
    add([...known, user({ Text: 'And now?' })]);
    const chat = await database.chat(own);
    assert.deepEqual(linesOfChat(chat), [
      'user: text "Is it on?"',
      'assistant: text "It is."',
      'user: text "And now?"',
    ]);
    assert.deepEqual(chat.notes.map(written), [
      'Message 1 of the thread is not read completely: Content "Hologram" is not known.',
    ]);
    addRaw(thread([...known, { Oracle: {} }, null]), { id: 'more' });
    assert.deepEqual((await database.chat('more')).notes.map(written), [
      'Messages of the thread that are not read completely: 3. The first is message 1: Content "Hologram" is not known.',
    ]);
    addRaw(thread([said('user', { text: 'Is it on?' }), said('oracle', {})], '0.2.0'), {
      id: 'old',
    });
    assert.deepEqual(linesOfChat(await database.chat('old')), ['user: text "Is it on?"']);
  });

  it('are listed and read where the database is damaged at another one', async () => {
    const text = thread([user({ Text: `Is it on? ${'x'.repeat(3000)}` })]);
    const ids = ['a', 'b', 'c', 'd'];
    for (const id of ids) addRaw(text, { id, summary: `The ${id}`, folder_paths: '/home/ada' });
    // A page of the table: each has one thread.
    const bytes = readFileSync(database.path);
    const at = Math.floor(bytes.indexOf('The b') / 4096) * 4096;
    writeFileSync(database.path, bytes.fill(0xff, at, at + 100));
    const listed = (await database.sessions()).map(({ id, title }) => `${id}: ${title}`);
    assert.deepEqual(new Set(listed), new Set(['a: The a', 'b: ', 'c: The c', 'd: The d']));
    assert.equal((await database.chat('c')).messages.length, 1);
    await assert.rejects(database.chat('b'), /Zed: the thread "b" cannot be read .*malformed/);
  });

  it('are listed where the text of one that has no folder is damaged', async () => {
    const text = thread([user({ Text: `Is it on? ${'x'.repeat(30_000)}` })]);
    addRaw(text, { id: 'a' });
    addRaw(text, { id: 'b', folder_paths: '/home/ada' });
    const bytes = readFileSync(database.path);
    // The text goes on in other pages, of which each begins with the number of the next.
    const page = Math.ceil(bytes.indexOf('Is it on?') / 4096) * 4096;
    writeFileSync(database.path, bytes.fill(0xff, page, page + 4));
    assert.deepEqual(new Set((await database.sessions()).map(({ id }) => id)), new Set(['a', 'b']));
  });

  if (typeof zlib.zstdCompressSync === 'function') {
    it('are read where they are compressed', async () => {
      const data = zlib.zstdCompressSync(thread([user({ Text: 'Is it on?' })]));
      addRaw(data, { data_type: 'zstd' });
      assert.deepEqual(linesOfChat(await database.chat(own)), ['user: text "Is it on?"']);
    });
  }
});
