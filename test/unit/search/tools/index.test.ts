import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { isAbortError } from '../../../../src/base/async/clock';
import { runSearchTool, type Scope, type ToolCallResult } from '../../../../src/search/tools';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { TestWorkspace } from '../workspace';

const engines = [['ripgrep', ripgrepPath()] as const, ['Node', undefined] as const].filter(
  ([name, rgPath]) => name === 'Node' || rgPath !== undefined,
);

for (const [engine, rgPath] of engines) {
  describe(`the search model's tools by ${engine}`, () => {
    let files: TestWorkspace;
    let scope: Scope;
    const call = (name: string, args: object): Promise<ToolCallResult> =>
      runSearchTool(scope, name, args);

    before(async () => {
      files = new TestWorkspace({
        '../outside/other.txt': 'TOP SECRET outside\n',
        '../ws-twin/other.txt': 'TOP SECRET twin\n',
        'src/login.ts': 'export function login() {\n  return token;\n}\n',
        'src/deep/er/token.ts': 'export const token = 1;\n',
        'src/crlf.ts': 'one\r\ntoken two\r\nthree\r\n',
        'src/-dash.ts': 'token behind a dash\n',
        'src/utf16.txt': Buffer.concat([
          Buffer.of(0xff, 0xfe),
          Buffer.from('token wide\n', 'utf16le'),
        ]),
        'src/binary.dat': Buffer.concat([Buffer.of(0, 1, 0), Buffer.from('token in binary\n')]),
        'src/long.js': `${'x'.repeat(3000)} token ${'y'.repeat(3000)}\n`,
        'sp ace/ünï/a b.ts': 'token in blanks\n',
        '.gitignore': 'build/\n*.cache\n!kept.cache\n',
        'build/out.js': 'token built\n',
        'a.cache': 'token cached\n',
        'kept.cache': 'token kept\n',
        'excluded/e.ts': 'token excluded\n',
        '.env': 'token=hidden\n',
        '.hidden/h.ts': 'token hidden\n',
        'server.pem': 'token in a certificate\n',
        'config.env': 'token in an environment\n',
        'many.ts': Array.from({ length: 2000 }, (_, n) => `const v${n} = "many";`).join('\n'),
        'empty.ts': '',
      });
      symlinkSync('../outside', path.join(files.root, 'link-out'));
      symlinkSync('../../outside/other.txt', path.join(files.root, 'src/link-file'));
      symlinkSync('login.ts', path.join(files.root, 'src/link-in.ts'));
      symlinkSync('..', path.join(files.root, 'src/loop'));
      scope = await files.scope({ rgPath, excludes: ['excluded'] });
    });
    after(() => files.remove());

    const seen = [
      'src/login.ts',
      'src/deep/er/token.ts',
      'src/crlf.ts',
      'src/-dash.ts',
      'src/utf16.txt',
      'src/long.js',
      'sp ace/ünï/a b.ts',
      'kept.cache',
    ];
    const unseen = [
      'built',
      'cached',
      'excluded',
      'hidden',
      'certificate',
      'environment',
      'binary',
      'SECRET',
    ];

    it('searches what a user would, and nothing hidden, ignored, excluded or binary', async () => {
      const { text } = await call('grep_search', { pattern: 'token' });
      for (const file of seen) assert.ok(text.includes(`${file}:`), `${file} in ${text}`);
      for (const word of unseen) assert.ok(!text.includes(word), `${word} in ${text}`);
    });

    for (const glob of [
      '*.env',
      '.*',
      '.env',
      '*.cache',
      '*.pem',
      '**/*',
      'build/**',
      '*.{env,pem,cache}',
    ])
      it(`does not let a glob bring back what is left out: ${glob}`, async () => {
        const { text } = await call('grep_search', { pattern: 'token', glob });
        for (const word of unseen) assert.ok(!text.includes(word), `${word} in ${text}`);
      });

    it('shows matches with their context, numbered and trimmed', async () => {
      const { text, hits } = await call('grep_search', { pattern: 'RETURN TOKEN' });
      assert.equal(
        text,
        'src/login.ts-1-export function login() {\nsrc/login.ts:2:return token;\nsrc/login.ts-3-}',
      );
      assert.equal(hits, 1);
    });

    it('cuts long lines and many matches, and says so', async () => {
      const long = await call('grep_search', { pattern: 'xxx', path: 'src/long.js' });
      assert.ok(long.text.length < 600, long.text);
      const many = await call('grep_search', { pattern: 'many' });
      assert.ok(many.text.split('\n').length <= 201);
      assert.match(many.text, /truncated at 200 lines/);
    });

    it('takes globs with folders, negated ones and a limit', async () => {
      const deep = await call('grep_search', { pattern: 'token', glob: 'src/deep/**/*.ts' });
      assert.deepEqual(filesIn(deep.text), ['src/deep/er/token.ts']);
      const others = await call('grep_search', { pattern: 'token', glob: '!*.ts' });
      assert.deepEqual(filesIn(others.text).sort(), ['kept.cache', 'src/long.js', 'src/utf16.txt']);
      const few = await call('grep_search', { pattern: 'many', limit: 3 });
      assert.ok(few.text.split('\n').length <= 4, few.text);
    });

    it('answers a bad pattern with words that help', async () => {
      for (const pattern of ['(unclosed', 'token(?=x)']) {
        const { text, isError } = await call('grep_search', { pattern });
        assert.ok(isError && /regex/i.test(text), text);
      }
      assert.equal((await call('grep_search', { pattern: 'zzznothing' })).text, 'no matches');
      const option = await call('grep_search', { pattern: '--pre=cat' });
      assert.equal(option.text, 'no matches');
    });

    it('reads lines as number and text', async () => {
      assert.equal(
        (await call('read', { path: 'src/login.ts', lines: '2-3' })).text,
        '2|  return token;\n3|}',
      );
      assert.equal(
        (await call('read', { path: 'src/crlf.ts' })).text,
        '1|one\n2|token two\n3|three',
      );
      assert.equal((await call('read', { path: 'src/utf16.txt' })).text, '1|token wide');
      assert.equal((await call('read', { path: 'empty.ts' })).text, '(empty file)');
      const parts = await call('read', { path: 'many.ts', lines: '1,1999-3000' });
      assert.equal(
        parts.text,
        '1|const v0 = "many";\n...\n1999|const v1998 = "many";\n2000|const v1999 = "many";',
      );
      const whole = await call('read', { path: 'many.ts' });
      assert.match(whole.text, /\n800\|.*\n\.\.\. \(output truncated at 800 of 2000 lines\)$/);
    });

    for (const name of ['/src/login.ts', 'ws/src/login.ts', './src/login.ts', 'src/link-in.ts'])
      it(`finds the file that "${name}" means`, async () => {
        assert.match((await call('read', { path: name })).text, /^1\|export function login/);
      });

    for (const name of [
      '../outside/other.txt',
      '../ws-twin/other.txt',
      'link-out/other.txt',
      'src/link-file',
      'src/../../outside/other.txt',
      'src/loop/../../outside/other.txt',
      '/etc/passwd',
      '/proc/self/environ',
      'file:///etc/passwd',
      '~/x',
      '//host/share',
      '.env',
      'SERVER.PEM',
      '.hidden/h.ts',
      'src/login.ts\0',
      'src',
      'nothing.ts',
      'src/binary.dat',
      '',
    ])
      it(`does not read ${JSON.stringify(name)}`, async () => {
        const { text, isError } = await call('read', { path: name });
        assert.ok(isError, text);
        assert.doesNotMatch(text, /SECRET|root:|hidden\n/);
      });

    it('lists folders from what looks like a command, and runs none', async () => {
      const listed = await call('list_directory', { command: 'ls -la src; touch pwned' });
      const note = '\n[this is the listing alone; "; touch pwned" is not run]';
      assert.ok(listed.text.endsWith(note), listed.text);
      assert.deepEqual(
        below(files.root, listed.text.slice(0, -note.length)),
        [
          'src/-dash.ts',
          'src/crlf.ts',
          'src/deep',
          'src/login.ts',
          'src/long.js',
          'src/utf16.txt',
          'src/binary.dat',
        ].sort(),
      );
      const found = await call('list_directory', {
        command: "find . -maxdepth 3 -type f -name '*token*'",
      });
      assert.equal(found.text, 'empty');
      const folders = await call('list_directory', { command: 'find src -type d' });
      assert.deepEqual(below(files.root, folders.text), ['src/deep', 'src/deep/er']);
      assert.equal((await call('list_directory', { command: 'ls $(touch pwned)' })).isError, false);
      const all = await call('list_directory', { command: 'ls' });
      assert.doesNotMatch(all.text, /pwned|build|\.env/);
    });

    it('finds files by pattern, the newest first', async () => {
      utimesSync(path.join(files.root, 'src/crlf.ts'), 1, 1);
      utimesSync(
        path.join(files.root, 'src/deep/er/token.ts'),
        Date.now() / 1000 + 60,
        Date.now() / 1000 + 60,
      );
      const { text } = await call('glob', { pattern: 'src/**/*.ts' });
      const found = text
        .split('\n')
        .filter(line => line.startsWith('/'))
        .map(file => path.basename(file));
      assert.equal(found[0], 'token.ts');
      assert.equal(found.at(-1), 'crlf.ts');
      for (const pattern of ['../**', '/**', '**/*', '.*', '{'])
        assert.doesNotMatch(
          (await call('glob', { pattern })).text,
          /secret|passwd|\.env|build/,
          pattern,
        );
    });

    it('takes other names of tools and arguments, and refuses unknown ones', async () => {
      assert.equal((await call('ripgrep', { query: 'return token' })).hits, 1);
      assert.match(
        (await call('view', { file: 'src/login.ts', start_line: 2, end_line: 2 })).text,
        /^2\|/,
      );
      assert.match((await call('rm', { path: 'src' })).text, /^Unknown tool: rm$/);
      for (const name of ['grep_search', 'read', 'glob'])
        assert.equal((await call(name, {})).isError, true);
    });

    it('names the files of finish, with blanks in their paths', async () => {
      const { finished } = await call('finish', {
        files: 'src/login.ts:1-2,3\nsp ace/ünï/a b.ts:1-1 \nsrc/crlf.ts many.ts:7',
      });
      assert.deepEqual(finished, [
        {
          path: 'src/login.ts',
          ranges: [
            [1, 2],
            [3, 3],
          ],
        },
        { path: 'sp ace/ünï/a b.ts', ranges: [[1, 1]] },
        { path: 'src/crlf.ts', ranges: '*' },
        { path: 'many.ts', ranges: [[7, 7]] },
      ]);
      assert.deepEqual((await call('finish', { files: '' })).finished, []);
    });

    it('prefers unsaved text to the disk, unless the file is left out', async () => {
      const unsaved = new Map([
        [path.join(files.root, 'src/login.ts'), 'export function signIn() {}\n'],
        [path.join(files.root, 'build/out.js'), 'signIn built\n'],
      ]);
      const edited = await files.scope({ rgPath, unsaved });
      assert.match((await runSearchTool(edited, 'read', { path: 'src/login.ts' })).text, /signIn/);
      const found = await runSearchTool(edited, 'grep_search', { pattern: 'signIn|return token' });
      assert.equal(found.text, 'src/login.ts:1:export function signIn() {}');
    });

    it('searches every root of a workspace and names files in full', async () => {
      const twin = path.join(files.root, '../ws-twin');
      const both = await files.scope({ rgPath, roots: [files.root, twin] });
      const { text } = await runSearchTool(both, 'grep_search', { pattern: 'TOP SECRET' });
      assert.equal(
        text,
        `${path.join(twin, 'other.txt')}:1:TOP SECRET twin`.replace('/ws/../', '/'),
      );
    });

    it('ends without an answer when canceled', async () => {
      const controller = new AbortController();
      const canceled = await files.scope({ rgPath, signal: controller.signal });
      const pending = runSearchTool(canceled, 'grep_search', { pattern: 'token' });
      controller.abort();
      await assert.rejects(pending, isAbortError);
    });
  });
}

