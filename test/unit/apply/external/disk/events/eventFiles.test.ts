import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { eventFiles } from '../../../../../../src/apply/external/disk/events/eventFiles';
import { TestRoot } from '../testRoot';

describe('the files of events', () => {
  let disk: TestRoot;
  beforeEach(() => {
    disk = new TestRoot({ 'a.txt': '', 'in/b.txt': '', 'in/deep/c.txt': '', 'in/left/d.txt': '' });
  });
  afterEach(() => disk.remove());

  const filesOf = async (paths: string[], known: readonly string[] = []) => {
    const files = await eventFiles({
      root: disk.root,
      paths,
      isLeftOut: (below, isFolder) => (isFolder ? below === 'in/left' : below.endsWith('.log')),
      knownBelow: folder => known.filter(below => below.startsWith(`${folder}/`)),
    });
    return files?.toSorted();
  };

  it('are the files themselves, on disk or not, but for those that are left out', async () => {
    assert.deepEqual(await filesOf(['a.txt', 'gone.txt', 'x.log']), ['a.txt', 'gone.txt']);
    assert.deepEqual(await filesOf([]), []);
  });

  it('are all files of a folder, with those that are known to have been in it', async () => {
    const known = ['in/old.txt', 'in/b.txt', 'other.txt'];
    const expected = ['in/b.txt', 'in/deep/c.txt', 'in/old.txt'];
    assert.deepEqual(await filesOf(['in'], known), expected);
    assert.deepEqual(await filesOf(['in/left']), []);
  });

  it('are all that were in a folder that is gone, or that is a file now', async () => {
    const known = ['gone/e.txt', 'gone/deep/f.txt', 'a.txt/g.txt'];
    assert.deepEqual(await filesOf(['gone'], known), ['gone', 'gone/deep/f.txt', 'gone/e.txt']);
    assert.deepEqual(await filesOf(['a.txt'], known), ['a.txt', 'a.txt/g.txt']);
  });

  it('are not looked for behind links', async () => {
    symlinkSync('..', disk.at('in/deep/up'));
    assert.deepEqual(await filesOf(['in']), ['in/b.txt', 'in/deep/c.txt']);
  });

  it('are not listed when there are too many', async () => {
    const known = Array.from({ length: 2001 }, (_, at) => `gone/${at}`);
    assert.equal(await filesOf(['gone'], known), undefined);
    for (let at = 0; at < 2001; at++) disk.write(`many/${at}`, '');
    assert.equal(await filesOf(['many']), undefined);
  });
});
