import * as vscode from 'vscode';
import type { Review } from '../review';

/** Rows above and below the visible ones that are drawn with them, so that scrolling shows no gap. */
const marginRows = 20;
/** Once fewer drawn rows than these are left beyond the visible ones, more are drawn. */
export const minMarginRows = 10;
/** With more changes than these, which is about what a window shows, only what is in sight is drawn at once. */
const maxAtOnce = 10;

/** `last` is included. */
export interface RowSpan {
  readonly first: number;
  readonly last: number;
}

/** Whether what is out of sight is drawn later than the rest. */
export const isLong = ({ view }: Review): boolean => view.hunks.length > maxAtOnce;

/** Whether rows, of which the end is excluded, are among the spans. */
export const meets = (spans: readonly RowSpan[], start: number, end: number): boolean =>
  spans.some(({ first, last }) => start <= last && first < end);

/** The rows in sight, with some above and below them. */
export const visibleSpans = (
  { view }: Review,
  { visibleRanges }: vscode.TextEditor,
  margin = marginRows,
): RowSpan[] =>
  // An editor that has just been opened may not tell yet; it begins at the top.
  (visibleRanges.length > 0 ? visibleRanges : [new vscode.Range(0, 0, 2 * marginRows, 0)]).map(
    ({ start, end }) => ({
      first: Math.max(0, start.line - margin),
      last: Math.min(view.rows.length - 1, end.line + margin),
    }),
  );

/** Whether each of the spans is within one of the `others`. */
export const areWithin = (spans: readonly RowSpan[], others: readonly RowSpan[]): boolean =>
  spans.every(({ first, last }) =>
    others.some(other => other.first <= first && last <= other.last),
  );

/** The editors that show a document. */
export function editorsOf(uri: vscode.Uri): vscode.TextEditor[] {
  const text = uri.toString();
  return vscode.window.visibleTextEditors.filter(
    ({ document }) => document.uri.toString() === text,
  );
}
