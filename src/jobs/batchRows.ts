import { numberText } from '../base/format/numbers';
import { labelText, type Translate } from '../base/format/text';
import { exactTimeText, whenText } from '../base/format/times';
import { batchRunIcon } from '../contracts/batchRunIcon';
import type { BatchRunSummary } from '../contracts/batchRuns';
import { contextValue } from '../platform/commands/contextValue';
import type { RowData } from '../platform/tree/rows';
import type { Batch } from '../service';
import type { JobFlag } from './jobRows';
import {
  countsText,
  type Detail,
  detailsOf,
  errorRow,
  iconOf,
  type JobRowsInput,
  optional,
  timeRow,
  unknownNote,
  withMore,
} from './jobRows';
import { runLabel, statusLabel } from './status';

export interface BatchRowsInput extends JobRowsInput<Batch> {
  /** Batch runs that were started here. */
  readonly runs: readonly BatchRunSummary[];
  /** Lists the actions for a run. */
  readonly runCommand: string;
}

export function batchRows(input: BatchRowsInput): RowData[] {
  const { runs, runCommand, t, locale } = input;
  const own: RowData[] =
    runs.length === 0
      ? []
      : [
          {
            id: 'runs',
            context: contextValue<JobFlag>('group'),
            label: t('Started Here'),
            description: `${runs.length}`,
            fold: 'open',
            children: runs.map(run => runRow(run, runCommand, t, locale)),
          },
        ];
  return [...own, ...withMore(input, batch => batchRow(batch, input))];
}

function runRow(
  { id, title, state, problem, total, completed, failed, startedAt }: BatchRunSummary,
  runCommand: string,
  t: Translate,
  locale: string | undefined,
): RowData {
  const name = labelText(title);
  const words = runLabel(state, t);
  const counts = countsText({ total, completed, failed }, t);
  const reason = problem === undefined ? [] : [labelText(problem, 200)];
  return {
    id: `run:${id}`,
    context: contextValue<JobFlag>('run'),
    label: name,
    description: [words, ...counts].join(' · '),
    tooltip: [
      name,
      words,
      ...reason,
      ...counts,
      exactTimeText(startedAt, locale),
      labelText(id),
    ].join('\n'),
    spoken: [t('Batch Classify of {0}', name), words, ...reason, ...counts].join(', '),
    icon: batchRunIcon(state, failed),
    value: id,
    command: { id: runCommand, title: t('Show Actions'), args: [{ id }] },
  };
}

function batchRow(batch: Batch, { nowMs, t, locale }: BatchRowsInput): RowData {
  const { id, status, model, endpoint, requestCounts, usage, createdAt, errors, metadata } = batch;
  const row = detailsOf(id);
  const counts = countsText(requestCounts ?? {}, t);
  const when = createdAt === undefined ? [] : [whenText(createdAt, nowMs, locale)];
  const words = statusLabel(status, t);
  const name = labelText(id);
  const children: RowData[] = [
    ...(counts.length === 0 ? [] : [row('counts', t('Requests'), counts.join(' · '), 'checklist')]),
    ...optional(
      usage,
      ({ promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens }) =>
        row(
          'usage',
          t('Tokens'),
          t('{0} in, {1} out', numberText(promptTokens), numberText(completionTokens)),
          'symbol-numeric',
          {
            tooltip: [
              t('{0} in all', numberText(totalTokens)),
              ...(cachedTokens === undefined
                ? []
                : [t('{0} of the input from the cache', numberText(cachedTokens))]),
              ...(reasoningTokens === undefined
                ? []
                : [t('{0} of the output for reasoning', numberText(reasoningTokens))]),
            ].join('\n'),
          },
        ),
    ),
    ...optional(model, value => row('model', t('Model'), labelText(value), 'symbol-misc')),
    ...optional(endpoint, value => row('path', t('For'), labelText(value), 'link')),
    ...optional(batch.completionWindow, value =>
      row('window', t('Window'), labelText(value, 20), 'watch'),
    ),
    ...timeRows(batch, row, nowMs, t, locale),
    ...optional(batch.inputFileId, value =>
      row('input', t('Input file'), labelText(value), 'file'),
    ),
    ...optional(batch.outputFileId, value =>
      row('output', t('Output file'), labelText(value), 'file'),
    ),
    ...optional(batch.errorFileId, value =>
      row('errorFile', t('Error file'), labelText(value), 'file'),
    ),
    ...Object.entries(metadata).map(([key, value], at) =>
      row(`metadata/${at}`, labelText(key, 40), labelText(value, 120), 'tag'),
    ),
    ...optional(errors, value => errorRow(value, row, t)),
  ];
  return {
    id,
    subject: id,
    value: id,
    context: contextValue<JobFlag>('job', 'batch'),
    label: name,
    // The icon already shows success, and side bars are narrow.
    description: [
      ...(status === 'completed' && counts.length > 0 ? [] : [words]),
      ...counts,
      ...(model === undefined ? [] : [labelText(model, 40)]),
      ...when,
    ].join(' · '),
    tooltip: [
      name,
      words,
      ...unknownNote(status, t),
      ...counts,
      ...(createdAt === undefined ? [] : [exactTimeText(createdAt, locale)]),
    ].join('\n'),
    spoken: [t('Batch {0}', name), words, ...counts, ...when].join(', '),
    icon: iconOf(status, requestCounts?.failed),
    fold: 'closed',
    children,
  };
}

function timeRows(
  batch: Batch,
  row: Detail,
  nowMs: number,
  t: Translate,
  locale: string | undefined,
): RowData[] {
  const times: [key: string, label: string, at: number | undefined][] = [
    ['createdAt', t('Created'), batch.createdAt],
    ['inProgressAt', t('Started'), batch.inProgressAt],
    ['finalizingAt', t('Finalizing'), batch.finalizingAt],
    ['completedAt', t('Completed'), batch.completedAt],
    ['failedAt', t('Failed'), batch.failedAt],
    ['cancellingAt', t('Cancelling'), batch.cancellingAt],
    ['cancelledAt', t('Cancelled'), batch.cancelledAt],
    ['expiredAt', t('Expired'), batch.expiredAt],
    [
      'expiresAt',
      t('Expires'),
      (batch.completedAt ?? batch.failedAt ?? batch.cancelledAt ?? batch.expiredAt)
        ? undefined
        : batch.expiresAt,
    ],
  ];
  return times.flatMap(([key, label, at]) =>
    at === undefined ? [] : [timeRow(key, label, at, row, nowMs, locale)],
  );
}
