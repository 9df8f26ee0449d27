import * as vscode from 'vscode';
import { reviewScheme } from '../../platform/ids';
import { editText } from '../changeset/engine';
import type { ClipboardEdit } from '../parse/clipboard';
import { pathParts, type RankedTarget, rankTargets, type TargetCandidate } from './rankTargets';

/** Maximum number of files with the same base name that are considered. */
const maxFound = 50;

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
  if (edit.path !== undefined) for (const uri of await findNamed(edit.path)) add(uri);
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

/** The files that a path may mean: first the one with exactly this path, then those that end like it. */
async function findNamed(path: string): Promise<vscode.Uri[]> {
  const parts = pathParts(path);
  const name = parts.at(-1);
  if (name === undefined) return [];
  const exact = await Promise.all(
    (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name: folder }) => {
      const below = [vscode.Uri.joinPath(uri, ...parts)];
      if (parts.length > 1 && parts[0] === folder) {
        below.push(vscode.Uri.joinPath(uri, ...parts.slice(1)));
      }
      return below.map(async found => ((await isFile(found)) ? [found] : []));
    }),
  );
  const found = exact.flat();
  // More files than can be listed may have the same name, so longer ends are looked for first.
  for (const end of parts.length > 1 ? [parts.join('/'), name] : [name]) {
    const pattern = `**/${end.replaceAll(/[[\]{}*?!]/g, '?')}`;
    found.push(...(await vscode.workspace.findFiles(pattern, '**/node_modules/**', maxFound)));
  }
  return found;
}

/** Whether there is a file, and not only a folder, at this place. */
export async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
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
