import * as vscode from 'vscode';
import { isAbortError } from '../base/async/clock';
import { UserError } from '../base/userError';
import type { FoundPlaces } from '../contracts/chatResults';
import { withWaitListener } from '../platform/client/waitListener';
import type { CommandId } from '../platform/commands/contribute';
import type { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { searchForChat } from './chatSearch';
import { localReason, type SearchClient, searchCode } from './codeSearch';
import { searchView } from './ids';
import { rerankResults } from './rerankResults';
import { initialSearchState } from './runSearch';
import { openSearchTarget } from './searchWorkspace';
import { type HistoryEntry, SearchHistory } from './view/history/queryHistory';
import {
  askFilter,
  askQuery,
  folderName,
  pickFolder,
  pickFromHistory,
  selectedQuery,
} from './view/history/queryInput';
import { historyEntryOf, requestOf, restoreSearch } from './view/history/restoredSearch';
import { sentText } from './view/messages';
import { fileKey, nodesOf, type SearchNode, traceId } from './view/nodes';
import { PlaceOpener } from './view/placeOpener';
import { asText, type SortOrder } from './view/results';
import {
  openResults,
  pathsOfNodes,
  type ResultsDocuments,
  resultsMarkdown,
  textOfNodes,
} from './view/resultText';
import { shorten } from './view/searchMessage';
import { SearchView, type SearchViewParts } from './view/searchView';
import {
  readChangeTimes,
  type SearchRequest,
  ShownSearch,
  withDisplayPaths,
} from './view/shownSearch';
import { searchTreeItem } from './view/treeItems';

const { t } = vscode.l10n;

/** Searches whose results a button in a chat can still show. */
const maxRememberedSearches = 10;
const asTreeKey = 'splice.search.asTree';

export function createSearchController(
  host: Host,
  client: SearchClient,
  parts: SearchViewParts & { readonly documents: ResultsDocuments },
  store: DisposableStore,
): SearchController {
  return store.add(new SearchController(host, client, parts, store));
}

/** Implements the commands on searches and their results. */
export class SearchController implements vscode.Disposable {
  readonly #host: Host;
  readonly #client: SearchClient;
  readonly #documents: ResultsDocuments;
  readonly #history: SearchHistory;
  readonly #view: SearchView;
  readonly #places: PlaceOpener;
  readonly #chatSearches = new Map<number, ShownSearch>();
  #lastChatSearch = 0;
  #running: AbortController | undefined;
  /** Id of the node that Next and Previous start from. */
  #current: string | undefined;

  constructor(
    host: Host,
    client: SearchClient,
    parts: SearchViewParts & { readonly documents: ResultsDocuments },
    store: DisposableStore,
  ) {
    const { workspaceState } = host.context;
    this.#host = host;
    this.#client = client;
    this.#documents = parts.documents;
    this.#history = new SearchHistory(workspaceState);
    this.#view = store.add(new SearchView(parts, workspaceState.get(asTreeKey) === true));
    this.#places = store.add(new PlaceOpener());
    store.add(
      parts.view.onDidChangeSelection(({ selection: [node] }) => {
        const { search } = this.#view;
        if (node?.kind !== 'place' || !search) return;
        this.#current = node.id;
        this.#places.highlight(search, node);
      }),
    );
    store.add(vscode.workspace.onDidChangeTextDocument(change => this.#trackEdits(change)));
  }

  // --- the tree

  children(node?: SearchNode): SearchNode[] {
    return node ? node.children : this.#view.roots();
  }

  item(node: SearchNode): vscode.TreeItem {
    const { search } = this.#view;
    if (!search) return new vscode.TreeItem('');
    return searchTreeItem(search, node);
  }

  // --- searching

  /** @param query text to search for; without one, the user is asked. */
  async search(query?: unknown, folder?: unknown): Promise<void> {
    const within = folder instanceof vscode.Uri ? folder : undefined;
    if (typeof query === 'string' && query.trim() !== '') {
      return this.#run({ query: query.trim(), folder: within });
    }
    await this.#ask(within, '');
  }

  async searchSelection(): Promise<void> {
    const text = selectedQuery();
    if (text === '') {
      throw new UserError(t('Select something to search for, or put the cursor on a word.'));
    }
    await this.#run({ query: text });
  }

  /** @param folder selected in the explorer; without one, the user is asked. */
  async searchInFolder(folder?: unknown, _all?: unknown, query?: unknown): Promise<void> {
    const within = folder instanceof vscode.Uri ? folder : await pickFolder();
    if (within) await this.search(query, within);
  }

  /**
   * Searches without changing the view.
   * @throws {AbortError} when `signal` is aborted.
   */
  async find(
    request: SearchRequest,
    signal: AbortSignal,
    onStep: (text: string) => void,
  ): Promise<FoundPlaces> {
    const { search, found } = await searchForChat(this.#client, request, signal, onStep);
    const id = ++this.#lastChatSearch;
    this.#chatSearches.set(id, search);
    this.#chatSearches.delete(id - maxRememberedSearches);
    return { id, ...found };
  }

  /** @param id from {@link find}. */
  async showFound(id?: unknown): Promise<void> {
    const search = typeof id === 'number' ? this.#chatSearches.get(id) : undefined;
    if (!search) {
      throw new UserError(t('These results are no longer available. Search again in the chat.'));
    }
    this.#running?.abort();
    this.#places.clear();
    this.#current = undefined;
    this.#view.show(search);
    await this.#history.add(historyEntryOf(search));
    await vscode.commands.executeCommand(`${searchView}.focus`);
  }

  stop(): void {
    this.#running?.abort();
  }

  async searchAgain(): Promise<void> {
    const { search } = this.#view;
    if (!search) throw new UserError(t('There is no search to repeat.'));
    await this.#run(search.request);
  }

  clear(): void {
    this.#running?.abort();
    this.#places.clear();
    this.#current = undefined;
    this.#view.show(undefined);
  }

  async showHistory(): Promise<void> {
    if (this.#history.entries.length === 0) {
      throw new UserError(
        t('Nothing has been searched for in this workspace yet. Run "Splice: Search Code…" first.'),
        { title: t('Search Code…'), command: 'splice.search.start' satisfies CommandId },
      );
    }
    const picked = await pickFromHistory(this.#history);
    if (!picked) return;
    const { entry, again } = picked;
    if (again) await this.#run(requestOf(entry));
    else await this.#showAgain(entry);
  }

  async #ask(folder: vscode.Uri | undefined, value: string): Promise<void> {
    const title = folder ? t('Search Code {0}', folderName(folder.toString())) : t('Search Code');
    const prompt = sentText(await localReason(this.#client), settings.serviceHost);
    const asked = await askQuery(this.#history, { title, prompt, value });
    if (!asked) return;
    await this.#run('entry' in asked ? requestOf(asked.entry) : { query: asked.query, folder });
  }

  async #run(request: SearchRequest): Promise<void> {
    const target = await openSearchTarget(request.folder);
    this.#running?.abort();
    const controller = new AbortController();
    this.#running = controller;
    const previous = this.#view.search;
    const search = new ShownSearch(request, target.roots, initialSearchState(request.query));
    this.#view.show(search);
    this.#places.clear();
    this.#current = undefined;
    const focused = vscode.commands.executeCommand(`${searchView}.focus`);
    const isShown = (): boolean => this.#view.search === search;
    const done = withWaitListener(
      wait => {
        search.wait = wait;
        if (isShown()) this.#view.scheduleRefresh([traceId]);
      },
      () =>
        searchCode(this.#client, target, request.query, {
          signal: controller.signal,
          onChange: state => {
            const isTraceOnly = state.files === search.state.files && state.isRunning;
            search.state = state;
            search.wait = undefined;
            if (isShown()) this.#view.scheduleRefresh(isTraceOnly ? [traceId] : undefined);
          },
        }),
    );
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    void vscode.window.withProgress({ location: { viewId: searchView } }, () => settled);
    try {
      search.state = await done;
      await this.#history.add(historyEntryOf(search));
    } catch (error) {
      const isStopped = isAbortError(error) || controller.signal.aborted;
      search.interruption = isStopped ? { kind: 'stopped' } : { kind: 'failed', error };
      if (!isStopped) this.#host.log.error('search', error);
      // Another search or Clear took over.
      if (isShown()) this.#keepPrevious(search, previous);
    } finally {
      if (this.#running === controller) this.#running = undefined;
      if (isShown()) this.#view.refresh();
      // Awaited here, because it would take the focus from a later action otherwise.
      await focused;
    }
  }

  /** Shows the previous places again when an interrupted search found none. */
  #keepPrevious(search: ShownSearch, previous: ShownSearch | undefined): void {
    if (search.files.length > 0 || !previous || previous.files.length === 0) return;
    const query = shorten(search.request.query, 60);
    this.#view.show(
      previous,
      search.interruption?.kind === 'stopped'
        ? t('The search for "{0}" was stopped.', query)
        : t('The search for "{0}" failed.', query),
    );
  }

  async #showAgain(entry: HistoryEntry): Promise<void> {
    this.#running?.abort();
    const search = await restoreSearch(entry);
    this.#places.clear();
    this.#view.show(search);
    await vscode.commands.executeCommand(`${searchView}.focus`);
  }

  // --- how results are shown

  async showAs(tree: boolean): Promise<void> {
    this.#view.asTree = tree;
    await this.#host.context.workspaceState.update(asTreeKey, tree);
  }

  async sortBy(order: SortOrder): Promise<void> {
    const { search } = this.#view;
    if (search && order === 'modified') await readChangeTimes(search);
    this.#view.sort = order;
  }

  /** @param text of the filter; without one, the user is asked. */
  async filter(text?: unknown): Promise<void> {
    const search = this.#results();
    const wanted = typeof text === 'string' ? text : await askFilter(search.filter);
    if (wanted === undefined) return;
    search.filter = wanted.trim();
    this.#view.refresh();
  }

  async showMore(): Promise<void> {
    await this.#view.showMore(this.#results());
  }

  clearFilter(): void {
    if (this.#view.search) this.#view.search.filter = '';
    this.#view.refresh();
  }

  async sortByRerank(): Promise<void> {
    const search = this.#results();
    const reason = await localReason(this.#client);
    if (reason !== undefined) {
      throw new UserError(
        t('The service sorts results only with an API key, and where it may be asked.'),
      );
    }
    await rerankResults(this.#client, search);
    this.#view.sort = 'relevance';
  }

  // --- results elsewhere

  async copyAll(): Promise<void> {
    const search = this.#results();
    await vscode.env.clipboard.writeText(asText(withDisplayPaths(search, this.#view.shownFiles)));
  }

  async copyAsMarkdown(): Promise<void> {
    await vscode.env.clipboard.writeText(
      await resultsMarkdown(this.#results(), this.#view.shownFiles),
    );
  }

  async openInEditor(): Promise<void> {
    await openResults(this.#documents, this.#results(), this.#view.shownFiles, 'md');
  }

  async openInSearchEditor(): Promise<void> {
    await openResults(this.#documents, this.#results(), this.#view.shownFiles, 'code-search');
  }

  // --- single results

  async go(direction: 1 | -1): Promise<void> {
    const search = this.#results();
    const { places } = search.nodes;
    const at = places.findIndex(({ id }) => id === this.#current);
    const start = at < 0 ? (direction > 0 ? -1 : 0) : at;
    const next = places[(start + direction + places.length) % places.length];
    if (next?.kind !== 'place') throw new UserError(t('There are no results to go to.'));
    this.#current = next.id;
    await this.#places.open(search, next, { preview: true });
    await this.#view.reveal(next);
  }

  async openToSide(node?: unknown): Promise<void> {
    const search = this.#results();
    const [picked] = this.#picked(node, undefined);
    if (picked?.kind === 'place' || picked?.kind === 'file') {
      await this.#places.open(search, picked, { viewColumn: vscode.ViewColumn.Beside });
    }
  }

  async copy(node?: unknown, all?: unknown): Promise<void> {
    const search = this.#results();
    await vscode.env.clipboard.writeText(textOfNodes(search, this.#picked(node, all)));
  }

  async copyPath(node?: unknown, all?: unknown): Promise<void> {
    const search = this.#results();
    await vscode.env.clipboard.writeText(pathsOfNodes(search, this.#picked(node, all)));
  }

  dismiss(node?: unknown, all?: unknown): void {
    const search = this.#results();
    for (const picked of this.#picked(node, all)) search.dismiss(picked);
    this.#view.refresh();
  }

  dispose(): void {
    this.#running?.abort();
  }

  /** The nodes that a menu was opened on, or else the selection. */
  #picked(node: unknown, all: unknown): SearchNode[] {
    return nodesOf(node, all) ?? [...this.#view.selection];
  }

  #results(): ShownSearch {
    const { search } = this.#view;
    if (!search || search.files.length === 0) {
      throw new UserError(t('There are no search results. Run "Splice: Search Code…" first.'));
    }
    return search;
  }

  #trackEdits(change: vscode.TextDocumentChangeEvent): void {
    const { search } = this.#view;
    const moved = search?.applyEdits(change);
    if (search && moved) this.#view.scheduleRefresh([`file ${fileKey(moved)}`]);
  }
}
