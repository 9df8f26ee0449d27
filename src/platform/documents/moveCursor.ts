import * as vscode from 'vscode';
import { waitUntil } from '../../base/async/waitUntil';

const scrollTimeoutMs = 500;

/**
 * Puts the cursor at the beginning of a line, from 0, and shows the line. Resolves once the editor says that it
 * is in sight, as a command that follows may decide only what the user sees.
 */
export async function moveCursor(editor: vscode.TextEditor, line: number): Promise<void> {
  const at = editor.document.validatePosition(new vscode.Position(line, 0));
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(
    new vscode.Range(at, at),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
  await waitUntil(
    () => editor.visibleRanges.some(visible => visible.contains(at)),
    scrollTimeoutMs,
  );
}
