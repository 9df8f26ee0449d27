import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { BatchRunSummary } from '../../../src/contracts/batchRuns';
import { batchRows } from '../../../src/jobs/batchRows';
import {
  type JobPages,
  type JobPaging,
  jobsPollIntervalMs,
  type ListedJob,
  nextPage,
  refreshPages,
} from '../../../src/jobs/jobList';
import { statusAppearance } from '../../../src/jobs/status';
import { tuningRows } from '../../../src/jobs/tuningRows';
import type { RowData } from '../../../src/platform/tree/rows';
import { startMs, t } from '../endpoints/core/support';

interface Job extends ListedJob {
  readonly status: string;
}

const size = 20;

/** A list as the service gives it, newest first; paged by offset or by last id. */
class Service {
  jobs: Job[] = [];
  reads = 0;

  add(count: number, status = 'completed'): void {
    for (let n = 0; n < count; n++)
      this.jobs.unshift({ id: `j${this.jobs.length}`, status, createdAt: startMs });
  }

  readonly byOffset: JobPaging<Job> = {
    overlaps: true,
    read: async known => this.#page(Math.max(0, known.length - 1)),
  };

  readonly byId: JobPaging<Job> = {
    overlaps: false,
    read: async known => {
      const last = known.at(-1)?.id;
      return this.#page(this.jobs.findIndex(({ id }) => id === last) + 1);
    },
  };

  #page(from: number) {
    this.reads++;
    const items = this.jobs.slice(from, from + size);
    return { items, unreadable: 0, hasMore: from + size < this.jobs.length };
  }
}

const idsOf = ({ items }: JobPages<Job>): string[] => items.map(({ id }) => id);

const check = async (
  pick: (service: Service) => JobPaging<Job>,
  walk: readonly (string | number)[],
) => {
  const service = new Service();
  service.add(57);
  const paging = pick(service);
  let pages = await refreshPages<Job>(undefined, paging);
  for (const action of walk)
    if (action === 'more') pages = await nextPage(pages, paging);
    else if (action === 'refresh') pages = await refreshPages(pages, paging);
    else service.add(Number(action));
  pages = await refreshPages(pages, paging);
  while (pages.hasMore) pages = await nextPage(pages, paging);
  assert.deepEqual(
    idsOf(pages),
    service.jobs.map(({ id }) => id),
  );
};

const ownRun: BatchRunSummary = {
  id: 'r',
  title: 'reviews.csv',
  state: 'following',
  total: 10,
  completed: 4,
  startedAt: startMs,
};

describe('pages of jobs', () => {
  it('are read to the end, each job once', async () => {
    const service = new Service();
    service.add(57);
    let pages = await refreshPages(undefined, service.byOffset);
    assert.equal(pages.items.length, 20);
    while (pages.hasMore) pages = await nextPage(pages, service.byOffset);
    assert.deepEqual(
      idsOf(pages),
      service.jobs.map(({ id }) => id),
    );
    assert.equal(service.reads, 3);
  });

  it('have no gap and no double however jobs come in between', async () => {
    const actions = fc.array(fc.oneof(fc.constant('more'), fc.constant('refresh'), fc.nat(30)), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(actions, async walk => {
        await check(service => service.byOffset, walk);
        await check(service => service.byId, walk);
      }),
      { numRuns: 150 },
    );
  });

  it('are read again only as deep as something is on its way', async () => {
    const service = new Service();
    service.add(10);
    service.add(1, 'in_progress');
    service.add(46);
    let pages = await refreshPages(undefined, service.byOffset);
    for (let n = 0; n < 2; n++) pages = await nextPage(pages, service.byOffset);
    service.reads = 0;
    const moving = service.jobs.findIndex(({ status }) => status === 'in_progress');
    service.jobs[moving] = { id: service.jobs[moving]?.id ?? '', status: 'completed' };
    pages = await refreshPages(pages, service.byOffset);
    assert.equal(service.reads, 3);
    assert.ok(pages.items.every(({ status }) => status === 'completed'));
    service.reads = 0;
    pages = await refreshPages(pages, service.byOffset);
    assert.equal(service.reads, 1);
    assert.equal(pages.items.length, 57);
  });

  it('end when the service ignores the place', async () => {
    const items = [{ id: 'a', status: 'completed' }];
    for (const overlaps of [true, false]) {
      const paging: JobPaging<Job> = {
        read: async () => ({ items, unreadable: 0, hasMore: true }),
        overlaps,
      };
      const first = await refreshPages(undefined, paging);
      assert.equal((await nextPage(first, paging)).hasMore, false);
    }
  });
});

