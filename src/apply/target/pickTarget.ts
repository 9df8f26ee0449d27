import * as vscode from 'vscode';
import type { Place } from './places';
import { allWorkspaceFiles, type WorkspaceFile } from './workspaceFiles';

export interface TargetRow extends vscode.QuickPickItem {
  readonly uri?: vscode.Uri;
}

/** No list is wider. */
const maxPreview = 100;

/** A place to choose: the file, the line, and what stands there. */
export function placeRow({ file, line, preview }: Place<WorkspaceFile>): TargetRow {
  const shown = preview.length > maxPreview ? `${preview.slice(0, maxPreview)}…` : preview;
  return {
    label: vscode.workspace.asRelativePath(file.uri),
    description: vscode.l10n.t('line {0}: {1}', line + 1, shown),
    uri: file.uri,
  };
}

/**
 * Asks for one of the files, or for another one. Undefined when the user cancelled.
 *
 * @param rows the likeliest first.
 */
export async function pickTarget(
  rows: readonly TargetRow[],
  options: { readonly title: string; readonly placeHolder: string },
  token?: vscode.CancellationToken,
): Promise<vscode.Uri | undefined> {
  const other: TargetRow = {
    label: vscode.l10n.t('Choose another file…'),
    iconPath: new vscode.ThemeIcon('search'),
    alwaysShow: true,
  };
  const picked = await vscode.window.showQuickPick(
    [...rows, other],
    { ...options, matchOnDescription: true },
    token,
  );
  return picked === other ? pickAnyFile(options.title, token) : picked?.uri;
}

/** Asks for any file of the workspace; without a folder, for any file at all. */
export async function pickAnyFile(
  title: string,
  token?: vscode.CancellationToken,
): Promise<vscode.Uri | undefined> {
  if (!vscode.workspace.workspaceFolders) return browse(title);
  const browsing: TargetRow = {
    label: vscode.l10n.t('Open File…'),
    iconPath: new vscode.ThemeIcon('folder-opened'),
  };
  const files = allWorkspaceFiles(new AbortController().signal);
  const rows = files.then(found => [
    ...found
      .toSorted((a, b) => a.path.localeCompare(b.path))
      .map(({ uri }): TargetRow => ({ label: vscode.workspace.asRelativePath(uri), uri })),
    browsing,
  ]);
  const picked = await vscode.window.showQuickPick(rows, { title }, token);
  return picked === browsing ? browse(title) : picked?.uri;
}

export async function browse(title: string): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showOpenDialog({ title, canSelectMany: false });
  return picked?.[0];
}
