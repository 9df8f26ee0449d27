import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WindowFolders } from '../../../../../src/apply/review/journal/windowFolders';

describe('the folders of windows without a workspace folder', () => {
  let root: string;
  const folder = (name: string, owner: string | undefined, ...journals: string[]): string => {
    const own = path.join(root, name);
    mkdirSync(own);
    if (owner !== undefined) writeFileSync(path.join(own, 'owner'), owner);
    for (const journal of journals) writeFileSync(path.join(own, `${journal}.journal`), 'x');
    return own;
  };
  // No process has this id on any system.
  const dead = String(2 ** 31 - 2);

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'splice-windows-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('finds what a window left that is gone, and leaves living windows alone', async () => {
    folder('gone', dead, 'one', 'two');
    folder('alive', String(process.pid), 'three');
    const own = path.join(root, 'own');
    const windows = new WindowFolders(own);
    await windows.claim();
    const left = await windows.left();
    assert.deepEqual(left.map(file => path.basename(file)).sort(), ['one.journal', 'two.journal']);
    await windows.adopt(left);
    assert.deepEqual(readdirSync(own).sort(), ['one.journal', 'owner', 'two.journal']);
    assert.deepEqual(await windows.left(), []);
  });

  it('lets one of two windows take a journal', async () => {
    folder('gone', undefined, 'one');
    const [first, second] = ['first', 'second'].map(
      name => new WindowFolders(path.join(root, name)),
    );
    assert.ok(first && second);
    await first.claim();
    await second.claim();
    const left = await first.left();
    assert.deepEqual(await second.left(), left);
    await first.adopt(left);
    await second.adopt(left);
    assert.deepEqual(readdirSync(path.join(root, 'first')).sort(), ['one.journal', 'owner']);
    assert.deepEqual(readdirSync(path.join(root, 'second')), ['owner']);
  });

  it('removes folders of windows that left nothing, and takes only journals of the others', async () => {
    folder('nothing', dead);
    folder('empty', undefined);
    writeFileSync(path.join(folder('more', dead, 'one'), 'notes.txt'), 'x');
    writeFileSync(path.join(folder('notes', dead), 'notes.txt'), 'x');
    const windows = new WindowFolders(path.join(root, 'own'));
    await windows.claim();
    assert.deepEqual(await windows.left(), [path.join(root, 'more', 'one.journal')]);
    assert.deepEqual(readdirSync(root).sort(), ['more', 'notes', 'own']);
  });

  it('removes the history of a closed window 30 days after its last change', async () => {
    const history = path.join(folder('ended', dead), 'history');
    mkdirSync(history);
    writeFileSync(path.join(history, 'one.journal'), 'x');
    folder('pending', dead, 'two');
    const windows = new WindowFolders(path.join(root, 'own'));
    await windows.claim();
    const day = 24 * 3600 * 1000;
    await windows.left(Date.now() + 29 * day);
    assert.deepEqual(readdirSync(root).sort(), ['ended', 'own', 'pending']);
    await windows.left(Date.now() + 31 * day);
    assert.deepEqual(readdirSync(root).sort(), ['own', 'pending']);
  });

  it('takes a window for alive whose owner cannot be read', async () => {
    mkdirSync(path.join(folder('unreadable', undefined, 'one'), 'owner'));
    const windows = new WindowFolders(path.join(root, 'own'));
    await windows.claim();
    assert.deepEqual(await windows.left(), []);
  });

  it('says when a journal cannot be moved', async () => {
    const left = [path.join(folder('gone', dead, 'one'), 'one.journal')];
    const own = folder('own', undefined);
    // A folder stands where the journal would go.
    mkdirSync(path.join(own, 'one.journal'));
    await assert.rejects(new WindowFolders(own).adopt(left));
  });
});
