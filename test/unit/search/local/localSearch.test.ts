import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isAbortError } from '../../../../src/base/async/clock';
import {
  type LocalResult,
  type LocalSearchOptions,
  type LocalSummary,
  localSearch,
} from '../../../../src/search/local/localSearch';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';

const run = promisify(execFile);

const pathsOf = (results: readonly LocalResult[]): string[] => [
  ...new Set(results.map(result => result.path)),
];

const connection = [
  '// Connections are kept and used again.',
  'export class ConnectionPool {',
  '  private idle: Socket[] = [];',
  '',
  '  release(socket: Socket): void {',
  '    this.idle.push(socket);',
  '  }',
  '',
  '  closeIdleSockets(maxAge: number): void {',
  '    for (const socket of this.idle) {',
  '      if (socket.age > maxAge) {',
  '        socket.close();',
  '      }',
  '    }',
  '  }',
  '}',
  '',
].join('\n');

const workspace: Record<string, string | Uint8Array> = {
  '.gitignore': 'ignored/\n*.log\n!kept.log\n',
  'src/net/connectionPool.ts': connection,
  'src/net/http.ts': 'export const open = () => pool.release(socket);\n// idle sockets\n',
  'src/retry_policy.py': 'def wait_before_retry(attempt):\n    return 2 ** attempt\n',
  'src/colours.ts': 'export const accentColour = "teal";\n',
  'src/-dash.ts': 'export function dashNamed() { return "quixotic"; }\n',
  'src/with space/ünï.ts': 'export function quixoticSpace() {}\n',
  'test/connectionPool.test.ts': `${connection}${connection}`,
  'src/teapots/routes.ts': `${'\n'.repeat(40)}router.get('/', all);\nrouter.get('/:id/lids', lids.findOnes);\n`,
  'src/teapots/lids/found.ts':
    'export function other() {}\n\nexport function findOnes() {\n  return lids;\n}\n',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  'src/teapots/lids.ts': 'export const lids = (id) => fetch(`/api/teapots/${id}/lids`);\n'.repeat(
    9,
  ),
  'locales/en.json': '{\n  "kiln": {\n    "fired": "The {thing} has left the kiln."\n  }\n}\n',
  'locales/de.json': '{\n  "kiln": {\n    "fired": "{thing} ist aus dem Ofen."\n  }\n}\n',
  'src/views/result.vue': `${'\n'.repeat(30)}<p>{{ $t('kiln.fired', { thing }) }}</p>\n`,
  'src/views/kiln.ts': 'export const kiln = { leave: (thing) => thing.left(kiln) };\n'.repeat(6),
  'src/views/start.html': '<h1>\n  Light the Stove\n</h1>\n',
  'src/views/light.ts': 'export const stove = (light) => light.stove(light);\n'.repeat(6),
  'app/shelf/[id]/page.tsx': 'export default () => <Boards />;\n',
  '.github/workflows/publish.yml':
    'name: Publish\non:\n  release:\njobs:\n  npm:\n    steps:\n      - run: npm publish --provenance\n',
  '.secrets/publish.yml': 'run: npm publish --provenance\n',
  'src/releases.ts': 'export const publish = (release) => release.publish();\n'.repeat(6),
  'src/views/bench.tsx': `${'\n'.repeat(30)}export const Bench = () => (\n  <div\n    className="kiln-bench wide"\n    id="kiln"\n  />\n);\n`,
  'src/views/bench.css': '.kiln-bench { top: 0 }\n.kiln-bench.wide { left: 0 }\n'.repeat(6),
  'src/views/kiln-bench.ts': "document.querySelector('.kiln-bench').id = 'kiln';\n".repeat(6),
  'app/about/page.tsx': 'export default () => <Us />;\n',
  'src/shelf.ts': 'export const shelf = (shelf) => shelf.shelf;\n',
  'ignored/quixotic.ts': 'export const quixotic = 1;\n',
  'debug.log': 'quixotic\n',
  'picture.dat': new Uint8Array([113, 117, 105, 120, 111, 116, 105, 99, 10, 0, 1, 2]),
  'binary.ts': new Uint8Array([
    ...new TextEncoder().encode('quixotic\nquixotic\n'),
    0,
    ...new TextEncoder().encode('quixotic'),
  ]),
  'wide.ts': new Uint8Array([0xff, 0xfe, ...Buffer.from('const sesquipedalian = 1;\n', 'utf16le')]),
};

/** Far more about gauges is in the files that use one. */
const gauge = (at: number): string =>
  `import { BaseGauge } from './types';\n// The base of a gauge is set: BaseGauge is not the gauge.\nexport class BaseGauge${at} extends BaseGauge { base = new BaseGauge(); }\n`;
