import assert from 'node:assert/strict';
import { RefusedPartsStore } from '../../../../src/apply/changeset/refusedParts';
import { MemoryDisk } from '../review/journal/memoryDisk';

const day = 24 * 3600 * 1000;
const refusal = (name: string) => ({ part: `code of ${name}`, reason: 'No place.', path: name });
const [first, second] = [refusal('a.ts'), refusal('b.ts')];

describe('RefusedPartsStore', () => {
  let disk: MemoryDisk;
  let errors: unknown[];
  const open = () => new RefusedPartsStore(disk.mount(), '/reviews', error => errors.push(error));
  beforeEach(() => {
    disk = new MemoryDisk();
    errors = [];
  });

  it('keeps the parts of answers until they are placed or dismissed, through a restart', async () => {
    const store = open();
    await store.load(0);
    assert.deepEqual(store.all, []);
    store.add({ setId: 's0', createdAt: 1, parts: [] });
    store.add({ setId: 's1', createdAt: 1, parts: [first, second] });
    const again = open();
    await again.load(2);
    assert.deepEqual(again.all, [{ setId: 's1', createdAt: 1, parts: [first, second] }]);
    const stored = again.part('s1', 1);
    assert.deepEqual(stored, second);
    assert.equal(again.part('s1', 2), undefined);
    assert.equal(again.part('s2', 0), undefined);
    if (stored) again.remove('s1', stored);
    assert.deepEqual(again.all, [{ setId: 's1', createdAt: 1, parts: [first] }]);
    const left = again.part('s1', 0);
    if (left) again.remove('s1', left);
    assert.deepEqual(again.all, []);
    assert.deepEqual(errors, []);
  });

  it('tells when the list has changed, and forgets what is older than 30 days', async () => {
    const store = open();
    let changes = 0;
    store.onDidChange = () => changes++;
    store.add({ setId: 'old', createdAt: 0, parts: [first] });
    store.add({ setId: 'new', createdAt: day, parts: [second] });
    assert.equal(changes, 2);
    const again = open();
    await again.load(30 * day);
    assert.deepEqual(
      again.all.map(({ setId }) => setId),
      ['new'],
    );
  });

  it('stores the newest answers where all are too long, and reads no damaged ones', async () => {
    const store = open();
    const long = { part: 'x'.repeat(1_500_000), reason: 'No place.' };
    store.add({ setId: 'first', createdAt: 1, parts: [long] });
    store.add({ setId: 'second', createdAt: 1, parts: [long] });
    assert.equal(store.all.length, 2);
    const again = open();
    await again.load(2);
    assert.deepEqual(
      again.all.map(({ setId }) => setId),
      ['second'],
    );
    for (const damaged of [
      '{',
      '{}',
      '[1, {"setId": "a"}, {"setId": 1, "createdAt": 1, "parts": []}]',
    ]) {
      disk.files.set('/reviews/refused.json', damaged);
      const read = open();
      await read.load(2);
      assert.deepEqual(read.all, [], damaged);
    }
  });

  it('keeps the parts in memory, and reports it, when they cannot be stored', () => {
    const store = open();
    disk.capacity = 0;
    store.add({ setId: 's1', createdAt: 1, parts: [first] });
    assert.deepEqual(store.part('s1', 0), first);
    assert.equal(errors.length, 1);
  });
});
