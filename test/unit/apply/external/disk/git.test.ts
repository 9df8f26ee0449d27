import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { contentOf } from '../../../../../src/apply/external/core/content';
import { Git, GitError, openGit } from '../../../../../src/apply/external/disk/git';
import { GitObjects } from '../../../../../src/apply/external/disk/git/objects';
import {
  dirtyPaths,
  headId,
  ignoredOf,
  untrackedPaths,
} from '../../../../../src/apply/external/disk/git/workTree';
import { GitSnapshot } from '../../../../../src/apply/external/disk/gitSnapshot';
import { GitRoot, gitOf, withoutUserSettings } from './gitRoot';
import { TestRoot } from './testRoot';

const trusted = { isTrusted: true };

/** Everything that is ever asked of git. */
async function askEverything(root: string): Promise<void> {
  const git = await gitOf(root);
  await dirtyPaths(git);
  await untrackedPaths(git);
  await ignoredOf(git, ['a.txt', 'x.log']);
  const readFile = async (below: string): Promise<Uint8Array> =>
    readFileSync(path.join(root, below));
  const snapshot = await GitSnapshot.open({ git, readFile });
  await snapshot.rememberUntracked(true);
  const content = await snapshot.contentOf('a.txt');
  if (content?.kind === 'file') await snapshot.blob(content.id);
  await snapshot.refresh();
  const mark = await snapshot.mark();
  if (mark) await snapshot.since(mark);
  await snapshot.blobAt('HEAD', 'a.txt');
  snapshot.dispose();
}

describe('git for a root', () => {
  withoutUserSettings();
  let disk: TestRoot;
  afterEach(() => {
    delete process.env['GIT_DIR'];
    disk.remove();
  });

  it('is there in a repository, and knows its folders', async () => {
    disk = new GitRoot();
    const git = await gitOf(disk.root);
    assert.deepEqual(
      [git.prefix, git.folder, git.commonFolder, git.algorithm],
      ['', disk.at('.git'), disk.at('.git'), 'sha1'],
    );
  });

  it('is there in a folder of a repository, in a work tree, and in a submodule', async () => {
    const repository = new GitRoot({ 'a/b/c.txt': 'x' });
    disk = repository;
    repository.commit();
    const inner = await gitOf(disk.at('a/b'));
    assert.deepEqual([inner.prefix, inner.folder], ['a/b/', disk.at('.git')]);
    repository.git('worktree', 'add', '-q', '../tree', '-b', 'other');
    const tree = await gitOf(disk.at('../tree'));
    assert.equal(tree.folder, disk.at('.git/worktrees/tree'));
    assert.equal(tree.commonFolder, disk.at('.git'));
    repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', './', 'sub');
    const sub = await gitOf(disk.at('sub'));
    assert.deepEqual([sub.prefix, sub.folder], ['', disk.at('.git/modules/sub')]);
  });

  it('knows the algorithm of the ids', async () => {
    disk = new GitRoot({}, ['--object-format=sha256']);
    assert.equal((await gitOf(disk.root)).algorithm, 'sha256');
  });

  it('is not there without a repository, in the data of git, and in a bare one', async () => {
    disk = new TestRoot();
    assert.equal(await openGit(disk.root, trusted), undefined);
    disk.remove();
    const repository = new GitRoot();
    disk = repository;
    assert.equal(await openGit(disk.at('.git'), trusted), undefined);
    repository.git('init', '-q', '--bare', '../bare');
    assert.equal(await openGit(disk.at('../bare'), trusted), undefined);
  });

  it('is not there where no program of that name is', async () => {
    disk = new GitRoot();
    const folders = process.env['PATH'];
    try {
      process.env['PATH'] = disk.root;
      assert.equal(await openGit(disk.root, trusted), undefined);
    } finally {
      process.env['PATH'] = folders;
    }
  });

  it('is the one of the folder, whatever the editor was started in', async () => {
    disk = new GitRoot();
    const other = new GitRoot();
    try {
      process.env['GIT_DIR'] = other.at('.git');
      assert.equal((await gitOf(disk.root)).folder, disk.at('.git'));
    } finally {
      other.remove();
    }
  });

  it('does not start git in a folder that is not trusted', async () => {
    disk = new TestRoot();
    const program = disk.write('../git', `#!/bin/sh\ntouch '${disk.at('../started')}'\n`);
    chmodSync(program, 0o755);
    assert.equal(await openGit(disk.root, { isTrusted: false, program }), undefined);
    assert.ok(!existsSync(disk.at('../started')));
    await openGit(disk.root, { isTrusted: true, program });
    assert.ok(existsSync(disk.at('../started')), 'the trap does not work');
  });

  it('throws what went wrong, stops when canceled, and says what was cut off', async () => {
    disk = new GitRoot({ 'a.txt': 'x', 'b.txt': 'y' });
    const git = await gitOf(disk.root);
    await assert.rejects(git.run('rev-parse', ['--verify', 'nothing']), GitError);
    const signal = AbortSignal.abort();
    await assert.rejects(git.run('ls-files', [], { signal }), { name: 'AbortError' });
    assert.equal((await git.run('ls-files', ['-o'], { maxBytes: 4 })).isCut, true);
    assert.equal((await git.run('ls-files', ['-o'])).isCut, false);
    const missing = new Git(disk.at('no-git'), disk.root, git);
    await assert.rejects(missing.run('ls-files', []), GitError);
  });
});

