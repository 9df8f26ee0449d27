import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../../../../src/base/process';
import {
  type LocalSearchOptions,
  type LocalSummary,
  searchRoots,
} from '../../../../src/search/local/localSearch';
import { commitAll } from '../repository';
import { TestWorkspace } from '../workspace';

/** A search that cannot take longer than the test, in a folder that is a repository. */
async function search(
  { root }: TestWorkspace,
  query: string,
  more: Partial<Parameters<typeof searchRoots>[2]> = {},
) {
  let summary: LocalSummary | undefined;
  const before: string[][] = [];
  const results = await searchRoots([{ path: root, git: { dir: root, rev: 'HEAD' } }], query, {
    limit: 10,
    rgPath: path.join(root, 'no-such-program'),
    onBeforeHistory: all => before.push(all.map(({ path: file }) => file)),
    onSummary: told => {
      summary = told;
    },
    ...more,
  });
  return { paths: results.map(({ path: file }) => file), before, summary };
}

/** Puts a program on PATH under this name that runs a script of Node. */
function program(files: TestWorkspace, name: string, script: string): string {
  const file = files.write(`../bin/${name}`, `#!${process.execPath}\n${script}`);
  chmodSync(file, 0o755);
  return file;
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: (() => void) | undefined;
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open: () => open?.() };
}

describe('a search while git is slow', () => {
  let files: TestWorkspace;
  const oldPath = process.env['PATH'];
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    files = new TestWorkspace({ 'alpha.ts': 'limit();\n', 'gamma.ts': 'limit();\n' });
    commitAll(files.root, [
      ['Colours of the button', ['alpha.ts', 'gamma.ts']],
      ['Limit all uploads', ['gamma.ts']],
      ['Limit the uploads', ['gamma.ts']],
    ]);
    const git = (await findProgram('git')) ?? assert.fail('no git');
    // Each log waits until the folder has a file "go".
    program(
      files,
      'git',
      `const { existsSync } = require('fs');
const run = () => process.exit(require('child_process').spawnSync(${JSON.stringify(git)}, process.argv.slice(2), { stdio: 'inherit' }).status);
if (!process.argv.includes('log')) run();
else setInterval(() => existsSync(${JSON.stringify(path.join(files.root, '../go'))}) && run(), 5);`,
    );
    process.env['PATH'] = path.join(files.root, '../bin') + path.delimiter + oldPath;
  });
  afterEach(() => {
    process.env['PATH'] = oldPath;
    files?.remove();
  });

  it('shows its results at once, and sorts them anew when the history is there', async () => {
    const onBeforeHistory = (all: { path: string }[]): void => {
      assert.deepEqual(
        all.map(({ path: file }) => file),
        ['alpha.ts', 'gamma.ts'],
      );
      files.write('../go', '');
    };
    const { paths, summary } = await search(files, 'limit the uploads', { onBeforeHistory });
    assert.deepEqual(paths, ['gamma.ts', 'alpha.ts']);
    assert.deepEqual([summary?.history, summary?.usedHistory], ['late', true]);
  });

  it('says that the history is missing when it takes too long, and has it the next time', async () => {
    const {
      paths,
      before: shown,
      summary,
    } = await search(files, 'limit the uploads', {
      historyMs: 20,
    });
    assert.deepEqual([paths, shown], [['alpha.ts', 'gamma.ts'], [['alpha.ts', 'gamma.ts']]]);
    assert.deepEqual([summary?.history, summary?.usedHistory], ['missing', false]);
    files.write('../go', '');
    const again = await search(files, 'limit the uploads', { historyMs: 60_000 });
    assert.equal(again.paths[0], 'gamma.ts');
    assert.equal(again.summary?.usedHistory, true);
  });

  it('does not say that the order changed when it did not', async () => {
    const { summary } = await search(files, 'alpha', {
      onBeforeHistory: () => void files.write('../go', ''),
    });
    assert.deepEqual([summary?.history, summary?.usedHistory], [undefined, true]);
  });

  it('can be canceled while it waits', async () => {
    const abort = new AbortController();
    const pending = search(files, 'limit', {
      signal: abort.signal,
      onBeforeHistory: () => abort.abort(),
    });
    await assert.rejects(pending, { name: 'AbortError' });
    files.write('../go', '');
  });
});

