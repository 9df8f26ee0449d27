import type * as vscode from 'vscode';

type Marks = readonly vscode.Range[] | readonly vscode.DecorationOptions[];

/** The types that an editor has marks of. */
const shown = new WeakMap<vscode.TextEditor, Set<vscode.TextEditorDecorationType>>();

/** Replaces the marks of one type in an editor. Nothing is sent to the window where there were none and are none. */
export function setMarks(
  editor: vscode.TextEditor,
  type: vscode.TextEditorDecorationType,
  marks: Marks,
): void {
  const types = shown.get(editor) ?? new Set();
  shown.set(editor, types);
  if (marks.length === 0 && !types.delete(type)) return;
  if (marks.length > 0) types.add(type);
  editor.setDecorations(type, marks);
}
