import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { OpenLedger } from '../platform/client/client';
import type { SettingId } from '../platform/commands/contribute';
import { type Handlers, registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import type { contributions } from './contributions';

/** Registers the commands; everything else loads on first use. */
export function registerCosts(host: Host, ledger: OpenLedger): vscode.Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const [{ createCostsController }, { files }] = await Promise.all([
      import('./controller'),
      ledger(),
    ]);
    return store.add(createCostsController(host, files));
  });
  const setting: SettingId = 'splice.costs.monthlyBudgetUsd';
  store.add(
    registerCommands(host, () => undefined, {
      'splice.costs.show': async () => (await load()).show(),
      'splice.costs.export': async () => (await load()).export(),
      'splice.costs.changeBudget': () =>
        vscode.commands.executeCommand('workbench.action.openSettings', setting),
    } satisfies Handlers<typeof contributions>),
  );
  return store;
}
