import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import type { TreeRow } from '../../src/platform/tree/rows';
import { driver } from './driver';
import { rowTree } from './rowTree';
import {
  activePreview,
  answer,
  closeAll,
  closeTabs,
  fileUri,
  lensTitles,
  message,
  openFile,
  pressUntil,
  readFile,
  reviewTabs,
  run,
  setClipboard,
  setSelection,
  shownMessages,
  sleep,
  stub,
  waitFor,
  writeFile,
} from './support';
import { closeUntitled, openUntitled } from './untitled';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1};`);
const threeChanges: [string, string][] = [
  ['line 5;', 'line five;'],
  ['line 15;', 'line fifteen;'],
  ['line 25;', 'line twenty-five;'],
];

/** An edit in the search/replace form, which leaves nothing to interpret. */
const edit = (path: string, changes: readonly (readonly [string, string])[]) =>
  `${path}\n${changes.map(([from, to]) => `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE`).join('\n')}\n`;

const apply = (text: string, changes = threeChanges) =>
  changes.reduce((result, [from, to]) => result.replace(from, to), text);

async function review(
  path: string,
  text: string,
  changes = threeChanges,
): Promise<{ file: vscode.TextDocument; preview: vscode.TextDocument }> {
  await writeFile(path, text);
  const { document: file } = await openFile(path);
  await waitFor(() => file.getText() === text, 'the file as it was written');
  await setClipboard(edit(path, changes));
  await run('splice.apply.clipboard');
  return { file, preview: await waitFor(activePreview, 'the review') };
}

const pendingIn = async (preview: vscode.TextDocument) =>
  (await lensTitles(preview)).filter(title => title.startsWith('$(discard)')).length;
const untilPending = (preview: vscode.TextDocument, count: number) =>
  waitFor(async () => (await pendingIn(preview)) === count, `${count} pending changes`);
const untilText = (file: vscode.TextDocument, text: string) =>
  waitFor(() => file.getText() === text, `the text ${JSON.stringify(text.slice(0, 80))}`);

/** How many changes of a file wait, in the view of reviews; the number on its icon is that of all. */
async function waitingIn(path: string): Promise<number> {
  const tree = rowTree(reviewsView);
  const rows = (await tree.children()).filter(row => !isGone(row));
  const all = rows.reduce((sum, { children }) => sum + children.length, 0);
  assert.equal(tree.view().badge?.value ?? 0, all);
  return rows
    .filter(({ data }) => data.label === path)
    .reduce((sum, { children }) => sum + children.length, 0);
}

async function inFile(file: vscode.TextDocument, id: 'undo' | 'redo'): Promise<void> {
  await vscode.window.showTextDocument(file, { preview: false });
  await run(id);
}

const isGone = ({ data }: TreeRow) => data.description?.startsWith('file is gone') ?? false;

async function reviewOfUntitled(content: string) {
  const document = await openUntitled(content);
  await setClipboard(edit('', threeChanges).trimStart());
  await run('splice.apply.clipboard');
  return { document, preview: await waitFor(activePreview, 'the review') };
}

/** Throws the document away, and the changes that were accepted in it. */
async function discard(document: vscode.TextDocument): Promise<void> {
  await closeUntitled(document);
  await run('splice.apply.rejectAll', await goneRow());
}

const goneRow = () =>
  waitFor(
    async () => (await rowTree(reviewsView).children()).find(isGone),
    'the changes of a document that is gone',
  );

describe('a review', () => {
  afterEach(closeAll);
  const text = `${lines(30).join('\n')}\n`;

  it('shows old and new lines, and leaves the file alone', async () => {
    const { file, preview } = await review('a.ts', text);
    assert.match(preview.getText(), /line 5;\nline five;\n/);
    assert.equal(preview.languageId, 'splice-review-typescript');
    assert.equal(vscode.languages.getDiagnostics(preview.uri).length, 0);
    assert.equal(file.getText(), text);
    assert.equal(file.isDirty, false);
    const [header] = await lensTitles(preview);
    assert.match(header ?? '', /a\.ts: 3 changes \(\+3 −3\) · merged locally in \d+ ms/);
  });

  it('accepts one change, and leaves the others pending', async () => {
    const { file, preview } = await review('a.ts', text);
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), apply(text, threeChanges.slice(0, 1)));
    assert.ok(file.isDirty);
    await untilPending(preview, 2);
  });

  it('accepts all as one undo step, and closes', async () => {
    const { file } = await review('a.ts', text);
    await run('splice.apply.acceptAll');
    assert.equal(file.getText(), apply(text));
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    await inFile(file, 'undo');
    await untilText(file, text);
    assert.equal(file.isDirty, false);
    await inFile(file, 'redo');
    await untilText(file, apply(text));
  });

  it('rejects one change and all, without touching the file', async () => {
    const { file, preview } = await review('a.ts', text);
    await run('splice.apply.rejectChange');
    await untilPending(preview, 2);
    await run('splice.apply.rejectAll');
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    assert.equal(file.getText(), text);
    assert.equal(file.isDirty, false);
  });

  it('brings an accepted change back when the file is undone, and takes it again on redo', async () => {
    const { file, preview } = await review('a.ts', text);
    await run('splice.apply.acceptChange');
    await untilPending(preview, 2);
    await inFile(file, 'undo');
    await untilPending(preview, 3);
    await inFile(file, 'redo');
    await untilPending(preview, 2);
  });

  it('undoes decisions from the last to the first', async () => {
    const { file, preview } = await review('a.ts', text);
    await run('splice.apply.acceptChange');
    await pressUntil('splice.apply.rejectChange', async () => (await pendingIn(preview)) === 1);
    await run('splice.apply.undoDecision');
    await untilPending(preview, 2);
    await run('splice.apply.undoDecision');
    await untilPending(preview, 3);
    assert.equal(file.getText(), text);
  });

  it('undoes the decision of the key before, not one of an earlier review of the file', async () => {
    const { preview: earlier } = await review('a.ts', text);
    await run('splice.apply.rejectAll');
    await waitFor(() => !activePreview(), 'the end of the earlier review');
    await openFile('a.ts');
    await setClipboard(edit('a.ts', threeChanges));
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the review');
    assert.notEqual(preview.uri.toString(), earlier.uri.toString());
    // As fast as keys come when they are held.
    await Promise.all([run('splice.apply.acceptChange'), run('splice.apply.undoDecision')]);
    await untilPending(preview, 3);
    assert.equal(activePreview()?.uri.toString(), preview.uri.toString());
    assert.equal(await waitingIn('a.ts'), 3);
    await run('splice.apply.rejectAll');
  });

  it('goes back to the change whose decision was undone', async () => {
    const { file, preview } = await review('a.ts', text);
    await run('splice.apply.rejectChange');
    await untilPending(preview, 2);
    await run('splice.apply.undoDecision');
    await untilPending(preview, 3);
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), apply(text, threeChanges.slice(0, 1)));
  });

  it('counts as closed when its diff is the last tab to go', async () => {
    await review('a.ts', text);
    await run('splice.apply.openDiff');
    await waitFor(() => reviewTabs().length === 2, 'the diff');
    await run('workbench.action.closeAllEditors');
    await run('splice.apply.reopenReview');
    await waitFor(activePreview, 'the review');
  });

  it('brings back what was accepted, but never saved, after Revert File', async () => {
    const { file } = await review('a.ts', text);
    await run('splice.apply.acceptAll');
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    assert.equal(await waitingIn('a.ts'), 0);
    await vscode.window.showTextDocument(file, { preview: false });
    await run('workbench.action.files.revert');
    await untilText(file, text);
    await waitFor(async () => (await waitingIn('a.ts')) === 3, 'three changes to wait');
    await run('splice.apply.reopenReview');
    await waitFor(activePreview, 'the review');
    await run('splice.apply.acceptAll');
    assert.equal(file.getText(), apply(text));
  });

  it("brings back what was accepted after Don't Save", async () => {
    await review('a.ts', text);
    await run('splice.apply.acceptAll');
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    await vscode.window.showTextDocument(fileUri('a.ts'), { preview: false });
    await run('workbench.action.revertAndCloseActiveEditor');
    await waitFor(async () => (await waitingIn('a.ts')) === 3, 'three changes to wait');
    assert.equal(await readFile('a.ts'), text);
  });

  it('keeps what was accepted once the file is saved, whatever is reverted later', async () => {
    const { file } = await review('a.ts', text);
    await run('splice.apply.acceptAll');
    await file.save();
    const editor = await vscode.window.showTextDocument(file, { preview: false });
    await editor.edit(builder => builder.insert(new vscode.Position(0, 0), '// mine\n'));
    await run('workbench.action.files.revert');
    await untilText(file, apply(text));
    // Long enough for the window to have asked what became of the accepted changes.
    await sleep(600);
    assert.equal(await waitingIn('a.ts'), 0);
  });

  it('shows that changes wait when undo in the file brings them back, and that none do after redo', async () => {
    const { file } = await review('a.ts', text);
    await run('splice.apply.acceptAll');
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    await inFile(file, 'undo');
    await waitFor(async () => (await waitingIn('a.ts')) === 3, 'three changes to wait');
    await driver.screenshot('undo brings changes back');
    await inFile(file, 'redo');
    await waitFor(async () => (await waitingIn('a.ts')) === 0, 'nothing to wait');
  });

  it('takes back a rejection of all, with the review that had ended', async () => {
    const { file } = await review('a.ts', text);
    await run('splice.apply.rejectAll');
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    await run('splice.apply.undoDecision');
    const preview = await waitFor(activePreview, 'the review again');
    await untilPending(preview, 3);
    await run('splice.apply.acceptAll');
    assert.equal(file.getText(), apply(text));
  });

  it('reopens a review that was rejected, and takes back an acceptance that ended one', async () => {
    const { file } = await review('a.ts', text);
    await run('splice.apply.rejectAll');
    await run('splice.apply.reopenReview');
    const preview = await waitFor(activePreview, 'the review again');
    await untilPending(preview, 3);
    await run('splice.apply.acceptAll');
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    await run('splice.apply.undoDecision');
    await untilText(file, text);
    await untilPending(await waitFor(activePreview, 'the review once more'), 3);
  });

  it('follows edits of the file elsewhere, and keeps them', async () => {
    const { file, preview } = await review('a.ts', text);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(file.uri, new vscode.Position(0, 0), '// mine\n');
    await vscode.workspace.applyEdit(typing);
    await waitFor(() => preview.getText().includes('\n// mine\n'), 'the edit in the review');
    await run('splice.apply.acceptAll');
    assert.equal(file.getText(), `// mine\n${apply(text)}`);
  });

  it('flags a change whose lines were edited, and never accepts it with the others', async () => {
    const { file, preview } = await review('a.ts', text);
    const typing = new vscode.WorkspaceEdit();
    typing.replace(file.uri, file.lineAt(14).range, 'mine;');
    await vscode.workspace.applyEdit(typing);
    await waitFor(
      async () => (await lensTitles(preview)).some(title => title.includes('Keep Mine')),
      'the conflict',
    );
    await run('splice.apply.acceptAll');
    assert.equal(
      file.getText(),
      apply(text, [threeChanges[0]!, threeChanges[2]!]).replace('line 15;', 'mine;'),
    );
    await message(/conflict with your own edits: 1\./);
    await untilPending(preview, 1);
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), apply(text));
  });

  it('works on a file that is already dirty, and never saves it', async () => {
    await writeFile('a.ts', text);
    const editor = await openFile('a.ts');
    await untilText(editor.document, text);
    await editor.edit(builder => builder.insert(new vscode.Position(0, 0), '// unsaved\n'));
    await setClipboard(edit('a.ts', threeChanges));
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await run('splice.apply.acceptAll');
    assert.equal(editor.document.getText(), `// unsaved\n${apply(text)}`);
    assert.equal(await readFile('a.ts'), text);
  });

  it('saves only what was accepted, and keeps the rest pending', async () => {
    const { preview } = await review('a.ts', text);
    await run('splice.apply.acceptChange');
    await run('splice.apply.saveFile');
    assert.equal(await readFile('a.ts'), apply(text, threeChanges.slice(0, 1)));
    await untilPending(preview, 2);
  });

  it('keeps CRLF', async () => {
    const crlf = text.replaceAll('\n', '\r\n');
    const { file } = await review('crlf.ts', crlf);
    await run('splice.apply.acceptAll');
    assert.equal(file.getText(), apply(crlf));
    await file.save();
    assert.equal(await readFile('crlf.ts'), apply(crlf));
  });

  it('keeps a missing final newline, and changes the last line', async () => {
    const open = lines(25).join('\n');
    const { file } = await review('open.ts', open);
    await run('splice.apply.acceptAll');
    assert.equal(file.getText(), apply(open));
  });

  it('fills an empty file', async () => {
    await writeFile('empty.ts', '');
    const { document } = await openFile('empty.ts');
    await setClipboard('const a = 1;\nexport const b = a + 1;\n');
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await run('splice.apply.acceptAll');
    assert.match(document.getText(), /^const a = 1;\nexport const b = a \+ 1;\n?$/);
  });

  it('works on an untitled document', async () => {
    const { document } = await reviewOfUntitled(text);
    await run('splice.apply.acceptAll');
    assert.equal(document.getText(), apply(text));
    await discard(document);
  });

  it("brings back what was accepted in an untitled document after Don't Save", async () => {
    const { document } = await reviewOfUntitled(text);
    await run('splice.apply.acceptAll');
    await closeUntitled(document);
    const row = await goneRow();
    assert.equal(row.children.length, 3);
    // The next untitled document has the same name, and is another one.
    const next = await openUntitled(text);
    assert.equal(next.uri.toString(), document.uri.toString());
    assert.equal(next.getText(), text);
    await run('splice.apply.showReview', row);
    const preview = await waitFor(activePreview, 'the review');
    await untilPending(preview, 3);
    await run('splice.apply.acceptAll');
    await message(/^Untitled-1 no longer exists, so nothing can be accepted\./);
    assert.equal(next.getText(), text);
    await run('splice.apply.rejectAll');
    await waitFor(() => reviewTabs().length === 0, 'the review to close');
    await closeUntitled(next);
  });

  it('goes with an untitled document to another language', async () => {
    const { document, preview } = await reviewOfUntitled(text);
    await run('splice.apply.acceptChange');
    await vscode.languages.setTextDocumentLanguage(document, 'javascript');
    await untilPending(preview, 2);
    await run('splice.apply.acceptAll');
    assert.equal(document.getText(), apply(text));
    await discard(document);
  });

  it('goes with an untitled document to the file that it is saved as', async () => {
    const { document, preview } = await reviewOfUntitled(text);
    await run('splice.apply.acceptChange');
    await untilPending(preview, 2);
    // What "Save As" does, without its dialog: the new file is saved, then the old document closes.
    await writeFile('saved-as.ts', '');
    const { document: file } = await openFile('saved-as.ts');
    const all = new vscode.WorkspaceEdit();
    all.insert(file.uri, new vscode.Position(0, 0), document.getText());
    await vscode.workspace.applyEdit(all);
    await file.save();
    await closeUntitled(document);
    await waitFor(async () => (await waitingIn('saved-as.ts')) === 2, 'two changes to wait');
    await run('splice.apply.acceptAll');
    await untilText(file, apply(text));
  });

  it('refuses to change a file that is read-only, and stays open', async () => {
    await writeFile('locked.ts', text);
    await vscode.workspace
      .getConfiguration('files')
      .update('readonlyInclude', { '**/locked.ts': true }, vscode.ConfigurationTarget.Workspace);
    try {
      const { document: file } = await openFile('locked.ts');
      await setClipboard(edit('locked.ts', threeChanges));
      await run('splice.apply.clipboard');
      const preview = await waitFor(activePreview, 'the review');
      await run('splice.apply.acceptAll');
      await message(/locked\.ts is read-only/);
      assert.equal(file.getText(), text);
      await untilPending(preview, 3);
    } finally {
      await vscode.workspace
        .getConfiguration('files')
        .update('readonlyInclude', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('leaves the decision about a file without write permission to the save', async () => {
    const { file } = await review('mode.ts', text);
    await chmod(file.uri.fsPath, 0o444);
    try {
      await run('splice.apply.acceptAll');
      const isRefused = shownMessages().some(({ text: said }) => said.includes('read-only'));
      assert.equal(file.getText(), isRefused ? text : apply(text));
      assert.equal(await readFile('mode.ts'), text);
    } finally {
      await chmod(file.uri.fsPath, 0o644);
    }
  });

  it('shows the native diff, inline', async () => {
    await review('a.ts', text);
    await run('splice.apply.openDiff');
    const tab = await waitFor(
      () => reviewTabs().find(({ input }) => input instanceof vscode.TabInputTextDiff),
      'the diff',
    );
    assert.ok(tab.input instanceof vscode.TabInputTextDiff);
    const proposed = await vscode.workspace.openTextDocument(tab.input.modified);
    assert.equal(proposed.getText(), apply(text));
  });

  it('can be closed and reopened, with what was decided', async () => {
    const { preview } = await review('a.ts', text);
    await run('splice.apply.rejectChange');
    await untilPending(preview, 2);
    await closeTabs(reviewTabs());
    await run('splice.apply.reopenReview');
    const again = await waitFor(activePreview, 'the review');
    await untilPending(again, 2);
  });

  it('asks before a new edit takes the place of a review', async () => {
    const { preview } = await review('a.ts', text);
    await setClipboard(edit('a.ts', [['line 7;', 'line seven;']]));
    answer(/has a review with 3 undecided/, 'Replace Review');
    await run('splice.apply.clipboard');
    const next = await waitFor(activePreview, 'the new review');
    assert.notEqual(next.uri.toString(), preview.uri.toString());
    assert.match(next.getText(), /line seven;/);
    assert.doesNotMatch(next.getText(), /line five;/);
  });

  it('reviews several files at once, and accepts them all', async () => {
    await writeFile('one.ts', text);
    await writeFile('two.ts', text.replaceAll('line', 'row'));
    const one = await openFile('one.ts');
    const second = edit('two.ts', [['row 5;', 'row five;']]);
    await setClipboard(`${edit('one.ts', threeChanges)}\n${second}`);
    await run('splice.apply.clipboard');
    const preview = await waitFor(activePreview, 'the first review');
    assert.equal(reviewTabs().length, 1);
    assert.ok((await lensTitles(preview)).includes('$(checklist) Accept All 2 Files'));
    await run('splice.apply.acceptAllFiles');
    await waitFor(() => reviewTabs().length === 0, 'both to close');
    assert.equal(one.document.getText(), apply(text));
    const two = await vscode.workspace.openTextDocument(fileUri('two.ts'));
    assert.match(two.getText(), /row five;/);
  });

  it('is listed in the view of reviews, and decided there', async () => {
    const tree = rowTree(reviewsView);
    const { file } = await review('a.ts', text);
    assert.deepEqual(await tree.text(2), [
      'a.ts [3 changes · +3 −3]',
      '  Line 5 [+1 −1 · line five;]',
      '  Line 15 [+1 −1 · line fifteen;]',
      '  Line 25 [+1 −1 · line twenty-five;]',
    ]);
    const [, second] = await tree.shown();
    await run('splice.apply.acceptChange', second);
    await waitFor(() => file.getText() === apply(text, threeChanges.slice(0, 1)), 'the change');
    const rows = await tree.shown();
    assert.equal(rows.length, 3);
    await run('splice.apply.rejectChange', rows[1]);
    await waitFor(async () => (await tree.shown()).length === 2, 'one change left');
    await closeTabs(reviewTabs());
    await waitFor(async () => /closed/.test((await tree.text())[0] ?? ''), 'the row to say so');
    const [closed] = await tree.shown();
    await run(closed?.data.command?.id ?? '', ...(closed?.data.command?.args ?? []));
    await waitFor(activePreview, 'the review again');
    const [open] = await tree.shown();
    await run('splice.apply.acceptAll', open);
    await waitFor(async () => (await tree.shown()).length === 0, 'an empty view');
    assert.equal(
      file.getText(),
      apply(text, [threeChanges[0] ?? ['', ''], threeChanges[2] ?? ['', '']]),
    );
  });

  it('changes nothing outside the selection', async () => {
    await writeFile('a.ts', text);
    const editor = await openFile('a.ts');
    await untilText(editor.document, text);
    await setSelection(editor, new vscode.Selection(3, 0, 6, 0));
    stub(vscode.window, 'showQuickPick', async (items: { isTyped: boolean }[]) =>
      items.find(({ isTyped }) => !isTyped),
    );
    await setClipboard('line 4;\nline five;\nline 6;\n');
    await run('splice.apply.selection');
    const preview = await waitFor(activePreview, 'the review');
    await untilPending(preview, 1);
    await run('splice.apply.acceptAll');
    await untilText(editor.document, apply(text, threeChanges.slice(0, 1)));
  });

  it('offers the clipboard as a code action, without reading it', async () => {
    await writeFile('a.ts', text);
    const { document } = await openFile('a.ts');
    stub(vscode.env, 'clipboard', {
      readText: () => assert.fail('the clipboard was read unasked'),
    });
    const actions = await run<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(3, 0, 5, 0),
      vscode.CodeActionKind.Refactor.value,
    );
    assert.ok(actions.some(({ title }) => title === 'Apply clipboard edit here'));
  });

  it('works in a split editor', async () => {
    const { file, preview } = await review('a.ts', text);
    await run('workbench.action.splitEditor');
    await sleep(200);
    await run('splice.apply.acceptChange');
    await untilPending(preview, 2);
    assert.equal(file.getText(), apply(text, threeChanges.slice(0, 1)));
  });

  it('works on a cell of a notebook', async () => {
    const cell = {
      cell_type: 'code',
      source: lines(30).map(line => `${line}\n`),
      metadata: {},
      outputs: [],
      execution_count: null,
    };
    await writeFile(
      'book.ipynb',
      JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
    // Not opened through the API, which would keep the document open after its editor has closed.
    await run('vscode.openWith', fileUri('book.ipynb'), 'jupyter-notebook');
    const { notebook } = await waitFor(() => vscode.window.activeNotebookEditor, 'the notebook');
    const { document } = notebook.cellAt(0);
    const before = document.getText();
    await setClipboard(edit('', threeChanges).trimStart());
    await run('splice.apply.clipboard', document.uri, { startLine: 1, endLine: 30 });
    await waitFor(activePreview, 'the review');
    await run('splice.apply.acceptAll');
    await untilText(document, apply(before));

    // Don't Save: the accepted changes are in no file.
    await run('vscode.openWith', fileUri('book.ipynb'), 'jupyter-notebook');
    await run('workbench.action.revertAndCloseActiveEditor');
    await waitFor(async () => (await waitingIn('book.ipynb')) === 3, 'three changes to wait');
  });
});
