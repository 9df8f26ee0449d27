import * as vscode from 'vscode';
import {
  NodeTree,
  type Place,
  type PlaceFile,
  fileKey,
  followEdits,
  placesOf,
  shownFiles,
} from './nodes';
import type { FoundFile, SortOrder } from './results';
import type { SearchState } from './session';
import type { Wait } from '../service/operation';

export interface SearchRequest {
  readonly query: string;
  /** That alone is searched; the whole workspace without it. */
  readonly folder?: vscode.Uri | undefined;
}

/** How a search ended that did not come to its end. */
export type Interruption =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

let searches = 0;

/** One search as the view has it: what came, what the user made of it, and where it is now. */
export class ShownSearch {
  readonly request: SearchRequest;
  readonly roots: readonly vscode.Uri[];
  readonly nodes = new NodeTree(++searches);
  readonly dismissed = new Set<string>();
  readonly changedAt = new Map<string, number>();
  /** ms since the epoch, where it is shown again from the history. */
  readonly from: number | undefined;
  filter = '';
  interruption: Interruption | undefined;
  /** The search model is waited for, since the service limits the rate or does not answer. */
  wait: Wait | undefined;
  #state: SearchState;
  #found: readonly FoundFile[] = [];
  #files: readonly PlaceFile[] = [];

  constructor(
    request: SearchRequest,
    roots: readonly vscode.Uri[],
    state: SearchState,
    from?: number,
  ) {
    this.request = request;
    this.roots = roots;
    this.from = from;
    this.#state = state;
    this.state = state;
  }

  get state(): SearchState {
    return this.#state;
  }

  set state(state: SearchState) {
    this.#state = state;
    // The trace changes more often than the files, which have followed edits since.
    if (state.files === this.#found) return;
    this.#found = state.files;
    this.#files = placesOf(state.files);
  }

  get isRunning(): boolean {
    return this.#state.isRunning && this.interruption === undefined;
  }

  /** All that were found, dismissed ones too. */
  get files(): readonly PlaceFile[] {
    return this.#files;
  }

  shown(sort: SortOrder): PlaceFile[] {
    const { dismissed, filter, changedAt } = this;
    return shownFiles(this.#files, { dismissed, filter, sort, changedAt });
  }

  /** Best first from now on. @param order of {@link fileKey}s. */
  reorder(order: readonly string[]): void {
    const rank = (file: PlaceFile): number => {
      const at = order.indexOf(fileKey(file));
      return at < 0 ? order.length : at;
    };
    this.#files = this.#files.toSorted((a, b) => rank(a) - rank(b));
  }

  uriOf({ root, path }: Pick<FoundFile, 'root' | 'path'>): vscode.Uri {
    return vscode.Uri.joinPath(this.roots[root] ?? vscode.Uri.file('/'), path);
  }

  /** As people name the file; with the root's name where there are several. */
  nameOf(file: Pick<FoundFile, 'root' | 'path'>): string {
    return vscode.workspace.asRelativePath(this.uriOf(file));
  }

  /** @returns the file whose places moved, if any. */
  follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): PlaceFile | undefined {
    const address = document.uri.toString();
    const at = this.#files.findIndex(file => this.uriOf(file).toString() === address);
    const file = this.#files[at];
    if (!file || contentChanges.length === 0) return undefined;
    const changes = contentChanges
      .map(({ range, text }) => ({
        startLine: range.start.line,
        endLine: range.end.line,
        newLines: text.split(/\r\n|\r|\n/).length,
      }))
      // From the end to the beginning, so that none moves what the next one names.
      .sort((a, b) => b.startLine - a.startLine);
    const moved = followEdits(file, changes, document.lineCount);
    if (moved === file) return undefined;
    this.#files = this.#files.with(at, moved);
    return moved;
  }
}

/** The lines of a place in a document, as much of them as there is. */
export function rangeOf(
  place: Pick<Place, 'startLine' | 'endLine'>,
  lineCount: number,
): vscode.Range {
  const last = Math.max(0, lineCount - 1);
  const start = Math.min(place.startLine - 1, last);
  const end = Math.min(place.endLine - 1, last);
  return new vscode.Range(start, 0, end, Number.MAX_SAFE_INTEGER);
}

/** The present text, unsaved changes included; undefined when it cannot be read. */
export async function presentText(uri: vscode.Uri): Promise<string | undefined> {
  const address = uri.toString();
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === address);
  if (open) return open.getText();
  try {
    return await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  } catch {
    // Gone since the search, or no text.
    return undefined;
  }
}

/** Code of places for copies and documents; those that are gone are left out. */
export async function codeOf(
  search: ShownSearch,
  files: readonly PlaceFile[],
): Promise<{ file: PlaceFile; place: Place; path: string; code: string }[]> {
  const all = await Promise.all(
    files.map(async file => {
      const text = await presentText(search.uriOf(file));
      if (text === undefined) return [];
      const lines = text.split(/\r?\n/);
      return file.spans.map(place => ({
        file,
        place,
        path: search.nameOf(file),
        code: lines.slice(place.startLine - 1, place.endLine).join('\n'),
      }));
    }),
  );
  return all.flat();
}
