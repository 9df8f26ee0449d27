import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type StandIn, startStandIn } from '../service/standIn';
import { asRead } from './asRead';
import { driver } from './driver';
import {
  activePreview,
  answer,
  closeAll,
  forgetService,
  lensTitles,
  openFile,
  run,
  setClipboard,
  setSelection,
  setSetting,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-header-test-0123456789';
const marker = '// ... existing code ...';
const lines = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `const value${index + 1} = ${index + 1};`);
const text = `${lines(200).join('\n')}\n`;
const snippetOf = (name: string): string =>
  [
    '```ts',
    `// ${name}`,
    'const value1 = 1;',
    'const value2 = 20;',
    'const value3 = 3;',
    marker,
    'const value119 = 119;',
    'const value120 = 1200;',
    'const value121 = 121;',
    marker,
    'const value129 = 129;',
    'const value130 = 1300;',
    'const value131 = 131;',
    marker,
    '```',
    '',
  ].join('\n');
/** Three changes, one near the top and two far below; the second has a marker too many. */
const merge = (code: string): string =>
  code
    .replace('const value2 = 2;', 'const value2 = 20;')
    .replace('const value120 = 120;', `const value120 = 1200;\n${marker}`)
    .replace('const value130 = 130;', 'const value130 = 1300;');

async function review(atLine = 0): Promise<vscode.TextDocument> {
  await writeFile('header.ts', text);
  await writeFile('other.ts', text);
  const editor = await openFile('header.ts');
  await waitFor(() => editor.document.getText() === text, 'the file as it was written');
  if (atLine > 0) {
    const at = new vscode.Range(atLine, 0, atLine, 0);
    editor.revealRange(at, vscode.TextEditorRevealType.AtTop);
    await waitFor(() => (editor.visibleRanges[0]?.start.line ?? 0) > 50, 'the middle of the file');
  }
  await setClipboard(`${snippetOf('header.ts')}\n${snippetOf('other.ts')}`);
  await run('splice.apply.clipboard');
  const preview = await waitFor(activePreview, 'the review');
  await waitFor(() => activePreview()?.uri.path.includes('header.ts'), 'the first review');
  return activePreview() ?? preview;
}

/** Texts of the lenses that lie on the screen, not only in the page. */
const shownLenses = async (): Promise<string> =>
  (await driver.text('.editor-group-container.active .codelens-decoration')).join('\n');

const problems = (uri: vscode.Uri): vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri);

async function pictures(name: string): Promise<void> {
  for (const theme of [
    'Default Light Modern',
    'Default Dark Modern',
    'Default High Contrast',
    'Default High Contrast Light',
  ]) {
    await setSetting('workbench.colorTheme', theme);
    await new Promise(resolve => setTimeout(resolve, 700));
    await driver.screenshot(`review ${name} ${theme}`);
  }
  await setSetting('workbench.colorTheme', undefined);
}

describe('what a review says of itself', () => {
  let standIn: StandIn;

  beforeEach(async () => {
    standIn = await startStandIn({ apiKey, merge });
    await useService(standIn.url, apiKey);
    await setSetting('splice.apply.engine', 'service');
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
  });

  it('is in sight when the review opens, at the top and far below', async function () {
    if (!driver.available) this.skip();
    for (const atLine of [0, 110]) {
      await review(atLine);
      await waitFor(async () => {
        const shown = await shownLenses();
        return [
          /header\.ts/,
          /merged by svc-/,
          /\d findings?/,
          /Accept All\b/,
          /Accept All 2 Files/,
        ].every(part => part.test(shown));
      }, `the summary, with line ${atLine} in front`);
      await pictures(`open at ${atLine}`);
      await closeAll();
    }
  });

  it('is in sight where a change begins in the first screen and ends below it', async function () {
    if (!driver.available) this.skip();
    await setSetting('splice.apply.engine', 'local');
    await writeFile('header.ts', text);
    const { visibleRanges } = await openFile('header.ts');
    const last = visibleRanges[0]?.end.line ?? assert.fail('no visible lines');
    const [from, to] = [last - 4, last + 5];
    const old = lines(200).slice(from, to).join('\n');
    await setClipboard(
      `header.ts\n<<<<<<< SEARCH\n${old}\n=======\n${old.replaceAll(/= /g, '= 1')}\n>>>>>>> REPLACE\n`,
    );
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'the review');
    await waitFor(async () => /merged locally/.test(await shownLenses()), 'the summary');
  });

  it('is shown by the keys that go to the first line', async function () {
    if (!driver.available) this.skip();
    await review(110);
    await waitFor(async () => /Accept\b/.test(await shownLenses()), 'the lenses');
    await driver.press('Control+Home');
    const editor = vscode.window.activeTextEditor;
    await waitFor(() => editor?.visibleRanges[0]?.start.line === 0, 'the first line');
    await pictures('after Ctrl+Home');
  });

  it('has findings at the change that they concern, for the eye and for a screen reader', async () => {
    const preview = await review(110);
    const row = preview.getText().split('\n').indexOf(marker);
    const found = problems(preview.uri);
    assert.ok(found.length > 0);
    // The change has two inserted lines, of which the marker is the second.
    for (const { range, source } of found) {
      assert.ok([row - 1, row].includes(range.start.line), `line ${range.start.line}`);
      assert.equal(source, 'Splice');
    }
    assert.ok(
      (await lensTitles(preview)).some(title => /^\$\((error|warning)\) \d findings?$/.test(title)),
    );
    stub(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
      // Read by a screen reader, to which the icon is nothing.
      assert.match(items[0]?.description ?? '', /^(Error|Warning) · change 2 of 3$/);
      return items[0];
    });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    await setSelection(editor, new vscode.Selection(0, 0, 0, 0));
    await run('splice.apply.showFindings');
    assert.ok(Math.abs(editor.selection.active.line - row) <= 2);
    let described: readonly vscode.QuickPickItem[] = [];
    stub(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
      described = items;
      return undefined;
    });
    await run('splice.apply.describeChange');
    assert.match(described[0]?.description ?? '', /^(Error|Warning) · audit$/);
  });

  it('loses a finding with its change, and all when it is closed', async () => {
    answer(/may be wrong/, 'Accept Anyway');
    const preview = await review(110);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const row = preview.getText().split('\n').indexOf(marker);
    await setSelection(editor, new vscode.Selection(row, 0, row, 0));
    editor.revealRange(editor.selection);
    await waitFor(
      () => editor.visibleRanges.some(visible => visible.contains(editor.selection)),
      'the change in sight',
    );
    await run('splice.apply.rejectChange');
    await waitFor(() => problems(preview.uri).length === 0, 'no finding');
    await run('splice.apply.undoDecision');
    await waitFor(() => problems(preview.uri).length > 0, 'the finding again');
    await run('workbench.action.closeAllEditors');
    await waitFor(() => problems(preview.uri).length === 0, 'no finding of a closed review');
  });

  it('is drawn in the diff, too', async function () {
    if (!driver.available) this.skip();
    const preview = await review(110);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const row = preview.getText().split('\n').indexOf(marker);
    await setSelection(editor, new vscode.Selection(row, 0, row, 0));
    await run('splice.apply.openDiff');
    await waitFor(() => asRead(activePreview()?.uri.path)?.endsWith('(proposed)'), 'the diff');
    await pictures('in the diff');
  });
});
