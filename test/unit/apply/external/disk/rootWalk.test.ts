import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { RootWalk } from '../../../../../src/apply/external/disk/rootWalk';
import { TestRoot } from './testRoot';

const absent = { kind: 'absent' };

const isSkipped = (below: string, isFolder: boolean): boolean =>
  isFolder ? below === 'left' : below.endsWith('.log');

describe('a walk through a folder without git', () => {
  let disk: TestRoot;
  beforeEach(() => {
    disk = new TestRoot({ 'a.txt': 'a', 'in/b.txt': 'b', 'left/c.txt': 'c', 'out/d.log': 'd' });
  });
  afterEach(() => disk.remove());

  const walkOf = (more: object = {}): RootWalk =>
    new RootWalk({ root: disk.root, isSkipped, ...more });

  it('finds all files at first, and then those that have changed', async () => {
    const walk = walkOf();
    assert.deepEqual((await walk.walk()).paths.toSorted(), ['a.txt', 'in/b.txt']);
    assert.deepEqual(await walk.walk(), { paths: [], isCut: false });
    disk.write('a.txt', 'aa');
    disk.write('new/deep/e.txt', 'e');
    disk.write('left/c.txt', 'changed');
    disk.write('out/d.log', 'changed');
    rmSync(disk.at('in/b.txt'));
    const { paths } = await walk.walk();
    assert.deepEqual(paths.toSorted(), ['a.txt', 'in/b.txt', 'new/deep/e.txt']);
    assert.deepEqual((await walk.walk()).paths, []);
  });

  it('notices other bytes of the same length and time, and another file in the place of one', async () => {
    const walk = walkOf();
    const { mtime } = statSync(disk.at('a.txt'));
    await walk.walk();
    disk.write('a.txt', 'x');
    utimesSync(disk.at('a.txt'), mtime, mtime);
    assert.deepEqual((await walk.walk()).paths, ['a.txt']);
    renameSync(disk.at('in/b.txt'), disk.at('a.txt'));
    assert.deepEqual((await walk.walk()).paths.toSorted(), ['a.txt', 'in/b.txt']);
  });

  it('remembers more than a thousand files, and which of them has changed', async () => {
    for (let n = 0; n < 1100; n++) disk.write(`many/${n}.txt`, `${n}`);
    const walk = walkOf();
    assert.equal((await walk.walk()).paths.length, 1102);
    assert.deepEqual((await walk.walk()).paths, []);
    disk.write('many/5.txt', 'changed');
    disk.write('many/1050.txt', 'changed');
    assert.deepEqual((await walk.walk()).paths.toSorted(), ['many/1050.txt', 'many/5.txt']);
  });

  it('follows no link and takes no folder for a file', async () => {
    symlinkSync('a.txt', disk.at('link.txt'));
    symlinkSync('in', disk.at('alias'));
    symlinkSync('.', disk.at('in/loop'));
    const walk = walkOf();
    assert.deepEqual((await walk.walk()).paths.toSorted(), ['a.txt', 'in/b.txt']);
    rmSync(disk.at('a.txt'));
    mkdirSync(disk.at('a.txt'));
    assert.deepEqual((await walk.walk()).paths, ['a.txt']);
  });

  it('knows which files are new, and of no other what it was', async () => {
    const walk = walkOf();
    assert.equal(await walk.contentOf('new.txt'), undefined, 'before the first walk');
    await walk.walk();
    disk.write('new.txt', 'n');
    await walk.walk();
    assert.deepEqual(await walk.contentOf('new.txt'), absent);
    assert.deepEqual(await walk.contentOf('in/later.txt'), absent);
    // What was left out was there as well, or may have been.
    for (const name of ['a.txt', 'in/b.txt', 'left/c.txt', 'left/new/x', 'out/d.log']) {
      assert.equal(await walk.contentOf(name), undefined, name);
    }
    assert.equal(await walk.blob(), undefined);
    assert.equal(walk.algorithm, 'sha1');
  });

  it('goes on after a restart', async () => {
    const first = walkOf();
    await first.walk();
    const stored = JSON.parse(JSON.stringify([...first.files()]));
    disk.write('in/b.txt', 'changed');
    disk.write('new.txt', 'n');
    const walk = walkOf({ before: stored });
    assert.deepEqual((await walk.walk()).paths.toSorted(), ['in/b.txt', 'new.txt']);
    assert.deepEqual(await walk.contentOf('new.txt'), absent);
    assert.equal(await walk.contentOf('left/c.txt'), undefined);
  });

  it('stops at a number of files, and then knows of none that it is gone or new', async () => {
    for (let at = 0; at < 10; at++) disk.write(`many/${at}.txt`, 'x');
    const walk = walkOf({ maxFiles: 5 });
    const first = await walk.walk();
    assert.deepEqual([first.paths.length, first.isCut], [5, true]);
    rmSync(disk.at('many'), { recursive: true });
    const second = await walk.walk();
    assert.equal(second.isCut, false);
    assert.equal(await walk.contentOf('new.txt'), undefined);
  });

  it('ends when it is canceled, and goes on from the walk before', async () => {
    const walk = walkOf();
    await walk.walk();
    disk.write('a.txt', 'changed');
    await assert.rejects(walk.walk(AbortSignal.abort()), { name: 'AbortError' });
    assert.deepEqual((await walk.walk()).paths, ['a.txt']);
  });

  it('does not take the files for deleted when the folder is gone', async () => {
    const walk = walkOf();
    await walk.walk();
    renameSync(disk.root, `${disk.root}-away`);
    await assert.rejects(walk.walk(), { code: 'ENOENT' });
    renameSync(`${disk.root}-away`, disk.root);
    assert.deepEqual((await walk.walk()).paths, []);
  });
});
