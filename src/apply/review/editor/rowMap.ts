import type { ReviewView } from '../model/reviewView';

/** The 0-based line of the file that an unchanged row of the unified text shows. */
export function unchangedLine({ rows }: Pick<ReviewView, 'rows'>, row: number): number | undefined {
  const shown = rows[row];
  return shown?.kind === ' ' && shown.oldLine !== undefined ? shown.oldLine - 1 : undefined;
}

/**
 * The 0-based row of a 0-based line of the file. Each line has one: a removed line is still in the file, and one that is
 * not shown has the row of its gap. A line after the last one, where ranges may end, gets the row of the last one.
 */
export function rowOfLine(
  { hunks, gaps, lineCounts }: Pick<ReviewView, 'hunks' | 'gaps' | 'lineCounts'>,
  line: number,
): number {
  const inFile = Math.min(line, Math.max(0, lineCounts.file - 1));
  // The header is above the first line.
  let row = inFile + 1;
  for (const { fileLine, removedRows, insertedRows } of hunks) {
    if (fileLine + removedRows > inFile) break;
    row += insertedRows;
  }
  for (const { fileLine, lineCount } of gaps) {
    if (fileLine > inFile) break;
    row -= Math.min(lineCount - 1, inFile - fileLine);
  }
  return row;
}
