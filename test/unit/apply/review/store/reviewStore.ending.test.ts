import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import type { JournaledReview } from '../../../../../src/apply/review/model/journaledReview';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { ReviewStore } from '../../../../../src/apply/review/store/reviewStore';
import { MemoryDisk } from '../journal/memoryDisk';

const proposal = () => new ReviewModel(['a', 'c', 'd', 'e'], ['a', 'b', 'c', 'd', 'e', 'f']);

async function add(store: ReviewStore, id: string): Promise<JournaledReview> {
  const review = store.add(id, proposal(), {
    uri: 'file:///src/cart.ts',
    languageId: 'typescript',
    createdAt: 1,
    origin: { engine: 'local', ms: 3, findings: [] },
  });
  await review.settled();
  return review;
}

/** The disk in memory has done all it was asked to once promises have run. */
const settle = async () => new Promise(setImmediate);

const tick = async (ms: number) => {
  mock.timers.tick(ms);
  await settle();
};

/** Accepts all changes in a file that an editor holds. */
async function acceptAll(review: JournaledReview): Promise<void> {
  let now = review.model.current;
  await review.accept(review.model.hunks, {
    lines: () => now,
    edit: async edits => void (now = applyEdits(now, edits)),
  });
}

describe('the store of reviews that end', () => {
  let disk: MemoryDisk;
  let failures: unknown[];
  let recoveries: number;
  let windows: ReviewStore[];
  /** A new window; one that was open before no longer reaches the disk. */
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

  it('keeps a review in memory that is not decided, or whose journal is not written', async () => {
    const store = open();
    const review = await add(store, 'one');
    assert.equal(await store.release('one'), false);
    disk.capacity = 0;
    await review.reject([1, 2]);
    assert.equal(await store.release('one'), false);
    disk.capacity = Number.POSITIVE_INFINITY;
    await store.retry();
    assert.equal(await store.release('one'), true);
    assert.deepEqual(names(), ['/reviews/history/one.journal']);
    assert.equal(await store.release('one'), true, 'nothing is left to release');
    await review.reject([1]);
    assert.deepEqual(names(), ['/reviews/history/one.journal'], 'a released review is closed');
  });

  it('writes what was typed before it releases a review', async () => {
    const store = open();
    const review = await add(store, 'one');
    await review.reject([1, 2]);
    review.fileChanged(['mine', 'a', 'c', 'd', 'e'], false);
    assert.equal(await store.release('one'), true);
    const [first] = (await open().revive('one'))?.review.model.current ?? [];
    assert.equal(first, 'mine');
  });

  it('knows after a restart that a released review was saved', async () => {
    const store = open();
    const review = await add(store, 'one');
    await acceptAll(review);
    await store.release('one');
    await store.releasedWasSaved('one');
    const revived = await open().revive('one');
    assert.equal(revived?.review.model.isAheadOfFile, false);
    assert.deepEqual(revived.review.model.saved.text, review.model.current);
    assert.equal(revived.lost, 0);
    assert.deepEqual(failures, []);
    await open().releasedWasSaved('unknown');
    assert.equal(failures.length, 1);
  });

  it('has no ended review to bring back that is gone or damaged', async () => {
    disk.folders.add('/reviews/history');
    disk.files.set('/reviews/history/bad.journal', 'no journal\n');
    const store = open();
    assert.equal(await store.revive('none'), undefined);
    assert.equal(await store.revive('bad'), undefined);
    assert.deepEqual(names(), ['/reviews/history/bad.journal']);
  });

  it('forgets ended reviews that are older than 30 days or exceed 50 MB, when one ends', async () => {
    disk.folders.add('/reviews').add('/reviews/history');
    const day = 24 * 3600 * 1000;
    for (const { time, count, size, left } of [
      { time: 30 * day, count: 3, size: 1, left: 3 },
      { time: 30 * day + 1, count: 3, size: 1, left: 0 },
      { time: 0, count: 800, size: 1, left: 800 },
      { time: 0, count: 4, size: 12e6, left: 3 },
    ]) {
      disk.files.clear();
      for (let n = 0; n < count; n++) disk.files.set(`/reviews/history/r${n}.journal`, 'x');
      const stat = async (file: string) => ({ size, time: file.includes('ended') ? time : 0 });
      disk.time = time;
      const store = open({ ...disk.mount(), stat });
      await store.load();
      assert.equal(disk.files.size, count, 'the start of a window deletes nothing');
      const review = await add(store, 'ended');
      await review.reject([1, 2]);
      await store.release('ended');
      assert.equal(disk.files.size - 1, left, JSON.stringify({ time, count, size }));
    }
  });

  it('prunes once an hour, and never what ended in this window', async () => {
    disk.folders.add('/reviews').add('/reviews/history');
    const store = new ReviewStore(
      new JournalFolder(disk.mount(), '/reviews'),
      { writer: 'w', clock: () => disk.time },
      { didFail: error => failures.push(error) },
      {
        limits: () => ({ ageMs: 0, bytes: 1e6 }),
        apiKeys: async () => [],
        onError: error => failures.push(error),
      },
    );
    windows.push(store);
    const end = async (id: string) => {
      await (await add(store, id)).reject([1, 2]);
      await store.release(id);
    };
    await end('one');
    disk.files.set('/reviews/history/old.journal', 'x');
    await end('two');
    assert.equal(names().length, 3);
    disk.time = 3600 * 1000 + 1;
    await end('three');
    assert.deepEqual(
      names(),
      ['one', 'three', 'two'].map(id => `/reviews/history/${id}.journal`),
    );
    await open().prune();
    assert.equal(names().length, 3, 'they are younger than the default of 30 days');
  });

  it('keeps no ended review whose journal holds the API key, but in memory', async () => {
    const key = 'sk-"key"-0123456789';
    const store = new ReviewStore(
      new JournalFolder(disk.mount(), '/reviews'),
      { writer: 'w', clock: () => disk.time },
      { didFail: error => failures.push(error) },
      {
        limits: () => ({ ageMs: 1e9, bytes: 1e9 }),
        apiKeys: async () => ['sk-of-another-address', key],
        onError: error => failures.push(error),
      },
    );
    windows.push(store);
    const review = store.add('env', new ReviewModel(['a', `KEY=${key}`], ['b', `KEY=${key}`]), {
      uri: 'file:///.env',
      languageId: 'plaintext',
      createdAt: 1,
      origin: { engine: 'local', ms: 3, findings: [] },
    });
    await acceptAll(review);
    assert.equal(await store.release('env'), false);
    assert.deepEqual(names(), ['/reviews/env.journal'], 'until the file is saved');
    await review.fileSaved();
    assert.equal(await store.release('env'), false);
    assert.deepEqual(names(), []);
    let now = review.model.current;
    assert.ok(
      await review.undo(async () => ({
        lines: () => now,
        edit: async edits => void (now = applyEdits(now, edits)),
      })),
    );
    assert.deepEqual(names(), ['/reviews/env.journal'], 'open again, it is stored again');
    const other = await add(store, 'other');
    await other.reject([1, 2]);
    assert.equal(await store.release('other'), true);
    assert.deepEqual(failures, []);
  });

  describe('after a failure', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    it('tries again after 5 seconds, then after twice as long each time, up to a minute', async () => {
      const ops = disk.mount();
      let tries = 0;
      let isBroken = false;
      const write = async (file: string, text: string) => {
        if (isBroken) tries++;
        return isBroken ? Promise.reject(new Error('EIO')) : ops.write(file, text);
      };
      const append = async (file: string, text: string) =>
        isBroken ? Promise.reject(new Error('EIO')) : ops.append(file, text);
      const store = open({ ...ops, write, append });
      const review = await add(store, 'one');
      for (let round = 0; round < 2; round++) {
        isBroken = true;
        await review.reject([]);
        await settle();
        tries = 0;
        for (const [index, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
          await tick(seconds * 1000 - 1);
          assert.equal(tries, index, `${seconds} seconds`);
          await tick(1);
          assert.equal(tries, index + 1, `${seconds} seconds`);
        }
        assert.equal(failures.length, round + 1, 'it is told once');
        isBroken = false;
        await tick(60_000);
        assert.equal(review.isWritten, true);
        assert.equal(recoveries, round + 1);
        await tick(600_000);
      }
      isBroken = true;
      await review.reject([]);
      store.dispose();
      tries = 0;
      await tick(600_000);
      assert.equal(tries, 0, 'not after it is disposed of');
    });
  });
});
