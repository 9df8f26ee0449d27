import * as vscode from 'vscode';
import type { Review } from '../review';
import { reviewIdOf } from './reviewId';
import { editorsOf } from './visibleRows';

/** The document of a tab; for a diff, its modified side. */
export function documentOf({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** The document of the active editor or tab. */
export function activeTabUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return (
    vscode.window.activeTextEditor?.document.uri ??
    (input instanceof vscode.TabInputText ? input.uri : undefined)
  );
}

/** The tabs of a review: its preview and its diff, also under a name from before a reload. */
export function tabsOf({ id }: Review): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(tab => reviewIdOf(documentOf(tab)) === id);
}

/** Whether VS Code restored a tab whose document the review does not provide any more, such as one of an earlier version. */
export function isOutdated(tab: vscode.Tab, { previewUri, proposedUri }: Review): boolean {
  const shown = documentOf(tab)?.toString();
  return shown !== previewUri.toString() && shown !== proposedUri.toString();
}

export async function closeTabs(review: Review): Promise<void> {
  const tabs = tabsOf(review);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** The tab of the file itself, in any group. */
export function fileTabOf(review: Review): vscode.Tab | undefined {
  const uri = review.fileUri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri);
}

/** The editor of a document that was just opened; undefined when VS Code does not show it within 5 s. */
export async function whenVisible(uri: vscode.Uri): Promise<vscode.TextEditor | undefined> {
  for (let waited = 0; waited < 5000; waited += 10) {
    const editor = editorsOf(uri)[0];
    if (editor) return editor;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  return undefined;
}
