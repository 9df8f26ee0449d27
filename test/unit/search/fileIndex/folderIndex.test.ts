import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { isAbortError } from '../../../../src/base/async/clock';
import { CountedTerms } from '../../../../src/search/fileIndex/countTerms';
import { FolderIndex } from '../../../../src/search/fileIndex/folderIndex';
import { NearWordFinder } from '../../../../src/search/local/query/misspelled';
import { termsOf } from '../../../../src/search/local/query/terms';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { TestWorkspace } from '../workspace';

/** Long ago, so that the time of a file tells whether it has changed. */
const longAgo = new Date(Date.UTC(2020, 1, 1));

describe('the index of a folder', () => {
  let files: TestWorkspace;
  let index: FolderIndex;

  const storage = (): string => path.join(files.root, '../index');
  const open = (exclude: readonly string[] = [], signal = new AbortController().signal) =>
    new FolderIndex(
      { root: files.root, storage: storage(), files: { rgPath: ripgrepPath(), exclude } },
      signal,
    );
  const write = (name: string, text: string | Buffer, at = longAgo): void => {
    utimesSync(files.write(name, text), at, at);
  };
  /** Hits of a word by file; of all files with `all`. */
  const hits = (
    word: string,
    {
      all = false,
      unsaved = new Map<string, Float32Array | undefined>(),
      without = [''].slice(1),
    } = {},
    of = index,
  ): Record<string, number> => {
    const terms = termsOf(word);
    const found: [string, number][] = [];
    for (const { files: table, counts, isLeftOut } of of.counted(
      new CountedTerms(terms),
      unsaved,
      without,
    )) {
      for (const [file, below] of table.paths.entries()) {
        const count = counts[file * terms.length] ?? 0;
        if (!isLeftOut?.(file) && (all || count > 0)) found.push([below, count]);
      }
    }
    return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  };

  const inUse = (): string[] => readdirSync(storage()).filter(name => name.endsWith('.segment'));

  beforeEach(async () => {
    files = new TestWorkspace({ '.gitignore': 'out/\n' });
    write('src/a.ts', 'retry retryLater\n');
    write('src/b.ts', 'budget\n');
    write('out/c.ts', 'retry\n');
    write('.env', 'retry\n');
    write('d.min.js', 'retry\n');
    index = open();
    await index.verify();
  });
  afterEach(() => files.remove());

  it('has all files that are searched, and no others', () => {
    assert.deepEqual(hits('retry', { all: true }), { 'src/a.ts': 2, 'src/b.ts': 0 });
    assert.equal(index.size, 2);
    assert.ok(index.bytes > 0);
  });

  it('lists files that are no text, but has no words of them', async () => {
    write('e.ts', Buffer.from('retry\0'));
    write('f.ts', `retry ${'x'.repeat(4_000_000)}`);
    write('g.ts', Buffer.from('\uFEFFretry', 'utf16le'));
    await index.verify();
    assert.deepEqual(hits('retry', { all: true }), {
      'e.ts': 0,
      'f.ts': 0,
      'g.ts': 1,
      'src/a.ts': 2,
      'src/b.ts': 0,
    });
  });

  it('follows no link', async function () {
    if (process.platform === 'win32') this.skip();
    const outside = files.write('../secret.ts', 'retry\n');
    symlinkSync(outside, path.join(files.root, 'link.ts'));
    await index.verify();
    await index.update(['link.ts']);
    assert.deepEqual(hits('retry'), { 'src/a.ts': 2 });
  });

  it('reads a file again that has changed, and forgets one that is gone', async () => {
    write('src/b.ts', 'retry retry retry\n', new Date(Date.UTC(2021, 1, 1)));
    files.delete('src/a.ts');
    assert.deepEqual(hits('retry'), { 'src/a.ts': 2 });
    await index.verify();
    assert.deepEqual(hits('retry', { all: true }), { 'src/b.ts': 3 });
  });

  it('reads a file that has just been written at each comparison, for it may change within the same time', async () => {
    const now = new Date(Date.now() + 3_600_000);
    write('src/b.ts', 'retry\n', now);
    await index.verify();
    write('src/b.ts', 'other\n', now);
    await index.verify();
    assert.deepEqual(hits('retry'), { 'src/a.ts': 2 });
  });

  it('says how many changes nobody has told it of', async () => {
    assert.equal((await index.verify()).missed, 0);
    write('src/b.ts', 'retry\n', new Date(Date.UTC(2021, 1, 1)));
    write('new.ts', 'retry\n', new Date(Date.now() + 3_600_000));
    assert.equal((await index.verify()).missed, 1, 'of the new one an event may be under way');
    write('src/b.ts', 'retry\n', new Date(Date.UTC(2022, 1, 1)));
    await index.update(['src/b.ts']);
    assert.equal((await index.verify()).missed, 0);
  });

  describe('that is told of changes', () => {
    it('reads new and changed files, and forgets those that are gone', async () => {
      write('src/b.ts', 'retry\n', new Date(Date.UTC(2021, 1, 1)));
      write('src/new.ts', 'retry\n');
      files.delete('src/a.ts');
      await index.update(['src/b.ts', 'src/new.ts', 'src/a.ts', 'src/never.ts']);
      assert.deepEqual(hits('retry', { all: true }), { 'src/b.ts': 1, 'src/new.ts': 1 });
    });

    it('takes no file that is not searched', async () => {
      write('out/new.ts', 'retry\n');
      write('new.min.js', 'retry\n');
      write('.env.local', 'retry\n');
      await index.update(['out/new.ts', 'new.min.js', '.env.local', 'out', 'out/c.ts']);
      assert.deepEqual(hits('retry'), { 'src/a.ts': 2 });
    });

    it('takes a folder that was moved with its files', async () => {
      write('../lib/deep/a.ts', 'retry\n');
      write('../lib/b.min.js', 'retry\n');
      renameSync(path.join(files.root, '../lib'), path.join(files.root, 'lib'));
      rmSync(path.join(files.root, 'src'), { recursive: true });
      await index.update(['lib', 'src']);
      assert.deepEqual(hits('retry', { all: true }), { 'lib/deep/a.ts': 1 });
    });

    it('forgets the files of a folder that is gone, and no others', async () => {
      // So many that they are not read again for the sake of a few others.
      for (let n = 0; n < 20; n++) write(`n/${n}.ts`, 'retry\n');
      write('src2/c.ts', 'retry\n');
      await index.verify();
      rmSync(path.join(files.root, 'src'), { recursive: true });
      await index.update(['src']);
      const found = Object.keys(hits('retry'));
      assert.equal(found.length, 21);
      assert.ok(found.includes('src2/c.ts'));
    });

    it('heeds an ignore file that is new or changed', async () => {
      files.write('src/.gitignore', 'a.ts\n');
      await index.update(['src/.gitignore']);
      assert.deepEqual(hits('retry', { all: true }), { 'src/b.ts': 0 });
      files.write('.gitignore', '');
      files.delete('src/.gitignore');
      await index.update(['src/.gitignore', '.gitignore']);
      assert.deepEqual(hits('retry'), { 'out/c.ts': 1, 'src/a.ts': 2 });
    });

    it('does not mind an ignore file in a folder that is left out', async () => {
      files.write('out/.gitignore', '');
      // Found by a comparison with all files, which this is no reason for.
      write('src/new.ts', 'retry\n');
      await index.update(['out/.gitignore']);
      assert.deepEqual(hits('retry'), { 'src/a.ts': 2 });
    });

    it('heeds what an ignore file said when all files were compared last', async () => {
      files.write('.gitignore', '');
      await index.verify();
      write('out/new.ts', 'retry\n');
      await index.update(['out/new.ts']);
      assert.deepEqual(hits('retry'), { 'out/c.ts': 1, 'out/new.ts': 1, 'src/a.ts': 2 });
    });

    it('reads the rest of a segment again when most of its files are in others', async () => {
      for (let n = 0; n < 100; n++) write(`n/${n}.ts`, 'retry\n');
      await index.verify();
      const before = inUse();
      // Few at once, so that they alone are no reason to merge.
      for (let n = 0; n < 60; n += 5) {
        const changed = [0, 1, 2, 3, 4].map(at => `n/${n + at}.ts`);
        for (const file of changed) write(file, 'budget\n', new Date(Date.UTC(2021, 1, 1)));
        await index.update(changed);
      }
      assert.ok(!inUse().some(name => before.includes(name)));
      assert.equal(Object.keys(hits('budget')).length, 61);
      assert.equal(Object.keys(hits('retry')).length, 41);
    });

    it('keeps few segments, and every file in one of them', async () => {
      for (let n = 0; n < 40; n++) {
        write(`n/${n % 25}.ts`, `retry ${'budget '.repeat(n)}`, new Date(Date.UTC(2021, 1, 1 + n)));
        await index.update([`n/${n % 25}.ts`]);
      }
      assert.ok(inUse().length <= 7, `${inUse().length} segments`);
      const found = hits('budget');
      assert.equal(Object.keys(hits('retry')).length, 26);
      assert.equal(found['n/14.ts'], 39);
      assert.equal(found['n/20.ts'], 20);
    });
  });

  it('is stored, and reads only what has changed since', async () => {
    // So many that they are not read again for the sake of a few others.
    for (let n = 0; n < 10; n++) write(`n/${n}.ts`, 'nothing\n');
    await index.verify();
    write('src/b.ts', 'retry\n', new Date(Date.UTC(2021, 1, 1)));
    write('src/new.ts', 'retry\n');
    // Its time and size are the same: whoever reads it would see other words.
    write('src/a.ts', 'fault faultLater\n');
    const again = open();
    await again.load();
    await again.verify();
    assert.deepEqual(hits('retry', {}, again), { 'src/a.ts': 2, 'src/b.ts': 1, 'src/new.ts': 1 });
  });

  it('is not used for other files than those it was made for', async () => {
    const other = open(['src']);
    await other.load();
    assert.equal(other.size, 0);
    await other.verify();
    assert.deepEqual(hits('retry', { all: true }, other), {});
  });

  it('takes the text of an editor in place of that on disk', () => {
    const unsaved = new Map([
      ['src/a.ts', undefined],
      ['src/b.ts', Float32Array.of(5)],
      ['out/c.ts', Float32Array.of(7)],
    ]);
    assert.deepEqual(hits('retry', { unsaved }), { 'src/b.ts': 5 });
    assert.deepEqual(hits('retry'), { 'src/a.ts': 2 }, 'only for this question');
  });

  it('leaves out the files of another root within', () => {
    assert.deepEqual(hits('retry', { all: true, without: ['src/'] }), {});
    assert.deepEqual(Object.keys(hits('retry', { all: true, without: ['src/b'] })), ['src/a.ts']);
  });

  describe('asked for the files with an identifier', () => {
    beforeEach(async () => {
      write('src/c.ts', 'export function retryLater() {}\n');
      write('src/d.ts', 'later we RETRY\n');
      write('src/e.ts', 'retry and laterally\n');
      await index.verify();
    });

    it('has those with all of its parts, which only a capital holds together', () => {
      assert.deepEqual(index.filesWith('retryLater')?.sort(), ['src/a.ts', 'src/c.ts']);
      const apart = ['src/a.ts', 'src/c.ts', 'src/d.ts'];
      assert.deepEqual(index.filesWith('retry_later')?.sort(), apart);
      assert.deepEqual(index.filesWith('RETRY_RETRY')?.length, 4);
      assert.deepEqual(index.filesWith('retries'), []);
    });

    it('knows those that have changed or are gone', async () => {
      write('src/c.ts', 'nothing\n', new Date(Date.UTC(2020, 1, 2)));
      files.delete('src/d.ts');
      await index.verify();
      assert.deepEqual(index.filesWith('retryLater'), ['src/a.ts']);
    });

    it('cannot say for one that has only single characters or data', () => {
      for (const name of ['x', '_', 'b'.repeat(65)]) assert.equal(index.filesWith(name), undefined);
      assert.deepEqual(index.filesWith('xRetry')?.length, 4);
    });

    it('has words near one that is misspelled, unless the files with them are gone', async () => {
      const corrections = () => {
        const finder = new NearWordFinder(['laetr']);
        index.findNear(finder);
        return finder.corrections();
      };
      assert.deepEqual(corrections(), [{ typed: 'laetr', taken: 'later' }]);
      for (const file of ['src/a.ts', 'src/c.ts', 'src/d.ts']) files.delete(file);
      await index.verify();
      assert.deepEqual(corrections(), []);
    });

    it('leaves one whose parts are in many files to another search', async () => {
      for (let at = 0; at < 96; at++) write(`many/${at}.ts`, 'retry\n');
      await index.verify();
      assert.equal(index.filesWith('retry')?.length, 100);
      write('many/96.ts', 'retry\n');
      await index.verify();
      assert.equal(index.filesWith('retry'), undefined);
      assert.deepEqual(index.filesWith('retryLater')?.sort(), ['src/a.ts', 'src/c.ts']);
    });
  });

  it('ends when it is closed, in the midst of its files too', async () => {
    await assert.rejects(open([], AbortSignal.abort()).verify(), /abort|cancel/i);
    const controller = new AbortController();
    const closed = open([], controller.signal);
    const updated = closed.update(['src/a.ts', 'src/b.ts']);
    controller.abort();
    await assert.rejects(updated, isAbortError);
    assert.equal(closed.size, 0);
  });

  it('writes nothing when nothing has changed', async () => {
    const head = path.join(storage(), 'index.json');
    rmSync(head);
    await index.verify();
    await index.update(['src/a.ts', 'out/c.ts', 'gone.ts']);
    assert.ok(!existsSync(head));
    write('src/new.ts', 'retry\n');
    await index.update(['src/new.ts']);
    assert.ok(existsSync(head));
  });
});
