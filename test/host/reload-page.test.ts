// Phase 1 leaves the page of an answer open, and one of which nothing is left; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pageScheme } from '../../src/platform/ids';
import {
  activePreview,
  allTabs,
  fileUri,
  lensTitles,
  readFile,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const files = ['paged/one.ts', 'paged/two.ts', 'paged/three.ts'] as const;
const before = 'export const first = 1;\nexport const second = 2;\n';
const after = before.replace('= 2', '= 22');
const answer = files
  .map(
    name =>
      `${name}\n<<<<<<< SEARCH\nexport const second = 2;\n=======\nexport const second = 22;\n>>>>>>> REPLACE\n`,
  )
  .join('\n');

const pageTabs = () => allTabs().filter(({ label }) => label.startsWith('Answer at '));
const documentOf = (name: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(
    ({ uri }) =>
      uri.scheme === pageScheme && uri.query === 'proposed' && uri.path.endsWith(`/${name}`),
  );

(isFirst ? describe : describe.skip)('a page before a reload', () => {
  it('has one file decided and two to decide', async () => {
    for (const name of files) await writeFile(name, before);
    await setClipboard(answer);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review of the first file');
    await run('splice.apply.openPage');
    await waitFor(() => pageTabs().length === 1, 'the page');
    await run('splice.apply.acceptAll', preview.uri);
    await vscode.workspace.saveAll(false);
    await waitFor(async () => (await readFile(files[0])) === after, 'the first file on disk');
    await waitFor(() => documentOf(files[1]), 'the second file on the page');
  });
});

(isFirst ? describe.skip : describe)('a page after a reload', () => {
  it('shows what is left, takes decisions and typing, and closes with the last decision', async () => {
    await waitFor(() => pageTabs().length === 1, 'the page');
    const second = await waitFor(() => documentOf(files[1]), 'the second file on the page');
    await waitFor(() => second.getText() === after, 'its proposed text');
    await waitFor(async () => (await lensTitles(second)).includes('$(check) Accept'), 'its lenses');
    // What was decided is as it is in the file.
    const first = await waitFor(() => documentOf(files[0]), 'the first file on the page');
    assert.equal(first.getText(), after);
    assert.deepEqual(await lensTitles(first), ['$(check) Nothing is left to decide here.']);

    const typing = new vscode.WorkspaceEdit();
    typing.replace(second.uri, second.lineAt(1).range, 'export const second = 23;');
    assert.ok(await vscode.workspace.applyEdit(typing));
    await run('splice.apply.acceptAll', second.uri);
    const file = await vscode.workspace.openTextDocument(fileUri(files[1]));
    assert.equal(file.getText(), before.replace('= 2', '= 23'));
    assert.equal(pageTabs().length, 1);
    const third = await waitFor(() => documentOf(files[2]), 'the third file on the page');
    await run('splice.apply.rejectAll', third.uri);
    await waitFor(() => pageTabs().length === 0, 'the page to close');
    assert.equal(await readFile(files[2]), before);
  });
});
