import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  activePreview,
  closeAll,
  fileUri,
  lensTitles,
  message,
  openFile,
  run,
  setClipboard,
  setSelection,
  waitFor,
  writeFile,
} from './support';

const file = 'lines/steps.ts';
const steps = `export function steps(): string[] {
  const all: string[] = [];
  return all;
}
`;
const longer = steps.replace(
  '  return all;',
  "  all.push('one');\n  all.push('two');\n  all.push('three');\n  return all;",
);

/** The text of the file in the editor. */
const textNow = async () => (await vscode.workspace.openTextDocument(fileUri(file))).getText();

/** Selects the rows of the review that hold these texts. */
async function select(first: string, last = first): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? assert.fail('no editor');
  const row = (text: string) =>
    editor.document
      .getText()
      .split('\n')
      .findIndex(line => line.includes(text));
  await setSelection(editor, new vscode.Selection(row(first), 0, row(last), 4));
}

/** Waits for a text of the file; when it does not come, the failure shows what is there. */
async function becomes(wanted: string, what: string): Promise<void> {
  await waitFor(async () => (await textNow()) === wanted, what).catch(async () =>
    assert.equal(await textNow(), wanted, what),
  );
}

const shows = async (pattern: RegExp) =>
  waitFor(() => pattern.test(activePreview()?.getText() ?? ''), String(pattern));
const changes = async () => {
  const preview = activePreview();
  const titles = preview ? await lensTitles(preview) : [];
  return titles.filter(title => title.endsWith('Accept')).length;
};

describe('the selected lines of a change', () => {
  beforeEach(async () => {
    await writeFile(file, steps);
    await openFile(file);
    // VS Code may have read the file while it was being written.
    await waitFor(async () => (await textNow()) === steps, 'the text is read');
    await setClipboard(`\`\`\`ts ${file}\n${longer}\`\`\`\n`);
    await run('splice.apply.clipboard');
    await shows(/three/);
  });
  afterEach(closeAll);
  after(() => vscode.workspace.fs.delete(fileUri('lines'), { recursive: true }));

  it('are accepted alone, and undone', async () => {
    await select("'two'");
    await run('splice.apply.acceptLines');
    await waitFor(async () => (await textNow()).includes("'two'"), 'the line');
    assert.equal(await textNow(), steps.replace('  return', "  all.push('two');\n  return"));
    await waitFor(async () => (await changes()) === 2, 'two changes are left');
    await run('splice.apply.undoDecision');
    await becomes(steps, 'the line is gone');
    await run('splice.apply.acceptAll');
    await becomes(longer, 'all lines in their order');
  });

  it('are rejected alone', async () => {
    await select("'one'", "'two'");
    await run('splice.apply.rejectLines');
    await shows(/^(?![^]*'(?:one|two)')[^]*'three'/);
    await run('splice.apply.acceptAll');
    const wanted = steps.replace('  return', "  all.push('three');\n  return");
    await becomes(wanted, 'the other line');
  });

  it('must belong to a change', async () => {
    await select('return all');
    await run('splice.apply.acceptLines');
    await message(/No line of a change is selected\. Select some/);
    assert.equal(await textNow(), steps);
    await openFile(file);
    await run('splice.apply.rejectLines');
    await message(/Select lines of a change in a review/);
  });
});
