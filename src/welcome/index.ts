import * as vscode from 'vscode';
import { type Handlers, registerCommandHandlers } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { offeredStartKey } from '../platform/storageKeys';
import type { contributions } from './contributions';
import type { EditOpener } from './trySample';

/** Registers the commands of the walkthrough, and opens it once after the installation. */
export function registerWelcome(host: Host, opener: EditOpener): vscode.Disposable {
  const store = new DisposableStore();
  const { extensionMode, globalState } = host.context;
  if (extensionMode === vscode.ExtensionMode.Production && !globalState.get(offeredStartKey)) {
    host.quietly(async () => (await import('./showStart')).offerStart(host))();
  }
  store.add(
    registerCommandHandlers(host, {
      'splice.welcome.open': async () => (await import('./showStart')).openWalkthrough(host),
      'splice.welcome.openSample': async () => (await import('./trySample')).openSample(host),
      'splice.welcome.applySample': async () =>
        (await import('./trySample')).applySample(host, opener),
    } satisfies Handlers<typeof contributions>),
  );
  return store;
}
