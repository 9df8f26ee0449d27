import * as vscode from 'vscode';
import { columnUsd, sumUsd } from '../../base/format/money';
import { numberText, percentText } from '../../base/format/numbers';
import { labelText } from '../../base/format/text';
import { dateTimeText, durationText } from '../../base/format/times';
import { type Html, html } from '../../platform/webview/html';
import {
  doubtfulSteps,
  openSteps,
  type PromptRow,
  type RunPlan,
  runSteps,
  type StepState,
  type StepStates,
  spentUsd,
  stepOf,
} from '../core/run';
import { Scorer } from '../core/score';
import { evaluationOf, targetSummary, tokensPerSecond } from '../core/summary';
import { evaluationTables } from './evaluationTables';
import { figuresTable } from './figuresTable';

const { t } = vscode.l10n;
const none = html``;
const locale = (): string => vscode.env.language;

/** More rows are in the saved results only. */
const maxShownRows = 100;
const maxShownChars = 600;

export interface ShownRun {
  readonly plan: RunPlan;
  readonly states: StepStates;
  readonly isRunning: boolean;
  /** Why the run ended before all was sent. */
  readonly note?: string | undefined;
}

/** A button of the results. The id keeps the focus while the results change. */
const button = (act: string, label: string, at = '', description = ''): Html =>
  html`<button
    id="${act}-${at}"
    data-act="${act}"
    value="${at}"
    class="secondary"
    ${description === '' ? none : html`aria-label="${label}: ${description}"`}
  >${label}</button>`;

/** The results of a run, and a line for screen readers. */
export function runContent(run: ShownRun): { html: string; status: string } {
  const { plan, states, isRunning, note } = run;
  const steps = runSteps(plan);
  const answered = steps.filter(({ id }) => states.get(id)?.kind === 'done').length;
  const status = t(
    '{0} of {1} answered, {2} so far',
    numberText(answered, locale()),
    numberText(steps.length, locale()),
    sumUsd(spentUsd(states)),
  );
  const body = html`<h2>${plan.title}</h2>
    <p class="quiet">${dateTimeText(plan.createdAt, locale())}</p>
    <p class="row">
      <progress max="${steps.length}" value="${answered}" aria-label="${t('Answers')}"></progress>
      <span>${status}</span>
      ${actions(run)}
    </p>
    ${note === undefined ? none : html`<p class="note">${note}</p>`}
    ${isRunning ? none : doubt(plan, states)}
    ${summaryTable(plan, states)}
    ${plan.targets.map((target, at) =>
      target.kind === 'reflex' && answered > 0
        ? evaluationTables(target.label, evaluationOf(plan, states, at))
        : none,
    )}
    ${rowsTable(run)}`;
  return { html: body.text, status };
}

function actions({ plan, states, isRunning }: ShownRun): Html[] {
  if (isRunning) return [button('cancel', t('Cancel'))];
  const open = openSteps(plan, states).length;
  return [
    ...(open > 0 ? [button('resume', t('Send the {0} Left…', numberText(open, locale())))] : []),
    button('save', t('Save Results…')),
    button('delete', t('Delete Run…')),
  ];
}

function doubt(plan: RunPlan, states: StepStates): Html {
  const count = doubtfulSteps(plan, states).length;
  if (count === 0) return none;
  const text =
    count === 1
      ? t(
          '1 call was sent and has no answer. It may have been billed, so it is not sent again by itself.',
        )
      : t(
          '{0} calls were sent and have no answer. They may have been billed, so they are not sent again by themselves.',
          numberText(count, locale()),
        );
  return html`<p class="note row"><span>${text}</span> ${button('again', t('Send Again…'))}</p>`;
}

function summaryTable(plan: RunPlan, states: StepStates): Html {
  const scorer = new Scorer(plan, t);
  const titles = [
    t('Answers'),
    t('Latency'),
    t('First token'),
    t('Tokens per second'),
    t('Cost'),
    t('Score'),
  ];
  const rows = plan.targets.map((target, at) => {
    const sum = targetSummary(plan, states, at, scorer);
    const cells = [
      t('{0} of {1}', sum.answers, plan.rows.length),
      time(sum.medianMs),
      time(sum.medianFirstMs),
      sum.medianSpeed === undefined ? '–' : numberText(Math.round(sum.medianSpeed), locale()),
      sum.answers > sum.unpriced ? columnUsd(sum.usd, locale()) : '–',
      sum.scored === 0
        ? '–'
        : t('{0} of {1} ({2})', sum.passed, sum.scored, percentText(sum.passed / sum.scored)),
    ];
    return html`<tr>
      <th scope="row">${labelText(target.label)}</th>
      ${cells.map((text, n) => html`<td class="number" data-title="${titles[n] ?? ''}">${text}</td>`)}
    </tr>`;
  });
  const caption = t('By model: medians, and sums of costs');
  return figuresTable(caption, [t('Model'), ...titles], rows);
}

