import * as vscode from 'vscode';
import type { FoundPlaces } from '../host/chatResults';
import type { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { durationText } from '../host/figures';
import { withProgress } from '../host/progress';
import { tellingWaits } from '../host/waits';
import { waitText } from '../host/waitText';
import { settings } from '../host/settings';
import { ids } from '../manifest';
import { isAbortError } from '../service/time';
import { type SearchClient, localReason, searchCode } from './codeSearch';
import { type HistoryEntry, SearchHistory, withoutCode } from './history';
import { type PlaceFile, type SearchNode, fileKey, traceId } from './nodes';
import { OpenPlaces } from './openPlaces';
import { askQuery, folderName, pickFromHistory, selectedText } from './queryInput';
import { type SortOrder, asMarkdown, asText, describeFile } from './results';
import { openSearchTarget } from './searchWorkspace';
import { fallbackText, nothingText, placesText, sentText } from './sentences';
import { type SearchRequest, ShownSearch, codeOf, presentText } from './shownSearch';
import { Trace } from './trace';
import { SearchView, type ViewParts, itemOf, shorten, stepText } from './view';

const { t } = vscode.l10n;

/** Searches of chats that a button can still show. */
const mostFound = 10;
const asTreeKey = 'splice.search.asTree';
/** Characters of one file that the rerank model gets. */
const rerankChars = 4000;

/** Loads with the first look at the view, or the first command. */
export function openRoom(
  host: Host,
  client: SearchClient,
  parts: ViewParts & { readonly documents: ResultsDocuments },
  store: DisposableStore,
): SearchRoom {
  return store.add(new SearchRoom(host, client, parts, store));
}

/** The text of results that are shown in an editor, by the address of the document. */
export interface ResultsDocuments {
  show(uri: vscode.Uri, text: string): void;
}

/** What each command on searches and their results does. */
export class SearchRoom implements vscode.Disposable {
  readonly #host: Host;
  readonly #client: SearchClient;
  readonly #documents: ResultsDocuments;
  readonly #history: SearchHistory;
  readonly #view: SearchView;
  readonly #places: OpenPlaces;
  readonly #found = new Map<number, ShownSearch>();
  #lastFound = 0;
  #running: AbortController | undefined;
  /** The place that Next and Previous start from. */
  #current: string | undefined;

  constructor(
    host: Host,
    client: SearchClient,
    parts: ViewParts & { readonly documents: ResultsDocuments },
    store: DisposableStore,
  ) {
    const { workspaceState } = host.context;
    this.#host = host;
    this.#client = client;
    this.#documents = parts.documents;
    this.#history = new SearchHistory(workspaceState);
    this.#view = store.add(new SearchView(parts, workspaceState.get(asTreeKey) === true));
    this.#places = store.add(new OpenPlaces());
    store.add(
      parts.view.onDidChangeSelection(({ selection: [node] }) => {
        const { search } = this.#view;
        if (node?.kind !== 'place' || !search) return;
        this.#current = node.id;
        this.#places.mark(search, node);
      }),
    );
    store.add(vscode.workspace.onDidChangeTextDocument(change => this.#follow(change)));
  }

  // --- the tree

  children(node?: SearchNode): SearchNode[] {
    return node ? node.children : this.#view.roots();
  }

  item(node: SearchNode): vscode.TreeItem {
    const { search } = this.#view;
    if (!search) return new vscode.TreeItem('');
    return itemOf(search, node);
  }

  // --- searching

  /** @param query asked for when it is no text. */
  async search(query?: unknown, folder?: unknown): Promise<void> {
    const within = folder instanceof vscode.Uri ? folder : undefined;
    if (typeof query === 'string' && query.trim() !== '')
      return this.#run({ query: query.trim(), folder: within });
    await this.#ask(within, '');
  }

  async searchSelection(): Promise<void> {
    const text = selectedText();
    if (text === '')
      throw new UserError(t('Select something to search for, or put the cursor on a word.'));
    await this.#run({ query: text });
  }

  /** @param folder of the explorer; asked for without one. */
  async searchInFolder(folder?: unknown, _all?: unknown, query?: unknown): Promise<void> {
    const within = folder instanceof vscode.Uri ? folder : await pickFolder();
    if (within) await this.search(query, within);
  }

  /**
   * A search that leaves the view as it is.
   * @throws {AbortError} when `signal` is aborted.
   */
  async find(
    request: SearchRequest,
    signal: AbortSignal,
    onStep: (text: string) => void,
  ): Promise<FoundPlaces> {
    const { query, folder } = request;
    const target = await openSearchTarget(folder);
    let last = '';
    const state = await tellingWaits(
      wait => onStep(waitText(wait, t)),
      () =>
        searchCode(this.#client, target, query, {
          signal,
          onChange: ({ trace }) => {
            const step = trace.turns.at(-1)?.steps.at(-1);
            const text = step ? stepText(step) : '';
            if (text !== last && text !== '') onStep(text);
            last = text;
          },
        }),
    );
    const search = new ShownSearch(request, target.roots, state);
    const id = ++this.#lastFound;
    this.#found.set(id, search);
    this.#found.delete(id - mostFound);
    const codes = await codeOf(search, search.files);
    const who = state.engine === 'model' ? t('found by the search model') : t('found locally');
    return {
      id,
      summary:
        search.files.length === 0
          ? nothingText(state.searched)
          : `${placesText(search.files)}, ${who} (${durationText(state.ms)})`,
      note: fallbackText(state),
      places: codes.map(({ file, place, path, code }) => ({
        uri: search.uriOf(file),
        path,
        startLine: place.startLine,
        endLine: place.endLine,
        title: place.title,
        code,
      })),
    };
  }

  /** @param id of {@link find}. */
  async showFound(id?: unknown): Promise<void> {
    const search = typeof id === 'number' ? this.#found.get(id) : undefined;
    if (!search)
      throw new UserError(t('These results are no longer known. Search again in the chat.'));
    this.#running?.abort();
    this.#places.clear();
    this.#current = undefined;
    this.#view.show(search);
    await this.#history.add(entryOf(search));
    await vscode.commands.executeCommand(`${ids.searchView}.focus`);
  }

  stop(): void {
    this.#running?.abort();
  }

  async searchAgain(): Promise<void> {
    const { search } = this.#view;
    if (!search) throw new UserError(t('There is no search to run again.'));
    await this.#run(search.request);
  }

  clear(): void {
    this.#running?.abort();
    this.#places.clear();
    this.#current = undefined;
    this.#view.show(undefined);
  }

  async showHistory(): Promise<void> {
    if (this.#history.entries.length === 0)
      throw new UserError(
        t('Nothing has been searched for in this workspace yet. Run "Splice: Search Code…" first.'),
        { title: t('Search Code…'), command: ids.command.search },
      );
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
    const before = this.#view.search;
    const search = new ShownSearch(request, target.roots, {
      query: request.query,
      isRunning: true,
      engine: undefined,
      files: [],
      trace: new Trace(),
      ms: 0,
      searched: undefined,
    });
    this.#view.show(search);
    this.#places.clear();
    this.#current = undefined;
    const focused = vscode.commands.executeCommand(`${ids.searchView}.focus`);
    const isShown = (): boolean => this.#view.search === search;
    const done = tellingWaits(
      wait => {
        search.wait = wait;
        if (isShown()) this.#view.refreshSoon([traceId]);
      },
      () =>
        searchCode(this.#client, target, request.query, {
          signal: controller.signal,
          onChange: state => {
            const isTraceOnly = state.files === search.state.files && state.isRunning;
            search.state = state;
            search.wait = undefined;
            if (isShown()) this.#view.refreshSoon(isTraceOnly ? [traceId] : undefined);
          },
        }),
    );
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    void vscode.window.withProgress({ location: { viewId: ids.searchView } }, () => settled);
    try {
      search.state = await done;
      await this.#history.add(entryOf(search));
    } catch (error) {
      const isStopped = isAbortError(error) || controller.signal.aborted;
      search.interruption = isStopped ? { kind: 'stopped' } : { kind: 'failed', error };
      if (!isStopped) this.#host.log.error('search', error);
      // Another search or Clear took over.
      if (isShown()) this.#keepLast(search, before);
    } finally {
      if (this.#running === controller) this.#running = undefined;
      if (isShown()) this.#view.refresh();
      // Later it would take the focus from what comes next.
      await focused;
    }
  }

  /** The places of the search before stay, when this one came to none. */
  #keepLast(search: ShownSearch, before: ShownSearch | undefined): void {
    if (search.files.length > 0 || !before || before.files.length === 0) return;
    const query = shorten(search.request.query, 60);
    this.#view.show(
      before,
      search.interruption?.kind === 'stopped'
        ? t('The search for "{0}" was stopped.', query)
        : t('The search for "{0}" failed.', query),
    );
  }

  async #showAgain(entry: HistoryEntry): Promise<void> {
    this.#running?.abort();
    const roots = entry.roots.map(root => vscode.Uri.parse(root));
    const request = requestOf(entry);
    const state = {
      query: entry.query,
      isRunning: false,
      engine: entry.engine,
      files: [],
      trace: new Trace(),
      ms: entry.ms,
      searched: undefined,
    };
    const search = new ShownSearch(request, roots, state, entry.at);
    const files = await Promise.all(
      entry.files.map(async file => {
        const text = await presentText(search.uriOf(file));
        return text === undefined ? undefined : describeFile(file, text, entry.query);
      }),
    );
    search.state = { ...state, files: files.filter(file => file !== undefined) };
    this.#places.clear();
    this.#view.show(search);
    await vscode.commands.executeCommand(`${ids.searchView}.focus`);
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

  /** @param text asked for when it is none. */
  async filter(text?: unknown): Promise<void> {
    const search = this.#results();
    const wanted =
      typeof text === 'string'
        ? text
        : await vscode.window.showInputBox({
            title: t('Filter Results'),
            prompt: t('Shows the places whose path or line holds all of these words.'),
            value: search.filter,
          });
    if (wanted === undefined) return;
    search.filter = wanted.trim();
    this.#view.refresh();
  }

  clearFilter(): void {
    const { search } = this.#view;
    if (search) search.filter = '';
    this.#view.refresh();
  }

  async sortByRerank(): Promise<void> {
    const search = this.#results();
    const reason = await localReason(this.#client);
    if (reason !== undefined)
      throw new UserError(
        t('The service sorts results only with an API key, and where it may be asked.'),
      );
    const codes = await codeOf(search, search.files);
    const documents = search.files.map(file => {
      const parts = codes.filter(part => part.file === file).map(({ code }) => code);
      return `${search.nameOf(file)}\n${parts.join('\n')}`.slice(0, rerankChars);
    });
    const { query } = search.request;
    const { results } = await withProgress(t('Sorting by rerank'), signal =>
      this.#client.rerank(
        { query, documents },
        { signal, sending: { purpose: 'rerank', secrets: 'withhold' } },
      ),
    );
    search.reorder(
      results.flatMap(({ index }) => {
        const file = search.files[index];
        return file ? [fileKey(file)] : [];
      }),
    );
    this.#view.sort = 'relevance';
  }

  // --- results elsewhere

  async copyAll(): Promise<void> {
    const search = this.#results();
    await vscode.env.clipboard.writeText(asText(named(search, this.#view.shownFiles)));
  }

  async copyAsMarkdown(): Promise<void> {
    await vscode.env.clipboard.writeText(await this.#markdown());
  }

  async openInEditor(): Promise<void> {
    const search = this.#results();
    const name = shorten(search.request.query, 40)
      .replaceAll(/[\\/:*?"<>|#]/g, ' ')
      .trim();
    const uri = vscode.Uri.from({
      scheme: ids.resultsScheme,
      path: `/${t('Results')} ${name}.md`,
    });
    this.#documents.show(uri, await this.#markdown());
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  async #markdown(): Promise<string> {
    const search = this.#results();
    const codes = await codeOf(search, this.#view.shownFiles);
    return asMarkdown(
      search.request.query,
      codes.map(({ path, place: span, code }) => ({ path, span, code })),
    );
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
    if (picked?.kind === 'place' || picked?.kind === 'file')
      await this.#places.open(search, picked, { viewColumn: vscode.ViewColumn.Beside });
  }

  async copy(node?: unknown, all?: unknown): Promise<void> {
    const search = this.#results();
    const lines = this.#picked(node, all).flatMap(picked => {
      if (picked.kind === 'place')
        return asText(named(search, [{ ...picked.file, spans: [picked.place] }]));
      if (picked.kind === 'file') return asText(named(search, [picked.file]));
      return [];
    });
    await vscode.env.clipboard.writeText(lines.join('\n'));
  }

  async copyPath(node?: unknown, all?: unknown): Promise<void> {
    const search = this.#results();
    const paths = this.#picked(node, all).flatMap(picked => {
      if (picked.kind === 'folder') return search.uriOf(picked).fsPath;
      return 'file' in picked ? search.uriOf(picked.file).fsPath : [];
    });
    await vscode.env.clipboard.writeText([...new Set(paths)].join('\n'));
  }

  dismiss(node?: unknown, all?: unknown): void {
    const search = this.#results();
    for (const picked of this.#picked(node, all)) dismissNode(search, picked);
    this.#view.refresh();
  }

  dispose(): void {
    this.#running?.abort();
  }

  /** What a menu names, else what is selected. */
  #picked(node: unknown, all: unknown): SearchNode[] {
    const nodes = Array.isArray(all) ? all : node === undefined ? this.#view.selection : [node];
    return nodes.filter(
      (item): item is SearchNode =>
        typeof item === 'object' && item !== null && 'kind' in item && 'children' in item,
    );
  }

  #results(): ShownSearch {
    const { search } = this.#view;
    if (!search || search.files.length === 0)
      throw new UserError(t('There are no search results. Run "Splice: Search Code…" first.'));
    return search;
  }

  #follow(change: vscode.TextDocumentChangeEvent): void {
    const { search } = this.#view;
    const moved = search?.follow(change);
    if (search && moved) this.#view.refreshSoon([`file ${fileKey(moved)}`]);
  }
}

function dismissNode(search: ShownSearch, node: SearchNode): void {
  if (node.kind === 'place') search.dismissed.add(node.place.key);
  else if (node.kind === 'file') search.dismissed.add(fileKey(node.file));
  else if (node.kind === 'folder') for (const child of node.children) dismissNode(search, child);
}

/** With the paths that people know the files by. */
function named(search: ShownSearch, files: readonly PlaceFile[]): PlaceFile[] {
  return files.map(file => ({ ...file, path: search.nameOf(file) }));
}

function entryOf(search: ShownSearch): HistoryEntry {
  const { request, roots, state, files } = search;
  return {
    query: request.query,
    ...(request.folder ? { folder: request.folder.toString() } : {}),
    engine: state.engine,
    at: Date.now(),
    ms: state.ms,
    roots: roots.map(root => root.toString()),
    files: withoutCode(files),
  };
}

function requestOf({ query, folder }: HistoryEntry): SearchRequest {
  return { query, folder: folder === undefined ? undefined : vscode.Uri.parse(folder) };
}

async function readChangeTimes(search: ShownSearch): Promise<void> {
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

async function pickFolder(): Promise<vscode.Uri | undefined> {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: t('Search in Folder'),
    openLabel: t('Search'),
    canSelectFiles: false,
    canSelectFolders: true,
    ...(first ? { defaultUri: first } : {}),
  });
  return picked?.[0];
}
