import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import type { RetryWait } from '../../service';
import { type SearchForecast, searchForecast } from '../agent/searchForecast';
import type { SearchState } from '../runSearch';
import type { SearchPriceBasis } from '../searchPrices';
import {
  fileKey,
  movePlaces,
  NodeTree,
  type PlaceFile,
  type PlaceNode,
  placesOf,
  type SearchNode,
  shownFiles,
  type TrackedPlace,
} from './nodes';
import { countSure, type FoundFile, type SortOrder } from './results';

export interface SearchRequest {
  readonly query: string;
  /** Folder to search in; without one, the whole workspace is searched. */
  readonly folder?: vscode.Uri | undefined;
}

/** Why a search ended early. */
export type Interruption =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A place with the search that found it. */
export interface PlaceOfSearch {
  readonly search: ShownSearch;
  readonly node: PlaceNode;
}

let searches = 0;

/** A search in the view: its results, the filter and dismissals of the user, and current positions. */
export class ShownSearch {
  readonly request: SearchRequest;
  readonly roots: readonly vscode.Uri[];
  readonly number = ++searches;
  readonly nodes = new NodeTree(this.number);
  readonly dismissed = new Set<string>();
  readonly changedAt = new Map<string, number>();
  /** Time of the search in milliseconds since the epoch, if it was restored from the history. */
  readonly from: number | undefined;
  /** What the places are, where they are not those of a search, such as `Callers of close`. */
  readonly title: string | undefined;
  /** What should be known of them. */
  readonly note: string | undefined;
  /** The place that the places belong to, where they are its callers or tests. */
  readonly subject: PlaceOfSearch | undefined;
  filter = '';
  /** Whether files are shown that are less likely what was looked for. */
  showsAll = false;
  interruption: Interruption | undefined;
  /** Undefined until it is read. */
  priceBasis: SearchPriceBasis | undefined;
  /** Set while the request waits for a rate limit or a retry. */
  wait: RetryWait | undefined;
  #state: SearchState;
  #found: readonly FoundFile[] = [];
  #files: readonly PlaceFile[] = [];

  constructor(
    request: SearchRequest,
    roots: readonly vscode.Uri[],
    state: SearchState,
    {
      from,
      title,
      note,
      subject,
    }: Partial<Pick<ShownSearch, 'from' | 'title' | 'note' | 'subject'>> = {},
  ) {
    this.request = request;
    this.roots = roots;
    this.from = from;
    this.title = title;
    this.note = note;
    this.subject = subject;
    this.#state = state;
    this.state = state;
  }

  get state(): SearchState {
    return this.#state;
  }

