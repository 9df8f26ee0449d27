import * as vscode from 'vscode';
import { moveCursor } from '../../../platform/documents/moveCursor';
import { whenVisible } from '../editor/reviewTabs';

/** The two documents of a file: no left one for a file that is new. */
export interface MultiDiffFile {
  readonly before: vscode.Uri | undefined;
  readonly after: vscode.Uri;
}

/**
 * Opens the multi-file diff editor. `vscode.changes` cannot say at which line; the command that VS Code's own Git uses can,
 * and finds an open tab again. It is not documented, so it may be gone one day.
 *
 * @param source the same for the same files, so that VS Code shows the tab that is open.
 * @param at a line, from 0, of one of the right documents.
 */
export async function openMultiDiff(
  title: string,
  source: string,
  files: readonly MultiDiffFile[],
  at?: { readonly target: vscode.Uri; readonly line: number },
): Promise<void> {
  const lineNumber = at && at.line + 1;
  try {
    await vscode.commands.executeCommand('_workbench.openMultiDiffEditor', {
      title,
      multiDiffSourceUri: vscode.Uri.from({ scheme: 'multi-diff-editor', path: source }),
      resources: files.map(({ before, after }) => ({ originalUri: before, modifiedUri: after })),
      ...(at && {
        reveal: {
          modifiedUri: at.target,
          range: {
            startLineNumber: lineNumber,
            startColumn: 1,
            endLineNumber: lineNumber,
            endColumn: 1,
          },
        },
      }),
    });
  } catch {
    await vscode.commands.executeCommand(
      'vscode.changes',
      title,
      files.map(({ before, after }) => [after, before, after]),
    );
  }
  // In preview, the next file that is opened would take its place.
  await vscode.commands.executeCommand('workbench.action.keepEditor');
}

/** Puts the cursor on a line, from 0, of a right document that is open on a page. */
export async function placeCursor({
  target,
  line,
}: {
  readonly target: vscode.Uri;
  readonly line: number;
}): Promise<void> {
  const editor = await whenVisible(target);
  if (editor) await moveCursor(editor, line);
}

/** The tabs of a page. VS Code adds the number of files to the title, and does not tell extensions what is in it. */
export const tabsOfMultiDiff = (title: string): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(tab => isTabOfMultiDiff(tab, title));

export const isTabOfMultiDiff = ({ label, input }: vscode.Tab, title: string): boolean =>
  !(input instanceof vscode.TabInputText) && (label === title || label.startsWith(`${title} (`));
