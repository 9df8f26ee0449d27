import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { FoundPlaces } from '../contracts/chatResults';
import type { OpenLedger } from '../platform/client/client';
import { registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import { createTextDocuments } from '../platform/documents/textDocuments';
import type { Host } from '../platform/host';
import type { SearchClient } from './codeSearch';
import type { SearchController } from './controller';
import { resultsScheme, searchTool, searchView } from './ids';
import type { SearchNode } from './view/nodes';
import type { SearchRequest } from './view/shownSearch';

/** What other features may ask of the search. */
export interface SearchHandle extends vscode.Disposable {
  /** @param onStep gets what the search model does now. */
  find(
    request: SearchRequest,
    signal: AbortSignal,
    onStep: (text: string) => void,
  ): Promise<FoundPlaces>;
}

/** Registers what VS Code has to know at activation; the rest loads on first use. */
export function registerSearch(host: Host, client: SearchClient, ledger: OpenLedger): SearchHandle {
  const store = new DisposableStore();
  const documents = store.add(
    createTextDocuments(resultsScheme, () =>
      vscode.l10n.t('Run "Splice: Search Code…" for results.'),
    ),
  );

  const changed = store.add(new vscode.EventEmitter<SearchNode | undefined>());
  let openedController: SearchController | undefined;
  const view = store.add(
    vscode.window.createTreeView<SearchNode>(searchView, {
      showCollapseAll: true,
      canSelectMany: true,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: async node => (await load()).children(node),
        getTreeItem: node => openedController?.item(node) ?? new vscode.TreeItem(''),
        getParent: node => node.parent,
      },
    }),
  );
  const prices = lazy(async () => (await import('./searchPrices')).searchPriceReader(ledger));
  const load = lazy(async (): Promise<SearchController> => {
    const { createSearchController } = await import('./controller');
    return (openedController = createSearchController(
      host,
      client,
      { view, changed, documents, prices: await prices() },
      store,
    ));
  });

  store.add(
    vscode.lm.registerTool(searchTool, {
      async prepareInvocation({ input }) {
        return (await import('./searchTool')).prepareSearch(client, await prices(), input);
      },
      async invoke({ input }, token) {
        return (await import('./searchTool')).invokeSearch(host, client, input, token);
      },
    }),
  );

  store.add(
    registerCommands(
      host,
      ['search'],
      load,
      async () => (await import('./commands')).searchCommands,
    ),
  );
  return {
    find: async (...args) => (await load()).find(...args),
    dispose: () => store.dispose(),
  };
}
