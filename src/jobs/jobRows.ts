import type { RowData } from '../host/rows';
import { runIcon } from '../host/runIcons';
import type { Run } from '../host/runs';
import {
  type Translate,
  clockText,
  exactTimeText,
  labelText,
  spanText,
  whenText,
} from '../host/words';
import type { Batch } from '../service/wire/batches';
import type { FineTuningJob } from '../service/wire/fineTuning';
import type { JobPages, Listed } from './jobList';
import { isKnown, runWords, statusLook, statusWords } from './status';

export interface JobRowsInput<T> {
  readonly pages: JobPages<T>;
  /** Statuses that are shown; all when empty. */
  readonly filter: ReadonlySet<string>;
  readonly nowMs: number;
  readonly t: Translate;
  readonly locale?: string | undefined;
  /** Loads the next page. */
  readonly moreCommand: string;
}

export interface BatchRowsInput extends JobRowsInput<Batch> {
  /** What this extension has under way itself. */
  readonly runs: readonly Run[];
  /** Lists what can be done with a run. */
  readonly runCommand: string;
}

/** `;status;` of those that have none. */
export const statusKey = ({ status }: Listed): string => status ?? '';

export function batchRows(input: BatchRowsInput): RowData[] {
  const { runs, runCommand, t } = input;
  const own: RowData[] =
    runs.length === 0
      ? []
      : [
          {
            id: 'runs',
            context: ';group;',
            label: t('Started Here'),
            description: `${runs.length}`,
            fold: 'open',
            children: runs.map(run => runRow(run, runCommand, t)),
          },
        ];
  return [...own, ...withMore(input, batch => batchRow(batch, input))];
}

export function tuningRows(
  input: JobRowsInput<FineTuningJob> & { readonly chosen: ReadonlySet<string> },
): RowData[] {
  return withMore(input, job => tuningRow(job, input));
}

function withMore<T extends Listed>(
  { pages, filter, moreCommand, t }: JobRowsInput<T>,
  toRow: (item: T) => RowData,
): RowData[] {
  const shown = pages.items.filter(item => filter.size === 0 || filter.has(statusKey(item)));
  const rows = shown.map(toRow);
  if (!pages.hasMore) return rows;
  const count = pages.items.length;
  const description =
    filter.size === 0 ? t('{0} so far', count) : t('{0} of {1} so far', shown.length, count);
  return [
    ...rows,
    {
      id: 'more',
      context: ';more;',
      label: t('Load more…'),
      description,
      icon: { id: 'ellipsis' },
      command: { id: moreCommand, title: t('Load more…') },
    },
  ];
}

function runRow(
  { id, title, state, problem, total, completed, failed, startedAt }: Run,
  runCommand: string,
  t: Translate,
): RowData {
  const name = labelText(title);
  const words = runWords(state, t);
  const counts = countsText({ total, completed, failed }, t);
  const reason = problem === undefined ? [] : [labelText(problem, 200)];
  return {
    id: `run:${id}`,
    context: ';run;',
    label: name,
    description: [words, ...counts].join(' · '),
    tooltip: [name, words, ...reason, ...counts, exactTimeText(startedAt), labelText(id)].join(
      '\n',
    ),
    spoken: [t('Batch Classify of {0}', name), words, ...reason, ...counts].join(', '),
    icon: runIcon(state, failed),
    value: id,
    command: { id: runCommand, title: t('Show Actions'), args: [{ id }] },
  };
}

/** @param failed requests: a batch that is completed with some of them is not all well. */
function iconOf(status: string | undefined, failed = 0): { id: string; color?: string } {
  if (status === 'completed' && failed > 0) return runIcon('done', failed);
  const { icon, color } = statusLook(status);
  return { id: icon, ...(color === undefined ? {} : { color }) };
}

/** What a `?` in front of a row means. */
const unknownNote = (status: string | undefined, t: Translate): string[] =>
  isKnown(status) ? [] : [t('This version of Splice does not know the status.')];

/** `120 of 500`, and failures where there are some. */
function countsText(
  counts: {
    total?: number | undefined;
    completed?: number | undefined;
    failed?: number | undefined;
  },
  t: Translate,
): string[] {
  const { total, completed, failed } = counts;
  const done =
    completed === undefined
      ? []
      : [
          total === undefined
            ? t('{0} done', number(completed))
            : t('{0} of {1}', number(completed), number(total)),
        ];
  return [
    ...done,
    ...(failed === undefined || failed === 0 ? [] : [t('{0} failed', number(failed))]),
  ];
}

const number = (value: number): string => value.toLocaleString('en-US');

type Detail = (
  key: string,
  label: string,
  value: string,
  icon: string,
  more?: Partial<RowData>,
) => RowData;

function detailsOf(id: string): Detail {
  return (key, label, value, icon, more = {}) => ({
    id: `${id}/${key}`,
    subject: id,
    context: ';detail;',
    label,
    description: value,
    icon: { id: icon },
    value,
    ...more,
  });
}

/** A row for a value that is there. */
function optional<V>(value: V | undefined, row: (value: V) => RowData): RowData[] {
  return value === undefined ? [] : [row(value)];
}

