import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  copyFile,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import zlib from 'node:zlib';
import { isAbortError } from '../../../../src/base/async/clock';
import type { Machine } from '../../../../src/compact/sessions/locations/machine';
import {
  conversionFolder,
  type FoundHistory,
  findHistories,
  listHistories,
  newestOfWorkspace,
  type UnreadableHistory,
} from '../../../../src/compact/sessions/sessionFiles';
import {
  claudeFolderName,
  geminiFolderName,
} from '../../../../src/compact/sessions/sessionFolders';
import { estimateTokens } from '../../../../src/service';
import { summarizedSession } from '../../../support/unit/summarizedSession';
import { fixtures, textOf } from './fixtures';

const workspaceFolder = '/home/ada/kettle';
const claudeFolder = `.claude/projects/${claudeFolderName(workspaceFolder)}`;
const { signal } = new AbortController();

const fixtureText = (name: string): string =>
  textOf(fixtures.find(one => one.name === name) ?? assert.fail(name));

/** A session of Claude Code with many questions of 1000 characters. */
const longSession = (questions: number): string =>
  Array.from({ length: questions }, (_, at) => {
    const content = `Question ${at} ${'of the kettle '.repeat(70)}`;
    const links = { uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}` };
    const about = { sessionId: 's', cwd: workspaceFolder, type: 'user' };
    return `${JSON.stringify({ ...links, ...about, message: { role: 'user', content } })}\n`;
  }).join('');

/** A home folder that goes away with the test. */
class Home {
  machine: Machine = { home: '', platform: process.platform, env: {} };
  #seconds = 1000;

  async open(): Promise<void> {
    const home = await realpath(await mkdtemp(path.join(tmpdir(), 'sessions-')));
    const editorUser = path.join(home, 'editor', 'User');
    this.#seconds = 1000;
    // Only the folders of this home, on each platform.
    const env = { XDG_CONFIG_HOME: home, APPDATA: home, XDG_DATA_HOME: path.join(home, 'data') };
    this.machine = { home, platform: process.platform, env, workspaceFolder, editorUser };
  }

  at(name: string): string {
    return path.join(this.machine.home, name);
  }

  /** Each file is newer than those that were written before. */
  async write(name: string, text: string): Promise<string> {
    const file = this.at(name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    await this.touch(name);
    return file;
  }

  async touch(name: string): Promise<void> {
    const seconds = this.#seconds++;
    await utimes(this.at(name), seconds, seconds);
  }

  async find(machine: Machine = this.machine) {
    const found: FoundHistory[] = [];
    const unreadable: UnreadableHistory[] = [];
    await findHistories(machine, {
      signal,
      onFound: one => found.push(one),
      onUnreadable: one => unreadable.push(one),
    });
    return { found, unreadable };
  }

  async close(): Promise<void> {
    await rm(this.machine.home, { recursive: true, force: true });
  }
}

const ampThread = (id: string, more: object): string =>
  JSON.stringify({
    v: 1,
    id,
    messages: [{ role: 'user', content: [{ type: 'text', text: `Is it on? ${id}` }] }],
    ...more,
  });

const linesOf = (found: readonly FoundHistory[]): string[] =>
  found.map(({ label, title, isOfWorkspace }) => `${isOfWorkspace ? '* ' : ''}${label}: ${title}`);

/** Makes tables in a database. */
const fill = (file: string, sql: string): void => {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
};

describe('the sessions of known tools', () => {
  const home = new Home();
  beforeEach(async () => home.open());
  afterEach(async () => home.close());

  it('of the window are about its folder, and a chat is not listed again as its transcript', async () => {
    const storage = 'editor/User/workspaceStorage';
    const transcripts = 'GitHub.copilot-chat/transcripts';
    const transcript = fixtureText('copilot.jsonl');
    for (const id of ['one', 'two']) {
      await home.write(`${storage}/5e55/${transcripts}/${id}.jsonl`, transcript);
      await home.write(`${storage}/other/${transcripts}/${id}.jsonl`, transcript);
    }
    await home.write(`${storage}/5e55/chatSessions/one.jsonl`, fixtureText('vscode-session.jsonl'));
    await home.write(
      `${storage}/other/chatSessions/two.jsonl`,
      fixtureText('vscode-session.jsonl'),
    );
    const workspaceStorage = home.at(`${storage}/5e55`);
    const { found } = await home.find({ ...home.machine, workspaceStorage });
    assert.deepEqual(
      found.map(({ path: file, isOfWorkspace }) => [
        path.relative(home.at(storage), file).split(path.sep).join('/'),
        isOfWorkspace,
      ]),
      [
        ['other/chatSessions/two.jsonl', false],
        ['5e55/chatSessions/one.jsonl', true],
        [`5e55/${transcripts}/two.jsonl`, true],
        [`other/${transcripts}/one.jsonl`, false],
      ],
    );
  });

  it('are listed newest first, with their titles, and with those of the open folder marked', async () => {
    const storage = 'editor/User/workspaceStorage';
    await home.write('.claude/projects/-home-ada/1.jsonl', fixtureText('claude.jsonl'));
    await home.write(
      '.claude/projects/-tea/2.jsonl',
      fixtureText('claude.jsonl').replaceAll(workspaceFolder, '/home/ada/tea'),
    );
    await home.write('.codex/sessions/2026/03/02/rollout-1.jsonl', fixtureText('codex.jsonl'));
    await home.write(
      '.codex/archived_sessions/rollout-2.jsonl',
      fixtureText('codex-compacted.jsonl'),
    );
    await home.write('.gemini/tmp/abc/chats/session-1.json', fixtureText('gemini.json'));
    await home.write(
      '.gemini/tmp/kettle/chats/session-2.jsonl',
      fixtureText('gemini.jsonl').replace('5d41402abc', geminiFolderName(workspaceFolder)),
    );
    await home.write('.continue/sessions/1.json', fixtureText('continue.json'));
    await home.write('.continue/sessions/sessions.json', '[]');
    await home.write('.pi/agent/sessions/--home--/1.jsonl', fixtureText('pi.jsonl'));
    const kimi = '.kimi-code/sessions/wd_kettle_1/session_1';
    await home.write(`${kimi}/agents/agent-0/wire.jsonl`, fixtureText('kimi.jsonl'));
    const about = { cwd: workspaceFolder, title: 'A fuse' };
    await home.write(`${kimi}/state.json`, JSON.stringify(about));
    await home.write(`${kimi}/agents/main/wire.jsonl`, fixtureText('kimi.jsonl'));
    await home.write('.copilot/session-state/1/events.jsonl', fixtureText('copilot-cli.jsonl'));
    await home.write(`${storage}/a/workspace.json`, `{"folder":"file://${workspaceFolder}"}`);
    await home.write(`${storage}/a/chatSessions/1.jsonl`, fixtureText('vscode-session.jsonl'));
    await home.write(`${storage}/b/workspace.json`, '{"folder":"file:///home/ada/tea"}');
    await home.write(`${storage}/b/chatSessions/1.jsonl`, fixtureText('vscode-session.jsonl'));
    await home.write(`${storage}/c/chatSessions/1.jsonl`, fixtureText('vscode-session.jsonl'));
    await home.write(
      'editor/User/globalStorage/emptyWindowChatSessions/1.jsonl',
      fixtureText('vscode-session.jsonl'),
    );
    const { found, unreadable } = await home.find();
    assert.deepEqual(unreadable, []);
    assert.deepEqual(linesOf(found), [
      'VS Code chat session: Thermostat and fuse',
      'VS Code chat session: Thermostat and fuse',
      'VS Code chat session: Thermostat and fuse',
      '* VS Code chat session: Thermostat and fuse',
      '* Copilot CLI: Is the lid on?',
      '* Kimi Code: A fuse',
      '* pi: The leak',
      '* Continue: Descale',
      '* Gemini CLI: Where is the relay opened?',
      'Gemini CLI: Old form?',
      '* Codex: Before the compaction.',
      '* Codex: List the switches.',
      'Claude Code: Kettle stays on',
      '* Claude Code: Kettle stays on',
    ]);
    const { workspaceFolder: _, ...none } = home.machine;
    assert.ok((await home.find(none)).found.every(({ isOfWorkspace }) => !isOfWorkspace));
  });

  it('tell their file, its time and size, and how many tokens they have', async () => {
    const text = longSession(20);
    const file = await home.write(`${claudeFolder}/1.jsonl`, text);
    const { found } = await home.find();
    assert.equal(found.length, 1, 'found once, although two places have it');
    const [one] = found;
    assert.deepEqual(
      [one?.path, one?.at, one?.size, one?.isOfWorkspace],
      [file, 1_000_000, text.length, true],
    );
    const questions = longSession(20).split('\n').slice(0, 20);
    const tokens = questions.reduce(
      (sum, question) => sum + estimateTokens(JSON.parse(question).message.content),
      0,
    );
    assert.equal(one?.tokens, tokens);
  });

  it('are called by their first question, also where a summary stands for it', async () => {
    await home.write(`${claudeFolder}/1.jsonl`, summarizedSession(workspaceFolder));
    assert.deepEqual(linesOf((await home.find()).found), ['* Claude Code: Why does step 0 fail?']);
  });

  it('are read at their beginning only where they are large', async () => {
    const small = longSession(200);
    const large = longSession(2000);
    await home.write(`${claudeFolder}/small.jsonl`, small);
    await home.write(`${claudeFolder}/large.jsonl`, large);
    const session = JSON.parse(fixtureText('continue.json'));
    session.history[0].message.content = 'x'.repeat(1_100_000);
    await home.write('.continue/sessions/1.json', JSON.stringify(session));
    const { found, unreadable } = await home.find();
    assert.deepEqual(unreadable, []);
    const [other, long, short] = found;
    assert.ok(long && short && long.title.startsWith('Question 0 of the kettle'));
    const perCharacter = short.tokens / small.length;
    const wanted = large.length * perCharacter;
    assert.ok(Math.abs(long.tokens / wanted - 1) < 0.02, `${long.tokens} of ${wanted}`);
    assert.deepEqual([long.isExtrapolated, short.isExtrapolated], [true, false]);
    // What cannot be read by its beginning has at least a name.
    assert.deepEqual(
      [other?.label, other?.title, other?.tokens, other?.isOfWorkspace],
      ['continue', '1.json', 0, false],
    );
  });

  if (typeof zlib.zstdCompressSync === 'function') {
    it('are decompressed at their beginning only where they are large', async () => {
      const long = longSession(2000).replaceAll('kettle', () => randomBytes(20).toString('hex'));
      const name = '.codex/archived_sessions/rollout-1.jsonl.zst';
      await home.write(name, '');
      await writeFile(home.at(name), zlib.zstdCompressSync(long));
      const [found] = (await home.find()).found;
      assert.ok(found);
      assert.match(found.title, /^Question 0 of the/);
      const perCharacter = estimateTokens(long.slice(0, 10_000)) / 10_000;
      const wanted = long.length * perCharacter;
      assert.ok(Math.abs(found.tokens / wanted - 1) < 0.3, `${found.tokens} of ${wanted}`);
      assert.equal(found.isExtrapolated, true);
    });
  }

  it('are named with the reason where they cannot be read', async () => {
    const strange = await home.write(`${claudeFolder}/strange.jsonl`, 'no session\n');
    const huge = await home.write(`${claudeFolder}/huge.jsonl`, '{}\n');
    await truncate(huge, 256 * 1024 * 1024 + 1);
    const fits = await home.write(`${claudeFolder}/empty.jsonl`, '');
    await mkdir(home.at(`${claudeFolder}/folder.jsonl`));
    const goose = await home.write('data/goose/sessions/sessions.db', 'SQLite');
    const cursor = await home.write('Cursor/User/globalStorage/state.vscdb', 'SQLite');
    const damaged = await home.write('data/opencode/opencode.db', 'no database');
    const large = await home.write('data/kilo/kilo.db', 'SQLite');
    await truncate(large, 500 * 1024 * 1024 + 1);
    const { found, unreadable } = await home.find();
    assert.deepEqual(found, [], fits);
    const reasons = new Map(unreadable.map(one => [one.path, one]));
    assert.deepEqual(reasons.get(strange), { path: strange, reason: 'unknown' });
    assert.deepEqual(reasons.get(huge), { path: huge, reason: 'tooLarge' });
    assert.deepEqual(reasons.get(cursor), { path: cursor, reason: 'database', tool: 'Cursor' });
    assert.equal(reasons.get(goose)?.tool, 'goose');
    const { reason, tool } = reasons.get(damaged) ?? assert.fail('not named');
    assert.ok(['unreadable', 'noSqlite'].includes(reason), reason);
    assert.equal(tool, 'opencode');
    assert.deepEqual(reasons.get(large), {
      path: large,
      reason: 'largeDatabase',
      tool: 'Kilo Code',
    });
    assert.equal(reasons.size, 6);
  });

  it('are named by their tool where they are in a database that is not read', async () => {
    const databases = {
      'Cursor/User/globalStorage/state.vscdb': 'Cursor',
    };
    for (const name of Object.keys(databases)) await home.write(name, 'x');
    const { unreadable } = await home.find({
      ...home.machine,
      platform: 'linux',
      workspaceFolder: home.at('kettle'),
    });
    assert.deepEqual(
      unreadable.map(one => [path.relative(home.machine.home, one.path), one.tool]),
      Object.entries(databases),
    );
  });

  it('are found in the databases of opencode and of its fork', async () => {
    for (const [name, tables] of [
      ['data/opencode/opencode.db', 'opencode'],
      ['data/kilo/kilo.db', 'Kilo Code'],
    ] as const) {
      const database = new DatabaseSync(await home.write(name, ''));
      database.exec(`
        CREATE TABLE session (id, parent_id, title, directory, time_updated);
        CREATE TABLE part (session_id, data);
        INSERT INTO session VALUES ('ses_1', NULL, 'On? ${tables}', '${workspaceFolder}', 2000);
        INSERT INTO session VALUES ('ses_2', NULL, '', '/home/ada/tea', 1000);
        INSERT INTO part VALUES ('ses_1', '${'x'.repeat(402)}');
      `);
      database.close();
    }
    const { found, unreadable } = await home.find();
    assert.deepEqual([unreadable, found.length], [[], 4]);
    assert.deepEqual(linesOf(found), [
      '* opencode: On? opencode',
      'opencode: ses_2',
      '* Kilo Code: On? Kilo Code',
      'Kilo Code: ses_2',
    ]);
    const [first, second] = found;
    assert.deepEqual(
      [first?.path, first?.storedId, first?.at, first?.size, first?.tokens],
      [home.at('data/opencode/opencode.db'), 'ses_1', 2000, 402, 101],
    );
    assert.deepEqual([second?.size, second?.tokens, second?.isExtrapolated], [0, 0, true]);
    const { workspaceFolder: _, ...none } = home.machine;
    assert.ok((await home.find(none)).found.every(({ isOfWorkspace }) => !isOfWorkspace));
    // Without a receiver of sessions, no database is read.
    const unread: UnreadableHistory[] = [];
    const search = { signal, onUnreadable: (one: UnreadableHistory) => unread.push(one) };
    assert.deepEqual([await listHistories(home.machine, search), unread], [[], []]);
  });

  it('are found in the databases of Crush and goose, and named where their tables are not known', async () => {
    const kettle = home.at('kettle');
    const crush = await home.write('kettle/.crush/crush.db', '');
    const goose = await home.write('data/goose/sessions/sessions.db', '');
    const later = await home.write('data/opencode/opencode.db', '');
    fill(
      crush,
      `CREATE TABLE sessions (id, parent_session_id, title, updated_at);
       CREATE TABLE messages (id, session_id, role, parts, created_at);
       INSERT INTO sessions VALUES ('c1', NULL, 'On?', 2000);
       INSERT INTO messages VALUES ('m1', 'c1', 'user', '${'x'.repeat(402)}', 2000);`,
    );
    fill(
      goose,
      `CREATE TABLE sessions (id, description, working_dir, updated_at);
       CREATE TABLE messages (id, session_id, role, content_json, created_timestamp);
       INSERT INTO sessions VALUES ('20260302_1', 'Hot?', '${kettle}', '2026-03-02 10:00:00');
       INSERT INTO messages VALUES (1, '20260302_1', 'user', '[]', 2000);`,
    );
    fill(later, 'CREATE TABLE sessions (id)');
    // goose has taken the first one into its database.
    const old =
      '{"working_dir":"/home/ada/tea","description":"Old"}\n{"role":"user","content":[{"type":"text","text":"Hi"}]}\n';
    await home.write('data/goose/sessions/20260302_1.jsonl', old);
    await home.write('data/goose/sessions/20250101_1.jsonl', old);
    // The one of the open folder is there as well, and is listed once.
    const tea = await home.write('tea/.crush/crush.db', '');
    await copyFile(crush, tea);
    const projects = [kettle, home.at('tea')].map(folder => ({
      path: folder,
      data_dir: path.join(folder, '.crush'),
    }));
    await home.write('data/crush/projects.json', JSON.stringify({ projects }));
    const { found, unreadable } = await home.find({ ...home.machine, workspaceFolder: kettle });
    assert.deepEqual(linesOf(found), ['* Crush: On?', '* goose: Hot?', 'Crush: On?', 'goose: Old']);
    const [first] = found;
    assert.deepEqual(
      [first?.path, first?.storedId, first?.at, first?.size, first?.tokens],
      [crush, 'c1', 2_000_000, 402, 101],
    );
    assert.deepEqual(unreadable, [{ path: later, reason: 'unknown', tool: 'opencode' }]);
  });

  it('are none of sub-agents, which Amp keeps as threads of their own', async () => {
    await home.write('data/amp/threads/T-1.json', ampThread('T-1', {}));
    await home.write('data/amp/threads/T-2.json', ampThread('T-2', { mainThreadID: 'T-1' }));
    const { found, unreadable } = await home.find();
    assert.deepEqual(linesOf(found), ['Amp: Is it on? T-1']);
    assert.deepEqual(unreadable, []);
  });

  it('are called and placed by a file beside them, which tells of sub-agents too', async () => {
    const grok = (id: string, about: object) => {
      const folder = `.grok/sessions/kettle/${id}`;
      const info = { id, cwd: workspaceFolder };
      return [
        home.write(`${folder}/summary.json`, JSON.stringify({ info, ...about })),
        home.write(`${folder}/chat_history.jsonl`, fixtureText('grok.jsonl')),
      ];
    };
    await Promise.all([
      ...grok('a', { generated_title: 'Loud' }),
      ...grok('b', { session_kind: 'subagent' }),
    ]);
    const { found } = await home.find();
    assert.deepEqual(
      found.map(({ label, title, isOfWorkspace }) => [label, title, isOfWorkspace]),
      [['Grok', 'Loud', true]],
    );
  });

  it('are no more than the 300 newest', async () => {
    const text = longSession(1);
    for (let at = 0; at < 301; at++) await home.write(`${claudeFolder}/${at}.jsonl`, text);
    const { found } = await home.find();
    assert.deepEqual(
      [found.length, found.at(0), found.at(-1)].map(one =>
        typeof one === 'object' ? path.basename(one.path) : one,
      ),
      [300, '300.jsonl', '1.jsonl'],
    );
  });

  it('may be links, also ones that lead nowhere', async function () {
    if (process.platform === 'win32') this.skip();
    const file = await home.write('elsewhere/1.jsonl', fixtureText('claude.jsonl'));
    await mkdir(home.at(claudeFolder), { recursive: true });
    await symlink(file, home.at(`${claudeFolder}/link.jsonl`));
    const broken = home.at(`${claudeFolder}/broken.jsonl`);
    await symlink(home.at('nowhere'), broken);
    const { found, unreadable } = await home.find();
    assert.deepEqual(
      found.map(one => one.path),
      [file],
    );
    assert.deepEqual(
      [...new Set(unreadable.map(one => `${one.path} ${one.reason}`))],
      [`${broken} unreadable`],
    );
  });

  it('are no longer looked for once that is canceled', async () => {
    await home.write(`${claudeFolder}/1.jsonl`, fixtureText('claude.jsonl'));
    const search = { signal: AbortSignal.abort(), onUnreadable: () => undefined };
    await assert.rejects(listHistories(home.machine, search), isAbortError);
    const abort = new AbortController();
    await home.write(`${claudeFolder}/2.jsonl`, fixtureText('claude.jsonl'));
    let count = 0;
    const finding = findHistories(home.machine, {
      signal: abort.signal,
      onFound() {
        count++;
        abort.abort();
      },
      onUnreadable: () => undefined,
    });
    await assert.rejects(finding, isAbortError);
    assert.equal(count, 1);
  });

  it('are converted to where their tool looks for them', async () => {
    const { machine } = home;
    const chats = (name: string): string => home.at(`.gemini/tmp/${name}/chats`);
    assert.equal(await conversionFolder('claudeCode', machine), home.at(claudeFolder));
    assert.equal(await conversionFolder('openai', machine), undefined);
    const hash = geminiFolderName(workspaceFolder);
    assert.equal(await conversionFolder('gemini', machine), chats(hash));
    const projects = { projects: { [workspaceFolder]: 'kettle' } };
    await home.write('.gemini/projects.json', JSON.stringify(projects));
    assert.equal(await conversionFolder('gemini', machine), chats('kettle'));
  });
});

describe('the newest session of a folder', () => {
  const home = new Home();
  beforeEach(async () => home.open());
  afterEach(async () => home.close());

  const newest = async (machine = home.machine): Promise<string | undefined> => {
    const found = await newestOfWorkspace(machine, signal);
    return found && path.basename(found.path);
  };

  it('is none of the sub-agents that it waits for', async () => {
    await home.write(`${claudeFolder}/old.jsonl`, fixtureText('claude.jsonl'));
    await home.write(`${claudeFolder}/main.jsonl`, fixtureText('claude.jsonl'));
    await home.write(`${claudeFolder}/agent-5e1f.jsonl`, fixtureText('claude-agent.jsonl'));
    assert.equal(await newest(), 'main.jsonl');
  });

  it('is found among newer ones that are of other folders or cannot be read', async () => {
    await home.write('.codex/sessions/2026/03/02/rollout-1.jsonl', fixtureText('codex.jsonl'));
    const other = fixtureText('claude.jsonl').replaceAll(workspaceFolder, '/home/ada/tea');
    await home.write('.claude/projects/-tea/2.jsonl', other);
    await home.write(`${claudeFolder}/strange.jsonl`, 'no session\n');
    assert.equal(await newest(), 'rollout-1.jsonl');
  });

  it('is none where there is none, or no folder is open', async () => {
    assert.equal(await newest(), undefined);
    await home.write(`${claudeFolder}/1.jsonl`, fixtureText('claude.jsonl'));
    const { workspaceFolder: _, ...none } = home.machine;
    assert.equal(await newest(none), undefined);
    assert.equal(await newest(), '1.jsonl');
  });
});
