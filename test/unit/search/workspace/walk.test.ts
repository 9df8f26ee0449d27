import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { isAbortError } from '../../../../src/base/async/clock';
import { findProgram } from '../../../../src/base/process';
import { findHits } from '../../../../src/search/local/hits';
import { TermFinder } from '../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../src/search/local/query/terms';
import { globMatcher, listFiles } from '../../../../src/search/workspace/files';
import { type WalkRequest, walkFiles } from '../../../../src/search/workspace/walk';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { hitsByFile } from '../local/countedRoot';
import { TestWorkspace } from '../workspace';

describe('a walk over the files of a workspace', () => {
  let files: TestWorkspace;
  before(() => {
    files = new TestWorkspace({
      'a.ts': 'limit limiter',
      'src/b.ts': 'Limit rate_limit',
      'src/deep/c.ts': 'nothing',
      'src/d.min.js': 'limit',
      'src/e.lock': 'limit',
      'src/f.bin': Buffer.from('limit\0'),
      'src/g.txt': Buffer.from('\ufeffrate limit', 'utf16le'),
      'big.ts': `limit${' '.repeat(4_000_001)}`,
      'out/o.ts': 'limit',
      'made.ts': 'limit',
      '.gitignore': 'made.ts\n',
      '.env': 'limit',
    });
    symlinkSync('..', path.join(files.root, 'src/loop'));
    symlinkSync('../a.ts', path.join(files.root, 'src/link.ts'));
  });
  after(() => files.remove());

  const walked = async (more: Partial<WalkRequest> = {}): Promise<string[]> => {
    const found: string[] = [];
    await walkFiles({
      root: files.root,
      below: '',
      excludes: ['out'],
      useIgnoreFiles: true,
      deadlineMs: 60_000,
      onFile: file => {
        found.push(file);
        return true;
      },
      ...more,
    });
    return found.toSorted();
  };
  const below = [
    'src/b.ts',
    'src/d.min.js',
    'src/deep/c.ts',
    'src/e.lock',
    'src/f.bin',
    'src/g.txt',
  ];

  it('finds what ripgrep would search, and follows no link', async () => {
    assert.deepEqual(await walked(), ['a.ts', 'big.ts', ...below]);
    assert.deepEqual(await walked({ below: 'src' }), below);
    assert.deepEqual(await walked({ below: 'src/deep', excludes: [] }), ['src/deep/c.ts']);
    assert.deepEqual(await walked({ useIgnoreFiles: false, excludes: ['src'] }), [
      'a.ts',
      'big.ts',
      'made.ts',
      'out/o.ts',
    ]);
    assert.deepEqual(await walked({ below: 'none' }), []);
  });

  const listed = async (rgPath: string | undefined): Promise<string[]> => {
    const { workspace, signal } = await files.scope({ rgPath, excludes: ['out'] });
    const place = { path: path.join(files.root, 'src'), root: files.root, isDirectory: true };
    const found: string[] = [];
    await listFiles(workspace, place, signal, file => found.push(file) > 0);
    return found.toSorted();
  };

  it('is the same list with and without ripgrep', async () => {
    assert.deepEqual(await listed(undefined), below);
    assert.deepEqual(await listed(ripgrepPath()), below);
    assert.deepEqual(await listed('/no/such/program'), below);
  });

  it('ends when no more is wanted, when the time is over, and when it is canceled', async () => {
    let count = 0;
    await walked({ onFile: () => ++count < 2 });
    assert.equal(count, 2);
    assert.deepEqual(await walked({ deadlineMs: -1 }), []);
    await assert.rejects(walked({ signal: AbortSignal.abort() }), isAbortError);
  });

  it('counts the hits of each file for each term, with and without ripgrep', async () => {
    const terms = termsOf('rate limit');
    const finder = new TermFinder(terms);
    const [rate, limit] = [terms, terms].map((all, at) =>
      all.findIndex(({ forms }) => forms[0]?.words[0] === ['rat', 'limit'][at]),
    );
    assert.ok(rate !== undefined && limit !== undefined && limit >= 0);
    for (const rgPath of [ripgrepPath(), '/no/such/program']) {
      let first = 0;
      const { found, usedRipgrep } = await findHits(
        files.root,
        finder,
        terms.length,
        { rgPath, exclude: ['out'] },
        partial => {
          first = partial.found.length;
        },
      );
      assert.equal(usedRipgrep, rgPath === ripgrepPath());
      const counts = hitsByFile(found, terms.length);
      const all = [...counts.keys()];
      assert.equal(first, all.length);
      assert.ok(!all.some(file => /min\.js|lock|out|made|env/.test(file)), String(all));
      const countOf = (file: string): number | undefined => counts.get(file)?.[limit];
      assert.deepEqual(['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/f.bin', 'big.ts'].map(countOf), [
        2,
        2,
        0,
        undefined,
        0,
      ]);
      assert.ok((countOf('src/g.txt') ?? 0) >= 1);
    }
  });
});

describe('a glob of the search model', () => {
  it('matches as that of ripgrep', () => {
    for (const [glob, yes, no] of [
      ['*.ts', 'src/a.ts', 'src/a.tsx'],
      ['./src/*.ts', 'src/a.ts', 'src/b/a.ts'],
      ['/src/**/*.ts', 'src/b/a.ts', 'lib/a.ts'],
      ['src', 'a/src/b.ts', 'a/source/b.ts'],
      ['src/lib', 'src/lib/a.ts', 'x/src/lib/a.ts'],
      ['!*.md', 'a.ts', 'docs/a.md'],
      ['*.{ts,js}', 'a.js', 'a.py'],
      ['A*', 'Abc.ts', 'abc.ts'],
      ['*.yml', '.github/a.yml', '.github/a.ts'],
    ] as const) {
      assert.equal(globMatcher(glob)(yes), true, `${glob} ${yes}`);
      assert.equal(globMatcher(glob)(no), false, `${glob} ${no}`);
    }
  });
});

describe('a program that is run', () => {
  it('is found by its path, or by its name on PATH, and nowhere else', async () => {
    assert.equal(await findProgram(process.execPath), process.execPath);
    assert.equal(await findProgram('/no/such/program'), undefined);
    assert.equal(await findProgram('no-such-program-here'), undefined);
    const own = process.env['PATH'];
    try {
      const folder = path.dirname(process.execPath);
      process.env['PATH'] = ['.', 'relative', folder].join(path.delimiter);
      assert.equal(await findProgram(path.basename(process.execPath)), process.execPath);
      process.env['PATH'] = path.relative(process.cwd(), folder);
      assert.equal(await findProgram(path.basename(process.execPath)), undefined);
    } finally {
      if (own === undefined) delete process.env['PATH'];
      else process.env['PATH'] = own;
    }
  });
});
