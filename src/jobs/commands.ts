import type { Handlers } from '../platform/commands/registerCommands';
import type { contributions } from './contributions';
import type { JobsController } from './controller';

/** What the commands of batches and fine-tuning jobs do. */
export const jobCommands = {
  'splice.batches.refresh': ({ batches: list }) => list.refresh(),
  'splice.batches.more': ({ batches: list }) => list.more(),
  'splice.batches.filter': ({ batches: list }, status) => list.filter(status),
  'splice.batches.clearFilter': ({ batches: list }) => list.clearFilter(),
  'splice.fineTuning.refresh': ({ tuning: list }) => list.refresh(),
  'splice.fineTuning.more': ({ tuning: list }) => list.more(),
  'splice.fineTuning.filter': ({ tuning: list }, status) => list.filter(status),
  'splice.fineTuning.clearFilter': ({ tuning: list }) => list.clearFilter(),
  'splice.fineTuning.useAsReflex': (controller, row) => controller.useAsReflex(row, true),
  'splice.fineTuning.dropReflex': (controller, row) => controller.useAsReflex(row, false),
  'splice.jobs.show': (controller, row) => controller.show(row),
  'splice.jobs.copyValue': (controller, row) => controller.copy(row),
} satisfies Handlers<typeof contributions, JobsController>;
