import * as vscode from 'vscode';
import { systemClock } from '../../base/async/clock';
import { formatUsd } from '../../base/format/money';
import { type BudgetWarning, LedgerBilling, PriceBook } from '../../service';
import { runCommand } from '../commands/registerCommands';
import type { Log } from '../log';
import { settings } from '../settings';
import { EndpointTraffic } from './endpointTraffic';
import { LedgerFiles, type LedgerProblem } from './ledgerFiles';

export interface HostLedger extends vscode.Disposable {
  readonly billing: LedgerBilling;
  readonly files: LedgerFiles;
  readonly prices: PriceBook;
  readonly traffic: EndpointTraffic;
}

/** The part of the host that the ledger needs. */
export interface LedgerHost {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'subscriptions'>;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** Opens no file: the first one is written after the first call. */
export function openLedger(host: LedgerHost): HostLedger {
  const prices = new PriceBook();
  const log = (line: string): void => host.log.info(line);
  const { globalStorageUri: storage } = host.context;
  const folder = storage.scheme === 'file' ? storage.fsPath : undefined;
  if (folder === undefined) {
    log(
      `costs: the storage (${storage.scheme}) takes no appended lines; kept until the window closes`,
    );
  }
  const quietly = (task: Promise<void>): void =>
    void task.then(undefined, (error: unknown) => host.log.error('costs', error));
  const files = new LedgerFiles({
    folder,
    log,
    onProblem: problem => quietly(notifyProblem(problem, files)),
  });
  const traffic = new EndpointTraffic(folder, error => host.log.error('endpoint traffic', error));
  const billing = new LedgerBilling({
    store: files,
    clock: systemClock,
    modelPrice: id => prices.modelPrice(id),
    budget: () => settings.budget,
    workspace: () => vscode.workspace.name,
    onWarning: warning => quietly(warnAboutBudget(warning)),
    onEndpointCall: (id, call) => void traffic.add(id, call),
    log,
  });
  return { billing, files, prices, traffic, dispose: () => files.dispose() };
}

async function warnAboutBudget({ percent, budget, spentUsd }: BudgetWarning): Promise<void> {
  const { t } = vscode.l10n;
  const limit = formatUsd(budget.usd);
  const spent = formatUsd(spentUsd);
  let text = t(
    '{0} of the monthly budget of {1} is used: {2} so far.',
    `${percent}%`,
    limit,
    spent,
  );
  if (percent === 100) {
    text = budget.stops
      ? t(
          'The monthly budget of {0} is spent ({1}). Calls that cost money stop here.',
          limit,
          spent,
        )
      : t('The monthly budget of {0} is spent ({1}). Calls continue.', limit, spent);
  }
  const showCosts = t('Show Costs');
  const changeBudget = t('Change Budget');
  const picked = await vscode.window.showWarningMessage(text, showCosts, changeBudget);
  if (picked === showCosts) await runCommand('splice.costs.show');
  if (picked === changeBudget) await runCommand('splice.costs.changeBudget');
}

/** Tells the user that costs cannot be written, or that they can again. */
async function notifyProblem(
  problem: LedgerProblem | undefined,
  files: LedgerFiles,
): Promise<void> {
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
    if ((await vscode.window.showWarningMessage(text, showCosts)) === showCosts) {
      await runCommand('splice.costs.show');
    }
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
  if (picked === showCosts) await runCommand('splice.costs.show');
  if (picked === tryAgain && !(await files.flush())) {
    await notifyProblem({ ...problem, calls: files.unwritten }, files);
  }
}

function reasonOf(code: string): string {
  const { t } = vscode.l10n;
  if (code === 'ENOSPC' || code === 'EDQUOT') return t('the disk is full');
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return t('the folder of the extension is read-only');
  }
  return code;
}
