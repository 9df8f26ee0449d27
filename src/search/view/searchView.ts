import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { ContextKey } from '../../platform/commands/contextKey';
import type { CommandId } from '../../platform/commands/contribute';
import { type AdviceStep, adviceSteps } from '../../platform/steps';
import { adviceFor } from '../../service';
import { contextKeys, searchView } from '../ids';
import { placesText } from './messages';
import {
  fileKey,
  type PlaceFile,
  type ResultGrouping,
  rowAfterDismissal,
  type SearchNode,
} from './nodes';
import { maxResultSets, ResultSets } from './resultSets';
import { countPlaces, type SortOrder } from './results';
import { searchMessage } from './searchMessage';
import { readChangeTimes, type ShownSearch } from './shownSearch';

const { t } = vscode.l10n;
/** Milliseconds between updates of the tree. */
const minRefreshIntervalMs = 100;

/** Parts of the tree view that are created at activation. */
export interface SearchViewParts {
  readonly view: vscode.TreeView<SearchNode>;
  readonly changed: vscode.EventEmitter<SearchNode | undefined>;
}

/** The search view: tree, message, badge and context keys. */
export class SearchView implements vscode.Disposable {
  readonly #view: vscode.TreeView<SearchNode>;
  readonly #changed: vscode.EventEmitter<SearchNode | undefined>;
  readonly #hasResults = new ContextKey<boolean>(contextKeys.hasSearchResults);
  readonly #hasSearch = new ContextKey<boolean>(contextKeys.hasSearch);
  readonly #isSearching = new ContextKey<boolean>(contextKeys.isSearching);
  readonly #isFiltered = new ContextKey<boolean>(contextKeys.isSearchFiltered);
  readonly #hasSets = new ContextKey<boolean>(contextKeys.hasResultSets);
  readonly #isKept = new ContextKey<boolean>(contextKeys.isSearchKept);
  readonly #groupingKey = new ContextKey<ResultGrouping>(contextKeys.searchGrouping);
  /** Those that the user keeps, and the places that belong to a found one. */
  readonly #sets = new ResultSets<ShownSearch>();
  #search: ShownSearch | undefined;
  #grouping: ResultGrouping;
  #sort: SortOrder = 'relevance';
  #timer: NodeJS.Timeout | undefined;
  #lastUpdate = 0;
  /** Ids of the changed nodes, without the number of their search; undefined when all may have changed. */
  #changedIds: Map<ShownSearch, Set<string>> | undefined = new Map();
  #note = '';

  constructor({ view, changed }: SearchViewParts, grouping: ResultGrouping) {
    this.#view = view;
    this.#changed = changed;
    this.#grouping = grouping;
    this.#groupingKey.set(grouping);
  }

  get search(): ShownSearch | undefined {
    return this.#search;
  }

  /** The result sets that stand beside the present search, newest first. */
  get sets(): readonly ShownSearch[] {
    return this.#sets.all.filter(set => set !== this.#search);
  }

  set grouping(grouping: ResultGrouping) {
    this.#grouping = grouping;
    this.#groupingKey.set(grouping);
    this.refresh();
  }

  get sort(): SortOrder {
    return this.#sort;
  }

  set sort(sort: SortOrder) {
    this.#sort = sort;
    this.refresh();
  }

  /** The files in the order of the view, after filter and dismissals. */
  get shownFiles(): PlaceFile[] {
    return this.#search?.shown(this.#sort) ?? [];
  }

  get selection(): readonly SearchNode[] {
    return this.#view.selection;
  }

  /** @param note about another search that ended without results. */
  show(search: ShownSearch | undefined, note = ''): void {
    this.#search = search;
    this.#note = note;
    this.refresh();
  }

  /** @throws {UserError} when the present search has no results. */
  results(): ShownSearch {
    if (!this.#search || this.#search.files.length === 0) {
      throw new UserError(t('There are no search results. Run "Splice: Search Code…" first.'));
    }
    return this.#search;
  }

  isKept(search: ShownSearch): boolean {
    return this.#sets.all.includes(search);
  }

