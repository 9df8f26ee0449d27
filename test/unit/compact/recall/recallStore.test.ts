import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  addRecord,
  parseRecords,
  withoutWithheld,
} from '../../../../src/compact/recall/recallRecords';
import { RecallStore } from '../../../../src/compact/recall/recallStore';
import type { GapMarker } from '../../../../src/compact/session/gaps';
import { replaceText } from '../../../../src/compact/writeBack';

const marker = (id: string | undefined, first: number): GapMarker => ({
  line: first,
  isAfter: true,
  part: 0,
  text: '[left out]',
  id,
  check: `c${first}`,
  first,
  end: first + 3,
});

describe('the store of recalls', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'splice-recall-'));
  });
  afterEach(async () => rm(folder, { recursive: true }));

  it('finds the file and the lines of an id after a restart, the newest first', async () => {
    const store = new RecallStore(path.join(folder, 'new'));
    assert.equal(await store.find('aaaaa'), undefined);
    await Promise.all([
      store.remember('/chats/a.jsonl', [marker('aaaaa', 1), marker(undefined, 5)]),
      store.remember('/chats/b.jsonl', [marker('bbbbb', 7)]),
      store.remember('/chats/c.jsonl', [marker('bbbbb', 9)]),
      store.remember('/chats/d.jsonl', [marker(undefined, 9)]),
    ]);
    const later = new RecallStore(path.join(folder, 'new'));
    assert.deepEqual(await later.find('aaaaa'), {
      file: '/chats/a.jsonl',
      range: [1, 4, 'c1'],
      withheld: [],
    });
    assert.deepEqual(await later.find('bbbbb'), {
      file: '/chats/c.jsonl',
      range: [9, 12, 'c9'],
      withheld: [],
    });
    assert.equal(await later.find('constructor'), undefined);
    const file = path.join(folder, 'new', 'recalls.json');
    assert.ok(!(await readFile(file, 'utf8')).includes('/chats/d.jsonl'));
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('gives back nothing that the user left out', async () => {
    const store = new RecallStore(folder);
    await store.remember('/chats/a.jsonl', [marker('aaaaa', 1)], [0, 2, 3, 9]);
    const found = await new RecallStore(folder).find('aaaaa');
    assert.ok(found);
    const note = '[left out by the user]';
    assert.deepEqual(withoutWithheld(['1', '2', '3', ''], found), [note, '2', note, '']);
  });

  describe('that another window writes to', () => {
    it('keeps the records of both', async () => {
      const other = new RecallStore(folder);
      let writes = 0;
      const store = new RecallStore(folder, async (...change) => {
        // The other window writes between the reading and the writing of this one.
        if (writes++ < 3) await other.remember(`/chats/${writes}.jsonl`, [marker('bbbbb', writes)]);
        return replaceText(...change);
      });
      await store.remember('/chats/a.jsonl', [marker('aaaaa', 1)]);
      const later = new RecallStore(folder);
      assert.equal((await later.find('aaaaa'))?.file, '/chats/a.jsonl');
      assert.equal((await later.find('bbbbb'))?.file, '/chats/3.jsonl');
      assert.deepEqual(await readdir(folder), ['recalls.json']);
    });

    it('says when it cannot be written, and leaves what is there', async () => {
      await new RecallStore(folder).remember('/chats/b.jsonl', [marker('bbbbb', 1)]);
      const store = new RecallStore(folder, async () => false);
      await assert.rejects(store.remember('/chats/a.jsonl', [marker('aaaaa', 1)]), /recalls\.json/);
      assert.ok(await store.find('bbbbb'));
    });

    it('is written with a name of its own for what is not yet complete', async () => {
      // As it is where the other window has not yet renamed it.
      await mkdir(path.join(folder, 'recalls.json.tmp'));
      const store = new RecallStore(folder);
      await store.remember('/chats/a.jsonl', [marker('aaaaa', 1)]);
      assert.ok(await store.find('aaaaa'));
    });
  });

  for (const damaged of [
    Buffer.from('[{"file":1},{"file":"a","ranges":{"x":[1]}}, 5'),
    Buffer.from([0x5b, 0xff]),
  ]) {
    it(`takes a damaged file for an empty one: ${damaged.toString('latin1')}`, async () => {
      const store = new RecallStore(folder);
      await writeFile(path.join(folder, 'recalls.json'), damaged);
      assert.equal(await store.find('x'), undefined);
      await store.remember('/chats/a.jsonl', [marker('aaaaa', 1)]);
      assert.ok(await store.find('aaaaa'));
    });
  }
});

const record = (n: number) => ({ file: `f${n}`, ranges: {} });

describe('records of recalls', () => {
  it('are limited in number, and an equal one only moves to the front', () => {
    let records = addRecord([], record(-1));
    for (let n = 0; n < 120; n++) records = addRecord(records, record(n));
    assert.equal(records.length, 100);
    const again = addRecord(records, record(50));
    assert.deepEqual([again.length, again[0]?.file, again[1]?.file], [100, 'f50', 'f119']);
  });

  it('are read one by one', () => {
    const text = '[{"file":"a","ranges":{"x":[1,2,"c"],"y":[1,"2","c"]}},{"file":2},null]';
    assert.deepEqual(parseRecords(text), [{ file: 'a', ranges: { x: [1, 2, 'c'] } }]);
    const own = [{ file: 'a', ranges: {}, withheld: [1, 2] }];
    assert.deepEqual(parseRecords(JSON.stringify(own)), own);
    assert.deepEqual(parseRecords('[{"file":"a","ranges":{},"withheld":["x"]}]'), [
      { file: 'a', ranges: {} },
    ]);
    assert.deepEqual(parseRecords('{}'), []);
  });
});
