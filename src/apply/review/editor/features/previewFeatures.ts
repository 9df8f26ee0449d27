import * as vscode from 'vscode';
import { positionParts } from '../../model/view/reviewPosition';
import type { Review } from '../../review';
import { openReviewed } from '../placeAfterClose';
import { textBelowHeader } from '../reviewEditor';
import { rowOfLine, unchangedLine } from '../rowMap';
import { type ShownFile, shownRange } from './fileFeatures';

/** The file in the preview of its review; undefined for another document and for a file without unchanged lines. */
export function fileInPreview(
  { uri }: vscode.TextDocument,
  review: Review | undefined,
): ShownFile | undefined {
  if (!review || uri.toString() !== review.previewUri.toString()) return undefined;
  // A file that is created, deleted or renamed has no unchanged lines.
  if (review.state === 'orphan' || review.operation) return undefined;
  const { fileUri } = review;
  return {
    uri,
    fileUri,
    lineAt: row => unchangedLine(review.view, row),
    rowAt: line => rowOfLine(review.view, line),
    isCurrent: (preview, file) =>
      textBelowHeader(preview) === review.view.text &&
      file.lineCount === review.view.lineCounts.file,
  };
}

/**
 * One symbol for the whole review, which keeps its header at the top of the editor while it is scrolled, and in it those
 * of the file; also those on removed lines, which are in the file as yet: the lines inside them may stay as they are.
 */
export class PreviewSymbols implements vscode.DocumentSymbolProvider {
  readonly #find: (uri: vscode.Uri) => Review | undefined;

  constructor(find: (uri: vscode.Uri) => Review | undefined) {
    this.#find = find;
  }

  async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const review = this.#find(document.uri);
    if (!review || document.uri.toString() !== review.previewUri.toString()) return [];
    const first = document.lineAt(0);
    const whole = new vscode.DocumentSymbol(
      positionParts(review, vscode.l10n.t).at(-1) ?? review.fileName,
      '',
      vscode.SymbolKind.File,
      new vscode.Range(first.range.start, document.lineAt(document.lineCount - 1).range.end),
      first.range,
    );
    whole.children = await symbolsOfFile(document, review);
    return [whole];
  }
}

async function symbolsOfFile(
  document: vscode.TextDocument,
  review: Review,
): Promise<vscode.DocumentSymbol[]> {
  const shown = fileInPreview(document, review);
  const file = shown && (await openReviewed(shown.fileUri));
  if (!file || !shown.isCurrent(document, file)) return [];
  // Flat lists of other extensions come as trees too.
  const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    file.uri,
  );
  return (found ?? []).map(symbol => shownSymbol(shown, symbol));
}

function shownSymbol(shown: ShownFile, symbol: vscode.DocumentSymbol): vscode.DocumentSymbol {
  const copy = new vscode.DocumentSymbol(
    symbol.name,
    symbol.detail,
    symbol.kind,
    shownRange(shown, symbol.range),
    shownRange(shown, symbol.selectionRange),
  );
  copy.children = symbol.children.map(child => shownSymbol(shown, child));
  if (symbol.tags) copy.tags = symbol.tags;
  return copy;
}
