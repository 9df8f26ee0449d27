import { isCommentOrDecorator } from './additions/entries';
import type { BlockPlace } from './aligner';
import type { Block } from './block';
import type { BracketBalances } from './bracketBalances';
import { declaredName } from './declaredName';
import type { FileIndex } from './fileIndex';

/**
 * The place of a declaration that is shown to its end, though its last lines are new: down to the end of its old body,
 * which would else follow the new one. Undefined where the place is so already, or where the body may go on: a marker
 * that is indented like the body stands for the rest of it.
 */
export function wholeBody(
  block: Block,
  place: BlockPlace,
  file: FileIndex,
  balances: BracketBalances,
): BlockPlace | undefined {
  const { ids, indents, section } = block;
  const { start, end, tail } = place;
  const [depth = 0] = indents;
  if (end <= start || tail === 'exact' || (section.markerBelow ?? 0) > depth) return undefined;
  const row = ids.findIndex(id => !isCommentOrDecorator(file.textOf(id)));
  const header = start + row;
  const isShown = ids.slice(0, row + 1).every((id, nth) => file.ids[start + nth] === id);
  if (row < 0 || !isShown || declaredName(file.textOf(ids[row] ?? -1)) === undefined) {
    return undefined;
  }
  let bodyEnd = header + 1;
  while (bodyEnd < file.count && (file.indents[bodyEnd] ?? 0) > depth) bodyEnd++;
  const last = ids.length - 1;
  const isOne = indents.slice(row + 1, last).every(indent => indent > depth);
  if (bodyEnd === header + 1 || !isOne || (end > bodyEnd && tail !== 'new')) return undefined;
  const after = bodyEnd < file.count ? (file.ids[bodyEnd] ?? -1) : -1;
  const isClosed = file.indents[bodyEnd] === depth && file.isFiller(after);
  if ((indents[last] ?? 0) > depth) {
    // Without its closing line the body goes on.
    const whole = { ...place, end: bodyEnd };
    return isClosed || end === bodyEnd || !balances.isSame(block, whole) ? undefined : whole;
  }
  return isClosed && ids[last] === after
    ? { ...place, end: bodyEnd + 1, tail: 'common' }
    : undefined;
}
