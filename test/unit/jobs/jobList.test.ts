import assert from 'node:assert/strict';
import {
  type JobPages,
  type JobPaging,
  jobsPollIntervalMs,
  type ListedJob,
  nextPage,
  refreshPages,
} from '../../../src/jobs/jobList';

const job = (number: number, status = 'completed'): ListedJob => ({ id: `j${number}`, status });
/** Newest first. */
const jobs = (newest: number, oldest: number): ListedJob[] =>
  Array.from({ length: newest - oldest + 1 }, (_, at) => job(newest - at));
const pages = (items: readonly ListedJob[], hasMore = true): JobPages<ListedJob> => ({
  items,
  unreadable: 0,
  hasMore,
});
const idsOf = ({ items }: JobPages<ListedJob>): string =>
  items.map(({ id }) => id.slice(1)).join(' ');

/** Pages of three, which overlap by one or begin behind the last. */
function service(all: readonly ListedJob[], overlaps: boolean, unreadable = 0) {
  const reads: number[] = [];
  const paging: JobPaging<ListedJob> = {
    overlaps,
    read: async known => {
      const last = all.findIndex(({ id }) => id === known.at(-1)?.id);
      const from = overlaps ? Math.max(0, known.length - 1) : last + 1;
      reads.push(from);
      return { items: all.slice(from, from + 3), unreadable, hasMore: from + 3 < all.length };
    },
  };
  return { paging, reads };
}

describe('nextPage', () => {
  for (const overlaps of [true, false]) {
    it(`adds what is below, ${overlaps ? 'with' : 'without'} overlap`, async () => {
      const { paging } = service(jobs(9, 1), overlaps, 2);
      const next = await nextPage({ ...pages(jobs(9, 7)), unreadable: 1 }, paging);
      assert.equal(idsOf(next), overlaps ? '9 8 7 6 5' : '9 8 7 6 5 4');
      assert.deepEqual([next.hasMore, next.unreadable], [true, 3]);
    });

    it(`ends with the last job, ${overlaps ? 'with' : 'without'} overlap`, async () => {
      const { paging } = service(jobs(4, 1), overlaps);
      let next = pages(jobs(4, 2));
      while (next.hasMore) next = await nextPage(next, paging);
      assert.equal(idsOf(next), '4 3 2 1');
    });
  }

  it('reads nothing where nothing is left', async () => {
    const { paging, reads } = service(jobs(9, 1), true);
    const known = pages(jobs(9, 7), false);
    assert.equal(await nextPage(known, paging), known);
    assert.deepEqual(reads, []);
  });

  it('reads from the top when more came in front than a page holds', async () => {
    const { paging, reads } = service(jobs(20, 1), true);
    const next = await nextPage(pages(jobs(9, 7)), paging);
    assert.equal(idsOf(next), '20 19 18 17 16');
    assert.deepEqual(reads, [2, 0, 2]);
    assert.equal(next.hasMore, true);
  });

  it('shows a job once that comes twice in a page', async () => {
    const page = [job(3), job(2), job(2), job(1), job(3)];
    const paging: JobPaging<ListedJob> = {
      overlaps: true,
      read: async () => ({ items: page, unreadable: 0, hasMore: false }),
    };
    assert.equal(idsOf(await nextPage(pages([job(3)]), paging)), '3 2 1');
  });

  it('ends when a page brings nothing new', async () => {
    const paging: JobPaging<ListedJob> = {
      overlaps: false,
      read: async () => ({ items: jobs(3, 1), unreadable: 0, hasMore: true }),
    };
    const next = await nextPage(pages(jobs(3, 1)), paging);
    assert.deepEqual([idsOf(next), next.hasMore], ['3 2 1', false]);
  });
});

describe('refreshPages', () => {
  it('reads the first page when nothing is known', async () => {
    const { paging, reads } = service(jobs(9, 1), true);
    const fresh = await refreshPages(undefined, paging);
    assert.deepEqual([idsOf(fresh), fresh.hasMore, reads], ['9 8 7', true, [0]]);
  });

  it('keeps what was loaded below, and whether there is more', async () => {
    const { paging, reads } = service(jobs(9, 1), true);
    const before = { ...pages(jobs(8, 3), false), unreadable: 4 };
    const fresh = await refreshPages(before, paging);
    assert.deepEqual([idsOf(fresh), fresh.hasMore], ['9 8 7 6 5 4 3', false]);
    assert.deepEqual([fresh.unreadable, reads], [4, [0]]);
    const same = await refreshPages(pages(jobs(9, 7), false), paging);
    assert.deepEqual([idsOf(same), same.hasMore], ['9 8 7', true]);
  });

  it('goes on down to the oldest one that is on its way', async () => {
    const all = [...jobs(9, 5), job(4, 'in_progress'), ...jobs(3, 1)];
    const { paging, reads } = service(all, true);
    const fresh = await refreshPages(pages(all), paging);
    assert.deepEqual(reads, [0, 2, 4]);
    assert.equal(idsOf(fresh), '9 8 7 6 5 4 3 2 1');
  });

  it('leaves out what may lie beyond a gap', async () => {
    const { paging } = service(jobs(30, 1), true);
    const fresh = await refreshPages(pages(jobs(9, 1), false), paging);
    assert.deepEqual([idsOf(fresh), fresh.hasMore], ['30 29 28', true]);
  });

  it('reads no more than six pages', async () => {
    const all = [...jobs(60, 2), job(1, 'in_progress')];
    const { paging, reads } = service(all, true);
    await refreshPages(pages(all), paging);
    assert.equal(reads.length, 6);
  });

  it('sees what has ended', async () => {
    const { paging } = service([job(2), job(1)], false);
    const fresh = await refreshPages(pages([job(2, 'in_progress'), job(1)], false), paging);
    assert.deepEqual(fresh.items, [job(2), job(1)]);
  });
});

const at = (...ages: number[]): ListedJob[] =>
  ages.map((age, id) => ({ id: `${id}`, status: 'in_progress', createdAt: -age }));

describe('jobsPollIntervalMs', () => {
  const minute = 60_000;

  it('gets longer with the age of the youngest that is on its way', () => {
    for (const [items, expected] of [
      [at(0), 15_000],
      [at(30 * minute - 1), 15_000],
      [at(30 * minute), 30_000],
      [at(120 * minute - 1), 30_000],
      [at(120 * minute), minute],
      [at(48 * 60 * minute - 1), minute],
      [at(48 * 60 * minute), undefined],
      [at(48 * 60 * minute, 0), 15_000],
      [at(-5 * minute), 15_000],
      [[{ id: 'a', status: 'running' }], 15_000],
      [[{ id: 'a', status: 'failed', createdAt: 0 }], undefined],
      [undefined, 5 * minute],
      [[], undefined],
    ] as const)
      assert.equal(jobsPollIntervalMs(items, 0, true), expected);
  });

  it('is none while nobody looks', () => {
    assert.equal(jobsPollIntervalMs(at(0), 0, false), undefined);
    assert.equal(jobsPollIntervalMs(undefined, 0, false), undefined);
  });
});
