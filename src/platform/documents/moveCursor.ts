import * as vscode from 'vscode';

/** Puts the cursor at the beginning of a line, from 0, and shows the line. */
export function moveCursor(editor: vscode.TextEditor, line: number): void {
  const at = editor.document.validatePosition(new vscode.Position(line, 0));
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(
    new vscode.Range(at, at),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}
