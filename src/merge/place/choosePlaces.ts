import type { MergeOptions } from '../result';
import type { Section } from '../snippet/sections';
import { besideKnown } from './additions/besideKnown';
import { DroppedLines } from './additions/droppedLines';
import { insertedBetween } from './additions/insertedBetween';
import { isNewEntry, keepsOthers } from './additions/newEntry';
import { guessedPlace } from './additions/unanchored';
import { Aligner, type BlockPlace } from './aligner';
import { type Block, blockOf } from './block';
import { BracketBalances } from './bracketBalances';
import { chainPlaces, narrowPlaces, type SnippetPlacement } from './chainPlaces';
import { costs, gapWorth, limits, margins } from './costs';
import { declaredName } from './declaredName';
import { doubtOf, looseEdges } from './doubt';
import { anchoredPlaces } from './edges/anchoredPlaces';
import type { FileIndex } from './fileIndex';
import { escapingCost, floorOf, Nesting } from './nesting';
import { wholeBody } from './wholeBody';

/** Positions of the file, half-open, that may change. */
export interface PositionSpan {
  readonly start: number;
  readonly end: number;
}

export type PlacesChoice =
  | {
      readonly kind: 'placed';
      readonly blocks: readonly Block[];
      readonly places: readonly BlockPlace[];
      readonly certain: boolean;
    }
  /** Two different results fit about equally well; `rivals` are the places of the section that differs. */
  | { readonly kind: 'tie'; readonly rivals: readonly [BlockPlace, BlockPlace] }
  | { readonly kind: 'foreign' | 'floating' | 'disordered' | 'fragmented' };

/** Finds the places of a snippet's sections. No line outside `span`, if given, may change. */
export function choosePlaces(
  sections: readonly Section[],
  file: FileIndex,
  { path = '', isNamed = false }: Pick<MergeOptions, 'path' | 'isNamed'>,
  span?: PositionSpan,
): PlacesChoice {
  if (sections.length > limits.sections) return { kind: 'fragmented' };
  const blocks = sections.map(section => blockOf(section, file));
  const balances = new BracketBalances(file, path);
  const dropped = new DroppedLines(file);
  // True when counting brackets and looking for what is gone would not change the placement.
  const isSound = (places: readonly BlockPlace[]): boolean =>
    isBalanced(blocks, places, balances) &&
    places.every((place, k) => {
      const block = blocks[k];
      return !block || dropped.cost(block, place) === 0;
    });
  const anchored = span ? undefined : anchoredPlaces(blocks, file);
  if (anchored && isSound(anchored)) {
    return { kind: 'placed', blocks, places: anchored, certain: true };
  }
  const aligner = new Aligner(file, blocks);
  const nesting = new Nesting(file);
  const rank = (chosen: readonly Block[]): RankedPlacement | Unplaced => {
    // Comparing lines by similarity and counting brackets take most of the time, and usually one place is
    // the best by far without them.
    const quick = rankPlacements(chosen, file, aligner, nesting, span);
    const isSettled =
      quick.kind === 'read' && quick.margin >= quick.needed && isSound(quick.best.places);
    return isSettled
      ? quick
      : rankPlacements(chosen, file, aligner, nesting, span, { balances, dropped });
  };
  const answer = rank(blocks);
  const guessed = span ? undefined : withGuesses(blocks, answer, isNamed, rank, file, balances);
  return guessed ?? settled(blocks, answer, file, balances, span);
}

/** The places if nothing ties one of the blocks to its place; each of these is put beside lines of its kind. */
function withGuesses(
  blocks: readonly Block[],
  answer: RankedPlacement | Unplaced,
  isNamed: boolean,
  rank: (blocks: readonly Block[]) => RankedPlacement | Unplaced,
  file: FileIndex,
  balances: BracketBalances,
): PlacesChoice | undefined {
  const found = answer.kind === 'read' ? answer.best.places : [];
  const isLoose = (block: Block, k: number): boolean => {
    if (answer.kind === 'floating') return answer.floating.includes(block);
    if (answer.kind === 'foreign') return isNamed && isNewEntry(block, file);
    const place = found[k];
    return place !== undefined && !keepsOthers(block, place, file) && isNewEntry(block, file);
  };
  const loose = new Set(blocks.filter(isLoose));
  if (loose.size === 0) return undefined;
  const others = blocks.filter(block => !loose.has(block));
  const rest =
    others.length === 0 ? undefined : settled(others, rank(others), file, balances, undefined);
  if (rest && rest.kind !== 'placed') return undefined;
  const placed = [...(rest?.places ?? [])];
  let from = 0;
  const places: BlockPlace[] = [];
  for (const [k, block] of blocks.entries()) {
    const gap = { from, to: placed[0]?.start ?? file.count };
    const place = loose.has(block)
      ? guessedPlace(block, gap, found[k]?.start, file, balances)
      : placed.shift();
    if (!place) return { kind: 'floating' };
    places.push(place);
    from = place.end;
  }
  return { kind: 'placed', blocks, places, certain: false };
}

