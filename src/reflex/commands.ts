import type { Handlers } from '../platform/commands/registerCommands';
import type { contributions } from './contributions';
import type { ReflexController } from './controller';

/** What the commands of the classifiers and the router do. */
export const reflexCommands = {
  'splice.reflex.classify': controller => controller.classify(),
  'splice.reflex.choose': controller => controller.choose(),
  'splice.reflex.indicator': controller => controller.setIndicator(),
  'splice.reflex.actions': controller => controller.showActions(),
  'splice.reflex.pause': controller => controller.togglePause(),
  'splice.reflex.whatIsSent': controller => controller.showWhatIsSent(),
  'splice.reflex.batch': (controller, file) => controller.batches.start(file),
  'splice.reflex.batchRuns': (controller, run) => controller.batches.show(run),
  'splice.reflex.traces': controller => controller.showTraces(),
  'splice.reflex.sendAttachment': (controller, held) => controller.sendAttachment(held),
  'splice.router.classify': controller => controller.router.classify(),
  'splice.router.pickModel': controller => controller.router.pick(),
} satisfies Handlers<typeof contributions, ReflexController>;
