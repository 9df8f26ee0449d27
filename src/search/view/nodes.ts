import { type FileKind, kindOf } from '../local/paths';
import {
  type EditedLines,
  type FoundFile,
  type FoundSpan,
  filterFiles,
  moveSpans,
  type SortOrder,
} from './results';
import type { TraceStep, TraceTurn } from './trace';

/** A found span with a key that stays the same while edits move its lines. */
export interface TrackedPlace extends FoundSpan {
  readonly key: string;
}

export type PlaceFile = FoundFile<TrackedPlace>;

export function fileKey({ root, path }: Pick<FoundFile, 'root' | 'path'>): string {
  return `${root}:${path}`;
}

export function placesOf(files: readonly FoundFile[]): PlaceFile[] {
  return files.map(file => ({
    ...file,
    spans: file.spans.map(span => ({
      ...span,
      key: `${fileKey(file)}:${span.startLine}-${span.endLine}`,
    })),
  }));
}

/**
 * A file's places after edits.
 * @param changes in an order in which they can be applied one after another.
 * @returns the same file when nothing moved.
 */
export function movePlaces(
  file: PlaceFile,
  changes: readonly EditedLines[],
  lastLine: number,
): PlaceFile {
  let { spans } = file;
  for (const change of changes) spans = moveSpans(spans, change, Infinity);
  // The text may have been longer between two changes, so spans are clamped at the end.
  if ((spans.at(-1)?.endLine ?? 0) > lastLine) {
    spans = spans.map(span => ({
      ...span,
      startLine: Math.min(span.startLine, Math.max(1, lastLine)),
      endLine: Math.min(span.endLine, Math.max(1, lastLine)),
    }));
  }
  return spans === file.spans ? file : { ...file, spans };
}

export interface ShownOptions {
  readonly dismissed: ReadonlySet<string>;
  readonly filter: string;
  readonly sort: SortOrder;
  /** ms since the epoch by {@link fileKey}; only for `modified`. */
  readonly changedAt: ReadonlyMap<string, number>;
}

/** The files that the view shows, in its order. */
export function shownFiles(
  files: readonly PlaceFile[],
  { dismissed, filter, sort, changedAt }: ShownOptions,
): PlaceFile[] {
  const left = files.flatMap(file => {
    if (dismissed.has(fileKey(file))) return [];
    const spans = file.spans.filter(({ key }) => !dismissed.has(key));
    return spans.length > 0 ? [{ ...file, spans }] : [];
  });
  const shown = [...filterFiles(left, filter)];
  if (sort === 'path') shown.sort((a, b) => a.root - b.root || comparePaths(a.path, b.path));
  if (sort === 'modified') {
    shown.sort((a, b) => (changedAt.get(fileKey(b)) ?? 0) - (changedAt.get(fileKey(a)) ?? 0));
  }
  return shown;
}

/** Files of a folder before those of the folders in it, as in a tree. */
function comparePaths(a: string, b: string): number {
  const [partsA, partsB] = [a.split('/'), b.split('/')];
  for (let at = 0; ; at++) {
    const [partA, partB] = [partsA[at], partsB[at]];
    if (partA === undefined || partB === undefined) return partsA.length - partsB.length;
    if (partA === partB) continue;
    const [isFileA, isFileB] = [at === partsA.length - 1, at === partsB.length - 1];
    if (isFileA !== isFileB) return isFileA ? -1 : 1;
    return partA.localeCompare(partB);
  }
}

/**
 * The nodes that a command of the tree was called with.
 * @param node that the menu was opened on.
 * @param all selected nodes, if it is one of several.
 * @returns undefined when the command was not called on a node.
 */
export function nodesOf(node: unknown, all: unknown): SearchNode[] | undefined {
  if (!Array.isArray(all) && node === undefined) return undefined;
  return (Array.isArray(all) ? all : [node]).filter(
    (item): item is SearchNode =>
      typeof item === 'object' && item !== null && 'kind' in item && 'children' in item,
  );
}

/** Rows that a search has beside its results. */
const isAboutSearch = ({ kind }: SearchNode): boolean =>
  kind === 'advice' || kind === 'turn' || kind === 'step';

/**
 * The row that takes the focus after others were dismissed: the next one, or else the one before.
 * @param before all rows from top to bottom
 * @param dismissed ids of dismissed rows
 * @param left ids of the rows that are left
 */
