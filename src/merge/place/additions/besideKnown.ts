import type { BlockPlace } from '../aligner';
import { type Block, partOfBlock } from '../block';
import { declaredName } from '../declaredName';
import type { FileIndex } from '../fileIndex';
import { dropsDeclaration } from './insertedBetween';
import { isNewEntry, keepsOthers } from './newEntry';

/** Beside one that is known, a declaration with a smaller share of the lines of another is new. */
const minRenamed = 0.75;

/**
 * The place of a section that shows a new declaration above or below one of the file, without the declaration that the
 * new one would replace; undefined where it replaces none. Entries of one kind are alike, and the known one may be
 * changed, so that a sibling is often the better match.
 */
export function besideKnown(
  block: Block,
  place: BlockPlace,
  file: FileIndex,
): BlockPlace | undefined {
  // At an end of the snippet without a marker, it shows all lines up to that end of the file.
  const { markerAbove, markerBelow } = block.section;
  return (
    (markerAbove === undefined ? undefined : belowNew(block, place, file)) ??
    (markerBelow === undefined
      ? undefined
      : (aboveNew(block, place, file) ?? belowParent(block, place, file)))
  );
}

/** The place from the known declaration on, which the new one stands above. */
function belowNew(block: Block, place: BlockPlace, file: FileIndex): BlockPlace | undefined {
  const { start, end } = place;
  for (const row of siblingRows(block)) {
    const at = positionOf(block, row, { from: start, to: end }, file);
    if (at === undefined) continue;
    const isTaken =
      at > start &&
      isNewEntry(partOfBlock(block, 0, row), file) &&
      dropsDeclaration(block, start, at, file) &&
      !keepsOthers(partOfBlock(block, 0, row), { ...place, end: at }, file, minRenamed);
    return isTaken ? { ...place, start: at, head: 'new' } : undefined;
  }
  return undefined;
}

/** The place up to the end of the known declaration, which the new one stands below. */
function aboveNew(block: Block, place: BlockPlace, file: FileIndex): BlockPlace | undefined {
  const { start, end } = place;
  const depth = block.indents[0] ?? 0;
  let known: { row: number; at: number } | undefined;
  for (const row of [0, ...siblingRows(block)]) {
    const at = positionOf(block, row, { from: known?.at ?? start, to: end }, file);
    if (at !== undefined && declaredName(file.textOf(block.ids[row] ?? -1)) !== undefined) {
      known = { row, at };
    }
  }
  if (!known) return undefined;
  const row = endOf(known.row, block.ids, block.indents, depth, file);
  const at = endOf(known.at, file.ids, file.indents, depth, file);
  const rest = partOfBlock(block, row, block.ids.length);
  const isTaken =
    at < end &&
    isNewEntry(rest, file) &&
    dropsDeclaration(block, at, end, file) &&
    !keepsOthers(rest, { ...place, start: at }, file, minRenamed);
  return isTaken ? { ...place, end: at, tail: 'new' } : undefined;
}

/** The place of the header of a class or the like, which the new one is shown right below. */
function belowParent(block: Block, place: BlockPlace, file: FileIndex): BlockPlace | undefined {
  const { ids, indents } = block;
  const rows = indents.findIndex(indent => indent > (indents[0] ?? 0));
  const at = place.start + rows;
  if (rows < 1 || at >= place.end) return undefined;
  const isShown = ids.slice(0, rows).every((id, row) => file.ids[place.start + row] === id);
  const entry = partOfBlock(block, rows, ids.length);
  const isTaken =
    isShown &&
    isNewEntry(entry, file) &&
    dropsDeclaration(block, at, place.end, file) &&
    !keepsOthers(entry, { ...place, start: at }, file, minRenamed);
  return isTaken ? { ...place, end: at, tail: 'new' } : undefined;
}

/** The rows but the first that are indented like it, apart from closing lines. */
function* siblingRows({ ids, indents }: Block): Generator<number> {
  for (let row = 1; row < ids.length; row++) if (indents[row] === indents[0]) yield row;
}

/** A line that is in more places tells nothing. */
const maxPlaces = 20;

/** Where the file has a row, if that is so at one position of the range only. */
function positionOf(
  { ids, indents }: Block,
  row: number,
  { from, to }: { readonly from: number; readonly to: number },
  file: FileIndex,
): number | undefined {
  const id = ids[row] ?? -1;
  const places = file.placesOf(id);
  if (file.isFiller(id) || places.length > maxPlaces) return undefined;
  const found = places.filter(at => at >= from && at < to && file.indents[at] === indents[row]);
  return found.length === 1 ? found[0] : undefined;
}

/** The end of the declaration at a position: below its body and its closing line. */
function endOf(
  at: number,
  ids: readonly number[],
  indents: readonly number[],
  depth: number,
  file: FileIndex,
): number {
  let end = at + 1;
  while (end < ids.length && (indents[end] ?? 0) > depth) end++;
  return end < ids.length && indents[end] === depth && file.isFiller(ids[end] ?? -1)
    ? end + 1
    : end;
}
