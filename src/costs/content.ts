import * as vscode from 'vscode';
import { columnUsd, formatUsd } from '../base/format/money';
import { numberText } from '../base/format/numbers';
import { monthText, weekdayText } from '../base/format/times';
import {
  type Budget,
  type CostDay,
  type CostRow,
  type CostSums,
  costsByDay,
  type Ledger,
  sumCosts,
} from '../service';
import { type Html, html } from './html';

const none = html``;
const { t } = vscode.l10n;
const number = (value: number): string => numberText(value, vscode.env.language);

/** `2026-11` as `November 2026`. */
export const monthName = (month: string): string => monthText(month, vscode.env.language);

export interface ContentOptions {
  /** Absent for a past month, whose budget is unknown. */
  readonly budget: Budget | undefined;
  /** False when the record is lost with the window. */
  readonly isKept: boolean;
  /** Calls that could not be written to the disk yet. */
  readonly unwritten?: number;
}

/** The content below the buttons, and the status for screen readers. */
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
  if (percent >= 100) {
    end = budget.stops
      ? t('The budget is spent: calls that cost money are refused until the month ends.')
      : t('The budget is spent. Calls continue.');
  }
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
              <th scope="rowgroup" colspan="2">${weekdayText(day.day, vscode.env.language)}</th>
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
    <td class="number">${hasCost ? columnUsd(sums.usd, vscode.env.language) : '–'}</td>
    <td class="price">${certainty(sums)}</td>`;
}

const count = (value: number): string => (value > 0 ? number(value) : '–');

const sumText = (usd: number): string => (usd === 0 ? '$0.00' : formatUsd(usd));

/** In words, because screen readers do not convey colors and symbols. */
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
  if (unwritten > 0) {
    list.push(
      unwritten === 1
        ? t('1 call could not be written to the disk yet. Closing the window loses it.')
        : t(
            '{0} calls could not be written to the disk yet. Closing the window loses them.',
            number(unwritten),
          ),
    );
  }
  if (total.notPublished > 0) {
    list.push(
      t(
        'The service publishes no price for {0} of these calls (Apply, compaction, search, rerank, embeddings). They are not included in the sums.',
        number(total.notPublished),
      ),
    );
  }
  if (total.unknownModel > 0) {
    list.push(
      t(
        'For {0} of these calls, the price of the model is unknown. They are not included in the sums.',
        number(total.unknownModel),
      ),
    );
  }
  if (total.estimated > 0) {
    list.push(
      t(
        'An estimate uses prices built into Splice, or counts tokens by characters. Exact means: tokens counted by the service, price from its live catalogue.',
      ),
    );
  }
  list.push(
    t(
      'Only calls made by Splice on this computer are counted; the bill of the service is authoritative. Prompts, code and keys are never recorded.',
    ),
  );
  if (!isKept) {
    list.push(t('This window cannot store files: the record ends when the window closes.'));
  }
  if (damaged > 0) list.push(t('{0} damaged lines of the record were skipped.', number(damaged)));
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
