import assert from 'node:assert/strict';
import { readGitLook, storedLook } from '../../../../../../src/apply/external/disk/git/look';
import { TestRoot } from '../testRoot';

const id = (letter: string): string => letter.repeat(40);
const line = (to: string, message: string): string =>
  `${id('0')} ${to} A <a@example.org> 1700000000 +0000\t${message}\n`;

describe('a look at the data of git', () => {
  let disk: TestRoot;
  beforeEach(() => {
    disk = new TestRoot();
  });
  afterEach(() => disk.remove());

  const look = async (commits: Readonly<Record<string, string>> = {}) =>
    readGitLook(
      { folder: disk.at('tree'), commonFolder: disk.at('common') },
      async name => commits[name],
    );

  it('finds nothing in a new repository', async () => {
    assert.deepEqual(await look(), {
      head: undefined,
      log: undefined,
      stashes: [],
      stopped: {},
      isLocked: false,
      isRebasing: false,
    });
  });

  it('finds the log of the work tree, and the stash that all work trees share', async () => {
    const log = line(id('a'), 'commit: \u00fc');
    disk.write('tree/logs/HEAD', log);
    disk.write('common/logs/refs/stash', line(id('b'), 'WIP') + line(id('c'), 'WIP'));
    const found = await look({ HEAD: id('a') });
    assert.equal(found.head, id('a'));
    assert.equal(found.log?.size, Buffer.byteLength(log));
    assert.equal(found.log.text.length, found.log.size);
    assert.deepEqual(found.stashes, [id('b'), id('c')]);
  });

  it('reads the end of a long log, from the start of a line', async () => {
    const all = Array.from({ length: 1000 }, (_, at) => line(id('a'), `commit: ${at}`)).join('');
    disk.write('tree/logs/HEAD', all);
    const { log } = await look();
    assert.equal(log?.size, all.length);
    assert.ok(log.text.length <= 65_536 && log.text.length > 65_000);
    assert.ok(all.endsWith(`\n${log.text}`));
    assert.deepEqual(storedLook(await look()).log, {
      size: all.length,
      text: line(id('a'), 'commit: 999'),
    });
  });

  it('finds what has stopped, where there is a file for it and a commit', async () => {
    for (const name of ['MERGE_HEAD', 'REVERT_HEAD']) disk.write(`tree/${name}`, 'x');
    const commits = { MERGE_HEAD: id('a'), CHERRY_PICK_HEAD: id('b'), REBASE_HEAD: id('c') };
    assert.deepEqual((await look(commits)).stopped, { merge: id('a') });
  });

  it('tells a rebase that goes on from one that has stopped', async () => {
    disk.write('tree/rebase-apply/next', '');
    assert.equal((await look()).isRebasing, true);
    disk.write('tree/REBASE_HEAD', 'x');
    assert.equal((await look({ REBASE_HEAD: id('a') })).isRebasing, false);
    disk.write('tree/rebase-merge/amend', '');
    assert.equal((await look()).isRebasing, false);
  });

  it('finds locks', async () => {
    disk.write('tree/HEAD.lock', '');
    assert.equal((await look()).isLocked, true);
  });
});
