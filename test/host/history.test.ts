import assert from 'node:assert/strict';
import { readFile as readOnDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import { historyScheme } from '../../src/platform/ids';
import { historyRows, useHistory } from './historyList';
import {
  activePreview,
  allTabs,
  answer,
  closeAll,
  fileUri,
  lensTitles,
  message,
  openFile,
  reviewTabs,
  run,
  setClipboard,
  setSetting,
  waitFor,
  writeFile,
} from './support';

// With the ends of lines of Windows, to see that every byte comes back.
const cart = 'export const fee = 490;\r\nexport const free = 5000;\r\nexport const max = 99;\r\n';
const newCart = cart.replace('490', '590');
const tax = 'export const tax = 0.2;\n';

/** Another one for each test: VS Code keeps the texts of closed files for a while. */
let folder = '';
let tests = 0;

const editText = () => `*** Begin Patch
*** Update File: ${folder}/cart.ts
@@
-export const fee = 490;
+export const fee = 590;
 export const free = 5000;
*** Add File: ${folder}/tax.ts
+export const tax = 0.2;
*** End Patch
`;

const onDisk = async (name: string): Promise<string | undefined> =>
  readOnDisk(fileUri(`${folder}/${name}`).fsPath, 'utf8').catch(() => undefined);

async function apply(): Promise<void> {
  await setClipboard(editText());
  await run('splice.apply.clipboard');
  await waitFor(activePreview, 'the review');
}

async function acceptAndSave(): Promise<void> {
  await run('splice.apply.acceptSet');
  await waitFor(() => reviewTabs().length === 0, 'the reviews to close');
  const { document } = await openFile(`${folder}/cart.ts`);
  await document.save();
  assert.equal(await onDisk('cart.ts'), newCart);
  assert.equal(await onDisk('tax.ts'), tax);
}

/** What the user does in the file, which is saved then. */
async function type(range: vscode.Range, text: string): Promise<vscode.TextDocument> {
  const editor = await openFile(`${folder}/cart.ts`);
  assert.ok(await editor.edit(builder => builder.replace(range, text)));
  await editor.document.save();
  return editor.document;
}

const saveCart = async (): Promise<void> => {
  const { document } = await openFile(`${folder}/cart.ts`);
  await document.save();
};

const textOf = async (uri: vscode.Uri) =>
  (await vscode.workspace.openTextDocument(uri)).getText().replaceAll('\r', '');

describe('the apply history', () => {
  beforeEach(async () => {
    folder = `history${++tests}`;
    await writeFile(`${folder}/cart.ts`, cart);
  });
  afterEach(async () => {
    await closeAll();
    answer(/Delete the apply history/, 'Delete History');
    await run('splice.apply.clearHistory');
    await vscode.workspace.fs.delete(fileUri(folder), { recursive: true });
  });

  it('undoes a whole answer after a save, byte by byte, and opens it again', async () => {
    await apply();
    await acceptAndSave();
    await closeAll();
    await useHistory(/Answer for 2 files/, 'Undo');
    await waitFor(async () => (await onDisk('tax.ts')) === undefined, 'the new file to go');
    await saveCart();
    assert.equal(await onDisk('cart.ts'), cart);
    const rows = await historyRows();
    assert.ok(
      rows.some(row => /cart\.ts \[change accepted, undone\] history\d+\/cart\.ts/.test(row)),
      rows.join('\n'),
    );
    assert.ok(rows.some(row => /undo of an earlier edit/.test(row)));
    await useHistory(/Answer for 2 files.*from the clipboard/, 'Open Again');
    await waitFor(activePreview, 'the review');
    await acceptAndSave();
  });

  it('opens a rejected edit again for the file as it is', async () => {
    await apply();
    await run('splice.apply.rejectSet');
    await waitFor(() => reviewTabs().length === 0, 'the reviews to close');
    await type(new vscode.Range(0, 0, 0, 0), '// first\n');
    await useHistory(/cart\.ts \[change rejected/, 'Open Again');
    const preview = await waitFor(activePreview, 'the review');
    assert.match(preview.getText(), /^.* change 1 of 1.*\n\/\/ first\n.*490;\n.*590;/);
    await run('splice.apply.acceptAll');
    await saveCart();
    assert.equal(await onDisk('cart.ts'), `// first\r\n${newCart}`);
  });

  it('shows a review instead of an undo where the lines were changed since', async () => {
    await apply();
    await acceptAndSave();
    const mine = newCart.replace('590', '777');
    const document = await type(new vscode.Range(0, 19, 0, 22), '777');
    await useHistory(/cart\.ts \[change accepted/, 'Undo');
    await message(/cart\.ts was changed since at the same place, so nothing is undone yet/);
    const preview = await waitFor(activePreview, 'the review');
    assert.match(preview.getText(), /777;\n.*490;/);
    assert.match(
      (await lensTitles(preview))[0] ?? '',
      /: 1 change \(.*\) · undo of an earlier edit$/,
    );
    assert.equal(document.getText(), mine);
    await useHistory(/cart\.ts \[change accepted/, 'Undo');
    await message(/cart\.ts has a review with undecided changes/);
    await run('splice.apply.rejectAll');
  });

  it('compares, copies and deletes an entry', async () => {
    await apply();
    await acceptAndSave();
    await useHistory(/cart\.ts \[change accepted/, 'Show Changes');
    const tab = await waitFor(
      () => allTabs().find(({ label }) => label === 'cart.ts: before and after'),
      'the diff',
    );
    assert.ok(tab.input instanceof vscode.TabInputTextDiff);
    const { original, modified } = tab.input;
    assert.equal(original.scheme, historyScheme);
    assert.equal(await textOf(original), cart.replaceAll('\r', ''));
    assert.equal(await textOf(modified), newCart.replaceAll('\r', ''));
    await useHistory(/tax\.ts \[new file, created/, 'Copy Answer');
    assert.equal(await vscode.env.clipboard.readText(), editText());
    answer(/Delete the entry of cart\.ts/, 'Delete Entry');
    const before = await historyRows();
    await useHistory(/cart\.ts \[change accepted/, 'Delete Entry');
    assert.equal(await onDisk('cart.ts'), newCart);
    // The row of the answer has gone with the one of the file.
    assert.equal((await historyRows()).length, before.length - 2);
  });

  it('names the next step where it has nothing, or is off', async () => {
    answer(/Delete the apply history/, 'Delete History');
    await run('splice.apply.clearHistory');
    await run('splice.apply.showHistory');
    await message(/No edit was applied here yet\. Copy an edit and run/);
    await setSetting('splice.apply.history.days', 0);
    try {
      await run('splice.apply.showHistory');
      await message(/The apply history is off\. Set "splice\.apply\.history\.days"/);
    } finally {
      await setSetting('splice.apply.history.days', undefined);
    }
  });

  it('keeps an entry until what was accepted is saved', async () => {
    await apply();
    await run('splice.apply.acceptSet');
    await waitFor(() => reviewTabs().length === 0, 'the reviews to close');
    await useHistory(/cart\.ts \[change accepted, not saved\]/, 'Delete Entry');
    await message(/cart\.ts is not saved yet.*Save the file first/);
    await saveCart();
    await waitFor(
      async () => (await historyRows()).some(row => /cart\.ts \[change accepted\]/.test(row)),
      'the saved entry',
    );
  });
});
