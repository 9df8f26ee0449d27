import type { BlockPlace } from '../aligner';
import type { Block } from '../block';
import { edgeWorth } from '../costs';
import type { FileIndex } from '../fileIndex';
import { depthFactor, depthOf, equalWorth, largeFileLines, manyPlaces } from '../matches';
import { type EdgeFit, edgeAt } from './edges';

/** A block with more places of its rows is left to the alignment. */
const maxPairs = 4000;

/** Far more than the rounding errors of any sum of scores. */
export const tolerance = 1e-6;

/** A place and by how much it is better than any other place of its block can be. */
export interface AnchoredPlace {
  readonly place: BlockPlace;
  readonly lead: number;
}

/** The line of the file that the first or the last row of a block is. */
export interface EdgeAnchor {
  readonly place: number;
  readonly fit: EdgeFit;
  readonly worth: number;
  /** The worth of the best other line; -Infinity when there is none. */
  readonly second: number;
  /** The most that an edge is worth that is no line of the file. */
  readonly worthOfNew: number;
  /** True when no marker is at this edge: the block then goes on to the end of the file. */
  readonly isOpen: boolean;
  /** The most that the row itself is worth. */
  readonly own: number;
  /** All places of the row, with the worth of the edge there. */
  readonly places: readonly number[];
  readonly worths: readonly number[];
}

export interface EdgeAnchors {
  readonly head: EdgeAnchor;
  readonly tail: EdgeAnchor;
}

/** The lines that fit the edges of a block best; undefined when one of them is new, or was moved. */
export function anchorsOf(block: Block, file: FileIndex): EdgeAnchors | undefined {
  const { ids, section } = block;
  // In a large file, an alignment looks at some of the places of common lines only.
  const many = file.count < largeFileLines ? maxPairs : manyPlaces;
  // The edges are not between rows that are in the file once.
  let first = Infinity;
  let last = -1;
  let pairs = 0;
  for (const id of ids) {
    const places = file.placesOf(id);
    pairs += places.length;
    if (places.length > many || pairs > maxPairs) return undefined;
    if (places.length !== 1) continue;
    first = Math.min(first, places[0] ?? 0);
    last = Math.max(last, places[0] ?? 0);
  }
  const head = anchorAt(block, file, 1, first, section.markerAbove === undefined);
  const tail =
    head &&
    anchorAt(block, file, -1, Math.max(last, head.place), section.markerBelow === undefined);
  return tail && { head, tail };
}

/**
 * @param limit the first place of the edge is not below it, or the last one not above.
 * @param isOpen no marker is at this edge.
 */
function anchorAt(
  block: Block,
  file: FileIndex,
  step: 1 | -1,
  limit: number,
  isOpen: boolean,
): EdgeAnchor | undefined {
  const row = step === 1 ? 0 : block.ids.length - 1;
  const places = file.placesOf(block.ids[row] ?? -1);
  if (places.length === 0) return undefined;
  const { worth: worths, fits } = edgeAt(block, places, file, step);
  let best = bestEdge(places, worths, step, limit);
  if (best < 0) best = bestEdge(places, worths, step, step * Infinity);
  const place = places[best] ?? -1;
  const fit = fits[best];
  if (fit === undefined || file.indents[place] !== block.indents[row]) return undefined;
  let second = -Infinity;
  for (let k = 0; k < places.length; k++) {
    if (k !== best) second = Math.max(second, worths[k] ?? 0);
  }
  return {
    place,
    fit,
    worth: worths[best] ?? 0,
    second,
    worthOfNew: isOpen ? 0 : -edgeWorth.missing,
    isOpen,
    own: worthOf(block, row, places.length, file),
    places,
    worths,
  };
}

/** The index of the place that is worth the most and not between the others; of equal ones the nearest to them. */
function bestEdge(
  places: readonly number[],
  worths: readonly number[],
  step: 1 | -1,
  limit: number,
): number {
  let best = -1;
  let most = -Infinity;
  for (let k = 0; k < places.length; k++) {
    const at = places[k] ?? 0;
    if (step === 1 ? at > limit : at < limit) continue;
    const value = worths[k] ?? 0;
    if (value < most || (value === most && step === -1)) continue;
    best = k;
    most = value;
  }
  return best;
}

/** The most that a row is worth that is in the file `count` times. */
export function worthOf({ ids }: Block, row: number, count: number, file: FileIndex): number {
  return depthFactor(depthOf(row, ids.length)) * equalWorth(file.isFiller(ids[row] ?? -1), count);
}
