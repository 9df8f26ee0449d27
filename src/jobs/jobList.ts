import type { Page } from '../service';
import { isFinalStatus } from './status';

/** Fields that batches and fine-tuning jobs have in common. */
export interface ListedJob {
  readonly id: string;
  readonly status?: string | undefined;
  /** ms since the epoch. */
  readonly createdAt?: number | undefined;
}

/** The pages read so far, without gaps. */
export interface JobPages<T> {
  /** Newest first, without duplicates. */
  readonly items: readonly T[];
  /** Number of entries that could not be parsed. */
  readonly unreadable: number;
  readonly hasMore: boolean;
}

/** How the next page is requested. */
export interface JobPaging<T> {
  /** Reads the page below `known`; offset paging repeats the last item because new items shift the pages. */
  read(known: readonly T[]): Promise<Page<T, unknown>>;
  /** Whether the page must begin with the last item of `known`. */
  readonly overlaps: boolean;
}

/** Pages that one refresh reads at most. */
const maxPages = 6;

/** Adds the next page. */
export async function nextPage<T extends ListedJob>(
  pages: JobPages<T>,
  paging: JobPaging<T>,
): Promise<JobPages<T>> {
  if (!pages.hasMore) return pages;
  const below = await readBelow(pages, paging);
  // More new items were added than fit on a page.
  return below ?? readTo(pages.items.length, paging);
}

/** Undefined if the page does not follow the known items. */
async function readBelow<T extends ListedJob>(
  pages: JobPages<T>,
  paging: JobPaging<T>,
): Promise<JobPages<T> | undefined> {
  const page = await paging.read(pages.items);
  const last = pages.items.at(-1);
  const at = last && paging.overlaps ? page.items.findIndex(({ id }) => id === last.id) : -1;
  if (last && paging.overlaps && at < 0) return undefined;
  const known = new Set(pages.items.map(({ id }) => id));
  const items = unique(page.items.slice(at + 1)).filter(({ id }) => !known.has(id));
  if (items.length === 0 && page.hasMore && at > 0) return undefined;
  return {
    items: [...pages.items, ...items],
    unreadable: pages.unreadable + page.unreadable,
    // A service that ignores the position would return the same page endlessly.
    hasMore: page.hasMore && items.length > 0,
  };
}

/** Reads from the top until there are more than `count` items. */
async function readTo<T extends ListedJob>(
  count: number,
  paging: JobPaging<T>,
): Promise<JobPages<T>> {
  let read: JobPages<T> = { items: [], unreadable: 0, hasMore: true };
  while (read.hasMore && read.items.length <= count) {
    const more = await readBelow(read, paging);
    if (!more) return { ...read, hasMore: false };
    read = more;
  }
  return read;
}

/**
 * Reads the first page again, and further pages down to the last unfinished item. Pages below that are
 * kept.
 */
export async function refreshPages<T extends ListedJob>(
  before: JobPages<T> | undefined,
  paging: JobPaging<T>,
): Promise<JobPages<T>> {
  let read: JobPages<T> = { items: [], unreadable: 0, hasMore: true };
  const moving = before?.items.findLast(({ status }) => !isFinalStatus(status))?.id;
  const reaches = (): boolean => moving === undefined || read.items.some(({ id }) => id === moving);
  for (let count = 0; count < maxPages && read.hasMore && (count === 0 || !reaches()); count++) {
    const more = await readBelow(read, paging);
    if (!more) break;
    read = more;
  }
  const last = read.items.at(-1);
  const at = before?.items.findIndex(({ id }) => id === last?.id) ?? -1;
  // Without a common item there may be a gap between the two.
  if (!before || at < 0) return read;
  return {
    items: [...read.items, ...before.items.slice(at + 1)],
    unreadable: Math.max(before.unreadable, read.unreadable),
    hasMore: at + 1 < before.items.length ? before.hasMore : read.hasMore,
  };
}

function unique<T extends ListedJob>(items: readonly T[]): T[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}

const minuteMs = 60_000;

/** Milliseconds between two readings while the view is visible and a job is unfinished; undefined: no polling. */
export function jobsPollIntervalMs(
  items: readonly ListedJob[] | undefined,
  nowMs: number,
  isVisible: boolean,
): number | undefined {
  if (!isVisible) return undefined;
  if (!items) return 5 * minuteMs;
  const ages = items
    .filter(({ status }) => !isFinalStatus(status))
    .map(({ createdAt }) => Math.max(0, nowMs - (createdAt ?? nowMs)));
  if (ages.length === 0) return undefined;
  const youngest = Math.min(...ages);
  if (youngest < 30 * minuteMs) return 15_000;
  if (youngest < 120 * minuteMs) return 30_000;
  // An unknown status may be a final one.
  return youngest < 48 * 60 * minuteMs ? minuteMs : undefined;
}
