import type { BlockPlace } from '../aligner';
import { type Block, equalEnds } from '../block';
import { gapValue } from '../chainPlaces';
import { costs, gapWorth, limits, margins } from '../costs';
import type { FileIndex } from '../fileIndex';
import { movedFactor } from '../matches';
import { countLess, escapingCost, floorOf, Nesting } from '../nesting';
import { type AnchoredPlace, anchorsOf, tolerance, worthOf } from './anchors';
import { doubtOf } from './doubt';
import { isRepeatedLine, placeOfLine } from './lineAlone';
import { Loss, leadOf } from './otherEdges';

/**
 * The places of blocks whose first and last rows alone decide: no other placement can come near, whatever the rows
 * between them match. These are the places that an alignment would find, at a fraction of its cost; undefined when
 * it takes one to tell.
 */
export function anchoredPlaces(
  blocks: readonly Block[],
  file: FileIndex,
): BlockPlace[] | undefined {
  const hasKnownEdges = ({ ids }: Block): boolean =>
    file.hasLine(ids[0] ?? -1) && file.hasLine(ids.at(-1) ?? -1);
  if (!blocks.every(hasKnownEdges)) return undefined;
  let known: ReadonlySet<number> | undefined;
  const shown = (): ReadonlySet<number> => (known ??= new Set(blocks.flatMap(({ ids }) => ids)));
  const anchored: (AnchoredPlace | undefined)[] = [];
  for (const block of blocks) {
    const found = isRepeatedLine(block, file) ? undefined : anchoredPlace(block, file, shown);
    if (!found && block.ids.length > 1) return undefined;
    anchored.push(found);
  }
  const nesting = new Nesting(file);
  const places: BlockPlace[] = [];
  let needed = margins.certain + tolerance;
  let margin = Infinity;
  // Each anchored block must lead by what other places could gain at the gaps on both sides of it.
  let lead = Infinity;
  let gain = 0;
  let from = 0;
  for (const [k, block] of blocks.entries()) {
    const { markerAbove, markerBelow } = block.section;
    const below = blocks[k + 1];
    const next = anchored[k + 1];
    const own = anchored[k];
    // A line alone is placed between anchored blocks.
    if (!own && below && !next) return undefined;
    const found =
      own ??
      placeOfLine(block, file, {
        from,
        to: next?.place.start ?? file.count,
        above: gapValue(nesting, markerAbove),
        below: gapValue(nesting, below ? below.section.markerAbove : markerBelow),
      });
    if (!found || found.place.start < from) return undefined;
    const { place } = found;
    gain += gainOfGap(file, markerAbove, from, place.start);
    if (own) {
      margin = Math.min(margin, lead - gain);
      lead = own.lead - gain;
      gain = 0;
    } else {
      margin = Math.min(margin, found.lead);
    }
    needed += doubtOf(place, block);
    if (Math.min(margin, lead) < needed) return undefined;
    places.push(place);
    from = place.end;
  }
  gain += gainOfGap(file, blocks.at(-1)?.section.markerBelow, from, file.count);
  if (Math.min(margin, lead - gain) < needed) return undefined;
  return places.some(({ score }) => score > gapWorth.foreign) ? places : undefined;
}

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
    const whole = worthOf(block, row, count, file);
    const at = places[row] ?? -1;
    if (at < 0) {
      lost += whole;
      continue;
    }
    const isMoved = file.indents[at] !== indents[row];
    const worth = isMoved ? whole * movedFactor(file.isFiller(ids[row] ?? -1)) : whole;
    score += worth;
    lost += whole - worth;
    if (row > 0) lost += costOfStep(block, lastRow, row, at - (places[lastRow] ?? -1));
    lastRow = row;
  }
  if (score - lost < limits.minScore) return undefined;
  const loss = new Loss(block, file, lost);
  const others = leadOf({ block, file, head, tail, loss, shown });
  const escaping = escapingCost(countLess(file, floorOf(block), start + 1, end - 1));
  const place = { start, end, score: score - lost, head: head.fit, tail: tail.fit };
  return { place, lead: others - escaping };
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

/** The most that it costs an alignment to match a row and the line that follows by so many after those of the last one. */
function costOfStep({ ids }: Block, last: number, row: number, lines: number): number {
  if (lines > 1) return costs.breakRun + costs.openDeletion + costs.deleteLine * (lines - 1);
  if (row - last === 1) return 0;
  // If another row between equals the line above, an alignment takes that if it is worse by no more than a break.
  const next = ids.indexOf(ids[last] ?? -1, last + 1);
  return next > 0 && next < row ? 2 * costs.breakRun : costs.breakRun;
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
