import type { BlockPlace } from '../aligner';
import { type Block, equalEnds } from '../block';
import { costs, gapWorth, margins } from '../costs';
import type { FileIndex } from '../fileIndex';
import { movedFactor } from '../matches';
import { countLess, escapingCost, floorOf } from '../nesting';
import { anchorsOf, type EdgeAnchor, leadOverOthers, worthOf } from './anchors';
import { doubtOf } from './doubt';

/** Far more than the rounding errors of any sum of scores. */
const tolerance = 1e-6;

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
  if (!blocks.every(({ ids }) => isKnown(ids[0], file) && isKnown(ids.at(-1), file))) {
    return undefined;
  }
  const places: BlockPlace[] = [];
  let known: ReadonlySet<number> | undefined;
  const shown = (): ReadonlySet<number> => (known ??= new Set(blocks.flatMap(({ ids }) => ids)));
  // Each block must lead by what other places could gain at the gaps on both sides of it.
  let needed = margins.certain + tolerance;
  let margin = Infinity;
  let lead = Infinity;
  let from = 0;
  for (const block of blocks) {
    const found = anchoredPlace(block, file, shown);
    if (!found || found.place.start < from) return undefined;
    const { place } = found;
    const gain = gainOfGap(file, block.section.markerAbove, from, place.start);
    margin = Math.min(margin, lead - gain);
    lead = found.lead - gain;
    needed += doubtOf(place, block);
    if (Math.min(margin, lead) < needed) return undefined;
    places.push(place);
    from = place.end;
  }
  const gain = gainOfGap(file, blocks.at(-1)?.section.markerBelow, from, file.count);
  return Math.min(margin, lead - gain) < needed ? undefined : places;
}

const isKnown = (id: number | undefined, file: FileIndex): boolean =>
  id !== undefined && file.placesOf(id).length > 0;

function anchoredPlace(
  block: Block,
  file: FileIndex,
  shown: () => ReadonlySet<number>,
): AnchoredPlace | undefined {
  const { ids, indents } = block;
  const rows = ids.length;
  const anchors = anchorsOf(block, file);
  if (!anchors) return undefined;
  const { head, tail } = anchors;
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
  const others = Math.min(
    leadOfNew(head),
    leadOfNew(tail),
    leadOfAny(head) + leadOfAny(tail),
    leadOverOthers(block, file, { head, tail, step: 1, lost, shown }),
    leadOverOthers(block, file, { head, tail, step: -1, lost, shown }),
  );
  const escaping = escapingCost(countLess(file, floorOf(block), start + 1, end - 1));
  const place = { start, end, score: score - lost, head: head.fit, tail: tail.fit };
  return { place, lead: others - lost - escaping };
}

/** How much less an alignment is worth whose edge is new. */
const leadOfNew = ({ worth, worthOfNew, own }: EdgeAnchor): number => worth - worthOfNew + own;

/** How much less it is worth at least with any other edge. */
const leadOfAny = ({ worth, worthOfNew, second }: EdgeAnchor): number =>
  worth - Math.max(worthOfNew, second);

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
    for (
      let back = row;
      back >= above && places[back] === -1 && place - row + back >= next;
      back--
    ) {
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
  return countLess(file, columns + 1, start, end) > 0 ? 0 : best;
}
