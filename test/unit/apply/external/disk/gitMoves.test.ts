import assert from 'node:assert/strict';
import { rmSync, utimesSync } from 'node:fs';
import { FollowedRoot } from './followedRoot';
import { GitRoot, withoutUserSettings } from './gitRoot';

const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'in/c.txt': 'c\n' };

describe('what the user does with git', () => {
  withoutUserSettings();
  let disk: GitRoot;
  const opened: FollowedRoot[] = [];

  async function follow(root = disk.root): Promise<FollowedRoot> {
    const followed = await FollowedRoot.open(root);
    opened.push(followed);
    assert.deepEqual(await followed.look(), {}, 'nothing has happened yet');
    return followed;
  }

  /** A branch whose last commit changes a.txt, deletes b.txt and adds d.txt. */
  function branch(name = 'other'): void {
    disk.git('checkout', '-q', '-b', name);
    disk.write('a.txt', `${name}\n`);
    disk.write('d.txt', 'd\n');
    rmSync(disk.at('b.txt'));
    disk.commit(name);
    disk.git('checkout', '-q', 'main');
  }
  /** Another program writes, and nobody looks before git is run. */
  function write(): void {
    disk.write('a.txt', 'theirs\n');
    disk.write('new.txt', 'theirs\n');
  }
  const branched = { 'a.txt': 'rebase', 'b.txt': 'rebase', 'd.txt': 'rebase' };

  beforeEach(() => {
    disk = new GitRoot(files);
    disk.commit('first');
  });
  afterEach(() => {
    for (const followed of opened.splice(0)) followed.dispose();
    disk.remove();
  });

  describe('that moves files', () => {
    it('is a checkout and the way back', async () => {
      branch();
      const root = await follow();
      disk.git('checkout', '-q', 'other');
      assert.deepEqual(await root.look(), branched);
      disk.git('checkout', '-q', 'main');
      assert.deepEqual(await root.look(), branched);
      assert.equal(root.entries.size, 0);
      disk.git('checkout', '-q', 'other');
      disk.git('checkout', '-q', 'main');
      assert.deepEqual(await root.look(), {});
    });

    it('is a pull: forward, with a merge, and with a rebase', async () => {
      disk.git('clone', '-q', '.', '../clone');
      const clone = disk.at('../clone');
      const root = await follow(clone);
      const upstream = (name: string): void => {
        disk.write(name, 'upstream\n');
        disk.commit(name);
      };
      upstream('a.txt');
      disk.gitIn('../clone', 'pull', '-q', '--ff-only');
      assert.deepEqual(await root.look(), { 'a.txt': 'rebase' });
      const local = async (): Promise<void> => {
        disk.write('../clone/in/c.txt', `${disk.read('../clone/in/c.txt')}local\n`);
        await root.saved('in/c.txt');
        disk.gitIn('../clone', 'commit', '-qam', 'local');
        assert.deepEqual(await root.look(), {});
      };
      await local();
      upstream('b.txt');
      disk.gitIn('../clone', 'pull', '-q', '--no-rebase');
      assert.deepEqual(await root.look(), { 'b.txt': 'rebase' });
      await local();
      upstream('e.txt');
      disk.gitIn('../clone', 'pull', '-q', '--rebase');
      assert.deepEqual(await root.look(), { 'e.txt': 'rebase' });
      assert.equal(root.entries.size, 0);
    });

    it('is a rebase, in the state that it ends with', async () => {
      branch();
      disk.write('in/c.txt', 'main\n');
      disk.commit('main');
      disk.git('checkout', '-q', 'other');
      const root = await follow();
      disk.git('rebase', '-q', 'main');
      assert.deepEqual(await root.look(), { 'in/c.txt': 'rebase' });
    });

    it('is a merge, a cherry-pick, a revert and a reset', async () => {
      branch();
      const root = await follow();
      disk.git('merge', '-q', '--no-ff', '-m', 'merge', 'other');
      assert.deepEqual(await root.look(), branched);
      disk.git('reset', '-q', '--hard', 'HEAD~1');
      assert.deepEqual(await root.look(), branched);
      disk.git('cherry-pick', 'other');
      assert.deepEqual(await root.look(), branched);
      disk.git('revert', '--no-edit', 'HEAD');
      assert.deepEqual(await root.look(), branched);
    });

    it('is seen in a work tree, a submodule and a folder of the repository', async () => {
      branch();
      disk.git('worktree', 'add', '-q', '../tree');
      const tree = await follow(disk.at('../tree'));
      disk.gitIn('../tree', 'checkout', '-q', '--detach', 'other');
      assert.deepEqual(await tree.look(), branched);

      disk.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', './', 'sub');
      const sub = await follow(disk.at('sub'));
      disk.gitIn('sub', 'checkout', '-q', 'origin/other');
      assert.deepEqual(await sub.look(), branched);

      disk.git('checkout', '-q', '-f', 'main');
      disk.git('checkout', '-q', '-b', 'inner');
      disk.write('in/c.txt', 'inner\n');
      disk.write('a.txt', 'inner\n');
      disk.git('commit', '-qam', 'inner');
      const inner = await follow(disk.at('in'));
      disk.git('checkout', '-q', 'main');
      assert.deepEqual(await inner.look(), { 'c.txt': 'rebase' });
    });

    it('is seen with converted line ends, and with the ids of sha256', async () => {
      branch();
      disk.git('config', 'core.autocrlf', 'true');
      rmSync(disk.at('a.txt'));
      disk.git('checkout', '-q', '--', '.');
      const root = await follow();
      disk.git('checkout', '-q', 'other');
      assert.equal(disk.read('a.txt'), 'other\r\n');
      assert.deepEqual(await root.look(), branched);
      disk.git('checkout', '-q', 'main');
      assert.deepEqual(await root.look(), branched);
      disk.remove();
      disk = new GitRoot(files, ['--object-format=sha256']);
      disk.commit();
      branch();
      const other = await follow();
      disk.git('checkout', '-q', 'other');
      assert.deepEqual(await other.look(), branched);
    });

    it('is seen after a restart', async () => {
      branch();
      const root = await follow();
      const next = await root.reopened();
      opened.push(next);
      disk.git('checkout', '-q', 'other');
      assert.deepEqual(await next.lookBack(), branched);
    });

    it('is waited for while it goes on, but not for a lock that was left', async () => {
      branch();
      const root = await follow();
      disk.git('checkout', '-q', 'other');
      disk.write('.git/index.lock', '');
      assert.equal(await root.look(0), 'inProgress');
      assert.equal(await root.look(9999), 'inProgress');
      assert.deepEqual(await root.look(10_000), branched);
      rmSync(disk.at('.git/index.lock'));
      disk.write('.git/rebase-merge/done', '');
      assert.equal(await root.look(0), 'inProgress');
      disk.write('.git/rebase-merge/stopped-sha', '');
      assert.deepEqual(await root.look(0), {});
    });

    it('explains nothing where git keeps no log, or the log was cut', async () => {
      branch();
      const root = await follow();
      rmSync(disk.at('.git/logs/HEAD'));
      disk.git('-c', 'core.logAllRefUpdates=false', 'checkout', '-q', 'other');
      const listed = { 'a.txt': 'list', 'b.txt': 'list', 'd.txt': 'list' };
      assert.deepEqual(await root.look(), listed);
    });
  });

  describe('that changes no file', () => {
    it('is a commit, an amended one, staging, and a branch', async () => {
      const root = await follow();
      disk.write('a.txt', 'theirs\n');
      await root.written('a.txt');
      disk.write('b.txt', 'mine\n');
      await root.saved('b.txt');
      for (const args of [
        ['add', '-A'],
        ['commit', '-q', '-m', 'x'],
        ['commit', '-q', '--amend', '-m', 'y'],
        ['checkout', '-q', '-b', 'new'],
        ['reset', '-q', '--soft', 'HEAD~1'],
        ['reset', '-q'],
        ['branch', '-m', 'renamed'],
        ['tag', 'x'],
      ]) {
        disk.git(...args);
        assert.deepEqual(await root.look(), {}, args.join(' '));
      }
      assert.ok(root.isPending('a.txt') && !root.isPending('b.txt'));
    });
  });

  describe('together with what another program wrote', () => {
    const listed = { 'a.txt': 'list', 'new.txt': 'list' };

    it('leaves it pending when it is staged, committed or amended', async () => {
      const root = await follow();
      write();
      disk.git('add', '-A');
      assert.deepEqual(await root.look(), listed);
      disk.write('a.txt', 'theirs 2\n');
      disk.git('commit', '-qam', 'x');
      assert.deepEqual(await root.look(), { 'a.txt': 'list' });
      disk.write('a.txt', 'theirs 3\n');
      disk.git('commit', '-qa', '--amend', '-m', 'x');
      assert.deepEqual(await root.look(), { 'a.txt': 'list' });
      assert.ok(root.isPending('a.txt') && root.isPending('new.txt'));
    });

    it('leaves it pending when it is committed on a branch and merged', async () => {
      const root = await follow();
      disk.git('checkout', '-q', '-b', 'theirs');
      write();
      disk.commit('theirs');
      disk.git('checkout', '-q', 'main');
      disk.git('merge', '-q', 'theirs');
      assert.deepEqual(await root.look(), listed);
    });

    it('leaves it pending when it is committed, taken away and brought back', async () => {
      const root = await follow();
      write();
      const id = disk.commit('theirs');
      disk.git('reset', '-q', '--hard', 'HEAD~1');
      disk.git('reset', '-q', '--hard', id);
      assert.deepEqual(await root.look(), listed);
    });

    it('leaves it pending when it was done before a restart', async () => {
      const next = await (await follow()).reopened();
      opened.push(next);
      write();
      disk.commit('theirs');
      assert.deepEqual(await next.lookBack(), listed);
      assert.ok(next.isPending('a.txt') && next.isPending('new.txt'));
    });

    it('leaves what resolves a conflict pending', async () => {
      branch();
      disk.write('a.txt', 'main\n');
      disk.commit('main');
      disk.git('checkout', '-q', 'other');
      const root = await follow();
      disk.failingGit('rebase', '-q', 'main');
      disk.write('a.txt', 'resolved\n');
      disk.git('add', '-A');
      disk.git('rebase', '--continue');
      assert.deepEqual(await root.look(), { 'a.txt': 'list' });
    });

    it('tells the files of git from the others', async () => {
      branch();
      const root = await follow();
      disk.git('checkout', '-q', 'other');
      disk.write('in/c.txt', 'theirs\n');
      disk.write('d.txt', 'theirs\n');
      const expected = {
        'a.txt': 'rebase',
        'b.txt': 'rebase',
        'd.txt': 'list',
        'in/c.txt': 'list',
      };
      assert.deepEqual(await root.look(), expected);
    });

    it('lists what was carried from another program through an unknown one', async () => {
      const root = await follow();
      disk.write('a.txt', 'theirs\n');
      disk.git('add', '-A');
      const tree = disk.git('write-tree');
      const commit = disk.git('commit-tree', tree, '-p', 'HEAD', '-m', 'x');
      disk.git('update-ref', '-m', 'odd: x', 'HEAD', commit);
      disk.git('checkout', '-q', '-b', 'later');
      assert.deepEqual(await root.look(), { 'a.txt': 'list' });
    });
  });

  describe('with the stash', () => {
    it('takes away what was reviewed, and brings it back reviewed', async () => {
      const root = await follow();
      disk.write('a.txt', 'mine\n');
      await root.saved('a.txt');
      disk.write('new.txt', 'mine\n');
      await root.saved('new.txt');
      disk.git('stash', 'push', '-q', '-u');
      assert.deepEqual(await root.look(), { 'a.txt': 'rebase', 'new.txt': 'rebase' });
      disk.git('stash', 'apply', '-q');
      assert.deepEqual(await root.look(), { 'a.txt': 'restore', 'new.txt': 'restore' });
      assert.ok(!root.isPending('a.txt') && !root.isPending('new.txt'));
      disk.git('stash', 'push', '-q', '-u');
      await root.look();
      disk.git('stash', 'pop', '-q');
      assert.deepEqual(await root.look(), { 'a.txt': 'restore', 'new.txt': 'restore' });
    });

    it('takes away what was pending, and brings it back pending', async () => {
      const root = await follow();
      disk.write('a.txt', 'mine\n');
      await root.saved('a.txt');
      disk.write('a.txt', 'mine\ntheirs\n');
      await root.written('a.txt');
      const before = root.entries.get('a.txt');
      disk.git('stash', 'push', '-q');
      assert.deepEqual(await root.look(), { 'a.txt': 'fold' });
      const next = await root.reopened();
      opened.push(next);
      disk.git('stash', 'pop', '-q');
      assert.deepEqual(await next.lookBack(), { 'a.txt': 'restore' });
      assert.deepEqual(next.entries.get('a.txt'), before);
    });

    it('keeps what is staged where that is wanted', async () => {
      const root = await follow();
      disk.write('a.txt', 'staged\n');
      await root.saved('a.txt');
      disk.git('add', '-A');
      disk.write('a.txt', 'staged\nmore\n');
      await root.saved('a.txt');
      disk.git('stash', 'push', '-q', '--keep-index');
      assert.equal(disk.read('a.txt'), 'staged\n');
      assert.deepEqual(await root.look(), { 'a.txt': 'rebase' });
    });

    it('lists what comes from a stash that nobody has seen', async () => {
      disk.write('a.txt', 'unknown\n');
      disk.git('stash', 'push', '-q');
      const root = await follow();
      disk.git('stash', 'pop', '-q');
      assert.deepEqual(await root.look(), { 'a.txt': 'list' });
    });
  });

  describe('on the way to another branch and back', () => {
    it('keeps pending what was committed unreviewed, with the same baseline', async () => {
      branch();
      const root = await follow();
      disk.write('a.txt', 'theirs\n');
      await root.written('a.txt');
      disk.git('commit', '-qam', 'theirs');
      assert.deepEqual(await root.look(), {});
      const before = root.entries.get('a.txt');
      disk.git('checkout', '-q', 'other');
      const moved = { ...branched, 'a.txt': 'fold' };
      assert.deepEqual(await root.look(), moved);
      disk.git('checkout', '-q', 'main');
      assert.deepEqual(await root.look(), { ...branched, 'a.txt': 'restore' });
      assert.deepEqual(root.entries.get('a.txt'), before);
    });

    it('forgets what was pending once it was reviewed', async () => {
      branch();
      const root = await follow();
      disk.write('a.txt', 'theirs\n');
      await root.written('a.txt');
      disk.git('commit', '-qam', 'theirs');
      disk.git('checkout', '-q', 'other');
      await root.look();
      disk.git('checkout', '-q', 'main');
      await root.look();
      await root.saved('a.txt');
      await root.look();
      assert.equal(root.entries.size, 0);
      disk.git('checkout', '-q', 'other');
      assert.deepEqual(await root.look(), branched);
      disk.git('checkout', '-q', 'main');
      assert.deepEqual(await root.look(), branched);
    });
  });

  describe('that has conflicts', () => {
    beforeEach(() => {
      branch();
      disk.write('a.txt', 'main\n');
      disk.commit('main');
    });

    it('is not listed while only git has written', async () => {
      const root = await follow();
      disk.failingGit('merge', '-q', 'other');
      assert.match(disk.read('a.txt'), /<<<<<<</);
      assert.deepEqual(await root.look(), branched);
      disk.git('merge', '--abort');
      assert.deepEqual(await root.look(), branched);
    });

    it('lists who else resolves it', async () => {
      const root = await follow();
      disk.failingGit('merge', '-q', 'other');
      await root.look();
      disk.write('a.txt', 'resolved\n');
      assert.deepEqual(await root.look(), { 'a.txt': 'list' });
      disk.commit('merge');
      assert.deepEqual(await root.look(), {});
      assert.ok(root.isPending('a.txt'));
    });

    it('lists a conflict that somebody else has written into', async () => {
      const root = await follow();
      disk.failingGit('merge', '-q', 'other');
      disk.write('a.txt', `${disk.read('a.txt')}more\n`);
      assert.deepEqual(await root.look(), { ...branched, 'a.txt': 'list' });
    });

    it('is the same for a cherry-pick, a revert and a rebase', async () => {
      const root = await follow();
      disk.failingGit('cherry-pick', 'other');
      assert.deepEqual(await root.look(), branched);
      disk.git('cherry-pick', '--abort');
      assert.deepEqual(await root.look(), branched);
      disk.failingGit('revert', '--no-edit', 'HEAD~1');
      assert.deepEqual(await root.look(), { 'b.txt': 'rebase', 'in/c.txt': 'rebase' });
      disk.git('revert', '--abort');
      assert.deepEqual(await root.look(), { 'b.txt': 'rebase', 'in/c.txt': 'rebase' });
      disk.git('checkout', '-q', 'other');
      await root.look();
      disk.failingGit('rebase', '-q', 'main');
      // The others have been taken away and brought back.
      assert.deepEqual(await root.look(), { 'a.txt': 'rebase' });
    });
  });

  describe('that takes bytes away', () => {
    it('is listed when only the user had them', async () => {
      const root = await follow();
      for (const args of [
        ['checkout', '-q', '--', 'a.txt'],
        ['restore', 'a.txt'],
        ['reset', '-q', '--hard'],
        ['checkout', '-q', '-f', 'main'],
      ]) {
        disk.write('a.txt', 'mine\n');
        await root.saved('a.txt');
        disk.git(...args);
        assert.equal(disk.read('a.txt'), 'a\n');
        assert.deepEqual(await root.look(), { 'a.txt': 'list' }, args.join(' '));
        assert.ok(root.isPending('a.txt'));
        root.entries.clear();
      }
      branch();
      await root.look();
      disk.write('a.txt', 'mine\n');
      await root.saved('a.txt');
      disk.git('checkout', '-q', '-f', 'other');
      assert.deepEqual(await root.look(), { ...branched, 'a.txt': 'list' });
    });

    it('is listed for what was staged, and for files that git did not have', async () => {
      const root = await follow();
      disk.write('a.txt', 'mine\n');
      disk.write('new.txt', 'mine\n');
      await root.saved('a.txt');
      await root.saved('new.txt');
      disk.git('add', '-A');
      await root.look();
      disk.git('reset', '-q', '--hard');
      assert.deepEqual(await root.look(), { 'a.txt': 'list', 'new.txt': 'list' });
      disk.write('other.txt', 'mine\n');
      await root.saved('other.txt');
      disk.git('clean', '-qf');
      assert.deepEqual(await root.look(), { 'other.txt': 'list' });
    });

    it('ends what was pending when it goes back to the baseline', async () => {
      const root = await follow();
      disk.write('a.txt', 'theirs\n');
      await root.written('a.txt');
      disk.git('restore', 'a.txt');
      assert.deepEqual(await root.look(), { 'a.txt': 'list' });
      assert.ok(!root.isPending('a.txt'));
      assert.equal(root.entries.size, 0);
    });

    it('is not listed when HEAD still has them, and the index had the others', async () => {
      disk.write('a.txt', 'staged\n');
      disk.git('add', '-A');
      disk.write('a.txt', 'a\n');
      const root = await follow().catch(async () => FollowedRoot.open(disk.root));
      opened.push(root);
      await root.saved('a.txt');
      await root.look();
      disk.git('restore', 'a.txt');
      assert.equal(disk.read('a.txt'), 'staged\n');
      assert.deepEqual(await root.look(), { 'a.txt': 'rebase' });
    });

    it('is listed when the index has got the bytes at the same time', async () => {
      disk.write('a.txt', 'second\n');
      disk.commit();
      const root = await follow();
      disk.git('checkout', '-q', 'HEAD~1', '--', 'a.txt');
      assert.deepEqual(await root.look(), { 'a.txt': 'list' });
    });
  });

  it('says nothing about times', async () => {
    const root = await follow();
    utimesSync(disk.at('a.txt'), 0, 0);
    disk.git('update-index', '--refresh');
    assert.deepEqual(await root.look(), {});
  });
});
