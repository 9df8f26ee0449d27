import * as vscode from 'vscode';
import type { Budget } from '../service/billing/budget';
import {
  type CostDay,
  type CostRow,
  type CostSums,
  type Ledger,
  costsByDay,
  sumCosts,
} from '../service/billing/ledger';
import { formatUsd } from '../service/billing/pricing';

/** HTML that is ready to be shown; made by {@link html} only, which escapes all values. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** Names in the ledger come from settings and from the service: everything is escaped. */
function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(values[at - 1] ?? '') + part));
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);
}

const none = html``;
const { t } = vscode.l10n;
const number = (value: number): string => value.toLocaleString(vscode.env.language);

/** `2026-11` as `November 2026`. */
export function monthName(month: string): string {
  return dateText(`${month}-01`, { month: 'long', year: 'numeric' });
}

const dayName = (day: string): string =>
  dateText(day, { weekday: 'long', day: 'numeric', month: 'long' });

function dateText(day: string, format: Intl.DateTimeFormatOptions): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).toLocaleDateString(vscode.env.language, format);
}

export interface ContentOptions {
  /** Absent for a past month, whose budget is not known. */
  readonly budget: Budget | undefined;
  /** False: the record ends with the window. */
  readonly isKept: boolean;
  /** Calls that could not be written to the disk so far. */
  readonly unwritten?: number;
}

/** What the page shows below its buttons, and the sentence for screen readers. */
export function content(
  month: string,
  { entries, damaged }: Ledger,
  { budget, isKept, unwritten = 0 }: ContentOptions,
): { html: string; status: string } {
  const total = sumCosts(entries);
  const name = monthName(month);
  const status = t('{0}: {1}, {2}', name, sumText(total.usd), callsText(total.calls));
  const body = html`${entries.length > 0 ? summary(total) : none}
    ${budget ? budgetLine(budget, total.usd) : none}
    ${entries.length > 0 ? table(name, costsByDay(entries), total) : empty(name)}
    <ul class="notes">
      ${notes(total, { damaged, isKept, unwritten }).map(note => html`<li>${note}</li>`)}
    </ul>`;
  return { html: body.text, status };
}

function summary(total: CostSums): Html {
  const parts = [callsText(total.calls)];
  if (total.exact > 0) parts.push(t('{0} exact', sumText(total.exactUsd)));
  if (total.estimated > 0) parts.push(t('{0} estimated', sumText(total.usd - total.exactUsd)));
  const unpriced = total.notPublished + total.unknownModel;
  if (unpriced > 0) parts.push(unpricedText(unpriced));
  return html`<p class="total">
    <span class="sum">${sumText(total.usd)}</span>
    <span>${parts.join(', ')}</span>
  </p>`;
}

function budgetLine(budget: Budget, usd: number): Html {
  if (budget.usd <= 0) return html`<p class="quiet">${t('No monthly budget is set.')}</p>`;
  const percent = Math.floor((usd / budget.usd) * 100);
  const level = percent >= 100 ? 'spent' : percent >= 80 ? 'near' : 'fine';
  const text = t(
    '{0} of the budget of {1} ({2})',
    sumText(usd),
    formatUsd(budget.usd),
    `${percent}%`,
  );
  let end = budget.stops
    ? t('Calls that cost money stop at the budget.')
    : t('A message comes at 80% and at 100%.');
  if (percent >= 100)
    end = budget.stops
      ? t('The budget is spent: calls that cost money are refused until the month ends.')
      : t('The budget is spent. Calls go on.');
  const width = Math.min(100, percent);
  return html`<div class="budget ${level}">
    <p id="budgetText">${text}. ${end}</p>
    <div
      class="bar"
      role="meter"
      aria-labelledby="budgetText"
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow="${width}"
      aria-valuetext="${percent}%"
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect class="used" width="${width}" height="1" />
        <rect class="mark" x="79.8" width="0.4" height="1" />
      </svg>
    </div>
  </div>`;
}

function table(name: string, days: readonly CostDay[], total: CostSums): Html {
  const text = [t('Operation'), t('Model')];
  const numbers = [t('Calls'), t('Input tokens'), t('Output tokens'), t('Events'), t('Cost')];
  return html`<div class="scroll" role="region" aria-labelledby="caption" tabindex="0">
    <table>
      <caption id="caption">
        ${t('Calls of {0} by day, operation and model', name)}
      </caption>
      <thead>
        <tr>
          ${text.map(title => html`<th scope="col">${title}</th>`)}
          ${numbers.map(title => html`<th scope="col" class="number">${title}</th>`)}
          <th scope="col">${t('Price')}</th>
        </tr>
      </thead>
      ${days.map(
        day =>
          html`<tbody>
            <tr class="day">
              <th scope="rowgroup" colspan="2">${dayName(day.day)}</th>
              ${cells(day.total)}
            </tr>
            ${day.rows.map(row)}
          </tbody>`,
      )}
      <tfoot>
        <tr>
          <th scope="row" colspan="2">${t('Total of {0}', name)}</th>
          ${cells(total)}
        </tr>
      </tfoot>
    </table>
  </div>`;
}