export function rowAfterDismissal(
  before: readonly SearchNode[],
  dismissed: ReadonlySet<string>,
  left: ReadonlySet<string>,
): SearchNode | undefined {
  const last = before.findLastIndex(({ id }) => dismissed.has(id));
  const rows = before.map(node => (left.has(node.id) && !isAboutSearch(node) ? node : undefined));
  const isPlace = before[last]?.kind === 'place';
  return (
    rows.slice(last + 1).find(row => row !== undefined) ??
    // A file that is collapsed stays so.
    rows.slice(0, last).findLast(row => row && (isPlace || row.kind !== 'place'))
  );
}

interface NodeBase {
  /** Stable, so that the tree keeps its expansion state and selection. */
  readonly id: string;
  parent: SearchNode | undefined;
  children: SearchNode[];
}

/** A suggested action, shown as a row. */
interface SuggestedAction {
  readonly title: string;
  readonly command: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly arguments?: readonly unknown[];
}

export type SearchNode = NodeBase & NodeData;
export type PlaceNode = SearchNode & { readonly kind: 'place' };

export type NodeData =
  | { readonly kind: 'query'; readonly isRunning: boolean }
  /** A result set beside the present search; what it is of is known to its search. */
  | { readonly kind: 'set' }
  /** A suggested action, such as setting an API key. */
  | ({ readonly kind: 'advice' } & SuggestedAction)
  | { readonly kind: 'turn'; readonly turn: TraceTurn }
  | { readonly kind: 'step'; readonly step: TraceStep }
  | {
      readonly kind: 'folder';
      readonly root: number;
      /** Relative to the root; '' is the root itself. */
      readonly path: string;
      /** Name of the folder; a chain of folders without other entries is joined with `/`. */
      readonly name: string;
    }
  /** All files of one purpose. */
  | { readonly kind: 'role'; readonly role: FileKind }
  | { readonly kind: 'file'; readonly file: PlaceFile }
  | {
      readonly kind: 'place';
      readonly file: PlaceFile;
      readonly place: TrackedPlace;
      /** From 1, over all places that are shown. */
      readonly number: number;
    };

/** How the files are grouped; a tree has their folders. */
export type ResultGrouping = 'list' | 'tree' | 'role';

/** Id of the node of the running search while it has turns. */
export const traceId = 'trace';

export interface NodesInput {
  readonly isRunning: boolean;
  readonly turns: readonly TraceTurn[];
  /** Suggested actions when the search model could not take part. */
  readonly advice: readonly SuggestedAction[];
  /** The action at the end that shows more files, if there are any. */
  readonly more?: SuggestedAction | undefined;
  readonly files: readonly PlaceFile[];
  readonly grouping: ResultGrouping;
  /** Whether the results stand below a row of their own, and what ran is not shown. */
  readonly isSet?: boolean;
  /** Names of the roots where there are several. */
  readonly rootNames?: readonly string[] | undefined;
}

/**
 * The nodes of the view. Objects are reused by id across updates, because VS Code identifies nodes by
 * object.
 */
export class NodeTree {
  readonly #search: number;
  #nodesById = new Map<string, SearchNode>();
  #currentNodes = new Map<string, SearchNode>();
  #roots: SearchNode[] = [];
  #places: SearchNode[] = [];

  /** @param search so that two searches share no ids. */
  constructor(search: number) {
    this.#search = search;
  }

  get roots(): readonly SearchNode[] {
    return this.#roots;
  }

  /** In the order of the view. */
  get places(): readonly SearchNode[] {
    return this.#places;
  }

  /** Whether a node is, or was, one of these. */
  owns({ id }: Pick<SearchNode, 'id'>): boolean {
    return id.startsWith(`${this.#search}/`);
  }

  /** @param id without the number of the search. */
  byId(id: string): SearchNode | undefined {
    return this.#nodesById.get(`${this.#search}/${id}`);
  }

  update(input: NodesInput): void {
    this.#currentNodes = new Map();
    this.#places = [];
    const { isRunning, turns, advice, more, isSet = false } = input;
    const action = (step: SuggestedAction, parent?: SearchNode): SearchNode =>
      this.#node(`advice ${step.command}`, { kind: 'advice', ...step }, parent);
    const top = isSet ? this.#node('set', { kind: 'set' }) : undefined;
    const results = this.#results(input, top);
    const last = more ? [action(more, top)] : [];
    if (top) {
      top.children = [...results, ...last];
      this.#roots = [top];
    } else {
      // VS Code applies the collapsible state only to a new id, and takes the focus from a row whose id changes.
      const id = turns.length === 0 ? 'local' : isRunning ? traceId : 'done';
      const query = this.#node(id, { kind: 'query', isRunning });
      if (query.kind === 'query') query.children = turns.map(turn => this.#turn(query, turn));
      this.#roots = [query, ...advice.map(step => action(step)), ...results, ...last];
    }
    this.#number(results);
    this.#nodesById = this.#currentNodes;
  }

  #node(id: string, data: NodeData, parent?: SearchNode): SearchNode {
    const whole = `${this.#search}/${id}`;
    const fresh: SearchNode = { ...data, id: whole, parent, children: [] };
    const known = this.#nodesById.get(whole);
    const node = known?.kind === data.kind ? Object.assign(known, fresh) : fresh;
    this.#currentNodes.set(whole, node);
    return node;
  }

