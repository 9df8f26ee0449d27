import * as vscode from 'vscode';
import { isRecord } from '../../../base/typeGuards';
import type { Review } from '../review';
import { tabsOfMultiDiff } from './multiDiff';
import { pageTitle } from './pagedFiles';
import { readPageUri } from './pageUri';

/** The pages that VS Code opened again after a reload, by their title, with the reviews that still have something to decide. */
export function restoredPages(reviews: readonly Review[]): Map<string, readonly Review[]> {
  const sets = new Map<string, Review[]>();
  for (const review of reviews) {
    const key = review.changeSet?.id ?? review.id;
    sets.set(key, [...(sets.get(key) ?? []), review]);
  }
  const pages = new Map<string, readonly Review[]>();
  for (const all of sets.values()) {
    const title = pageTitle(all);
    if (tabsOfMultiDiff(title).length > 0) pages.set(title, all);
  }
  return pages;
}

/** Tabs of pages of which no review is known any more. */
export const deadPages = (isKnown: (id: string) => boolean): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(tab => {
      const ids = reviewsOfTab(tab);
      return ids.length > 0 && !ids.some(isKnown);
    });

/** The ids of the reviews on a page. VS Code tells what is in such a tab, but its types do not have it yet. */
function reviewsOfTab({ input }: vscode.Tab): string[] {
  const diffs: unknown = isRecord(input) ? input['textDiffs'] : undefined;
  if (!Array.isArray(diffs)) return [];
  return diffs.flatMap((diff: unknown) => {
    const modified = isRecord(diff) ? diff['modified'] : undefined;
    const page = modified instanceof vscode.Uri ? readPageUri(modified) : undefined;
    return page ? [page.id] : [];
  });
}
