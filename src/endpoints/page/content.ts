import * as vscode from 'vscode';
import { formatUsd, sumUsd } from '../../base/format/money';
import { numberText, shortNumber } from '../../base/format/numbers';
import { labelText } from '../../base/format/text';
import {
  dateTimeText,
  exactTimeText,
  latencyText,
  recentTimeText,
  spanText,
} from '../../base/format/times';
import type { EndpointLoad } from '../../platform/client/endpointTraffic';
import { type Html, html } from '../../platform/webview/html';
import type { EndpointRecord, EndpointStatus } from '../../service';
import type { BreakEven } from '../core/breakEven';
import { cancellationRequested, type ListedEndpoint } from '../core/endpointsSnapshot';
import { actorLabel, appearanceOf, isServing } from '../core/lifecycle';
import {
  type Bucket,
  bucketsOf,
  callsWithin,
  chartOf,
  type Figures,
  figuresByMeasure,
  type Measure,
  measures,
  rangeOf,
  type ranges,
  type TimeRange,
} from '../core/measurements';

const { t } = vscode.l10n;
const none = html``;

export interface EndpointPageInput {
  readonly endpoint: ListedEndpoint;
  /** Undefined where it could not be read; `problem` says why. */
  readonly status: EndpointStatus | undefined;
  readonly problem: string | undefined;
  readonly load: EndpointLoad;
  readonly record: EndpointRecord;
  readonly breakEven: BreakEven;
  /** US dollars; undefined where it was not entered. */
  readonly hourlyUsd: number | undefined;
  /** What a test request costs at most, as a text. */
  readonly probePrice: string;
  readonly hours: keyof typeof ranges;
  readonly nowMs: number;
}

export function endpointContent(input: EndpointPageInput): string {
  const { endpoint, status, problem, load, record, hours, nowMs, probePrice } = input;
  const range = rangeOf(hours, nowMs);
  const serves = isServing(endpoint.state);
  return html`<p class="actions">
      ${
        serves
          ? html`<button id="chat" data-act="chat">${t('Use in Chat')}</button>
              <button id="probe" data-act="probe" class="secondary">${t('Send Test Request ({0})', probePrice)}</button>`
          : none
      }
      <button id="price" data-act="price" class="secondary">${t('Set Price per Hour…')}</button>
    </p>
    ${problem === undefined ? none : html`<p class="problem" role="alert">${problem}</p>`}
    <dl>
      ${facts(endpoint, status, load, input).map(
        ([name, text]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
    <h2>${t('Compared with the shared model')}</h2>
    ${comparison(input).map(text => html`<p>${text}</p>`)}
    <h2>${t('Measured')}</h2>
    ${measurements(record, range)}
    <ul class="notes">
      <li>
        ${t('The figures are those of the calls of Splice on this computer and of test requests that you send: times and numbers of tokens, never a text. The latest {0} calls are kept.', numberText(2000, vscode.env.language))}
      </li>
      <li>
        ${t('The service publishes neither the price of a plan nor what is spent. Both come from the price per hour that you enter; the bill is authoritative.')}
      </li>
    </ul>`.text;
}

const locale = (): string => vscode.env.language;
const notKnown = (): string => t('not known');

