export const searchView = 'splice.search';
/** Scheme of search results in an editor. */
export const resultsScheme = 'splice-results';
export const searchTool = 'splice_search';

export const contextKeys = {
  hasSearch: 'splice:hasSearch',
  hasSearchResults: 'splice:hasSearchResults',
  isSearching: 'splice:isSearching',
  isSearchFiltered: 'splice:isSearchFiltered',
  hasResultSets: 'splice:hasResultSets',
  isSearchKept: 'splice:isSearchKept',
  searchGrouping: 'splice:searchGrouping',
} as const;
