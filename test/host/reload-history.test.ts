// Phase 1 accepts an answer and saves it; phase 2 is the same window after a reload, which takes it back.
import assert from 'node:assert/strict';
import { readFile as readOnDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import { historyRows, useHistory } from './historyList';
import {
  activePreview,
  closeAll,
  fileUri,
  openFile,
  reviewTabs,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const text = 'export const fee = 490;\nexport const free = 5000;\n';
const newText = text.replace('490', '590');
const edit = `*** Begin Patch
*** Update File: kept/fee.ts
@@
-export const fee = 490;
+export const fee = 590;
 export const free = 5000;
*** Add File: kept/tax.ts
+export const tax = 0.2;
*** End Patch
`;

const onDisk = async (name: string): Promise<string | undefined> =>
  readOnDisk(fileUri(`kept/${name}`).fsPath, 'utf8').catch(() => undefined);

(isFirst ? describe : describe.skip)('the apply history before a reload', () => {
  it('has an answer that is accepted and saved', async () => {
    await writeFile('kept/fee.ts', text);
    await setClipboard(edit);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await run('splice.apply.acceptSet');
    await waitFor(() => reviewTabs().length === 0, 'the reviews to close');
    const { document } = await openFile('kept/fee.ts');
    await document.save();
    await waitFor(
      async () => (await historyRows()).some(row => /fee\.ts \[change accepted\]/.test(row)),
      'the saved entry',
    );
    assert.equal(await onDisk('fee.ts'), newText);
    await closeAll();
  });
});

(isFirst ? describe.skip : describe)('the apply history after a reload', () => {
  it('undoes the answer byte by byte', async () => {
    assert.equal(await onDisk('fee.ts'), newText);
    await useHistory(/Answer for 2 files.*from the clipboard/, 'Undo');
    await waitFor(async () => (await onDisk('tax.ts')) === undefined, 'the new file to go');
    const { document } = await openFile('kept/fee.ts');
    await document.save();
    assert.equal(await onDisk('fee.ts'), text);
    // The other tabs are those of other tests.
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    if (activeTab) await vscode.window.tabGroups.close(activeTab);
  });
});