function batchRow(batch: Batch, { nowMs, t, locale }: BatchRowsInput): RowData {
  const { id, status, model, endpoint, requestCounts, usage, createdAt, errors, metadata } = batch;
  const row = detailsOf(id);
  const counts = countsText(requestCounts ?? {}, t);
  const when = createdAt === undefined ? [] : [whenText(createdAt, nowMs, locale)];
  const words = statusWords(status, t);
  const name = labelText(id);
  const children: RowData[] = [
    ...(counts.length === 0 ? [] : [row('counts', t('Requests'), counts.join(' · '), 'checklist')]),
    ...optional(
      usage,
      ({ promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens }) =>
        row(
          'usage',
          t('Tokens'),
          t('{0} in, {1} out', number(promptTokens), number(completionTokens)),
          'symbol-numeric',
          {
            tooltip: [
              t('{0} in all', number(totalTokens)),
              ...(cachedTokens === undefined
                ? []
                : [t('{0} of the input from the cache', number(cachedTokens))]),
              ...(reasoningTokens === undefined
                ? []
                : [t('{0} of the output for reasoning', number(reasoningTokens))]),
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
    context: ';job;batch;',
    label: name,
    // The icon tells the good end, and side bars are narrow.
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

function timeRow(
  key: string,
  label: string,
  at: number,
  row: Detail,
  nowMs: number,
  locale: string | undefined,
): RowData {
  const day = whenText(at, nowMs, locale);
  const clock = clockText(at, locale);
  return row(key, label, day === clock ? clock : `${day}, ${clock}`, 'calendar', {
    tooltip: exactTimeText(at, locale),
    value: new Date(at).toISOString(),
  });
}

/** Of a shape that is not documented, so it is shown as it is. */
function errorRow(value: unknown, row: Detail, t: Translate): RowData {
  const json = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return row('error', t('Error'), labelText(json, 200), 'error', {
    icon: { id: 'error', color: 'testing.iconFailed' },
    tooltip: labelText(json, 2000),
    context: ';error;',
    value: json,
  });
}

function tuningRow(
  job: FineTuningJob,
  {
    nowMs,
    t,
    locale,
    chosen,
  }: JobRowsInput<FineTuningJob> & { readonly chosen: ReadonlySet<string> },
): RowData {
  const {
    id,
    status,
    fineTunedModel,
    suffix,
    labels,
    result,
    createdAt,
    finishedAt,
    hyperparameters,
  } = job;
  const row = detailsOf(id);
  const words = statusWords(status, t);
  const name = labelText(fineTunedModel ?? suffix ?? id);
  const scores = [
    ...(result?.accuracy === undefined ? [] : [t('accuracy {0}', percent(result.accuracy))]),
    ...(result?.f1Score === undefined ? [] : [t('F1 {0}', result.f1Score.toFixed(3))]),
  ];
  const when = createdAt === undefined ? [] : [whenText(createdAt, nowMs, locale)];
  const isTrained = status === 'succeeded' && fineTunedModel !== undefined;
  const isChosen = fineTunedModel !== undefined && chosen.has(fineTunedModel);
  const flags = ['job', 'tuning', ...(isTrained ? [isChosen ? 'chosen' : 'trained'] : [])];
  const chosenText = isTrained && isChosen ? [t('used as reflex')] : [];
  const children: RowData[] = [
    ...(scores.length === 0
      ? []
      : [
          row('scores', t('Result'), scores.join(' · '), 'graph', {
            tooltip: t(
              'Accuracy: share of examples that were classified right. F1: balance of precision and recall.',
            ),
          }),
        ]),
    ...optional(fineTunedModel, value =>
      row('trained', t('Classifier'), labelText(value), 'tag', { value }),
    ),
    ...(labels.length === 0
      ? []
      : [row('labels', t('Classes'), labelText(labels.join(', '), 200), 'list-unordered')]),
    ...optional(job.trainedExamples, value =>
      row('examples', t('Examples'), number(value), 'database'),
    ),
    ...optional(job.model, value => row('base', t('Base'), labelText(value), 'symbol-misc')),
    ...optional(hyperparameters, ({ epochs, batchSize, learningRateMultiplier }) =>
      row(
        'hyperparameters',
        t('Parameters'),
        [
          ...(epochs === undefined ? [] : [t('epochs {0}', setting(epochs))]),
          ...(batchSize === undefined ? [] : [t('batch size {0}', setting(batchSize))]),
          ...(learningRateMultiplier === undefined
            ? []
            : [t('learning rate × {0}', setting(learningRateMultiplier))]),
        ].join(' · '),
        'settings',
      ),
    ),
    ...optional(createdAt, at => timeRow('createdAt', t('Created'), at, row, nowMs, locale)),
    ...optional(finishedAt, at => {
      const finished = timeRow('finishedAt', t('Finished'), at, row, nowMs, locale);
      if (createdAt === undefined) return finished;
      const took = t('took {0}', spanText(Math.max(0, at - createdAt), t));
      return { ...finished, description: `${finished.description} · ${took}` };
    }),
    row('id', t('Job'), labelText(id), 'symbol-key', { value: id }),
    ...optional(job.error, value => errorRow(value, row, t)),
  ];
  return {
    id,
    subject: id,
    value: id,
    context: `;${flags.join(';')};`,
    label: name,
    description: [
      ...(isTrained && scores.length > 0 ? [] : [words]),
      ...chosenText,
      ...scores,
      ...when,
    ].join(' · '),
    tooltip: [
      name,
      words,
      ...unknownNote(status, t),
      ...chosenText,
      ...scores,
      labelText(labels.join(', '), 200),
      labelText(id),
    ]
      .filter(Boolean)
      .join('\n'),
    spoken: [t('Fine-tuning {0}', name), words, ...chosenText, ...scores, ...when].join(', '),
    icon: iconOf(status),
    fold: 'closed',
    children,
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
const setting = (value: number | string): string =>
  typeof value === 'number' ? `${value}` : labelText(value, 20);
