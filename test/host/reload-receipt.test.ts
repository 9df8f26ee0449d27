// Phase 1 leaves a receipt with a decision open; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { receiptScheme } from '../../src/compact/ids';
import { summarizedSession } from '../support/unit/summarizedSession';
import {
  allTabs,
  answer,
  fileUri,
  lensTitles,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const name = 'kept/chat.jsonl';

const receiptTab = (): vscode.Uri | undefined =>
  allTabs()
    .map(({ input }) => (input instanceof vscode.TabInputText ? input.uri : undefined))
    .find(uri => uri?.scheme === receiptScheme);
const headOf = async (document: vscode.TextDocument): Promise<string> =>
  ((await lensTitles(document))[0] ?? '').replace(/ · on this machine.*/, '');

(isFirst ? describe : describe.skip)('a receipt before a reload', () => {
  it('has a decision of the user', async () => {
    await writeFile(name, summarizedSession('/work'));
    answer(/no longer sends the earlier messages/, 'Include Them');
    await run('splice.compact.start', fileUri(name), { ratio: 0.3, keepRecent: 1 });
    const document = await waitFor(() => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.getText().includes('Why does step 0 fail?') ? shown : undefined;
    }, 'a receipt with earlier messages');
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
    await waitFor(() => document.getText().includes('row 89 of the log'), 'the lines');
    await vscode.window.showTextDocument(document);
    const head = await vscode.workspace.openTextDocument(fileUri('kept/head.txt'));
    assert.equal(await headOf(document), head.getText());
    await setClipboard('');
    await run('splice.compact.copy');
    assert.match(
      await vscode.env.clipboard.readText(),
      /Why does step 0 fail\?[^]*And now the docs\./,
    );
  });

  it('has an address of its own when another one is made', async () => {
    const [first] = [receiptTab()];
    await run('splice.compact.start', fileUri(name), { ratio: 0.2, keepRecent: 1 });
    const { uri } = vscode.window.activeTextEditor?.document ?? assert.fail('no receipt');
    assert.notEqual(uri.toString(), first?.toString());
  });
});
