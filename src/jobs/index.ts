import type * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import { type Handlers, registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { createRowView } from '../platform/tree/lazyRowView';
import type { contributions } from './contributions';
import type { JobsClient, JobsController, JobsShared } from './controller';
import { batchesView, fineTuningView } from './ids';

/** Registers the two views and their commands; everything else is loaded on first use. */
export function registerJobs(
  host: Host,
  client: JobsClient,
  shared: JobsShared,
): vscode.Disposable {
  const store = new DisposableStore();
  const batches = store.add(
    createRowView(batchesView, async row => (await load()).batches.children(row)),
  );
  const tuning = store.add(
    createRowView(fineTuningView, async row => (await load()).tuning.children(row)),
  );
  const load = lazy(
    async (): Promise<JobsController> =>
      (await import('./controller')).createJobsController(
        host,
        client,
        { batches, tuning },
        shared,
        store,
      ),
  );

  store.add(
    registerCommands(host, load, {
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
    } satisfies Handlers<typeof contributions, JobsController>),
  );
  return store;
}