describe('the lists of git', () => {
  withoutUserSettings();
  let disk: GitRoot;
  afterEach(() => disk.remove());

  it('say which files are not those of the index, relative to the root', async () => {
    disk = new GitRoot({ 'in/a.txt': 'a', 'in/b.txt': 'b', 'in/ü\n c': 'c', 'out.txt': 'x' });
    disk.commit();
    disk.write('in/a.txt', 'changed');
    disk.write('in/ü\n c', 'changed');
    disk.write('out.txt', 'changed');
    rmSync(disk.at('in/b.txt'));
    disk.write('in/new.txt', 'n');
    disk.git('add', '-N', 'in/new.txt');
    const inner = await gitOf(disk.at('in'));
    assert.deepEqual((await dirtyPaths(inner)).paths.toSorted(), [
      'a.txt',
      'b.txt',
      'new.txt',
      'ü\n c',
    ]);
    assert.deepEqual((await dirtyPaths(await gitOf(disk.root))).paths.length, 5);
  });

  it('say which files git does not know, without those that are ignored or generated', async () => {
    disk = new GitRoot({
      '.gitignore': '*.log\n',
      'a.txt': 'a',
      'in/new.txt': 'n',
      'in/.splice-draft-12': 'draft',
      'x.log': 'l',
      'node_modules/m/index.js': 'm',
      'packages/p/node_modules/m/index.js': 'm',
    });
    disk.git('add', 'a.txt');
    mkdirSync(disk.at('nested'));
    disk.gitIn('nested', 'init', '-q');
    disk.write('nested/file.txt', 'x');
    const git = await gitOf(disk.root);
    assert.deepEqual(await untrackedPaths(git), {
      paths: ['.gitignore', 'in/new.txt'],
      isCut: false,
      repositories: ['nested'],
    });
    assert.deepEqual((await untrackedPaths(await gitOf(disk.at('in')))).paths, ['new.txt']);
  });

  it('say which paths are ignored, whatever they are called', async () => {
    disk = new GitRoot({
      '.gitignore': 'out/\n*.log\n!keep.log\n:(glob)x\n',
      'tracked.log': '',
      'real/x.txt': '',
    });
    disk.git('add', '-f', 'tracked.log');
    disk.git('-c', 'protocol.file.allow=always', 'init', '-q', 'sub');
    disk.gitIn('sub', 'commit', '-q', '--allow-empty', '-m', 'x');
    disk.git('add', 'sub');
    execFileSync('ln', ['-s', 'real', disk.at('link')]);
    const paths = ['a.log', 'link/x.txt', 'keep.log', 'out/deep/b.txt', 'sub/x', 'tracked.log'];
    paths.push(':(glob)x', 'new\nline.log', '-n', 'ü.log', 'plain.txt');
    const git = await gitOf(disk.root);
    assert.deepEqual(
      [...(await ignoredOf(git, paths))],
      ['a.log', 'out/deep/b.txt', ':(glob)x', 'new\nline.log', 'ü.log'],
    );
    assert.deepEqual([...(await ignoredOf(git, []))], []);
  });

  it('say which commit is checked out', async () => {
    disk = new GitRoot({ a: 'a' });
    const git = await gitOf(disk.root);
    assert.equal(await headId(git), undefined);
    assert.equal(await headId(git), undefined);
    const id = disk.commit();
    assert.equal(await headId(git), id);
  });
});

describe('the objects of git', () => {
  withoutUserSettings();
  let disk: GitRoot;
  afterEach(() => disk.remove());

  it('are found by id and name, many at once', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n', 'in/b.txt': 'b\n' });
    disk.commit();
    const objects = new GitObjects(await gitOf(disk.root));
    const a = contentOf(Buffer.from('a\n'), 'sha1').id;
    assert.deepEqual(await objects.find('HEAD:a.txt'), { id: a, type: 'blob', size: 2 });
    const found = await Promise.all(
      ['HEAD:none', 'HEAD:in', 'HEAD', 'HEAD:in/b.txt', 'x\ny', ''].map(name => objects.find(name)),
    );
    assert.deepEqual(
      found.map(one => one?.type),
      [undefined, 'tree', 'commit', 'blob', undefined, undefined],
    );
    assert.equal(String(await objects.blob(a)), 'a\n');
    assert.equal(await objects.blob(disk.git('rev-parse', 'HEAD')), undefined);
    assert.equal(await objects.blob('HEAD:a.txt'), undefined);
    assert.equal(await objects.blob('0'.repeat(40)), undefined);
    objects.dispose();
    await assert.rejects(async () => {
      const asked = objects.find('HEAD');
      objects.dispose();
      return asked;
    });
  });

  it('come whole, whatever their size', async () => {
    disk = new GitRoot();
    const sizes = [0, 1, 65_535, 65_536, 65_537, 5_000_000];
    const texts = sizes.map(size => Buffer.alloc(size, 'x\n\0'));
    for (const [index, text] of texts.entries()) disk.write(`f${index}`, text);
    disk.commit();
    const objects = new GitObjects(await gitOf(disk.root));
    const ids = texts.map(text => contentOf(text, 'sha1').id);
    for (let round = 0; round < 2; round++) {
      const read = await Promise.all(ids.map(id => objects.blob(id)));
      for (const [index, bytes] of read.entries()) assert.ok(bytes?.equals(texts[index] ?? bytes));
    }
    objects.dispose();
  });

  it('are not those that a replacement claims to be', async () => {
    disk = new GitRoot({ a: 'a\n', b: 'b\n' });
    disk.commit();
    const [a = '', b = ''] = ['a\n', 'b\n'].map(text => contentOf(Buffer.from(text), 'sha1').id);
    disk.git('replace', a, b);
    const objects = new GitObjects(await gitOf(disk.root));
    assert.equal(String(await objects.blob(a)), 'a\n');
    objects.dispose();
  });
});

