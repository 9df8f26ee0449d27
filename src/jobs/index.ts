import type * as vscode from 'vscode';
import { lazy } from '../base/async';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import { createRowView } from '../host/lazyRowView';
import { ids } from '../manifest';
import type { JobsClient, JobsRoom, JobsShared } from './room';

/** Registers the two views and their commands; all else loads at the first use. */
export function register(host: Host, client: JobsClient, shared: JobsShared): vscode.Disposable {
  const store = new DisposableStore();
  const batches = store.add(
    createRowView(ids.batchesView, async row => (await load()).batches.children(row)),
  );
  const tuning = store.add(
    createRowView(ids.fineTuningView, async row => (await load()).tuning.children(row)),
  );
  const load = lazy(
    async (): Promise<JobsRoom> =>
      (await import('./room')).openRoom(host, client, { batches, tuning }, shared, store),
  );

  const { command } = ids;
  const commands: Record<string, (room: JobsRoom, row: unknown) => unknown> = {
    [command.refreshBatches]: ({ batches: list }) => list.refresh(),
    [command.moreBatches]: ({ batches: list }) => list.more(),
    [command.filterBatches]: ({ batches: list }, status) => list.filter(status),
    [command.clearBatchFilter]: ({ batches: list }) => list.clearFilter(),
    [command.refreshTuning]: ({ tuning: list }) => list.refresh(),
    [command.moreTuning]: ({ tuning: list }) => list.more(),
    [command.filterTuning]: ({ tuning: list }, status) => list.filter(status),
    [command.clearTuningFilter]: ({ tuning: list }) => list.clearFilter(),
    [command.useAsReflex]: (room, row) => room.useAsReflex(row, true),
    [command.dropReflex]: (room, row) => room.useAsReflex(row, false),
    [command.showJob]: (room, row) => room.show(row),
    [command.copyJobValue]: (room, row) => room.copy(row),
  };
  for (const [id, run] of Object.entries(commands))
    store.add(host.registerCommand(id, async (row?: unknown) => run(await load(), row)));
  return store;
}
