import type { Page } from '../service/pages';
import { isOver } from './status';

/** What lists of jobs have in common. */
export interface Listed {
  readonly id: string;
  readonly status?: string | undefined;
  /** ms since the epoch. */
  readonly createdAt?: number | undefined;
}

/** The part of a list that was read so far, without a gap. */
export interface JobPages<T> {
  /** Newest first, each once. */
  readonly items: readonly T[];
  /** How many could not be read. */
  readonly unreadable: number;
  readonly hasMore: boolean;
}

/** How the place of a page is told. */
export interface Paging<T> {
  /** The page below `known`; with its last item again where places move when others come in front. */
  read(known: readonly T[]): Promise<Page<T, unknown>>;
  /** Whether the last item of `known` must come again. */
  readonly overlaps: boolean;
}

/** In one refresh. */
const mostPages = 6;

/** Adds the next page. */
export async function nextPage<T extends Listed>(
  pages: JobPages<T>,
  paging: Paging<T>,
): Promise<JobPages<T>> {
  if (!pages.hasMore) return pages;
  const below = await readBelow(pages, paging);
  // More has come in front than a page holds.
  return below ?? readTo(pages.items.length, paging);
}

/** Nothing when the page is not the one below. */
async function readBelow<T extends Listed>(
  pages: JobPages<T>,
  paging: Paging<T>,
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
    // A service that ignores the place would give the same page for ever.
    hasMore: page.hasMore && items.length > 0,
  };
}

/** From the top, until there is at least one item more than `count`. */
async function readTo<T extends Listed>(count: number, paging: Paging<T>): Promise<JobPages<T>> {
  let read: JobPages<T> = { items: [], unreadable: 0, hasMore: true };
  while (read.hasMore && read.items.length <= count) {
    const more = await readBelow(read, paging);
    if (!more) return { ...read, hasMore: false };
    read = more;
  }
  return read;
}

/**
 * Reads the first page again, and deeper ones only as far down as something is still on its way. What
 * was loaded below stays.
 */
export async function refreshPages<T extends Listed>(
  before: JobPages<T> | undefined,
  paging: Paging<T>,
): Promise<JobPages<T>> {
  let read: JobPages<T> = { items: [], unreadable: 0, hasMore: true };
  const moving = before?.items.findLast(({ status }) => !isOver(status))?.id;
  const reaches = (): boolean => moving === undefined || read.items.some(({ id }) => id === moving);
  for (let count = 0; count < mostPages && read.hasMore && (count === 0 || !reaches()); count++) {
    const more = await readBelow(read, paging);
    if (!more) break;
    read = more;
  }
  const last = read.items.at(-1);
  const at = before?.items.findIndex(({ id }) => id === last?.id) ?? -1;
  // Without anything in common there may be a gap between the two.
  if (!before || at < 0) return read;
  return {
    items: [...read.items, ...before.items.slice(at + 1)],
    unreadable: Math.max(before.unreadable, read.unreadable),
    hasMore: at + 1 < before.items.length ? before.hasMore : read.hasMore,
  };
}

function unique<T extends Listed>(items: readonly T[]): T[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}

const minuteMs = 60_000;

/** ms between two readings while somebody looks and something is on its way; undefined: none. */
export function jobsEveryMs(
  items: readonly Listed[] | undefined,
  nowMs: number,
  isLooked: boolean,
): number | undefined {
  if (!isLooked) return undefined;
  if (!items) return 5 * minuteMs;
  const ages = items
    .filter(({ status }) => !isOver(status))
    .map(({ createdAt }) => Math.max(0, nowMs - (createdAt ?? nowMs)));
  if (ages.length === 0) return undefined;
  const youngest = Math.min(...ages);
  if (youngest < 30 * minuteMs) return 15_000;
  if (youngest < 120 * minuteMs) return 30_000;
  // An unknown value may well be an end.
  return youngest < 48 * 60 * minuteMs ? minuteMs : undefined;
}