describe('a hostile repository', () => {
  withoutUserSettings();
  let disk: GitRoot;
  afterEach(() => disk.remove());

  it('runs no file monitor, hook, diff, text conversion or pager', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n' });
    disk.commit();
    const trap = disk.trap('program');
    disk.git('config', 'core.fsmonitor', trap.program);
    for (const name of ['diff.external', 'diff.evil.command', 'diff.evil.textconv']) {
      disk.git('config', name, trap.program);
    }
    disk.git('config', 'core.pager', trap.program);
    disk.git('config', 'pager.ls-files', trap.program);
    disk.write('.git/info/attributes', '* diff=evil\n');
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout']) {
      execFileSync('cp', [trap.program, disk.at(`.git/hooks/${hook}`)]);
    }
    disk.write('a.txt', 'changed\n');
    await askEverything(disk.root);
    assert.ok(!trap.hasRun());
    disk.git('status');
    assert.ok(trap.hasRun(), 'the trap does not work');
  });

  it('runs no filter, not even for files whose times say nothing', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n' });
    disk.commit();
    // Not older than the index: git has to compare the bytes.
    execFileSync('touch', ['-d', '2030-01-01 00:00:00', disk.at('a.txt')]);
    disk.git('update-index', '--refresh');
    const trap = disk.trap('filter');
    disk.write('.gitattributes', '* filter=evil\n');
    for (const kind of ['clean', 'smudge', 'process']) {
      disk.git('config', `filter.evil.${kind}`, trap.program);
    }
    disk.git('config', 'filter.evil.required', 'true');
    await askEverything(disk.root);
    assert.ok(!trap.hasRun());
    disk.failingGit('diff-files');
    assert.ok(trap.hasRun(), 'the trap does not work');
  });

  it('runs nothing that the configuration of a submodule names', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n' });
    disk.commit();
    disk.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', './', 'sub');
    disk.commit();
    const trap = disk.trap('program');
    disk.gitIn('sub', 'config', 'core.fsmonitor', trap.program);
    disk.write('sub/a.txt', 'changed\n');
    await askEverything(disk.root);
    assert.ok(!trap.hasRun());
    disk.git('diff-files');
    assert.ok(trap.hasRun(), 'the trap does not work');
  });

  it('is not compared when it has a filter that cannot be turned off', async () => {
    disk = new GitRoot();
    disk.write('.git/config', `${disk.read('.git/config')}[filter "a=b"]\n\tclean = x\n`);
    await assert.rejects(dirtyPaths(await gitOf(disk.root)), GitError);
  });

  it('starts nothing to fetch what a partial clone leaves out', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n' });
    disk.commit();
    const id = contentOf(Buffer.from('a\n'), 'sha1').id;
    const trap = disk.trap('ssh');
    disk.git('config', 'core.repositoryFormatVersion', '1');
    disk.git('config', 'extensions.partialClone', 'origin');
    disk.git('config', 'remote.origin.url', 'ssh://example.invalid/x');
    disk.git('config', 'remote.origin.promisor', 'true');
    disk.git('config', 'core.sshCommand', trap.program);
    disk.git('config', 'protocol.allow', 'always');
    rmSync(disk.at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`));
    await askEverything(disk.root);
    assert.ok(!trap.hasRun());
    disk.failingGit('cat-file', 'blob', id);
    assert.ok(trap.hasRun(), 'the trap does not work');
  });

  it('writes nothing into the repository', async () => {
    disk = new GitRoot({ 'a.txt': 'a\n' });
    disk.commit();
    disk.write('a.txt', 'changed\n');
    const before = execFileSync('find', ['.git', '-printf', '%p %s %T@ %i\\n'], { cwd: disk.root });
    await askEverything(disk.root);
    const after = execFileSync('find', ['.git', '-printf', '%p %s %T@ %i\\n'], { cwd: disk.root });
    assert.equal(String(after), String(before));
  });
});
