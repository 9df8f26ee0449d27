import * as vscode from 'vscode';
import { formatUsd, sumUsd } from '../base/format/money';
import { tokensText } from '../base/format/numbers';
import { translated } from '../base/sentence';
import { answerCostText, type LastAnswer } from '../contracts/lastAnswer';
import type { LedgerFiles } from '../platform/client/ledgerFiles';
import { MonthReader } from '../platform/client/monthReader';
import type { CommandId } from '../platform/commands/contribute';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { dayOf, type LedgerEntry, monthOf, purposeName, sumCosts } from '../service';
import { midnightAfter } from './midnight';

const { t } = vscode.l10n;

/** Shows what the calls of today cost, by all windows of this computer. */
export class CostStatus implements vscode.Disposable {
  readonly #files: LedgerFiles;
  readonly #last: LastAnswer;
  readonly #resources = new DisposableStore();
  readonly #item = this.#resources.add(
    vscode.window.createStatusBarItem('splice.costs', vscode.StatusBarAlignment.Right, 89),
  );
  #reader: MonthReader | undefined;
  readonly #refresh: () => void;
  #midnight: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(host: Pick<Host, 'quietly'>, files: LedgerFiles, last: LastAnswer) {
    this.#files = files;
    this.#last = last;
    this.#item.name = t('Splice: costs of today');
    this.#item.command = 'splice.costs.show' satisfies CommandId;
    this.#refresh = host.quietly(async () => this.#update());
    const update = this.#refresh;
    this.#resources.add(files.onDidWrite(update));
    this.#resources.add(last.onChange(update));
    this.#resources.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        // Other windows and days have their costs, too.
        if (focused) update();
      }),
    );
    this.#resources.add(
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('splice.costs')) update();
      }),
    );
    update();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#midnight);
    this.#resources.dispose();
  }

  async #update(): Promise<void> {
    const now = Date.now();
    const month = monthOf(now);
    if (this.#reader?.month !== month) this.#reader = new MonthReader(this.#files, month);
    const { entries } = await this.#reader.read();
    if (this.#isDisposed) return;
    const today = entries.filter(({ at }) => dayOf(at) === dayOf(now));
    const day = sumCosts(today).usd;
    const all = sumCosts(entries).usd;
    const budget = settings.budget.usd;
    this.#item.text = `$(credit-card) ${t('{0} today', sumUsd(day))}`;
    const monthly =
      budget > 0
        ? t('This month: {0} of {1}', sumUsd(all), formatUsd(budget))
        : t('This month: {0}', sumUsd(all));
    const lines = [
      t('Today: {0}', sumUsd(day)),
      monthly,
      ...this.#lastAnswer(),
      ...lastCall(today.at(-1)),
    ];
    this.#item.tooltip = lines.join('\n');
    this.#item.accessibilityInformation = {
      label: t('Splice costs. {0}', lines.join('. ')),
      role: 'button',
    };
    this.#item.backgroundColor =
      budget > 0 && all >= budget
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
    this.#item.show();
    this.#updateAtMidnight(now);
  }

  #lastAnswer(): string[] {
    const text = this.#last.cost ? answerCostText(this.#last.cost, t) : '';
    return text === '' ? [] : [t('Last answer in the chat: {0}', text)];
  }

  #updateAtMidnight(now: number): void {
    clearTimeout(this.#midnight);
    this.#midnight = setTimeout(this.#refresh, midnightAfter(now) - now);
    this.#midnight.unref();
  }
}

/** What the last call was for, and what it took. */
function lastCall(entry: LedgerEntry | undefined): string[] {
  if (!entry) return [];
  const { purpose, usd, promptTokens = 0, completionTokens = 0 } = entry;
  const tokens = promptTokens + completionTokens;
  const facts = [
    ...(purpose ? [translated(purposeName(purpose), t)] : []),
    ...(usd === undefined ? [] : [sumUsd(usd)]),
    ...(tokens > 0 ? [tokensText(tokens, t)] : []),
  ];
  return facts.length > 0 ? [t('Last call: {0}', facts.join(', '))] : [];
}
