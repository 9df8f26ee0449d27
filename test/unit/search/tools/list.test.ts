import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import path from 'node:path';
import type { Scope } from '../../../../src/search/tools';
import { glob, list, parseListCommand } from '../../../../src/search/tools/list';
import { Sandbox } from '../../../../src/search/workspace/sandbox';
import { TestWorkspace } from '../workspace';

describe('parseListCommand', () => {
  for (const [command, expected] of [
    ['', { path: undefined, depth: 3, isShortened: true }],
    ['ls', { path: undefined, depth: 1 }],
    ['dir src', { path: 'src', depth: 1 }],
    ['ls -la src', { path: 'src', depth: 1 }],
    ['ls -R src', { path: 'src', depth: 3, isShortened: true }],
    ['ls -I out --ignore=lib', { path: undefined, depth: 1, without: ['out', 'lib'] }],
    ['tree -L 2 src', { path: 'src', depth: 2 }],
    ['tree -L 9', { path: undefined, depth: 5, isShortened: true }],
    ['tree -L x', { path: undefined, depth: 3, isShortened: true }],
    ['tree -aL 2 -I "a|b*"', { path: undefined, depth: 2, without: ['a', 'b*'] }],
    ['tree -d -L 1 --noreport src', { path: 'src', depth: 1, only: 'folders' }],
    ["tree -P '*.ts|*.js'", { path: undefined, depth: Infinity, name: '{*.ts,*.js}' }],
    ['find . -maxdepth 1', { path: '.', depth: 1 }],
    ['find . -maxdepth 8', { path: '.', depth: 5, isShortened: true }],
    ['find . -maxdepth 8 -name x', { path: '.', depth: 8, name: 'x' }],
    ['find src -type d', { path: 'src', depth: 3, isShortened: true, only: 'folders' }],
    [
      'find src -type f -name "*.ts"',
      { path: 'src', depth: Infinity, only: 'files', name: '*.ts' },
    ],
    ["find 'a b' -iname x", { path: 'a b', depth: Infinity, name: 'x', ignoresCase: true }],
    [
      'find . -type f -name "*.ts" -o -type f -name "*.js" -print',
      { path: '.', depth: Infinity, only: 'files', name: '{*.ts,*.js}' },
    ],
    [
      'find . \\( -name a -or -name b \\) -and ! -name c -not -name d',
      { path: '.', depth: Infinity, name: '{a,b}', notName: '{c,d}' },
    ],
    [
      'find ! \\( -name a -o -path "*/out/*" \\) -name b',
      { path: undefined, depth: Infinity, name: 'b', notName: 'a', without: ['out'] },
    ],
    [
      'find . -not -path "./out/*" ! -path "*/a/b/*" ! -path "*gen*"',
      { path: '.', depth: 3, isShortened: true, without: ['/out', '**/a/b', '*gen*'] },
    ],
    ['find src 2>/dev/null -name "a|b"', { path: 'src', depth: Infinity, name: 'a|b' }],
    ['src other', { path: 'src', depth: 3, isShortened: true }],
    ['ls src; rm -rf other', { path: 'src', depth: 1, notRun: '; rm -rf other' }],
    ['ls $(rm x) src', { path: undefined, depth: 1, notRun: '$(rm x) src' }],
    ['ls src | head -type d', { path: 'src', depth: 1, notRun: '| head -type d' }],
    [`ls '"'`, { path: '"', depth: 1 }],
  ] as const)
    it(`reads ${command || 'nothing'}`, () => {
      assert.deepEqual(parseListCommand(command), {
        only: undefined,
        name: undefined,
        ...expected,
      });
    });

  for (const [command, word] of [
    ['ls src lib', 'lib'],
    ['find src lib -name x', 'lib'],
    ['find . -size +1k', '-size'],
    ['find . -regex ".*"', '-regex'],
    ['find . -exec rm {} \\;', '-exec'],
    ['find . -type l', '-type l'],
    ['find . -type f -o -name x', '-o'],
    ['find . -name x -o -type d', '-type d'],
    ['find . -name x -o', '-o'],
    ['find . -name x -name y', '-name y'],
    ['find . ! -name x -o -name y', '-o'],
    ['find . -name', '-name '],
    ['find . -path "*/src/*"', '-path */src/*'],
    ['find . ! -path "src/*"', '-path src/*'],
    ['find . -path ./out -prune -o -name x', '-path ./out'],
  ] as const)
    it(`says what ${command} may not hold, and what it may`, () => {
      const { problem = '' } = parseListCommand(command);
      assert.ok(
        problem.startsWith(`[ARGUMENT ERROR] "${word}" is not understood here. `) &&
          problem.includes(command.startsWith('ls') ? 'ls takes one folder' : '-iname') &&
          problem.endsWith('Call glob to find paths, and grep_search to find text.'),
        problem,
      );
    });
});

