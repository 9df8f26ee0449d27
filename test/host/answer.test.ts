import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile as readOnDisk, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import { reviewScheme } from '../../src/platform/ids';
import type { TreeRow } from '../../src/platform/tree/rows';
import { historyRows } from './historyList';
import { rowTree } from './rowTree';
import {
  activePreview,
  closeAll,
  fileUri,
  lensTitles,
  message,
  openFile,
  reviewTabs,
  run,
  setClipboard,
  stub,
  waitFor,
  writeFile,
} from './support';

const cart = `export function total(items: number[]): number {
  return items.reduce((sum, item) => sum + item, 0);
}
`;
const newCart = cart.replace('total(items', 'totalOf(items');
const sumCart = cart.replace('sum + item', 'item + sum');
const old = 'export const unused = 1;\n';
const util = 'export const twice = (n: number): number => n * 2;\n';

/** An edit, a new file, a deletion and a rename, as `git diff` writes them. */
const gitDiff = `diff --git a/answer/cart.ts b/answer/cart.ts
--- a/answer/cart.ts
+++ b/answer/cart.ts
@@ -1,3 +1,3 @@
-export function total(items: number[]): number {
+export function totalOf(items: number[]): number {
   return items.reduce((sum, item) => sum + item, 0);
 }
diff --git a/answer/new/tax.ts b/answer/new/tax.ts
new file mode 100644
--- /dev/null
+++ b/answer/new/tax.ts
@@ -0,0 +1,2 @@
+export const tax = 0.2;
+export const rate = 1 + tax;
diff --git a/answer/old.ts b/answer/old.ts
deleted file mode 100644
--- a/answer/old.ts
+++ /dev/null
@@ -1 +0,0 @@
-export const unused = 1;
diff --git a/answer/util.ts b/answer/numbers.ts
similarity index 100%
rename from answer/util.ts
rename to answer/numbers.ts
`;
const tax = 'export const tax = 0.2;\nexport const rate = 1 + tax;\n';

const onDisk = async (name: string): Promise<string | undefined> =>
  readOnDisk(fileUri(name).fsPath, 'utf8').catch(() => undefined);

/** The rows of the newest answer, without the time. */
async function rows(): Promise<string[]> {
  return (await rowTree(reviewsView).text(2)).map(line => line.replace(/\d\d:\d\d:\d\d/, 'TIME'));
}

async function applyGitDiff(): Promise<void> {
  await writeFile('answer/cart.ts', cart);
  await writeFile('answer/old.ts', old);
  await writeFile('answer/util.ts', util);
  await setClipboard(gitDiff);
  await run('splice.apply.clipboard');
  await waitFor(activePreview, 'the review of the first file');
}

const pickRemove = async (steps: readonly vscode.QuickPickItem[]) =>
  steps.find(({ label }) => label.includes('Remove from List'));
const isRefused = ({ data }: TreeRow) => data.context.includes(';refused;');

async function untilShown(name: string): Promise<void> {
  await waitFor(() => activePreview()?.uri.path.includes(name), `the review of ${name}`);
}

/** Whether VS Code has a document of the review of this file. */
const isRead = (name: string): boolean =>
  vscode.workspace.textDocuments.some(
    ({ uri }) => uri.scheme === reviewScheme && uri.path.includes(name),
  );

const isFinding = (title: string): boolean => /^\$\(warning\) 1 finding$/.test(title);

/** Waits until the review says that the answer is cut off, at the last changed line: the second one of `result`. */
async function untilFinding(preview: vscode.TextDocument, result: string): Promise<void> {
  await waitFor(async () => (await lensTitles(preview)).some(isFinding), 'a finding');
  const [found] = await waitFor(() => {
    const all = vscode.languages.getDiagnostics(preview.uri);
    return all.length > 0 && all;
  }, 'the finding in the text');
  assert.match(found?.message ?? '', /The answer ends within this change/);
  const text = preview.lineAt(found?.range.start.line ?? 0).text;
  assert.equal(text, result.split('\n')[1]);
}