function facts(
  endpoint: ListedEndpoint,
  status: EndpointStatus | undefined,
  { running, waiting }: EndpointLoad,
  { breakEven, nowMs, hourlyUsd }: EndpointPageInput,
): [string, string][] {
  const look = appearanceOf(endpoint.state, t);
  const plan = [endpoint.planName, endpoint.modelHardware, endpoint.modelId]
    .flatMap(text => (text === undefined ? [] : labelText(text)))
    .join(' · ');
  const rows: [string, string][] = [
    [t('State'), look.label],
    [t('Plan'), plan],
  ];
  if (isServing(endpoint.state)) {
    const most = status?.connection?.maxConcurrency;
    const inFlight =
      most === undefined
        ? t('{0} from this window', running)
        : t('{0} of {1} from this window', running, most);
    rows.push([
      t('Requests in flight'),
      waiting > 0 ? t('{0}, {1} waiting', inFlight, waiting) : inFlight,
    ]);
  }
  rows.push([t('Price per hour'), hourlyUsd === undefined ? notKnown() : formatUsd(hourlyUsd)]);
  const { spentUsd } = breakEven;
  const cap = status?.spendCapCents === undefined ? undefined : status.spendCapCents / 100;
  const spent = spentUsd === undefined ? notKnown() : sumUsd(spentUsd);
  rows.push([
    t('Spent since it was ready'),
    cap === undefined
      ? spent
      : spentUsd === undefined
        ? t('{0}; the cap is {1}', spent, formatUsd(cap))
        : t('{0} of the cap of {1} ({2})', spent, formatUsd(cap), percentOf(spentUsd, cap)),
  ]);
  const { activationDeadline, cancelEffectiveAt, readyAt, events = [] } = status ?? {};
  const timed = (at: number): string =>
    at > nowMs
      ? t('{0} (in {1})', dateTimeText(at, locale()), spanText(at - nowMs, t))
      : dateTimeText(at, locale());
  if (readyAt !== undefined) rows.push([t('Ready since'), timed(readyAt)]);
  else if (activationDeadline !== undefined) {
    rows.push([t('Activation deadline'), timed(activationDeadline)]);
  }
  const request = events.findLast(({ eventType }) => eventType === cancellationRequested);
  if (request) {
    const by = request.actorType === undefined ? notKnown() : actorLabel(request.actorType, t);
    rows.push([
      t('Canceled by'),
      request.createdAt === undefined
        ? by
        : t('{0}, {1}', by, dateTimeText(request.createdAt, locale())),
    ]);
  }
  if (cancelEffectiveAt !== undefined) rows.push([t('Serves until'), timed(cancelEffectiveAt)]);
  return rows;
}

const percentOf = (part: number, whole: number): string =>
  whole > 0 ? `${Math.floor((100 * part) / whole)}%` : '100%';

function comparison({ breakEven, hourlyUsd, record }: EndpointPageInput): string[] {
  const { sharedUsd, since, dedicatedUsd, tokensPerHour, evenTokensPerHour } = breakEven;
  if (record.calls.length === 0 && record.earlier.calls === 0) {
    return [t('No call of yours has been recorded yet.')];
  }
  const from = since === undefined ? notKnown() : dateTimeText(since, locale());
  const shared =
    sharedUsd === undefined
      ? t(
          'What your calls would have cost on the shared model is not known: the catalogue has no price for it.',
        )
      : dedicatedUsd === undefined
        ? t(
            'Since {0}, your calls would have cost {1} on the shared model.',
            from,
            sumUsd(sharedUsd),
          )
        : t(
            'Since {0}, your calls would have cost {1} on the shared model; the endpoint has cost {2} in that time.',
            from,
            sumUsd(sharedUsd),
            sumUsd(dedicatedUsd),
          );
  const even =
    evenTokensPerHour === undefined
      ? hourlyUsd === undefined
        ? t('The break-even is not known without the price per hour.')
        : t('The break-even is not known without a price of the shared model and calls of yours.')
      : tokensPerHour === undefined
        ? t('The break-even is at {0} tokens per hour.', shortNumber(evenTokensPerHour))
        : t(
            'The break-even is at {0} tokens per hour of the same mix; yours are {1}.',
            shortNumber(evenTokensPerHour),
            shortNumber(tokensPerHour),
          );
  return [shared, even];
}