  set state(state: SearchState) {
    this.#state = state;
    // When only the trace changed, the files are kept, because edits have moved their places.
    if (state.files === this.#found) return;
    this.#found = state.files;
    this.#files = placesOf(state.files);
  }

  /** What the search model will cost; undefined where it was not asked yet, or has answered. */
  get forecast(): SearchForecast | undefined {
    const { turns, prompt } = this.#state.trace;
    if (!this.isRunning || turns.length > 0 || prompt === undefined) return undefined;
    return this.priceBasis && searchForecast(prompt, this.priceBasis.price, this.priceBasis.runs);
  }

  get isRunning(): boolean {
    return this.#state.isRunning && this.interruption === undefined;
  }

  /** All found files, including dismissed ones. */
  get files(): readonly PlaceFile[] {
    return this.#files;
  }

  /** The files that are likely what was looked for, or all of them after More. */
  get sureFiles(): readonly PlaceFile[] {
    return this.showsAll ? this.#files : this.#files.slice(0, countSure(this.#files));
  }

  shown(sort: SortOrder): PlaceFile[] {
    const { dismissed, filter, changedAt } = this;
    return shownFiles(this.sureFiles, { dismissed, filter, sort, changedAt });
  }

  /** Sorts the files. @param order {@link fileKey}s, best first. */
  reorder(order: readonly string[]): void {
    const rank = (file: PlaceFile): number => {
      const at = order.indexOf(fileKey(file));
      return at < 0 ? order.length : at;
    };
    // The scores of the local search say nothing about this order.
    this.#files = this.#files
      .toSorted((a, b) => rank(a) - rank(b))
      .map(file => ({ ...file, score: undefined }));
  }

  dismiss(node: SearchNode): void {
    if (node.kind === 'place') this.dismissed.add(node.place.key);
    else if (node.kind === 'file') this.dismissed.add(fileKey(node.file));
    else if (node.kind === 'folder' || node.kind === 'role') {
      for (const child of node.children) this.dismiss(child);
    }
  }

  uriOf({ root, path }: Pick<FoundFile, 'root' | 'path'>): vscode.Uri {
    return vscode.Uri.joinPath(this.roots[root] ?? vscode.Uri.file('/'), path);
  }

  /** Path for display; starts with the name of the root when there are several. */
  nameOf(file: Pick<FoundFile, 'root' | 'path'>): string {
    return vscode.workspace.asRelativePath(this.uriOf(file));
  }

  /**
   * Follows a file or folder that was renamed within its root.
   * @returns whether a found file was.
   */
  rename(from: vscode.Uri, to: vscode.Uri): boolean {
    const before = this.#files;
    this.#files = before.map(file => {
      const { path } = this.uriOf(file);
      const root = `${this.roots[file.root]?.path}/`;
      const isIt = `${path}/`.startsWith(`${from.path}/`) && to.path.startsWith(root);
      if (!isIt) return file;
      const moved = { ...file, path: (to.path + path.slice(from.path.length)).slice(root.length) };
      if (this.dismissed.has(fileKey(file))) this.dismissed.add(fileKey(moved));
      return moved;
    });
    return this.#files.some((file, at) => file !== before[at]);
  }

  /** @returns the file whose places moved, if any. */
  applyEdits({ document, contentChanges }: vscode.TextDocumentChangeEvent): PlaceFile | undefined {
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
      // From the end to the start, so that no change moves the lines of the next one.
      .sort((a, b) => b.startLine - a.startLine);
    const moved = movePlaces(file, changes, document.lineCount);
    if (moved === file) return undefined;
    this.#files = this.#files.with(at, moved);
    return moved;
  }
}

/** The range of a place, clamped to the document. */
export function editorRange(
  place: Pick<TrackedPlace, 'startLine' | 'endLine'>,
  lineCount: number,
): vscode.Range {
  const last = Math.max(0, lineCount - 1);
  const start = Math.min(place.startLine - 1, last);
  const end = Math.min(place.endLine - 1, last);
  return new vscode.Range(start, 0, end, Number.MAX_SAFE_INTEGER);
}

/** The current text, including unsaved changes; undefined when it cannot be read. */
export async function currentText(uri: vscode.Uri): Promise<string | undefined> {
  const address = uri.toString();
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === address);
  if (open) return open.getText();
  try {
    return await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  } catch {
    // Deleted since the search, or not text.
    return undefined;
  }
}

/** Says that a file of the results was deleted, moved or replaced by data. */
export const unreadableError = (search: ShownSearch, file: FoundFile): UserError =>
  new UserError(
    vscode.l10n.t('{0} can no longer be read. Run the search again.', search.nameOf(file)),
  );

/** The code of places; files that can no longer be read are left out. */
export async function codeOfPlaces(
  search: ShownSearch,
  files: readonly PlaceFile[],
): Promise<{ file: PlaceFile; place: TrackedPlace; path: string; code: string }[]> {
  const all = await Promise.all(
    files.map(async file => {
      const text = await currentText(search.uriOf(file));
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

/** Replaces paths by {@link ShownSearch.nameOf}. */
export function withDisplayPaths(search: ShownSearch, files: readonly PlaceFile[]): PlaceFile[] {
  return files.map(file => ({ ...file, path: search.nameOf(file) }));
}

export async function readChangeTimes(search: ShownSearch): Promise<void> {
  await Promise.all(
    search.files.map(async file => {
      const time = await vscode.workspace.fs.stat(search.uriOf(file)).then(
        ({ mtime }) => mtime,
        () => 0,
      );
      search.changedAt.set(fileKey(file), time);
    }),
  );
}
