import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type FoundHistory,
  findHistories,
  type UnreadableHistory,
} from '../../../src/compact/sessions/sessionFiles';
import {
  changedFiles,
  removeSession,
  replaceText,
  WriteRefused,
  writeSession,
} from '../../../src/compact/writeBack';

const continueBy = { sentence: '' };
let base: string;
let folder: string;
const names = (of = folder) => readdirSync(of).sort();

describe('writing a session back', () => {
  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'write-back-'));
    folder = path.join(base, 'tasks', 'one');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'live.json'), 'live');
  });
  afterEach(() => rmSync(base, { recursive: true }));

  it('makes whole files beside the old one, and takes them and their folder away again', async () => {
    const files = [
      { path: '../two/a.json', text: 'ä' },
      { path: '../two/b.json', text: 'b' },
      { path: 'c.json', text: 'c' },
    ];
    const written = await writeSession(folder, { files, continueBy });
    assert.deepEqual(names(path.join(base, 'tasks', 'two')), ['a.json', 'b.json']);
    assert.equal(readFileSync(path.join(base, 'tasks/two/a.json'), 'utf8'), 'ä');
    assert.deepEqual(names(), ['c.json', 'live.json']);
    assert.deepEqual(await changedFiles(written), []);
    await removeSession(written);
    assert.deepEqual(names(path.join(base, 'tasks')), ['one']);
    assert.deepEqual(names(), ['live.json']);
  });

  const row = { path: 'list.json', json: '{"id":"n"}', key: 'id' };
  const listed = { files: [{ path: 'n.json', text: 'x' }], continueBy, indexRow: row };

  it('adds a row to the list of the tool, and takes only that away again', async () => {
    const list = path.join(folder, 'list.json');
    writeFileSync(list, '[{"id":"a"}]', { mode: 0o640 });
    const written = await writeSession(folder, listed);
    assert.equal(readFileSync(list, 'utf8'), '[{"id":"a"},{"id":"n"}]');
    assert.equal(statSync(list).mode & 0o777, 0o640);
    writeFileSync(list, '[{"id":"a"},{"id":"n","title":"t"},{"id":"b"}]');
    await removeSession(written);
    assert.equal(readFileSync(list, 'utf8'), '[{"id":"a"},{"id":"b"}]');
    assert.deepEqual(names(), ['list.json', 'live.json']);
  });

  it('makes the list where there is none, and leaves one alone that is a link or something else', async () => {
    const written = await writeSession(folder, listed);
    assert.equal(readFileSync(path.join(folder, 'list.json'), 'utf8'), '[{"id":"n"}]');
    await removeSession(written);
    writeFileSync(path.join(folder, 'list.json'), '{}');
    await assert.rejects(writeSession(folder, listed), WriteRefused);
    rmSync(path.join(folder, 'list.json'));
    writeFileSync(path.join(base, 'elsewhere.json'), '[]');
    symlinkSync(path.join(base, 'elsewhere.json'), path.join(folder, 'list.json'));
    await assert.rejects(writeSession(folder, listed), WriteRefused);
    assert.equal(readFileSync(path.join(base, 'elsewhere.json'), 'utf8'), '[]');
    assert.deepEqual(names(), ['list.json', 'live.json']);
    const outside = { ...listed, indexRow: { ...row, path: '../../../list.json' } };
    await assert.rejects(writeSession(folder, outside), WriteRefused);
  });

  it('takes all folders away that it made', async () => {
    const files = [{ path: '2026/03/a.jsonl', text: 'x' }];
    const written = await writeSession(path.join(folder, 'new'), { files, continueBy });
    await removeSession(written);
    assert.deepEqual(names(), ['live.json']);
  });

  it('never writes over a file, and leaves nothing behind', async () => {
    const files = [
      { path: 'new.json', text: 'x' },
      { path: 'live.json', text: 'x' },
    ];
    await assert.rejects(
      writeSession(folder, { files, continueBy }),
      (error: unknown) => error instanceof WriteRefused && error.reason === 'exists',
    );
    assert.deepEqual(names(), ['live.json']);
    assert.equal(readFileSync(path.join(folder, 'live.json'), 'utf8'), 'live');
  });

  it('writes and copies into a folder further up, where the session says so', async () => {
    const deep = path.join(folder, 'agents', 'main');
    mkdirSync(path.join(deep, 'blobs'), { recursive: true });
    writeFileSync(path.join(deep, 'blobs', 'a'), Buffer.from([1, 255]));
    const session = {
      files: [{ path: '../../../new/agents/main/log', text: 'x' }],
      copies: ['a', 'gone'].map(name => ({
        from: `blobs/${name}`,
        path: `../../../new/agents/main/blobs/${name}`,
      })),
      continueBy,
    };
    await assert.rejects(writeSession(deep, session), WriteRefused);
    const written = await writeSession(deep, { ...session, within: '../../..' });
    const made = path.join(folder, '../new');
    assert.deepEqual([...readFileSync(path.join(made, 'agents/main/blobs/a'))], [1, 255]);
    assert.equal(written.files.length, 2);
    await removeSession(written);
    assert.ok(!existsSync(made));
    const up = { ...session, files: [{ path: '../../../../new', text: 'x' }] };
    await assert.rejects(writeSession(deep, { ...up, within: '../../..' }), WriteRefused);
  });

  for (const [name, reason] of [
    ['../../x.json', 'outside'],
    ['/tmp/x.json', 'outside'],
    ['../../../x.json', 'outside'],
    ['..', 'outside'],
    ['.', 'exists'],
  ] as const)
    it(`refuses to write to ${name}`, async () => {
      const target = path.resolve(folder, name);
      await assert.rejects(
        writeSession(folder, { files: [{ path: name, text: 'x' }], continueBy }),
        (error: unknown) =>
          error instanceof WriteRefused &&
          error.reason === reason &&
          error.file === target &&
          error.message === `${reason}: ${target}`,
      );
      assert.deepEqual(names(), ['live.json']);
      assert.deepEqual(names(path.join(base, 'tasks')), ['one']);
    });

  it('makes files that only the user can read', async function () {
    if (process.platform === 'win32') this.skip();
    await writeSession(folder, { files: [{ path: 'n.json', text: 'x' }], continueBy });
    assert.equal(statSync(path.join(folder, 'n.json')).mode & 0o777, 0o600);
  });

  it('takes away what is left of a session, and no folder that others use', async () => {
    const written = await writeSession(folder, {
      files: [
        { path: '../two/a.json', text: 'a' },
        { path: '../two/b.json', text: 'b' },
      ],
      continueBy,
    });
    const two = path.join(base, 'tasks', 'two');
    rmSync(path.join(two, 'a.json'));
    writeFileSync(path.join(two, 'own.txt'), 'x');
    assert.deepEqual(await changedFiles(written), []);
    await removeSession(written);
    assert.deepEqual(names(two), ['own.txt']);
    // What is no file cannot be taken away, and that is not passed over.
    mkdirSync(path.join(two, 'a.json'));
    await assert.rejects(removeSession(written));
  });

  it('knows what has been continued', async () => {
    const written = await writeSession(folder, {
      files: [{ path: 'n.json', text: 'x' }],
      continueBy,
    });
    writeFileSync(path.join(folder, 'n.json'), 'y');
    assert.deepEqual(await changedFiles(written), [path.join(folder, 'n.json')]);
  });
});

