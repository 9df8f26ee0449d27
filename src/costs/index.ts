import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { OpenLedger } from '../platform/client/client';
import type { SettingId } from '../platform/commands/contribute';
import { type Handlers, registerCommands, runCommand } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
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
  store.add(
    registerCommands(host, () => undefined, {
      'splice.costs.show': async () => (await load()).show(),
      'splice.costs.export': async () => (await load()).export(),
      'splice.costs.changeBudget': () =>
        vscode.commands.executeCommand('workbench.action.openSettings', 'splice.costs'),
      'splice.costs.ignoreBudget': async () => {
        const { billing } = await ledger();
        const midnight = new Date();
        midnight.setHours(24, 0, 0, 0);
        billing.allowUntil(midnight.getTime());
        const change = vscode.l10n.t('Change Budget');
        const picked = await vscode.window.showInformationMessage(
          vscode.l10n.t('Calls go on until midnight, also where a budget is spent.'),
          change,
        );
        if (picked === change) await runCommand('splice.costs.changeBudget');
      },
    } satisfies Handlers<typeof contributions>),
  );
  followSetting(host, ledger, store);
  return store;
}

/** Loads the status item while the setting is on. */
function followSetting(host: Host, ledger: OpenLedger, store: DisposableStore): void {
  let shown: Promise<vscode.Disposable> | undefined;
  const update = (): void => {
    if (settings.showsCosts === (shown !== undefined)) return;
    if (shown) {
      void shown.then(item => item.dispose());
      shown = undefined;
    } else {
      shown = Promise.all([import('./costStatus'), ledger()]).then(
        ([{ CostStatus }, { files }]) => new CostStatus(host, files),
      );
      shown.catch((error: unknown) => host.log.error('costs', error));
    }
  };
  update();
  const setting = 'splice.costs.showInStatusBar' satisfies SettingId;
  store.add(
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration(setting)) update();
    }),
  );
  store.add({ dispose: () => void shown?.then(item => item.dispose()) });
}
