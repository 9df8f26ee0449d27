import * as vscode from 'vscode';
import { callsText } from '../base/format/counts';
import { columnUsd, formatUsd, sumUsd } from '../base/format/money';
import { numberText } from '../base/format/numbers';
import { monthText, timeOfDay, weekdayText } from '../base/format/times';
import { translated } from '../base/sentence';
import { type Html, html } from '../platform/webview/html';
import {
  type Budget,
  type CostDay,
  type CostGroup,
  type CostRow,
  type CostSums,
  costsBy,
  costsByDay,
  dayOf,
  isCostPurpose,
  type Ledger,
  purposeName,
  sumCosts,
} from '../service';

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
  readonly grouping?: CostGrouping;
}

/** What the table is grouped by. */
export const costGroupings = ['day', 'purpose', 'model', 'chat', 'workspace'] as const;
export type CostGrouping = (typeof costGroupings)[number];

/** The content below the buttons, and the status for screen readers. */
export function content(
  month: string,
  { entries, damaged }: Ledger,
  { budget, isKept, unwritten = 0, grouping = 'day' }: ContentOptions,
): { html: string; status: string } {
  const total = sumCosts(entries);
  const name = monthName(month);
  const status = t(
    '{0}: {1}, {2}',
    name,
    sumUsd(total.usd),
    callsText(total.calls, t, number(total.calls)),
  );
  const body = html`${entries.length > 0 ? summary(total) : none}
    ${budget ? budgetLine(budget, total.usd) : none}
    ${budget?.byPurpose ? purposeBudgets(budget.byPurpose, costsBy(entries, 'purpose')) : none}
    ${entries.length > 0 ? chart(month, costsByDay(entries)) : none}
    ${
      entries.length === 0
        ? empty(name)
        : grouping === 'day'
          ? table(name, costsByDay(entries), total)
          : groupTable(name, grouping, costsBy(entries, grouping), total)
    }
    <ul class="notes">
      ${notes(total, { damaged, isKept, unwritten }).map(note => html`<li>${note}</li>`)}
    </ul>`;
  return { html: body.text, status };
}

function summary(total: CostSums): Html {
  const parts = [callsText(total.calls, t, number(total.calls))];
  if (total.exact > 0) parts.push(t('{0} exact', sumUsd(total.exactUsd)));
  if (total.estimated > 0) parts.push(t('{0} estimated', sumUsd(total.usd - total.exactUsd)));
  const unpriced = total.notPublished + total.unknownModel;
  if (unpriced > 0) parts.push(unpricedText(unpriced));
  return html`<p class="total">
    <span class="sum">${sumUsd(total.usd)}</span>
    <span>${parts.join(', ')}</span>
  </p>`;
}

