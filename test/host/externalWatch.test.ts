// What the window reports of files that other programs and the editor write.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { contentOf } from '../../src/apply/external/core/content';
import { RootFiles } from '../../src/apply/external/disk/diskFiles';
import type { DiskBatch } from '../../src/apply/external/disk/events/eventBatches';
import { eventFiles } from '../../src/apply/external/disk/events/eventFiles';
import { RootWatcher } from '../../src/apply/external/disk/events/rootWatcher';
import { openGit } from '../../src/apply/external/disk/git';
import { moveToTrash } from '../../src/apply/external/disk/trash';
import { closeAll, fileUri, sleep, waitFor } from './support';

const knownBelow = (folder: string): string[] =>
  folder === 'moved' ? ['moved/deep/file.txt'] : [];

const names = ['a.txt', 'in/b.txt', 'in/ü c.txt'];

describe('the watcher of a root', () => {
  let root: string;
  let watcher: RootWatcher | undefined;
  let batches: DiskBatch[];

  beforeEach(() => {
    root = fileUri('external').fsPath;
    mkdirSync(root, { recursive: true });
    batches = [];
  });
  afterEach(async () => {
    watcher?.dispose();
    watcher = undefined;
    await closeAll();
    rmSync(root, { recursive: true, force: true });
  });

  /** Runs once the watcher has reported a file of its own: before that, nothing is. */
  async function watch(git?: { folder: string; commonFolder: string }): Promise<void> {
    watcher = new RootWatcher({
      folder: vscode.Uri.file(root),
      git,
      isLeftOut: below => below.endsWith('.left'),
      onBatch: batch => batches.push(batch),
    });
    watcher.scan();
    await waitFor(() => batches.some(({ needsScan }) => needsScan), 'the scan of the start');
    // A folder that is made while watching begins may not be watched itself, so that it is made after that.
    for (const first of ['first', 'in/first']) {
      mkdirSync(path.dirname(path.join(root, first)), { recursive: true });
      await waitFor(async () => {
        writeFileSync(path.join(root, first), `${Date.now()}`);
        await sleep(200);
        return reported(first) > 0;
      }, 'the first event');
    }
    // Events of the same file that are still on their way.
    await quiet();
    batches.length = 0;
  }

  const reported = (below: string): number =>
    batches.filter(({ paths }) => paths.includes(below)).length;

  /** Until no batch has come for longer than a batch takes. */
  async function quiet(): Promise<void> {
    for (let count = -1; count !== batches.length; await sleep(1500)) count = batches.length;
  }

  /** Writes files in one go, in another process. */
  function writeOutside(files: readonly string[]): void {
    const script =
      'const [, root, ...names] = process.argv; for (const name of names) require("fs").writeFileSync(root + "/" + name, "outside\\n");';
    execFileSync(process.execPath, ['-e', script, root, ...files], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
  }

  it('reports what another program writes once, and nothing that is left out', async () => {
    await watch();
    writeOutside([...names, 'x.left']);
    await waitFor(() => names.every(name => reported(name) > 0), 'all files');
    await quiet();
    assert.deepEqual(
      names.map(name => reported(name)),
      [1, 1, 1],
    );
    assert.equal(reported('x.left'), 0);
    assert.ok(batches.every(({ needsScan, isGitChanged }) => !needsScan && !isGitChanged));
  });

  it('reports what the editor saves as well: only the bytes tell who wrote', async () => {
    writeFileSync(path.join(root, 'a.txt'), 'before\n');
    await watch();
    const document = await vscode.workspace.openTextDocument(path.join(root, 'a.txt'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'typed\n');
    await vscode.workspace.applyEdit(edit);
    assert.ok(await document.save());
    await waitFor(() => reported('a.txt') > 0, 'the saved file');
    await quiet();
    assert.equal(reported('a.txt'), 1);
  });

  it('reports a folder that is moved in and away, whose files can be listed', async () => {
    await watch();
    const outside = fileUri('external-outside').fsPath;
    mkdirSync(path.join(outside, 'deep'), { recursive: true });
    writeFileSync(path.join(outside, 'deep/file.txt'), 'x');
    const filesOf = async (): Promise<string[]> => {
      const paths = [...new Set(batches.flatMap(batch => batch.paths))];
      return (await eventFiles({ root, paths, isLeftOut: () => false, knownBelow })) ?? [];
    };
    const isListed = async (): Promise<boolean> =>
      (await filesOf()).includes('moved/deep/file.txt');
    renameSync(outside, path.join(root, 'moved'));
    await waitFor(isListed, 'the file in the folder that was moved in');
    await quiet();
    batches.length = 0;
    renameSync(path.join(root, 'moved'), outside);
    await waitFor(isListed, 'the file in the folder that was moved away');
    rmSync(outside, { recursive: true });
  });

  it('reports that something was done with git, and no file of git', async () => {
    const git = (...args: string[]): void => {
      const name = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
      execFileSync('git', [...name, ...args], { cwd: root, stdio: 'ignore' });
    };
    git('init', '-q');
    writeFileSync(path.join(root, 'a.txt'), 'a\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    const opened = await openGit(root, { isTrusted: true });
    assert.ok(opened);
    await watch(opened);
    for (const args of [
      ['commit', '-q', '--allow-empty', '-m', 'second'],
      ['checkout', '-q', '-b', 'other'],
      ['add', 'first'],
      ['stash'],
    ]) {
      batches.length = 0;
      git(...args);
      await waitFor(() => batches.some(({ isGitChanged }) => isGitChanged), args.join(' '));
      await quiet();
      const paths = batches.flatMap(batch => batch.paths);
      assert.ok(!paths.some(below => below.includes('.git')), paths.join(', '));
    }
  });

  it('deletes into the trash, or for good where there is none', async () => {
    const file = path.join(root, 'a.txt');
    writeFileSync(file, 'x');
    const folder = vscode.Uri.file(root);
    const moved = async (absolute: string) => moveToTrash(folder, absolute);
    const files = new RootFiles({ root, algorithm: 'sha1', moveToTrash: moved });
    assert.equal(await files.trash('a.txt', contentOf(Buffer.from('x'), 'sha1')), 'done');
    assert.ok(!existsSync(file));
  });
});
