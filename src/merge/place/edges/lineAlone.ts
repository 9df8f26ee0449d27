import type { Block } from '../block';
import type { GapValue } from '../chainPlaces';
import type { FileIndex } from '../fileIndex';
import { movedFactor } from '../matches';
import { type AnchoredPlace, tolerance, worthOf } from './anchors';
import { edgeAt } from './edges';

/** A line with more places is left to the alignment. */
const maxPlaces = 400;

/** True for a block of one line that is in the file several times, such as `}`. */
export const isRepeatedLine = ({ ids }: Block, file: FileIndex): boolean =>
  ids.length === 1 && file.placesOf(ids[0] ?? -1).length > 1;

/** The gap in which a line is placed, between those of the blocks above and below. */
export interface LineGap {
  readonly from: number;
  readonly to: number;
  readonly above: GapValue;
  readonly below: GapValue;
}

/**
 * The best place of a repeated line between its neighbors, and its lead over the places where it would be indented
 * otherwise; at all others the text stays the same. Undefined when no place is without a change.
 */
export function placeOfLine(
  block: Block,
  file: FileIndex,
  { from, to, above, below }: LineGap,
): AnchoredPlace | undefined {
  const [id = -1] = block.ids;
  const [indent] = block.indents;
  const places = file.placesOf(id);
  if (places.length > maxPlaces) return undefined;
  const { worth, fits } = edgeAt(block, places, file, 1);
  const own = worthOf(block, 0, places.length, file);
  let best = -1;
  let most = -Infinity;
  let second = -Infinity;
  for (let k = 0; k < places.length; k++) {
    const start = places[k] ?? 0;
    if (start < from || start >= to) continue;
    const isMoved = file.indents[start] !== indent;
    const score = own * (isMoved ? movedFactor(file.isFiller(id)) : 1) + 2 * (worth[k] ?? 0);
    const value = score + above(from, start) + below(start + 1, to);
    if (isMoved) second = Math.max(second, value);
    else if (value > most + tolerance) {
      best = k;
      most = value;
    }
  }
  const start = places[best];
  const fit = fits[best];
  if (start === undefined || fit === undefined) return undefined;
  const score = own + 2 * (worth[best] ?? 0);
  return { place: { start, end: start + 1, score, head: fit, tail: fit }, lead: most - second };
}
