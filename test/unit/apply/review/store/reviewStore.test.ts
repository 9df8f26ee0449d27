import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import { nodeFileOps } from '../../../../../src/apply/review/journal/nodeFileOps';
import type {
  EditorText,
  JournaledReview,
} from '../../../../../src/apply/review/model/journaledReview';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import type { Origin } from '../../../../../src/apply/review/model/reviewMeta';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { EndedReviews } from '../../../../../src/apply/review/store/endedReviews';
import { maxAgeMs, ReviewStore } from '../../../../../src/apply/review/store/reviewStore';
import { MemoryDisk } from '../journal/memoryDisk';

const byModel: Origin = {
  engine: 'local',
  ms: 3,
  findings: [{ kind: 'duplicate', severity: 'warning', line: 2, message: 'twice' }],
  author: { model: 'svc-qwen35-397b', ms: 1234, cost: { usd: 0.0021, isExact: false } },
  update: 'b',
};
const meta = (createdAt = 1) => ({
  uri: 'file:///src/cart.ts',
  languageId: 'typescript',
  createdAt,
  origin: byModel,
});
const proposal = () => new ReviewModel(['a', 'c', 'd', 'e'], ['a', 'b', 'c', 'd', 'e', 'f']);

const make = (id: string, journaled: JournaledReview) => ({ id, journaled });

/** A file that an editor holds. */
function editor(lines: readonly string[]): EditorText {
  let now = lines;
  return {
    lines: () => now,
    edit: async edits => void (now = applyEdits(now, edits)),
  };
}

async function add(store: ReviewStore, id: string, createdAt = 1): Promise<JournaledReview> {
  const review = store.add(id, proposal(), meta(createdAt));
  await review.settled();
  return review;
}

