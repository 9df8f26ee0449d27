import type * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import { registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { createRowView } from '../platform/tree/lazyRowView';
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
    registerCommands(
      host,
      ['batches', 'fineTuning', 'jobs'],
      load,
      async () => (await import('./commands')).jobCommands,
    ),
  );
  return store;
}
