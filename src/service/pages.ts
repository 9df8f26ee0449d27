import { sentence } from '../base/sentence';
import * as z from 'zod';
import { checkRange, serviceLimits } from './limits';
import type { Reply } from './reply';
import { type ReadList, lenient, readItems, readObject } from './schema';

/** One page of a list, newest first. */
export interface Page<T, Next> extends ReadList<T> {
  readonly hasMore: boolean;
  /** Asks for the page after this one; absent after the last. */
  readonly next?: Next | undefined;
}

/** The service's own default (service document, Limits); sent all the same, because the next page depends on it. */
export const defaultPageSize = 20;

/** @throws {ServiceError} `limit` unless `limit` is a whole number from 1 to 100. */
export function checkPageSize(limit: number): void {
  checkRange(limit, 1, serviceLimits.pageSize, sentence('The number of items on a page'));
}

const listSchema = z.object({
  object: lenient(z.string()),
  data: z.array(z.unknown()),
  has_more: z.boolean().catch(false),
  // Not used: they are the ids of the first and the last of `data`.
  first_id: lenient(z.string()),
  last_id: lenient(z.string()),
});

/**
 * `{object: 'list', data, has_more}`.
 *
 * @param what an item: "batch"
 * @param next the place of the next page; asked for only when there is more and this page is not empty
 */
export async function readPage<S extends z.ZodObject, T, Next>(
  reply: Reply,
  schema: S,
  what: string,
  toItem: (wire: z.infer<S>) => T,
  next: (data: readonly unknown[]) => Next | undefined,
): Promise<Page<T, Next>> {
  const { data, has_more } = await readObject(reply, listSchema, `list of ${what} items`);
  const { items, unreadable } = readItems(reply, schema, what, data);
  return {
    items: items.map(toItem),
    unreadable,
    hasMore: has_more,
    next: has_more && data.length > 0 ? next(data) : undefined,
  };
}

/**
 * Follows a list to its end. Each item comes once, although items that were made meanwhile push others
 * onto the next page. Ends also at a page without anything new, because a service that ignores the
 * place would give the same page for ever, and after `maxPages`; `hasMore` of the last page then stays true.
 *
 * @param read reads the page at a place; the first one without a place
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
