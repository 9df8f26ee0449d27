import type { MergeOptions } from '../result';
import type { Section } from '../snippet/sections';
import { besideKnown } from './additions/besideKnown';
import { DroppedLines } from './additions/droppedLines';
import { areNewImports, importPlace, importsOf, startsWithImport } from './additions/imports';
import { dropsDeclaration, insertedBetween } from './additions/insertedBetween';
import { isNewEntry, keepsOthers, withoutOuterEnd } from './additions/newEntry';
import { type Gap, guessedPlace } from './additions/unanchored';
import { Aligner, type BlockPlace } from './aligner';
import { type Block, blockOf } from './block';
import { BracketBalances } from './bracketBalances';
import type { SnippetPlacement } from './chainPlaces';
import { limits, margins } from './costs';
import { anchoredPlaces } from './edges/anchoredPlaces';
import type { FileIndex } from './fileIndex';
import { Nesting } from './nesting';
import {
  isSameResult,
  type PositionSpan,
  type RankedPlacement,
  rankPlacements,
  type Unplaced,
} from './rankPlacements';
import { wholeBody } from './wholeBody';

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
  options: Pick<MergeOptions, 'path' | 'isNamed'>,
  span?: PositionSpan,
): PlacesChoice {
  if (sections.length > limits.sections) return { kind: 'fragmented' };
  const blocks = sections.map(section => blockOf(section, file));
  const withImports = span ? undefined : besideImports(blocks, file, options);
  return withImports ?? placeBlocks(blocks, file, options, span);
}

/** The places if some of the blocks are new imports, which go beside those of the file. */
function besideImports(
  blocks: readonly Block[],
  file: FileIndex,
  options: Pick<MergeOptions, 'path' | 'isNamed'>,
): PlacesChoice | undefined {
  if (!blocks.some(block => startsWithImport(block, file))) return undefined;
  const known = importsOf(file);
  const added = new Set(
    blocks.filter(block => startsWithImport(block, file) && areNewImports(block, file, known)),
  );
  if (added.size === 0) return undefined;
  const others = blocks.filter(block => !added.has(block));
  if (others.length === 0 && !options.isNamed) return undefined;
  const rest = others.length > 0 ? placeBlocks(others, file, options) : undefined;
  if (rest && rest.kind !== 'placed') return rest;
  let certain = rest?.certain ?? true;
  const places = inOrder(blocks, added, rest?.places ?? [], file, (block, gap) => {
    const found = importPlace(block, gap, file);
    certain &&= found?.isCertain === true;
    return found?.place;
  });
  return places && { kind: 'placed', blocks, places, certain };
}

/**
 * The places of all blocks, with those of the loose ones between their neighbors; undefined if one has none there.
 *
 * @param others the places of all other blocks.
 */
function inOrder(
  blocks: readonly Block[],
  loose: ReadonlySet<Block>,
  others: readonly BlockPlace[],
  file: FileIndex,
  placeOf: (block: Block, gap: Gap, k: number) => BlockPlace | undefined,
): BlockPlace[] | undefined {
  const left = [...others];
  const places: BlockPlace[] = [];
  let from = 0;
  for (const [k, block] of blocks.entries()) {
    const gap = { from, to: left[0]?.start ?? file.count };
    const place = loose.has(block) ? placeOf(block, gap, k) : left.shift();
    if (!place) return undefined;
    places.push(place);
    from = place.end;
  }
  return places;
}

