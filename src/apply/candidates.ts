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
    text: soughtText(edit),
    ...(edit.path !== undefined && { path: edit.path }),
    ...(edit.format === 'snippet' &&
      edit.languageId !== undefined && { languageId: edit.languageId }),
  };
  const targets = rankTargets(query, [...candidates.values()]).flatMap(ranked => {
    const uri = uris.get(ranked.id);
    return uri ? [{ ...ranked, uri, path: vscode.workspace.asRelativePath(uri) }] : [];
  });
  // An empty file in front has no lines to compare, but waits for some.
  const isEmptyInFront = active?.getText().trim() === '' && edit.path === undefined;
  const inFront = targets.find(({ id }) => isEmptyInFront && id === active.uri.toString());
  if (!inFront || targets.some(({ clear }) => clear)) return targets;
  return [{ ...inFront, clear: true }, ...targets.filter(target => target !== inFront)];
}

/** The lines of an edit that should stand in its file. */
function soughtText(edit: ClipboardEdit): string {
  if (edit.format !== 'searchReplace') return editText(edit);
  return edit.blocks.map(({ search }) => search).join('\n');
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
