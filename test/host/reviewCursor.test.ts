import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reviewScheme } from '../../src/platform/ids';
import { asRead } from './asRead';
import { driver } from './driver';
import {
  activePreview,
  closeAll,
  message,
  messages,
  openFile,
  run,
  setClipboard,
  setSelection,
  stub,
  waitFor,
  writeFile,
} from './support';

const text = 'a1\na2\na3\na4\nkeep1\nkeep2\nz\nend\n';
const blockOf = (from: string, to: string): string =>
  `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n`;
const twoChanges = `cursor.ts\n${blockOf('a1\na2\na3\na4', 'b1\nb2\nb3\nb4')}${blockOf('z', 'z = 99')}`;

async function review(edit = twoChanges, content = text): Promise<vscode.TextDocument> {
  await writeFile('cursor.ts', content);
  const { document } = await openFile('cursor.ts');
  await waitFor(() => document.getText() === content, 'the file as it was written');
  await setClipboard(edit);
  await run('splice.apply.clipboard');
  await waitFor(activePreview, 'the review');
  return document;
}

const active = (): vscode.TextEditor => {
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor);
  return editor;
};

/** Puts the cursor of the active editor on the first line with this text. */
async function putCursorOn(line: string): Promise<void> {
  const editor = active();
  const at = editor.document.getText().split(/\r?\n/).indexOf(line);
  assert.ok(at >= 0, `no line ${line} in ${editor.document.uri.path}`);
  await setSelection(editor, new vscode.Selection(at, 0, at, 0));
}

const lineAtCursor = (): string => active().document.lineAt(active().selection.active.line).text;

/** Opens the diff; its right side has the focus. */
async function openDiff(): Promise<void> {
  await run('splice.apply.openDiff');
  await waitFor(
    () => asRead(vscode.window.activeTextEditor?.document.uri.path)?.endsWith('(proposed)'),
    'the diff',
  );
}

/** Moves from the proposed side of the diff to the file. */
async function toLeftSide(file: vscode.TextDocument): Promise<void> {
  await run('workbench.action.compareEditor.focusSecondarySide');
  await waitFor(() => vscode.window.activeTextEditor?.document === file, 'the left side');
}

async function copied(): Promise<string> {
  let content = '';
  stub(vscode.env, 'clipboard', { writeText: async (value: string) => void (content = value) });
  await run('splice.apply.copyRemoved');
  return content;
}

async function described(): Promise<string[]> {
  let labels: string[] = [];
  stub(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
    labels = items.map(({ label }) => label);
  });
  await run('splice.apply.describeChange');
  return labels;
}

