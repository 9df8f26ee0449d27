import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { type Content, contentOf } from '../../../../../src/apply/external/core/content';
import { RootFiles } from '../../../../../src/apply/external/disk/diskFiles';
import { GitError } from '../../../../../src/apply/external/disk/git';
import { GitSnapshot } from '../../../../../src/apply/external/disk/gitSnapshot';
import { GitRoot, gitOf, withoutUserSettings } from './gitRoot';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const content = (text: string, algorithm: 'sha1' | 'sha256' = 'sha1'): Content =>
  contentOf(bytesOf(text), algorithm);
const absent: Content = { kind: 'absent' };

const textOf = async (snapshot: GitSnapshot, id: string): Promise<string | undefined> => {
  const bytes = await snapshot.blob(id);
  return bytes && new TextDecoder().decode(bytes);
};

async function assertBefore(snapshot: GitSnapshot): Promise<void> {
  assert.deepEqual(await snapshot.contentOf('a.txt'), content('a\n'));
  assert.deepEqual(await snapshot.contentOf('b.txt'), content('b\n'));
  assert.deepEqual(await snapshot.contentOf('c.txt'), content('c\n'));
  assert.deepEqual(await snapshot.contentOf('new.txt'), absent);
}

async function assertAfter(snapshot: GitSnapshot): Promise<void> {
  assert.deepEqual(await snapshot.contentOf('a.txt'), content('written\n'));
  assert.deepEqual(await snapshot.contentOf('b.txt'), absent);
  assert.deepEqual(await snapshot.contentOf('c.txt'), content('c\n'), 'it is still on disk');
  assert.deepEqual(await snapshot.contentOf('new.txt'), content('new\n'));
}

