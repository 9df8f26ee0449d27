import * as vscode from 'vscode';
import { trimEndOf, whiteSpace } from '../base/scan';
import { ContextKey } from '../host/contextKey';
import { DisposableStore } from '../host/disposables';
import { type Step, stepsFor } from '../host/steps';
import { waitText } from '../host/waitText';
import { costText, dateText, durationText, tokensText } from '../host/figures';
import { ids } from '../manifest';
import { explain } from '../service/advice';
import type { PlaceFile, SearchNode } from './nodes';
import { type SortOrder, countPlaces } from './results';
import { engineText, fallbackText, nothingText, placesText } from './sentences';
import { type ShownSearch, rangeOf } from './shownSearch';
import type { TraceStep, TraceTurn } from './trace';

const { t } = vscode.l10n;

/** So that no line begins with a dot. */
const noBreak = '\u00a0';
/** At most ten updates per second. */
const updateMs = 100;

/** What is opened with the view, before the room is loaded. */
export interface ViewParts {
  readonly view: vscode.TreeView<SearchNode>;
  readonly changed: vscode.EventEmitter<SearchNode | undefined>;
}

/** The view of one search: tree, message, badge and context keys. */
export class SearchView implements vscode.Disposable {
  readonly #view: vscode.TreeView<SearchNode>;
  readonly #changed: vscode.EventEmitter<SearchNode | undefined>;
  readonly #store = new DisposableStore();
  readonly #hasResults = new ContextKey<boolean>(ids.contextKey.hasSearchResults);
  readonly #hasSearch = new ContextKey<boolean>(ids.contextKey.hasSearch);
  readonly #isSearching = new ContextKey<boolean>(ids.contextKey.isSearching);
  readonly #isFiltered = new ContextKey<boolean>(ids.contextKey.isSearchFiltered);
  readonly #asTreeKey = new ContextKey<boolean>(ids.contextKey.searchAsTree);
  #search: ShownSearch | undefined;
  #asTree: boolean;
  #sort: SortOrder = 'relevance';
  #timer: NodeJS.Timeout | undefined;
  #lastUpdate = 0;
  /** Nodes whose rows alone have changed, without the search's number; undefined is all. */
  #stale: Set<string> | undefined = new Set();
  #note = '';

  constructor({ view, changed }: ViewParts, asTree: boolean) {
    this.#view = view;
    this.#changed = changed;
    this.#asTree = asTree;
    this.#asTreeKey.set(asTree);
  }

  get search(): ShownSearch | undefined {
    return this.#search;
  }

  get asTree(): boolean {
    return this.#asTree;
  }

  set asTree(asTree: boolean) {
    this.#asTree = asTree;
    this.#asTreeKey.set(asTree);
    this.refresh();
  }

  get sort(): SortOrder {
    return this.#sort;
  }

  set sort(sort: SortOrder) {
    this.#sort = sort;
    this.refresh();
  }

  /** In the order of the view, with filter and dismissals. */
  get shownFiles(): PlaceFile[] {
    return this.#search?.shown(this.#sort) ?? [];
  }

  get selection(): readonly SearchNode[] {
    return this.#view.selection;
  }

  /** @param note on another search, which left this one standing. */
  show(search: ShownSearch | undefined, note = ''): void {
    this.#search = search;
    this.#note = note;
    this.refresh();
  }

  /** Soon. @param nodes ids of the nodes that alone have changed; everything without them. */
  refreshSoon(nodes?: readonly string[]): void {
    if (nodes === undefined) this.#stale = undefined;
    else for (const id of nodes) this.#stale?.add(id);
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#lastUpdate + updateMs - Date.now());
    this.#timer = setTimeout(() => this.#update(), wait);
  }

  /** At once. */
  refresh(): void {
    this.#stale = undefined;
    this.#update();
  }

  async reveal(node: SearchNode): Promise<void> {
    await this.#view.reveal(node, { select: true, focus: false, expand: true });
  }

