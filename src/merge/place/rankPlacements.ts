import type { DroppedLines } from './additions/droppedLines';
import type { Aligner, BlockPlace } from './aligner';
import type { Block } from './block';
import type { BracketBalances } from './bracketBalances';
import { chainPlaces, narrowPlaces, type SnippetPlacement } from './chainPlaces';
import { costs, gapWorth, limits, margins } from './costs';
import { declaredName } from './declaredName';
import { doubtOf, looseEdges } from './edges/doubt';
import type { FileIndex } from './fileIndex';
import { escapingCost, floorOf, type Nesting } from './nesting';

/** Positions of the file, half-open, that may change. */
export interface PositionSpan {
  readonly start: number;
  readonly end: number;
}

export interface RankedPlacement {
  readonly kind: 'read';
  readonly best: SnippetPlacement;
  /** The best placement with a different result. */
  readonly rival: SnippetPlacement | undefined;
  /** The difference in score to the rival. */
  readonly margin: number;
  /** The margin from which the best placement is certain. */
  readonly needed: number;
}

export type Unplaced =
  | { readonly kind: 'foreign' | 'disordered' }
  /** No place was found for these blocks. */
  | { readonly kind: 'floating'; readonly floating: readonly Block[] };

/** Ranks the placements of all blocks together; with `compared`, also by brackets and by what would be gone. */
export function rankPlacements(
  blocks: readonly Block[],
  file: FileIndex,
  aligner: Aligner,
  nesting: Nesting,
  span: PositionSpan | undefined,
  compared?: { readonly balances: BracketBalances; readonly dropped: DroppedLines },
): RankedPlacement | Unplaced {
  const places = blocks.map(block => aligner.placesOf(block, compared !== undefined));
  const isForeign = !places.some(found => found.some(({ score }) => score > gapWorth.foreign));
  if (isForeign && !isAppendix(blocks)) return { kind: 'foreign' };
  addFileEnds(blocks, places, file);
  const allowed = span
    ? places.map((found, k) => found.filter(place => changesInside(blocks[k], place, span, file)))
    : places;
  const floating = blocks.filter((_, k) => allowed[k]?.length === 0);
  if (floating.length > 0) return { kind: 'floating', floating };
  const feasible = narrowPlaces(allowed, limits.places);
  // The usual case: only one place of each section is near the best.
  const only = feasible.flatMap(found => (found.length === 1 ? found : []));
  if (only.length === blocks.length) {
    const best = { places: only, score: 0 };
    return {
      kind: 'read',
      best,
      rival: undefined,
      margin: Infinity,
      needed: neededFor(best, blocks),
    };
  }
  feasible.forEach((found, k) => {
    const block = blocks[k];
    if (!block || found.length < 2) return;
    const floor = floorOf(block);
    for (const place of found) {
      if (looseEdges(place) === 0) {
        // A place of one line has no lines between its ends, and the count is below zero.
        const escaping = Math.max(0, nesting.less(floor, place.start + 1, place.end - 1));
        place.score -= escapingCost(escaping);
      }
      if (compared) {
        place.score -= costs.bracket * compared.balances.difference(block, place);
        place.score -= compared.dropped.cost(block, place);
      }
    }
  });
  const readings = chainPlaces(blocks, feasible, file, nesting, limits.margin);
  const best = readings.next().value;
  if (!best) return { kind: 'disordered' };
  const needed = neededFor(best, blocks);
  for (const rival of readings) {
    if (!isSameResult(file, blocks, best, rival)) {
      return { kind: 'read', best, rival, margin: best.score - rival.score, needed };
    }
  }
  return { kind: 'read', best, rival: undefined, margin: Infinity, needed };
}

/** The margin from which a placement is certain. */
function neededFor({ places }: SnippetPlacement, blocks: readonly Block[]): number {
  return places.reduce((sum, place, k) => sum + doubtOf(place, blocks[k]), margins.certain);
}

/** True for new lines after a marker, at the end of the snippet: they go to the end of the file. */
function isAppendix(blocks: readonly Block[]): boolean {
  const [block] = blocks;
  if (!block || blocks.length > 1) return false;
  const { markerAbove, markerBelow } = block.section;
  return markerAbove !== undefined && markerBelow === undefined && block.indents[0] === 0;
}

/** New lines below the last marker may belong at the end of the file, and above the first one at its top. */
function addFileEnds(blocks: readonly Block[], places: BlockPlace[][], file: FileIndex): void {
  const last = blocks.at(-1);
  const first = blocks[0];
  if (last?.section.markerAbove !== undefined && last.section.markerBelow === undefined) {
    const [head = -1] = last.ids;
    if (!file.hasLine(head)) {
      // A complete new definition is hardly a new form of another one.
      const isDefinition = declaredName(file.textOf(head)) !== undefined;
      const score = isDefinition ? gapWorth.newDefinition : gapWorth.endOfFile;
      places.at(-1)?.push(endPlace(file.count, score));
    }
  }
  if (first?.section.markerAbove === undefined && first?.section.markerBelow !== undefined) {
    if (!file.hasLine(first.ids.at(-1) ?? -1)) places[0]?.push(endPlace(0, gapWorth.endOfFile));
  }
}

function endPlace(at: number, score: number): BlockPlace {
  return { start: at, end: at, score, head: 'new', tail: 'new' };
}

/** True when the section contains the lines of the place outside the span unchanged. */
function changesInside(
  block: Block | undefined,
  { start, end }: BlockPlace,
  span: PositionSpan,
  file: FileIndex,
): boolean {
  if (!block) return false;
  const rows = block.ids.length;
  if ((start > span.end || end < span.start) && end - start !== rows) return false;
  const isKept = (at: number, row: number): boolean =>
    file.ids[at] === block.ids[row] && file.indents[at] === block.indents[row];
  const above = Math.min(end, span.start);
  const below = Math.max(start, span.end);
  for (let at = start; at < above; at++) {
    if (!isKept(at, at - start)) return false;
  }
  for (let at = end - 1; at >= below; at--) {
    if (!isKept(at, rows - (end - at))) return false;
  }
  return Math.max(0, above - start) + Math.max(0, end - below) <= rows;
}

/** True when two placements lead to the same text, apart from blank lines. */
export function isSameResult(
  file: FileIndex,
  blocks: readonly Block[],
  a: SnippetPlacement,
  b: SnippetPlacement,
): boolean {
  return blocks.every((block, k) => {
    const one = a.places[k];
    const two = b.places[k];
    if (!one || !two || (one.start === two.start && one.end === two.end)) return true;
    const from = Math.min(one.start, two.start);
    const to = Math.max(one.end, two.end);
    const left = linesWith(file, block, one, from, to);
    const right = linesWith(file, block, two, from, to);
    return left.length === right.length && left.every((value, at) => value === right[at]);
  });
}

/** Lines `from` to `to` with the block at its place: two numbers each, text and indentation. */
function linesWith(
  file: FileIndex,
  block: Block,
  { start, end }: BlockPlace,
  from: number,
  to: number,
): number[] {
  const lines: number[] = [];
  const add = ({ ids, indents }: Block | FileIndex, begin: number, stop: number): void => {
    for (let at = begin; at < stop; at++) lines.push(ids[at] ?? 0, indents[at] ?? 0);
  };
  add(file, from, start);
  add(block, 0, block.ids.length);
  add(file, end, to);
  return lines;
}
