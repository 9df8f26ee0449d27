import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { isRecord } from '../base/typeGuards';
import { UserError } from '../base/userError';
import type { LedgerFiles } from '../platform/client/ledgerFiles';
import type { SettingId } from '../platform/commands/contribute';
import { runCommand } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { type Ledger, ledgerCsv, monthOf, parseLedger } from '../service';
import { type CostGrouping, content, costGroupings, monthName } from './content';
import { MonthReader } from './monthReader';
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
    vscode.l10n.t('{0} calls of {1} were exported.', entries.length, monthName(month)),
    open,
  );
  if (picked === open) await vscode.window.showTextDocument(target);
}

class CostsTab implements vscode.Disposable {
  readonly #files: LedgerFiles;
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();
  #month: string | undefined;
  #grouping: CostGrouping = 'day';
  #reader: MonthReader | undefined;
  /** The refresh in progress. */
  #running: Promise<void> | undefined;
  #isRefreshPending = false;
  /** The panel throws at any use after it was closed, and what waits for a file may find it so. */
  #isClosed = false;

  constructor(host: CostsHost, files: LedgerFiles, onClose: () => void) {
    this.#files = files;
    this.#panel = this.#store.add(
      vscode.window.createWebviewPanel(
        'splice.costs',
        vscode.l10n.t('Splice Costs'),
        vscode.ViewColumn.Active,
        { enableScripts: true, localResourceRoots: [], enableFindWidget: true },
      ),
    );
    const refresh = host.quietly(() => this.#refreshSoon());
    this.#store.add(
      this.#panel.webview.onDidReceiveMessage((message: unknown) => {
        this.#act(message).catch((error: unknown) => host.report('costs', error));
      }),
    );
    this.#store.add(this.#panel.onDidChangeViewState(refresh));
    this.#store.add(files.onDidWrite(refresh));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration(change => {
        const shown: readonly SettingId[] = [
          'splice.costs.monthlyBudgetUsd',
          'splice.costs.stopAtBudget',
          'splice.costs.purposeBudgetsUsd',
        ];
        if (shown.some(id => change.affectsConfiguration(id))) refresh();
      }),
    );
    this.#panel.onDidDispose(() => {
      this.#isClosed = true;
      this.#store.dispose();
      onClose();
    });
    this.#panel.webview.html = page(randomBytes(16).toString('base64'));
  }

  /** The month that is shown. */
  get month(): string {
    return this.#month ?? monthOf(Date.now());
  }

  /** Also reads what other windows have written meanwhile. */
  async show(): Promise<void> {
    this.#panel.reveal();
    await this.#refreshSoon();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Handles the messages of the page; any other is ignored. */
  async #act(message: unknown): Promise<void> {
    const kind = isRecord(message) ? message['kind'] : undefined;
    if (kind === 'ready') await this.#refreshSoon();
    if (kind === 'export') await exportMonth(this.#files, this.month);
    if (kind === 'budget') await runCommand('splice.costs.changeBudget');
    const grouping = isRecord(message) && kind === 'by' ? message['by'] : undefined;
    const wanted = costGroupings.find(each => each === grouping);
    if (wanted) {
      this.#grouping = wanted;
      await this.#refreshSoon();
    }
    const month = isRecord(message) && kind === 'month' ? message['month'] : undefined;
    if (typeof month === 'string' && /^\d{4}-\d{2}$/.test(month)) {
      this.#month = month;
      await this.#refreshSoon();
    }
  }

  /** One refresh at a time; requests in the meantime are combined into one more. */
  async #refreshSoon(): Promise<void> {
    if (this.#running) {
      this.#isRefreshPending = true;
      return this.#running;
    }
    this.#running = this.#refresh().finally(() => (this.#running = undefined));
    await this.#running;
    if (!this.#isRefreshPending) return;
    this.#isRefreshPending = false;
    await this.#refreshSoon();
  }

  async #refresh(): Promise<void> {
    if (this.#isClosed || !this.#panel.visible) return;
    const { month } = this;
    const thisMonth = monthOf(Date.now());
    if (this.#reader?.month !== month) this.#reader = new MonthReader(this.#files, month);
    const [ledger, stored] = await Promise.all([this.#reader.read(), this.#files.months()]);
    if (this.#isClosed || month !== this.month) return;
    await this.#panel.webview.postMessage({
      kind: 'content',
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
    });
  }
}