/** Removes what was not applied from the list. */
async function dismissRefused(): Promise<void> {
  stub(vscode.window, 'showQuickPick', pickRemove);
  for (const row of await rowTree(reviewsView).children()) {
    for (const _ of row.children.filter(isRefused)) {
      await run('splice.apply.placeRefused', row.data.subject, 0);
    }
  }
}

const code = (n: number, name: string) =>
  Array.from({ length: 80 }, (_, at) => `const ${at % 20 === 9 ? name : 'kept'}${n}_${at} = ${at};`)
    .join('\n')
    .concat('\n');

describe('a whole answer', () => {
  afterEach(async () => {
    await dismissRefused();
    await closeAll();
    assert.deepEqual(await rows(), []);
    await vscode.workspace.fs.delete(fileUri('answer'), { recursive: true });
  });

  it('that is cut off says so at the last change, in an open file and in a new one', async () => {
    await writeFile('answer/cart.ts', cart);
    const edit = `In \`answer/cart.ts\`:\n\n\`\`\`ts\n${sumCart}`;
    const { document } = await openFile('answer/cart.ts');
    await setClipboard(edit);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    await untilFinding(preview, sumCart);
    assert.equal(document.getText(), cart);
    await run('splice.apply.rejectAll');
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    await setClipboard(`${edit}\`\`\`\n\n\`answer/tax.ts\` (new file):\n\n\`\`\`ts\n${tax}`);
    await run('splice.apply.clipboard');
    await waitFor(() => activePreview()?.uri.path.includes('cart'), 'the review of the edit');
    assert.deepEqual((await lensTitles(activePreview() ?? assert.fail())).filter(isFinding), []);
    await run('splice.apply.acceptAll');
    await untilShown('tax.ts');
    await untilFinding(activePreview() ?? assert.fail(), tax);
    await run('splice.apply.rejectAll');
  });

  it('is one change set in the view, of which the first file is shown', async () => {
    await applyGitDiff();
    assert.equal(reviewTabs().length, 1);
    assert.deepEqual(await rows(), [
      'Answer at TIME [to review: 4 · 4 changes]',
      '  cart.ts [1 change · +1 −1]',
      '  tax.ts [new file · +2 −0]',
      '  old.ts [deleted · +0 −1]',
      '  util.ts [renamed to numbers.ts]',
    ]);
    assert.equal(await onDisk('answer/new/tax.ts'), undefined);
  });

  it('is accepted as one step, which one undo takes back, also after a save', async () => {
    await applyGitDiff();
    await run('splice.apply.acceptSet');
    await waitFor(() => reviewTabs().length === 0, 'the reviews to close');
    assert.equal(await onDisk('answer/new/tax.ts'), tax);
    assert.equal(await onDisk('answer/old.ts'), undefined);
    assert.equal(await onDisk('answer/util.ts'), undefined);
    assert.equal(await onDisk('answer/numbers.ts'), util);
    const { document } = await openFile('answer/cart.ts');
    assert.equal(document.getText(), newCart);
    assert.ok(document.isDirty);
    await document.save();
    await run('undo');
    await waitFor(() => document.getText() === cart, 'the text as it was');
    await waitFor(async () => (await onDisk('answer/old.ts')) === old, 'the deleted file');
    assert.equal(await onDisk('answer/new/tax.ts'), undefined);
    assert.equal(await onDisk('answer/util.ts'), util);
    await waitFor(async () => (await rows()).length === 5, 'all to be pending again');
    await document.save();
  });

  it('is decided file by file, each decision leading to the next file', async () => {
    await applyGitDiff();
    // The text of the next review is there before it is shown.
    await waitFor(() => isRead('tax.ts'), 'the document of the next review');
    assert.ok(!isRead('old.ts'));
    await run('splice.apply.acceptChange');
    await untilShown('tax.ts');
    const preview = await waitFor(activePreview, 'the new file');
    assert.ok((await lensTitles(preview)).includes('$(check) Create File'));
    await run('splice.apply.acceptChange');
    await untilShown('old.ts');
    await run('splice.apply.rejectChange');
    await untilShown('util.ts');
    assert.equal(await onDisk('answer/new/tax.ts'), tax);
    assert.equal(await onDisk('answer/old.ts'), old);
    await run('splice.apply.acceptChange');
    await waitFor(() => reviewTabs().length === 0, 'the reviews to close');
    assert.equal(await onDisk('answer/numbers.ts'), util);
    await run('splice.apply.undoDecision');
    await waitFor(async () => (await onDisk('answer/util.ts')) === util, 'the old name');
    assert.equal(await onDisk('answer/numbers.ts'), undefined);
    await run('splice.apply.rejectAll');
  });

  it('ends the review of a file that has become what it proposes, outside of VS Code', async () => {
    await applyGitDiff();
    const { fsPath } = fileUri('answer');
    mkdirSync(`${fsPath}/new`);
    writeFileSync(`${fsPath}/new/tax.ts`, tax);
    rmSync(`${fsPath}/old.ts`);
    renameSync(`${fsPath}/util.ts`, `${fsPath}/numbers.ts`);
    const set = (await rowTree(reviewsView).children())[0]?.children ?? [];
    for (const [at, name] of ['tax.ts', 'old.ts', 'util.ts'].entries()) {
      await run('splice.apply.showReview', set[at + 1]?.data.subject);
      await untilShown(name);
      await run('splice.apply.acceptChange');
      await message(new RegExp(`${name} has these changes already`));
      await waitFor(() => reviewTabs().length <= 1, 'the review to close');
      assert.ok(!(await rows()).some(text => text.includes(name)), name);
    }
    await run('splice.apply.rejectSet');
    // Their journals protect nothing that a crash could lose.
    const edits = (await historyRows()).slice(0, 5);
    assert.equal(edits.filter(row => /(?:tax|old|util)\.ts/.test(row)).length, 3, edits.join('\n'));
    assert.ok(!edits.some(row => row.includes('not saved')), edits.join('\n'));
  });

  it('reopens a file that has not been shown yet, when none was closed', async () => {
    await applyGitDiff();
    await run('splice.apply.reopenReview');
    await untilShown('tax.ts');
    await run('splice.apply.reopenReview');
    await untilShown('old.ts');
    await run('splice.apply.rejectSet');
  });

  it('rejects all files of an answer at once, without showing one after the other', async () => {
    const files = [1, 2, 3, 4, 5, 6];
    for (const n of files) await writeFile(`answer/all/f${n}.ts`, code(n, 'before'));
    await setClipboard(
      files.map(n => `\`\`\`ts answer/all/f${n}.ts\n${code(n, 'after')}\`\`\`\n`).join('\n'),
    );
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review of the first file');
    const opened: string[] = [];
    const tabs = vscode.window.tabGroups.onDidChangeTabs(change =>
      opened.push(...change.opened.map(({ label }) => label)),
    );
    await run('splice.apply.rejectSet');
    tabs.dispose();
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    assert.deepEqual(
      opened.filter(label => /f[2-6]\.ts/.test(label)),
      [],
    );
    assert.ok(!(await rows()).some(text => /f[1-6]\.ts/.test(text)));
    // Each of them can still be taken back.
    await run('splice.apply.undoDecision');
    await run('splice.apply.undoDecision');
    await waitFor(() => reviewTabs().length === 2, 'two reviews to come back');
    await run('splice.apply.rejectSet');
  });

  it('takes one key for each of 20 changes in five files, and no other', async () => {
    const files = [1, 2, 3, 4, 5];
    for (const n of files) await writeFile(`answer/five/f${n}.ts`, code(n, 'before'));
    await setClipboard(
      files.map(n => `\`\`\`ts answer/five/f${n}.ts\n${code(n, 'after')}\`\`\`\n`).join('\n'),
    );
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review of the first file');
    for (let left = 20; left > 0; left--) {
      const count = left === 1 ? /· 1 change$/ : new RegExp(`· ${left} changes$`);
      await waitFor(
        async () => count.test((await rows())[0]?.replace(']', '') ?? ''),
        `${left} left`,
      );
      // A key that comes while the next review opens decides nothing.
      await waitFor(async () => {
        const preview = activePreview();
        const titles = preview ? await lensTitles(preview) : [];
        return titles.some(title => title.endsWith('Accept'));
      }, 'a change to accept');
      await run('splice.apply.acceptChange');
    }
    await waitFor(() => reviewTabs().length === 0, 'the reviews to close');
    await vscode.workspace.saveAll();
    for (const n of files) assert.equal(await onDisk(`answer/five/f${n}.ts`), code(n, 'after'));
  });

  it('gives a deleted file back byte by byte', async () => {
    await writeFile('answer/x.ts', '');
    const bytes = Buffer.from('const a = 1;\r\nconst b = 2;\r\n');
    await vscode.workspace.fs.writeFile(fileUri('answer/crlf.ts'), bytes);
    await setClipboard(
      '*** Begin Patch\n*** Delete File: answer/crlf.ts\n*** Delete File: answer/x.ts\n*** End Patch\n',
    );
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await run('splice.apply.acceptSet');
    await waitFor(async () => (await onDisk('answer/crlf.ts')) === undefined, 'the deletion');
    assert.equal(await onDisk('answer/x.ts'), undefined);
    await run('splice.apply.undoDecision');
    await run('splice.apply.undoDecision');
    await waitFor(async () => (await onDisk('answer/x.ts')) === '', 'the empty file');
    assert.equal(await onDisk('answer/crlf.ts'), bytes.toString());
    await run('splice.apply.rejectSet');
  });

  it('says what it cannot apply, and lets the user place it by hand', async () => {
    await writeFile('answer/cart.ts', cart);
    await writeFile('answer/other.ts', 'export const other = 1;\n');
    await setClipboard(
      `\`\`\`ts answer/cart.ts\n${newCart}\`\`\`\n\n\`\`\`ts answer/missing.ts\n// ... existing code ...\nexport const other = 2;\n// ... existing code ...\n\`\`\`\n`,
    );
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await message(/not applied: .*missing\.ts/);
    assert.match(
      (await rows()).at(-1) ?? '',
      /Not applied: answer\/missing\.ts \[There is no file/,
    );
    assert.match((await rows())[0] ?? '', /to review: 1 · 1 change · not applied: 1/);
    await run('splice.apply.rejectAll');
  });

  it('says that a file is too large before it reads it', async () => {
    await writeFile('answer/cart.ts', cart);
    await writeFile(
      'answer/large.ts',
      '// 40 characters are in each of the lines\n'.repeat(150_000),
    );
    await setClipboard(
      `\`\`\`ts answer/cart.ts\n${newCart}\`\`\`\n\n\`\`\`ts answer/large.ts\n// ... existing code ...\nexport const other = 2;\n\`\`\`\n`,
    );
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await message(/not applied: .*large\.ts is 6 MB\. Splice applies edits to files of up to 5 MB/);
    await run('splice.apply.rejectAll');
    await vscode.workspace.fs.delete(fileUri('answer/large.ts'));
  });

  it('puts nothing behind a link that leads to nothing', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
    try {
      await writeFile('answer/cart.ts', cart);
      await symlink(path.join(outside, 'evil.ts'), fileUri('answer/dangling.ts').fsPath);
      await setClipboard(
        '*** Begin Patch\n*** Add File: answer/dangling.ts\n+export {};\n*** Add File: answer/fine.ts\n+export {};\n*** End Patch\n',
      );
      await run('splice.apply.clipboard');
      await waitFor(activePreview, 'the review');
      await message(/leads out of the workspace through a link/);
      await run('splice.apply.rejectAll');
    } finally {
      await rm(fileUri('answer/dangling.ts').fsPath, { force: true });
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('does not follow a link out of the workspace', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
    try {
      await writeFile('answer/cart.ts', cart);
      await symlink(outside, fileUri('answer/link').fsPath);
      await setClipboard(
        '*** Begin Patch\n*** Add File: answer/link/evil.ts\n+export {};\n*** Add File: answer/fine.ts\n+export {};\n*** End Patch\n',
      );
      await run('splice.apply.clipboard');
      await waitFor(activePreview, 'the review');
      await message(/leads out of the workspace through a link/);
      await run('splice.apply.acceptSet');
      await waitFor(
        async () => (await onDisk('answer/fine.ts')) === 'export {};\n',
        'the new file',
      );
      assert.equal(await readOnDisk(path.join(outside, 'evil.ts')).catch(() => 'none'), 'none');
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});
