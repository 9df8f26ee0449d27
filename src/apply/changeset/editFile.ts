import * as vscode from 'vscode';
import { splitLines } from '../../base/text/textLines';
import { type LineEdit, toTextEdits } from '../review/model/lineEdit';
import { applyEdits } from '../review/model/rebase';

export type EditResult = 'applied' | 'readOnly' | 'failed';

export const linesOf = (document: vscode.TextDocument): string[] => splitLines(document.getText());

/**
 * Makes line edits in a document as one undo step; never saves. Success is read from the document:
 * `applyEdit` says true on a read-only file, and leaves changes there that can never be saved.
 */
export async function editFile(
  document: vscode.TextDocument,
  edits: readonly LineEdit[],
): Promise<EditResult> {
  if (await isReadOnly(document.uri)) return 'readOnly';
  const before = linesOf(document);
  const expected = applyEdits(before, edits).join('\n');
  let wasSaved = false;
  const listener = vscode.workspace.onDidSaveTextDocument(saved => {
    if (saved === document) wasSaved = true;
  });
  try {
    const isApplied = await replaceLines(document, before, edits);
    const now = linesOf(document).join('\n');
    if (now === before.join('\n') && expected !== now) return 'failed';
    if (!isApplied || now !== expected) return now === expected ? 'applied' : 'failed';
    if (document.isDirty || wasSaved || !canBeDirty(document.uri)) return 'applied';
    await replaceLines(document, linesOf(document), [
      { at: 0, count: document.lineCount, lines: before },
    ]);
    return 'readOnly';
  } finally {
    listener.dispose();
  }
}

async function replaceLines(
  document: vscode.TextDocument,
  lines: readonly string[],
  edits: readonly LineEdit[],
): Promise<boolean> {
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const replacements = toTextEdits(edits, { lines, eol }).map(edit => ({
    range: new vscode.Range(edit.startLine, edit.startCharacter, edit.endLine, edit.endCharacter),
    text: edit.text,
  }));
  const editor = vscode.window.visibleTextEditors.find(visible => visible.document === document);
  if (editor) {
    // Several times as fast as a workspace edit when there are hundreds of edits.
    return editor.edit(
      builder => {
        for (const { range, text } of replacements) builder.replace(range, text);
      },
      { undoStopBefore: true, undoStopAfter: true },
    );
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { range, text } of replacements) edit.replace(document.uri, range, text);
  return vscode.workspace.applyEdit(edit);
}

export async function isReadOnly(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return true;
  if (!canBeDirty(uri) || uri.scheme === 'untitled') return false;
  try {
    const { permissions } = await vscode.workspace.fs.stat(uri);
    return permissions === vscode.FilePermission.Readonly;
  } catch {
    // Deleted from the disk while it is open: the editor can still hold it.
    return false;
  }
}

/** A notebook's cells have no dirty state of their own. */
const canBeDirty = (uri: vscode.Uri) => uri.scheme !== 'vscode-notebook-cell';