const job = (status: string, ageMs: number) => [{ id: 'a', status, createdAt: startMs - ageMs }];

const child = (row: RowData | undefined, key: string) =>
  row?.children?.find(({ id }) => id.endsWith(`/${key}`));

describe('jobs', () => {
  it('are read again only while looked at, and while one is on its way', () => {
    const hour = 3_600_000;
    for (const [items, expected] of [
      [job('completed', 0), undefined],
      [job('in_progress', 0), 15_000],
      [job('in_progress', hour), 30_000],
      [job('in_progress', 3 * hour), 60_000],
      [job('sleeping', 3 * hour), 60_000],
      [job('sleeping', 60 * hour), undefined],
      [[], undefined],
    ] as const) {
      assert.equal(jobsPollIntervalMs(items, startMs, true), expected);
      assert.equal(jobsPollIntervalMs(items, startMs, false), undefined);
    }
  });

  it('show a status that is new as it is', () => {
    assert.deepEqual(statusAppearance('hibernating'), { icon: 'question', isFinal: false });
    const [row] = batchRows({
      pages: {
        items: [{ id: 'b', status: 'hiber_nating', metadata: {} }],
        unreadable: 0,
        hasMore: false,
      },
      filter: new Set(),
      runs: [],
      nowMs: startMs,
      t,
      moreCommand: 'more',
      runCommand: 'runs',
    });
    assert.equal(row?.description, 'hiber_nating');
  });

  it('show counts, usage and errors of any shape', () => {
    const [row] = batchRows({
      pages: {
        items: [
          {
            id: 'batch_1',
            status: 'failed',
            model: 'svc-m',
            requestCounts: { total: 1200, completed: 7, failed: 3 },
            usage: {
              promptTokens: 12_345,
              completionTokens: 6,
              totalTokens: 12_351,
              cachedTokens: 5,
            },
            errors: { any: [{ line: 3 }] },
            metadata: { job: 'nightly' },
            createdAt: startMs,
          },
        ],
        unreadable: 0,
        hasMore: true,
      },
      filter: new Set(),
      runs: [ownRun],
      nowMs: startMs,
      t,
      moreCommand: 'more',
      runCommand: 'runs',
    }).slice(1);
    assert.match(row?.description ?? '', /^failed · 7 of 1,200 · 3 failed · svc-m · /);
    assert.equal(child(row, 'usage')?.description, '12,345 in, 6 out');
    assert.equal(child(row, 'error')?.description, '{"any":[{"line":3}]}');
    assert.equal(child(row, 'metadata/0')?.description, 'nightly');
  });

  it('show runs of this extension above, and more below', () => {
    const rows = batchRows({
      pages: { items: [], unreadable: 0, hasMore: true },
      filter: new Set(),
      runs: [ownRun],
      nowMs: startMs,
      t,
      moreCommand: 'more',
      runCommand: 'runs',
    });
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['Started Here', 'Load more…'],
    );
    assert.equal(rows[0]?.children?.[0]?.description, 'in progress · 4 of 10');
  });

  it('show accuracy and F1, and which classifier is chosen', () => {
    const items = [
      {
        id: 'ftjob-1',
        status: 'succeeded',
        fineTunedModel: 'tone-1',
        labels: ['harsh', 'kind'],
        result: { accuracy: 0.934, f1Score: 0.9125 },
      },
      { id: 'ftjob-2', status: 'failed', labels: [], suffix: 'tone', error: 'too few' },
    ];
    const rowsOf = (chosen: readonly string[], filter: readonly string[] = []) =>
      tuningRows({
        pages: { items, unreadable: 0, hasMore: false },
        filter: new Set(filter),
        nowMs: startMs,
        t,
        moreCommand: 'more',
        chosen: new Set(chosen),
      });
    const [trained, failed] = rowsOf([]);
    assert.equal(trained?.description, 'accuracy 93.4% · F1 0.912');
    assert.match(trained?.context ?? '', /;trained;/);
    assert.equal(child(failed, 'error')?.description, 'too few');
    assert.doesNotMatch(failed?.context ?? '', /;trained;|;chosen;/);
    const [chosen] = rowsOf(['tone-1']);
    assert.match(chosen?.context ?? '', /;chosen;/);
    assert.match(chosen?.description ?? '', /used as a reflex/);
    assert.deepEqual(
      rowsOf([], ['failed']).map(({ id }) => id),
      ['ftjob-2'],
    );
  });
});
