import * as vscode from 'vscode';
import { ids } from '../manifest';
import type { ClipboardEdit } from './clipboard';
import { editText } from './engine';
import { type RankedTarget, rankTargets, type TargetCandidate } from './target';

/** Files of one base name that are looked at; more would be no help to choose from. */
const maxFound = 50;

export interface Target extends RankedTarget {
  readonly uri: vscode.Uri;
  readonly path: string;
}

/** Files that an edit may be meant for, the likeliest first: open ones, and those of the name it gives. */
export async function findTargets(edit: ClipboardEdit): Promise<Target[]> {
  const open = openDocuments();
  const active = vscode.window.activeTextEditor?.document;
  const uris = new Map<string, vscode.Uri>();
  const candidates = new Map<string, TargetCandidate>();
  const add = (uri: vscode.Uri, document?: vscode.TextDocument) => {
    const id = uri.toString();
    if (candidates.has(id)) return;
    uris.set(id, uri);
    candidates.set(id, {
      id,
      path: vscode.workspace.asRelativePath(uri, false),
      isActive: document !== undefined && document === active,
      isOpen: document !== undefined,
      ...(document && { languageId: document.languageId, text: document.getText() }),
    });
  };
  for (const document of open) add(document.uri, document);
  const name = edit.path?.split(/[\\/]/).at(-1);
  if (name) {
    const pattern = `**/${name.replaceAll(/[[\]{}*?!]/g, '?')}`;
    for (const uri of await vscode.workspace.findFiles(pattern, '**/node_modules/**', maxFound))
      add(uri);
  }
  const query = {
    text: editText(edit),
    ...(edit.path !== undefined && { path: edit.path }),
    ...(edit.format === 'snippet' &&
      edit.languageId !== undefined && { languageId: edit.languageId }),
  };
  return rankTargets(query, [...candidates.values()]).flatMap(ranked => {
    const uri = uris.get(ranked.id);
    return uri ? [{ ...ranked, uri, path: vscode.workspace.asRelativePath(uri) }] : [];
  });
}

/** Documents that stand in a tab or an editor; VS Code knows others that nobody sees. */
function openDocuments(): vscode.TextDocument[] {
  const shown = new Set(
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : [])),
  );
  for (const { document } of vscode.window.visibleTextEditors) shown.add(document.uri.toString());
  return vscode.workspace.textDocuments.filter(
    ({ uri }) => uri.scheme !== ids.scheme && uri.scheme !== 'output' && shown.has(uri.toString()),
  );
}