describe('replacing the text of a session', () => {
  let live: string;
  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'write-back-'));
    folder = path.join(base, 'tasks');
    mkdirSync(folder);
    live = path.join(folder, 'live.json');
    writeFileSync(live, 'TOKEN=é', { mode: 0o640 });
  });
  afterEach(() => rmSync(base, { recursive: true }));

  it('puts the new text in the place of the old one, for the same people', async () => {
    assert.equal(await replaceText(live, 'TOKEN=é', '[removed]'), true);
    assert.equal(readFileSync(live, 'utf8'), '[removed]');
    if (process.platform !== 'win32') assert.equal(statSync(live).mode & 0o777, 0o640);
    assert.deepEqual(names(), ['live.json']);
  });

  it('leaves a text alone that has changed, or is gone', async () => {
    assert.equal(await replaceText(live, 'TOKEN=e', '[removed]'), false);
    assert.equal(readFileSync(live, 'utf8'), 'TOKEN=é');
    writeFileSync(live, Buffer.from([0xff]));
    assert.equal(await replaceText(live, '\ufffd', '[removed]'), false);
    rmSync(live);
    await assert.rejects(replaceText(live, 'TOKEN=é', '[removed]'), { code: 'ENOENT' });
    assert.deepEqual(names(), []);
  });

  it('replaces the file that a link leads to, and leaves no copy of the old text', async function () {
    if (process.platform === 'win32') this.skip();
    const linked = path.join(base, 'linked.json');
    symlinkSync(live, linked);
    assert.equal(await replaceText(linked, 'TOKEN=é', '[removed]'), true);
    assert.equal(readFileSync(live, 'utf8'), '[removed]');
    assert.equal(statSync(live).mode & 0o777, 0o640);
    assert.ok(lstatSync(linked).isSymbolicLink());
    assert.deepEqual([names(), names(base)], [['live.json'], ['linked.json', 'tasks']]);
  });
});

