import * as vscode from 'vscode';
import { lazy } from '../base/async';
import type { FoundPlaces } from '../host/chatResults';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import { ids } from '../manifest';
import type { SearchClient } from './codeSearch';
import type { SearchNode } from './nodes';
import type { SearchRoom } from './room';
import type { SearchRequest } from './shownSearch';

/** What a chat may ask of this room. */
export interface SearchHandle extends vscode.Disposable {
  /** @param onStep what the search model does now. */
  find(
    request: SearchRequest,
    signal: AbortSignal,
    onStep: (text: string) => void,
  ): Promise<FoundPlaces>;
}

/** Registers what VS Code must know from the start; all else loads at the first use. */
export function register(host: Host, client: SearchClient): SearchHandle {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  const documentChanged = store.add(new vscode.EventEmitter<vscode.Uri>());
  const documents = {
    show(uri: vscode.Uri, text: string): void {
      texts.set(uri.toString(), text);
      documentChanged.fire(uri);
    },
  };
  // A tab that VS Code restores asks before any search has run.
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(ids.resultsScheme, {
      onDidChange: documentChanged.event,
      provideTextDocumentContent: uri =>
        texts.get(uri.toString()) ?? vscode.l10n.t('Run "Splice: Search Code…" for results.'),
    }),
  );

  const changed = store.add(new vscode.EventEmitter<SearchNode | undefined>());
  let opened: SearchRoom | undefined;
  const view = store.add(
    vscode.window.createTreeView<SearchNode>(ids.searchView, {
      showCollapseAll: true,
      canSelectMany: true,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: async node => (await load()).children(node),
        getTreeItem: node => opened?.item(node) ?? new vscode.TreeItem(''),
        getParent: node => node.parent,
      },
    }),
  );
  const load = lazy(async (): Promise<SearchRoom> => {
    const { openRoom } = await import('./room');
    return (opened = openRoom(host, client, { view, changed, documents }, store));
  });

  store.add(
    vscode.lm.registerTool(ids.searchTool, {
      async prepareInvocation({ input }) {
        return (await import('./searchTool')).prepareSearch(client, input);
      },
      async invoke({ input }, token) {
        return (await import('./searchTool')).invokeSearch(host, client, input, token);
      },
    }),
  );

  const { command } = ids;
  const commands: Record<string, (room: SearchRoom, ...args: unknown[]) => unknown> = {
    [command.search]: (room, ...args) => room.search(...args),
    [command.searchSelection]: room => room.searchSelection(),
    [command.searchInFolder]: (room, ...args) => room.searchInFolder(...args),
    [command.showFound]: (room, ...args) => room.showFound(...args),
    [command.stopSearch]: room => room.stop(),
    [command.searchAgain]: room => room.searchAgain(),
    [command.clearSearch]: room => room.clear(),
    [command.showAsTree]: room => room.showAs(true),
    [command.showAsList]: room => room.showAs(false),
    [command.sortByRelevance]: room => room.sortBy('relevance'),
    [command.sortByPath]: room => room.sortBy('path'),
    [command.sortByLastChange]: room => room.sortBy('modified'),
    [command.sortByRerank]: room => room.sortByRerank(),
    [command.filterResults]: (room, ...args) => room.filter(...args),
    [command.clearFilter]: room => room.clearFilter(),
    [command.searchHistory]: room => room.showHistory(),
    [command.copyResults]: room => room.copyAll(),
    [command.copyAsMarkdown]: room => room.copyAsMarkdown(),
    [command.openResults]: room => room.openInEditor(),
    [command.nextResult]: room => room.go(1),
    [command.previousResult]: room => room.go(-1),
    [command.openResultToSide]: (room, ...args) => room.openToSide(...args),
    [command.copyResult]: (room, ...args) => room.copy(...args),
    [command.copyResultPath]: (room, ...args) => room.copyPath(...args),
    [command.dismissResult]: (room, ...args) => room.dismiss(...args),
  };
  for (const [id, run] of Object.entries(commands))
    store.add(host.registerCommand(id, async (...args: unknown[]) => run(await load(), ...args)));
  return {
    find: async (...args) => (await load()).find(...args),
    dispose: () => store.dispose(),
  };
}
