import type { Page } from '../service/pages';
import { isOver } from './status';

/** What lists of jobs have in common. */
export interface Listed {
  readonly id: string;
  readonly status?: string | undefined;
  /** ms since the epoch. */
  readonly createdAt?: number | undefined;
}

/** The part of a list that was read so far. */
export interface JobPages<T, Next> {
  /** Newest first, each once. */
  readonly items: readonly T[];
  /** How many could not be read. */
  readonly unreadable: number;
  /** Where the next page begins; absent when all was read. */
  readonly next?: Next | undefined;
}

/** How the place of the next page is told. */
export interface Paging<T, Next> {
  read(at: Next | undefined): Promise<Page<T, Next>>;
  /** The same place after `count` items have come in front; an id stays the same. */
  moved(at: Next, count: number): Next;
}

/** Beyond the first, in one refresh. */
const mostPages = 5;

/** Adds the next page. Items that others have pushed onto it are not taken twice. */
export async function nextPage<T extends Listed, Next>(
  pages: JobPages<T, Next>,
  paging: Paging<T, Next>,
): Promise<JobPages<T, Next>> {
  if (pages.next === undefined) return pages;
  const page = await paging.read(pages.next);
  const known = new Set(pages.items.map(({ id }) => id));
  const items = unique(page.items).filter(({ id }) => !known.has(id));
  // A service that ignores the place would give the same page for ever.
  const isNew = items.length > 0 || (page.items.length === 0 && page.unreadable > 0);
  return {
    items: [...pages.items, ...items],
    unreadable: pages.unreadable + page.unreadable,
    next: isNew && page.next !== pages.next ? page.next : undefined,
  };
}

/**
 * Reads the first page again, and deeper ones only as far down as something is still on its way. What
 * was loaded below stays.
 */
export async function refreshPages<T extends Listed, Next>(
  before: JobPages<T, Next> | undefined,
  paging: Paging<T, Next>,
): Promise<JobPages<T, Next>> {
  const first = await paging.read(undefined);
  const fresh = unique(first.items);
  const all: JobPages<T, Next> = { items: fresh, unreadable: first.unreadable, next: first.next };
  if (!before || before.items.length === 0 || first.next === undefined) return all;
  let read = all;
  const lastMoving = before.items.findLast(({ status }) => !isOver(status))?.id;
  const reaches = (): boolean =>
    lastMoving === undefined || read.items.some(({ id }) => id === lastMoving);
  for (let count = 0; count < mostPages && !reaches() && read.next !== undefined; count++)
    read = await nextPage(read, paging);
  const ids = new Set(read.items.map(({ id }) => id));
  const known = new Set(before.items.map(({ id }) => id));
  // Without anything in common there may be a gap between the two.
  if (!read.items.some(({ id }) => known.has(id))) return read;
  const below = before.items.filter(({ id }) => !ids.has(id));
  if (below.length === 0) return read;
  const added = read.items.filter(({ id }) => !known.has(id)).length;
  return {
    items: [...read.items, ...below],
    unreadable: Math.max(before.unreadable, read.unreadable),
    next: before.next === undefined ? undefined : paging.moved(before.next, added),
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
