import * as vscode from 'vscode';
import { lazy } from '../base/async';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import type { OpenLedger } from '../host/serviceClient';
import { ids } from '../manifest';

/** Registers the commands; all else loads at the first use. */
export function register(host: Host, ledger: OpenLedger): vscode.Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const [{ openRoom }, { files }] = await Promise.all([import('./room'), ledger()]);
    return store.add(openRoom(host, files));
  });
  store.add(host.registerCommand(ids.command.showCosts, async () => (await load()).show()));
  store.add(host.registerCommand(ids.command.exportCosts, async () => (await load()).export()));
  store.add(
    host.registerCommand(ids.command.changeBudget, () =>
      vscode.commands.executeCommand('workbench.action.openSettings', ids.setting.monthlyBudget),
    ),
  );
  return store;
}
