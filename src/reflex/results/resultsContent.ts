import * as vscode from 'vscode';
import { numberText, percentText } from '../../base/format/numbers';
import { type Html, html } from '../../platform/webview/html';
import { rowsText } from '../batch/batchTexts';
import type { ResultTable } from './resultTable';
import type { ReflexSummary, ResultSummary } from './summary';
import type { ViewState } from './tableView';

const { t } = vscode.l10n;
const none = html``;
const number = (value: number): string => numberText(value, vscode.env.language);

export const rowsPerPage = 100;
/** Characters of a cell that are shown. */
const maxShownChars = 200;

export interface ResultsPageInput {
  readonly table: ResultTable;
  readonly summary: ResultSummary;
  readonly view: ViewState;
  /** Indexes of the rows that are shown, on all pages. */
  readonly shown: readonly number[];
  /** From 0 on. */
  readonly page: number;
  /** Index of the column with the texts; -1 for none. */
  readonly textColumn: number;
}

export function resultsContent(input: ResultsPageInput): { html: string; status: string } {
  const { table, summary, shown, view } = input;
  const status =
    shown.length === summary.rows
      ? rowsText(summary.rows)
      : t(
          summary.rows === 1 ? '{0} of 1 row' : '{0} of {1} rows',
          number(shown.length),
          number(summary.rows),
        );
  const body = html`<p class="total">
      <span>${rowsText(summary.rows)}</span>
      ${
        summary.errors > 0
          ? html`<button id="errors" class="link" data-act="only" value="${table.errorColumn}" aria-pressed="${String(view.only?.column === table.errorColumn)}">${t('{0} with an error ({1})', number(summary.errors), percentText(summary.errors / summary.rows))}</button>`
          : html`<span>${t('no error')}</span>`
      }
      ${table.isCut ? html`<span>${t('The file has more rows; these are the first ones.')}</span>` : none}
    </p>
    <div class="reflexes">${summary.reflexes.map(each => reflex(each, summary.rows, input.view))}</div>
    ${uncertain(input)}
    <h2 id="rows">${t('Rows')}</h2>
    ${pager(input, status)} ${rows(input)}`;
  return { html: body.text, status };
}

/** How often each label was found; each of them leads to its rows. */
function reflex(
  { reflex: name, column, labels, unlabeled }: ReflexSummary,
  total: number,
  { only }: ViewState,
): Html {
  const all = [...labels, ...(unlabeled > 0 ? [{ label: '', count: unlabeled }] : [])];
  const most = Math.max(1, ...all.map(({ count }) => count));
  return html`<section aria-label="${name}">
    <h2>${name}</h2>
    <ul class="labels">
      ${all.slice(0, 30).map(({ label, count }, at) => {
        const isOn = only?.column === column && only.label === label;
        return html`<li>
          <button id="label-${column}-${at}" class="link" data-act="only" value="${column} ${label}" aria-pressed="${String(isOn)}">${label === '' ? t('no label') : label}</button>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect class="used" width="${(100 * count) / most}" height="1" />
          </svg>
          <span class="number">${number(count)} (${percentText(count / Math.max(1, total))})</span>
        </li>`;
      })}
    </ul>
    ${all.length > 30 ? html`<p class="quiet">${t(all.length === 31 ? '1 more label' : '{0} more labels', number(all.length - 30))}</p>` : none}
  </section>`;
}

function uncertain({ table, summary, textColumn }: ResultsPageInput): Html {
  if (summary.uncertain.length === 0) return none;
  return html`<details id="uncertain">
    <summary>${t('Least certain rows')}</summary>
    <ul>
      ${summary.uncertain.map(({ row, reflex: name, label, score }) => {
        const text = table.rows[row]?.[textColumn] ?? '';
        return html`<li>${t('Row {0}', number(row + 1))}: ${name} = ${label} (${percentText(score)})${text === '' ? none : html` <small>${shortened(text)}</small>`}</li>`;
      })}
    </ul>
  </details>`;
}

const shortened = (text: string): string =>
  text.length > maxShownChars ? `${text.slice(0, maxShownChars - 1)}…` : text;

function pager({ shown, page, view }: ResultsPageInput, status: string): Html {
  const last = Math.max(0, Math.ceil(shown.length / rowsPerPage) - 1);
  const button = (id: string, title: string, to: number): Html =>
    to < 0 || to > last || to === page
      ? html`<button id="${id}" class="secondary" aria-disabled="true">${title}</button>`
      : html`<button id="${id}" class="secondary" data-act="page" value="${to}">${title}</button>`;
  const from = page * rowsPerPage;
  const places =
    shown.length <= 1
      ? status
      : t(
          '{0} to {1} of {2} rows',
          number(from + 1),
          number(Math.min(shown.length, from + rowsPerPage)),
          number(shown.length),
        );
  return html`<p class="pager">
    ${button('first', t('First'), 0)} ${button('previous', t('Previous'), page - 1)}
    ${button('next', t('Next'), page + 1)} ${button('last', t('Last'), last)}
    <span>${places}</span>
    ${
      view.filter !== '' || view.only || view.sort
        ? html`<button id="all" class="link" data-act="all">${t('Show All Rows')}</button>`
        : none
    }
  </p>`;
}

function rows({ table, shown, page, view: { sort } }: ResultsPageInput): Html {
  const on = shown.slice(page * rowsPerPage, (page + 1) * rowsPerPage);
  const head = (name: string, column: number): Html => {
    const isSorted = sort?.column === column;
    const order = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none';
    const arrow = { descending: '▼', ascending: '▲', none: '' }[order];
    return html`<th scope="col" aria-sort="${order}"><button id="sort-${column}" class="link" data-act="sort" value="${column}">${shortened(name)} <span aria-hidden="true">${arrow}</span></button></th>`;
  };
  return html`<div class="scroll" role="region" aria-labelledby="rows" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col" class="number">${t('Row')}</th>
          ${table.columns.map(head)}
        </tr>
      </thead>
      <tbody>
        ${on.map(
          at =>
            html`<tr>
              <th scope="row" class="number">${number(at + 1)}</th>
              ${(table.rows[at] ?? []).map(cell => html`<td>${shortened(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export const resultsStyle = `
.total { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 12px 0; align-items: baseline; }
.link { padding: 0; border: 0; background: none; color: var(--vscode-textLink-foreground); text-align: left; overflow-wrap: anywhere; }
.link:hover { background: none; text-decoration: underline; }
.link[aria-pressed=true] { font-weight: 700; text-decoration: underline; }
.reflexes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 12px 28px; }
.labels { list-style: none; margin: 0; padding: 0; }
.labels li { display: grid; grid-template-columns: minmax(0, 2fr) minmax(40px, 2fr) max-content; gap: 8px; align-items: center; }
.labels svg { width: 100%; height: 8px; }
details { margin: 16px 0; }
summary { cursor: pointer; }
h2 { margin-top: 12px; }
.pager { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.pager [aria-disabled] { opacity: .5; cursor: default; }
.scroll th .link { font-weight: 600; color: inherit; white-space: nowrap; }
table { width: max-content; min-width: 100%; }
td { overflow-wrap: anywhere; max-width: 40em; }
body { max-width: none; }
`;
