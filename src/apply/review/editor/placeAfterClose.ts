import * as vscode from 'vscode';
import { linesOf } from '../../changeset/editFile';
import { sameLines } from '../model/rebase';

/** Where the text of a closed document can be found. */
export type PlaceAfterClose =
  | { readonly kind: 'same'; readonly document: vscode.TextDocument }
  /** An untitled document that was saved as a file. */
  | { readonly kind: 'savedAs'; readonly document: vscode.TextDocument }
  /** It was never in a file, or its file cannot be read. */
  | { readonly kind: 'gone' };

/**
 * @param lines the last text of the document.
 * @param lastSaved the document that was saved last: "Save As" saves the new file before it closes the old document.
 */
export async function placeAfterClose(
  document: vscode.TextDocument,
  lines: readonly string[] | undefined,
  lastSaved: vscode.TextDocument | undefined,
): Promise<PlaceAfterClose> {
  // Changing the language closes a document and opens it again.
  if (!document.isClosed) return { kind: 'same', document };
  if (document.isUntitled) {
    return lines && lastSaved && sameLines(linesOf(lastSaved), lines)
      ? { kind: 'savedAs', document: lastSaved }
      : { kind: 'gone' };
  }
  try {
    return { kind: 'same', document: await openReviewed(document.uri) };
  } catch {
    return { kind: 'gone' };
  }
}

/** Opens the reviewed file. An untitled document exists only while it is open. */
export async function openReviewed(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const open = vscode.workspace.textDocuments.find(
    document => document.uri.toString() === uri.toString(),
  );
  if (open) return open;
  if (uri.scheme === 'untitled') throw new Error('the document is not open any more');
  return vscode.workspace.openTextDocument(uri);
}
