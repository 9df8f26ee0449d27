import assert from 'node:assert/strict';
import type { BatchRunState } from '../../../src/contracts/batchRuns';
import { batchRows } from '../../../src/jobs/batchRows';
import { iconOf } from '../../../src/jobs/jobRows';
import { tuningRows } from '../../../src/jobs/tuningRows';
import { startMs, t } from '../endpoints/core/support';

const common = { filter: new Set<string>(), nowMs: startMs, t, moreCommand: 'more' };

const only = <T>(items: readonly T[]) => ({ items, unreadable: 0, hasMore: false });

/** What the user sees and hears of a row, and which menus it has. */
const seen = (row: ReturnType<typeof batchRows>[number] | undefined) =>
  [row?.icon?.id, row?.icon?.color ?? '', row?.description, row?.spoken, row?.context] as const;

const passed = 'testing.iconPassed';
const broken = 'testing.iconFailed';
const yellow = 'problemsWarningIcon.foreground';
const grey = 'disabledForeground';

describe('the status of a job', () => {
  // The service document shows `queued`, `in_progress`, `completed` and `succeeded`; the others are common.
  const statuses: [status: string | undefined, icon: string, color: string, words: string][] = [
    ['queued', 'clock', '', 'queued'],
    ['validating', 'loading~spin', '', 'validating'],
    ['validating_files', 'loading~spin', '', 'validating files'],
    ['in_progress', 'loading~spin', '', 'in progress'],
    ['running', 'loading~spin', '', 'running'],
    ['finalizing', 'loading~spin', '', 'finalizing'],
    ['cancelling', 'loading~spin', '', 'canceling'],
    ['paused', 'debug-pause', '', 'paused'],
    ['completed', 'pass-filled', passed, 'completed'],
    ['succeeded', 'pass-filled', passed, 'succeeded'],
    ['failed', 'error', broken, 'failed'],
    ['expired', 'error', broken, 'expired'],
    ['cancelled', 'circle-slash', grey, 'canceled'],
    ['canceled', 'circle-slash', grey, 'canceled'],
    ['hiber_nating', 'question', '', 'hiber_nating'],
    ['', 'question', '', 'no status'],
    [undefined, 'question', '', 'no status'],
  ];
  for (const [status, icon, color, words] of statuses) {
    it(`${status} of a batch: ${icon}, "${words}"`, () => {
      const [row] = batchRows({
        ...common,
        pages: only([{ id: 'b', status, metadata: {} }]),
        runs: [],
        runCommand: 'runs',
      });
      assert.deepEqual(seen(row), [icon, color, words, `Batch b, ${words}`, ';job;batch;']);
      assert.equal(/does not know/.test(row?.tooltip ?? ''), icon === 'question');
    });

    it(`${status} of a fine-tuning job: ${icon}, "${words}"`, () => {
      const [row] = tuningRows({
        ...common,
        pages: only([{ id: 'f', status, labels: [], fineTunedModel: 'tone' }]),
        chosen: new Set(),
      });
      const context = status === 'succeeded' ? ';job;tuning;trained;' : ';job;tuning;';
      assert.deepEqual(seen(row), [icon, color, words, `Fine-tuning tone, ${words}`, context]);
      assert.equal(/does not know/.test(row?.tooltip ?? ''), icon === 'question');
    });
  }

  it('is a warning where a batch is completed and some of its requests have failed', () => {
    const requestCounts = { total: 9, completed: 7, failed: 2 };
    const [row] = batchRows({
      ...common,
      pages: only([{ id: 'b', status: 'completed', requestCounts, metadata: {} }]),
      runs: [],
      runCommand: 'runs',
    });
    assert.deepEqual(seen(row).slice(0, 3), ['warning', yellow, '7 of 9 · 2 failed']);
    assert.deepEqual(iconOf('failed', 2), { id: 'error', color: broken });
    assert.deepEqual(iconOf('completed', 0), { id: 'pass-filled', color: passed });
  });
});

const runRow = (state: BatchRunState, failed = 0, problem?: string) =>
  batchRows({
    ...common,
    pages: only([]),
    runs: [
      { id: 'r', title: 'a.csv', state, problem, total: 4, completed: 4, failed, startedAt: 0 },
    ],
    runCommand: 'runs',
  })[0]?.children?.[0];

describe('the state of a run of this extension', () => {
  const states: [state: BatchRunState, icon: string, color: string, words: string][] = [
    ['uploading', 'cloud-upload', '', 'uploading'],
    ['following', 'loading~spin', '', 'in progress'],
    ['fetching', 'cloud-download', '', 'reading the results'],
    ['done', 'pass-filled', passed, 'completed'],
    ['stopped', 'circle-slash', grey, 'stopped'],
    ['failed', 'error', broken, 'failed'],
    ['noResults', 'warning', yellow, 'classified, but the service serves no results'],
  ];
  for (const [state, icon, color, words] of states)
    it(`${state}: ${icon}, "${words}", and a click lists what can be done`, () => {
      const row = runRow(state);
      assert.deepEqual(seen(row), [
        icon,
        color,
        `${words} · 4 of 4`,
        `Batch Classify of a.csv, ${words}, 4 of 4`,
        ';run;',
      ]);
      assert.deepEqual([row?.command?.id, row?.command?.args], ['runs', [{ id: 'r' }]]);
    });

  it('is a warning where rows have failed, and names the reason of a failure', () => {
    assert.equal(runRow('done', 2)?.icon?.id, 'warning');
    assert.match(runRow('failed', 0, 'The file has changed.')?.spoken ?? '', /, The file has/);
  });
});