function row(item: CostRow): Html {
  return html`<tr>
    <th scope="row">${operationName(item.operation)}</th>
    <td class="model">${item.model ?? '–'}</td>
    ${cells(item)}
  </tr>`;
}

function cells(sums: CostSums): Html {
  const failed = sums.failed > 0 ? html` <small>${t('({0} failed)', sums.failed)}</small>` : none;
  const cached =
    sums.cachedTokens > 0
      ? html` <small>${t('({0} cached)', number(sums.cachedTokens))}</small>`
      : none;
  const hasCost = sums.exact + sums.estimated > 0;
  return html`<td class="number">${number(sums.calls)}${failed}</td>
    <td class="number">${count(sums.promptTokens)}${cached}</td>
    <td class="number">${count(sums.completionTokens)}</td>
    <td class="number">${count(sums.events)}</td>
    <td class="number">${hasCost ? costText(sums.usd) : '–'}</td>
    <td class="price">${certainty(sums)}</td>`;
}

const count = (value: number): string => (value > 0 ? number(value) : '–');

/** Four decimals in every row, so that they stand below each other; one event of a batch costs less. */
function costText(usd: number): string {
  if (usd > 0 && usd < 0.0001) return '<$0.0001';
  const decimals = { minimumFractionDigits: 4, maximumFractionDigits: 4 };
  return `$${usd.toLocaleString(vscode.env.language, decimals)}`;
}

const sumText = (usd: number): string => (usd === 0 ? '$0.00' : formatUsd(usd));

/** In words, because neither a colour nor a sign would be read out. */
function certainty(sums: CostSums): string {
  const { exact, estimated, notPublished, unknownModel } = sums;
  if (exact + estimated === 0) {
    if (notPublished > 0) return t('price not published');
    return unknownModel > 0 ? t('model without a known price') : t('no answer');
  }
  let words = exact > 0 ? t('partly estimate') : t('estimate');
  if (estimated === 0) words = t('exact');
  const unpriced = notPublished + unknownModel;
  return unpriced > 0 ? `${words}, ${unpricedText(unpriced)}` : words;
}

const unpricedText = (calls: number): string =>
  calls === 1 ? t('1 call not priced') : t('{0} calls not priced', number(calls));

function callsText(calls: number): string {
  return calls === 1 ? t('1 call') : t('{0} calls', number(calls));
}

function notes(
  total: CostSums,
  {
    damaged,
    isKept,
    unwritten,
  }: { readonly damaged: number; readonly isKept: boolean; readonly unwritten: number },
): string[] {
  const list: string[] = [];
  if (unwritten > 0)
    list.push(
      unwritten === 1
        ? t('1 call is not on the disk yet, which does not take it. Closing the window loses it.')
        : t(
            '{0} calls are not on the disk yet, which does not take them. Closing the window loses them.',
            number(unwritten),
          ),
    );
  if (total.notPublished > 0)
    list.push(
      t(
        'The service publishes no price for {0} of these calls (Apply, compacting, search, rerank, embeddings). They are not in the sums.',
        number(total.notPublished),
      ),
    );
  if (total.unknownModel > 0)
    list.push(
      t(
        'For {0} of these calls no price of the model is known. They are not in the sums.',
        number(total.unknownModel),
      ),
    );
  if (total.estimated > 0)
    list.push(
      t(
        'An estimate uses prices built into Splice, or counts tokens by characters. Exact means: tokens counted by the service, price from its live catalogue.',
      ),
    );
  list.push(
    t(
      'Only calls made by Splice on this computer are counted; what counts is the bill of the service. Prompts, code and keys are never written down.',
    ),
  );
  if (!isKept)
    list.push(t('This window cannot store files: the record ends when the window closes.'));
  if (damaged > 0) list.push(t('{0} damaged lines of the record were left out.', number(damaged)));
  return list;
}

function empty(name: string): Html {
  return html`<section class="empty">
    <h2>${t('No calls in {0}', name)}</h2>
    <p>
      ${t(
        'Every call to the service that may cost money will be listed here: the day, the operation, the model, the tokens and the price. Merging with the local engine costs nothing and is not listed.',
      )}
    </p>
  </section>`;
}

function operationName(operation: string): string {
  const names: Record<string, string> = {
    apply: t('Apply'),
    chat: t('Chat'),
    messages: t('Chat (messages)'),
    compact: t('Compact'),
    predict: t('Reflex'),
    uploadBatch: t('Reflex batch'),
    classifyPrompt: t('Router, classify'),
    routePrompt: t('Router'),
    rerank: t('Rerank'),
    embed: t('Embedding'),
  };
  return Object.hasOwn(names, operation) ? (names[operation] ?? operation) : operation;
}

