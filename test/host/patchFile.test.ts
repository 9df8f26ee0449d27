import assert from 'node:assert/strict';
import { readFile as readOnDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import { rowTree } from './rowTree';
import {
  activePreview,
  closeAll,
  fileUri,
  message,
  openFile,
  reviewTabs,
  run,
  stub,
  waitFor,
  writeFile,
} from './support';

const cart = `export function total(items: number[]): number {
  return items.reduce((sum, item) => sum + item, 0);
}

export function count(items: number[]): number {
  return items.length;
}
`;
const patch = `From 5f1c0ffee5f1c0ffee5f1c0ffee5f1c0ffee5f1c Mon Sep 17 00:00:00 2001
From: A Developer <dev@example.com>
Date: Mon, 2 Nov 2026 10:00:00 +0000
Subject: [PATCH] Rename total, and add a tax

---
 patched/cart.ts | 2 +-
 patched/tax.ts  | 1 +
 2 files changed, 2 insertions(+), 1 deletion(-)

diff --git a/patched/cart.ts b/patched/cart.ts
--- a/patched/cart.ts
+++ b/patched/cart.ts
@@ -1,3 +1,3 @@
-export function total(items: number[]): number {
+export function totalOf(items: number[]): number {
   return items.reduce((sum, item) => sum + item, 0);
 }
diff --git a/patched/tax.ts b/patched/tax.ts
new file mode 100644
--- /dev/null
+++ b/patched/tax.ts
@@ -0,0 +1 @@
+export const tax = 0.2;
-- 
2.43.0
`;
/** Names no file: the place is found by the lines, which the answer itself holds too. */
const answer = `Say what the function does:

\`\`\`ts
export function count(items: number[]): number {
  // Empty lists have no items.
  return items.length;
}
\`\`\`

Then run the tests.
`;

const onDisk = async (name: string) => readOnDisk(fileUri(name).fsPath, 'utf8');
const rows = async () => (await rowTree(reviewsView).text(2)).slice(1).map(row => row.trim());

describe('a patch file', () => {
  beforeEach(async () => {
    await writeFile('patched/cart.ts', cart);
    await writeFile('patched/change.patch', patch);
    await writeFile('patched/answer.md', answer);
    // VS Code keeps the text of a file that was deleted until it sees the new one.
    for (const [name, text] of Object.entries({ 'cart.ts': cart, 'change.patch': patch })) {
      const { document } = await openFile(`patched/${name}`);
      await waitFor(() => document.getText() === text, `the text of ${name}`);
    }
    await closeAll();
    await run('splice.reviews.focus');
  });
  afterEach(async () => {
    await closeAll();
    await vscode.workspace.fs.delete(fileUri('patched'), { recursive: true });
  });

  it('is one change set, chosen in the Explorer', async () => {
    await run('splice.apply.file', fileUri('patched/change.patch'));
    await waitFor(activePreview, 'the review of the first file');
    assert.deepEqual(
      (await rows()).map(row => row.split(' ')[0]),
      ['cart.ts', 'tax.ts'],
    );
    await run('splice.apply.acceptSet');
    await vscode.workspace.saveAll();
    await waitFor(async () => (await onDisk('patched/cart.ts')).includes('totalOf'), 'saved');
    assert.equal(await onDisk('patched/tax.ts'), 'export const tax = 0.2;\n');
    assert.equal(await onDisk('patched/change.patch'), patch);
  });

  it('is the one in front, with what is not saved yet', async () => {
    const editor = await openFile('patched/change.patch');
    await editor.edit(edit => {
      const at = editor.document.getText().indexOf('totalOf');
      const start = editor.document.positionAt(at);
      edit.replace(new vscode.Range(start, start.translate(0, 'totalOf'.length)), 'sumOf');
    });
    await run('splice.apply.file');
    const shown = await waitFor(activePreview, 'the review');
    assert.match(shown.getText(), /function sumOf/);
    await run('workbench.action.files.revert', fileUri('patched/change.patch'));
  });

  it('is asked for when none is open', async () => {
    stub(vscode.window, 'showOpenDialog', async () => [fileUri('patched/change.patch')]);
    await run('splice.apply.file');
    await waitFor(activePreview, 'the review');
  });

  it('can be an answer, which is never the place of its own edit', async () => {
    await openFile('patched/answer.md');
    await run('splice.apply.file', fileUri('patched/answer.md'));
    await waitFor(activePreview, 'the review');
    assert.deepEqual(
      (await rows()).map(row => row.split(' ')[0]),
      ['cart.ts'],
    );
  });

  it('that holds no code is refused by its name', async () => {
    await writeFile('patched/notes.txt', 'Buy milk, and call the dentist tomorrow.\n');
    await run('splice.apply.file', fileUri('patched/notes.txt'));
    await message(/notes\.txt holds no patch and no code to apply/);
    assert.equal(reviewTabs().length, 0);
  });

  it('can be dropped on the Reviews view, and so can the text of an answer', async () => {
    const tree = rowTree(reviewsView);
    const uri = fileUri('patched/change.patch');
    await tree.drop({ 'text/uri-list': `${uri.toString()}\r\n`, 'text/plain': uri.fsPath });
    await waitFor(activePreview, 'the review');
    assert.equal((await rows()).length, 2);
    await run('splice.apply.rejectSet');
    await tree.drop({ 'text/plain': patch });
    await waitFor(async () => (await rows()).length === 2, 'the reviews of the text');
    await tree.drop({ 'text/plain': 'Nothing that is code.' });
    await message(/no code/);
  });
});