function placeBlocks(
  blocks: readonly Block[],
  file: FileIndex,
  { path = '', isNamed = false }: Pick<MergeOptions, 'path' | 'isNamed'>,
  span?: PositionSpan,
): PlacesChoice {
  const balances = new BracketBalances(file, path);
  const dropped = new DroppedLines(file);
  // True when counting brackets and looking for what is gone would not change the placement.
  const isSound = (chosen: readonly Block[], places: readonly BlockPlace[]): boolean =>
    isBalanced(chosen, places, balances) &&
    places.every((place, k) => {
      const block = chosen[k];
      return !block || dropped.cost(block, place) === 0;
    });
  const anchored = span ? undefined : anchoredPlaces(blocks, file);
  if (anchored && isSound(blocks, anchored)) {
    return { kind: 'placed', blocks, places: anchored, certain: true };
  }
  const aligner = new Aligner(file, blocks);
  const nesting = new Nesting(file);
  const rank = (chosen: readonly Block[]): RankedPlacement | Unplaced => {
    // Comparing lines by similarity and counting brackets take most of the time, and usually one place is
    // the best by far without them.
    const quick = rankPlacements(chosen, file, aligner, nesting, span);
    const isSettled =
      quick.kind === 'read' && quick.margin >= quick.needed && isSound(chosen, quick.best.places);
    return isSettled
      ? quick
      : rankPlacements(chosen, file, aligner, nesting, span, { balances, dropped });
  };
  const answer = rank(blocks);
  if (answer.kind === 'disordered' && !span) {
    const apart = placedApart(blocks, block =>
      settled([block], rank([block]), file, balances, span),
    );
    if (apart && apart.places.some((place, k) => changes(apart.blocks[k], place, file)))
      return apart;
  }
  const guessed = span ? undefined : withGuesses(blocks, answer, isNamed, rank, file, balances);
  return guessed ?? settled(blocks, answer, file, balances, span);
}

/** The places of blocks in another order than the file's, if each has one by itself; in the order of the file. */
function placedApart(
  blocks: readonly Block[],
  placeOf: (block: Block) => PlacesChoice,
): Extract<PlacesChoice, { kind: 'placed' }> | undefined {
  if (blocks.length > maxApart) return undefined;
  const found: { block: Block; place: BlockPlace; certain: boolean }[] = [];
  for (const block of blocks) {
    const choice = placeOf(block);
    const place = choice.kind === 'placed' ? choice.places[0] : undefined;
    if (choice.kind !== 'placed' || !place || place.start === place.end) return undefined;
    found.push({ block, place, certain: choice.certain });
  }
  found.sort((a, b) => a.place.start - b.place.start);
  if (found.some(({ place }, k) => place.start < (found[k - 1]?.place.end ?? 0))) return undefined;
  return {
    kind: 'placed',
    blocks: found.map(({ block }) => block),
    places: found.map(({ place }) => place),
    certain: found.every(({ certain }) => certain),
  };
}

/** Blocks are ranked one by one. */
const maxApart = 50;

/** False where the block is what the file has at the place. */
function changes(block: Block | undefined, { start, end }: BlockPlace, file: FileIndex): boolean {
  const rows = block?.ids ?? [];
  return rows.length !== end - start || rows.some((id, row) => file.ids[start + row] !== id);
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
    const place = found[k];
    const { entry, closers } = withoutOuterEnd(block, file);
    if ((closers > 0 && place?.head === 'exact') || !isNewEntry(entry, file)) return false;
    return place ? !keepsOthers(block, place, file) : answer.kind === 'foreign' && isNamed;
  };
  const loose = new Set(blocks.filter(isLoose));
  if (loose.size === 0) return undefined;
  const others = blocks.filter(block => !loose.has(block));
  const rest =
    others.length === 0 ? undefined : settled(others, rank(others), file, balances, undefined);
  if (rest && rest.kind !== 'placed') return undefined;
  const places = inOrder(blocks, loose, rest?.places ?? [], file, (block, gap, k) =>
    guessedPlace(block, gap, found[k]?.start, file, balances),
  );
  if (places) return { kind: 'placed', blocks, places, certain: false };
  return answer.kind === 'foreign' ? undefined : { kind: 'floating' };
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
    if (!isSameResult(file, blocks, { ...best, places }, other)) {
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
  const inserted = dropsDeclaration(block, place.start, place.end, file)
    ? (insertedBetween(block, place, file) ?? besideKnown(block, place, file))
    : undefined;
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