describe('a listing', () => {
  let files: TestWorkspace;
  let scope: Scope;
  before(async () => {
    files = new TestWorkspace({
      'one/b.ts': '',
      'one/a/z.ts': '',
      'one/a/deep/er/x.ts': '',
      'one/a.md': '',
      'one/node/secret.pem': '',
      'two/c.ts': '',
      ...Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/${at}/f.ts`, ''])),
    });
    const roots = ['one', 'two'].map(name => path.join(files.root, name));
    const { workspace } = await files.scope({ rgPath: undefined });
    const { signal } = new AbortController();
    const own = { ...workspace, roots };
    scope = { workspace: own, sandbox: await Sandbox.open(own), signal };
  });
  after(() => files.remove());

  const inRoot = (name: string): string => path.join(files.root, name);
  const names = (text: string): string[] =>
    text.split('\n').map(file => path.relative(files.root, file));

  const listOne = async (more: object): Promise<string[]> =>
    names((await list(scope, { path: inRoot('one'), depth: 1, ...more })).text);

  it('has the entries of all roots as a tree, folders before what they hold', async () => {
    const { text, hits, isError } = await list(scope, { path: undefined, depth: 2 });
    assert.deepEqual(names(text), [
      'one/a',
      'one/a/deep',
      'one/a/z.ts',
      'one/a.md',
      'one/b.ts',
      'two/c.ts',
    ]);
    assert.deepEqual([hits, isError], [6, false]);
  });

  it('has only files or only folders, by name, as deep as asked', async () => {
    assert.deepEqual(await listOne({}), ['one/a', 'one/a.md', 'one/b.ts']);
    assert.deepEqual(await listOne({ only: 'files' }), ['one/a.md', 'one/b.ts']);
    assert.deepEqual(await listOne({ only: 'folders', depth: 5 }), [
      'one/a',
      'one/a/deep',
      'one/a/deep/er',
    ]);
    assert.deepEqual(await listOne({ name: '*.ts', depth: 2 }), ['one/a/z.ts', 'one/b.ts']);
  });

  const command = async (text: string): Promise<string[]> => {
    const { path: named, ...more } = parseListCommand(text);
    const { text: listed } = await list(scope, { ...more, path: named ?? inRoot('one') });
    return listed.replaceAll(files.root + path.sep, '').split('\n');
  };

  it('by name has all levels, unless a depth is given', async () => {
    assert.deepEqual(await command('find -name "x.ts"'), ['one/a/deep/er/x.ts']);
    assert.deepEqual(await command('find -maxdepth 3 -name "x.ts"'), ['empty']);
  });

  it('says where levels are left out that were not asked for', async () => {
    const note =
      '[only 3 levels are listed, and there are more; name a folder further down, or find names on all levels with find -name]';
    for (const text of ['ls -R', 'find'])
      assert.deepEqual((await command(text)).slice(-2), ['one/b.ts', note]);
    for (const text of ['find -maxdepth 3', 'find -type d', 'ls', 'tree -I er'])
      assert.doesNotMatch((await command(text)).join('\n'), /levels are listed/);
  });

  it('says what of a command is not run', async () => {
    const note = '[this is the listing alone; "| grep b" is not run]';
    assert.deepEqual(await command('ls | grep b'), ['one/a', 'one/a.md', 'one/b.ts', note]);
    assert.deepEqual(await command('ls -I "*" | grep b'), ['empty', note]);
  });

  it('has names in any case, several names, and all but some', async () => {
    assert.deepEqual(await command('find -iname "X.TS"'), ['one/a/deep/er/x.ts']);
    assert.deepEqual(await command('find -name "X.TS"'), ['empty']);
    assert.deepEqual(await command('find -name x.ts -o -name "*.md"'), [
      'one/a/deep/er/x.ts',
      'one/a.md',
    ]);
    assert.deepEqual(await command('find -type f ! -name "*.ts"'), ['one/a.md']);
    assert.deepEqual(await command('find -type f ! -iname "*.TS" ! -name "*.md"'), ['empty']);
  });

  it('is refused where the command says what is not understood', async () => {
    await assert.rejects(list(scope, parseListCommand('find . -size 1')), {
      name: 'ToolError',
      message: parseListCommand('find . -size 1').problem ?? '',
    });
  });

  it('leaves out folders with all that is in them', async () => {
    const rest = ['one/a', 'one/a/z.ts', 'one/a.md', 'one/b.ts'];
    for (const text of [
      'tree -L 5 -I "deep|none"',
      'find -maxdepth 5 -not -path "*/deep/*"',
      'find -maxdepth 5 -not -path "./a/deep/*"',
    ])
      assert.deepEqual(await command(text), rest, text);
    assert.ok((await command('find -not -path "./deep/*"')).includes('one/a/deep'));
  });

  it('of a file is the file, and of nothing says so', async () => {
    const { text, hits } = await list(scope, { path: inRoot('one/b.ts'), depth: 1 });
    assert.deepEqual([names(text), hits], [['one/b.ts'], 1]);
    const none = await list(scope, { path: inRoot('one'), depth: 1, name: '*.none' });
    assert.deepEqual(none, { text: 'empty', isError: false, hits: 0 });
  });

  it('is cut, and says how much is left out', async () => {
    const { workspace } = scope;
    const own = { ...workspace, roots: [path.join(files.root, 'many')] };
    const many = { ...scope, workspace: own, sandbox: await Sandbox.open(own) };
    const { text, hits } = await list(many, { path: undefined, depth: 1 });
    const lines = text.split('\n');
    assert.equal(hits, 600);
    assert.equal(lines.at(-1), `[${600 - (lines.length - 1)} entries truncated]`);
    const found = await glob(many, '**/*.ts', undefined);
    assert.equal(found.hits, 600);
    const shown = found.text.split('\n').filter(line => line.endsWith('f.ts')).length;
    assert.match(found.text, /^Found 600 file\(s\) matching "\*\*\/\*\.ts" within /);
    assert.match(found.text, new RegExp(`\\n\\[${600 - shown} files truncated\\]$`));
  });

  it('neither shows nor counts what the rules of the workspace refuse', async () => {
    const { workspace, signal } = scope;
    const sandbox = await Sandbox.open({ ...workspace, excludes: ['a.md', '**/deep', 'c.ts'] });
    const strict = { workspace, sandbox, signal };
    const { text, hits } = await list(strict, { path: undefined, depth: 2 });
    assert.deepEqual(names(text), ['one/a', 'one/a/z.ts', 'one/b.ts']);
    assert.equal(hits, 3);
    const found = await glob(strict, '*.ts', undefined);
    assert.equal(found.hits, 2);
    assert.match(found.text, /^Found 2 file\(s\)/);
    assert.doesNotMatch(found.text, /truncated|x\.ts|c\.ts/);
    assert.equal((await list(strict, { path: undefined, depth: 1, name: 'c.ts' })).text, 'empty');
    assert.equal((await glob(strict, 'c.ts', undefined)).text, 'no matches');
  });

  it('by pattern has the newest files first', async () => {
    const times = ['one/a/z.ts', 'two/c.ts', 'one/b.ts', 'one/a/deep/er/x.ts'];
    for (const [at, name] of times.entries()) utimesSync(inRoot(name), 5000 - at, 5000 - at);
    const { text } = await glob(scope, '*.ts', undefined);
    assert.deepEqual(names(text).slice(2, -1), times);
  });

  it('by pattern counts from the folder or from the root', async () => {
    const found = async (pattern: string, named?: string): Promise<string[]> =>
      (await glob(scope, pattern, named && inRoot(named))).text
        .split('\n')
        .filter(line => line.startsWith(files.root))
        .map(file => path.relative(files.root, file))
        .sort();
    assert.deepEqual(await found('*.ts'), [
      'one/a/deep/er/x.ts',
      'one/a/z.ts',
      'one/b.ts',
      'two/c.ts',
    ]);
    assert.deepEqual(await found('a/*.ts', 'one'), ['one/a/z.ts']);
    assert.deepEqual(await found('deep/**/*.ts', 'one/a'), ['one/a/deep/er/x.ts']);
    assert.deepEqual(await found('a/deep/**/*.ts', 'one/a'), ['one/a/deep/er/x.ts']);
    assert.deepEqual(await found(inRoot('one/a/*.ts')), ['one/a/z.ts']);
    assert.deepEqual(await found(inRoot('one/a/*.ts'), 'one/a'), ['one/a/z.ts']);
    assert.deepEqual(await found('/a/*.ts'), ['one/a/z.ts']);
    assert.deepEqual(await found(inRoot('two')), ['two/c.ts']);
    assert.deepEqual(await found(inRoot('two/c.ts')), ['two/c.ts']);
    assert.deepEqual(await found(`!${inRoot('one/a*')}`), ['one/b.ts', 'two/c.ts']);
    assert.deepEqual(await glob(scope, '*.none', undefined), {
      text: 'no matches',
      isError: false,
      hits: 0,
    });
    assert.equal((await glob(scope, '*.ts', inRoot('one/b.ts'))).hits, 0);
  });

  it('by pattern says where it looked, and shows all that it counts', async () => {
    const folder = inRoot('two');
    assert.deepEqual(await glob(scope, '*.ts', folder), {
      text: `Found 1 file(s) matching "*.ts" within ${folder}, sorted by modification time (newest first):\n---\n${inRoot('two/c.ts')}\n---`,
      isError: false,
      hits: 1,
    });
  });

  it('says that it stopped at its time limit, with or without entries', async () => {
    const late = { ...scope, workspace: { ...scope.workspace, maxListMs: -1 } };
    const note =
      /^\[stopped at the time limit, so entries are missing; name a folder further down\]$/m;
    for (const { text } of [
      await list(late, { path: undefined, depth: 2 }),
      await glob(late, '*.ts', undefined),
    ])
      assert.match(text, note);
    assert.doesNotMatch((await list(scope, { path: undefined, depth: 2 })).text, note);
  });
});
