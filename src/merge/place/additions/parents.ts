import { diffLines } from '../../diff/lineDiff';
import type { BlockPlace } from '../aligner';
import { type Block, equalEnds } from '../block';
import type { FileIndex } from '../fileIndex';

/** A longer replaced part is not compared. */
const maxLines = 300;

/**
 * True when a row of the block would get another parent: above it the block shows one header, but in the file there is
 * another one between, which would be deleted, while the row stays.
 */
export function changesParents(
  { ids, indents }: Block,
  { start, end, tail }: BlockPlace,
  file: FileIndex,
): boolean {
  if (end - start < 2 || end - start > maxLines) return false;
  if (!mayLoseParent({ ids, indents }, { start, end, tail }, file)) return false;
  const rowAt = new Int32Array(end - start).fill(-1);
  let row = 0;
  let at = 0;
  const changes = diffLines(file.ids.slice(start, end), ids);
  for (const { oldStart, oldCount, newStart, newCount } of changes) {
    for (; row < newStart; row++, at++) rowAt[at] = row;
    row = newStart + newCount;
    at = oldStart + oldCount;
  }
  for (; row < ids.length; row++, at++) rowAt[at] = row;
  if (tail === 'similar') rowAt[end - start - 1] = ids.length - 1;
  return rowAt.some((shown, line) => {
    if (shown < 0 || file.isFiller(ids[shown] ?? -1)) return false;
    // A block around it was taken away.
    if (indents[shown] !== file.indents[start + line]) return false;
    const parent = parentOf(line, nth => file.indents[start + nth] ?? 0);
    const parentRow = parentOf(shown, nth => indents[nth] ?? 0);
    if (parent < 0 || parentRow < 0 || rowAt[parent] !== -1) return false;
    // A header that is new in the block can be the changed form of the one in the file.
    return !file.isFiller(file.ids[start + parent] ?? -1) && rowAt.includes(parentRow);
  });
}

/**
 * A fast check: a line of the file that the block may show stands below one that it may not show, while the parent of its
 * row may be in the file, too.
 */
function mayLoseParent(
  { ids, indents }: Pick<Block, 'ids' | 'indents'>,
  { start, end, tail }: Pick<BlockPlace, 'start' | 'end' | 'tail'>,
  file: FileIndex,
): boolean {
  const { ids: lines, indents: columns } = file;
  const { above, below } = equalEnds(ids, start, end, file);
  if (above + below === end - start) return false;
  const replaced = lines.slice(start, end);
  const gone = replaced.slice(above, replaced.length - below);
  for (let at = start + 1; at < end; at++) {
    const parent = parentOf(at - start, nth => columns[start + nth] ?? 0);
    if (parent < 0) continue;
    const id = lines[start + parent] ?? -1;
    if (file.isFiller(id)) continue;
    if (!gone.includes(id)) continue;
    const isLike = at === end - 1 && tail === 'similar';
    for (let row = 1; row < ids.length; row++) {
      const mayBeRow = ids[row] === lines[at] || (isLike && row === ids.length - 1);
      if (!mayBeRow || indents[row] !== columns[at]) continue;
      const parentRow = parentOf(row, nth => indents[nth] ?? 0);
      if (parentRow < 0) continue;
      if (replaced.includes(ids[parentRow] ?? -1)) return true;
    }
  }
  return false;
}

/** The last line above that is indented less; -1 when there is none. */
function parentOf(line: number, indentOf: (line: number) => number): number {
  const own = indentOf(line);
  let above = line - 1;
  while (above >= 0 && indentOf(above) >= own) above--;
  return above;
}