  roots(): SearchNode[] {
    return [...(this.#search?.nodes.roots ?? [])];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #update(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastUpdate = Date.now();
    const search = this.#search;
    const files = this.shownFiles;
    if (search) {
      const before = search.nodes.roots.map(({ id }) => id).join();
      search.nodes.update({
        isRunning: search.isRunning,
        turns: search.state.trace.turns,
        advice: adviceOf(search),
        files,
        asTree: this.#asTree,
        rootNames: search.roots.length > 1 ? search.roots.map(rootName) : undefined,
      });
      if (search.nodes.roots.map(({ id }) => id).join() !== before) this.#stale = undefined;
    }
    const nodes = this.#stale && [...this.#stale].flatMap(id => search?.nodes.byId(id) ?? []);
    this.#stale = new Set();
    if (nodes === undefined) this.#changed.fire(undefined);
    else for (const node of nodes) this.#changed.fire(node);
    this.#tell(files);
  }

  #tell(files: readonly PlaceFile[]): void {
    const search = this.#search;
    const places = countPlaces(files);
    this.#hasSearch.set(search !== undefined);
    this.#hasResults.set(places > 0);
    this.#isSearching.set(search?.isRunning === true);
    this.#isFiltered.set((search?.filter ?? '') !== '');
    this.#view.badge = places > 0 ? { value: places, tooltip: placesText(files) } : undefined;
    const message = search ? messageOf(search, files) : '';
    this.#view.message = [this.#note, message].filter(Boolean).join(' ');
  }
}

/** `"query" — 12 places in 5 files · 0.8 s · local`, and why it is not the model's. */
export function messageOf(search: ShownSearch, files: readonly PlaceFile[]): string {
  const { state, request, filter, interruption } = search;
  const query = `"${shorten(request.query, 100)}"`;
  if (search.isRunning && search.wait) return `${query} — ${waitText(search.wait, t)}`;
  if (search.isRunning && files.length === 0) return t('{0} — searching…', query);
  const ended =
    interruption?.kind === 'stopped'
      ? t('The search was stopped.')
      : interruption?.kind === 'failed'
        ? t('The search failed. {0}', explain(interruption.error, t).message)
        : '';
  const why = [ended, fallbackText(state)].filter(Boolean).join(' ');
  if (search.files.length === 0) {
    const nothing = interruption ? '' : nothingText(state.searched);
    return [query, [nothing, why].filter(Boolean).join(' ')].join(' — ');
  }
  const parts = [
    files.length > 0 ? placesText(files) : t('no place left'),
    ...(filter === '' ? [] : [t('filter "{0}"', filter)]),
    ...(search.from === undefined
      ? [search.isRunning ? t('searching on…') : durationText(state.ms)]
      : [t('as of {0}', dateText(search.from))]),
    engineText(state.engine),
  ];
  return `${query} — ${parts.join(`${noBreak}· `)}${why === '' ? '' : `. ${why}`}`;
}

function adviceOf({ state, interruption }: ShownSearch): Step[] {
  const error = interruption?.kind === 'failed' ? interruption.error : state.error;
  if (error === undefined) return [];
  const { actions } = explain(error, t);
  const again = { title: t('Search Again'), command: ids.command.searchAgain, icon: 'refresh' };
  return [...(actions.includes('retry') ? [again] : []), ...stepsFor(actions, t)];
}

function rootName(root: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(root)?.name ?? root.path.split('/').at(-1) ?? '';
}

export function shorten(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** How a node is drawn. */
export function itemOf(search: ShownSearch, node: SearchNode): vscode.TreeItem {
  const item = bareItem(search, node);
  item.id = node.id;
  item.contextValue = node.kind;
  return item;
}

function bareItem(search: ShownSearch, node: SearchNode): vscode.TreeItem {
  switch (node.kind) {
    case 'query':
      return queryItem(search, node);
    case 'advice': {
      const item = new vscode.TreeItem(node.title);
      item.iconPath = new vscode.ThemeIcon(node.icon);
      item.command = {
        command: node.command,
        title: node.title,
        arguments: [...(node.arguments ?? [])],
      };
      return item;
    }
    case 'turn':
      return turnItem(search, node.turn);
    case 'step':
      return stepItem(search, node.step);
    case 'folder': {
      const item = new vscode.TreeItem(node.name, vscode.TreeItemCollapsibleState.Expanded);
      item.resourceUri = search.uriOf(node);
      item.iconPath = vscode.ThemeIcon.Folder;
      item.tooltip = search.nameOf(node);
      return item;
    }
    case 'file':
      return fileItem(search, node.file, node.parent !== undefined);
    default:
      return placeItem(search, node);
  }
}

function queryItem(search: ShownSearch, node: SearchNode): vscode.TreeItem {
  const { state, request, isRunning } = search;
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const { turns, tokens, cost } = state.trace;
  const usedModel = turns.length > 0 || state.fallback !== undefined;
  // The query itself stands in the message above, where it is not cut.
  const item = new vscode.TreeItem(
    usedModel ? t('Search model') : t('Local search'),
    node.children.length === 0 ? None : isRunning ? Expanded : Collapsed,
  );
  const folder = request.folder && vscode.workspace.asRelativePath(request.folder);
  const facts = [
    ...(folder === undefined ? [] : [t('in {0}', folder)]),
    ...(isRunning && turns.length > 0 ? [t('turn {0}', turns.length)] : []),
    ...(tokens === undefined ? [] : [tokensText(tokens)]),
    ...(cost === undefined ? [] : [costText(cost)]),
    ...(usedModel || state.searched === undefined
      ? []
      : [
          state.searched === 1
            ? t('1 file searched')
            : t('{0} files searched', state.searched.toLocaleString()),
        ]),
  ];
  item.description = facts.join(' · ');
  item.iconPath = isRunning
    ? new vscode.ThemeIcon('loading~spin')
    : (state.fallback ?? 'nothing') === 'nothing' && search.interruption === undefined
      ? new vscode.ThemeIcon(state.engine === 'model' ? 'sparkle' : 'search')
      : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  const engine = isRunning ? t('searching…') : engineText(state.engine);
  if (!isRunning && turns.length > 0)
    facts.unshift(turns.length === 1 ? t('1 turn') : t('{0} turns', turns.length));
  item.tooltip = [request.query, [engine, ...facts].join(' · '), fallbackText(state)]
    .filter(Boolean)
    .join('\n');
  item.accessibilityInformation = {
    label: [t('Search for {0}', request.query), engine, ...facts].join(', '),
  };
  return item;
}

function turnItem(search: ShownSearch, turn: TraceTurn): vscode.TreeItem {
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    t('Turn {0}', turn.turn),
    search.isRunning ? Expanded : turn.steps.length > 0 ? Collapsed : None,
  );
  const calls = turn.steps.length === 1 ? t('1 call') : t('{0} calls', turn.steps.length);
  const facts = [
    calls,
    durationText(turn.ms),
    ...(turn.tokens === undefined ? [] : [tokensText(turn.tokens)]),
    ...(turn.cost === undefined ? [] : [costText(turn.cost)]),
  ];
  item.description = [calls, durationText(turn.ms)].join(' · ');
  item.iconPath = new vscode.ThemeIcon('comment');
  item.tooltip = facts.join(' · ');
  item.accessibilityInformation = { label: [t('Turn {0}', turn.turn), ...facts].join(', ') };
  return item;
}

function stepItem(search: ShownSearch, step: TraceStep): vscode.TreeItem {
  const { tool, what, ms, hits = 0, isError } = step;
  const { name, icon, count } = toolLook(tool, hits);
  const item = new vscode.TreeItem(`${name} ${shortStep(search, step)}`.trim());
  const result = isError === true ? t('refused') : count;
  item.description = ms === undefined ? t('running…') : `${result} · ${durationText(ms)}`;
  item.iconPath =
    isError === true
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon(ms === undefined ? 'loading~spin' : icon);
  item.tooltip = `${name} ${what}\n${item.description}`;
  item.accessibilityInformation = { label: `${name} ${what}, ${item.description}` };
  return item;
}

/** A path without the ` 12-40, 80-95` behind it. */
function withoutRanges(what: string): string {
  const rest = trimEndOf(what, `0123456789,-${whiteSpace}`);
  const blank = what.indexOf(' ', rest.length);
  return blank < 0 || blank === what.length - 1 ? what : what.slice(0, blank);
}

/** So much of a step that its result is seen next to it; the tooltip has all. */
function shortStep({ roots }: ShownSearch, { tool, what }: TraceStep): string {
  if (tool === 'read') return withoutRanges(what).replace(/^.*\//, '');
  return roots.reduce(
    (text, { fsPath }) => text.replaceAll(`${fsPath}/`, '').replaceAll(fsPath, '.'),
    what,
  );
}

/** What the search model does now: `Grep: "token" in src`. */
export function stepText({ tool, what }: TraceStep): string {
  return t('{0}: {1}', toolLook(tool, 0).name, what);
}

/** What a tool of the model does, in one word, with its icon and what it counts. */
function toolLook(tool: string, hits: number): { name: string; icon: string; count: string } {
  const files = hits === 1 ? t('1 file') : t('{0} files', hits);
  switch (tool) {
    case 'grep_search':
      return {
        name: t('Grep'),
        icon: 'regex',
        count: hits === 1 ? t('1 hit') : t('{0} hits', hits),
      };
    case 'read':
      return {
        name: t('Read'),
        icon: 'eye',
        count: hits === 1 ? t('1 line') : t('{0} lines', hits),
      };
    case 'list_directory':
      return {
        name: t('List'),
        icon: 'list-tree',
        count: hits === 1 ? t('1 entry') : t('{0} entries', hits),
      };
    case 'glob':
      return { name: t('Find'), icon: 'files', count: files };
    case 'finish':
      return { name: t('Answer'), icon: 'check', count: files };
    default:
      return { name: tool, icon: 'tools', count: hits === 1 ? t('1 hit') : t('{0} hits', hits) };
  }
}

function fileItem(search: ShownSearch, file: PlaceFile, isInFolder: boolean): vscode.TreeItem {
  const uri = search.uriOf(file);
  const name = search.nameOf(file);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Expanded);
  item.iconPath = vscode.ThemeIcon.File;
  // The root's name is the first part where there are several.
  item.description = isInFolder ? false : name.split('/').slice(0, -1).join('/');
  const places = file.spans.length === 1 ? t('1 place') : t('{0} places', file.spans.length);
  item.tooltip = `${name}\n${places}`;
  item.accessibilityInformation = { label: `${name}, ${places}` };
  return item;
}

function placeItem(
  search: ShownSearch,
  node: SearchNode & { readonly kind: 'place' },
): vscode.TreeItem {
  const { file, place, number } = node;
  const { startLine, endLine, title, highlights } = place;
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const prefix = `${lines}  `;
  const item = new vscode.TreeItem({
    label: prefix + title,
    highlights: highlights.map(([from, to]) => [prefix.length + from, prefix.length + to]),
  });
  const uri = search.uriOf(file);
  const name = search.nameOf(file);
  item.tooltip = `${name}:${lines}\n${title}`;
  const start = rangeOf(place, Number.MAX_SAFE_INTEGER).start;
  // The tree tells this command alone whether it was a click, a double click or Enter.
  const options: vscode.TextDocumentShowOptions = { selection: new vscode.Range(start, start) };
  item.command = { command: 'vscode.open', title: t('Open'), arguments: [uri, options] };
  item.accessibilityInformation = {
    label: t(
      '{0} of {1}, {2}, lines {3} to {4}, {5}',
      number,
      search.nodes.places.length,
      name,
      startLine,
      endLine,
      title,
    ),
  };
  return item;
}
