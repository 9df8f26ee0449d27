import * as vscode from 'vscode';
import { pageScheme } from '../../../platform/ids';
import type { Review } from '../review';
import { pageFolder } from './pageLanguages';

/** `before`: the file as it is now; `proposed`: with all that is pending. */
export type PageSide = 'before' | 'proposed';

/**
 * A document of the page. Both sides have the same path, or VS Code would mark the file as renamed; ids stand where no
 * label shows them.
 */
export function pageUri(
  { id, languageId, fileUri }: Review,
  side: PageSide,
  file = fileUri,
): vscode.Uri {
  const path = vscode.workspace.asRelativePath(file.with({ fragment: '' })).replace(/^\/+/, '');
  return vscode.Uri.from({
    scheme: pageScheme,
    authority: id,
    path: `/${pageFolder(languageId)}/${path}`,
    query: side,
  });
}

/** The review and the side of a document of the page. */
export function readPageUri(
  uri: vscode.Uri | undefined,
): { readonly id: string; readonly side: PageSide } | undefined {
  if (uri?.scheme !== pageScheme) return undefined;
  return { id: uri.authority, side: uri.query === 'before' ? 'before' : 'proposed' };
}

/**
 * Stores what the user has just typed on the page, so that a decision takes it along. What cannot be saved stays in the
 * editor, and is saved by VS Code a moment later.
 */
export async function saveTyped(reviews: readonly Review[]): Promise<void> {
  const ids = new Set(reviews.map(({ id }) => id));
  for (const document of vscode.workspace.textDocuments) {
    if (!ids.has(readPageUri(document.uri)?.id ?? '')) continue;
    for (let left = maxSaves; document.isDirty && left > 0; left--) await document.save();
  }
}

/** A save fails while the user types on. */
const maxSaves = 3;