describe('the store of reviews', () => {
  let disk: MemoryDisk;
  let failures: unknown[];
  let recoveries: number;
  let windows: ReviewStore[];
  /** @param ops the disk as the window before sees it, where both are open at once. */
  const open = (ops = disk.mount()): ReviewStore => {
    const store = new ReviewStore(
      new JournalFolder(ops, '/reviews'),
      { writer: `window ${windows.length}`, clock: () => disk.time },
      { didFail: error => failures.push(error), didRecover: () => recoveries++ },
    );
    windows.push(store);
    return store;
  };
  const names = () => [...disk.files.keys()].sort();

  beforeEach(() => {
    disk = new MemoryDisk();
    failures = [];
    recoveries = 0;
    windows = [];
  });
  afterEach(() => {
    for (const store of windows) store.dispose();
  });

  it('gives back what a chat model wrote, with its model, time and cost', async () => {
    const review = await add(open(), 'one');
    const { stored, lost } = await open().load();
    assert.deepEqual(stored[0]?.review.meta, meta());
    assert.deepEqual(stored[0].review.model.toJSON(), review.model.toJSON());
    assert.deepEqual(lost, []);
  });

  it('keeps a set of 200 files, the newest first', async () => {
    const store = open();
    for (let n = 0; n < 200; n++) await add(store, `r${n}`, n);
    const { stored } = await open().load();
    assert.deepEqual(
      stored.map(({ id }) => id),
      Array.from({ length: 200 }, (_, n) => `r${199 - n}`),
    );
  });

  it('forgets a review 30 days after the last thing that happened to it, and says so', async () => {
    const store = open();
    await add(store, 'old');
    const touched = await add(store, 'touched');
    disk.time = maxAgeMs;
    await touched.reject([1]);
    disk.time = maxAgeMs + 1;
    const { stored, lost } = await open().load();
    assert.deepEqual(
      stored.map(({ id }) => id),
      ['touched'],
    );
    assert.deepEqual(lost, [{ id: 'old', why: 'expired' }]);
    assert.deepEqual(names(), ['/reviews/touched.journal']);
  });

  it('writes at once what is not yet written when the window closes', async () => {
    const store = open();
    const review = store.add('one', proposal(), meta());
    void review.reject([1]);
    store.dispose();
    const [stored] = (await open().load()).stored;
    assert.deepEqual(stored?.review.model.toJSON(), review.model.toJSON());
  });

  it('writes what was typed when the window closes', async () => {
    const store = open();
    const review = await add(store, 'one');
    review.fileChanged(['mine', 'a', 'c', 'd', 'e'], false);
    store.dispose();
    const [stored] = (await open().load()).stored;
    assert.deepEqual(stored?.review.model.current, ['mine', 'a', 'c', 'd', 'e']);
  });

  it('keeps a journal that it cannot read, and says that it is damaged', async () => {
    await add(open(), 'good');
    disk.files.set('/reviews/bad.journal', 'no journal\n');
    const { stored, lost } = await open().load();
    assert.deepEqual(
      stored.map(({ id }) => id),
      ['good'],
    );
    assert.deepEqual(lost, [{ id: 'bad', why: 'damaged' }]);
    assert.ok(disk.files.has('/reviews/history/bad.journal'));
    assert.deepEqual((await open().load()).lost, []);
  });

  it('tells a folder that cannot be read from one that is not there', async () => {
    assert.deepEqual((await open().load()).stored, []);
    const ops = { ...disk.mount(), list: async () => Promise.reject(new Error('EIO')) };
    const store = new ReviewStore(
      new JournalFolder(ops, '/reviews'),
      { writer: 'window', clock: () => 0 },
      { didFail: () => {} },
    );
    await assert.rejects(store.load(), /EIO/);
  });

  it('brings reviews back from a disk that is read-only, and says so', async () => {
    const store = open();
    await add(store, 'old');
    disk.time = maxAgeMs + 1;
    await add(store, 'young');
    const ops = { ...disk.mount(), remove: async () => Promise.reject(new Error('EROFS')) };
    const { stored } = await open(ops).load();
    assert.deepEqual(
      stored.map(({ id }) => id),
      ['young'],
    );
    assert.equal(failures.length, 1);
  });

  it('names a journal that cannot be read at the moment, and leaves it alone', async () => {
    await add(open(), 'one');
    const ops = { ...disk.mount(), read: async () => Promise.reject(new Error('EIO')) };
    const store = new ReviewStore(
      new JournalFolder(ops, '/reviews'),
      { writer: 'window', clock: () => 0 },
      { didFail: () => {} },
    );
    assert.deepEqual(
      (await store.load()).lost.map(({ id, why }) => [id, why]),
      [['one', 'unreadable']],
    );
    assert.deepEqual(names(), ['/reviews/one.journal']);
  });

  it('says once that the disk is full, never cuts what is stored, and writes all when there is room', async () => {
    const store = open();
    const one = await add(store, 'one');
    const two = await add(store, 'two');
    const before = disk.files.get('/reviews/one.journal') ?? '';
    disk.capacity = 0;
    await one.reject([1]);
    await two.reject([1]);
    assert.equal(failures.length, 1);
    assert.ok(disk.files.get('/reviews/one.journal')?.startsWith(before));
    assert.equal(await store.retry(), false);
    assert.equal(failures.length, 1);
    disk.capacity = Number.POSITIVE_INFINITY;
    assert.equal(await store.retry(), true);
    assert.equal(recoveries, 1);
    for (const { review } of (await open().load()).stored)
      assert.deepEqual([...review.model.rejected], [1]);
    assert.deepEqual(names(), ['/reviews/one.journal', '/reviews/two.journal']);
  });

  it('moves a review into the history once its file is saved with what was accepted', async () => {
    const store = open();
    const review = await add(store, 'one');
    await review.accept(review.model.hunks, editor(review.model.current));
    assert.equal(await store.release('one'), true);
    assert.deepEqual(names(), ['/reviews/one.journal']);
    await store.releasedWasSaved('one');
    assert.deepEqual(names(), ['/reviews/history/one.journal']);
    const { stored } = await open().load();
    assert.deepEqual(stored, []);
    assert.equal((await open().revive('one'))?.review.model.lastDecision, 'accept');
  });

  it('finds the last review to end in a session before this one, but none that was replaced', async () => {
    const store = open();
    const ended = new EndedReviews(store, make);
    const rejected = await add(store, 'rejected');
    await rejected.reject([1, 2]);
    ended.add(make('rejected', rejected));
    disk.time = 5;
    const replaced = await add(store, 'replaced');
    await replaced.replace();
    ended.add(make('replaced', replaced));
    const found = await ended.last(meta().uri);
    assert.equal(found?.id, 'rejected');
    ended.add(found);
    // The disk in memory has done all it was asked to once promises have run.
    await new Promise(setImmediate);
    const next = open();
    assert.deepEqual((await next.load()).stored, []);
    const last = await new EndedReviews(next, make).last(undefined);
    assert.equal(last?.id, 'rejected');
    assert.ok(await last.journaled.undo(async () => assert.fail('no edit is needed')));
    assert.equal(last.journaled.model.hunks.length, 2);
  });

  it('has nothing open after Accept All, Undo and Redo in the file', async () => {
    const store = open();
    const review = await add(store, 'one');
    const before = review.model.current;
    await review.accept(review.model.hunks, editor(before));
    const after = review.model.current;
    assert.ok(review.fileChanged(before, true));
    assert.equal(review.model.hunks.length, 2);
    assert.ok(review.fileChanged(after, true));
    await review.fileSaved();
    await store.release('one');
    assert.deepEqual((await open().load()).stored, []);
  });

  it('offers again what was accepted, but is not in the file after the window died', async () => {
    const review = await add(open(), 'one');
    const { current, hunks } = review.model;
    await review.accept(hunks, editor(current));
    const [stored] = (await open().load()).stored;
    await stored?.review.resume(current, false);
    assert.deepEqual(stored?.review.model.hunks, hunks);
  });

  it('lets two windows write one journal without losing a change', async () => {
    await add(open(), 'one');
    const ops = disk.mount();
    const [left, right] = [open(ops), open(ops)];
    const [inLeft] = (await left.load()).stored;
    const [inRight] = (await right.load()).stored;
    inLeft?.review.fileChanged(['left', 'a', 'c', 'd', 'e'], false);
    await inLeft?.review.flush();
    await inRight?.review.reject([1]);
    const [stored] = (await open().load()).stored;
    assert.ok(stored?.review.model.hunks.some(({ inserted }) => inserted.includes('f')));
  });

  it('writes a journal anew when it was deleted, or has grown', async () => {
    const store = open();
    const review = await add(store, 'one');
    disk.files.delete('/reviews/one.journal');
    await review.reject([1]);
    assert.deepEqual([...((await open().load()).stored[0]?.review.model.rejected ?? [])], [1]);
  });

  it('stays small when a review is typed in for long', async () => {
    const store = open();
    const review = await add(store, 'one');
    for (let n = 0; n < 1000; n++) {
      review.fileChanged([`typed ${n}`, 'a', 'c', 'd', 'e'], false);
      await review.flush();
      await review.settled();
    }
    const size = disk.files.get('/reviews/one.journal')?.length ?? 0;
    assert.ok(size < 300_000, `${size} characters`);
    const [stored] = (await open().load()).stored;
    assert.equal(stored?.review.model.current[0], 'typed 999');
  });

  it('works on a real disk, without drafts left over', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'splice-store-'));
    try {
      const store = new ReviewStore(
        new JournalFolder(nodeFileOps, path.join(folder, 'reviews')),
        { writer: 'window', clock: () => 1 },
        { didFail: error => failures.push(error) },
      );
      const review = await add(store, 'one');
      await review.reject([1]);
      const rejected = review.reject([2]);
      store.dispose();
      // What was under way when the store was closed still comes to the disk.
      await rejected;
      assert.deepEqual(failures, []);
      const file = path.join(folder, 'reviews', 'one.journal');
      assert.ok(readFileSync(file, 'utf8').length > 0);
      writeFileSync(file, readFileSync(file).subarray(0, -5));
      const again = new ReviewStore(
        new JournalFolder(nodeFileOps, path.join(folder, 'reviews')),
        { writer: 'next window', clock: () => 1 },
        { didFail: error => failures.push(error) },
      );
      const [stored] = (await again.load()).stored;
      assert.equal(stored?.lost, 0);
      assert.ok(stored.review.model.rejected.has(1));
      assert.deepEqual(
        readdirSync(path.join(folder, 'reviews')).filter(name => !name.endsWith('.journal')),
        [],
      );
      again.dispose();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