const line = (cwd: string) =>
  `${JSON.stringify({ parentUuid: null, sessionId: 's', cwd, type: 'user', uuid: 'u', message: { role: 'user', content: '# Title here\nmore' } })}\n`;

const hasSqlite = await import('node:sqlite').then(
  () => true,
  () => false,
);

describe('finding histories', () => {
  it('tells whose they are, reads the beginning of long ones, and names what it cannot read', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'home-'));
    const put = (name: string, text: string) => {
      const file = path.join(home, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    put('.claude/projects/-w/own.jsonl', line('/w'));
    put('.claude/projects/-o/other.jsonl', line('/o'));
    put('.claude/projects/-w/long.jsonl', line('/w').repeat(12_000));
    // One value on one line: its beginning cannot be read alone.
    const long = [{ role: 'user', content: 'word '.repeat(250_000) }];
    put('.claude/projects/-w/value.jsonl', JSON.stringify(long));
    put('.claude/projects/-w/bad.jsonl', 'x\ny\n');
    put('.claude/projects/-w/notes.txt', 'not looked at');
    put('.local/share/opencode/opencode.db', 'db');
    put('.local/share/zed/threads/threads.db', 'db');
    put('.config/Cursor/User/globalStorage/state.vscdb', 'db');
    const found: FoundHistory[] = [];
    const unreadable: UnreadableHistory[] = [];
    await findHistories(
      { platform: 'linux', home, env: {}, workspaceFolder: '/w' },
      {
        signal: new AbortController().signal,
        onFound: one => found.push(one),
        onUnreadable: one => unreadable.push(one),
      },
    );
    const byName = new Map(found.map(one => [path.basename(one.path), one]));
    assert.deepEqual([...byName.keys()].sort(), [
      'long.jsonl',
      'other.jsonl',
      'own.jsonl',
      'value.jsonl',
    ]);
    const value = byName.get('value.jsonl');
    assert.deepEqual([value?.title, value?.tokens], ['value.jsonl', 0]);
    const tokensOf = (name: string) => byName.get(name)?.tokens ?? 0;
    assert.ok(tokensOf('long.jsonl') > tokensOf('own.jsonl'));
    assert.equal(byName.get('own.jsonl')?.isOfWorkspace, true);
    assert.equal(byName.get('other.jsonl')?.isOfWorkspace, false);
    assert.equal(byName.get('own.jsonl')?.title, 'Title here');
    assert.equal(byName.get('long.jsonl')?.title, 'Title here');
    assert.deepEqual(unreadable.map(one => `${path.basename(one.path)} ${one.reason}`).sort(), [
      'bad.jsonl unknown',
      // Damaged; or unread where Node.js has no SQLite.
      `opencode.db ${hasSqlite ? 'unreadable' : 'noSqlite'}`,
      'state.vscdb database',
      `threads.db ${hasSqlite ? 'unreadable' : 'noSqlite'}`,
    ]);
    rmSync(home, { recursive: true });
  });
});
