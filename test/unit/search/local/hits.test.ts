import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { isAbortError } from '../../../../src/base/async/clock';
import { type FileOptions, findHits, type Hits } from '../../../../src/search/local/hits';
import { TermFinder } from '../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../src/search/local/query/terms';
import { readDisk } from '../../../../src/search/workspace/searchedFiles';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { TestWorkspace } from '../workspace';
import { hitsByFile } from './countedRoot';

const terms = termsOf('retry budget');
const finder = new TermFinder(terms);

/** Hits of "retry" and of "budget" by file. */
const countsOf = ({ found }: Hits): Record<string, number[]> =>
  Object.fromEntries(
    [...hitsByFile(found, terms.length)]
      .filter(([, counts]) => counts.some(count => count > 0))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The files that are searched. */
const filesOf = ({ found }: Hits): string[] => [...hitsByFile(found, terms.length).keys()].sort();

const noListing = (): void => undefined;
const find = (files: TestWorkspace, options: FileOptions, onListed = noListing): Promise<Hits> =>
  findHits(files.root, finder, terms.length, options, onListed);

interface Output {
  readonly lines: readonly string[];
  readonly code: number;
}

/** A ripgrep that prints these lines for a list and for a search, and ends with these codes. */
function ripgrep(files: TestWorkspace, list: Output, search: Output): string {
  const answer = ({ lines, code }: Output): string =>
    `${lines.map(line => `echo '${line}'\n`).join('')}exit ${code}`;
  const file = files.write(
    '../bin/rg',
    `#!/bin/sh\ncase " $* " in *' --files '*)\n${answer(list)};;\nesac\n${answer(search)}\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

describe('the files that hold words of a query', () => {
  let files: TestWorkspace;
  beforeEach(() => {
    files = new TestWorkspace({
      'src/a.ts': 'retry(budget); retry();\nnothing\nBudget\n',
      'src/b.ts': 'nothing\n',
      'src/c.min.js': 'retry\n',
      'package-lock.json': 'retry\n',
      'CHANGELOG.md': 'retry\n',
      '.env': 'retry\n',
      'out/d.ts': 'retry\n',
    });
  });
  afterEach(() => files.remove());

  for (const [name, rgPath] of [
    ['ripgrep', ripgrepPath()],
    ['Node', '/no/such/program'],
  ] as const) {
    if (rgPath === undefined) continue;

    it(`are counted by ${name}, without generated, private and excluded ones`, async () => {
      const listed: Hits[] = [];
      const hits = await findHits(
        files.root,
        finder,
        terms.length,
        { rgPath, exclude: ['out'] },
        partial => listed.push(partial),
      );
      assert.deepEqual(filesOf(hits), ['src/a.ts', 'src/b.ts']);
      assert.deepEqual(countsOf(hits), { 'src/a.ts': [2, 2] });
      assert.deepEqual([hits.usedRipgrep, hits.cut], [name === 'ripgrep', undefined]);
      assert.deepEqual(
        listed.map(one => [one.found.length, one.usedRipgrep]),
        [[2, name === 'ripgrep']],
      );
    });

    it(`are counted by ${name} in the texts of editors, where the files are searched at all`, async () => {
      const texts = new Map([
        [path.join(files.root, 'src/a.ts'), 'nothing any more\n'],
        [path.join(files.root, 'src/b.ts'), 'budget\nbudget\n'],
        [path.join(files.root, 'out/d.ts'), 'retry retry\n'],
        [path.join(files.root, 'new.ts'), 'retry\n'],
      ]);
      const hits = await find(files, {
        rgPath,
        exclude: ['out'],
        unsaved: [...texts.keys()],
        readText: async file => texts.get(file),
      });
      assert.deepEqual(countsOf(hits), { 'src/b.ts': [0, 2] });
    });

    it(`count by ${name} no more than 400 lines of a file, and all hits of these`, async () => {
      files.write('src/many.ts', 'retry budget retry\n'.repeat(500));
      const hits = await find(files, { rgPath });
      assert.deepEqual(countsOf(hits)['src/many.ts'], [800, 400]);
    });
  }

  it('are not looked for once the search is canceled', async () => {
    await assert.rejects(
      find(files, { rgPath: '/no/such/program', signal: AbortSignal.abort() }),
      isAbortError,
    );
  });
});

describe('a ripgrep that ends with an error', () => {
  let files: TestWorkspace;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(() => {
    files = new TestWorkspace({ 'a.ts': 'retry\n', 'b.ts': 'budget\n' });
  });
  afterEach(() => files?.remove());

  const listed = { lines: ['./a.ts', './b.ts', './.env', './key.pem'], code: 0 };
  const found = { lines: ['./a.ts', 'retry', 'retry', '', './.env', 'retry'], code: 0 };

  it('counts where it only could not read a folder', async () => {
    for (const [list, search] of [
      [listed, found],
      [{ ...listed, code: 2 }, found],
      [listed, { ...found, code: 2 }],
      [listed, { lines: [], code: 1 }],
    ] as const) {
      const hits = await find(files, { rgPath: ripgrep(files, list, search) });
      assert.deepEqual([hits.usedRipgrep, filesOf(hits)], [true, ['a.ts', 'b.ts']]);
      assert.deepEqual(countsOf(hits), search.lines.length > 0 ? { 'a.ts': [2, 0] } : {});
    }
  });

  it('is replaced by Node where it printed nothing', async () => {
    for (const [list, search] of [
      [{ lines: [], code: 2 }, found],
      [listed, { lines: [], code: 2 }],
    ] as const) {
      const hits = await find(files, { rgPath: ripgrep(files, list, search) });
      assert.equal(hits.usedRipgrep, false);
      assert.deepEqual(countsOf(hits), { 'a.ts': [1, 0], 'b.ts': [0, 1] });
    }
  });

  it('shows nothing early when its list may be damaged', async () => {
    let count = 0;
    const counting = (): void => void count++;
    await find(files, { rgPath: ripgrep(files, { ...listed, code: 2 }, found) }, counting);
    assert.equal(count, 0);
    await find(files, { rgPath: ripgrep(files, listed, found) }, counting);
    assert.equal(count, 1);
  });
});

describe('the text of a file', () => {
  let files: TestWorkspace;
  before(() => {
    files = new TestWorkspace({});
  });
  after(() => files.remove());

  it('is read in UTF-8 and in UTF-16 with a mark', () => {
    const text = 'const ä = "retry";\n';
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    ])
      assert.equal(readDisk(files.write('a.ts', bytes)), text);
  });

  it('is none where the file is missing, binary or larger than four megabytes', () => {
    assert.equal(readDisk(path.join(files.root, 'missing.ts')), undefined);
    assert.equal(readDisk(files.write('a.bin', Buffer.of(65, 0, 66))), undefined);
    assert.equal(readDisk(files.write('large.ts', 'x'.repeat(4_000_001))), undefined);
    assert.equal(readDisk(files.write('fits.ts', 'x'.repeat(4_000_000)))?.length, 4_000_000);
  });

  it('is none where there is no end of it', function () {
    if (process.platform === 'win32') this.skip();
    const pipe = path.join(files.root, 'pipe.ts');
    execFileSync('mkfifo', [pipe]);
    assert.equal(readDisk(pipe), undefined);
  });
});
