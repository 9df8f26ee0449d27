import * as vscode from 'vscode';
import { editorsOf } from './decorations';
import type { Review } from './review';

/** The document of a tab; of a diff, the changed side. */
export function documentOf({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** The tabs of a review: its preview and its diff. */
export function tabsOf(review: Review): vscode.Tab[] {
  const own = new Set([review.previewUri.toString(), review.proposedUri.toString()]);
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(tab => own.has(documentOf(tab)?.toString() ?? ''));
}

export async function closeTabs(review: Review): Promise<void> {
  const tabs = tabsOf(review);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** The tab of the file itself, in whichever group. */
export function fileTabOf(review: Review): vscode.Tab | undefined {
  const uri = review.fileUri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri);
}

/** The editor of a document that was just opened; undefined when VS Code did not show it in 5 s. */
export async function whenVisible(uri: vscode.Uri): Promise<vscode.TextEditor | undefined> {
  for (let waited = 0; waited < 5000; waited += 10) {
    const editor = editorsOf(uri)[0];
    if (editor) return editor;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  return undefined;
}