describe('the results of a search', () => {
  const rgPath = '/no/such/program';
  let files: TestWorkspace;
  afterEach(() => files.remove());

  it('are shorter the further down they stand, and 40 lines at least', async () => {
    const definition = `function retry() {\n${'  retry();\n'.repeat(100)}}\n`;
    files = new TestWorkspace(
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}.ts`, definition])),
    );
    const results = await searchRoots([{ path: files.root }], 'retry', { limit: 12, rgPath });
    const lines = results.reduce(
      (all, { path: file, startLine, endLine }) =>
        all.set(file, (all.get(file) ?? 0) + endLine - startLine + 1),
      new Map<string, number>(),
    );
    assert.deepEqual([...lines.values()], [102, 102, 102, 95, 80, 60, 50, 50, 40, 40, 40, 40]);
  });

  it('are shown before all files are read, and not after they are whole', async () => {
    files = new TestWorkspace({
      ...Object.fromEntries(
        Array.from({ length: 4 }, (_, at) => [`retry${at}.ts`, 'function retry() {}\n']),
      ),
      'last.ts': 'retry\n',
    });
    const shown = gate();
    const first: string[][] = [];
    const results = await searchRoots([{ path: files.root }], 'retry', {
      limit: 2,
      rgPath,
      firstMs: 1,
      readText: async file => {
        if (file.endsWith('last.ts')) await shown.opened;
        return undefined;
      },
      onFirst: all => {
        first.push(all.map(({ path: file }) => file));
        shown.open();
      },
    });
    assert.deepEqual(first, [results.map(({ path: file }) => file)]);
    assert.equal(results.length, 2);
  });

  it('are not followed by preliminary ones', async () => {
    files = new TestWorkspace({ 'retry.ts': 'retry();\n' });
    let isWhole = false;
    let late = 0;
    const onFirst = (): void => void (late += Number(isWhole));
    await searchRoots([{ path: files.root }], 'retry', { limit: 2, rgPath, firstMs: 50, onFirst });
    isWhole = true;
    await new Promise(resolve => setTimeout(resolve, 100));
    assert.equal(late, 0);
  });
});

describe('a search in several roots', () => {
  it('says that ripgrep found all of it only where that is so', async function () {
    if (process.platform === 'win32') this.skip();
    const files = new TestWorkspace({ 'one/a.ts': 'needle\n', 'two/b.ts': 'needle\n' });
    const rgPath = files.write(
      '../bin/rg',
      `#!/bin/sh
[ -e a.ts ] || exit 2
case " $* " in *' --files '*) echo ./a.ts;; *) printf './a.ts\\nneedle\\n\\n';; esac
`,
    );
    chmodSync(rgPath, 0o755);
    const usedBy = async (...names: readonly string[]) => {
      let summary: LocalSummary | undefined;
      const roots = names.map(name => ({ path: path.join(files.root, name) }));
      const results = await searchRoots(roots, 'needle', {
        limit: 9,
        rgPath,
        onSummary: told => {
          summary = told;
        },
      });
      return [
        results
          .map(one => one.path)
          .sort()
          .join(),
        summary?.files,
        summary?.usedRipgrep,
      ];
    };
    assert.deepEqual(await usedBy('one'), ['a.ts', 1, true]);
    assert.deepEqual(await usedBy('one', 'two'), ['a.ts,b.ts', 2, false]);
    files.remove();
  });
});

describe('preliminary results', () => {
  it('are not shown when the search became whole while they were read', async () => {
    const files = new TestWorkspace({ 'retry.ts': 'retry();\n' });
    const [early, whole] = [gate(), gate()];
    let reads = 0;
    let count = 0;
    const results = await searchRoots([{ path: files.root }], 'retry', {
      limit: 2,
      rgPath: '/no/such/program',
      firstMs: 1,
      // The search itself reads first, and goes on once the file is read for preliminary results.
      readText: async () => {
        if (++reads === 1) {
          await early.opened;
        } else {
          early.open();
          await whole.opened;
        }
        return undefined;
      },
      onFirst: () => void count++,
    });
    whole.open();
    await new Promise(resolve => setTimeout(resolve, 5));
    assert.deepEqual([reads, results.length, count], [2, 1, 0]);
    files.remove();
  });
});

describe('a search that ends at a limit', () => {
  let files: TestWorkspace;
  beforeEach(() => {
    files = new TestWorkspace({ 'a.ts': 'needle\n', 'b.ts': 'needle\n' });
  });
  afterEach(() => files.remove());

  const cutOf = async (more: Partial<LocalSearchOptions>) => {
    const { onFirst: _, git: __, ...options } = more;
    const { paths, summary } = await search(files, 'needle', options);
    return { paths, cut: summary?.cut };
  };

  it('says so when ripgrep took too long, with what it had found', async function () {
    if (process.platform === 'win32') this.skip();
    const slow = program(
      files,
      'rg',
      "console.log(process.argv.includes('--files') ? './a.ts' : './a.ts\\nneedle\\n'); setInterval(() => undefined, 1000);",
    );
    let found = await cutOf({ rgPath: slow, maxMs: 300 });
    // A program takes longer to start on a busy machine.
    for (const maxMs of [2000, 8000]) {
      if (found.paths.length === 0) found = await cutOf({ rgPath: slow, maxMs });
    }
    assert.deepEqual(found, { paths: ['a.ts'], cut: 'time' });
  });

  it('says so when reading the files took too long', async () => {
    assert.equal((await cutOf({ maxMs: -1 })).cut, 'time');
  });

  it('says nothing when it was whole', async () => {
    assert.deepEqual(await cutOf({}), { paths: ['a.ts', 'b.ts'], cut: undefined });
    execFileSync('git', ['init', '-q'], { cwd: files.root });
    assert.equal((await cutOf({})).cut, undefined);
  });
});
