import * as vscode from 'vscode';
import { ids } from '../manifest';
import type { BudgetWarning } from '../service/billing/budget';
import { LedgerBilling } from '../service/billing/ledgerBilling';
import { PriceBook, formatUsd } from '../service/billing/pricing';
import { systemClock } from '../service/time';
import { LedgerFiles, type LedgerProblem } from './ledgerFiles';
import type { Log } from './log';
import { settings } from './settings';

export interface HostLedger extends vscode.Disposable {
  readonly billing: LedgerBilling;
  readonly files: LedgerFiles;
  readonly prices: PriceBook;
}

/** What it needs of the host. */
export interface LedgerHost {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'subscriptions'>;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** Touches no file: the first one is written after the first call. */
export function openLedger(host: LedgerHost): HostLedger {
  const prices = new PriceBook();
  const log = (line: string): void => host.log.info(line);
  const { globalStorageUri: storage } = host.context;
  const folder = storage.scheme === 'file' ? storage.fsPath : undefined;
  if (folder === undefined)
    log(
      `costs: the storage (${storage.scheme}) takes no appended lines; kept until the window closes`,
    );
  const quietly = (task: Promise<void>): void =>
    void task.then(undefined, (error: unknown) => host.log.error('costs', error));
  const files = new LedgerFiles({
    folder,
    log,
    onProblem: problem => quietly(tell(problem, files)),
  });
  const billing = new LedgerBilling({
    store: files,
    clock: systemClock,
    modelPrice: id => prices.modelPrice(id),
    budget: () => settings.budget,
    onWarning: warning => quietly(warn(warning)),
    log,
  });
  return { billing, files, prices, dispose: () => files.dispose() };
}

async function warn({ percent, budget, spentUsd }: BudgetWarning): Promise<void> {
  const { t } = vscode.l10n;
  const limit = formatUsd(budget.usd);
  const spent = formatUsd(spentUsd);
  let text = t(
    '{0} of the monthly budget of {1} is used: {2} so far.',
    `${percent}%`,
    limit,
    spent,
  );
  if (percent === 100)
    text = budget.stops
      ? t(
          'The monthly budget of {0} is spent ({1}). Calls that cost money stop here.',
          limit,
          spent,
        )
      : t('The monthly budget of {0} is spent ({1}). Calls go on.', limit, spent);
  const showCosts = t('Show Costs');
  const changeBudget = t('Change Budget');
  const picked = await vscode.window.showWarningMessage(text, showCosts, changeBudget);
  if (picked === showCosts) await vscode.commands.executeCommand(ids.command.showCosts);
  if (picked === changeBudget) await vscode.commands.executeCommand(ids.command.changeBudget);
}

/** The disk does not take the costs, or takes them again. */
async function tell(problem: LedgerProblem | undefined, files: LedgerFiles): Promise<void> {
  const { t } = vscode.l10n;
  if (!problem) {
    vscode.window.setStatusBarMessage(
      t('The costs that could not be written are on the disk now.'),
      8000,
    );
    return;
  }
  const { kind, calls, code } = problem;
  const reason = reasonOf(code);
  const showCosts = t('Show Costs');
  if (kind === 'read') {
    const text = t(
      'The costs of this month cannot be read: {0}. Until they can, the budget counts the calls of this window only.',
      reason,
    );
    if ((await vscode.window.showWarningMessage(text, showCosts)) === showCosts)
      await vscode.commands.executeCommand(ids.command.showCosts);
    return;
  }
  const what =
    calls === 1
      ? t('The cost of 1 call cannot be written to the disk: {0}.', reason)
      : t('The costs of {0} calls cannot be written to the disk: {1}.', calls, reason);
  const tryAgain = t('Try Again');
  const picked = await vscode.window.showWarningMessage(
    `${what} ${t('They count for the budget, and are written as soon as that works. Closing the window loses them.')}`,
    tryAgain,
    showCosts,
  );
  if (picked === showCosts) await vscode.commands.executeCommand(ids.command.showCosts);
  if (picked === tryAgain && !(await files.flush()))
    await tell({ ...problem, calls: files.unwritten }, files);
}

function reasonOf(code: string): string {
  const { t } = vscode.l10n;
  if (code === 'ENOSPC' || code === 'EDQUOT') return t('the disk is full');
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return t('the folder of the extension is read-only');
  return code;
}
