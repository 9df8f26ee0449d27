import type { Handlers } from '../../platform/commands/registerCommands';
import type { contributions } from './contributions';
import type { ExternalCommands } from './externalCommands';

/** What the commands for changes of other programs do. */
export const externalHandlers = {
  'splice.external.openPage': (commands, ...args) => commands.openPage(...args),
  'splice.external.keepChange': (commands, ...args) => commands.keepChange(...args),
  'splice.external.undoChange': (commands, ...args) => commands.undoChange(...args),
  'splice.external.keepFile': (commands, ...args) => commands.keepFile(...args),
  'splice.external.undoFile': (commands, ...args) => commands.undoFile(...args),
  'splice.external.keepAll': (commands, ...args) => commands.keepAll(...args),
  'splice.external.undoAll': (commands, ...args) => commands.undoAll(...args),
  'splice.external.keepGenerated': commands => commands.keepGenerated(),
  'splice.external.undoDecision': commands => commands.undoDecision(),
  'splice.external.nextChange': commands => commands.go(1),
  'splice.external.previousChange': commands => commands.go(-1),
  'splice.external.openFile': (commands, ...args) => commands.openFile(...args),
  'splice.external.compare': (commands, ...args) => commands.compare(...args),
  'splice.external.showConflict': (commands, ...args) => commands.showConflict(...args),
  'splice.external.undoQueued': (commands, ...args) => commands.undoQueued(...args),
  'splice.external.cancelQueued': (commands, ...args) => commands.cancelQueued(...args),
  'splice.external.messageAgent': commands => commands.messageAgent(),
  'splice.external.takeBackMessage': commands => commands.takeBackMessage(),
  'splice.external.connectAgents': commands => commands.hooks.connect(),
  'splice.external.disconnectAgents': commands => commands.hooks.disconnect(),
  'splice.external.groupBy': commands => commands.groupBy(),
  'splice.external.filter': commands => commands.filter(),
  'splice.external.forget': commands => commands.forget(),
  'splice.external.reviewFromNow': commands => commands.reviewFromNow(),
} satisfies Handlers<typeof contributions, ExternalCommands>;
