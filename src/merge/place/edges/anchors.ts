import type { Block } from '../block';
import { costs, edgeWorth } from '../costs';
import type { FileIndex } from '../fileIndex';
import {
  depthFactor,
  depthOf,
  equalWorth,
  largeFileLines,
  manyPlaces,
  movedFactor,
} from '../matches';
import { countLess, escapingCost, floorOf } from '../nesting';
import { type EdgeFit, edgeAt } from './edges';

/** A block with more places of its rows is left to the alignment. */
const maxPairs = 4000;

/** The line of the file that the first or the last row of a block is. */
export interface EdgeAnchor {
  readonly place: number;
  readonly fit: EdgeFit;
  readonly worth: number;
  /** The worth of the best other line; -Infinity when there is none. */
  readonly second: number;
  /** The most that an edge is worth that is no line of the file. */
  readonly worthOfNew: number;
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

interface OtherEdges extends EdgeAnchors {
  /** 1 when the first row is at another line, -1 when the last one is. */
  readonly step: 1 | -1;
  /** What the block loses at its place. */
  readonly lost: number;
  /** The ids that the snippet shows. */
  readonly shown: () => ReadonlySet<number>;
}

/** A lead that no gap makes up for, in the usual case; by how much it is larger is not computed. */
const clearLead = 3;
/** Lines of another place that are looked at, which bounds the time; those beyond only make it worse. */
const maxScanned = 200;

/** How much less the block is worth at least with another line of the file as one edge, and the same one as the other. */
export function leadOverOthers(
  block: Block,
  file: FileIndex,
  { head, tail, step, lost, shown }: OtherEdges,
): number {
  const [edge, fixed] = step === 1 ? [head, tail] : [tail, head];
  if (edge.places.length === 1) return Infinity;
  const { ids, indents } = block;
  const row = step === 1 ? 0 : ids.length - 1;
  const moved = 1 - movedFactor(file.isFiller(ids[row] ?? -1));
  let floor: number | undefined;
  let least = Infinity;
  for (let k = 0; k < edge.places.length; k++) {
    const place = edge.places[k] ?? 0;
    const start = step === 1 ? place : fixed.place;
    const last = step === 1 ? fixed.place : place;
    if (place === edge.place || last < start) continue;
    let lead = edge.worth - (edge.worths[k] ?? 0);
    if (file.indents[place] !== indents[row]) lead += edge.own * moved;
    if (lead < lost + clearLead) lead += worthOutside(block, file, start, last);
    const end = Math.min(last, start + maxScanned);
    if (lead < lost + clearLead) lead += deletionIn(file, start, end, shown());
    // An alignment keeps the best place for each end before it counts what is outside of the code that is shown.
    if (lead <= lost) return -Infinity;
    if (lead < lost + clearLead) {
      floor ??= floorOf(block);
      lead += escapingCost(countLess(file, floor, start + 1, end));
    }
    least = Math.min(least, lead);
  }
  return least;
}

/** What the rows are worth that are in the file once, but not between two places: there they match nothing. */
function worthOutside(block: Block, file: FileIndex, start: number, last: number): number {
  let worth = 0;
  for (let row = 0; row < block.ids.length; row++) {
    const places = file.placesOf(block.ids[row] ?? -1);
    const only = places[0] ?? -1;
    const isOutside = places.length === 1 && (only < start || only > last);
    if (isOutside) worth += worthOf(block, row, 1, file);
  }
  return worth;
}

/** What it costs at least to delete the lines between two places that the snippet does not show. */
function deletionIn(
  file: FileIndex,
  start: number,
  end: number,
  shown: ReadonlySet<number>,
): number {
  let cost = 0;
  for (let at = start + 1; at < end; at++) {
    const id = file.ids[at] ?? -1;
    if (!shown.has(id)) cost += file.isFiller(id) ? costs.deleteFiller : costs.deleteLine;
  }
  return cost === 0 ? 0 : cost + costs.openDeletion + costs.breakRun;
}