describe('the gate of the search', () => {
  it('refuses a pipe without waiting for it', async function () {
    if (process.platform === 'win32') this.skip();
    const files = new TestWorkspace({ 'a.ts': 'x' });
    execFileSync('mkfifo', [path.join(files.root, 'pipe.ts')]);
    const scope = await files.scope();
    for (const [name, args] of [
      ['read', { path: 'pipe.ts' }],
      ['grep_search', { pattern: 'x', path: 'pipe.ts' }],
    ] as const)
      assert.match((await runSearchTool(scope, name, args)).text, /neither a file nor a folder/);
    files.remove();
  });

  it('notices a folder that becomes a link between the look and the opening', async () => {
    const files = new TestWorkspace({ 'dir/a.txt': 'inside', '../outside/a.txt': 'TOP SECRET' });
    const { sandbox } = await files.scope();
    const place = await sandbox.resolve('dir/a.txt');
    const { renameSync } = await import('node:fs');
    renameSync(path.join(files.root, 'dir'), path.join(files.root, 'moved'));
    symlinkSync('../outside', path.join(files.root, 'dir'));
    await assert.rejects(sandbox.openFile(place), /changed while it was opened/);
    files.remove();
  });

  it('keeps its word under random paths', async () => {
    const files = new TestWorkspace({ 'a/b/c.txt': 'fine', '../outside/c.txt': 'TOP SECRET' });
    mkdirSync(path.join(files.root, 'links'));
    symlinkSync('../../outside', path.join(files.root, 'links/one'));
    symlinkSync('one', path.join(files.root, 'links/two'));
    symlinkSync('../links/two', path.join(files.root, 'a/three'));
    const scope = await files.scope({ rgPath: undefined });
    const parts = ['..', '.', 'a', 'b', 'c.txt', 'links', 'one', 'two', 'three', 'outside', 'ws'];
    let seed = 7;
    const next = (end: number): number => (seed = (seed * 48_271) % 2_147_483_647) % end;
    let read = 0;
    for (let n = 0; n < 4000; n++) {
      const name = Array.from({ length: 1 + next(7) }, () => parts[next(parts.length)]).join('/');
      const { text } = await runSearchTool(scope, 'read', { path: next(2) ? name : `/${name}` });
      assert.doesNotMatch(text, /SECRET/, name);
      if (text === '1|fine') read++;
    }
    assert.ok(read > 0);
    files.remove();
  });
});

function below(root: string, text: string): string[] {
  return text.split('\n').map(file => path.relative(root, file));
}

function filesIn(text: string): string[] {
  return [...new Set(text.split('\n').flatMap(line => /^(.*?):\d+:/.exec(line)?.[1] ?? []))];
}