  /** @throws {UserError} when no further result set can be kept. */
  checkForRoom(): void {
    if (!this.#sets.isFull) return;
    throw new UserError(
      t('{0} result sets are kept already. Dismiss one in the Search view first.', maxResultSets),
    );
  }

  /**
   * Keeps a result set beside the searches that follow; the present search becomes a row with the next one.
   * @throws {UserError} when there are too many.
   */
  keep(set: ShownSearch): void {
    if (!this.isKept(set)) this.checkForRoom();
    this.#sets.add(set);
    this.refresh();
  }

  /** Shows a result set beside the present search, in place of an earlier one of the same title. */
  async showSet(set: ShownSearch): Promise<void> {
    const earlier = this.#sets.all.find(({ title }) => title === set.title);
    if (earlier) this.#sets.remove(earlier);
    this.keep(set);
    const [node] = set.nodes.roots;
    if (node) await this.reveal(node, true);
  }

  remove(set: ShownSearch): void {
    this.#sets.remove(set);
    this.refresh();
  }

  /** The search that a node belongs to; undefined when it is no longer in the view. */
  searchOf(node: Pick<SearchNode, 'id'>): ShownSearch | undefined {
    return this.all.find(({ nodes }) => nodes.owns(node));
  }

  /** The result sets and the present search, from top to bottom. */
  get all(): readonly ShownSearch[] {
    return this.#search ? [...this.sets, this.#search] : this.sets;
  }

  /** Updates the tree soon. @param nodes ids of the changed nodes; without them, everything is updated. */
  scheduleRefresh(nodes?: readonly string[], search = this.#search): void {
    if (nodes === undefined) {
      this.#changedIds = undefined;
    } else if (search) {
      const known = this.#changedIds?.get(search) ?? [];
      this.#changedIds?.set(search, new Set([...known, ...nodes]));
    }
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#lastUpdate + minRefreshIntervalMs - Date.now());
    this.#timer = setTimeout(() => this.#update(), wait);
  }

  /** Updates the whole tree at once. */
  refresh(): void {
    this.#changedIds = undefined;
    this.#update();
  }

  /** Shows the view with the focus on the row of the present search: without a row, VS Code would lose the focus. */
  async focus(): Promise<void> {
    const [row] = this.#search?.nodes.roots ?? [];
    if (row) await this.#focusRow(row, false);
  }

  /** Takes rows away by `dismiss`, and focuses the one that takes their place. */
  async dismiss(dismissed: readonly SearchNode[], dismiss: () => void): Promise<void> {
    const before = this.rows();
    dismiss();
    this.refresh();
    const [first] = dismissed;
    if (!first || !this.#view.visible) return;
    const left = new Set(this.rows().map(({ id }) => id));
    const row = rowAfterDismissal(before, new Set(dismissed.map(({ id }) => id)), left);
    // Without any row, the one that is gone waits for VS Code to draw what stands there instead.
    await this.#focusRow(row ?? first, true);
  }

  async #focusRow(row: SearchNode, select: boolean): Promise<void> {
    try {
      await this.#view.reveal(row, { select, focus: true });
    } catch {
      // The row is gone already, and others have taken its place.
      await vscode.commands.executeCommand(`${searchView}.focus`);
    }
  }

  async reveal(node: SearchNode, focus = false): Promise<void> {
    await this.#view.reveal(node, { select: true, focus, expand: true });
  }

  /** Shows the files that are less likely what was looked for, and selects the first of them. */
  async showMore(search: ShownSearch): Promise<void> {
    const next = search.files[search.sureFiles.length];
    search.showsAll = true;
    this.refresh();
    const node = next && search.nodes.byId(`file ${fileKey(next)}`);
    if (node) await this.reveal(node, true);
  }

  roots(): SearchNode[] {
    return this.all.flatMap(({ nodes }) => nodes.roots);
  }

  /** All rows from top to bottom, also those of collapsed ones. */
  rows(): SearchNode[] {
    const withChildren = (node: SearchNode): SearchNode[] => [
      node,
      ...node.children.flatMap(withChildren),
    ];
    return this.roots().flatMap(withChildren);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #update(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastUpdate = Date.now();
    if (this.#sort === 'modified') this.#readTimes();
    const files = this.shownFiles;
    const before = this.#rootIds();
    for (const search of this.all) this.#updateNodes(search);
    if (this.#rootIds() !== before) this.#changedIds = undefined;
    const nodes =
      this.#changedIds &&
      [...this.#changedIds].flatMap(([search, ids]) =>
        [...ids].flatMap(id => search.nodes.byId(id) ?? []),
      );
    this.#changedIds = new Map();
    if (nodes === undefined) this.#changed.fire(undefined);
    else for (const node of nodes) this.#changed.fire(node);
    this.#updateViewState(files);
  }

  /** Results that came after the files were sorted by their times have none yet. */
  #readTimes(): void {
    for (const search of this.all) {
      const isKnown = search.files.every(file => search.changedAt.has(fileKey(file)));
      if (!isKnown) void readChangeTimes(search).then(() => this.refresh());
    }
  }

  #rootIds(): string {
    return this.roots()
      .map(({ id }) => id)
      .join();
  }

  #updateNodes(search: ShownSearch): void {
    const isSet = search !== this.#search;
    search.nodes.update({
      isRunning: search.isRunning,
      turns: search.state.trace.turns,
      advice: suggestedActions(search),
      more: moreAction(search),
      files: search.shown(this.#sort),
      grouping: this.#grouping,
      isSet,
      rootNames: search.roots.length > 1 ? search.roots.map(rootName) : undefined,
    });
  }

  #updateViewState(files: readonly PlaceFile[]): void {
    const search = this.#search;
    const places = countPlaces(files);
    this.#hasSearch.set(search !== undefined);
    this.#hasResults.set(places > 0);
    this.#hasSets.set(this.sets.length > 0);
    this.#isKept.set(search !== undefined && this.isKept(search));
    this.#isSearching.set(search?.isRunning === true);
    this.#isFiltered.set((search?.filter ?? '') !== '');
    this.#view.badge = places > 0 ? { value: places, tooltip: placesText(files) } : undefined;
    const message = search ? searchMessage(search, files, this.isKept(search)) : '';
    this.#view.message = [this.#note, message].filter(Boolean).join(' ');
  }
}

/** The last row, while files are left out that are less likely what was looked for. */
function moreAction(search: ShownSearch): AdviceStep | undefined {
  const left = search.files.length - search.sureFiles.length;
  if (left === 0) return undefined;
  return {
    title: left === 1 ? t('More… (1 less likely file)') : t('More… ({0} less likely files)', left),
    command: 'splice.search.showMore' satisfies CommandId,
    icon: 'ellipsis',
    arguments: [search.number],
  };
}

function suggestedActions({ state, interruption }: ShownSearch): AdviceStep[] {
  const error = interruption?.kind === 'failed' ? interruption.error : state.error;
  if (error === undefined) return [];
  const { actions } = adviceFor(error, t);
  const again = {
    title: t('Search Again'),
    command: 'splice.search.runAgain' satisfies CommandId,
    icon: 'refresh',
  };
  return [...(actions.includes('retry') ? [again] : []), ...adviceSteps(actions, t)];
}

function rootName(root: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(root)?.name ?? root.path.split('/').at(-1) ?? '';
}
