import { diffLines } from '../diff/lineDiff';
import type { Block } from '../place/block';
import type { FileIndex } from '../place/fileIndex';
import { LinePattern } from '../similarity';

/** Positions in the file by the rows of a block; -1 where a row has none. */
export interface RowTwins {
  /** The line that the row is. */
  readonly same: Int32Array;
  /** The line that the row is, or that became the row. */
  readonly like: Int32Array;
}

/** Pairs the rows of a block with the lines of its place. */
export function pairRows(
  { ids }: Block,
  { start, end }: { readonly start: number; readonly end: number },
  file: FileIndex,
): RowTwins {
  const same = new Int32Array(ids.length).fill(-1);
  const like = new Int32Array(ids.length).fill(-1);
  const old = file.ids.slice(start, end);
  let row = 0;
  let at = 0;
  const keep = (until: number): void => {
    for (; row < until; row++, at++) same[row] = like[row] = start + at;
  };
  for (const change of diffLines(old, ids)) {
    keep(change.newStart);
    pairSimilar(
      ids.slice(change.newStart, change.newStart + change.newCount),
      old.slice(change.oldStart, change.oldStart + change.oldCount),
      file,
      (nth, line) => (like[change.newStart + nth] = start + change.oldStart + line),
    );
    row = change.newStart + change.newCount;
    at = change.oldStart + change.oldCount;
  }
  keep(ids.length);
  return { same, like };
}

/** A larger change is rewritten code, in which no line became another one. */
const maxPairs = 4000;

/** Pairs changed lines in order, each with the most similar one that is left. */
function pairSimilar(
  rows: readonly number[],
  lines: readonly number[],
  file: FileIndex,
  onPair: (row: number, line: number) => void,
): void {
  if (rows.length * lines.length > maxPairs) return;
  let from = 0;
  rows.forEach((id, row) => {
    const pattern = new LinePattern(file.textOf(id));
    let best = 0;
    let found = -1;
    for (let line = from; line < lines.length; line++) {
      const text = file.textOf(lines[line] ?? -1);
      if (text.length < pattern.minLength || text.length > pattern.maxLength) continue;
      const ratio = pattern.ratio(text);
      if (ratio > best) {
        best = ratio;
        found = line;
      }
    }
    if (found < 0) return;
    onPair(row, found);
    from = found + 1;
  });
}
