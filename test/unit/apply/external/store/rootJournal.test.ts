import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { absent, contentOf } from '../../../../../src/apply/external/core/content';
import type { RootRecord } from '../../../../../src/apply/external/core/rootRecords';
import {
  emptyState,
  type RootState,
  reduceState,
} from '../../../../../src/apply/external/core/rootState';
import { RootJournal } from '../../../../../src/apply/external/store/rootJournal';
import { replayRoot } from '../../../../../src/apply/external/store/rootReplay';
import { MemoryDisk } from '../../review/journal/memoryDisk';

const file = '/x/root.journal';
const now = contentOf(new TextEncoder().encode('a'), 'sha1');
const seen = (path: string): RootRecord => ({
  kind: 'files',
  files: [[path, { baseline: absent, now, labels: [] }]],
});

describe('RootJournal', () => {
  let disk: MemoryDisk;
  let errors: unknown[];
  let state: RootState;
  let lock: { isOwner: boolean; confirm: () => Promise<boolean> };
  let journal: RootJournal;

  const open = async (ops = disk.mount()) => {
    journal = new RootJournal({
      folder: '/x',
      ops,
      lock,
      writer: `w${Math.trunc(disk.time++)}`,
      clock: () => disk.time,
      onError: error => errors.push(error),
    });
    const loaded = await journal.load();
    state = loaded.state;
    return loaded;
  };
  const commit = async (path: string) => {
    const after = reduceState(state, seen(path));
    await journal.commit(seen(path), after);
    state = after;
  };
  const stored = () => [...replayRoot(disk.files.get(file) ?? '').state.files.keys()];

  beforeEach(async () => {
    disk = new MemoryDisk();
    errors = [];
    lock = { isOwner: true, confirm: async () => lock.isOwner };
    await open();
  });
  afterEach(() => journal.close());

  it('stores each decision before it says so', async () => {
    assert.equal(disk.files.size, 0);
    await commit('p');
    assert.deepEqual(stored(), ['p']);
    await commit('q');
    assert.deepEqual(stored(), ['p', 'q']);
    assert.deepEqual([...disk.files.keys()], [file]);
  });

  it('goes on with what the last session stored', async () => {
    await commit('p');
    journal.close();
    const { state: loaded, lost } = await open();
    assert.deepEqual([[...loaded.files.keys()], lost], [['p'], 0]);
    await commit('q');
    assert.deepEqual(stored(), ['p', 'q']);
  });

  it('refuses a decision that it cannot store, and never stores it', async () => {
    await commit('p');
    disk.capacity = 0;
    await assert.rejects(commit('refused'), /ENOSPC/);
    assert.deepEqual(stored(), ['p']);
    disk.capacity = Number.POSITIVE_INFINITY;
    await commit('q');
    assert.deepEqual(stored(), ['p', 'q']);
    assert.equal(errors.length, 1);
  });

  it('writes what happened later, when it can', async () => {
    await commit('p');
    disk.capacity = 0;
    const after = reduceState(state, seen('happened'));
    await journal.note(seen('happened'), after);
    state = after;
    assert.deepEqual(stored(), ['p']);
    disk.capacity = Number.POSITIVE_INFINITY;
    await commit('q');
    assert.deepEqual(stored(), ['p', 'happened', 'q']);
  });

  it('tries again by itself, and reports the next failure only after a success', async () => {
    await commit('p');
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      disk.capacity = 0;
      await journal.note(seen('q'), reduceState(state, seen('q')));
      mock.timers.tick(5000);
      await new Promise(resolve => setImmediate(resolve));
      assert.equal(errors.length, 1);
      disk.capacity = Number.POSITIVE_INFINITY;
      mock.timers.tick(10_000);
      await new Promise(resolve => setImmediate(resolve));
      assert.deepEqual(stored(), ['p', 'q']);
      disk.capacity = 0;
      await journal.note(seen('r'), reduceState(state, seen('r')));
      assert.equal(errors.length, 2);
    } finally {
      mock.timers.reset();
    }
  });

  it('refuses a decision when the disk does not answer, and takes it out of the journal again', async () => {
    await commit('p');
    journal.close();
    const ops = disk.mount();
    let release: (() => void) | undefined;
    const slow = new Promise<void>(resolve => {
      release = resolve;
    });
    await open({
      ...ops,
      append: async (...given) => {
        await slow;
        await ops.append(...given);
      },
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const refused = assert.rejects(commit('refused'), { name: 'JournalTimeoutError' });
      await new Promise(resolve => setImmediate(resolve));
      mock.timers.tick(2000);
      await refused;
      release?.();
      for (let n = 0; n < 20; n++) await new Promise(resolve => setImmediate(resolve));
      assert.deepEqual(stored(), ['p']);
    } finally {
      mock.timers.reset();
    }
  });

  it('writes nothing without the lock, and refuses decisions', async () => {
    await commit('p');
    lock.isOwner = false;
    assert.equal(journal.isReadOnly, true);
    await assert.rejects(commit('q'), { name: 'JournalLockedError' });
    await journal.note(seen('q'), reduceState(state, seen('q')));
    journal.close();
    assert.deepEqual(stored(), ['p']);
    await open();
    assert.deepEqual([...state.files.keys()], ['p']);
    assert.equal(journal.isReadOnly, true);
  });

  it('asks for the lock again before each decision: this computer may have slept', async () => {
    await commit('p');
    lock.confirm = async () => false;
    await assert.rejects(commit('q'), { name: 'JournalLockedError' });
    assert.deepEqual(stored(), ['p']);
  });

  it('sees that another window has written', async () => {
    await commit('p');
    const other = new RootJournal({
      folder: '/x',
      ops: disk.mount(),
      lock: { isOwner: false, confirm: async () => false },
      writer: 'other',
      clock: () => 0,
      onError: error => errors.push(error),
    });
    await other.load();
    assert.equal(await other.isNewer(), false);
    disk.time++;
    assert.equal(await other.isNewer(), true);
  });

  it('keeps a journal that it cannot read, and starts another one', async () => {
    disk.files.set(file, 'damaged\n');
    disk.folders.add('/x');
    const { lost } = await open();
    assert.equal(lost, 1);
    await commit('p');
    assert.deepEqual(stored(), ['p']);
    assert.equal(disk.files.get('/x/history/root.journal'), 'damaged\n');
    disk.files.delete(file);
    assert.deepEqual((await open()).state.files.size, 0);
  });

  it('rejects when the journal is there but cannot be opened', async () => {
    await commit('p');
    const ops = disk.mount();
    const failure = Object.assign(new Error('EACCES'), { code: 'EACCES' });
    await assert.rejects(open({ ...ops, read: async () => Promise.reject(failure) }), failure);
  });

  it('writes the rest when the window closes', async () => {
    await commit('p');
    const after = reduceState(state, seen('q'));
    void journal.note(seen('q'), after);
    await Promise.resolve();
    journal.close();
    assert.deepEqual(stored(), ['p', 'q']);
    assert.equal(after.files.size, 2);
    assert.notEqual(emptyState, after);
  });
});
