import * as vscode from 'vscode';
import { resultsScheme } from '../ids';
import type { PlaceFile, SearchNode } from './nodes';
import { asMarkdown, asText } from './results';
import { shorten } from './searchMessage';
import { codeOfPlaces, type ShownSearch, withDisplayPaths } from './shownSearch';

const { t } = vscode.l10n;

/** Documents that show results as text, by their address. */
export interface ResultsDocuments {
  serve(uri: vscode.Uri, text: string): void;
}

/** The address of the document that shows the results of a query; its last part is the tab's title. */
export function resultsUri(query: string): vscode.Uri {
  const name = shorten(query, 40)
    .replaceAll(/[\\/:*?"<>|#]/g, ' ')
    .trim();
  return vscode.Uri.from({ scheme: resultsScheme, path: `/${t('Results')} ${name}.md` });
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

/** A line for each place of the nodes. */
export function textOfNodes(search: ShownSearch, nodes: readonly SearchNode[]): string {
  const lines = nodes.flatMap(node => {
    if (node.kind === 'place') {
      return asText(withDisplayPaths(search, [{ ...node.file, spans: [node.place] }]));
    }
    if (node.kind === 'file') return asText(withDisplayPaths(search, [node.file]));
    return [];
  });
  return lines.join('\n');
}

/** The absolute paths of the nodes' folders and files, one per line and each once. */
export function pathsOfNodes(search: ShownSearch, nodes: readonly SearchNode[]): string {
  const paths = nodes.flatMap(node => {
    if (node.kind === 'folder') return search.uriOf(node).fsPath;
    return 'file' in node ? search.uriOf(node.file).fsPath : [];
  });
  return [...new Set(paths)].join('\n');
}