describe('a decision on the change at the cursor', () => {
  afterEach(closeAll);

  it('accepts the change of the diff that the cursor is on, and no other', async function () {
    const file = await review();
    await openDiff();
    await putCursorOn('z = 99');
    if (driver.available) {
      await waitFor(() => lineAtCursor() === 'z = 99', 'the cursor');
      await driver.press('Alt+Y');
    } else await run('splice.apply.acceptChange');
    await waitFor(() => file.isDirty, 'the file to change');
    assert.equal(file.getText(), text.replace('z', 'z = 99'));
  });

  it('rejects, copies, describes and opens by the cursor in the diff', async () => {
    const file = await review();
    await openDiff();
    await putCursorOn('z = 99');
    assert.equal(await copied(), 'z');
    assert.deepEqual(await described(), ['− z', '+ z = 99']);
    await run('splice.apply.rejectChange');
    await run('splice.apply.acceptAll');
    assert.equal(file.getText(), text.replace('a1\na2\na3\na4', 'b1\nb2\nb3\nb4'));
  });

  it('acts on no other review when the one that was named has ended', async () => {
    const file = await review();
    for (const id of [
      'splice.apply.acceptAll',
      'splice.apply.rejectAll',
      'splice.apply.acceptChange',
    ]) {
      await run(id, 'ended');
      await message(/^This review has ended\.$/);
    }
    assert.equal(file.getText(), text);
    assert.equal(active().document.uri.scheme, reviewScheme);
  });

  it('opens the file at the line that the cursor is on in the diff', async () => {
    const file = await review();
    await openDiff();
    await putCursorOn('keep2');
    await run('splice.apply.openFile');
    await waitFor(() => active().document === file, 'the file');
    assert.equal(lineAtCursor(), 'keep2');
  });

  it('decides by the cursor on the left side of the diff, which is the file itself', async () => {
    const file = await review();
    await openDiff();
    await toLeftSide(file);
    await putCursorOn('z');
    assert.equal(await copied(), 'z');
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), text.replace('z', 'z = 99'));
  });

  it('follows lines typed into the file beside the diff', async () => {
    const file = await review();
    await openDiff();
    const typing = new vscode.WorkspaceEdit();
    typing.insert(file.uri, new vscode.Position(0, 0), 'mine1\nmine2\nmine3\n');
    await vscode.workspace.applyEdit(typing);
    await waitFor(
      () => active().document.getText().startsWith('mine1\n'),
      'the lines on the right',
    );
    await putCursorOn('z = 99');
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), `mine1\nmine2\nmine3\n${text.replace('z', 'z = 99')}`);
  });

  it('accepts a removal where the diff draws it, above the line that follows', async () => {
    const file = await review(`cursor.ts\n${blockOf('a2\na3\n', '')}${blockOf('z', 'z = 99')}`);
    await openDiff();
    await putCursorOn('a4');
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), text.replace('a2\na3\n', ''));
  });

  it('goes on in the diff after a decision', async () => {
    const file = await review();
    await openDiff();
    await putCursorOn('b2');
    await run('splice.apply.acceptChange');
    assert.ok(asRead(active().document.uri.path).endsWith('(proposed)'));
    assert.equal(lineAtCursor(), 'z = 99');
    await run('splice.apply.acceptChange');
    assert.match(file.getText(), /^b1\n[^]*z = 99/);
  });

  it('uses the cursor of the editor in front when the review is split', async () => {
    const file = await review();
    await run('workbench.action.splitEditor');
    await waitFor(
      () =>
        vscode.window.visibleTextEditors.filter(
          ({ document }) => document.uri.scheme === reviewScheme,
        ).length === 2,
      'two editors',
    );
    await putCursorOn('z = 99');
    await run('workbench.action.focusFirstEditorGroup');
    await waitFor(() => active().viewColumn === vscode.ViewColumn.One, 'the first editor');
    await putCursorOn('b2');
    await run('workbench.action.focusSecondEditorGroup');
    await waitFor(() => active().viewColumn === vscode.ViewColumn.Two, 'the second editor');
    assert.equal(lineAtCursor(), 'z = 99');
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), text.replace('z', 'z = 99'));
  });

  it('moves to the next change when the cursor is on none, and decides nothing', async () => {
    const file = await review();
    for (const open of [async () => {}, openDiff]) {
      await open();
      await putCursorOn('keep1');
      await run('splice.apply.acceptChange');
      assert.equal(file.getText(), text);
      assert.match(messages().at(-1) ?? '', /not on a change.*change 2 of 2/s);
      assert.ok(['z', 'z = 99'].includes(lineAtCursor()), lineAtCursor());
      await putCursorOn('keep1');
      await run('splice.apply.rejectChange');
      assert.match(messages().at(-1) ?? '', /not on a change.*change 2 of 2/s);
    }
    await run('splice.apply.acceptAll');
    assert.match(file.getText(), /^b1\n[^]*z = 99/);
  });

  it('shows the review, and decides nothing, when another editor is in front', async () => {
    const file = await review();
    await vscode.window.showTextDocument(file, { preview: false });
    await putCursorOn('keep1');
    await run('splice.apply.acceptChange');
    await waitFor(activePreview, 'the review');
    assert.equal(file.getText(), text);
    assert.equal(lineAtCursor(), 'z');
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), text.replace('z', 'z = 99'));
  });

  it('never accepts a change that is out of sight', async () => {
    const long = `${text}${Array.from({ length: 300 }, (_, line) => `row ${line}`).join('\n')}\n`;
    const file = await review(twoChanges, long);
    const editor = active();
    editor.revealRange(new vscode.Range(250, 0, 250, 0), vscode.TextEditorRevealType.AtTop);
    await waitFor(() => (editor.visibleRanges[0]?.start.line ?? 0) > 200, 'the end of the file');
    await run('splice.apply.acceptChange');
    assert.equal(file.getText(), long);
    assert.match(messages().at(-1) ?? '', /not visible/);
    await run('splice.apply.acceptChange');
    assert.notEqual(file.getText(), long);
  });

  // VS Code compares the two sides of the diff by itself, and may compare equal lines in another way.
  for (let seed = 1; seed <= 4; seed++)
    it(`decides only on what VS Code draws in the diff of random edits, seed ${seed}`, async () => {
      const [before, after] = randomEdit(seed);
      await review(`cursor.ts\n${blockOf(before, after)}`, `${before}\n`);
      await openDiff();
      const editor = active();
      const stops = new Set<number>();
      let known = 0;
      for (;;) {
        const from = editor.selection.active.line;
        await run('workbench.action.compareEditor.nextChange');
        await waitFor(() => editor.selection.active.line !== from, 'the next change');
        const at = editor.selection.active.line;
        if (stops.has(at)) break;
        stops.add(at);
        const labels = await described();
        if (labels.length === 0) {
          assert.notEqual(editor.selection.active.line, at, 'the cursor goes to a change');
          continue;
        }
        known++;
        const isInserted = labels.includes(`+ ${editor.document.lineAt(at).text}`);
        const isRemoval = labels.every(label => label.startsWith('− '));
        assert.ok(isInserted || isRemoval, `line ${at + 1}: ${labels.join(', ')}`);
      }
      assert.ok(known > 1 && known >= 0.5 * stops.size, `${known} of ${stops.size}`);
    });
});

/** A file of few different lines, so that there are many ways to compare it with what becomes of it. */
function randomEdit(seed: number): [before: string, after: string] {
  let state = seed;
  const pick = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const words = ['if (a) {', '}', 'b();', 'c();', '', 'return d;'];
  const line = () => words[pick(words.length)] ?? '';
  const lines = Array.from({ length: 50 }, line);
  const edited = [...lines];
  for (let edits = 0; edits < 8; edits++) {
    const at = pick(edited.length - 4);
    const added = Array.from({ length: pick(4) }, (_, n) =>
      n % 2 === 0 ? `new${seed}${edits}${n}();` : line(),
    );
    edited.splice(at, pick(4), ...added);
  }
  return [`${lines.join('\n')}\nend`, `${edited.join('\n')}\nend`];
}
