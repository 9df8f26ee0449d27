import { tuningRows } from '../../../src/jobs/tuningRows';
import type { FineTuningJob } from '../../../src/service/wire/fineTuning';
import { assertApproved, outlineOf, useUtc } from '../../support/unit/approved';
import { hourMs, startMs, t } from '../endpoints/core/support';

const view = {
  filter: new Set<string>(),
  nowMs: startMs,
  t,
  locale: 'en-GB',
  moreCommand: 'more',
};

const jobs: FineTuningJob[] = [
  {
    id: 'ftjob-done',
    status: 'succeeded',
    model: 'reflex-base',
    fineTunedModel: 'tone-1',
    suffix: 'tone',
    labels: ['harsh', 'kind'],
    trainedExamples: 12_000,
    hyperparameters: { epochs: 3, batchSize: 'auto', learningRateMultiplier: 0.5 },
    result: { accuracy: 0.934, f1Score: 0.9125 },
    createdAt: startMs - 2 * hourMs,
    finishedAt: startMs - hourMs,
  },
  {
    id: 'ftjob-half',
    status: 'succeeded',
    fineTunedModel: 'tone-2',
    labels: [],
    result: { accuracy: 1 },
    finishedAt: startMs - hourMs,
    hyperparameters: { batchSize: 8 },
  },
  {
    id: 'ftjob-failed',
    status: 'failed',
    suffix: 'tone',
    labels: ['a'],
    error: { message: 'too few examples' },
  },
  { id: 'ftjob-queued', status: 'queued', labels: [], createdAt: startMs, hyperparameters: {} },
  { id: 'ftjob-odd', status: 'dreaming', labels: [], result: {} },
];

describe('the view of fine-tuning jobs', () => {
  useUtc();
  it('shows all that is known of each, and which is used', () => {
    const pages = { items: jobs, unreadable: 0, hasMore: false };
    assertApproved(
      'tuning',
      outlineOf(tuningRows({ ...view, pages, chosen: new Set(['tone-2']) })),
    );
  });
});
