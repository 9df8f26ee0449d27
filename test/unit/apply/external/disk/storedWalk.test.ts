import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { StoredWalk } from '../../../../../src/apply/external/disk/storedWalk';
import { UnreadFiles } from '../../../../../src/apply/external/disk/unreadFiles';
import { TestRoot } from './testRoot';

describe('a folder without git', () => {
  let disk: TestRoot;
  let errors: unknown[];
  const storage = () => disk.at('../storage');
  const open = async (): Promise<StoredWalk> =>
    StoredWalk.open({
      root: disk.root,
      storage: storage(),
      isSkipped: below => below === 'left',
      isRepository: below => below === 'other',
      onError: error => errors.push(error),
    });

  beforeEach(() => {
    disk = new TestRoot({ 'a.txt': 'a', 'b.txt': 'b', 'left/c.txt': 'c' });
    errors = [];
  });
  afterEach(() => {
    rmSync(storage(), { recursive: true, force: true });
    disk.remove();
  });

  it('is walked, and compared with the last walk in the next session', async () => {
    const first = await open();
    assert.ok(first.isFirst);
    assert.deepEqual([...(await first.scan())].sort(), ['a.txt', 'b.txt']);
    assert.equal(await first.contentOf('a.txt'), undefined);
    disk.write('b.txt', 'changed');
    disk.write('new.txt', 'n');
    rmSync(disk.at('a.txt'));
    const next = await open();
    assert.ok(!next.isFirst);
    assert.deepEqual([...(await next.scan())].sort(), ['a.txt', 'b.txt', 'new.txt']);
    assert.deepEqual(await next.contentOf('new.txt'), { kind: 'absent' });
    // It was there, and nobody knows its text.
    assert.equal(await next.contentOf('b.txt'), undefined);
    assert.equal(await next.blob(), undefined);
    assert.deepEqual(await (await open()).scan(), []);
    assert.deepEqual(errors, []);
  });

  it('leaves other repositories to themselves, and names them', async () => {
    disk.write('other/d.txt', 'd');
    const walk = await open();
    assert.deepEqual([...(await walk.scan())].sort(), ['a.txt', 'b.txt']);
    assert.deepEqual(walk.repositories, ['other']);
    assert.equal(await walk.contentOf('other/d.txt'), undefined);
  });

  it('begins again when what was stored is damaged', async () => {
    await (await open()).scan();
    writeFileSync(disk.at('../storage/walk.json'), '[["a.txt",1');
    assert.ok((await open()).isFirst);
    assert.equal(errors.length, 1);
    writeFileSync(disk.at('../storage/walk.json'), '[1]');
    assert.ok((await open()).isFirst);
  });

  it('reports that it cannot be stored, and is walked all the same', async () => {
    disk.write('../storage', 'a file where the folder should be');
    const walk = await open();
    assert.equal((await walk.scan()).length, 2);
    assert.equal(errors.length, 1);
  });

  it('remembers over sessions which files were not read', async () => {
    const onError = (error: unknown) => errors.push(error);
    const unread = await UnreadFiles.open(storage(), onError);
    await unread.set([]);
    assert.ok(!existsSync(disk.at('../storage/unread.json')));
    await unread.set(['large.bin']);
    const next = await UnreadFiles.open(storage(), onError);
    assert.deepEqual(
      ['large.bin', 'a.txt'].map(below => next.has(below)),
      [true, false],
    );
    await next.set([]);
    assert.ok(!(await UnreadFiles.open(storage(), onError)).has('large.bin'));
    assert.deepEqual(errors, []);
  });
});
