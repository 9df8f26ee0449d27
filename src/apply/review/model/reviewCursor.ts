import type { HunkPlace, ReviewView } from './reviewView';

/**
 * The documents that show the changes of a review: the unified preview, and both sides of the diff
 * editor, with the proposed text on the right and the file itself on the left.
 */
export type Side = 'unified' | 'proposed' | 'file';

/** 0-based lines, the end is exclusive. An empty span is between two lines. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** The lines of a document that a change covers. */
export function spanOf(place: HunkPlace, side: Side): LineSpan {
  const { firstRow, fileLine, proposedLine, removedRows, insertedRows } = place;
  if (side === 'file') return { start: fileLine, end: fileLine + removedRows };
  if (side === 'proposed') return { start: proposedLine, end: proposedLine + insertedRows };
  return { start: firstRow, end: firstRow + removedRows + insertedRows };
}

/**
 * The change that is shown at a line. If a side of the diff has no lines for a change, the change is shown above
 * the line that follows, where *Next Difference* of VS Code also puts the cursor; at the end of the document,
 * below its last line.
 */
export function changeAt(view: ReviewView, side: Side, line: number): HunkPlace | undefined {
  const spans = view.hunks.map(place => ({ place, ...spanOf(place, side) }));
  const covering = spans.find(({ start, end }) => start <= line && line < end);
  // An editor shows an empty document as one empty line.
  const lastLine = Math.max(0, view.lineCounts[side] - 1);
  const touching = spans.find(
    ({ start, end }) => start === end && Math.min(start, lastLine) === line,
  );
  return (covering ?? touching)?.place;
}

/** The next change below or above the change at a line, or the line itself; wraps around. */
export function nextChange(
  view: ReviewView,
  side: Side,
  line: number,
  direction: 1 | -1,
): HunkPlace | undefined {
  const { hunks } = view;
  const here = changeAt(view, side, line);
  if (here) return hunks.at((hunks.indexOf(here) + direction) % hunks.length);
  const below = hunks.findIndex(place => spanOf(place, side).start > line);
  if (direction === 1) return hunks[Math.max(below, 0)];
  return hunks.at(below === -1 ? -1 : below - 1);
}

/** The line of the file that a line of a document shows; for an inserted line, the file's line after it. */
export function fileLineAt(view: ReviewView, side: Side, line: number): number {
  if (side === 'file') return line;
  if (side === 'proposed') return fileLineOf(view, line);
  const shown = view.rows[Math.min(Math.max(line, 0), view.rows.length - 1)];
  if (shown?.oldLine !== undefined) return shown.oldLine - 1;
  return shown?.newLine === undefined ? 0 : fileLineOf(view, shown.newLine - 1);
}

/** The line of the proposed text that a line of a document shows; for a removed line, where it would be. */
export function proposedLineAt(view: ReviewView, side: Side, line: number): number {
  if (side === 'proposed') return line;
  if (side === 'file') return proposedLineOf(view, line);
  const shown = view.rows[Math.min(Math.max(line, 0), view.rows.length - 1)];
  if (shown?.newLine !== undefined) return shown.newLine - 1;
  return shown?.oldLine === undefined ? 0 : proposedLineOf(view, shown.oldLine - 1);
}

/** The line of the file that stays as it is in a line of the proposed text; undefined for an inserted line. */
export function unchangedFileLine(view: ReviewView, proposedLine: number): number | undefined {
  const isInserted = view.hunks.some(
    hunk =>
      hunk.proposedLine <= proposedLine && proposedLine < hunk.proposedLine + hunk.insertedRows,
  );
  return isInserted ? undefined : fileLineOf(view, proposedLine);
}

function fileLineOf({ hunks, lineCounts }: ReviewView, proposedLine: number): number {
  let shift = 0;
  for (const hunk of hunks) {
    if (proposedLine < hunk.proposedLine) break;
    const after = hunk.fileLine + hunk.removedRows;
    if (proposedLine < hunk.proposedLine + hunk.insertedRows) return after;
    shift = after - hunk.proposedLine - hunk.insertedRows;
  }
  return Math.min(proposedLine + shift, Math.max(0, lineCounts.file - 1));
}

function proposedLineOf({ hunks }: ReviewView, fileLine: number): number {
  let shift = 0;
  for (const hunk of hunks) {
    if (fileLine < hunk.fileLine) break;
    if (fileLine < hunk.fileLine + hunk.removedRows) return hunk.proposedLine;
    shift = hunk.proposedLine + hunk.insertedRows - hunk.fileLine - hunk.removedRows;
  }
  return fileLine + shift;
}

/** A selection of an editor; lines and characters are 0-based. */
interface Selected {
  readonly isEmpty: boolean;
  readonly isReversed: boolean;
  readonly active: { readonly line: number; readonly character: number };
}

/** The line of the cursor. A selection that ends before the first character of a line does not include that line. */
export function cursorLine({ isEmpty, isReversed, active }: Selected): number {
  return !isEmpty && !isReversed && active.character === 0 ? active.line - 1 : active.line;
}