function measurements(record: EndpointRecord, range: TimeRange): Html {
  const calls = callsWithin(record.calls, range);
  const buckets = bucketsOf(calls, range);
  if (buckets.length === 0) {
    return html`<p class="empty">${t('No call in this time. Use the endpoint in the chat, or send a test request.')}</p>`;
  }
  const all = figuresByMeasure(calls);
  return html`<div class="charts">
      ${measures.map(measure => figure(measure, all[measure], buckets, range))}
    </div>
    <details id="figures">
      <summary>${t('Figures as a table')}</summary>
      ${table(buckets)}
    </details>`;
}

function titleOf(measure: Measure): string {
  const titles = {
    latency: t('Latency'),
    first: t('First token'),
    speed: t('Tokens per second'),
  };
  return titles[measure];
}

const valueText = (measure: Measure, value: number): string =>
  measure === 'speed' ? numberText(Number(value.toPrecision(3)), locale()) : latencyText(value);

const size = { width: 480, height: 96 };

/** The median of each part of the time as a line, and what 95% keep as a bar; test requests are hollow. */
function figure(
  measure: Measure,
  all: Figures | undefined,
  buckets: readonly Bucket[],
  range: TimeRange,
): Html {
  const title = titleOf(measure);
  if (!all) {
    return html`<figure class="chart"><figcaption>${t('{0}: not measured', title)}</figcaption></figure>`;
  }
  const { marks, max } = chartOf(buckets, measure, range, size);
  const values = [valueText(measure, all.median), valueText(measure, all.bound)] as const;
  const summary =
    measure === 'speed'
      ? t('{0}: median {1}, 95% above {2}', title, ...values)
      : t('{0}: median {1}, 95% below {2}', title, ...values);
  const { width, height } = size;
  return html`<figure class="chart">
    <figcaption>${summary}</figcaption>
    <svg viewBox="0 -2 ${width} ${height + 3}" preserveAspectRatio="none" role="img" aria-label="${summary}">
      <rect class="line" x="0" y="${height}" width="${width}" height="1" />
      <rect class="line faint" x="0" y="0" width="${width}" height="0.5" />
      ${marks.map(({ bucket, figures, x, width: wide, y, top }) => {
        const label = `${recentTimeText(bucket.from, range.to, locale())}: ${valueText(measure, figures.median)}`;
        const [left, mark] = [x + wide / 8, Math.max(3, (3 * wide) / 4)];
        const kind = bucket.probes === bucket.calls ? 'probe' : 'used';
        return html`<g class="${kind}"><rect class="range" x="${left}" y="${top}" width="${mark}" height="${height - top}" /><rect class="median" x="${left}" y="${y - 1.5}" width="${mark}" height="3"><title>${label}</title></rect></g>`;
      })}
    </svg>
    <p class="axis" aria-hidden="true">
      <span>${recentTimeText(range.from, range.to, locale())}</span>
      <span>${t('up to {0}', valueText(measure, max))}</span>
      <span>${recentTimeText(range.to, range.to, locale())}</span>
    </p>
  </figure>`;
}

function table(buckets: readonly Bucket[]): Html {
  const heads = [t('Calls'), t('Failed'), t('Test requests'), ...measures.map(titleOf)];
  return html`<div class="scroll" role="region" aria-labelledby="caption" tabindex="0">
    <table class="cards">
      <caption id="caption">
        ${t('Median of each part of the time, and what 95% of its calls keep')}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t('From')}</th>
          ${heads.map(head => html`<th scope="col" class="number">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${buckets.toReversed().map(
          ({ from, calls, failed, probes, figures }) =>
            html`<tr>
              <th scope="row">${exactTimeText(from, locale())}</th>
              ${[
                ...[calls, failed, probes].map(count => numberText(count, locale())),
                ...measures.map(measure => cell(measure, figures[measure])),
              ].map(
                (text, at) => html`<td class="number" data-title="${heads[at] ?? ''}">${text}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const cell = (measure: Measure, figures: Figures | undefined): string =>
  figures ? `${valueText(measure, figures.median)} / ${valueText(measure, figures.bound)}` : '–';
