import { Aligner, type Place } from './align';
import { Balances } from './balances';
import { type Block, blockOf } from './block';
import { chain, narrow, type Reading } from './chain';
import { COST, GAP, LIMIT, MARGIN } from './costs';
import { declaredName } from './declared';
import type { FileIndex } from './fileIndex';
import { floorOf, Nesting } from './nesting';
import type { Section } from '../snippet/sections';

/** Positions of the file, half-open, that may change. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Choice =
  | {
      readonly kind: 'placed';
      readonly blocks: readonly Block[];
      readonly places: readonly Place[];
      readonly certain: boolean;
    }
  /** Two different results fit about as well; `rivals` are the places of the section that differs. */
  | { readonly kind: 'tie'; readonly rivals: readonly [Place, Place] }
  | { readonly kind: 'foreign' | 'floating' | 'disordered' | 'fragmented' };

/** Finds where the sections of a snippet go. Outside of `span`, if given, no line may change. */
export function choosePlaces(
  sections: readonly Section[],
  file: FileIndex,
  path: string,
  span?: Span,
): Choice {
  if (sections.length > LIMIT.sections) return { kind: 'fragmented' };
  const blocks = sections.map(section => blockOf(section, file));
  const aligner = new Aligner(file, blocks);
  const balances = new Balances(file, path);
  const nesting = new Nesting(file);
  // Comparing lines for similarity and counting brackets take longer than all else, and mostly one
  // place is the best by far without them.
  const quick = read(blocks, file, aligner, nesting, span);
  const isSettled =
    quick.kind === 'read' && quick.margin >= quick.needed && isBalanced(blocks, quick, balances);
  const answer = isSettled ? quick : read(blocks, file, aligner, nesting, span, balances);
  if (answer.kind !== 'read') return answer;
  const { best, rival, margin, needed } = answer;
  // A selection may leave only places that tear a block apart.
  if (span && !isBalanced(blocks, answer, balances)) return { kind: 'floating' };
  if (rival && margin < MARGIN.tie) return { kind: 'tie', rivals: differing(best, rival) };
  return { kind: 'placed', blocks, places: best.places, certain: margin >= needed };
}

interface Answer {
  readonly kind: 'read';
  readonly best: Reading;
  /** The best reading that gives another result. */
  readonly rival: Reading | undefined;
  /** How much better the best one is. */
  readonly margin: number;
  /** The margin from which on the best one is certain. */
  readonly needed: number;
}

function read(
  blocks: readonly Block[],
  file: FileIndex,
  aligner: Aligner,
  nesting: Nesting,
  span: Span | undefined,
  balances?: Balances,
): Answer | { kind: 'foreign' | 'floating' | 'disordered' } {
  const places = blocks.map(block => aligner.placesOf(block, balances !== undefined));
  const isForeign = !places.some(found => found.some(({ score }) => score > GAP.foreign));
  if (isForeign && !isAppendix(blocks)) return { kind: 'foreign' };
  addFileEnds(blocks, places, file);
  const allowed = span
    ? places.map((found, k) => found.filter(place => changesInside(blocks[k], place, span, file)))
    : places;
  if (allowed.some(found => found.length === 0)) return { kind: 'floating' };
  const feasible = narrow(allowed, LIMIT.places);
  feasible.forEach((found, k) => {
    const block = blocks[k];
    if (!block || found.length < 2) return;
    const floor = floorOf(block);
    for (const place of found) {
      if (looseEdges(place) === 0) {
        const escaping = nesting.less(floor, place.start + 1, place.end - 1);
        if (escaping > 0) place.score -= Math.min(COST.maxEscaping, COST.escapingLine * escaping);
      }
      if (balances) place.score -= COST.bracket * balances.difference(block, place);
    }
  });
  const readings = chain(blocks, feasible, file, nesting, LIMIT.margin);
  const best = readings.next().value;
  if (!best) return { kind: 'disordered' };
  const needed = best.places.reduce(
    (sum, place, k) => sum + doubtOf(place, blocks[k]),
    MARGIN.certain,
  );
  for (const rival of readings) {
    if (!isSame(file, blocks, best, rival)) {
      return { kind: 'read', best, rival, margin: best.score - rival.score, needed };
    }
  }
  return { kind: 'read', best, rival: undefined, margin: Infinity, needed };
}

/** True for new lines after a marker, at the end of the snippet: they go to the end of the file. */
function isAppendix(blocks: readonly Block[]): boolean {
  const [block] = blocks;
  if (!block || blocks.length > 1) return false;
  const { markerAbove, markerBelow } = block.section;
  return markerAbove !== undefined && markerBelow === undefined && block.indents[0] === 0;
}

/** New lines below the last marker may be for the end of the file, above the first one for its top. */
function addFileEnds(blocks: readonly Block[], places: Place[][], file: FileIndex): void {
  const last = blocks.at(-1);
  const first = blocks[0];
  if (last?.section.markerAbove !== undefined && last.section.markerBelow === undefined) {
    const [head = -1] = last.ids;
    if (!isKnown(head, file)) {
      // A whole new definition hardly is a new form of another one.
      const isDefinition = declaredName(file.textOf(head)) !== undefined;
      const score = isDefinition ? GAP.newDefinition : GAP.endOfFile;
      places.at(-1)?.push(endPlace(file.count, score));
    }
  }
  if (first?.section.markerAbove === undefined && first?.section.markerBelow !== undefined) {
    if (!isKnown(first.ids.at(-1), file)) places[0]?.push(endPlace(0, GAP.endOfFile));
  }
}

function endPlace(at: number, score: number): Place {
  return { start: at, end: at, score, head: 'new', tail: 'new' };
}

function isKnown(id: number | undefined, file: FileIndex): boolean {
  return id !== undefined && file.placesOf(id).length > 0;
}

/** True when the lines of the place outside of the span stand in the section as they are. */
function changesInside(
  block: Block | undefined,
  { start, end }: Place,
  span: Span,
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

/** How many edges of the section are not a line of the file as shown. */
function looseEdges({ head, tail }: Place): number {
  return [head, tail].filter(fit => fit === 'similar' || fit === 'new').length;
}

/** How much more margin it takes to be certain of a place whose edges say little. */
function doubtOf(place: Place, block: Block | undefined): number {
  const { head, tail } = place;
  const isCommon = head === 'common' && tail === 'common' && (block?.ids.length ?? 0) > 1;
  return isCommon ? MARGIN.common : MARGIN.loose * looseEdges(place);
}

function isBalanced(blocks: readonly Block[], { best }: Answer, balances: Balances): boolean {
  return blocks.every((block, k) => {
    const place = best.places[k];
    return !place || balances.isSame(block, place);
  });
}

function differing(a: Reading, b: Reading): [Place, Place] {
  for (const [k, one] of a.places.entries()) {
    const two = b.places[k];
    if (two && (one.start !== two.start || one.end !== two.end)) return [one, two];
  }
  throw new Error('two readings with equal places have equal results');
}

/** True when two readings give the same text but for blank lines. */
function isSame(file: FileIndex, blocks: readonly Block[], a: Reading, b: Reading): boolean {
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
  { start, end }: Place,
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
