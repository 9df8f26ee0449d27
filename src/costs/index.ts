import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import { answerCostText, type LastAnswer } from '../contracts/lastAnswer';
import type { OpenLedger } from '../platform/client/client';
import {
  type Handlers,
  registerCommandHandlers,
  runCommand,
} from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { showWhileOn } from '../platform/showWhileOn';
import type { contributions } from './contributions';
import { midnightAfter } from './midnight';

/** Registers the commands; everything else loads on first use. */
export function registerCosts(host: Host, ledger: OpenLedger, last: LastAnswer): vscode.Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const [{ createCostsController }, { files }] = await Promise.all([
      import('./controller'),
      ledger(),
    ]);
    return store.add(createCostsController(host, files));
  });
  store.add(
    registerCommandHandlers(host, {
      'splice.costs.show': async () => (await load()).show(),
      'splice.costs.export': async () => (await load()).export(),
      'splice.costs.lastAnswer': async () => {
        const text = last.cost ? answerCostText(last.cost, vscode.l10n.t) : '';
        const showCosts = vscode.l10n.t('Show Costs');
        const picked = await vscode.window.showInformationMessage(
          text === ''
            ? vscode.l10n.t('No model of Splice has answered in the chat of this window yet.')
            : vscode.l10n.t('The last answer in the chat took {0}.', text),
          showCosts,
        );
        if (picked === showCosts) await runCommand('splice.costs.show');
      },
      'splice.costs.changeBudget': () =>
        vscode.commands.executeCommand('workbench.action.openSettings', 'splice.costs'),
      'splice.costs.ignoreBudget': async () => {
        const { billing } = await ledger();
        billing.allowUntil(midnightAfter(Date.now()));
        const change = vscode.l10n.t('Change Budget');
        const picked = await vscode.window.showInformationMessage(
          vscode.l10n.t('Calls go on until midnight, also where a budget is spent.'),
          change,
        );
        if (picked === change) await runCommand('splice.costs.changeBudget');
      },
    } satisfies Handlers<typeof contributions>),
  );
  store.add(
    showWhileOn(
      host,
      { setting: 'splice.costs.showInStatusBar', isOn: () => settings.showsCosts },
      async () => {
        const [{ CostStatus }, { files }] = await Promise.all([import('./costStatus'), ledger()]);
        return new CostStatus(host, files, last);
      },
    ),
  );
  return store;
}
