import { lowerBound } from '../../../base/sorted';
import type { Block } from '../block';
import { costs, edgeWorth } from '../costs';
import type { FileIndex } from '../fileIndex';
import { movedFactor } from '../matches';
import { countLess, escapingCost, floorOf } from '../nesting';
import { type EdgeAnchor, type EdgeAnchors, worthOf } from './anchors';

/** A lead that no gap makes up for, in the usual case; by how much it is larger is not computed. */
const clearLead = 3;
/** Lines of another place that are looked at, which bounds the time; those beyond only make it worse. */
const maxScanned = 200;

/** How much less a block is worth at its place than if each of its rows counted in full, without any cost. */
export class Loss {
  readonly #block: Block;
  readonly #file: FileIndex;
  readonly total: number;
  /** The rows that are in the file. */
  #known: readonly KnownRow[] | undefined;

  constructor(block: Block, file: FileIndex, total: number) {
    this.#block = block;
    this.#file = file;
    this.total = total;
  }

  /** The same if rows of no line between two positions (inclusive) count nothing; below zero if these are worth more. */
  within(first: number, last: number): number {
    let loss = this.total;
    this.#known ??= this.#knownRows();
    for (const { places, worth } of this.#known) {
      const at = places.length === 1 || (places[0] ?? 0) >= first ? 0 : lowerBound(places, first);
      const place = places[at] ?? Infinity;
      if (place < first || place > last) loss -= worth;
    }
    return loss;
  }

