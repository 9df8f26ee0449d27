import { reviewScheme } from '../../../platform/ids';
import { previewFolder } from './previewLanguages';
import type { UriParts } from './reviewId';

/**
 * The URI of a document of a review. Its id stands where no label shows it, and the file's name is no whole part of the path:
 * a name like `Makefile` would decide the language, and one like `plan.ipynb` the kind of editor.
 *
 * @param path the file's path, as far as it is shown.
 * @param kind what the tab says after the file's name.
 */
export function previewParts(
  {
    id,
    languageId,
    path,
  }: { readonly id: string; readonly languageId: string; readonly path: string },
  kind: string,
): UriParts {
  const shown = path.replace(/^\/+/, '');
  return {
    scheme: reviewScheme,
    authority: id,
    path: `/${previewFolder(languageId)}/${shown} (${kind})`,
  };
}
