import { numberText } from '../base/format/numbers';
import { labelText } from '../base/format/text';
import { spanText, whenText } from '../base/format/times';
import { contextValue } from '../platform/commands/contextValue';
import type { RowData } from '../platform/tree/rows';
import type { FineTuningJob } from '../service';
import type { JobFlag } from './jobRows';
import {
  detailsOf,
  errorRow,
  iconOf,
  type JobRowsInput,
  optional,
  timeRow,
  unknownNote,
  withMore,
} from './jobRows';
import { statusLabel } from './status';

export function tuningRows(
  input: JobRowsInput<FineTuningJob> & { readonly chosen: ReadonlySet<string> },
): RowData[] {
  return withMore(input, job => tuningRow(job, input));
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
  const words = statusLabel(status, t);
  const name = labelText(fineTunedModel ?? suffix ?? id);
  const scores = [
    ...(result?.accuracy === undefined ? [] : [t('accuracy {0}', percent(result.accuracy))]),
    ...(result?.f1Score === undefined ? [] : [t('F1 {0}', result.f1Score.toFixed(3))]),
  ];
  const when = createdAt === undefined ? [] : [whenText(createdAt, nowMs, locale)];
  const isTrained = status === 'succeeded' && fineTunedModel !== undefined;
  const isChosen = fineTunedModel !== undefined && chosen.has(fineTunedModel);
  const flags: [JobFlag, ...JobFlag[]] = ['job', 'tuning'];
  if (isTrained) flags.push(isChosen ? 'chosen' : 'trained');
  const chosenText = isTrained && isChosen ? [t('used as a reflex')] : [];
  const children: RowData[] = [
    ...(scores.length === 0
      ? []
      : [
          row('scores', t('Result'), scores.join(' · '), 'graph', {
            tooltip: t(
              'Accuracy: share of examples that were classified correctly. F1: balance of precision and recall.',
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
      row('examples', t('Examples'), numberText(value), 'database'),
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
    context: contextValue(...flags),
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
