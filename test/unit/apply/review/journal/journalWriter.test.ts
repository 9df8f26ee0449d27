import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import { JournalWriter } from '../../../../../src/apply/review/journal/journalWriter';
import { decodeJournal, type JournalRecord } from '../../../../../src/apply/review/journal/records';
import { MemoryDisk } from './memoryDisk';

const file = '/r/one.journal';
const saved = { kind: 'saved' } as const;
/** A record of at least so many characters. */
const typed = (size: number) => ({ kind: 'edited', steps: 'x'.repeat(size), hash: '' }) as const;

describe('JournalWriter', () => {
  let disk: MemoryDisk;
  let failures: unknown[];
  let written: number;
  /** Characters in the next checkpoints. */
  let stateSize: number;
  let open: JournalWriter[];
  const writer = ({ isStored = false, ops = disk.mount(), name = 'w' } = {}) => {
    const made = new JournalWriter<JournalRecord>(
      'one',
      {
        folder: new JournalFolder(ops, '/r'),
        writer: name,
        clock: () => disk.time,
        didFail: (_, error) => failures.push(error),
        didWrite: () => written++,
      },
      () => ({ kind: 'checkpoint', meta: {}, state: 'x'.repeat(stateSize) }),
      { isStored },
    );
    open.push(made);
    return made;
  };
  const kinds = () =>
    decodeJournal(disk.files.get(file) ?? '').entries.map(({ record }) => record.kind);

  beforeEach(() => {
    disk = new MemoryDisk();
    failures = [];
    written = 0;
    stateSize = 1000;
    open = [];
  });
  afterEach(() => {
    for (const each of open) each.close();
  });

  it('begins a new journal with a checkpoint that contains the first record', async () => {
    const one = writer();
    assert.equal(one.isWritten, false);
    await one.append(saved);
    assert.deepEqual(kinds(), ['checkpoint']);
    assert.equal(one.isWritten, true);
    await one.append(saved);
    assert.deepEqual(kinds(), ['checkpoint', 'saved']);
    assert.equal(written, 2);
  });

  it('continues a stored journal on a new line, whatever the last writer left', async () => {
    await writer().append(saved);
    disk.files.set(file, `${disk.files.get(file)}cut off`);
    const next = writer({ isStored: true, name: 'next' });
    assert.equal(next.isWritten, true);
    await next.append(saved);
    await next.append(saved);
    assert.deepEqual(kinds(), ['checkpoint', 'saved', 'saved']);
    const { damagedLines } = decodeJournal(disk.files.get(file) ?? '');
    assert.equal(damagedLines, 1);
    assert.ok(!disk.files.get(file)?.includes('\n\n'));
  });

  it('starts over when it has grown by 256 K characters and by twice its first size', async () => {
    for (const { first, record, until } of [
      { first: 1000, record: 50_000, until: 5 },
      { first: 200_000, record: 101_000, until: 3 },
    ]) {
      stateSize = first;
      const one = writer();
      await one.rewrite();
      stateSize = 10;
      for (let n = 1; n <= until; n++) {
        await one.append(typed(record));
        assert.equal(kinds().length, n + 1, `${first} characters, record ${n}`);
      }
      await one.append(typed(record));
      await one.settled();
      assert.deepEqual(kinds(), ['checkpoint'], `${first} characters`);
      for (let n = 1; n <= 5; n++) await one.append(typed(50_000));
      assert.equal(kinds().length, 6, 'counts from the last checkpoint');
    }
  });

  it('starts over after more than 200 records, and counts again from there', async () => {
    const one = writer();
    await one.rewrite();
    for (let round = 0; round < 2; round++) {
      for (let n = 1; n <= 200; n++) await one.append(saved);
      assert.equal(kinds().length, 201);
      await one.append(saved);
      await one.settled();
      assert.deepEqual(kinds(), ['checkpoint']);
    }
  });

  it('writes records that come during a write after it, in their order', async () => {
    const one = writer();
    const all = Promise.all([one.rewrite(), one.append(saved), one.append(typed(1))]);
    assert.equal(one.isWritten, false);
    await all;
    assert.deepEqual(kinds(), ['checkpoint', 'saved', 'edited']);
    const { entries } = decodeJournal(disk.files.get(file) ?? '');
    assert.deepEqual(
      entries.map(({ number }) => number),
      [0, 1, 2],
    );
  });

  it('writes the whole state anew when a record cannot be appended', async () => {
    const one = writer();
    await one.append(saved);
    disk.files.delete(file);
    await one.append(saved);
    assert.deepEqual(kinds(), ['checkpoint']);
    assert.deepEqual(failures, []);
    await one.append(saved);
    assert.deepEqual(kinds(), ['checkpoint', 'saved']);
  });

  it('says that it failed, keeps nothing half written, and has all after a retry', async () => {
    const one = writer();
    await one.append(saved);
    disk.capacity = 0;
    await one.append(saved);
    assert.equal(failures.length, 1);
    assert.equal(one.isWritten, false);
    assert.deepEqual([...disk.files.keys()], [file]);
    disk.capacity = Number.POSITIVE_INFINITY;
    written = 0;
    await one.retry();
    assert.equal(written, 1);
    assert.equal(one.isWritten, true);
    assert.deepEqual(kinds(), ['checkpoint']);
  });

  describe('when it is closed', () => {
    it('writes at once what is left, and nothing after that', async () => {
      const one = writer();
      await one.append(saved);
      void one.append(typed(1));
      one.close();
      assert.deepEqual(kinds(), ['checkpoint', 'edited']);
      await one.append(saved);
      await one.rewrite();
      one.close();
      assert.equal(one.isWritten, true);
      await new Promise(setImmediate);
      // The write under way repeats its record, with the same number.
      assert.deepEqual(kinds(), ['checkpoint', 'edited', 'edited']);
    });

    it('writes nothing when all is written', async () => {
      const one = writer();
      await one.append(saved);
      const before = disk.files.get(file);
      one.close();
      assert.equal(disk.files.get(file), before);
    });

    it('writes the whole state when a checkpoint is under way, and drops that one', async () => {
      const one = writer();
      void one.append(saved);
      one.close();
      assert.deepEqual(kinds(), ['checkpoint']);
      const now = disk.files.get(file);
      await one.settled();
      assert.equal(disk.files.get(file), now);
      assert.equal(written, 0);
    });

    it('says when that fails', async () => {
      const one = writer();
      void one.append(saved);
      disk.capacity = 0;
      one.close();
      assert.equal(failures.length, 1);
      await one.settled();
      assert.equal(failures.length, 1, 'but not what comes later');
      assert.equal(one.isWritten, false);
    });
  });

  describe('with a disk that does not answer', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    it('lets a decision wait 2 seconds and no longer', async () => {
      const ops = { ...disk.mount(), write: async () => new Promise<never>(() => {}) };
      const one = writer({ ops });
      let isDone = false;
      const done = one.append(saved).then(() => (isDone = true));
      for (const [ms, expected] of [
        [1999, false],
        [1, true],
      ] as const) {
        mock.timers.tick(ms);
        await new Promise(setImmediate);
        assert.equal(isDone, expected);
      }
      await done;
      assert.equal(one.isWritten, false);
    });
  });
});
