import type { Handlers } from '../platform/commands/registerCommands';
import type { contributions } from './contributions';
import type { SearchController } from './controller';

/** What the commands of the search do. */
export const searchCommands = {
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
  'splice.search.showTests': (controller, node) => controller.results.showRelated('tests', node),
  'splice.search.deleteIndex': controller => controller.deleteIndex(),
  'splice.search.dismiss': (controller, ...args) => controller.results.dismiss(...args),
} satisfies Handlers<typeof contributions, SearchController>;
