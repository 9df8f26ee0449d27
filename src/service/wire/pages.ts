import * as z from 'zod';
import { sentence } from '../../base/sentence';
import type { ResponseContext } from '../http/responseContext';
import { checkRange, serviceLimits } from '../limits';
import { lenient, type ReadList, readItems, readObject } from '../schema';

/** One page of a list, newest first. */
export interface Page<T, Next> extends ReadList<T> {
  readonly hasMore: boolean;
  /** Position of the next page; absent on the last one. */
  readonly next?: Next | undefined;
}

/** The default of the service (service document, Limits); sent explicitly, because the next page depends on it. */
export const defaultPageSize = 20;

/** @throws {ServiceError} `limit` unless `limit` is a whole number from 1 to 100. */
export function checkPageSize(limit: number): void {
  checkRange(limit, 1, serviceLimits.pageSize, sentence('The number of items on a page'));
}

const listSchema = z.object({
  object: lenient(z.string()),
  data: z.array(z.unknown()),
  has_more: z.boolean().catch(false),
  // Not used: the ids of the first and the last item of `data`.
  first_id: lenient(z.string()),
  last_id: lenient(z.string()),
});

/**
 * `{object: 'list', data, has_more}`.
 *
 * @param what an item: "batch"
 * @param next position of the next page; called only when there are more items and this page is not empty
 */
export async function readPage<S extends z.ZodObject, T, Next>(
  context: ResponseContext,
  schema: S,
  what: string,
  toItem: (wire: z.infer<S>) => T,
  next: (data: readonly unknown[]) => Next | undefined,
): Promise<Page<T, Next>> {
  const { data, has_more } = await readObject(context, listSchema, `list of ${what} items`);
  const { items, unreadable } = readItems(context, schema, what, data);
  return {
    items: items.map(toItem),
    unreadable,
    hasMore: has_more,
    next: has_more && data.length > 0 ? next(data) : undefined,
  };
}

/**
 * Reads all pages of a list. Each item comes once, although items that are created meanwhile move others
 * to the next page. Also ends at a page without new items, because a service that ignores the position
 * would return the same page for ever, and after `maxPages`; `hasMore` of the last page then stays true.
 *
 * @param read reads the page at a position; the first one without a position
 */
export async function* pages<T extends { readonly id: string }, Next>(
  read: (at: Next | undefined) => Promise<Page<T, Next>>,
  maxPages = 100,
): AsyncGenerator<Page<T, Next>, void, undefined> {
  const seen = new Set<string>();
  let at: Next | undefined;
  for (let count = 0; count < maxPages; count++) {
    const page = await read(at);
    const items = page.items.filter(({ id }) => !seen.has(id));
    for (const { id } of items) seen.add(id);
    const isNew = items.length > 0 || (page.items.length === 0 && page.unreadable > 0);
    if (isNew || count === 0) yield { ...page, items };
    if (!isNew || page.next === undefined || page.next === at) return;
    at = page.next;
  }
}
