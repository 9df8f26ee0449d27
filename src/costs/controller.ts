import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { LedgerFiles } from '../platform/client/ledgerFiles';
import { MonthReader } from '../platform/client/monthReader';
import type { SettingId } from '../platform/commands/contribute';
import { runCommand } from '../platform/commands/registerCommands';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { WebviewTab } from '../platform/webview/webviewTab';
import { type Ledger, ledgerCsv, monthOf, parseLedger } from '../service';
import { type CostGrouping, content, costGroupings, monthName } from './content';
import { page } from './page';

type CostsHost = Pick<Host, 'quietly' | 'report'>;

/** The Costs tab, and the export. */
export interface CostsController extends vscode.Disposable {
  show(): Promise<void>;
  export(): Promise<void>;
}

export function createCostsController(host: CostsHost, files: LedgerFiles): CostsController {
  let tab: CostsTab | undefined;
  return {
    async show() {
      if (tab) return tab.show();
      tab = new CostsTab(host, files, () => (tab = undefined));
    },
    async export() {
      const month = tab?.month ?? (await pickMonth(files));
      if (month !== undefined) await exportMonth(files, month);
    },
    dispose: () => tab?.dispose(),
  };
}

async function readMonth(files: LedgerFiles, month: string): Promise<Ledger> {
  const { text, unwritten } = await files.read(month, 0);
  return parseLedger(text + unwritten);
}

async function pickMonth(files: LedgerFiles): Promise<string | undefined> {
  const months = await files.months();
  if (months.length === 0) {
    throw new UserError(
      vscode.l10n.t('No call to the service has been made yet: there is nothing to export.'),
    );
  }
  if (months.length === 1) return months[0];
  const picked = await vscode.window.showQuickPick(
    months.map(month => ({ label: monthName(month), month })),
    { title: vscode.l10n.t('Export Costs'), placeHolder: vscode.l10n.t('Which month?') },
  );
  return picked?.month;
}

async function exportMonth(files: LedgerFiles, month: string): Promise<void> {
  const { entries } = await readMonth(files, month);
  if (entries.length === 0) {
    throw new UserError(vscode.l10n.t('There are no calls in {0}.', monthName(month)));
  }
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export the Costs of {0}', monthName(month)),
    defaultUri: vscode.Uri.joinPath(vscode.Uri.file(homedir()), `splice-costs-${month}.csv`),
    filters: { CSV: ['csv'] },
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(ledgerCsv(entries)));
  const open = vscode.l10n.t('Open');
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      entries.length === 1 ? '1 call of {1} was exported.' : '{0} calls of {1} were exported.',
      entries.length,
      monthName(month),
    ),
    open,
  );
  if (picked === open) await vscode.window.showTextDocument(target);
}

class CostsTab implements vscode.Disposable {
  readonly #files: LedgerFiles;
  readonly #tab: WebviewTab;
  #month: string | undefined;
  #grouping: CostGrouping = 'day';
  #reader: MonthReader | undefined;

  constructor(host: CostsHost, files: LedgerFiles, onClose: () => void) {
    this.#files = files;
    this.#tab = new WebviewTab(host, {
      viewType: 'splice.costs',
      title: vscode.l10n.t('Splice Costs'),
      page,
      act: (kind, value) => this.#act(kind, value),
      content: () => this.#content(),
      onClose,
    });
    this.#tab.add(files.onDidWrite(this.#tab.refreshQuietly));
    this.#tab.add(
      vscode.workspace.onDidChangeConfiguration(change => {
        const shown: readonly SettingId[] = [
          'splice.costs.monthlyBudgetUsd',
          'splice.costs.stopAtBudget',
          'splice.costs.purposeBudgetsUsd',
        ];
        if (shown.some(id => change.affectsConfiguration(id))) this.#tab.refreshQuietly();
      }),
    );
  }

  /** The month that is shown. */
  get month(): string {
    return this.#month ?? monthOf(Date.now());
  }

  /** Also reads what other windows have written meanwhile. */
  async show(): Promise<void> {
    await this.#tab.show();
  }

  dispose(): void {
    this.#tab.dispose();
  }

  async #act(kind: string, value: string): Promise<void> {
    if (kind === 'export') return exportMonth(this.#files, this.month);
    if (kind === 'budget') return runCommand('splice.costs.changeBudget');
    const wanted = costGroupings.find(each => kind === 'by' && each === value);
    const isMonth = kind === 'month' && /^\d{4}-\d{2}$/.test(value);
    if (wanted) this.#grouping = wanted;
    if (isMonth) this.#month = value;
    if (wanted || isMonth) await this.#tab.refresh();
  }

  async #content(): Promise<object | undefined> {
    const { month } = this;
    const thisMonth = monthOf(Date.now());
    if (this.#reader?.month !== month) this.#reader = new MonthReader(this.#files, month);
    const [ledger, stored] = await Promise.all([this.#reader.read(), this.#files.months()]);
    if (month !== this.month) return undefined;
    return {
      month,
      months: [...new Set([thisMonth, month, ...stored])]
        .toSorted()
        .toReversed()
        .map(value => ({ value, label: monthName(value) })),
      ...content(month, ledger, {
        budget: month === thisMonth ? settings.budget : undefined,
        isKept: this.#files.isKept,
        unwritten: ledger.unwritten,
        grouping: this.#grouping,
      }),
    };
  }
}
