import type * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { ReadyEndpoints } from '../contracts/readyEndpoints';
import type { OpenLedger } from '../platform/client/client';
import { type Handlers, registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { JsonDocuments } from '../platform/documents/textDocuments';
import type { Host } from '../platform/host';
import { hasWorkKey } from '../platform/storageKeys';
import { createRowView } from '../platform/tree/lazyRowView';
import type { EndpointsClient } from './actions';
import type { contributions } from './contributions';
import type { EndpointsController } from './controller';
import { endpointsView } from './ids';

/** Delay after the window has started, in milliseconds, so that other extensions start first. */
const lateMs = 5000;

/** Registers what VS Code needs at startup; everything else is loaded on first use. */
export function registerEndpoints(
  host: Host,
  client: EndpointsClient,
  shared: {
    readonly documents: JsonDocuments;
    readonly ready: ReadyEndpoints;
    readonly ledger: OpenLedger;
  },
): vscode.Disposable {
  const store = new DisposableStore();
  const parts = store.add(createRowView(endpointsView, async row => (await load()).children(row)));
  const load = lazy(
    async (): Promise<EndpointsController> =>
      (await import('./controller')).createEndpointsController(host, client, parts, shared, store),
  );
  // An endpoint was starting when a window was last open, so the user may be waiting for it.
  if (host.context.globalState.get(hasWorkKey) === true) {
    const timer = setTimeout(host.quietly(load), lateMs);
    store.add({ dispose: () => clearTimeout(timer) });
  }

  store.add(
    registerCommands(host, load, {
      'splice.endpoints.refresh': controller => controller.refresh(),
      'splice.endpoints.show': (controller, row) => controller.showPage(row),
      'splice.endpoints.useInChat': ({ actions }, row) => actions.useInChat(row),
      'splice.endpoints.test': ({ actions }, row) => actions.test(row),
      'splice.endpoints.copyConnection': ({ actions }, row) => actions.copyConnection(row),
      'splice.endpoints.copyUrl': ({ actions }, row) => actions.copyUrl(row),
      'splice.endpoints.copyId': ({ actions }, row) => actions.copyId(row),
      'splice.endpoints.copyValue': (controller, row) => controller.copyValue(row),
      'splice.endpoints.showStatus': ({ actions }, row) => actions.showStatus(row),
      'splice.endpoints.watch': (controller, row) => controller.watch(row, true),
      'splice.endpoints.unwatch': (controller, row) => controller.watch(row, false),
      'splice.endpoints.dismiss': (controller, row) => controller.dismiss(row),
      'splice.endpoints.moreEvents': (controller, row) => controller.moreEvents(row),
      'splice.endpoints.readAgain': (controller, row) => controller.readAgain(row),
      'splice.endpoints.openDashboard': controller => controller.openDashboard(),
      'splice.endpoints.cancel': (controller, row) => controller.cancel(row),
    } satisfies Handlers<typeof contributions, EndpointsController>),
  );
  return store;
}
