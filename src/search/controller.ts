import * as vscode from 'vscode';
import { isAbortError } from '../base/async/clock';
import { UserError } from '../base/userError';
import type { FoundPlaces } from '../contracts/chatResults';
import { withWaitListener } from '../platform/client/waitListener';
import type { CommandId } from '../platform/commands/contribute';
import type { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { searchForecast } from './agent/searchForecast';
import { searchForChat } from './chatSearch';
import { localReason, type SearchClient, searchCode } from './codeSearch';
import { searchView } from './ids';
import { rerankResults } from './rerankResults';
import { initialSearchState } from './runSearch';
import type { ReadSearchPrices, SearchPriceBasis } from './searchPrices';
import { openSearchTarget, type SearchTarget, searchableFolders } from './searchWorkspace';
import { type HistoryEntry, SearchHistory } from './view/history/queryHistory';
import {
  askFilter,
  askQuery,
  folderName,
  pickFolder,
  pickFromHistory,
  selectedQuery,
} from './view/history/queryInput';
import { queryOf } from './view/history/queryText';
import { historyEntryOf, requestOf, restoreSearch } from './view/history/restoredSearch';
import { forecastText, sentText } from './view/messages';
import { fileKey, type ResultGrouping, type SearchNode, traceId } from './view/nodes';
import { PlaceOpener } from './view/placeOpener';
import { ResultCommands } from './view/resultCommands';
import type { SortOrder } from './view/results';
import type { ResultsDocuments } from './view/resultText';
import { shorten } from './view/searchMessage';
import { SearchView, type SearchViewParts } from './view/searchView';
import { readChangeTimes, type SearchRequest, ShownSearch } from './view/shownSearch';
import { searchTreeItem } from './view/treeItems';
import { workspaceIndexes } from './workspaceIndexes';

const { t } = vscode.l10n;

/** Searches whose results a button in a chat can still show. */
const maxRememberedSearches = 10;
const groupingKey = 'splice.search.grouping';
const groupings: readonly ResultGrouping[] = ['list', 'tree', 'role'];

interface ControllerParts extends SearchViewParts {
  readonly documents: ResultsDocuments;
  readonly prices: ReadSearchPrices;
}

export function createSearchController(
  host: Host,
  client: SearchClient,
  parts: ControllerParts,
  store: DisposableStore,
): SearchController {
  return store.add(new SearchController(host, client, parts, store));
}

/** Implements the commands on searches and their results. */
export class SearchController implements vscode.Disposable {
  readonly results: ResultCommands;
  readonly #host: Host;
  readonly #client: SearchClient;
  readonly #prices: ReadSearchPrices;
  readonly #history: SearchHistory;
  readonly #view: SearchView;
  readonly #chatSearches = new Map<number, ShownSearch>();
  #lastChatSearch = 0;
  #running: AbortController | undefined;

  constructor(
    host: Host,
    client: SearchClient,
    { prices, ...parts }: ControllerParts,
    store: DisposableStore,
  ) {
    const { workspaceState } = host.context;
    this.#host = host;
    this.#client = client;
    this.#prices = prices;
    this.#history = new SearchHistory(workspaceState);
    const grouping = groupings.find(known => known === workspaceState.get(groupingKey)) ?? 'list';
    this.#view = store.add(new SearchView(parts, grouping));
    const places = store.add(new PlaceOpener());
    this.results = new ResultCommands(this.#view, places, parts.documents, async () =>
      this.#openTarget(),
    );
    store.add(
      parts.view.onDidChangeSelection(({ selection: [node] }) => this.results.select(node)),
    );
    store.add(vscode.workspace.onDidChangeTextDocument(change => this.#trackEdits(change)));
    store.add(vscode.workspace.onDidRenameFiles(({ files }) => this.#trackRenames(files)));
  }

  // --- the tree

  children(node?: SearchNode): SearchNode[] {
    return node ? node.children : this.#view.roots();
  }

  item(node: SearchNode): vscode.TreeItem {
    const search = this.#view.searchOf(node);
    return search ? searchTreeItem(search, node) : new vscode.TreeItem('');
  }

  // --- searching

  /** @param query text to search for; without one, the user is asked. */
  async search(query?: unknown, folder?: unknown): Promise<void> {
    const within = folder instanceof vscode.Uri ? folder : undefined;
    const wanted = typeof query === 'string' ? queryOf(query) : '';
    if (wanted !== '') return this.#run({ query: wanted, folder: within });
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
    searchableFolders();
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
    const { search, found } = await searchForChat(
      this.#host,
      this.#client,
      request,
      signal,
      onStep,
    );
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
    this.results.reset();
    this.#view.show(search);
    await this.#history.add(historyEntryOf(search));
    await this.#view.focus();
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
    this.results.reset();
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
    searchableFolders();
    const title = folder ? t('Search Code {0}', folderName(folder.toString())) : t('Search Code');
    const reason = await localReason(this.#client);
    const prompt = sentText(reason, settings.serviceHost);
    const asked = await askQuery(this.#history, {
      title,
      prompt,
      value,
      ...(reason === undefined && { forecast: this.#forecastText() }),
    });
    if (!asked) return;
    await this.#run('entry' in asked ? requestOf(asked.entry) : { query: asked.query, folder });
  }

  /** '' when it cannot be read. */
  async #forecastText(): Promise<string> {
    const basis = await this.#readPrices();
    return basis ? forecastText(searchForecast(undefined, basis.price, basis.runs)) : '';
  }

  async #readPrices(): Promise<SearchPriceBasis | undefined> {
    return this.#prices().catch((error: unknown) => {
      // A search does without a forecast.
      this.#host.log.error('search: forecast', error);
      return undefined;
    });
  }

  async #openTarget(folder?: vscode.Uri): Promise<SearchTarget> {
    return openSearchTarget(folder, workspaceIndexes(this.#host));
  }

  async #run(request: SearchRequest): Promise<void> {
    const target = await this.#openTarget(request.folder);
    this.#running?.abort();
    const controller = new AbortController();
    this.#running = controller;
    const previous = this.#view.search;
    const search = new ShownSearch(request, target.roots, initialSearchState(request.query));
    this.#view.show(search);
    this.results.reset();
    const focused = this.#view.focus();
    void this.#readPrices().then(basis => {
      search.priceBasis = basis;
      if (search.isRunning && this.#view.search === search) this.#view.scheduleRefresh([traceId]);
    });
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
    this.results.reset();
    this.#view.show(search);
    await this.#view.focus();
  }

  // --- how results are shown

  async groupBy(grouping: ResultGrouping): Promise<void> {
    this.#view.grouping = grouping;
    await this.#host.context.workspaceState.update(groupingKey, grouping);
  }

  async sortBy(order: SortOrder): Promise<void> {
    const { search } = this.#view;
    if (search && order === 'modified') await readChangeTimes(search);
    this.#view.sort = order;
  }

  /** @param text of the filter; without one, the user is asked. */
  async filter(text?: unknown): Promise<void> {
    const search = this.#view.results();
    const wanted = typeof text === 'string' ? text : await askFilter(search.filter);
    if (wanted === undefined) return;
    search.filter = wanted.trim();
    this.#view.refresh();
  }

  /** @param number of the search; without it, the present one is meant. */
  async showMore(number?: unknown): Promise<void> {
    const search = this.#view.all.find(one => one.number === number);
    await this.#view.showMore(search ?? this.#view.results());
  }

  clearFilter(): void {
    if (this.#view.search) this.#view.search.filter = '';
    this.#view.refresh();
  }

  async sortByRerank(): Promise<void> {
    const search = this.#view.results();
    const reason = await localReason(this.#client);
    if (reason !== undefined) {
      throw new UserError(
        t('The service sorts results only with an API key, and where it may be asked.'),
      );
    }
    await rerankResults(this.#client, search);
    this.#view.sort = 'relevance';
  }

  async deleteIndex(): Promise<void> {
    const indexes = workspaceIndexes(this.#host);
    if (!indexes) throw new UserError(t('No folder is open, so there is no search index.'));
    await indexes.deleteAll();
  }

  dispose(): void {
    this.#running?.abort();
  }

  #trackRenames(files: vscode.FileRenameEvent['files']): void {
    let isRenamed = false;
    for (const search of this.#view.all) {
      for (const { oldUri, newUri } of files) {
        if (search.rename(oldUri, newUri)) isRenamed = true;
      }
    }
    if (isRenamed) this.#view.refresh();
  }

  #trackEdits(change: vscode.TextDocumentChangeEvent): void {
    for (const search of this.#view.all) {
      const moved = search.applyEdits(change);
      if (moved) this.#view.scheduleRefresh([`file ${fileKey(moved)}`], search);
    }
  }
}
