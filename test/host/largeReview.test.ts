import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { print } from './print';
import {
  activePreview,
  closeAll,
  openFile,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

describe('a review of 10,000 lines with 300 changes', () => {
  afterEach(closeAll);

  it('opens, accepts one and accepts all without losing a line', async () => {
    const document = await copyEditOf('large.go');

    const opened = await timed(async () => {
      await run('splice.apply.clipboard');
      await waitFor(activePreview, 'the review');
    });
    const one = await timed(() => run('splice.apply.acceptChange'));
    assert.match(document.getText(), /^changed_0\(\);/);
    const all = await timed(() => run('splice.apply.acceptAll'));
    assert.equal(document.getText(), textOf(after));
    print(`      open ${opened} ms, accept one ${one} ms, accept all ${all} ms\n`);
  });

  it('tells the commands of changes out of sight when they come into sight', async () => {
    // Not the file of the test before: a review that has ended comes back with the text that it knows.
    await copyEditOf('long.go');
    await run('splice.apply.clipboard');
    const { uri } = await waitFor(previewOf('long.go'), 'the review');

    const told = (await lensesOf(uri)).filter(({ isResolved }) => isResolved);
    const most = Math.max(...told.map(({ range }) => range.start.line));
    assert.ok(most > 0 && most < 500, `line ${most}`);
    const all = await lensesOf(uri, 10_000);
    assert.match(all[0]?.command?.title ?? '', /long\.go: 300 changes/);
    const accepting = all.filter(({ command }) => command?.command === 'splice.apply.acceptChange');
    assert.equal(accepting.length, 300);
    assert.match(accepting.at(-1)?.command?.title ?? '', /Accept/);
  });
});

const before = Array.from({ length: 10_000 }, (_, i) => `call_${i}(${i * 7}, "value ${i}");`);
const after = before.map((line, i) => (i % 33 === 0 && i < 9900 ? `changed_${i}();` : line));
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Opens a file and copies the text with the changes. */
async function copyEditOf(name: string): Promise<vscode.TextDocument> {
  await writeFile(name, textOf(before));
  const { document } = await openFile(name);
  await setClipboard(textOf(after));
  return document;
}

/** The review in front, if it is that of the file. */
const previewOf = (name: string) => () => {
  const preview = activePreview();
  return preview?.uri.path.includes(name) ? preview : undefined;
};

async function lensesOf(uri: vscode.Uri, resolved = 0): Promise<vscode.CodeLens[]> {
  return vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, resolved);
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return Math.round(performance.now() - start);
}
