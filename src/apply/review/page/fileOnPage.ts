import type * as vscode from 'vscode';
import type { ShownFile } from '../editor/features/fileFeatures';
import { proposedLineAt, unchangedFileLine } from '../model/reviewCursor';
import type { Review } from '../review';
import { readPageUri } from './pageUri';

/** The file in a document of the page; undefined for another document and for a file that is no edit. */
export function fileOnPage(
  { uri }: vscode.TextDocument,
  byId: (id: string) => Review | undefined,
): ShownFile | undefined {
  const page = readPageUri(uri);
  const review = page && byId(page.id);
  if (!review || review.state === 'orphan' || review.operation) return undefined;
  const isBefore = page.side === 'before';
  return {
    uri,
    fileUri: review.fileUri,
    lineAt: row => (isBefore ? row : unchangedFileLine(review.view, row)),
    rowAt: line => (isBefore ? line : proposedLineAt(review.view, 'file', line)),
    // What is typed on the page moves the lines until it is stored.
    isCurrent: (shown, file) =>
      shown.lineCount === review.view.lineCounts[isBefore ? 'file' : 'proposed'] &&
      file.lineCount === review.view.lineCounts.file &&
      !shown.isDirty,
  };
}
