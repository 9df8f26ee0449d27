import * as vscode from 'vscode';
import { openReviewed } from '../placeAfterClose';

/** A document that shows a reviewed file, with other lines among those of the file. Rows and lines are 0-based. */
export interface ShownFile {
  readonly uri: vscode.Uri;
  readonly fileUri: vscode.Uri;
  /** The line of the file in a row; undefined for a row that the file does not have. */
  lineAt(row: number): number | undefined;
  rowAt(line: number): number;
  /** Whether both documents are those that the rows were built from: updates take a moment to arrive. */
  isCurrent(shown: vscode.TextDocument, file: vscode.TextDocument): boolean;
}

type Features = vscode.HoverProvider & vscode.DefinitionProvider & vscode.ReferenceProvider;

/**
 * Hovers, definitions and references of documents that no language server knows: those of the file itself, at the lines
 * that do not change.
 */
export class FileFeatures implements Features {
  readonly #find: (document: vscode.TextDocument) => ShownFile | undefined;

  constructor(find: (document: vscode.TextDocument) => ShownFile | undefined) {
    this.#find = find;
  }

  register(selector: vscode.DocumentSelector): vscode.Disposable {
    const { languages } = vscode;
    return vscode.Disposable.from(
      languages.registerHoverProvider(selector, this),
      languages.registerDefinitionProvider(selector, this),
      languages.registerReferenceProvider(selector, this),
    );
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
      range && place && shownRange(place.shown, range),
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
    return found.map(target => shownLink(place.shown, target));
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location[]> {
    const place = await this.#placeOf(document, position);
    if (!place) return [];
    const found = await ask<vscode.Location[]>('vscode.executeReferenceProvider', place);
    return found.map(location => shownLocation(place.shown, location));
  }

  async #placeOf(
    document: vscode.TextDocument,
    { line: row, character }: vscode.Position,
  ): Promise<Place | undefined> {
    const shown = this.#find(document);
    if (shown?.lineAt(row) === undefined) return undefined;
    const file = await openReviewed(shown.fileUri);
    const line = shown.lineAt(row);
    if (line === undefined || !shown.isCurrent(document, file)) return undefined;
    return { shown, at: new vscode.Location(file.uri, new vscode.Position(line, character)) };
  }
}

interface Place {
  readonly shown: ShownFile;
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

export function shownRange(shown: ShownFile, { start, end }: vscode.Range): vscode.Range {
  const [first, last] = [shown.rowAt(start.line), shown.rowAt(end.line)];
  return new vscode.Range(first, start.character, last, end.character);
}

/** A place in the file itself stays in the document that shows it, where all of its lines are. */
function shownLocation(shown: ShownFile, { uri, range }: vscode.Location): vscode.Location {
  return uri.toString() === shown.fileUri.toString()
    ? new vscode.Location(shown.uri, shownRange(shown, range))
    : new vscode.Location(uri, range);
}

function shownLink(
  document: ShownFile,
  target: vscode.Location | vscode.LocationLink,
): vscode.LocationLink {
  const link: vscode.LocationLink =
    'targetUri' in target ? target : { targetUri: target.uri, targetRange: target.range };
  const shown = (range: vscode.Range) =>
    shownLocation(document, new vscode.Location(link.targetUri, range));
  const { uri, range } = shown(link.targetRange);
  const { targetSelectionRange: selection, originSelectionRange: origin } = link;
  return {
    targetUri: uri,
    targetRange: range,
    ...(selection && { targetSelectionRange: shown(selection).range }),
    ...(origin && { originSelectionRange: shownRange(document, origin) }),
  };
}
