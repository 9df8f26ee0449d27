import * as vscode from 'vscode';
import { reviewScheme } from '../../platform/ids';
import { editText } from '../changeset/engine';
import type { ClipboardEdit } from '../parse/clipboard';
import { findNamedFiles } from './findNamedFiles';
import { type RankedTarget, rankTargets, type TargetCandidate } from './rankTargets';

export interface Target extends RankedTarget {
  readonly uri: vscode.Uri;
  readonly path: string;
}

/** Files that an edit may be meant for, likeliest first: open files, and files with the name in the edit. */
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
      // With several folders, the name of the folder is a part of it.
      path: vscode.workspace.asRelativePath(uri),
      isActive: document !== undefined && document === active,
      isOpen: document !== undefined,
      ...(document && { languageId: document.languageId, text: document.getText() }),
    });
  };
  for (const document of open) add(document.uri, document);
  if (edit.path !== undefined) for (const uri of await findNamedFiles(edit.path)) add(uri);
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
  // An empty active file has no lines to compare, but is a likely target.
  const isEmptyInFront = active?.getText().trim() === '' && edit.path === undefined;
  const inFront = targets.find(({ id }) => isEmptyInFront && id === active.uri.toString());
  if (!inFront || targets.some(({ clear }) => clear)) return targets;
  return [{ ...inFront, clear: true }, ...targets.filter(target => target !== inFront)];
}

/** The lines of an edit that its file should contain. */
function soughtText(edit: ClipboardEdit): string {
  if (edit.format !== 'searchReplace') return editText(edit);
  return edit.blocks.map(({ search }) => search).join('\n');
}

/** Documents that are open in a tab or an editor; `textDocuments` also contains hidden ones. */
export function openDocuments(): vscode.TextDocument[] {
  const shown = new Set(
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : [])),
  );
  for (const { document } of vscode.window.visibleTextEditors) shown.add(document.uri.toString());
  return vscode.workspace.textDocuments.filter(
    ({ uri }) =>
      uri.scheme !== reviewScheme && uri.scheme !== 'output' && shown.has(uri.toString()),
  );
}