/** The frame: buttons that keep the focus while the rest changes. Nothing is loaded from anywhere. */
export function page(nonce: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return html`<!doctype html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${t('Splice Costs')}</title>
        <style nonce="${nonce}">
          ${new Html(style)}
        </style>
      </head>
      <body>
        <header>
          <h1>${t('Costs')}</h1>
          <label for="month">${t('Month')}</label>
          <select id="month"></select>
          <button id="export">${t('Export CSV…')}</button>
          <button id="budget" class="secondary">${t('Change Budget')}</button>
        </header>
        <p id="status" class="hidden" role="status"></p>
        <main id="content"></main>
        <script nonce="${nonce}">
          ${new Html(script)}
        </script>
      </body>
    </html>`.text;
}

const script = `
const host = acquireVsCodeApi();
const byId = id => document.getElementById(id);
const month = byId('month');
let shown;
month.addEventListener('change', () => host.postMessage({ kind: 'month', month: month.value }));
for (const kind of ['export', 'budget'])
  byId(kind).addEventListener('click', () => host.postMessage({ kind }));
window.addEventListener('message', ({ data }) => {
  if (data?.kind !== 'content' || typeof data.html !== 'string' || !Array.isArray(data.months)) return;
  month.replaceChildren(...data.months.map(({ value, label }) => new Option(label, value)));
  month.value = data.month;
  const main = byId('content');
  if (shown !== data.html) {
    const wasInTable = main.contains(document.activeElement);
    main.innerHTML = shown = data.html;
    if (wasInTable) main.querySelector('.scroll')?.focus();
  }
  if (byId('status').textContent !== data.status) byId('status').textContent = data.status;
});
host.postMessage({ kind: 'ready' });
`;

const style = `
body {
  margin: 0; padding: 16px 24px 32px; max-width: 1100px;
  color: var(--vscode-foreground); background: var(--vscode-editor-background);
  font: var(--vscode-font-size, 13px)/1.5 var(--vscode-font-family, sans-serif);
}
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
h1 { flex: 1; margin: 0; font-size: 1.7em; font-weight: 400; }
h2 { margin: 0 0 4px; font-size: 1.2em; font-weight: 600; }
p { margin: 0; }
select, button { font: inherit; padding: 4px 12px; border-radius: 2px; }
select {
  padding: 3px 6px; color: var(--vscode-dropdown-foreground);
  background: var(--vscode-dropdown-background);
  border: 1px solid var(--vscode-dropdown-border, var(--vscode-contrastBorder, transparent));
}
button {
  cursor: pointer; color: var(--vscode-button-foreground); background: var(--vscode-button-background);
  border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent));
}
button:hover { background: var(--vscode-button-hoverBackground); }
button.secondary {
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  border-color: var(--vscode-button-secondaryBorder, var(--vscode-contrastBorder, transparent));
}
button.secondary:hover { background: var(--vscode-button-secondaryHoverBackground); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
.total { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; margin: 16px 0 4px; }
.sum { font-size: 2.2em; line-height: 1.2; font-variant-numeric: tabular-nums; }
.quiet, .notes, caption, small { color: var(--vscode-descriptionForeground); }
.budget { margin: 8px 0; }
.bar {
  height: 8px; max-width: 480px; margin-top: 4px; border-radius: 2px; overflow: hidden;
  background: var(--vscode-editorWidget-background);
  border: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, transparent));
}
.bar svg { display: block; width: 100%; height: 100%; }
.used { fill: var(--vscode-progressBar-background); }
.near .used { fill: var(--vscode-editorWarning-foreground); }
.spent .used { fill: var(--vscode-editorError-foreground); }
.mark { fill: var(--vscode-foreground); }
.scroll { overflow-x: auto; margin-top: 16px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 4px; }
th, td { padding: 4px 10px; text-align: left; font-weight: 400; vertical-align: top; }
td.model { min-width: 9em; font-family: var(--vscode-editor-font-family, monospace); overflow-wrap: break-word; }
.number { text-align: right; white-space: nowrap; }
small { display: block; font-weight: 400; }
thead th { font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr:not(.day) > th { padding-left: 26px; }
tbody tr:not(.day):hover { background: var(--vscode-list-hoverBackground); }
tr.day > * { padding-top: 12px; font-weight: 600; border-bottom: 1px solid var(--line); }
tfoot tr > * { padding-top: 12px; font-weight: 600; border-top: 2px solid var(--line); }
tr.day > .price, tfoot tr > .price { font-weight: 400; }
body { --line: var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-editorWidget-border, currentColor))); }
.empty { margin: 24px 0; max-width: 640px; }
.notes { margin: 20px 0 0; padding-left: 18px; max-width: 760px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