function settled(
  blocks: readonly Block[],
  answer: RankedPlacement | Unplaced,
  file: FileIndex,
  balances: BracketBalances,
  span: PositionSpan | undefined,
): PlacesChoice {
  if (answer.kind !== 'read') return answer;
  const { best, rival, margin, needed } = answer;
  // A selection may leave only places that split a block of code.
  if (span && !isBalanced(blocks, best.places, balances)) return { kind: 'floating' };
  const adjusted = (found: readonly BlockPlace[]): BlockPlace[] =>
    found.map((place, k) => {
      const block = blocks[k];
      return block ? adjustedPlace(block, place, file, balances) : place;
    });
  const places = adjusted(best.places);
  if (rival && margin < margins.tie) {
    const other = { ...rival, places: adjusted(rival.places) };
    if (!isSame(file, blocks, { ...best, places }, other)) {
      return { kind: 'tie', rivals: differing(best, rival) };
    }
  }
  const isMoved = places.some((place, k) => place !== best.places[k]);
  return { kind: 'placed', blocks, places, certain: margin >= needed && !isMoved };
}

/** The place with what the alignment of lines does not see: whole declarations, and what the section does not show. */
function adjustedPlace(
  block: Block,
  place: BlockPlace,
  file: FileIndex,
  balances: BracketBalances,
): BlockPlace {
  const inserted = insertedBetween(block, place, file) ?? besideKnown(block, place, file);
  if (inserted && balances.isSame(block, inserted)) return inserted;
  return wholeBody(block, place, file, balances) ?? besideCloser(block, place, balances);
}

/**
 * The place of something new that only its closing line ties to the file: below that line, if brackets would be missing
 * without it.
 */
function besideCloser(block: Block, place: BlockPlace, balances: BracketBalances): BlockPlace {
  const { start, end, head, tail } = place;
  if (head !== 'new' || tail !== 'common' || end - start > 1) return place;
  if (balances.isSame(block, place)) return place;
  const below: BlockPlace = { ...place, start: end, tail: 'new' };
  return balances.isSame(block, below) ? below : place;
}

interface RankedPlacement {
  readonly kind: 'read';
  readonly best: SnippetPlacement;
  /** The best placement with a different result. */
  readonly rival: SnippetPlacement | undefined;
  /** The difference in score to the rival. */
  readonly margin: number;
  /** The margin from which the best placement is certain. */
  readonly needed: number;
}

type Unplaced =
  | { readonly kind: 'foreign' | 'disordered' }
  /** No place was found for these blocks. */
  | { readonly kind: 'floating'; readonly floating: readonly Block[] };

function rankPlacements(
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
    if (!isSame(file, blocks, best, rival)) {
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
    if (!isKnown(head, file)) {
      // A complete new definition is hardly a new form of another one.
      const isDefinition = declaredName(file.textOf(head)) !== undefined;
      const score = isDefinition ? gapWorth.newDefinition : gapWorth.endOfFile;
      places.at(-1)?.push(endPlace(file.count, score));
    }
  }
  if (first?.section.markerAbove === undefined && first?.section.markerBelow !== undefined) {
    if (!isKnown(first.ids.at(-1), file)) places[0]?.push(endPlace(0, gapWorth.endOfFile));
  }
}

function endPlace(at: number, score: number): BlockPlace {
  return { start: at, end: at, score, head: 'new', tail: 'new' };
}

function isKnown(id: number | undefined, file: FileIndex): boolean {
  return id !== undefined && file.placesOf(id).length > 0;
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

function isBalanced(
  blocks: readonly Block[],
  places: readonly BlockPlace[],
  balances: BracketBalances,
): boolean {
  return blocks.every((block, k) => {
    const place = places[k];
    return !place || balances.isSame(block, place);
  });
}

function differing(a: SnippetPlacement, b: SnippetPlacement): [BlockPlace, BlockPlace] {
  for (const [k, one] of a.places.entries()) {
    const two = b.places[k];
    if (two && (one.start !== two.start || one.end !== two.end)) return [one, two];
  }
  throw new Error('two placements with equal places have equal results');
}

/** True when two placements lead to the same text, apart from blank lines. */
function isSame(
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