  #turn(query: SearchNode & { readonly kind: 'query' }, turn: TraceTurn): SearchNode {
    const id = `${query.isRunning ? 'running ' : ''}turn ${turn.turn}`;
    const node = this.#node(id, { kind: 'turn', turn }, query);
    node.children = turn.steps.map((step, at) =>
      this.#node(`${id} step ${at}`, { kind: 'step', step }, node),
    );
    return node;
  }

  #file(file: PlaceFile, parent: SearchNode | undefined): SearchNode {
    const node = this.#node(`file ${fileKey(file)}`, { kind: 'file', file }, parent);
    node.children = file.spans.map(place =>
      this.#node(`place ${place.key}`, { kind: 'place', file, place, number: 0 }, node),
    );
    return node;
  }

  /** A folder or a role takes the position of its first file. */
  #results(
    { files, grouping, rootNames }: NodesInput,
    parent: SearchNode | undefined,
  ): SearchNode[] {
    if (grouping === 'tree') return this.#folders(files, rootNames, parent);
    if (grouping === 'list') return files.map(file => this.#file(file, parent));
    return [...groupedBy(files, ({ path }) => kindOf(path))].map(([role, inRole]) => {
      const node = this.#node(`role ${role}`, { kind: 'role', role }, parent);
      node.children = inRole.map(file => this.#file(file, node));
      return node;
    });
  }

  #folders(
    files: readonly PlaceFile[],
    rootNames: readonly string[] | undefined,
    parent: SearchNode | undefined,
  ): SearchNode[] {
    return [...groupedBy(files, ({ root }) => root)].flatMap(([root, inRoot]) => {
      const name = rootNames?.[root];
      if (name === undefined) return this.#level(inRoot, root, '', parent);
      const node = this.#node(`folder ${root}:`, { kind: 'folder', root, path: '', name }, parent);
      node.children = this.#level(inRoot, root, '', node);
      return [node];
    });
  }

  #level(
    files: readonly PlaceFile[],
    root: number,
    prefix: string,
    parent: SearchNode | undefined,
  ): SearchNode[] {
    const groups = groupedBy(files, ({ path }) => {
      const end = path.indexOf('/', prefix.length);
      return end < 0 ? path : path.slice(0, end + 1);
    });
    return [...groups].map(([key, inGroup]) => {
      const [first] = inGroup;
      if (!key.endsWith('/') && first) return this.#file(first, parent);
      const path = commonFolder(inGroup, key);
      const node = this.#node(
        `folder ${root}:${path}`,
        { kind: 'folder', root, path: path.slice(0, -1), name: path.slice(prefix.length, -1) },
        parent,
      );
      node.children = this.#level(inGroup, root, path, node);
      return node;
    });
  }

  #number(nodes: readonly SearchNode[]): void {
    for (const node of nodes) {
      if (node.kind === 'place') {
        this.#places.push(Object.assign(node, { number: this.#places.length + 1 }));
      }
      this.#number(node.children);
    }
  }
}

/** Groups in the order of their first files. */
function groupedBy<Key>(
  files: readonly PlaceFile[],
  keyOf: (file: PlaceFile) => Key,
): Map<Key, PlaceFile[]> {
  const groups = new Map<Key, PlaceFile[]>();
  for (const file of files) {
    const key = keyOf(file);
    const group = groups.get(key);
    if (group) group.push(file);
    else groups.set(key, [file]);
  }
  return groups;
}

/** The deepest folder that holds all of the files. @param prefix holds them too; ends with `/`. */
function commonFolder(files: readonly PlaceFile[], prefix: string): string {
  for (let folder = prefix; ; ) {
    const [first] = files;
    const end = first ? first.path.indexOf('/', folder.length) : -1;
    const deeper = first && end >= 0 ? first.path.slice(0, end + 1) : undefined;
    if (deeper === undefined || !files.every(({ path }) => path.startsWith(deeper))) return folder;
    folder = deeper;
  }
}
