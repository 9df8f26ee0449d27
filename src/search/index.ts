import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { FoundPlaces } from '../contracts/chatResults';
import { type Handlers, registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import { createTextDocuments } from '../platform/documents/textDocuments';
import type { Host } from '../platform/host';
import type { SearchClient } from './codeSearch';
import type { contributions } from './contributions';
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
export function registerSearch(host: Host, client: SearchClient): SearchHandle {
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
  const load = lazy(async (): Promise<SearchController> => {
    const { createSearchController } = await import('./controller');
    return (openedController = createSearchController(
      host,
      client,
      { view, changed, documents },
      store,
    ));
  });

  store.add(
    vscode.lm.registerTool(searchTool, {
      async prepareInvocation({ input }) {
        return (await import('./searchTool')).prepareSearch(client, input);
      },
      async invoke({ input }, token) {
        return (await import('./searchTool')).invokeSearch(host, client, input, token);
      },
    }),
  );

  store.add(
    registerCommands(host, load, {
      'splice.search.start': (controller, ...args) => controller.search(...args),
      'splice.search.selection': controller => controller.searchSelection(),
      'splice.search.inFolder': (controller, ...args) => controller.searchInFolder(...args),
      'splice.search.showFound': (controller, ...args) => controller.showFound(...args),
      'splice.search.stop': controller => controller.stop(),
      'splice.search.runAgain': controller => controller.searchAgain(),
      'splice.search.clear': controller => controller.clear(),
      'splice.search.showAsTree': controller => controller.groupBy('tree'),
      'splice.search.showByRole': controller => controller.groupBy('role'),
      'splice.search.showAsList': controller => controller.groupBy('list'),
      'splice.search.sortByRelevance': controller => controller.sortBy('relevance'),
      'splice.search.sortByPath': controller => controller.sortBy('path'),
      'splice.search.sortByLastChange': controller => controller.sortBy('modified'),
      'splice.search.sortByRerank': controller => controller.sortByRerank(),
      'splice.search.filter': (controller, ...args) => controller.filter(...args),
      'splice.search.clearFilter': controller => controller.clearFilter(),
      'splice.search.showMore': (controller, ...args) => controller.showMore(...args),
      'splice.search.history': controller => controller.showHistory(),
      'splice.search.keep': controller => controller.results.keep(),
      'splice.search.copyAll': controller => controller.results.copyAll(),
      'splice.search.copyAsMarkdown': controller => controller.results.copyAsMarkdown(),
      'splice.search.openInEditor': controller => controller.results.openInEditor(),
      'splice.search.openInSearchEditor': controller => controller.results.openInSearchEditor(),
      'splice.search.nextResult': controller => controller.results.go(1),
      'splice.search.previousResult': controller => controller.results.go(-1),
      'splice.search.openToSide': (controller, node) => controller.results.openToSide(node),
      'splice.search.copy': (controller, ...args) => controller.results.copy(...args),
      'splice.search.copyPath': (controller, ...args) => controller.results.copyPath(...args),
      'splice.search.showCallers': (controller, node, _all, relation) =>
        controller.results.showRelated(relation === 'references' ? relation : 'callers', node),
      'splice.search.showTests': (controller, node) =>
        controller.results.showRelated('tests', node),
      'splice.search.dismiss': (controller, ...args) => controller.results.dismiss(...args),
    } satisfies Handlers<typeof contributions, SearchController>),
  );
  return {
    find: async (...args) => (await load()).find(...args),
    dispose: () => store.dispose(),
  };
}
