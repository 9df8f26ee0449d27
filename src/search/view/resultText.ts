import * as vscode from 'vscode';
import { resultsScheme } from '../ids';
import { placesText } from './messages';
import type { PlaceFile, SearchNode } from './nodes';
import { asMarkdown, asSearchEditor, asText } from './results';
import { shorten } from './searchMessage';
import { codeOfPlaces, type ShownSearch, withDisplayPaths } from './shownSearch';

const { t } = vscode.l10n;

/** Documents that show results as text, by their address. */
export interface ResultsDocuments {
  serve(uri: vscode.Uri, text: string): void;
}

/** The address of the document that shows the results of a query; its last part is the tab's title. */
function resultsUri(query: string, extension: string): vscode.Uri {
  const name = shorten(query, 40)
    .replaceAll(/[\\/:*?"<>|#]/g, ' ')
    .trim();
  return vscode.Uri.from({ scheme: resultsScheme, path: `/${t('Results')} ${name}.${extension}` });
}

export async function resultsMarkdown(
  search: ShownSearch,
  files: readonly PlaceFile[],
): Promise<string> {
  const codes = await codeOfPlaces(search, files);
  return asMarkdown(
    search.request.query,
    codes.map(({ path, place: span, code }) => ({ path, span, code })),
  );
}

/** The code of places in the form of VS Code's search editor, whose lines lead to the files. */
async function resultsSearchEditor(
  search: ShownSearch,
  files: readonly PlaceFile[],
): Promise<string> {
  const codes = await codeOfPlaces(search, files);
  return asSearchEditor(
    search.request.query,
    placesText(files),
    codes.map(({ file, place: span, code }) => ({
      path: searchEditorPath(search.uriOf(file)),
      span,
      code,
    })),
  );
}

/** The path of a file from which VS Code's search editor finds it again. */
function searchEditorPath(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(uri, false);
  const isOneOfSeveral = (vscode.workspace.workspaceFolders ?? []).length > 1;
  const folder = isOneOfSeveral ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
  return folder ? `${folder.name} • ${path}` : path;
}

/** Shows the code of places in an editor: as Markdown, or as a search editor. */
export async function openResults(
  documents: ResultsDocuments,
  search: ShownSearch,
  files: readonly PlaceFile[],
  extension: 'md' | 'code-search',
): Promise<void> {
  const uri = resultsUri(search.request.query, extension);
  const textOf = extension === 'md' ? resultsMarkdown : resultsSearchEditor;
  documents.serve(uri, await textOf(search, files));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
}

/** A line for each place of a node. */
export function textOfNode(search: ShownSearch, node: SearchNode): string {
  if (node.kind === 'place') {
    return asText(withDisplayPaths(search, [{ ...node.file, spans: [node.place] }]));
  }
  if (node.kind === 'file') return asText(withDisplayPaths(search, [node.file]));
  return node.children
    .map(child => textOfNode(search, child))
    .filter(Boolean)
    .join('\n');
}

/** The absolute paths of the folders and files at a node. */
export function pathsOfNode(search: ShownSearch, node: SearchNode): string[] {
  if (node.kind === 'folder') return [search.uriOf(node).fsPath];
  if ('file' in node) return [search.uriOf(node.file).fsPath];
  return node.children.flatMap(child => pathsOfNode(search, child));
}
