import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentOf } from '../../../../../src/apply/external/core/content';
import { ContentStore } from '../../../../../src/apply/external/store/contentStore';

const day = 24 * 3600 * 1000;
const now = Date.UTC(2026, 0, 1);

/** Text that does not get much smaller. */
const noise = (seed: number, size: number) => {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return String.fromCharCode(33 + ((state >>> 24) % 90));
  };
  return Array.from({ length: size }, next).join('');
};

describe('ContentStore', () => {
  let folder: string;
  let store: ContentStore;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'splice-contents-'));
    store = new ContentStore(path.join(folder, 'contents'), () => now);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = async (text: string, options: { ageDays?: number; isFlushed?: boolean } = {}) => {
    const bytes = new TextEncoder().encode(text);
    const { id } = contentOf(bytes, 'sha1');
    await store.put(id, bytes, options.isFlushed);
    const seconds = (now - (options.ageDays ?? 0) * day) / 1000;
    utimesSync(fileOf(id), seconds, seconds);
    return id;
  };
  const fileOf = (id: string) => path.join(folder, 'contents', id.slice(0, 2), id);
  const textOf = async (id: string) => {
    const bytes = await store.get(id);
    return bytes && new TextDecoder().decode(bytes);
  };
  it('gives back what was stored, also to another window', async () => {
    const id = await put('text\n', { isFlushed: true });
    assert.equal(await textOf(id), 'text\n');
    store = new ContentStore(path.join(folder, 'contents'), () => now);
    assert.equal(await store.has(id), true);
    assert.equal(await textOf(id), 'text\n');
    assert.equal(await store.has('0'.repeat(40)), false);
    assert.equal(await store.get('0'.repeat(40)), undefined);
  });

  it('stores bytes of repositories with sha256', async () => {
    const bytes = Uint8Array.of(0, 255);
    const { id } = contentOf(bytes, 'sha256');
    await store.put(id, bytes);
    assert.deepEqual(Uint8Array.from((await store.get(id)) ?? []), bytes);
  });

  it('compresses, and hides the files from other accounts', async () => {
    const id = await put('a'.repeat(10_000));
    const { size, mode } = statSync(fileOf(id));
    assert.ok(size < 200);
    if (process.platform === 'win32') return;
    assert.equal(mode & 0o777, 0o600);
    assert.equal(statSync(path.dirname(fileOf(id))).mode & 0o777, 0o700);
  });

  it('leaves no drafts, and stores the same bytes once', async () => {
    const id = await put('text\n');
    const before = readFileSync(fileOf(id));
    await Promise.all([put('text\n'), put('text\n', { isFlushed: true })]);
    assert.deepEqual(readdirSync(path.dirname(fileOf(id))), [id]);
    assert.deepEqual(readFileSync(fileOf(id)), before);
  });

  for (const [what, damage] of [
    ['cut', (data: Buffer) => data.subarray(0, 5)],
    ['empty', () => Buffer.alloc(0)],
    ['changed', (data: Buffer) => data.with(12, (data[12] ?? 0) ^ 1)],
  ] as const)
    it(`gives nothing for a file that is ${what}, and stores the bytes again`, async () => {
      const id = await put(noise(1, 300));
      writeFileSync(fileOf(id), damage(readFileSync(fileOf(id))));
      assert.equal(await store.get(id), undefined);
      store = new ContentStore(path.join(folder, 'contents'), () => now);
      assert.equal(await store.get(id), undefined);
      await put(noise(1, 300));
      assert.equal(await textOf(id), noise(1, 300));
    });

  it('takes nothing for an id that could be another file', async () => {
    for (const id of ['../../lock', 'a', '']) {
      await assert.rejects(store.get(id), RangeError);
      await assert.rejects(store.put(id, Uint8Array.of(1)), RangeError);
    }
  });

  it('says whether bytes that shall be flushed are there', async () => {
    const id = await put('text\n');
    assert.equal(await store.flush(id), true);
    store = new ContentStore(path.join(folder, 'contents'), () => now);
    assert.equal(await store.flush(id), true);
    assert.equal(await store.flush('0'.repeat(40)), false);
  });

  it('fails when the disk takes no more', async () => {
    writeFileSync(path.join(folder, 'contents'), 'a file where the folder should be');
    await assert.rejects(put('text\n'), /ENOTDIR|EEXIST/);
  });

  describe('deletes', () => {
    const limits = { maxBytes: 9000, maxAgeMs: 30 * day };

    it('what is old, but not what is needed', async () => {
      const [old, needed, young] = [
        await put('old', { ageDays: 31 }),
        await put('needed', { ageDays: 400 }),
        await put('young', { ageDays: 29 }),
      ];
      await store.prune(limits, new Set([needed]));
      assert.deepEqual(await Promise.all([old, needed, young].map(async id => store.has(id))), [
        false,
        true,
        true,
      ]);
    });

    it('the oldest until the rest is small enough, and says how much that is', async () => {
      const ids: string[] = [];
      for (let age = 1; age <= 5; age++) ids.push(await put(noise(age, 4000), { ageDays: age }));
      const [, , , , oldest = ''] = ids;
      const bytes = await store.prune(limits, new Set([oldest]));
      assert.ok(bytes <= limits.maxBytes && bytes > 3000);
      assert.deepEqual(await Promise.all(ids.map(async id => store.has(id))), [
        true,
        false,
        false,
        false,
        true,
      ]);
    });

    it('more than the limit stays when all of it is needed', async () => {
      const ids = [await put(noise(1, 9000)), await put(noise(2, 9000))];
      assert.ok((await store.prune(limits, new Set(ids))) > limits.maxBytes);
      assert.ok(await store.has(ids[0] ?? ''));
    });

    it('drafts of windows that crashed, and no other files', async () => {
      const id = await put('text\n');
      const inFolder = (name: string) => path.join(path.dirname(fileOf(id)), name);
      for (const [name, ageDays] of [
        [`${id}-1.draft`, 1],
        [`${id}-2.draft`, 0],
        ['notes', 400],
      ] as const) {
        writeFileSync(inFolder(name), 'x');
        const seconds = (now - ageDays * day) / 1000;
        utimesSync(inFolder(name), seconds, seconds);
      }
      await store.prune(limits, new Set());
      assert.deepEqual(
        readdirSync(path.dirname(fileOf(id))).sort(),
        [id, `${id}-2.draft`, 'notes'].sort(),
      );
    });

    it('nothing where nothing was stored', async () =>
      assert.equal(await store.prune(limits, new Set()), 0));

    it('not what was stored again in a later session', async () => {
      const id = await put('text\n', { ageDays: 31 });
      store = new ContentStore(path.join(folder, 'contents'), () => now);
      await store.put(id, new TextEncoder().encode('text\n'));
      await store.prune(limits, new Set());
      assert.ok(await store.has(id));
    });
  });
});
