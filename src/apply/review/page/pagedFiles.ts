import * as vscode from 'vscode';
import { timeOfDay } from '../../../base/format/times';
import { splitLines } from '../../../base/text/textLines';
import { exists } from '../operationFile';
import type { Review } from '../review';
import { pageUri } from './pageUri';

/**
 * The two documents of a file. A created one has none on the left; a deleted one has an empty one on the right, because
 * VS Code shows no lenses on the left of a diff that is not side by side.
 */
export interface PagedFile {
  readonly before: vscode.Uri | undefined;
  readonly proposed: vscode.Uri;
}

/** The review of a file's new name, if its lines have a review of their own. */
export function renameOf(review: Review, all: readonly Review[]): Review | undefined {
  const file = review.fileUri.toString();
  if (review.operation) return undefined;
  return all.find(
    ({ operation }) =>
      operation?.kind === 'rename' && (operation.uri === file || operation.newUri === file),
  );
}

/** Undefined for a new name that the review of the file's lines shows as well. */
export function pagedFile(review: Review, all: readonly Review[]): PagedFile | undefined {
  const { operation } = review;
  if (operation?.kind === 'create') {
    return { before: undefined, proposed: pageUri(review, 'proposed') };
  }
  if (operation && all.some(other => renameOf(other, all) === review)) return undefined;
  const rename = (operation ? review : renameOf(review, all))?.operation;
  return rename?.kind === 'rename'
    ? {
        before: pageUri(review, 'before', vscode.Uri.parse(rename.uri)),
        proposed: pageUri(review, 'proposed', vscode.Uri.parse(rename.newUri)),
      }
    : { before: pageUri(review, 'before'), proposed: pageUri(review, 'proposed') };
}

export function pageTitle(reviews: readonly Review[]): string {
  const [first] = reviews;
  const set = first?.changeSet;
  if (set) return vscode.l10n.t('Answer at {0}', timeOfDay(set.createdAt));
  return vscode.l10n.t('{0} (changes)', first?.fileName ?? '');
}

/** The same for the same reviews, so that VS Code shows the tab that is open. */
export const pageSource = (reviews: readonly Review[]): string =>
  `splice-${reviews.map(({ id }) => id).join('-')}`;

/** The files that a document of the page may stand for, by its path alone. */
export function filesOfPage({ path }: vscode.Uri): string[] {
  // The first part is for the language; with several folders, the next one is the name of the folder.
  const [, , ...parts] = path.split('/');
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap(({ uri, name }) => {
    const inFolder = folders.length > 1 && parts[0] === name ? parts.slice(1) : parts;
    return [vscode.Uri.joinPath(uri, ...inFolder).toString()];
  });
}

/** The lines of the first of these files that exists. */
export async function linesOfFirst(files: readonly string[]): Promise<readonly string[]> {
  for (const file of files) {
    const uri = vscode.Uri.parse(file);
    if (await exists(uri)) {
      return splitLines((await vscode.workspace.openTextDocument(uri)).getText());
    }
  }
  return [''];
}