  #knownRows(): KnownRow[] {
    const known: KnownRow[] = [];
    for (let row = 0; row < this.#block.ids.length; row++) {
      const places = this.#file.placesOf(this.#block.ids[row] ?? -1);
      if (places.length === 0) continue;
      known.push({ places, worth: worthOf(this.#block, row, places.length, this.#file) });
    }
    return known;
  }
}

interface KnownRow {
  readonly places: readonly number[];
  /** The most that it is worth. */
  readonly worth: number;
}

/** The edges of a block at its place. */
export interface BlockEdges extends EdgeAnchors {
  readonly block: Block;
  readonly file: FileIndex;
  readonly loss: Loss;
  /** The ids that the snippet shows. */
  readonly shown: () => ReadonlySet<number>;
}

/** How much less a block is worth at least at any place with another first or last row, or both. */
export function leadOf(edges: BlockEdges): number {
  const { head, tail, loss } = edges;
  return Math.min(
    leadOfAny(head) + leadOfAny(tail) - loss.total,
    leadOverNew(edges, 1),
    leadOverNew(edges, -1),
    leadOverOthers(edges, 1),
    leadOverOthers(edges, -1),
  );
}

/** How much less an edge is worth at least that is not the one found. */
const leadOfAny = ({ worth, worthOfNew, own, second }: EdgeAnchor): number =>
  worth - Math.max(worthOfNew - own, second);

/** How much less the block is worth at least if one edge is new and the other the same; `step` 1 for a new first row. */
function leadOverNew(edges: BlockEdges, step: 1 | -1): number {
  const { head, tail, loss } = edges;
  const edge = step === 1 ? head : tail;
  const lead = edge.worth + edge.own - loss.total;
  const clear = lead - edge.worthOfNew;
  if (clear >= clearLead) return clear;
  // Lines beyond the place are only matched if those between are deleted.
  const { last } = deletionBeyond(edges, step, loss.total);
  const within = step === 1 ? loss.within(last, tail.place) : loss.within(head.place, last);
  const near = clear + loss.total - within + costOfNext(edges, step, last);
  if (!edge.isOpen || near >= clearLead) return near;
  // An open edge that is new costs what it deletes up to the end of the file, if that is less.
  return Math.max(near, lead + deletionBeyond(edges, step, edgeWorth.missing).cost);
}

/**
 * What it costs at least not to match the known row next to an edge that is new, or to match it, if that is less.
 *
 * @param last the last line that may be matched in the direction of the new edge.
 */
function costOfNext(edges: BlockEdges, step: 1 | -1, last: number): number {
  const { block, file, head, tail, shown } = edges;
  const { ids } = block;
  const fixed = step === 1 ? tail.place : head.place;
  const end = step === 1 ? ids.length - 1 : 0;
  let row = (step === 1 ? 0 : ids.length - 1) + step;
  while (row > 0 && row < ids.length - 1 && !file.hasLine(ids[row] ?? -1)) row += step;
  if (row <= 0 || row >= ids.length - 1) return 0;
  const places = file.placesOf(ids[row] ?? -1);
  const at = lowerBound(places, fixed) - (step === 1 ? 1 : 0);
  let place = places[at] ?? -1;
  if (place === fixed) place = places[at + 1] ?? -1;
  // Matched with a line that is out of reach, it counts nothing anyway.
  if (step === 1 ? place < last : place < 0 || place > last) return 0;
  const [from, to] = step === 1 ? [place, fixed] : [fixed, place];
  const matched =
    deletionIn(file, from, to, shown()) || (hasNew(block, row, end, file) ? costs.breakRun : 0);
  return Math.min(matched, worthOf(block, row, places.length, file));
}

/** True when a row between two others is not in the file. */
function hasNew({ ids }: Block, one: number, other: number, file: FileIndex): boolean {
  for (let row = Math.min(one, other) + 1; row < Math.max(one, other); row++) {
    if (!file.hasLine(ids[row] ?? -1)) return true;
  }
  return false;
}

/**
 * What it costs at least to delete the lines beyond an edge, up to a limit, and the line where that is reached, or the end
 * of the file.
 */
function deletionBeyond(
  { head, tail, file, shown }: BlockEdges,
  step: 1 | -1,
  limit: number,
): { readonly cost: number; readonly last: number } {
  const ids = shown();
  const edge = step === 1 ? head.place : tail.place;
  const end = step === 1 ? 0 : file.count - 1;
  let cost = 0;
  for (let lines = 1; lines <= maxScanned; lines++) {
    const at = edge - step * lines;
    if (at < 0 || at >= file.count) break;
    cost += costOfDeleting(file, at, ids);
    if (cost >= limit) return { cost: limit, last: at };
  }
  return { cost, last: end };
}

/** How much less the block is worth at least with another line of the file as one edge, and the same one as the other. */
export function leadOverOthers(edges: BlockEdges, step: 1 | -1): number {
  const { block, file, head, tail, loss, shown } = edges;
  const [edge, fixed] = step === 1 ? [head, tail] : [tail, head];
  if (edge.places.length === 1) return Infinity;
  const { ids, indents } = block;
  const row = step === 1 ? 0 : ids.length - 1;
  const moved = 1 - movedFactor(file.isFiller(ids[row] ?? -1));
  const isBroken = hasNew(block, 0, ids.length - 1, file);
  let floor: number | undefined;
  let least = Infinity;
  for (let k = 0; k < edge.places.length; k++) {
    const place = edge.places[k] ?? 0;
    const start = step === 1 ? place : fixed.place;
    const last = step === 1 ? fixed.place : place;
    if (place === edge.place || last < start) continue;
    let lead = edge.worth - (edge.worths[k] ?? 0) - loss.total;
    if (file.indents[place] !== indents[row]) lead += edge.own * moved;
    if (lead < clearLead) {
      lead += deletionIn(file, start, last, shown()) || (isBroken ? costs.breakRun : 0);
    }
    if (lead < clearLead) lead += loss.total - loss.within(start, last);
    // An alignment keeps the best place for each end before it counts what is outside of the code that is shown.
    if (lead <= 0) return -Infinity;
    if (lead < clearLead) {
      floor ??= floorOf(block);
      const end = Math.min(last, start + maxScanned);
      lead += escapingCost(countLess(file, floor, start + 1, end));
    }
    least = Math.min(least, lead);
  }
  return least;
}

/** What it costs at least to delete the lines between two places that the snippet does not show. */
function deletionIn(
  file: FileIndex,
  start: number,
  last: number,
  shown: ReadonlySet<number>,
): number {
  const end = Math.min(last, start + maxScanned);
  let cost = 0;
  for (let at = start + 1; at < end; at++) cost += costOfDeleting(file, at, shown);
  return cost === 0 ? 0 : cost + costs.openDeletion + costs.breakRun;
}

/** Nothing for a line that the snippet shows, which may be matched instead. */
function costOfDeleting(file: FileIndex, at: number, shown: ReadonlySet<number>): number {
  const id = file.ids[at] ?? -1;
  if (shown.has(id)) return 0;
  return file.isFiller(id) ? costs.deleteFiller : costs.deleteLine;
}
