import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { asRead } from './asRead';
import * as external from './externalRows';
import {
  answer,
  closeAll,
  fileUri,
  lensTitles,
  message,
  openFile,
  run,
  setSelection,
  setSetting,
  sleep,
  waitFor,
} from './support';

/** A folder for each test: VS Code keeps the text of a file for a while. */
let folder = '';
let folders = 0;

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const original = `${lines.join('\n')}\n`;
const changed = original
  .replace('line 3\n', 'line three\n')
  .replace('line 20\n', '')
  .replace('line 28\n', 'line 28\nline 28b\n');

/** Another text, or a file that is moved could be any of those that are gone. */
const moved = 'one\ntwo\n';

const disk = (name: string): string => fileUri(`${folder}/${name}`).fsPath;
const onDisk = (name: string): string | undefined =>
  existsSync(disk(name)) ? readFileSync(disk(name), 'utf8') : undefined;

/** Writes as another program does. */
function writeOutside(name: string, text: string): void {
  const script = `require('node:fs').writeFileSync(process.argv[1], process.argv[2])`;
  execFileSync(process.execPath, ['-e', script, disk(name), text], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
}

function gitIn(cwd: string, ...args: readonly string[]): void {
  const settings = ['user.name=a', 'user.email=a@b', 'commit.gpgSign=false'];
  execFileSync('git', [...settings.flatMap(each => ['-c', each]), ...args], {
    cwd,
    stdio: 'ignore',
  });
}

const rowOf = async (name: string) => external.rowOf(fileUri(`${folder}/${name}`));
const changesOf = async (name: string) => (await rowOf(name))?.children ?? [];
const listed = async (name: string, changes: number) =>
  external.listed(fileUri(`${folder}/${name}`), changes);
const gone = async (name: string) => external.gone(fileUri(`${folder}/${name}`));
const { follow, rows: rowsOf } = external;

const sideOf = async (name: string, query: string) =>
  waitFor(
    () =>
      vscode.workspace.textDocuments.find(
        ({ uri }) => uri.path.endsWith(`${folder}/${name}`) && uri.query === query,
      ),
    `${query} of ${name}`,
  );

/** Follows the folders anew, as in another session. */
async function restart(): Promise<void> {
  await follow(false);
  await follow(true);
  await run('splice.external.reviewFromNow');
}

describe('changes that other programs make', () => {
  before(async () => {
    await follow(true);
    // The first command waits until the folders are followed.
    await run('splice.external.reviewFromNow');
  });

  beforeEach(async () => {
    folder = `external-${folders++}`;
    mkdirSync(disk('.'), { recursive: true });
    for (const name of ['a.txt', 'b.txt']) writeFileSync(disk(name), original);
    writeFileSync(disk('c.txt'), moved);
    await waitFor(async () => (await rowOf('c.txt')) !== undefined, 'the new files are seen');
    await run('splice.external.reviewFromNow');
    await waitFor(async () => (await rowsOf()).length === 0, 'nothing is listed');
  });

  afterEach(async () => {
    await closeAll();
    rmSync(disk('.'), { recursive: true, force: true });
    await run('splice.external.reviewFromNow');
  });

  after(async () => follow(false));

  it('are listed, kept and undone one by one', async () => {
    writeOutside('a.txt', changed);
    const [first, second, third] = await listed('a.txt', 3);
    await run('splice.external.keepChange', first);
    await listed('a.txt', 2);
    assert.equal(onDisk('a.txt'), changed, 'keep writes nothing');
    await run('splice.external.undoChange', second);
    await listed('a.txt', 1);
    assert.equal(onDisk('a.txt'), changed.replace('line 19\n', 'line 19\nline 20\n'));
    await run('splice.external.undoChange', third);
    await gone('a.txt');
    assert.equal(onDisk('a.txt'), original.replace('line 3\n', 'line three\n'));
    for (let left = 3; left > 0; left--) await run('splice.external.undoDecision');
    await listed('a.txt', 3);
    assert.equal(onDisk('a.txt'), changed);
  });

  it('are undone in the editor of an open file, where the native undo takes it back', async () => {
    const { document } = await openFile(`${folder}/a.txt`);
    writeOutside('a.txt', changed);
    await waitFor(() => document.getText() === changed, 'the editor has the new text');
    await listed('a.txt', 3);
    await run('splice.external.undoFile', fileUri(`${folder}/a.txt`));
    await gone('a.txt');
    assert.equal(onDisk('a.txt'), original);
    assert.equal(document.isDirty, false);
    await run('undo');
    assert.equal(document.getText(), changed);
    await document.save();
    assert.equal(onDisk('a.txt'), changed);
  });

  it('are decided where the cursor goes, however fast the keys follow each other', async () => {
    const far = [...lines, ...Array.from({ length: 300 }, (_, index) => `more ${index}`), ''];
    const text = far.join('\n');
    writeFileSync(disk('a.txt'), text);
    await waitFor(async () => (await changesOf('a.txt')).length > 0, 'the new text is seen');
    await run('splice.external.reviewFromNow');
    const twice = text.replace('line 3\n', 'line three\n').replace('more 250\n', 'MORE 250\n');
    writeOutside('a.txt', twice);
    await listed('a.txt', 2);
    const editor = await openFile(`${folder}/a.txt`);
    await setSelection(editor, new vscode.Selection(2, 0, 2, 0));
    await Promise.all([run('splice.external.nextChange'), run('splice.external.undoChange')]);
    await waitFor(
      () => onDisk('a.txt') === twice.replace('MORE 250', 'more 250'),
      'the second change is undone, and the first one stays',
    );
  });

  it('leave out what the user saves, also beside a change', async () => {
    const { document } = await openFile(`${folder}/a.txt`);
    const type = async (from: string, to: string): Promise<void> => {
      const at = document.positionAt(document.getText().indexOf(from));
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(at, at.translate(0, from.length)), to);
      await vscode.workspace.applyEdit(edit);
    };
    await type('line 10', 'my line 10');
    await document.save();
    writeOutside('b.txt', changed);
    await listed('b.txt', 3);
    assert.equal(await rowOf('a.txt'), undefined);
    const mine = original.replace('line 10\n', 'my line 10\n');
    writeOutside('a.txt', mine.replace('line 3\n', 'line three\n'));
    await waitFor(() => document.getText().includes('line three'), 'the editor has it');
    await listed('a.txt', 1);
    await type('line 25', 'my line 25');
    await document.save();
    await listed('a.txt', 1);
    // What is decided before the save is known is refused, because the file is another one by then.
    await waitFor(async () => {
      await run('splice.external.undoFile', fileUri(`${folder}/a.txt`));
      return onDisk('a.txt') === mine.replace('line 25\n', 'my line 25\n');
    }, 'the change is undone');
    await gone('a.txt');
    assert.equal(onDisk('a.txt'), mine.replace('line 25\n', 'my line 25\n'));
  });

  it('ask before an edit of the user within a change is undone', async () => {
    const { document } = await openFile(`${folder}/a.txt`);
    writeOutside('a.txt', original.replace('line 3\n', 'line three\n'));
    await waitFor(() => document.getText().includes('line three'), 'the editor has it');
    await listed('a.txt', 1);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(2, 0, 2, 4), 'My line');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await waitFor(
      async () => (await rowOf('a.txt'))?.data.description?.includes('edited by you'),
      'it is marked',
    );
    await run('splice.external.undoFile', fileUri(`${folder}/a.txt`));
    await message(/You have edited these changes/);
    assert.ok(onDisk('a.txt')?.includes('My line three'));
    answer(/You have edited these changes/, 'Undo with My Edits');
    await run('splice.external.undoFile', fileUri(`${folder}/a.txt`));
    await gone('a.txt');
    assert.equal(onDisk('a.txt'), original);
  });

  it('write nothing over unsaved text', async () => {
    const { document } = await openFile(`${folder}/a.txt`);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'unsaved\n');
    await vscode.workspace.applyEdit(edit);
    writeOutside('a.txt', changed);
    await listed('a.txt', 3);
    assert.ok((await rowOf('a.txt'))?.data.description?.includes('unsaved text of yours'));
    await run('splice.external.undoFile', fileUri(`${folder}/a.txt`));
    await message(/unsaved text in it/);
    assert.equal(onDisk('a.txt'), changed);
    assert.ok(document.getText().startsWith('unsaved\n'));
    await run('workbench.action.files.revert');
  });

  it('are new, deleted and renamed files, decided as a whole', async () => {
    writeOutside('new.txt', 'new\n');
    rmSync(disk('b.txt'));
    renameSync(disk('c.txt'), disk('d.txt'));
    await waitFor(
      async () =>
        (await rowOf('new.txt')) &&
        (await rowOf('b.txt')) &&
        (await rowOf('d.txt'))?.data.icon?.id === 'diff-renamed',
      'all three are listed',
    );
    assert.equal(await rowOf('c.txt'), undefined);
    await run('splice.external.undoFile', await rowOf('new.txt'));
    await run('splice.external.undoFile', await rowOf('b.txt'));
    await run('splice.external.undoFile', await rowOf('d.txt'));
    await waitFor(async () => (await rowsOf()).length === 0, 'nothing is left');
    assert.deepEqual(['new.txt', 'b.txt', 'c.txt', 'd.txt'].map(onDisk), [
      undefined,
      original,
      moved,
      undefined,
    ]);
    for (let left = 3; left > 0; left--) await run('splice.external.undoDecision');
    assert.deepEqual(['new.txt', 'b.txt', 'c.txt', 'd.txt'].map(onDisk), [
      'new\n',
      undefined,
      undefined,
      moved,
    ]);
  });

  it('are decided on the page for files that no editor shows, too', async () => {
    writeFileSync(disk('logo.png'), Uint8Array.of(1, 0, 2));
    await waitFor(async () => rowOf('logo.png'), 'the image is seen');
    await run('splice.external.reviewFromNow');
    await waitFor(async () => (await rowsOf()).length === 0, 'nothing is listed');
    writeFileSync(disk('logo.png'), Uint8Array.of(1, 0, 2, 0));
    writeFileSync(disk('new.png'), Uint8Array.of(0, 1));
    await waitFor(
      async () => (await rowOf('logo.png')) && (await rowOf('new.png')),
      'both are listed',
    );
    await run('splice.external.openPage');
    assert.equal(asRead((await sideOf('logo.png', 'size-reviewed')).getText()), 'No text, 3 bytes');
    const now = await sideOf('logo.png', 'size-now');
    assert.equal(asRead(now.getText()), 'No text, 4 bytes');
    assert.deepEqual(await lensTitles(now), [
      '$(git-compare) binary',
      '$(check) Keep File',
      '$(discard) Undo File',
    ]);
    assert.deepEqual(await lensTitles(await sideOf('new.png', 'size-now')), [
      '$(git-compare) new file',
      '$(check) Keep New File',
      '$(discard) Delete File',
    ]);
    for (const name of ['logo.png', 'new.png']) {
      await run('splice.external.undoFile', await rowOf(name));
    }
    await waitFor(async () => (await rowsOf()).length === 0, 'nothing is left');
    assert.deepEqual([...readFileSync(disk('logo.png'))], [1, 0, 2]);
    assert.equal(existsSync(disk('new.png')), false);
  });

  it('that return to the reviewed text are not listed any more', async () => {
    writeOutside('a.txt', changed);
    await listed('a.txt', 3);
    writeOutside('a.txt', original);
    await gone('a.txt');
  });

  it('do nothing for a row that has changed since it was drawn', async () => {
    writeOutside('a.txt', original.replace('line 3\n', 'line three\n'));
    const [row] = await listed('a.txt', 1);
    assert.ok(row);
    const old = { ...row };
    writeOutside('a.txt', original.replace('line 3\n', 'line 3 again\n'));
    await waitFor(
      async () => (await changesOf('a.txt'))[0]?.id !== old.id && (await changesOf('a.txt')).length,
      'the change is another one',
    );
    await run('splice.external.undoChange', old);
    await message(/has changed since it was shown/);
    assert.ok(onDisk('a.txt')?.includes('line 3 again'));
  });

  it('that the user makes in the Explorer are reviewed', async () => {
    writeOutside('a.txt', changed);
    await listed('a.txt', 3);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(fileUri(`${folder}/a.txt`), fileUri(`${folder}/moved.txt`));
    edit.deleteFile(fileUri(`${folder}/b.txt`));
    await vscode.workspace.applyEdit(edit);
    await listed('moved.txt', 3);
    await gone('a.txt');
    await gone('b.txt');
    await run('splice.external.undoFile', fileUri(`${folder}/moved.txt`));
    assert.equal(onDisk('moved.txt'), original);
  });

  it('are not those that git makes, but those that somebody commits', async function () {
    this.timeout(120_000);
    const root = fileUri('.').fsPath;
    const git = (...args: string[]) => gitIn(root, ...args);
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    git('checkout', '-q', '-b', 'other');
    writeFileSync(disk('b.txt'), changed);
    git('commit', '-q', '-a', '-m', 'second');
    git('checkout', '-q', 'main');
    try {
      await restart();
      writeOutside('a.txt', changed);
      await listed('a.txt', 3);
      git('checkout', '-q', 'other');
      writeOutside('c.txt', 'committed by another program\n');
      git('commit', '-q', '-m', 'third', `${folder}/c.txt`);
      await waitFor(async () => rowOf('c.txt'), 'what was committed is listed');
      await listed('a.txt', 3);
      assert.equal(onDisk('b.txt'), changed);
      assert.equal(await rowOf('b.txt'), undefined);
    } finally {
      rmSync(path.join(root, '.git'), { recursive: true, force: true });
      await restart();
    }
  });

  it('are found in files that were written while nobody looked', async () => {
    await follow(false);
    writeFileSync(disk('later.txt'), 'later\n');
    await follow(true);
    await waitFor(async () => rowOf('later.txt'), 'the new file is listed');
    await run('splice.external.undoFile', fileUri(`${folder}/later.txt`));
    await waitFor(() => !existsSync(disk('later.txt')), 'the new file is gone');
  });

  it('can be kept but not undone where the file was too large to be stored', async () => {
    const large = Buffer.alloc(21 * 1024 * 1024, 'large\n');
    await follow(false);
    writeFileSync(disk('large.txt'), large);
    await follow(true);
    await waitFor(async () => rowOf('large.txt'), 'the file is listed');
    await run('splice.external.reviewFromNow');
    await gone('large.txt');
    writeFileSync(disk('large.txt'), Buffer.concat([large, Buffer.from('more\n')]));
    const row = await waitFor(async () => rowOf('large.txt'), 'the change is listed');
    assert.match(row.data.description ?? '', /earlier text is lost/);
    await run('splice.external.undoFile', fileUri(`${folder}/large.txt`));
    await message(/can be kept but not undone/);
    assert.equal(readFileSync(disk('large.txt')).byteLength, large.byteLength + 5);
  });

  it('are those of a repository in the folder as well, compared with its own index', async () => {
    await follow(false);
    const git = (...args: string[]) => gitIn(disk('nested'), ...args);
    mkdirSync(disk('nested'));
    writeFileSync(disk('nested/in.txt'), 'in\n');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'a');
    await follow(true);
    await run('splice.external.reviewFromNow');
    await waitFor(async () => {
      writeFileSync(disk('nested/in.txt'), `in\nmore ${Date.now()}\n`);
      await sleep(500);
      return (await changesOf('nested/in.txt')).length === 1;
    }, 'the change is listed');
    await run('splice.external.undoFile', fileUri(`${folder}/nested/in.txt`));
    await waitFor(() => onDisk('nested/in.txt') === 'in\n', 'the committed text is back');
  });

  it('are those of a repository that is created while its folder is followed', async () => {
    const git = (...args: string[]) => gitIn(disk('later'), ...args);
    const committed = (): void => {
      mkdirSync(disk('later'));
      git('init', '-q');
      writeFileSync(disk('later/in.txt'), 'in\n');
      git('add', '-A');
      git('commit', '-q', '-m', 'a');
    };
    const isFollowed = async (): Promise<void> => {
      await waitFor(async () => {
        writeFileSync(disk('later/in.txt'), `in\nmore ${Date.now()}\n`);
        await sleep(500);
        return (await changesOf('later/in.txt')).length === 1;
      }, 'the change is listed');
      // An earlier one of these writes may be listed, and the next ones after it.
      await waitFor(async () => {
        if ((await changesOf('later/in.txt')).length === 0) return true;
        await run('splice.external.keepFile', fileUri(`${folder}/later/in.txt`));
        await sleep(500);
        return false;
      }, 'the change is kept');
      const kept = onDisk('later/in.txt');
      writeFileSync(disk('later/in.txt'), `${kept}last\n`);
      await listed('later/in.txt', 1);
      await run('splice.external.undoFile', fileUri(`${folder}/later/in.txt`));
      await waitFor(() => onDisk('later/in.txt') === kept, 'the text that was kept is back');
    };
    committed();
    await isFollowed();
    rmSync(disk('later'), { recursive: true });
    await sleep(1000);
    committed();
    await isFollowed();
  });

  it('are kept by staging only where the user wants that, and can be listed again', async () => {
    const root = fileUri('.').fsPath;
    const git = (...args: string[]) => gitIn(root, ...args);
    git('init', '-q');
    try {
      await restart();
      git('add', '-A');
      await waitFor(async () => {
        writeOutside('a.txt', changed);
        await sleep(300);
        return (await changesOf('a.txt')).length === 3;
      }, 'the changes are listed');
      git('add', '-A');
      await sleep(1500);
      await listed('a.txt', 3);
      await setSetting('splice.externalChanges.keepStaged', true);
      writeOutside('b.txt', changed);
      await listed('b.txt', 3);
      git('add', '-A');
      await gone('b.txt');
      await run('splice.external.undoDecision');
      await listed('b.txt', 3);
    } finally {
      await setSetting('splice.externalChanges.keepStaged', undefined);
      rmSync(fileUri('.git').fsPath, { recursive: true });
      await restart();
    }
  });

  it('are forgotten when the user agrees, with all that is stored', async () => {
    writeOutside('a.txt', changed);
    await listed('a.txt', 3);
    await run('splice.external.forget');
    await message(/Forget all external changes/);
    await listed('a.txt', 3);
    answer(/Forget all external changes/, 'Forget');
    await run('splice.external.forget');
    await gone('a.txt');
    assert.equal(onDisk('a.txt'), changed);
    await run('splice.external.undoDecision');
    await message(/no keep and no undo to take back/);
    writeOutside('a.txt', original);
    await listed('a.txt', 3);
  });

  it('are found in folders that are created at once', async () => {
    mkdirSync(disk('deep/er'), { recursive: true });
    writeFileSync(path.join(disk('deep/er'), 'file.txt'), 'deep\n');
    await waitFor(async () => rowOf('deep/er/file.txt'), 'the file is listed');
  });
});
