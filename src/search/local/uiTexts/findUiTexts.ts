import { Slices } from '../../../base/async/slices';
import type { RootFile } from '../candidates';
import { type UiText, uiTextsIn } from './entries';
import type { ShownText } from './shownTexts';
import { likelyTexts } from './textKeys';

/**
 * The likely entries for what a query shows.
 * @param catalogs files of texts, the likeliest first
 * @param read undefined for a file that cannot be read
 */
export async function findUiTexts(
  catalogs: readonly RootFile[],
  shown: readonly ShownText[],
  read: (file: RootFile) => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<UiText[]> {
  const slices = new Slices();
  const found: UiText[] = [];
  for (const catalog of catalogs) {
    signal?.throwIfAborted();
    const text = await read(catalog);
    if (text !== undefined) found.push(...uiTextsIn(text, catalog.path, shown));
    await slices.pause();
  }
  return likelyTexts(found);
}
