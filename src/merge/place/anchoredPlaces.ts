import type { BlockPlace } from './aligner';
import { type Block, equalEnds } from './block';
import { costs, gapWorth, margins } from './costs';
import { edgeAt } from './edges';
import type { FileIndex } from './fileIndex';
import { depthFactor, depthOf, equalWorth, movedFactor } from './matches';
import { escapingCost, floorOf } from './nesting';

/** An edge with more places is left to the alignment. */
const maxPlaces = 64;
/** Far more than the rounding errors of any sum of scores. */
const tolerance = 1e-6;

/** A line of the file that the first or the last row of a block is. */
interface Anchor {
  readonly place: number;
  readonly worth: number;
  /** How much less any alignment is worth that has another edge. */
  readonly lead: number;
}

/** A place and by how much it is better than any other place of its block can be. */
interface AnchoredPlace {
  readonly place: BlockPlace;
  readonly lead: number;
}

/**
 * The places of blocks whose first and last rows alone decide: no other placement can come near, whatever the rows
 * between them match. These are the places that an alignment would find, at a fraction of its cost; undefined when
 * it takes one to tell.
 */
export function anchoredPlaces(
  blocks: readonly Block[],
  file: FileIndex,
): BlockPlace[] | undefined {
  const places: BlockPlace[] = [];
  // Each block must lead by what other places could gain at the gaps on both sides of it.
  let above = 0;
  let lead = Infinity;
  let from = 0;
  for (const block of blocks) {
    const found = anchoredPlace(block, file);
    if (!found || found.place.start < from) return undefined;
    const { place } = found;
    const gain = gainOfGap(file, block.section.markerAbove, from, place.start);
    if (lead - above - gain < margins.certain + tolerance) return undefined;
    places.push(place);
    ({ lead } = found);
    above = gain;
    from = place.end;
  }
  const gain = gainOfGap(file, blocks.at(-1)?.section.markerBelow, from, file.count);
  return lead - above - gain < margins.certain + tolerance ? undefined : places;
}

function anchoredPlace(block: Block, file: FileIndex): AnchoredPlace | undefined {
  const { ids, indents } = block;
  const rows = ids.length;
  const head = anchorAt(block, file, 1);
  const tail = head && anchorAt(block, file, -1);
  if (!head || !tail || tail.place < head.place) return undefined;
  const start = head.place;
  const end = tail.place + 1;
  const { above, below } = equalEnds(ids, start, end, file);
  // Both edges must be among these rows.
  if (above < rows && below === 0) return undefined;
  if (above === rows && end - start > rows) return undefined;

  const places = placesOfRows(block, file, { start, end, above, below });
  let lost = 0;
  let score = head.worth + tail.worth;
  let lastRow = -1;
  for (let row = 0; row < rows; row++) {
    const count = file.placesOf(ids[row] ?? -1).length;
    if (count === 0) continue;
    if (count > maxPlaces) return undefined;
    const most = worthOf(block, row, count, file);
    const at = places[row] ?? -1;
    if (at < 0) {
      lost += most;
      continue;
    }
    const isMoved = file.indents[at] !== indents[row];
    const worth = isMoved ? most * movedFactor(file.isFiller(ids[row] ?? -1)) : most;
    score += worth;
    lost += most - worth;
    if (row > 0) lost += costOfStep(row - lastRow, at - (places[lastRow] ?? -1));
    lastRow = row;
  }
  if (score - lost < gapWorth.foreign) return undefined;
  const escaping = countLess(file, floorOf(block), start + 1, end - 1);
  const lead = Math.min(head.lead, tail.lead) - lost - escapingCost(escaping);
  return { place: { start, end, score: score - lost, head: 'exact', tail: 'exact' }, lead };
}

/**
 * The lines that the rows of a block are at a place: those of the equal ends, and between them rows that are in the file
 * once, with the equal rows around them. -1 for all other rows. An alignment finds these or better ones.
 */
function placesOfRows(
  { ids }: Block,
  file: FileIndex,
  { start, end, above, below }: { start: number; end: number; above: number; below: number },
): number[] {
  const rows = ids.length;
  const places: number[] = [];
  for (let row = 0; row < rows; row++) {
    places.push(row < above ? start + row : row >= rows - below ? end - rows + row : -1);
  }
  let next = start + above;
  for (let row = above; row < rows - below && next < end - below; row++) {
    let place = file.ids[next] === ids[row] ? next : -1;
    if (place < 0) {
      const [only = -1, other] = file.placesOf(ids[row] ?? -1);
      if (other !== undefined || only < next || only >= end - below) continue;
      place = only;
    }
    for (let back = row; back >= above && places[back] === -1 && place - row + back >= next; back--) {
      if (file.ids[place - row + back] !== ids[back]) break;
      places[back] = place - row + back;
    }
    next = place + 1;
  }
  return places;
}

/** The most that it costs an alignment to match the row and the line that follow by so many after the last ones. */
function costOfStep(rows: number, lines: number): number {
  if (lines > 1) return costs.breakRun + costs.openDeletion + costs.deleteLine * (lines - 1);
  // The line above may be matched by another row, which an alignment takes if it is worse by no more than this.
  return rows > 1 ? 2 * costs.breakRun : 0;
}

/** The one place of an edge that is worth the most, if the lines there are as in the file. */
function anchorAt(block: Block, file: FileIndex, step: 1 | -1): Anchor | undefined {
  const row = step === 1 ? 0 : block.ids.length - 1;
  const found = file.placesOf(block.ids[row] ?? -1);
  if (found.length === 0 || found.length > maxPlaces) return undefined;
  const { worth, fits } = edgeAt(block, found, file, step);
  let best = 0;
  // An edge that is new may be worth nothing, but not less.
  let second = 0;
  for (let k = 1; k < found.length; k++) {
    const value = worth[k] ?? 0;
    if (value > (worth[best] ?? 0)) {
      second = Math.max(second, worth[best] ?? 0);
      best = k;
    } else second = Math.max(second, value);
  }
  const place = found[best] ?? 0;
  if (fits[best] !== 'exact' || file.indents[place] !== block.indents[row]) return undefined;
  const own = found.length === 1 ? worthOf(block, row, 1, file) : 0;
  const most = worth[best] ?? 0;
  return { place, worth: most, lead: most - second + own };
}

/** The most that a row is worth that is in the file `count` times. */
function worthOf({ ids }: Block, row: number, count: number, file: FileIndex): number {
  return depthFactor(depthOf(row, ids.length)) * equalWorth(file.isFiller(ids[row] ?? -1), count);
}

/** How much more the gap of a marker, or of an open end, could be worth with other lines in it. */
function gainOfGap(
  file: FileIndex,
  columns: number | undefined,
  start: number,
  end: number,
): number {
  if (columns === undefined) return start === end ? 0 : gapWorth.open;
  const best = gapWorth.sameIndent;
  if (start === end) return best + gapWorth.empty;
  const less = countLess(file, columns, start, end);
  if (less > 0) return best + Math.min(gapWorth.maxOutdented, gapWorth.outdentedLine * less);
  return best;
}

/** The number of lines from `start` to `end` (half-open) that are indented less than `columns`. */
function countLess(file: FileIndex, columns: number, start: number, end: number): number {
  const { indents } = file;
  let count = 0;
  for (let at = start; at < end; at++) if ((indents[at] ?? 0) < columns) count++;
  return count;
}
