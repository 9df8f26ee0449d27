import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as vscode from 'vscode';
import { MessageIndex } from '../../src/compact/historySearch/messageIndex';
import { summarizedSession } from '../support/unit/summarizedSession';
import {
  answer,
  chooseRow,
  closeAll,
  fileUri,
  message,
  openedQuickPicks,
  run,
  waitFor,
} from './support';

const folder = path.join(homedir(), '.claude', 'projects', '-home-ada-queue');

/** A session as Claude Code writes it. */
function writeSession(name: string, ...texts: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = texts.map((text, index) =>
    JSON.stringify({
      type: index % 2 === 0 ? 'user' : 'assistant',
      uuid: `${name}-${index}`,
      parentUuid: index === 0 ? null : `${name}-${index - 1}`,
      sessionId: name,
      cwd: '/home/ada/queue',
      version: '2.1.0',
      isSidechain: false,
      timestamp: '2026-11-20T10:00:00.000Z',
      message:
        index % 2 === 0
          ? { role: 'user', content: text }
          : { role: 'assistant', content: [{ type: 'text', text }] },
    }),
  );
  writeFileSync(path.join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`);
}

/** A session in the database of opencode. */
function storeSession(id: string, text: string): void {
  const own = path.join(homedir(), '.local', 'share', 'opencode');
  mkdirSync(own, { recursive: true });
  const database = new DatabaseSync(path.join(own, 'opencode.db'));
  database.exec(`
    create table session (id text, parent_id text, slug text, project_id text, directory text, title text, version text, time_created int, time_updated int);
    create table message (id text, session_id text, time_created int, data text);
    create table part (id text, message_id text, session_id text, data text);
  `);
  database
    .prepare("insert into session values (?, null, '', 'p', '/home/ada', 'Stored', '1', 1, 2)")
    .run(id);
  database.prepare("insert into message values ('m', ?, 1, ?)").run(id, '{"role":"user"}');
  database
    .prepare("insert into part values ('p', 'm', ?, ?)")
    .run(id, JSON.stringify({ type: 'text', text }));
  database.close();
}

/** A session of Crush about the open folder, in its database there. */
function storeCrushSession(id: string, text: string): void {
  const own = fileUri('.crush').fsPath;
  mkdirSync(own, { recursive: true });
  const database = new DatabaseSync(path.join(own, 'crush.db'));
  database.exec(`
    create table sessions (id text, parent_session_id text, title text, updated_at int, created_at int, summary_message_id text);
    create table messages (id text, session_id text, role text, parts text, created_at int, is_summary_message int);
  `);
  database.prepare("insert into sessions values (?, null, 'Stored', 2, 1, null)").run(id);
  database
    .prepare("insert into messages values ('m', ?, 'user', ?, 1, 0)")
    .run(id, JSON.stringify([{ type: 'text', data: { text } }]));
  database.close();
}

const file = () => fileUri('chats/index.db').fsPath;
const hits = (index: MessageIndex, match: string) =>
  [...index.find(match)].map(hit => `${hit.path}#${hit.message}`);

describe('the index of messages', () => {
  const at = Date.UTC(2026, 10, 20);

  after(async () => rmSync(path.dirname(file()), { recursive: true, force: true }));

  it('finds words in the newest files first, and forgets what is replaced', async () => {
    const index = await MessageIndex.open(file());
    index.replace([
      { path: '/old', stamp: '1', at, messages: ['The queue is slow', 'queue_index 検索'] },
      { path: '/new', stamp: '1', at: at + 100_000, messages: ['Queue!'] },
      { path: '/same minute', stamp: '1', at: at + 1, messages: ['a queue'] },
    ]);
    assert.deepEqual(hits(index, '"queue"'), ['/new#0', '/same minute#0', '/old#1', '/old#0']);
    assert.deepEqual(hits(index, '"queue" AND "ind"*'), ['/old#1']);
    assert.deepEqual(hits(index, '"検" AND "索"'), ['/old#1']);
    index.replace([{ path: '/old', stamp: '2', at, messages: ['The queue'] }]);
    assert.deepEqual(hits(index, '"slow"'), []);
    assert.deepEqual(Object.fromEntries(index.stamps), {
      '/new': '1',
      '/old': '2',
      '/same minute': '1',
    });
    index.remove(['/new', '/unknown']);
    assert.deepEqual(hits(index, '"queue"'), ['/same minute#0', '/old#0']);
    index.close();
    const again = await MessageIndex.open(file());
    assert.deepEqual(hits(again, '"queue"'), ['/same minute#0', '/old#0']);
    again.close();
  });

  it('has more messages of one file than a page', async () => {
    const index = await MessageIndex.open(file());
    const messages = Array.from({ length: 350 }, (_, n) => `page ${n}`);
    index.replace([{ path: '/long', stamp: '1', at, messages }]);
    assert.equal(new Set(hits(index, '"page"')).size, 350);
    index.close();
  });

  it('is made anew where it is damaged or of another version', async () => {
    rmSync(path.dirname(file()), { recursive: true, force: true });
    mkdirSync(path.dirname(file()), { recursive: true });
    writeFileSync(file(), 'no database '.repeat(1000));
    const index = await MessageIndex.open(file());
    assert.deepEqual([...index.stamps], []);
    index.replace([{ path: '/a', stamp: '1', at, messages: ['word'] }]);
    assert.deepEqual(hits(index, '"word"'), ['/a#0']);
    index.close();
  });

  it('can be read while another window writes', async () => {
    const [one, other] = [await MessageIndex.open(file()), await MessageIndex.open(file())];
    one.replace([{ path: '/b', stamp: '1', at, messages: ['second word'] }]);
    assert.deepEqual(hits(other, '"second"'), ['/b#0']);
    one.close();
    other.close();
  });
});

describe('a search in chat histories', () => {
  let picks: vscode.QuickPick<vscode.QuickPickItem>[] = [];
  const labels = () => picks[0]?.items.map(({ label }) => label) ?? [];

  /** Opens the row, once the window shows it as the active one: until then, Enter opens another one. */
  async function openRow(row: string, done: Promise<unknown>): Promise<vscode.TextEditor> {
    await waitFor(() => picks[0]?.activeItems[0]?.label === row, `${row} to be active`);
    await run('workbench.action.acceptSelectedQuickOpenItem');
    await done;
    return vscode.window.activeTextEditor ?? assert.fail('no editor');
  }

  /** Opens the search and types; resolves once a row is there. */
  async function search(typed: string, row: string): Promise<{ done: Promise<unknown> }> {
    const done = run('splice.compact.searchHistories');
    const opened = await waitFor(() => picks[0], 'the input');
    opened.value = typed;
    await waitFor(() => labels().includes(row), row);
    return { done };
  }

  const hides = async ({ done }: { done: Promise<unknown> }): Promise<void> => {
    picks[0]?.hide();
    await done;
  };

  before(() => {
    writeSession(
      'first',
      'Why is the queue slow?',
      'The table has no index.\nAdd one for queue_id.',
    );
    writeSession('second', 'Rename the queue', 'Done, it is called backlog now.');
  });
  beforeEach(() => {
    picks = openedQuickPicks();
  });
  afterEach(async () => {
    picks[0]?.hide();
    await closeAll();
  });
  after(async () => {
    await run('splice.compact.deleteHistoryIndex');
    rmSync(path.join(homedir(), '.claude'), { recursive: true, force: true });
    rmSync(path.join(homedir(), '.local', 'share', 'opencode'), { recursive: true, force: true });
    rmSync(fileUri('.crush').fsPath, { recursive: true, force: true });
  });

  it('builds nothing before the user agrees', async () => {
    await run('splice.compact.searchHistories');
    const { detail, isModal } = await message(/Search the chat histories of this machine\?/);
    assert.ok(isModal);
    assert.match(detail ?? '', /Splice reads \d+ chats.*Nothing is sent/);
    assert.deepEqual(picks, []);
  });

  it('opens a message at its line', async () => {
    answer(/Search the chat histories/, 'Build the Index');
    const { done } = await search('no index', 'The table has no index.');
    const editor = await openRow('The table has no index.', done);
    const { active } = editor.selection;
    assert.equal(editor.document.lineAt(active.line).text, 'The table has no index.');
  });

  it('finds what was written since', async () => {
    writeSession('third', 'Where is the flux capacitor?');
    await hides(await search('capacitor', 'Where is the flux capacitor?'));
  });

  it('opens a message that the tool has replaced by a summary', async () => {
    writeFileSync(path.join(folder, 'summarized.jsonl'), summarizedSession('/home/ada/queue'));
    const { done } = await search('"row 7 of the log"', 'row 7 of the log');
    const editor = await openRow('row 7 of the log', done);
    assert.equal(editor.document.lineAt(editor.selection.active.line).text, 'row 7 of the log');
    assert.match(editor.document.getText(), /^User[^]*Why does step 0 fail\?/);
  });

  it('opens a session in a database', async () => {
    storeSession('ses_1', 'Is the dynamo charged?');
    const { done } = await search('dynamo', 'Is the dynamo charged?');
    const editor = await openRow('Is the dynamo charged?', done);
    const { active } = editor.selection;
    assert.equal(editor.document.lineAt(active.line).text, 'Is the dynamo charged?');
  });

  it('opens a session of Crush in the open folder, which is not written back', async () => {
    storeCrushSession('2f7d1c9a-0b51-4f0e-9f53-0f9f6a1b2c3d', 'Is the magneto charged?');
    const { done } = await search('magneto', 'Is the magneto charged?');
    const editor = await openRow('Is the magneto charged?', done);
    const { active } = editor.selection;
    assert.equal(editor.document.lineAt(active.line).text, 'Is the magneto charged?');
    const lenses = await run<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      editor.document.uri,
    );
    const titles = lenses.map(({ command }) => command?.title ?? '');
    assert.ok(titles.includes('$(link-external) Continue In…'), titles.join('\n'));
    await run('splice.compact.writeBack');
    const { buttons } = await message(/Crush: a session cannot be written back/);
    assert.deepEqual(buttons, ['Continue In…']);
  });

  it('lists what it searches, the newest first, and says where a figure is not exact', async () => {
    const done = run('splice.compact.start');
    const opened = await waitFor(() => picks[0], 'the list');
    await waitFor(() => !opened.busy && opened.items.length > 0, 'all chats');
    await chooseRow(opened, 'Other Folders');
    // Those of the open folder come first: the one in the database of Crush.
    const rows = await waitFor(() => {
      const details = opened.items.map(({ detail = '' }) => detail);
      return details.some(detail => detail.startsWith('opencode')) && details;
    }, 'the other chats');
    const [, ...others] = rows.filter(row => row.includes('tokens'));
    assert.match(others[0] ?? '', /^Claude Code · .* · \d+ (?:bytes|kB) · \d+ tokens$/);
    assert.match(others.at(-1) ?? '', /^opencode · .* · about \d+ tokens$/);
    await hides({ done });
  });

  it('says when no chat has the words', async () => {
    await hides(await search('capacitor backlog', 'No chat has all of these words'));
  });

  it('deletes the index', async () => {
    await run('splice.compact.deleteHistoryIndex');
    await run('splice.compact.searchHistories');
    await message(/Search the chat histories of this machine\?/);
  });
});
