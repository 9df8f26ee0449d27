import type * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { ReadyEndpoints } from '../contracts/readyEndpoints';
import type { OpenLedger } from '../platform/client/client';
import { registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { JsonDocuments } from '../platform/documents/textDocuments';
import type { Host } from '../platform/host';
import { hasWorkKey } from '../platform/storageKeys';
import { createRowView } from '../platform/tree/lazyRowView';
import type { EndpointsClient } from './actions';
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
    registerCommands(
      host,
      ['endpoints'],
      load,
      async () => (await import('./commands')).endpointCommands,
    ),
  );
  return store;
}
