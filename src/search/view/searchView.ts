import * as vscode from 'vscode';
import { ContextKey } from '../../platform/commands/contextKey';
import type { CommandId } from '../../platform/commands/contribute';
import { DisposableStore } from '../../platform/disposables';
import { type AdviceStep, adviceSteps } from '../../platform/steps';
import { adviceFor } from '../../service';
import { contextKeys } from '../ids';
import { placesText } from './messages';
import { fileKey, type PlaceFile, type SearchNode } from './nodes';
import { countPlaces, type SortOrder } from './results';
import { searchMessage } from './searchMessage';
import type { ShownSearch } from './shownSearch';

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
  readonly #store = new DisposableStore();
  readonly #hasResults = new ContextKey<boolean>(contextKeys.hasSearchResults);
  readonly #hasSearch = new ContextKey<boolean>(contextKeys.hasSearch);
  readonly #isSearching = new ContextKey<boolean>(contextKeys.isSearching);
  readonly #isFiltered = new ContextKey<boolean>(contextKeys.isSearchFiltered);
  readonly #asTreeKey = new ContextKey<boolean>(contextKeys.searchAsTree);
  #search: ShownSearch | undefined;
  #asTree: boolean;
  #sort: SortOrder = 'relevance';
  #timer: NodeJS.Timeout | undefined;
  #lastUpdate = 0;
  /** Ids of the changed nodes, without the number of the search; undefined when all may have changed. */
  #changedIds: Set<string> | undefined = new Set();
  #note = '';

  constructor({ view, changed }: SearchViewParts, asTree: boolean) {
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

  /** Updates the tree soon. @param nodes ids of the changed nodes; without them, everything is updated. */
  scheduleRefresh(nodes?: readonly string[]): void {
    if (nodes === undefined) this.#changedIds = undefined;
    else for (const id of nodes) this.#changedIds?.add(id);
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#lastUpdate + minRefreshIntervalMs - Date.now());
    this.#timer = setTimeout(() => this.#update(), wait);
  }

  /** Updates the whole tree at once. */
  refresh(): void {
    this.#changedIds = undefined;
    this.#update();
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
        advice: suggestedActions(search),
        more: moreAction(search),
        files,
        asTree: this.#asTree,
        rootNames: search.roots.length > 1 ? search.roots.map(rootName) : undefined,
      });
      if (search.nodes.roots.map(({ id }) => id).join() !== before) this.#changedIds = undefined;
    }
    const nodes =
      this.#changedIds && [...this.#changedIds].flatMap(id => search?.nodes.byId(id) ?? []);
    this.#changedIds = new Set();
    if (nodes === undefined) this.#changed.fire(undefined);
    else for (const node of nodes) this.#changed.fire(node);
    this.#updateViewState(files);
  }

  #updateViewState(files: readonly PlaceFile[]): void {
    const search = this.#search;
    const places = countPlaces(files);
    this.#hasSearch.set(search !== undefined);
    this.#hasResults.set(places > 0);
    this.#isSearching.set(search?.isRunning === true);
    this.#isFiltered.set((search?.filter ?? '') !== '');
    this.#view.badge = places > 0 ? { value: places, tooltip: placesText(files) } : undefined;
    const message = search ? searchMessage(search, files) : '';
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