function rowsTable({ plan, states, isRunning }: ShownRun): Html {
  const scorer = new Scorer(plan, t);
  const failed = (row: number): boolean =>
    plan.targets.some((_, target) => scorer.score(states, row, target)?.isPassed === false);
  const all = plan.rows.map((prompt, row) => ({ prompt, row, isFailed: failed(row) }));
  // In many rows, those that are wrong are what the user looks for.
  const sorted =
    all.length > maxShownRows
      ? [...all.filter(({ isFailed }) => isFailed), ...all.filter(({ isFailed }) => !isFailed)]
      : all;
  const more = all.length - maxShownRows;
  return html`<div class="scroll" role="region" aria-labelledby="answers" tabindex="0">
      <table class="cards answers">
        <caption id="answers">
          ${t('Answers by prompt')}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t('Prompt')}</th>
            ${plan.targets.map(({ label }) => html`<th scope="col">${labelText(label)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${sorted.slice(0, maxShownRows).map(
            ({ prompt, row }) =>
              html`<tr>
                ${promptCell(plan, states, prompt, row)}
                ${plan.targets.map(({ label }, target) =>
                  cell({ plan, states, isRunning }, scorer, {
                    row,
                    target,
                    label: labelText(label),
                  }),
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      more > 0
        ? html`<p class="quiet">
            ${t(
              'The first {0} of {1} prompts, wrong answers first. Saved results have all of them.',
              maxShownRows,
              numberText(all.length, locale()),
            )}
          </p>`
        : none
    }`;
}

function promptCell(plan: RunPlan, states: StepStates, prompt: PromptRow, row: number): Html {
  const answers = plan.targets.filter(
    ({ kind }, target) => kind !== 'reflex' && states.get(stepOf(row, target).id)?.kind === 'done',
  );
  const { expected, line } = prompt;
  return html`<th scope="row">
    ${line === undefined ? none : html`<small>${t('Line {0}', line)}</small>`}
    <div class="text">${shortened(prompt.text)}</div>
    ${
      expected === undefined
        ? none
        : html`<small>${t('Expected: {0}', shortened(typeof expected === 'string' ? expected : JSON.stringify(expected)))}</small>`
    }
    ${
      answers.length > 1
        ? button('compare', t('Compare Answers'), String(row), shortened(prompt.text, 60))
        : none
    }
  </th>`;
}

interface Place {
  readonly row: number;
  readonly target: number;
  readonly label: string;
}

function cell({ plan, states, isRunning }: ShownRun, scorer: Scorer, place: Place): Html {
  const { row, target, label } = place;
  const { id } = stepOf(row, target);
  const state = states.get(id);
  const scoring = states.get(stepOf(row, target, true).id);
  return html`<td data-title="${label}">
    ${state?.kind === 'done' ? answer(plan, state, place) : html`<p>${stateText(state, isRunning)}</p>`}
    ${state?.kind === 'done' ? score(scorer, states, place) : none}
    ${scoring && scoring.kind !== 'done' ? html`<p>${t('Score: {0}', stateText(scoring, isRunning))}</p>` : none}
    ${
      !isRunning && isDoubtful(state)
        ? button('again', t('Send Again…'), id, label)
        : !isRunning && isDoubtful(scoring)
          ? button('again', t('Send Again…'), stepOf(row, target, true).id, label)
          : none
    }
  </td>`;
}

const isDoubtful = (state: StepState | undefined): boolean =>
  state?.kind === 'unknown' || (state?.kind === 'failed' && state.isSent);

function answer(
  { targets }: RunPlan,
  { result }: Extract<StepState, { kind: 'done' }>,
  { row, target, label }: Place,
): Html {
  const isReflex = targets[target]?.kind === 'reflex';
  const speed = tokensPerSecond(result);
  const facts = [
    result.model,
    durationText(result.ms, t),
    result.firstMs === undefined ? '' : t('first token {0}', durationText(result.firstMs, t)),
    speed === undefined ? '' : t('{0} tokens/s', numberText(Math.round(speed), locale())),
    result.usd === undefined ? t('price not known') : columnUsd(result.usd, locale()),
    result.isCut === true ? t('stopped at the limit') : '',
  ].filter(Boolean);
  return html`<div class="text">${
    result.text === ''
      ? html`<em>${isReflex ? t('no label') : t('empty answer')}</em>`
      : shortened(result.text)
  }</div>
    <small>${facts.join(' · ')}</small>
    ${isReflex ? none : button('open', t('Open Answer'), stepOf(row, target).id, label)}`;
}

function score(scorer: Scorer, states: StepStates, { row, target }: Place): Html {
  const found = scorer.score(states, row, target);
  if (!found) return none;
  const { isPassed, text } = found;
  if (isPassed === undefined) return html`<p>${text}</p>`;
  return html`<p class="${isPassed ? 'passed' : 'failed'}">
    <span aria-hidden="true">${isPassed ? '✓' : '✗'}</span> ${text}
  </p>`;
}

function stateText(state: StepState | undefined, isRunning: boolean): string {
  if (state === undefined) return isRunning ? t('waiting') : t('not sent');
  if (state.kind === 'sent') return t('sent, waiting for the answer');
  if (state.kind === 'unknown') return t('not known: it was sent before the window closed');
  if (state.kind !== 'failed') return '';
  if (state.message !== '') return state.message;
  return state.isSent ? t('canceled; it may have been billed') : t('not sent');
}

const time = (ms: number | undefined): string => (ms === undefined ? '–' : durationText(ms, t));

const shortened = (text: string, max = maxShownChars): string =>
  text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