describe('what files were before anybody changed them', () => {
  withoutUserSettings();
  let disk: GitRoot;
  const opened: GitSnapshot[] = [];
  afterEach(() => {
    for (const snapshot of opened.splice(0)) snapshot.dispose();
    disk.remove();
  });

  async function open(root = disk.root): Promise<GitSnapshot> {
    const git = await gitOf(root);
    const files = new RootFiles({
      root,
      algorithm: git.algorithm,
      moveToTrash: async () => assert.fail('nothing is deleted'),
    });
    const snapshot = await GitSnapshot.open({ git, readFile: async below => files.read(below) });
    opened.push(snapshot);
    return snapshot;
  }

  /** Checks the files out again, as the settings say. */
  const checkOut = (): void => {
    rmSync(disk.at('a.txt'));
    disk.git('checkout', '-q', '--', 'a.txt');
  };

  /** Another program writes, stages and commits at once. */
  const addAndCommit = (): void => {
    disk.write('a.txt', 'written\n');
    disk.write('new.txt', 'new\n');
    rmSync(disk.at('b.txt'));
    disk.git('rm', '-q', '--cached', 'c.txt', 'b.txt');
    disk.git('add', 'a.txt', 'new.txt');
    disk.git('commit', '-q', '-m', 'second');
  };
  it('is what the index has, also of files that are changed and deleted on disk', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n', 'in/b.txt': 'b\n', 'run.sh': 'x\n' });
    chmodSync(disk.at('run.sh'), 0o755);
    disk.commit();
    disk.write('a.txt', 'changed\n');
    rmSync(disk.at('in/b.txt'));
    const snapshot = await open();
    assert.equal(snapshot.algorithm, 'sha1');
    assert.deepEqual(await snapshot.contentOf('a.txt'), content('a\n'));
    assert.deepEqual(await snapshot.contentOf('in/b.txt'), content('b\n'));
    const a = snapshot.entry('a.txt');
    assert.equal(await textOf(snapshot, a?.id ?? ''), 'a\n');
    assert.deepEqual(
      [snapshot.isExecutable('run.sh'), snapshot.isExecutable('a.txt')],
      [true, false],
    );
    assert.deepEqual([...snapshot.pathsBelow('in')], ['in/b.txt']);
  });

  it('has paths relative to the root, in a folder, a work tree and a submodule', async () => {
    disk = new GitRoot({ 'in/a.txt': 'a\n', 'b.txt': 'b\n' });
    disk.commit();
    const inner = await open(disk.at('in'));
    await inner.rememberUntracked(true);
    assert.deepEqual(await inner.contentOf('a.txt'), content('a\n'));
    assert.deepEqual(await inner.contentOf('b.txt'), absent);
    assert.equal(await inner.blobAt('HEAD', 'a.txt'), inner.entry('a.txt')?.id);
    assert.equal(await inner.blobAt('HEAD', 'b.txt'), undefined);
    disk.git('worktree', 'add', '-q', '../tree', '-b', 'other');
    disk.write('../tree/b.txt', 'other\n');
    disk.gitIn('../tree', 'add', '.');
    assert.deepEqual(await (await open(disk.at('../tree'))).contentOf('b.txt'), content('other\n'));
    assert.deepEqual(await (await open()).contentOf('b.txt'), content('b\n'));
    disk.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', './', 'sub');
    disk.write('sub/b.txt', 'changed\n');
    assert.deepEqual(await (await open(disk.at('sub'))).contentOf('b.txt'), content('b\n'));
    assert.deepEqual(await (await open()).contentOf('sub'), absent);
  });

  it('has the ids of sha256 where the repository has them', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n', empty: '' }, ['--object-format=sha256']);
    disk.commit();
    const snapshot = await open();
    const found = await snapshot.contentOf('a.txt');
    assert.deepEqual(found, content('a\n', 'sha256'));
    assert.equal(await textOf(snapshot, found.kind === 'file' ? found.id : ''), 'a\n');
    assert.deepEqual(await snapshot.contentOf('empty'), content('', 'sha256'));
    const mark = await snapshot.mark();
    assert.equal(mark?.head?.length, 64);
  });

  it('is absent for a file that appears later, and unknown for one that was there', async () => {
    disk = new GitRoot({
      '.gitignore': 'secret\nout/\n*.log\n',
      'old.txt': 'o',
      secret: 's',
      'out/x': 'x',
      'in/y.log': 'y',
    });
    disk.git('add', '.gitignore');
    const snapshot = await open();
    assert.equal(await snapshot.contentOf('new.txt'), undefined, 'before the files were listed');
    assert.deepEqual((await snapshot.rememberUntracked(true)).paths, ['old.txt']);
    assert.deepEqual(await snapshot.contentOf('new.txt'), absent);
    // Ignored files are there as well, and would look new when they are ignored no longer.
    for (const name of ['old.txt', 'secret', 'out/x', 'out/later', 'in/y.log']) {
      assert.equal(await snapshot.contentOf(name), undefined, name);
    }
    assert.deepEqual((await snapshot.rememberUntracked(false)).paths, ['old.txt']);
    assert.equal(await snapshot.contentOf('old.txt'), undefined);
    const later = await open();
    assert.deepEqual((await later.rememberUntracked(false)).paths, ['old.txt']);
    assert.deepEqual(await later.contentOf('old.txt'), absent, 'it came since the last session');
    assert.equal(await later.contentOf('secret'), undefined);
  });

  it('is absent for a link, unless a file has taken its place', async () => {
    disk = new GitRoot();
    symlinkSync('target', disk.at('link'));
    disk.commit();
    const snapshot = await open();
    assert.deepEqual(await snapshot.contentOf('link'), absent);
    rmSync(disk.at('link'));
    assert.deepEqual(await snapshot.contentOf('link'), absent);
    disk.write('link', 'text');
    assert.equal(await snapshot.contentOf('link'), undefined);
  });

  it('is absent for a file that is only intended to be added, and known for an empty one', async () => {
    disk = new GitRoot({ 'empty.txt': '', 'new.txt': 'n', 'a\n  size: 1\tflags: 20000000\n': '' });
    disk.git('add', '.');
    disk.git('rm', '-q', '--cached', 'new.txt');
    disk.git('add', '-N', 'new.txt');
    const snapshot = await open();
    assert.deepEqual(await snapshot.contentOf('new.txt'), absent);
    assert.deepEqual(await snapshot.contentOf('empty.txt'), content(''));
    assert.deepEqual(await snapshot.contentOf('a\n  size: 1\tflags: 20000000\n'), content(''));
  });

  it('is unknown for a file with a conflict, and for a blob that is missing', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    disk.commit();
    disk.git('checkout', '-q', '-b', 'other');
    disk.write('a.txt', 'theirs\n');
    disk.commit();
    disk.git('checkout', '-q', 'main');
    disk.write('a.txt', 'ours\n');
    disk.commit();
    disk.failingGit('merge', '-q', 'other');
    const { id } = contentOf(bytesOf('b\n'), 'sha1');
    rmSync(disk.at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`));
    const snapshot = await open();
    assert.equal(await snapshot.contentOf('a.txt'), undefined);
    assert.equal(await snapshot.contentOf('b.txt'), undefined);
    assert.equal(await snapshot.blob(id), undefined);
  });

  describe('with conversions', () => {
    const crlf = 'one\r\ntwo\r\n';
    const lf = 'one\ntwo\n';

    beforeEach(() => {
      disk = new GitRoot({ 'a.txt': lf, 'b.txt': lf });
      disk.commit();
      disk.git('config', 'core.autocrlf', 'true');
    });

    it('has CRLF where the file has, and gives these bytes', async () => {
      checkOut();
      assert.equal(disk.read('a.txt'), crlf);
      disk.write('a.txt', 'one\r\nchanged\r\n');
      const snapshot = await open();
      const found = await snapshot.contentOf('a.txt');
      assert.deepEqual(found, content(crlf));
      assert.equal(await textOf(snapshot, found.kind === 'file' ? found.id : ''), crlf);
      // The stored form can still be read.
      assert.equal(await textOf(snapshot, snapshot.entry('a.txt')?.id ?? ''), lf);
    });

    it('has CRLF for a file that is gone', async () => {
      checkOut();
      rmSync(disk.at('a.txt'));
      assert.deepEqual(await (await open()).contentOf('a.txt'), content(crlf));
    });

    it('has LF where the file has always had it, in spite of the setting', async () => {
      disk.write('b.txt', 'one\nchanged\n');
      assert.deepEqual(await (await open()).contentOf('b.txt'), content(lf));
    });

    it('has CRLF where whoever changed the file wrote LF', async () => {
      checkOut();
      disk.write('a.txt', 'one\nchanged\n');
      assert.deepEqual(await (await open()).contentOf('a.txt'), content(crlf));
    });

    it('has LF where nothing is converted', async () => {
      disk.git('config', 'core.autocrlf', 'false');
      disk.write('a.txt', crlf);
      assert.deepEqual(await (await open()).contentOf('a.txt'), content(lf));
      disk.git('config', 'core.autocrlf', 'true');
      disk.write('.gitattributes', '*.txt -text\n');
      assert.deepEqual(await (await open()).contentOf('a.txt'), content(lf));
    });

    it('reads the settings again with the index', async () => {
      disk.write('a.txt', crlf);
      const snapshot = await open();
      assert.deepEqual(await snapshot.contentOf('a.txt'), content(crlf));
      disk.git('config', 'core.autocrlf', 'false');
      await snapshot.refresh();
      assert.deepEqual(await snapshot.contentOf('a.txt'), content(lf));
    });

    it('knows both forms of a blob', async () => {
      const snapshot = await open();
      const id = snapshot.entry('a.txt')?.id ?? '';
      assert.ok(await snapshot.isFormOf('a.txt', content(lf), id));
      assert.ok(await snapshot.isFormOf('a.txt', content(crlf), id));
      assert.ok(!(await snapshot.isFormOf('a.txt', content('one\r\ntwo\n'), id)));
      assert.ok(!(await snapshot.isFormOf('a.txt', absent, id)));
      assert.ok(!(await snapshot.isFormOf('a.txt', content(crlf), 'f'.repeat(40))));
      disk.write('.gitattributes', '* -text\n');
      const plain = await open();
      assert.ok(await plain.isFormOf('a.txt', content(lf), id));
      assert.ok(!(await plain.isFormOf('a.txt', content(crlf), id)));
    });

    it('is unknown where a program or another encoding makes the file', async () => {
      disk.write('.gitattributes', 'a.txt filter=x\nb.txt working-tree-encoding=UTF-16LE\n');
      const snapshot = await open();
      assert.deepEqual(await snapshot.contentOf('a.txt'), content(lf));
      assert.equal(await snapshot.contentOf('b.txt'), undefined);
      disk.git('config', 'filter.x.smudge', 'cat');
      await snapshot.refresh();
      assert.equal(await snapshot.contentOf('a.txt'), undefined);
    });

    it('is unknown where git fills in the id of the blob', async () => {
      disk.write('i.txt', '$Id$\n');
      disk.write('.gitattributes', '* ident\n');
      disk.git('add', '.');
      const snapshot = await open();
      assert.equal(await snapshot.contentOf('i.txt'), undefined);
      assert.deepEqual(await snapshot.contentOf('b.txt'), content(lf));
    });
  });

  it('is unknown for the pointer to a large file, which is known again when git brings it', async () => {
    const large = 'x'.repeat(5000);
    const oid = createHash('sha256').update(large).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 5000\n`;
    disk = new GitRoot({ 'a.bin': pointer, 'b.bin': pointer });
    disk.commit();
    disk.write('.gitattributes', '*.bin filter=lfs -text\n');
    disk.write('a.bin', large);
    const snapshot = await open();
    assert.equal(await snapshot.contentOf('a.bin'), undefined);
    assert.deepEqual(await snapshot.contentOf('b.bin'), content(pointer));
    const id = snapshot.entry('a.bin')?.id ?? '';
    assert.ok(await snapshot.isFormOf('a.bin', content(large), id));
    disk.write('a.bin', 'y'.repeat(5000));
    assert.ok(!(await snapshot.isFormOf('a.bin', content('y'.repeat(5000)), id)));
    assert.ok(!(await snapshot.isFormOf('a.bin', content(large), id)), 'it is not on disk');
  });

  describe('when the index changes', () => {
    beforeEach(() => {
      disk = new GitRoot({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'old.txt': 'o\n' });
      disk.git('add', '[abc].txt');
      disk.git('commit', '-q', '-m', 'first');
    });

    const changed = ['a.txt', 'b.txt', 'c.txt', 'new.txt'];

    it('stays as it was until that is accepted', async () => {
      const snapshot = await open();
      await snapshot.rememberUntracked(true);
      addAndCommit();
      const change = await snapshot.refresh();
      assert.deepEqual(change.paths.toSorted(), changed);
      await assertBefore(snapshot);
      change.accept();
      await assertAfter(snapshot);
      const next = await snapshot.refresh();
      assert.deepEqual(next.paths, []);
      next.accept();
      await assertAfter(snapshot);
      rmSync(disk.at('c.txt'));
      (await snapshot.refresh()).accept();
      assert.deepEqual(await snapshot.contentOf('c.txt'), absent);
    });

    it('is compared with what was accepted last, over restarts as well', async () => {
      disk.write('c.txt', 'staged\n');
      disk.git('add', 'c.txt');
      const first = await open();
      const mark = await first.mark();
      assert.ok(mark);
      assert.equal(mark.staged.length, 1);
      addAndCommit();
      disk.write('late.txt', 'late\n');
      disk.git('add', 'late.txt');
      assert.equal(await first.mark(), undefined, 'the index is another one');

      const snapshot = await open();
      await snapshot.rememberUntracked(false);
      assert.deepEqual(await snapshot.contentOf('a.txt'), content('written\n'));
      const change = await snapshot.since(JSON.parse(JSON.stringify(mark)));
      assert.deepEqual(change.paths.toSorted(), [...changed, 'late.txt'].toSorted());
      assert.deepEqual(await snapshot.contentOf('a.txt'), content('a\n'));
      assert.deepEqual(await snapshot.contentOf('b.txt'), content('b\n'));
      assert.deepEqual(await snapshot.contentOf('c.txt'), content('staged\n'));
      assert.deepEqual(await snapshot.contentOf('new.txt'), absent);
      assert.deepEqual(await snapshot.contentOf('late.txt'), absent);
      assert.equal(await snapshot.mark(), undefined, 'not accepted yet');
      assert.deepEqual((await snapshot.refresh()).paths.toSorted(), change.paths.toSorted());
      change.accept();
      assert.deepEqual(await snapshot.contentOf('a.txt'), content('written\n'));
      assert.deepEqual(await snapshot.contentOf('late.txt'), content('late\n'));
      assert.deepEqual(await snapshot.contentOf('c.txt'), content('staged\n'), 'still on disk');
      assert.deepEqual(await (await open()).mark(), {
        head: disk.git('rev-parse', 'HEAD'),
        staged: [['late.txt', '100644', contentOf(bytesOf('late\n'), 'sha1').id]],
      });
      const kept = await snapshot.mark();
      assert.deepEqual(
        kept?.staged.map(([below]) => below).toSorted(),
        ['c.txt', 'late.txt'],
        'what has left the index is kept',
      );
    });

    it('keeps the files that are still what they were, among many that git has changed', async () => {
      for (let at = 0; at < 120; at++) disk.write(`many/${at}.txt`, `${at}\n`);
      disk.git('add', '-A');
      disk.git('commit', '-q', '-m', 'many');
      const snapshot = await open();
      for (let at = 0; at < 120; at++) disk.write(`many/${at}.txt`, `${at} changed\n`);
      disk.git('commit', '-qam', 'changed');
      disk.git('rm', '-q', '--cached', 'many/7.txt');
      disk.write('many/3.txt', '3\n');
      disk.write('many/7.txt', '7\n');
      disk.write('many/8.txt', 'other\n');
      (await snapshot.refresh()).accept();
      for (const at of [3, 7]) {
        assert.deepEqual(await snapshot.contentOf(`many/${at}.txt`), content(`${at}\n`));
      }
      for (const at of [0, 8, 119]) {
        assert.deepEqual(await snapshot.contentOf(`many/${at}.txt`), content(`${at} changed\n`));
      }
    });

    it('is everything when there was no commit yet', async () => {
      const snapshot = await open();
      await snapshot.since({ head: undefined, staged: [] });
      assert.deepEqual(await snapshot.contentOf('a.txt'), absent);
    });

    it('cannot be said when the commit is gone', async () => {
      const snapshot = await open();
      await assert.rejects(snapshot.since({ head: 'f'.repeat(40), staged: [] }), GitError);
      assert.deepEqual(await snapshot.contentOf('a.txt'), content('a\n'));
    });
  });
});
