import type * as vscode from 'vscode';
import { ids } from '../manifest';
import { DisposableStore } from './disposables';
import type { Host } from './host';

const dialogs = async () => import('./accountDialogs');

/** Registers the commands around the service address and the API key. */
export function register(host: Host): vscode.Disposable {
  const store = new DisposableStore();
  const { command } = ids;
  store.add(host.registerCommand(command.setApiKey, async () => (await dialogs()).setApiKey(host)));
  store.add(
    host.registerCommand(command.removeApiKey, async () => (await dialogs()).removeApiKey(host)),
  );
  store.add(
    host.registerCommand(command.setServiceUrl, async () => (await dialogs()).setServiceUrl(host)),
  );
  store.add(host.registerCommand(command.showLog, () => host.log.show()));
  return store;
}
