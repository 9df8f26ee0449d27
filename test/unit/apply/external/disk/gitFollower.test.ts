import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentOf } from '../../../../../src/apply/external/core/content';
import { RootFiles } from '../../../../../src/apply/external/disk/diskFiles';
import { GitFollower } from '../../../../../src/apply/external/disk/gitFollower';
import { GitRoot, gitOf, withoutUserSettings } from './gitRoot';

/** As a session that has looked at everything. */
async function look(follower: GitFollower): Promise<Record<string, string>> {
  const moves = await follower.resolve(await follower.scan(), 0);
  if (moves === 'inProgress') assert.fail('git is running');
  await follower.settled();
  return Object.fromEntries(moves.map(({ path: below, kind }) => [below, kind]));
}

describe('the follower of a repository', () => {
  withoutUserSettings();
  let disk: GitRoot;
  let errors: unknown[];
  let followers: GitFollower[];
  const stateFile = () => disk.at('../state/git.json');

  beforeEach(() => {
    disk = new GitRoot({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', '.gitignore': '*.log' });
    disk.commit();
    errors = [];
    followers = [];
  });
  afterEach(() => {
    for (const follower of followers) follower.dispose();
    rmSync(path.dirname(stateFile()), { recursive: true, force: true });
    disk.remove();
  });

  async function open(): Promise<GitFollower> {
    const git = await gitOf(disk.root);
    const files = new RootFiles({
      root: disk.root,
      algorithm: git.algorithm,
      moveToTrash: async () => assert.fail('nothing is deleted'),
    });
    const follower = await GitFollower.open({
      git,
      files,
      stateFile: stateFile(),
      entryOf: () => undefined,
      onError: error => errors.push(error),
    });
    followers.push(follower);
    return follower;
  }

  it('takes what is there at the first look of all as having been there', async () => {
    disk.write('a.txt', 'changed');
    rmSync(disk.at('b.txt'));
    disk.write('new.txt', 'n');
    disk.write('x.log', 'x');
    const follower = await open();
    assert.ok(follower.isFirst);
    const paths = await follower.scan();
    assert.deepEqual([...paths].sort(), ['a.txt', 'b.txt', 'new.txt']);
    assert.equal(await follower.contentOf('new.txt'), undefined);
    assert.equal(await follower.contentOf('x.log'), undefined);
    const blob = contentOf(Buffer.from('a'), follower.algorithm);
    assert.deepEqual(await follower.contentOf('a.txt'), blob);
    assert.equal(Buffer.from((await follower.blob(blob.id)) ?? []).toString(), 'a');
    disk.write('later.txt', 'l');
    await follower.scan();
    assert.deepEqual(await follower.contentOf('later.txt'), { kind: 'absent' });
  });

  it('finds in the next session what was written and what git did since', async () => {
    await look(await open());
    disk.write('b.txt', 'agent');
    disk.write('new.txt', 'n');
    disk.commit('by an agent');
    disk.git('checkout', '-q', '-b', 'other', 'HEAD~1');
    disk.write('c.txt', 'other');
    const follower = await open();
    assert.ok(!follower.isFirst);
    assert.deepEqual([...(await follower.scan())].sort(), ['c.txt']);
    disk.git('checkout', '-q', '-f', 'main');
    const next = await open();
    assert.deepEqual([...(await next.scan())].sort(), ['b.txt', 'new.txt']);
    assert.deepEqual(await look(next), { 'b.txt': 'list', 'new.txt': 'list' });
    assert.deepEqual(errors, []);
  });

  it('names the other repositories in it, and knows nothing of their files', async () => {
    const source = new GitRoot({ 'm.txt': 'm' });
    source.commit();
    disk.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', source.root, 'module');
    disk.commit();
    source.remove();
    disk.write('module/m.txt', 'changed');
    disk.write('nested/n.txt', 'n');
    disk.gitIn('nested', 'init', '-q');
    const follower = await open();
    assert.deepEqual(await follower.scan(), []);
    assert.deepEqual([...follower.repositories].sort(), ['module', 'nested']);
  });

  it('says which files were staged as they are', async () => {
    disk.write('a.txt', 'staged');
    disk.write('b.txt', 'staged');
    disk.write('new.txt', 'n');
    const follower = await open();
    await look(follower);
    assert.deepEqual(await follower.newlyStaged(), []);
    disk.git('add', 'a.txt', 'b.txt', 'new.txt');
    disk.write('b.txt', 'and changed again');
    rmSync(disk.at('c.txt'));
    disk.git('rm', '-q', '--cached', 'c.txt');
    await follower.resolve([], 0);
    assert.deepEqual((await follower.newlyStaged()).sort(), ['a.txt', 'new.txt']);
    await follower.settled();
    assert.deepEqual(await follower.newlyStaged(), []);
  });

  it('begins again when its file is damaged, and says so', async () => {
    await look(await open());
    for (const [text, count] of [
      ['{"mark":', 1],
      ['{"mark":{"staged":1}}', 0],
    ] as const) {
      errors = [];
      writeFileSync(stateFile(), text);
      assert.ok((await open()).isFirst);
      assert.equal(errors.length, count);
    }
  });

  it('compares with the index when the commit of the last session is gone', async () => {
    await look(await open());
    rmSync(disk.at('.git'), { recursive: true });
    disk.git('init', '-q', '-b', 'main');
    disk.git('add', '-A');
    disk.git('commit', '-q', '-m', 'again');
    disk.write('a.txt', 'changed');
    disk.git('commit', '-q', '-a', '-m', 'other');
    const follower = await open();
    assert.deepEqual(await follower.scan(), []);
    assert.equal(errors.length, 1);
  });
});
