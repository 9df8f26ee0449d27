import { diffLines } from '../../diff/lineDiff';
import type { BlockPlace } from '../aligner';
import type { Block } from '../block';
import type { FileIndex } from '../fileIndex';

/** A longer replaced part is not compared. */
const maxLines = 300;

/**
 * Counts the rows of a block that would get another parent: above them the block shows one header, but in the file
 * there is another one between, which would be deleted, while they stay.
 */
export function rowsOfOtherParents(
  { ids, indents }: Block,
  { start, end }: BlockPlace,
  file: FileIndex,
): number {
  if (end - start < 2 || end - start > maxLines) return 0;
  const rowAt = new Int32Array(end - start).fill(-1);
  let row = 0;
  let at = 0;
  const changes = diffLines(file.ids.slice(start, end).map(String), ids.map(String));
  for (const { oldStart, oldCount, newStart, newCount } of changes) {
    for (; row < newStart; row++, at++) rowAt[at] = row;
    row = newStart + newCount;
    at = oldStart + oldCount;
  }
  for (; row < ids.length; row++, at++) rowAt[at] = row;
  let count = 0;
  rowAt.forEach((shown, line) => {
    if (shown < 0 || file.isFiller(ids[shown] ?? -1)) return;
    const parent = parentOf(line, nth => file.indents[start + nth] ?? 0);
    const parentRow = parentOf(shown, nth => indents[nth] ?? 0);
    if (parent < 0 || parentRow < 0 || rowAt[parent] !== -1) return;
    if (file.isFiller(file.ids[start + parent] ?? -1)) return;
    // A header that is new in the block can be the changed form of the one in the file.
    if (rowAt.includes(parentRow)) count++;
  });
  return count;
}

/** The last line above that is indented less; -1 when there is none. */
function parentOf(line: number, indentOf: (line: number) => number): number {
  const own = indentOf(line);
  let above = line - 1;
  while (above >= 0 && indentOf(above) >= own) above--;
  return above;
}
