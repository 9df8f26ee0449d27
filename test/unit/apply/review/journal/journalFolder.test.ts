import assert from 'node:assert/strict';
import { type FileOps, JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import { MemoryDisk } from './memoryDisk';

const hourMs = 3600 * 1000;
const failing = async () => Promise.reject(new Error('EIO'));
const missing = async () => Promise.reject(Object.assign(new Error(), { code: 'ENOENT' }));

describe('JournalFolder', () => {
  let disk: MemoryDisk;
  /** Times of files, by name; the others are of now. */
  let times: Record<string, number>;
  let folder: JournalFolder;
  const open = (ops: Partial<FileOps> = {}) => {
    const mounted = disk.mount();
    return new JournalFolder(
      {
        ...mounted,
        stat: async file => {
          const { size, time } = await mounted.stat(file);
          return { size, time: times[file.replace(/.*\//, '')] ?? time };
        },
        ...ops,
      },
      '/r',
    );
  };
  const names = () => [...disk.files.keys()].map(file => file.slice('/r/'.length)).sort();
  const put = (...files: string[]) => {
    for (const folderName of ['/r', '/r/history']) disk.folders.add(folderName);
    for (const file of files) disk.files.set(`/r/${file}`, `${file} `);
  };

  beforeEach(() => {
    disk = new MemoryDisk();
    times = {};
    folder = open();
  });

  it('reads journals only, and removes drafts that are over an hour old', async () => {
    put('one.journal', 'old-1.draft', 'new-1.draft', 'draft.txt', 'history/two.journal');
    times = { 'old-1.draft': -1, 'new-1.draft': 0 };
    assert.deepEqual(await folder.readOpen(hourMs), [{ id: 'one', text: 'one.journal ' }]);
    assert.deepEqual(names(), ['draft.txt', 'history/two.journal', 'new-1.draft', 'one.journal']);
  });

  it('does not mind that another window was faster to remove a draft', async () => {
    put('old-1.draft', 'one.journal');
    times = { 'old-1.draft': -hourMs };
    assert.equal((await open({ remove: missing }).readOpen(hourMs)).length, 1);
    await assert.rejects(open({ remove: failing }).readOpen(hourMs), /EIO/);
  });

  it('has neither journals nor a history before the first was written', async () => {
    assert.deepEqual(await folder.readOpen(0), []);
    assert.deepEqual(await folder.history(), []);
    assert.equal(await folder.read('one'), undefined);
    await assert.rejects(open({ list: failing }).history(), /EIO/);
  });

  it('finds a journal where it is open or ended, and moves it there and back', async () => {
    await folder.create('one', 'text', () => true);
    assert.equal((await folder.read('one'))?.text, 'text');
    await folder.end('one');
    assert.deepEqual(names(), ['history/one.journal']);
    assert.equal((await folder.read('one'))?.text, 'text');
    await folder.reopen('one');
    await folder.reopen('one');
    assert.deepEqual(names(), ['one.journal']);
    await folder.remove('one');
    assert.deepEqual(names(), []);
    await assert.rejects(open({ rename: failing }).reopen('one'), /EIO/);
  });

  it('names a journal that exists but cannot be read', async () => {
    put('one.journal');
    const found = await open({ read: failing }).read('one');
    assert.equal(found?.text, undefined);
    assert.match(String(found?.error), /EIO/);
  });

  it('leaves the old journal in place when the new one is not wanted or not complete', async () => {
    put('one.journal');
    await folder.create('one', 'new', () => false);
    assert.equal(disk.files.get('/r/one.journal'), 'one.journal ');
    disk.files.clear();
    put('one.journal');
    disk.capacity = 15;
    await assert.rejects(
      folder.create('one', 'too long', () => true),
      /ENOSPC/,
    );
    assert.deepEqual([...disk.files], [['/r/one.journal', 'one.journal ']]);
  });

  it('lists the history from the newest, without other files', async () => {
    put('history/old.journal', 'history/new.journal', 'history/notes.txt', 'open.journal');
    times = { 'old.journal': 1, 'new.journal': 2 };
    assert.deepEqual(await folder.history(), [
      { id: 'new', time: 2, size: 20 },
      { id: 'old', time: 1, size: 20 },
    ]);
  });

  it('keeps of the history and its answers the newest within each limit', async () => {
    const no = Number.POSITIVE_INFINITY;
    for (const { max, kept = [], left } of [
      { max: { ageMs: no, bytes: no }, left: ['a', 'b', 'c'] },
      { max: { ageMs: 8, bytes: no }, left: ['b', 'c'] },
      { max: { ageMs: 8, bytes: no }, kept: ['a'], left: ['a', 'b', 'c'] },
      { max: { ageMs: 0, bytes: no }, left: [] },
      { max: { ageMs: 0, bytes: no }, kept: ['c'], left: ['c'] },
      { max: { ageMs: no, bytes: 36 }, left: ['b', 'c'] },
      { max: { ageMs: no, bytes: 35 }, kept: ['b'], left: ['c'] },
    ]) {
      disk.files.clear();
      put('history/a.journal', 'history/b.journal', 'history/c.journal');
      times = { 'a.journal': 1, 'b.journal': 2, 'c.journal': 3 };
      await folder.prune(10, max, new Set(kept));
      assert.deepEqual(
        names(),
        left.map(id => `history/${id}.journal`),
        JSON.stringify({ max, kept }),
      );
    }
    disk.files.clear();
    disk.folders.add('/r/answers');
    put('history/a.journal', 'answers/b.txt', 'answers/c.txt');
    times = { 'a.journal': 3, 'b.txt': 2, 'c.txt': 1 };
    await folder.prune(10, { ageMs: no, bytes: 33 });
    assert.deepEqual(names(), ['answers/b.txt', 'history/a.journal']);
  });

  it('does not fail on what another window deletes or moves meanwhile', async () => {
    put('history/a.journal', 'history/b.journal');
    const gone = open({ stat: missing });
    assert.deepEqual(await gone.history(), []);
    const deleted = open({ remove: missing });
    await deleted.prune(10, { ageMs: 0, bytes: 0 });
    await deleted.clearHistory();
    await deleted.removeEnded('a');
    for (const ops of [{ stat: failing }, { remove: failing }]) {
      await assert.rejects(open(ops).prune(10, { ageMs: 0, bytes: 0 }), /EIO/);
    }
  });

  it('stores an answer once, and deletes it with the history', async () => {
    await folder.keepAnswer('one', 'the answer');
    assert.equal(await folder.answer('one'), 'the answer');
    await folder.keepAnswer('one', 'not written');
    assert.equal(await folder.answer('one'), 'the answer');
    assert.equal(await folder.answer('two'), undefined);
    assert.deepEqual(names(), ['answers/one.txt'], 'no draft is left');
    await folder.removeAnswer('one');
    await folder.removeAnswer('one');
    await folder.keepAnswer('two', 'text');
    put('history/a.journal', 'open.journal');
    await folder.clearHistory();
    assert.deepEqual(names(), ['open.journal']);
    disk.untilDeath = 3;
    const writing = folder.keepAnswer('three', 'text');
    await Promise.race([writing, new Promise(setImmediate)]);
    assert.equal(await open().answer('three'), undefined);
  });
});
