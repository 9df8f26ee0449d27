import * as vscode from 'vscode';
import { positionParts } from '../model/view/reviewPosition';
import type { Review } from '../review';
import { openReviewed } from './placeAfterClose';
import { textBelowHeader } from './reviewEditor';
import { rowOfLine, unchangedLine } from './rowMap';

type Features = vscode.HoverProvider &
  vscode.DefinitionProvider &
  vscode.ReferenceProvider &
  vscode.DocumentSymbolProvider;

/**
 * Hovers, definitions, references and symbols of the preview. No language server knows its text, so they are those of the
 * file itself, at the lines that do not change.
 */
export class PreviewFeatures implements Features {
  readonly #find: (uri: vscode.Uri) => Review | undefined;

  constructor(find: (uri: vscode.Uri) => Review | undefined) {
    this.#find = find;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const place = await this.#placeOf(document, position);
    const hovers = place && (await ask<vscode.Hover[]>('vscode.executeHoverProvider', place));
    if (!hovers?.[0]) return undefined;
    const { range } = hovers[0];
    return new vscode.Hover(
      hovers.flatMap(({ contents }) => contents),
      range && place && shownRange(place.review, range),
    );
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.LocationLink[]> {
    const place = await this.#placeOf(document, position);
    if (!place) return [];
    const found = await ask<(vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider',
      place,
    );
    return found.map(target => shownLink(place.review, target));
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location[]> {
    const place = await this.#placeOf(document, position);
    if (!place) return [];
    const found = await ask<vscode.Location[]>('vscode.executeReferenceProvider', place);
    return found.map(location => shownLocation(place.review, location));
  }

  /**
   * One symbol for the whole review, which keeps its header at the top of the editor while it is scrolled, and in it those
   * of the file; also those on removed lines, which are in the file as yet: the lines inside them may stay as they are.
   */
  async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const shown = this.#find(document.uri);
    if (!shown || document.uri.toString() !== shown.previewUri.toString()) return [];
    const first = document.lineAt(0);
    const whole = new vscode.DocumentSymbol(
      positionParts(shown, vscode.l10n.t).at(-1) ?? shown.fileName,
      '',
      vscode.SymbolKind.File,
      new vscode.Range(first.range.start, document.lineAt(document.lineCount - 1).range.end),
      first.range,
    );
    whole.children = await this.#symbolsOfFile(document);
    return [whole];
  }

  async #symbolsOfFile(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const review = this.#reviewOf(document);
    const file = review && (await openReviewed(review.fileUri));
    if (!file || !isShown(review, document, file)) return [];
    // Flat lists of other extensions come as trees too.
    const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      file.uri,
    );
    return (found ?? []).map(symbol => shownSymbol(review, symbol));
  }

  #reviewOf(document: vscode.TextDocument): Review | undefined {
    const review = this.#find(document.uri);
    const isPreview = document.uri.toString() === review?.previewUri.toString();
    // A file that is created, deleted or renamed has no unchanged lines.
    return isPreview && review.state !== 'orphan' && !review.operation ? review : undefined;
  }

  async #placeOf(
    document: vscode.TextDocument,
    { line: row, character }: vscode.Position,
  ): Promise<Place | undefined> {
    const review = this.#reviewOf(document);
    if (!review || unchangedLine(review.view, row) === undefined) return undefined;
    const file = await openReviewed(review.fileUri);
    const line = unchangedLine(review.view, row);
    if (line === undefined || !isShown(review, document, file)) return undefined;
    return { review, at: new vscode.Location(file.uri, new vscode.Position(line, character)) };
  }
}

interface Place {
  readonly review: Review;
  /** The same position in the reviewed file. */
  readonly at: vscode.Location;
}

async function ask<T extends readonly unknown[]>(
  command: string,
  { at }: Place,
): Promise<T | readonly []> {
  const found = await vscode.commands.executeCommand<T | undefined>(
    command,
    at.uri,
    at.range.start,
  );
  return found ?? [];
}

/** Whether both documents are those that the rows were built from: updates take a moment to arrive. */
function isShown(
  { view }: Review,
  preview: vscode.TextDocument,
  file: vscode.TextDocument,
): boolean {
  return textBelowHeader(preview) === view.text && file.lineCount === view.lineCounts.file;
}

function shownRange({ view }: Review, { start, end }: vscode.Range): vscode.Range {
  const row = (line: number) => rowOfLine(view, line);
  return new vscode.Range(row(start.line), start.character, row(end.line), end.character);
}

/** A place in the file itself stays in its review, where all of its lines are. */
function shownLocation(review: Review, { uri, range }: vscode.Location): vscode.Location {
  return uri.toString() === review.fileUri.toString()
    ? new vscode.Location(review.previewUri, shownRange(review, range))
    : new vscode.Location(uri, range);
}

function shownLink(
  review: Review,
  target: vscode.Location | vscode.LocationLink,
): vscode.LocationLink {
  const link: vscode.LocationLink =
    'targetUri' in target ? target : { targetUri: target.uri, targetRange: target.range };
  const shown = (range: vscode.Range) =>
    shownLocation(review, new vscode.Location(link.targetUri, range));
  const { uri, range } = shown(link.targetRange);
  const { targetSelectionRange: selection, originSelectionRange: origin } = link;
  return {
    targetUri: uri,
    targetRange: range,
    ...(selection && { targetSelectionRange: shown(selection).range }),
    ...(origin && { originSelectionRange: shownRange(review, origin) }),
  };
}

function shownSymbol(review: Review, symbol: vscode.DocumentSymbol): vscode.DocumentSymbol {
  const shown = new vscode.DocumentSymbol(
    symbol.name,
    symbol.detail,
    symbol.kind,
    shownRange(review, symbol.range),
    shownRange(review, symbol.selectionRange),
  );
  shown.children = symbol.children.map(child => shownSymbol(review, child));
  if (symbol.tags) shown.tags = symbol.tags;
  return shown;
}