for (let at = 0; at < 12; at++) workspace[`src/gauges/baseGauge${at}.ts`] = gauge(at).repeat(4);
workspace['src/gauges/types.ts'] =
  `${'// Types.\n'.repeat(201)}export class BaseGauge {\n  read(): number {\n    if (this.value) return this.value;\n    throw new Error('the gauge of the base is not set');\n  }\n}\n${'//\n'.repeat(60)}// It is what it was for them.\n`;

/** A flag that others are like, and a module that others import. */
for (let at = 0; at < 4; at++)
  workspace[`src/kettle/boil${at}.py`] =
    'from tea.kettle import boil\n# max heat, heat max\n'.repeat(4);
workspace['src/flags.py'] = `${'# Flags.\n'.repeat(40)}add("--max-heat")\n`;
workspace['tea/kettle.py'] = 'import os\n';

type Search = (query: string, options?: Partial<LocalSearchOptions>) => Promise<LocalResult[]>;

const searchIn =
  (root: () => string, rgPath: () => string): Search =>
  (query, options) =>
    localSearch(root(), query, { limit: 10, rgPath: rgPath(), ...options });

async function firstIn(repository: string): Promise<string | undefined> {
  let usedHistory: boolean | undefined;
  const [first] = await localSearch(repository, 'throttle the uploads', {
    limit: 2,
    rgPath: ripgrepPath(),
    git: { dir: repository, rev: 'HEAD' },
    onSummary: summary => {
      usedHistory = summary.usedHistory;
    },
  });
  assert.equal(usedHistory, true);
  return first?.path;
}

