import assert from 'node:assert/strict';
import type { BatchRunSummary } from '../../../src/contracts/batchRuns';
import { batchRows } from '../../../src/jobs/batchRows';
import type { Batch } from '../../../src/service/wire/batches';
import { assertApproved, outlineOf, useUtc } from '../../support/unit/approved';
import { dayMs, hourMs, minuteMs, startMs, t } from '../endpoints/core/support';

const view = {
  filter: new Set<string>(),
  nowMs: startMs,
  t,
  locale: 'en-GB',
  moreCommand: 'more',
};

const batches: Batch[] = [
  {
    id: 'batch_done',
    status: 'completed',
    model: 'svc-m',
    endpoint: '/v1/chat/completions',
    completionWindow: '24h',
    inputFileId: 'file-in',
    outputFileId: 'file-out',
    errorFileId: 'file-errors',
    requestCounts: { total: 1200, completed: 1197, failed: 3 },
    usage: {
      promptTokens: 12_345,
      completionTokens: 678,
      totalTokens: 13_023,
      cachedTokens: 5000,
      reasoningTokens: 12,
    },
    metadata: { job: 'nightly', 'owner\nof it': 'x'.repeat(130) },
    createdAt: startMs - dayMs,
    inProgressAt: startMs - dayMs + minuteMs,
    finalizingAt: startMs - dayMs + hourMs,
    completedAt: startMs - dayMs + hourMs + minuteMs,
    expiresAt: startMs + minuteMs,
  },
  {
    id: 'batch_all',
    status: 'completed',
    requestCounts: { total: 4, completed: 4, failed: 0 },
    metadata: {},
  },
  {
    id: 'batch_failed',
    status: 'failed',
    requestCounts: { completed: 7 },
    errors: { data: [{ message: 'bad line', line: 3 }] },
    metadata: {},
    createdAt: startMs - 5 * minuteMs,
    failedAt: startMs - minuteMs,
    expiresAt: startMs + dayMs,
  },
  {
    id: 'batch_running',
    status: 'in_progress',
    requestCounts: { total: 10, completed: 0, failed: 0 },
    metadata: {},
    createdAt: startMs - hourMs,
    inProgressAt: startMs - hourMs,
    expiresAt: startMs + 23 * hourMs,
  },
  {
    id: 'batch_cancelled',
    status: 'cancelled',
    metadata: {},
    cancellingAt: startMs - hourMs,
    cancelledAt: startMs,
  },
  {
    id: 'batch_expired',
    status: 'expired',
    metadata: {},
    errors: 'too late',
    expiredAt: startMs,
  },
  { id: 'batch_new', status: 'hiber_nating', metadata: {} },
  { id: 'batch_bare', metadata: {} },
];

const runs: BatchRunSummary[] = (
  ['uploading', 'following', 'fetching', 'done', 'stopped', 'failed', 'noResults'] as const
).map((state, at) => ({
  id: `run-${state}`,
  title: `tickets ${at}.csv`,
  state,
  total: 10,
  completed: at,
  failed: state === 'done' ? 2 : 0,
  startedAt: startMs - at * hourMs,
  ...(state === 'failed' ? { problem: 'The service refused the file.' } : {}),
}));

const show = (more: Partial<Parameters<typeof batchRows>[0]> = {}): string =>
  outlineOf(
    batchRows({
      ...view,
      pages: { items: batches, unreadable: 0, hasMore: false },
      runs: [],
      runCommand: 'runs',
      ...more,
    }),
  );

describe('the view of batches', () => {
  useUtc();

  it('shows all that is known of each', () => assertApproved('batches', show()));

  it('shows what this extension has under way above', () =>
    assertApproved(
      'batchRuns',
      show({ pages: { items: [], unreadable: 0, hasMore: false }, runs }),
    ));

  it('offers more, and says how much of it is shown', () => {
    const pages = { items: batches.slice(0, 2), unreadable: 0, hasMore: true };
    assertApproved('batchesMore', show({ pages }) + show({ pages, filter: new Set(['failed']) }));
  });

  it('shows only what the filter lets through, also what has no status', () => {
    const idsOf = (...statuses: string[]): string[] =>
      batchRows({
        ...view,
        pages: { items: batches, unreadable: 0, hasMore: false },
        runs: [],
        runCommand: 'runs',
        filter: new Set(statuses),
      }).map(({ id }) => id);
    assert.equal(idsOf().length, batches.length);
    assert.deepEqual(idsOf('failed', 'expired'), ['batch_failed', 'batch_expired']);
    assert.deepEqual(idsOf(''), ['batch_bare']);
  });
});
