import { args, choice, contribute, editorMenu, engine, inputs, inView, keys, menu, section, textInput, tool, type UriArgument, view, wholeNumber } from '../platform/commands/contribute';
import { contextKeys, searchTool, searchView } from './ids';
import type { ResultGrouping, SearchNode } from './view/nodes';

const { isSearching, hasSearch, searchGrouping, hasSearchResults, isSearchFiltered, hasResultSets, isSearchKept } = contextKeys;
const canKeep = `${hasSearchResults} && !${isSearchKept}`;
const hasAnyResults = `(${hasSearchResults} || ${hasResultSets})`;
const hasAnything = `(${hasSearch} || ${hasResultSets})`;
const canFilter = `${hasSearchResults} || ${isSearchFiltered}`;
const isGrouped = (by: ResultGrouping) => `${searchGrouping} == ${by}`;
/** Items of the search view have their kind as `contextValue`. */
const ofKind = (...kinds: readonly SearchNode['kind'][]) => `viewItem =~ /^(${kinds.join('|')})$/`;

const nodes = args<[node?: SearchNode, all?: readonly SearchNode[]]>();

export const contributions = contribute({
  commands: {
    'splice.search.start': ['Search Code…', 'search', true, args<[query?: string, folder?: UriArgument]>()],
    'splice.search.selection': ['Search for Selection', '', 'editorIsOpen'],
    'splice.search.inFolder': ['Search in Folder…', '', 'workspaceFolderCount != 0', args<[folder?: UriArgument, all?: readonly UriArgument[], query?: string]>()],
    'splice.search.stop': ['Stop Search', 'debug-stop', isSearching],
    'splice.search.runAgain': ['Run Search Again', 'refresh', hasSearch],
    'splice.search.clear': ['Clear Search Results', 'clear-all', hasSearch],
    'splice.search.showAsTree': ['Show Results as Tree', 'list-tree', `${hasAnything} && !(${isGrouped('tree')})`],
    'splice.search.showByRole': ['Show Results by Role', 'group-by-ref-type', `${hasAnything} && !(${isGrouped('role')})`],
    'splice.search.showAsList': ['Show Results as List', 'list-flat', `${hasAnything} && !(${isGrouped('list')})`],
    'splice.search.keep': ['Keep Results', 'pin', canKeep],
    'splice.search.sortByRelevance': ['Sort Results by Relevance', '', hasSearchResults],
    'splice.search.sortByPath': ['Sort Results by Path', '', hasSearchResults],
    'splice.search.sortByLastChange': ['Sort Results by Last Change', '', hasSearchResults],
    'splice.search.sortByRerank': ['Sort Results by Rerank (Deprecated by the Service)', '', hasSearchResults],
    'splice.search.filter': ['Filter Results…', 'filter', canFilter, args<[text?: string]>()],
    'splice.search.clearFilter': ['Clear Results Filter', 'filter-filled', isSearchFiltered],
    'splice.search.showMore': ['Show More Results', '', hasSearchResults, args<[search?: number]>()],
    'splice.search.history': ['Show Search History…', 'history', 'workspaceFolderCount != 0'],
    'splice.search.copyAll': ['Copy All Results', '', hasSearchResults],
    'splice.search.copyAsMarkdown': ['Copy Results as Markdown Context', '', hasSearchResults],
    'splice.search.openInEditor': ['Open Results in Editor', 'go-to-file', hasSearchResults],
    'splice.search.openInSearchEditor': ['Open Results as Search Editor', '', hasSearchResults],
    'splice.search.nextResult': ['Go to Next Result', 'arrow-down', hasAnyResults],
    'splice.search.previousResult': ['Go to Previous Result', 'arrow-up', hasAnyResults],
    'splice.search.openToSide': ['Open to the Side', 'split-horizontal', hasAnyResults, nodes],
    'splice.search.copy': ['Copy', 'copy', hasAnyResults, nodes],
    'splice.search.copyPath': ['Copy Path', '', hasAnyResults, nodes],
    'splice.search.showCallers': ['Show Callers', '', hasAnyResults, args<[node?: SearchNode, all?: readonly SearchNode[], relation?: 'references']>()],
    'splice.search.showTests': ['Show Tests', '', hasAnyResults, nodes],
    'splice.search.dismiss': ['Dismiss', 'close', hasAnyResults, nodes],
    'splice.search.deleteIndex': ['Delete Search Index', '', 'workspaceFolderCount != 0'],
    'splice.search.showFound': ['Show Results of a Chat Search', '', false, args<[id: number]>()],
  },
  menus: [
    ...menu(editorMenu, 'editorHasSelection', [['splice.search.selection', '2_read@1']]),
    ...menu('explorer/context', 'explorerResourceIsFolder', [['splice.search.inFolder', '4_search@9']]),
    ...menu('view/title', inView(searchView), [
      ['splice.search.start', 'navigation@1'],
      ['splice.search.runAgain', 'navigation@2', `${hasSearch} && !${isSearching}`],
      ['splice.search.stop', 'navigation@2', isSearching],
      ['splice.search.filter', 'navigation@3', `${hasSearchResults} && !${isSearchFiltered}`],
      ['splice.search.clearFilter', 'navigation@3', isSearchFiltered],
      ['splice.search.showAsTree', 'navigation@4', `${hasAnyResults} && ${isGrouped('list')}`],
      ['splice.search.showByRole', 'navigation@4', `${hasAnyResults} && ${isGrouped('tree')}`],
      ['splice.search.showAsList', 'navigation@4', `${hasAnyResults} && ${isGrouped('role')}`],
      ['splice.search.keep', 'navigation@5', canKeep],
      ['splice.search.clear', 'navigation@6', hasSearch],
      ['splice.search.history', '1_search@1'],
      ['splice.search.inFolder', '1_search@2', 'workspaceFolderCount != 0'],
      ['splice.search.sortByRelevance', '2_sort@1', hasSearchResults],
      ['splice.search.sortByPath', '2_sort@2', hasSearchResults],
      ['splice.search.sortByLastChange', '2_sort@3', hasSearchResults],
      ['splice.search.sortByRerank', '2_sort@4', hasSearchResults],
      ['splice.search.copyAll', '3_copy@1', hasSearchResults],
      ['splice.search.copyAsMarkdown', '3_copy@2', hasSearchResults],
      ['splice.search.openInEditor', '3_copy@3', hasSearchResults],
      ['splice.search.openInSearchEditor', '3_copy@4', hasSearchResults],
    ]),
    ...menu('view/item/context', inView(searchView), [
      ['splice.search.openToSide', 'inline@1 1_open@1', ofKind('place', 'file')],
      ['splice.search.dismiss', 'inline@2 3_remove@1', ofKind('place', 'file', 'folder', 'role', 'set')],
      ['splice.search.runAgain', 'inline@1', ofKind('query')],
      ['splice.search.showCallers', '1_open@2', ofKind('place')],
      ['splice.search.showTests', '1_open@3', ofKind('place')],
      ['splice.search.copy', '2_copy@1', ofKind('place', 'file', 'folder', 'role', 'set')],
      ['splice.search.copyPath', '2_copy@2', ofKind('place', 'file', 'folder', 'role', 'set')],
    ]),
  ],
  keybindings: [
    ...keys('!terminalFocus', [['splice.search.start', 'ctrl+alt+g', 'cmd+alt+g']]),
    // The search of VS Code and its peek of references keep the keys while they are open.
    ...keys(`${hasAnyResults} && !searchViewletFocus && !inSearchEditor && !referenceSearchVisible`, [
      ['splice.search.nextResult', 'f4'],
      ['splice.search.previousResult', 'shift+f4'],
    ]),
    ...keys(`focusedView == ${searchView} && ${isSearching} && !inputFocus`, [['splice.search.stop', 'escape']]),
    ...keys(`focusedView == ${searchView} && ${hasAnyResults} && !inputFocus`, [
      ['splice.search.dismiss', 'delete', 'cmd+backspace'],
      ['splice.search.copy', 'ctrl+c', 'cmd+c'],
      ['splice.search.copyPath', 'ctrl+alt+c', 'cmd+alt+c'],
      ['splice.search.openToSide', 'ctrl+enter', 'cmd+enter'],
    ]),
  ],
  settings: section('Search', {
    'splice.search.engine': engine('Which engine searches the code. A workspace can only set this to `local`.', {
      auto: 'The local search, and the search model in addition if an API key is set.',
      local: 'The local search only. Nothing is sent.',
    }),
    'splice.search.maxResults': wholeNumber('The maximum number of files that a search shows. The files of the search model are limited in the same way, and shown with the local ones.', 20, {
      scope: 'window',
      minimum: 1,
      maximum: 100,
    }),
    'splice.search.index': choice('Whether an index makes searches of a folder faster. It is built in the background after a search, kept on this computer outside of the folder, and never sent.', {
      auto: 'For folders of 3,000 files or more.',
      always: 'For every folder.',
      off: 'Never. Each search reads the files.',
    }),
  }),
  views: view(
    searchView,
    'Search',
    {
      'workspaceFolderCount != 0':
        'Find code by what it does, in your own words.\n[Search Code…](command:splice.search.start)\nIt works on this computer, without an account. With a [service](command:splice.service.connect), a search model also searches the workspace and finds more.',
      'workspaceFolderCount == 0': 'Open a folder to search its code by what it does, in your own words.\n[Open Folder](command:vscode.openFolder)',
    },
    { isOpen: true },
  ),
  tools: tool(searchTool, {
    icon: 'search',
    displayName: 'Search Code',
    description: 'Finds the code that answers a question in plain words.',
    modelDescription:
      "Finds the places in the workspace's code that answer a question, and returns their paths, line ranges and code. Use it to find where something is implemented, configured or used, when the exact names are not known. Ask one specific question in plain words, with any names that are known. For an exact string, a plain text search is faster.",
    tags: ['search', 'codebase', 'splice'],
    inputSchema: inputs(['query'], {
      query: textInput('What to find, in plain words, for example: where are failed uploads retried'),
      maxFiles: { type: 'integer', minimum: 1, maximum: 50, description: 'How many files to return at the most, likely or not. Leave it out for up to 8 likely ones.' },
      folder: textInput('A folder of the workspace to search in alone, as a relative path. Leave it out to search everything.'),
    }),
  }),
});
