import type * as vscode from 'vscode';
import { lazy } from '../base/async';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import type { JsonDocuments } from '../host/jsonDocuments';
import type { ReadyEndpoints } from '../host/readyEndpoints';
import { createRowView } from '../host/lazyRowView';
import { ids } from '../manifest';
import { hasWorkKey } from '../host/storageKeys';
import type { EndpointsRoom } from './room';
import type { EndpointsClient } from './uses';

/** After the start of the window, when everything else has had its turn. */
const lateMs = 5000;

/** Registers what VS Code must know from the start; all else loads at the first use. */
export function register(
  host: Host,
  client: EndpointsClient,
  { documents, ready }: { readonly documents: JsonDocuments; readonly ready: ReadyEndpoints },
): vscode.Disposable {
  const store = new DisposableStore();
  const parts = store.add(
    createRowView(ids.endpointsView, async row => (await load()).children(row)),
  );
  const load = lazy(
    async (): Promise<EndpointsRoom> =>
      (await import('./room')).openRoom(host, client, parts, { documents, ready }, store),
  );
  // Something was starting when a window was last open: the user may wait for it.
  if (host.context.globalState.get(hasWorkKey) === true) {
    const timer = setTimeout(host.quietly(load), lateMs);
    store.add({ dispose: () => clearTimeout(timer) });
  }

  const { command } = ids;
  const commands: Record<string, (room: EndpointsRoom, row: unknown) => unknown> = {
    [command.refreshEndpoints]: room => room.refresh(),
    [command.useInChat]: ({ uses }, row) => uses.useInChat(row),
    [command.testEndpoint]: ({ uses }, row) => uses.test(row),
    [command.copyConnection]: ({ uses }, row) => uses.copyConnection(row),
    [command.copyEndpointUrl]: ({ uses }, row) => uses.copyUrl(row),
    [command.copyEndpointId]: ({ uses }, row) => uses.copyId(row),
    [command.copyEndpointValue]: (room, row) => room.copyValue(row),
    [command.showEndpointStatus]: ({ uses }, row) => uses.showStatus(row),
    [command.watchEndpoint]: (room, row) => room.watch(row, true),
    [command.unwatchEndpoint]: (room, row) => room.watch(row, false),
    [command.dismissEndpoint]: (room, row) => room.dismiss(row),
    [command.moreEvents]: (room, row) => room.moreEvents(row),
    [command.readEndpointAgain]: (room, row) => room.readAgain(row),
    [command.openDashboard]: room => room.openDashboard(),
    [command.cancelEndpoint]: (room, row) => room.cancel(row),
  };
  for (const [id, run] of Object.entries(commands))
    store.add(host.registerCommand(id, async (row?: unknown) => run(await load(), row)));
  return store;
}