function budgetLine(budget: Budget, usd: number): Html {
  if (budget.usd <= 0) return html`<p class="quiet">${t('No monthly budget is set.')}</p>`;
  const percent = Math.floor((usd / budget.usd) * 100);
  const level = percent >= 100 ? 'spent' : percent >= 80 ? 'near' : 'fine';
  const text = t(
    '{0} of the budget of {1} ({2}).',
    sumUsd(usd),
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
    <p id="budgetText">${text} ${end}</p>
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

/** The budgets of single purposes, each with what is spent of it. */
function purposeBudgets(
  budgets: Readonly<Record<string, number>>,
  spent: readonly CostGroup[],
): Html {
  const rows = Object.entries(budgets).flatMap(([purpose, usd]) => {
    if (!isCostPurpose(purpose)) return [];
    const { usd: used = 0 } = spent.find(({ value }) => value === purpose) ?? {};
    const text = t(
      '{0}: {1} of {2} ({3})',
      translated(purposeName(purpose), t),
      sumUsd(used),
      formatUsd(usd),
      `${Math.floor((used / usd) * 100)}%`,
    );
    const end = used >= usd ? ` ${t('Spent: such calls are refused.')}` : '';
    return [html`<li>${text}${end}</li>`];
  });
  return rows.length > 0 ? html`<ul class="purposes">${rows}</ul>` : none;
}

/** A bar for each day of the month; the table by day has its figures. */
function chart(month: string, days: readonly CostDay[]): Html {
  const [year = 0, ofYear = 1] = month.split('-').map(Number);
  const count = new Date(year, ofYear, 0).getDate();
  const costs = new Map(days.map(({ day, total }) => [Number(day.slice(-2)), total.usd]));
  const [highest] = days.toSorted((a, b) => b.total.usd - a.total.usd);
  if (!highest || highest.total.usd === 0) return none;
  const most = highest.total.usd;
  const bars = Array.from({ length: count }, (_, at) => {
    const usd = costs.get(at + 1) ?? 0;
    const height = usd > 0 ? Math.max(1, (40 * usd) / most) : 0;
    const label = `${dayName(month, at + 1)}: ${sumUsd(usd)}`;
    return html`<rect class="used" x="${10 * at + 1}" y="${40 - height}" width="8" height="${height}"><title>${label}</title></rect>`;
  });
  const text = t(
    'Costs of {0} by day; the highest are {1} on {2}.',
    monthName(month),
    sumUsd(most),
    weekdayText(highest.day, vscode.env.language),
  );
  return html`<figure class="chart">
    <svg viewBox="0 0 ${10 * count} 41" preserveAspectRatio="none" role="img" aria-label="${text}">
      <rect class="line" x="0" y="40" width="${10 * count}" height="0.5" />
      ${bars}
    </svg>
    <figcaption>${text}</figcaption>
  </figure>`;
}

const dayName = (month: string, day: number): string =>
  weekdayText(`${month}-${String(day).padStart(2, '0')}`, vscode.env.language);

function groupTable(
  name: string,
  grouping: Exclude<CostGrouping, 'day'>,
  groups: readonly CostGroup[],
  total: CostSums,
): Html {
  const { title, caption } = {
    purpose: { title: t('Purpose'), caption: t('Calls of {0} by purpose', name) },
    model: { title: t('Model'), caption: t('Calls of {0} by model', name) },
    chat: { title: t('Chat'), caption: t('Calls of {0} by chat', name) },
    workspace: { title: t('Workspace'), caption: t('Calls of {0} by workspace', name) },
  }[grouping];
  return html`<div class="scroll" role="region" aria-labelledby="caption" tabindex="0">
    <table class="cards">
      <caption id="caption">
        ${caption}
      </caption>
      ${head([title])}
      <tbody>
        ${groups.map(
          group =>
            html`<tr>
              <th scope="row">${groupName(grouping, group)}</th>
              ${cells(group)}
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${t('Total of {0}', name)}</th>
          ${cells(total)}
        </tr>
      </tfoot>
    </table>
  </div>`;
}

function groupName(grouping: Exclude<CostGrouping, 'day'>, { value, from, to }: CostGroup): string {
  if (value === undefined) return grouping === 'chat' ? t('no chat') : t('not known');
  if (grouping === 'purpose' && isCostPurpose(value)) return translated(purposeName(value), t);
  if (grouping !== 'chat') return value;
  const day = weekdayText(dayOf(from), vscode.env.language);
  return from === to
    ? t('{0}, {1}', day, timeOfDay(from))
    : t('{0}, {1} to {2}', day, timeOfDay(from), timeOfDay(to));
}

function head(text: readonly string[]): Html {
  const numbers = [t('Calls'), t('Input tokens'), t('Output tokens'), t('Events'), t('Cost')];
  return html`<thead>
    <tr>
      ${text.map(title => html`<th scope="col">${title}</th>`)}
      ${numbers.map(title => html`<th scope="col" class="number">${title}</th>`)}
      <th scope="col">${t('Price')}</th>
    </tr>
  </thead>`;
}

function table(name: string, days: readonly CostDay[], total: CostSums): Html {
  return html`<div class="scroll" role="region" aria-labelledby="caption" tabindex="0">
    <table class="cards">
      <caption id="caption">
        ${t('Calls of {0} by day, operation and model', name)}
      </caption>
      ${head([t('Operation'), t('Model')])}
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
    <td class="model" data-title="${t('Model')}">${item.model ?? '–'}</td>
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
  // In a narrow window each figure has its title beside it.
  return html`<td class="number" data-title="${t('Calls')}">${number(sums.calls)}${failed}</td>
    <td class="number" data-title="${t('Input tokens')}">${count(sums.promptTokens)}${cached}</td>
    <td class="number" data-title="${t('Output tokens')}">${count(sums.completionTokens)}</td>
    <td class="number" data-title="${t('Events')}">${count(sums.events)}</td>
    <td class="number" data-title="${t('Cost')}">
      ${hasCost ? columnUsd(sums.usd, vscode.env.language) : '–'}
    </td>
    <td class="price" data-title="${t('Price')}">${certainty(sums)}</td>`;
}

const count = (value: number): string => (value > 0 ? number(value) : '–');

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
  if (damaged > 0) {
    list.push(
      t(
        damaged === 1
          ? '1 damaged line of the record was skipped.'
          : '{0} damaged lines of the record were skipped.',
        number(damaged),
      ),
    );
  }
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
