// Phase 1 leaves a receipt with a decision open; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { receiptScheme } from '../../src/compact/ids';
import { allTabs, fileUri, lensTitles, run, setClipboard, waitFor, writeFile } from './support';

const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const name = 'kept/chat.md';
const lines = Array.from({ length: 200 }, (_, at) => `The step ${at} of worker_${at} is done.`);
const chat = `## User\nWhat is done?\n\n## Assistant\n${lines.join('\n')}\n\n## User\nGo on.\n`;

const receiptTab = (): vscode.Uri | undefined =>
  allTabs()
    .map(({ input }) => (input instanceof vscode.TabInputText ? input.uri : undefined))
    .find(uri => uri?.scheme === receiptScheme);
const headOf = async (document: vscode.TextDocument): Promise<string> =>
  ((await lensTitles(document))[0] ?? '').replace(/ · on this machine.*/, '');

(isFirst ? describe : describe.skip)('a receipt before a reload', () => {
  it('has a decision of the user', async () => {
    await writeFile(name, chat);
    await run('splice.compact.start', fileUri(name), { ratio: 0.2, keepRecent: 1 });
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no receipt');
    const before = await headOf(document);
    await run('splice.compact.nextRun');
    await run('splice.compact.restore');
    const after = await headOf(document);
    assert.notEqual(after, before);
    await writeFile('kept/head.txt', after);
  });
});

(isFirst ? describe.skip : describe)('a receipt after a reload', () => {
  it('is whole, with the decision, and can be copied', async () => {
    const uri = await waitFor(receiptTab, 'the tab');
    const document = await vscode.workspace.openTextDocument(uri);
    await waitFor(() => document.getText().includes('The step 199'), 'the lines');
    await vscode.window.showTextDocument(document);
    const head = await vscode.workspace.openTextDocument(fileUri('kept/head.txt'));
    assert.equal(await headOf(document), head.getText());
    await setClipboard('');
    await run('splice.compact.copy');
    assert.match(await vscode.env.clipboard.readText(), /What is done\?[^]*Go on\./);
  });

  it('has an address of its own when another one is made', async () => {
    const [first] = [receiptTab()];
    await run('splice.compact.start', fileUri(name), { ratio: 0.2, keepRecent: 1 });
    const { uri } = vscode.window.activeTextEditor?.document ?? assert.fail('no receipt');
    assert.notEqual(uri.toString(), first?.toString());
  });
});
