import type { BlockPlace } from '../aligner';
import type { Block } from '../block';
import type { BracketBalances } from '../bracketBalances';
import type { FileIndex } from '../fileIndex';
import { isCommentOrDecorator, opensEntry } from './entries';
import { isNewEntry, withoutOuterEnd } from './newEntry';

/** Where a block may go: half-open positions of the file. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Statements have an order: only among so few of them does a reader see at once whether the place is right. */
const maxStatements = 5;

/**
 * A place for new lines that nothing ties to one, among lines of their kind: in their middle if there are markers above
 * and below, else at the end that has no marker. A guess, to be reviewed; undefined where there is none.
 *
 * @param near a position of the file with lines like the new ones.
 */
export function guessedPlace(
  block: Block,
  gap: Gap,
  near: number | undefined,
  file: FileIndex,
  balances: BracketBalances,
): BlockPlace | undefined {
  const { markerAbove, markerBelow } = block.section;
  const isBetween = markerAbove !== undefined && markerBelow !== undefined;
  if (markerAbove === undefined && markerBelow === undefined) return undefined;
  const outer = atOuterEnd(block, gap, file);
  if (outer) return balances.isSame(block, outer) ? outer : undefined;
  const isEntry = isNewEntry(block, file);
  const depth = block.indents[0] ?? 0;
  const siblings = siblingsIn(gap, depth, near, file, isEntry);
  if (!siblings) return undefined;
  const isFew = siblings.starts.length <= maxStatements;
  if (!isEntry && !(isBetween && isFew && areStatements(block, file))) return undefined;
  const { starts, end } = siblings;
  const middle = starts[Math.ceil(starts.length / 2)];
  const next = isBetween ? middle : markerAbove === undefined ? starts[0] : undefined;
  if (next === undefined && !isEntry) return undefined;
  const at = next === undefined ? end : aboveLead(next, gap.from, file);
  const place: BlockPlace = { start: at, end: at, score: 0, head: 'new', tail: 'new' };
  return balances.isSame(block, place) ? place : undefined;
}

/** The place of new entries that are shown with the closing lines of their parent: above these. */
function atOuterEnd(block: Block, { from, to }: Gap, file: FileIndex): BlockPlace | undefined {
  const { entry, closers } = withoutOuterEnd(block, file);
  const [depth = 0] = block.indents;
  const isInside = parentOf(from, depth, file) >= 0;
  if (closers === 0 || !isInside || !isNewEntry(entry, file)) return undefined;
  let start = from;
  while (start < to && (file.indents[start] ?? 0) >= depth) start++;
  const end = start + closers;
  const areShown = block.ids.slice(-closers).every((id, nth) => file.ids[start + nth] === id);
  return end <= to && areShown ? { start, end, score: 0, head: 'new', tail: 'exact' } : undefined;
}

/** False for lines that belong to what follows, and for parts of a statement. */
function areStatements({ ids, indents }: Block, file: FileIndex): boolean {
  const [depth = 0] = indents;
  const last = file.textOf(ids.at(-1) ?? -1);
  return indents.every(indent => indent >= depth) && !isCommentOrDecorator(last);
}

interface Siblings {
  /** Where they start. */
  readonly starts: readonly number[];
  /** The end of what they are parts of. */
  readonly end: number;
}

/** The lines at a depth that have one parent: that of the lines at `near`, or the only one there is. */
function siblingsIn(
  { from, to }: Gap,
  depth: number,
  near: number | undefined,
  file: FileIndex,
  areEntries: boolean,
): Siblings | undefined {
  const { ids, indents } = file;
  const wanted = near === undefined ? undefined : parentOf(near, depth, file);
  let parent = parentOf(from, depth, file);
  let found: { parent: number; starts: number[]; end: number } | undefined;
  for (let at = from; at < to; at++) {
    const indent = indents[at] ?? 0;
    if (indent < depth) parent = at;
    if (found && found.parent !== parent) found.end = Math.min(found.end, at);
    const id = ids[at] ?? -1;
    const isStart =
      indent === depth &&
      (wanted === undefined || wanted === parent) &&
      (areEntries ? opensEntry(file.textOf(id)) : !file.isFiller(id));
    if (!isStart) continue;
    found ??= { parent, starts: [], end: to };
    if (found.parent !== parent) return undefined;
    found.starts.push(at);
  }
  return found;
}

/** The last line above a position that is indented less than the depth; -1 if there is none. */
function parentOf(at: number, depth: number, file: FileIndex): number {
  let above = at - 1;
  while (above >= 0 && (file.indents[above] ?? 0) >= depth) above--;
  return above;
}

/** The position of the comments and decorators right above a line, or of the line. */
function aboveLead(at: number, from: number, file: FileIndex): number {
  let start = at;
  while (start > from && isLead(start - 1, at, file)) start--;
  return start;
}

function isLead(at: number, of: number, file: FileIndex): boolean {
  const text = file.textOf(file.ids[at] ?? -1);
  const inner = (file.indents[at] ?? 0) - (file.indents[of] ?? 0);
  const isAligned = inner === 0 || (inner === 1 && text.startsWith('*'));
  const isAdjacent = file.rawEndOf(at + 1) === file.rawOf(at + 1);
  return isAligned && isAdjacent && isCommentOrDecorator(text);
}