describe('localSearch', () => {
  let root: string;
  let outside: string;

  before(async () => {
    const base = await mkdtemp(path.join(os.tmpdir(), 'search-'));
    root = path.join(base, 'workspace');
    outside = path.join(base, 'outside');
    await mkdir(path.join(root, '.git'), { recursive: true });
    await mkdir(outside, { recursive: true });
    await writeFile(path.join(outside, 'secret.ts'), 'export const quixoticSecret = 1;\n');
    for (const [file, text] of Object.entries(workspace)) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), text);
    }
    await symlink(outside, path.join(root, 'src/linked'));
    await symlink(path.join(outside, 'secret.ts'), path.join(root, 'src/secret.ts'));
    await symlink(root, path.join(root, 'src/loop'));
  });
  after(() => rm(path.dirname(root), { recursive: true, force: true }));

  const programs: [name: string, rgPath: () => string][] = [
    ['with ripgrep', () => ripgrepPath() ?? 'rg'],
    ['without ripgrep', () => path.join(outside, 'no-such-program')],
  ];
  for (const [name, rgPath] of programs) {
    describe(name, () => {
      const search = searchIn(() => root, rgPath);

      it('finds first the file whose path is the query, at its line', async () => {
        for (const file of ['src/net/http.ts', 'http.ts', 'test/connectionPool.test.ts']) {
          const [first] = await search(file);
          assert.ok(first?.path.endsWith(file), file);
        }
        const results = await search('src/net/connectionPool.ts:11');
        assert.equal(results[0]?.path, 'src/net/connectionPool.ts');
        assert.ok(results[0].startLine <= 11 && results[0].endLine >= 11);
        const [beyond] = await search('src/net/http.ts:400');
        assert.deepEqual([beyond?.path, beyond?.startLine], ['src/net/http.ts', 1]);
        const trace = `Error: socket\n    at open (/elsewhere/src/net/http.ts:1:9)`;
        assert.equal((await search(trace))[0]?.path, 'src/net/http.ts');
      });

      it('finds source before its tests, at the definition', async () => {
        const results = await search('close sockets that are idle for too long');
        assert.equal(results[0]?.path, 'src/net/connectionPool.ts');
        assert.equal(results[0].score, 1);
        assert.ok(results.some(one => one.startLine <= 12 && one.endLine >= 9));
        const paths = pathsOf(results);
        assert.ok(paths.indexOf('test/connectionPool.test.ts') > 0, paths.join());
      });

      it('finds tests first when they are asked for', async () => {
        const [first] = await search('connection pool test');
        assert.equal(first?.path, 'test/connectionPool.test.ts');
      });

      it('finds what a build service does, and nothing else that is hidden', async () => {
        for (const query of [
          'which workflow publishes to npm?',
          '.github/workflows/publish.yml',
          'npm publish --provenance',
        ]) {
          const files = pathsOf(await search(query));
          assert.equal(files[0], '.github/workflows/publish.yml', query);
          assert.ok(!files.some(file => file.startsWith('.secrets')), query);
        }
        const [first] = await search('publish a release');
        assert.equal(first?.path, 'src/releases.ts');
      });

      it('finds a file by its name', async () => {
        const [first] = await search('retry policy');
        assert.equal(first?.path, 'src/retry_policy.py');
      });

      it('finds first what declares a name, whoever else uses it, at the declaration', async () => {
        for (const query of [
          'BaseGauge',
          'where is BaseGauge defined?',
          'class BaseGauge',
          'base gauge',
        ]) {
          const [first] = await search(query);
          assert.equal(first?.path, 'src/gauges/types.ts', query);
          assert.ok(first.startLine <= 202 && first.endLine >= 202, query);
        }
      });

      it('finds first the only file that has a message as it was pasted', async () => {
        const words = await search('gauge: is what it was for them');
        assert.equal(words[0]?.path, 'src/gauges/types.ts');
        assert.ok(words[0].startLine > 240 && words[0].endLine >= 268);
        const [first] = await search('Error: the gauge of the base is not set: 12');
        assert.equal(first?.path, 'src/gauges/types.ts');
        assert.ok(first.startLine <= 205 && first.endLine >= 205);
      });

      it('finds first what has a flag, and the file of a module', async () => {
        const [flag] = await search('--max-heat');
        assert.deepEqual(
          [flag?.path, flag && flag.startLine <= 41 && flag.endLine >= 41],
          ['src/flags.py', true],
        );
        assert.equal((await search('tea.kettle'))[0]?.path, 'tea/kettle.py');
        assert.equal((await search('tea.kettle.boil'))[0]?.path, 'tea/kettle.py');
      });

      it('finds first what answers a request, at its line', async () => {
        for (const request of [
          'GET /api/teapots/42/lids',
          'http://localhost:3000/api/teapots/42/lids?page=2',
          "curl 'https://a.example/api/teapots/42/lids' -H 'cookie: a=b' --compressed",
          'Error: GET /api/teapots/42/lids 500 (Internal Server Error)',
        ]) {
          const [first] = await search(request);
          assert.equal(first?.path, 'src/teapots/routes.ts', request);
          assert.deepEqual([first.startLine, first.endLine], [42, 42], request);
        }
        const [, handler] = await search('GET /api/teapots/42/lids');
        assert.equal(handler?.path, 'src/teapots/lids/found.ts');
        assert.deepEqual([handler.startLine, handler.endLine], [3, 5]);
        assert.equal((await search('/shelf/42'))[0]?.path, 'app/shelf/[id]/page.tsx');
        assert.equal((await search('/about'))[0]?.path, 'app/about/page.tsx');
      });

      it('finds a text of the user interface, and then the code that shows it', async () => {
        for (const [shown, file] of [
          ['The vase has left the kiln.', 'locales/en.json'],
          ['where is "The vase has left the kiln" shown?', 'locales/en.json'],
          ['Die Vase ist aus dem Ofen', 'locales/de.json'],
        ] as const) {
          const [entry, use] = await search(shown);
          assert.equal(entry?.path, file, shown);
          assert.deepEqual([entry.startLine, entry.endLine], [3, 3], shown);
          assert.equal(use?.path, 'src/views/result.vue', shown);
          assert.deepEqual([use.startLine, use.endLine], [31, 31], shown);
          assert.ok(use.score > 0.3, `${shown}: it is shown at once`);
        }
        const [literal] = await search('Light the Stove');
        assert.equal(literal?.path, 'src/views/start.html');
      });

      it('finds the markup of an element of a page, before its styles and its uses', async () => {
        for (const query of [
          '<div class="kiln-bench wide" id="kiln"></div>',
          'where is <div class="kiln-bench wide" id="kiln"> rendered?',
          '<div class="kiln-bench wide css-1a2b3c" id="kiln" style="top: 4px"><svg><path d="M1 2"></path></svg></div>',
          '#root > main:nth-child(2) > div#kiln.kiln-bench.wide',
        ]) {
          const [first] = await search(query);
          assert.equal(first?.path, 'src/views/bench.tsx', query);
          assert.ok(first.startLine <= 33 && first.endLine >= 33, query);
        }
      });

      it('finds identifiers in other spellings', async () => {
        assert.equal((await search('waitBeforeRetry'))[0]?.path, 'src/retry_policy.py');
        assert.equal((await search('accent-colour'))[0]?.path, 'src/colours.ts');
      });

      it('reads neither ignored files, nor binary ones, nor through links', async () => {
        assert.deepEqual(pathsOf(await search('quixotic')).sort(), [
          'src/-dash.ts',
          'src/with space/ünï.ts',
        ]);
      });

      it('leaves out what is excluded', async () => {
        for (const exclude of [['src/with space/**'], ['/src/with space'], ['ünï.*']]) {
          assert.deepEqual(pathsOf(await search('quixotic', { exclude })), ['src/-dash.ts']);
        }
      });

      it('finds a place far down in a source of megabytes', async () => {
        const lines = Array.from({ length: 90_000 }, (_, n) => `  check(idle${n}, expression);`);
        lines[85_000] = 'function inferQuixoticType(expression) {';
        await writeFile(path.join(root, 'src/checker.ts'), `${lines.join('\n')}\n`);
        const results = await search('where is the quixotic type of an expression inferred');
        await rm(path.join(root, 'src/checker.ts'));
        const [best] = results;
        assert.equal(best?.path, 'src/checker.ts');
        assert.ok(best.startLine <= 85_001 && best.endLine >= 85_001, `${best.startLine}`);
      });

      it('reads UTF-16', async () => {
        assert.deepEqual(pathsOf(await search('sesquipedalian')), ['wide.ts']);
      });

      it('takes the text of an editor in place of the disk', async () => {
        const edited = path.join(root, 'src/colours.ts');
        const text = `\n\n\nexport function zymurgyOf() {}\n`;
        const options = {
          unsaved: [edited],
          readText: async (file: string) => (file === edited ? text : undefined),
        };
        const [first] = await search('zymurgy', options);
        assert.equal(first?.path, 'src/colours.ts');
        assert.ok(first.startLine <= 4 && first.endLine >= 4);
        assert.deepEqual(await search('accent', options), []);
      });

      it('takes a pattern in the query as plain words', async () => {
        for (const query of ['.*', '$(touch x)', '-e --files', '[', '\\', 'a|b', '']) {
          assert.ok(Array.isArray(await search(query)), query);
        }
      });

      it('gives the number of files that is wanted, and up to three spans of each', async () => {
        const results = await search('socket idle export', { limit: 2 });
        assert.equal(pathsOf(results).length, 2);
        for (const file of pathsOf(results)) {
          assert.ok(results.filter(one => one.path === file).length <= 3);
        }
        for (const { startLine, endLine } of results) {
          assert.ok(startLine >= 1 && endLine >= startLine);
        }
      });

      it('tells first results and a summary', async function () {
        // On a busy machine, the first look finds nothing counted yet, and the next one comes too late.
        this.retries(4);
        const first: LocalResult[][] = [];
        let summary: LocalSummary | undefined;
        const results = await search('idle sockets', {
          limit: 1,
          firstMs: 0,
          // Slow enough for a first look to come first.
          readText: () => new Promise(resolve => setTimeout(() => resolve(undefined), 40)),
          onFirst: found => first.push(found),
          onSummary: told => {
            summary = told;
          },
        });
        assert.equal(first.length, 1);
        // By what was counted until then: that is any file which holds the words.
        const holding = [results[0]?.path, 'test/connectionPool.test.ts', 'src/net/http.ts'];
        assert.ok(holding.includes(first[0]?.[0]?.path), first[0]?.[0]?.path);
        assert.equal(results[0]?.path, 'src/net/connectionPool.ts');
        assert.equal(summary?.usedRipgrep, name === 'with ripgrep');
        assert.equal(summary.usedHistory, false);
        assert.ok(summary.files >= 8);
      });

      it('stops when it is cancelled', async () => {
        await assert.rejects(search('idle', { signal: AbortSignal.abort() }), isAbortError);
        const abort = new AbortController();
        const searching = search('export', {
          signal: abort.signal,
          // It waits for no file.
          readText: () => new Promise(() => undefined),
        });
        abort.abort();
        await assert.rejects(searching, isAbortError);
      });
    });
  }

  it('learns from changes that were described alike', async () => {
    const repository = await mkdtemp(path.join(os.tmpdir(), 'history-'));
    try {
      const git = (...args: string[]) =>
        run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repository });
      await git('init', '-q');
      let saved = 0;
      const save = async (file: string, subject: string): Promise<void> => {
        saved++;
        const text = `export const value = ${saved}; // throttle\n`;
        await writeFile(path.join(repository, file), text);
        await git('add', file);
        await git('commit', '-q', '-m', subject);
      };
      for (const file of ['alpha.ts', 'beta.ts', 'alpha.ts', 'beta.ts']) {
        await save(file, 'Colours of the button');
      }
      await save('alpha.ts', 'Throttle uploads');
      assert.equal(await firstIn(repository), 'alpha.ts');
      for (let count = 0; count < 3; count++) {
        await save('beta.ts', 'Throttle all uploads');
      }
      assert.equal(await firstIn(repository), 'beta.ts');
    } finally {
      await rm(repository, { recursive: true, force: true });
    }
  });
});
