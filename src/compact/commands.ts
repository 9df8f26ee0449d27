import type { Handlers } from '../platform/commands/registerCommands';
import type { contributions } from './contributions';
import type { CompactController } from './controller';
import type { HistorySearcher } from './historySearch/historySearcher';

/** What the commands of the compaction do. @param loadSearcher gives the search over histories. */
export const compactCommands = (loadSearcher: () => Promise<HistorySearcher>) =>
  ({
    'splice.compact.start': (controller, ...args) => controller.compact(...args),
    'splice.compact.options': controller => controller.changeOptions(),
    'splice.compact.restore': (controller, ...args) => controller.lines.restore(...args),
    'splice.compact.leaveOut': (controller, ...args) => controller.lines.leaveOut(...args),
    'splice.compact.undo': controller => controller.lines.undo(),
    'splice.compact.nextRun': controller => controller.lines.go(1),
    'splice.compact.previousRun': controller => controller.lines.go(-1),
    'splice.compact.nextPage': controller => controller.lines.turnPage(1),
    'splice.compact.previousPage': controller => controller.lines.turnPage(-1),
    'splice.compact.copy': (controller, ...args) => controller.copy(...args),
    'splice.compact.showReceipt': (controller, ...args) => controller.showReceipt(...args),
    'splice.compact.saveAs': controller => controller.saveAs(),
    'splice.compact.writeBack': controller => controller.writeBack(),
    'splice.compact.continueIn': controller => controller.continueIn(),
    'splice.compact.removeFromFile': (controller, ...args) =>
      controller.removeFromFile(async () => (await loadSearcher()).deleteIndex(), ...args),
    'splice.compact.undoWriteBack': controller => controller.undoWriteBack(),
    'splice.compact.searchHistories': async () => (await loadSearcher()).search(),
    'splice.compact.deleteHistoryIndex': async () => (await loadSearcher()).deleteIndex(),
  }) satisfies Handlers<typeof contributions, CompactController>;
