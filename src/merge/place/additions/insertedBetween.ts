import { isComment } from '../../lines';
import type { BlockPlace } from '../aligner';
import type { Block } from '../block';
import { declaredName } from '../declaredName';
import type { FileIndex } from '../fileIndex';
import { isDecorator, opensEntry } from './entries';

/** Comments of Fortran, Erlang and Lisp, and attributes of F#. */
const otherComment = /^(?:[!%;]|\[<.*>\]$)/;
/** Fewer new lines are a change of what is there. */
const minFresh = 2;

/**
 * The place of a new declaration that a section shows between two neighbors: they follow each other in the file, and
 * the chosen place would take a declaration away that the section does not show. Such a place is often the better
 * match line by line, because entries of one kind are alike.
 */
export function insertedBetween(
  block: Block,
  { start, end, score }: BlockPlace,
  file: FileIndex,
): BlockPlace | undefined {
  const rows = block.ids.length;
  if (end - start < minFresh) return undefined;
  let best = { start: 0, count: 0, isEntry: false, isOnly: true };
  for (let at = start + 1; at < end; at++) {
    const above = rowsAbove(block, at, file);
    const below = rowsBelow(block, at, file);
    const count = above + below;
    if (above === 0 || below === 0 || rows - count < minFresh || count < best.count) continue;
    const here = {
      start: at - above,
      count,
      isEntry: isEntry(block, above, rows - below, at, file),
      isOnly: true,
    };
    if (count > best.count) best = here;
    // Where the new lines end as the neighbor does, both positions give the same text.
    else if (here.start === best.start) best = { ...best, isEntry: best.isEntry || here.isEntry };
    else best = { ...best, isOnly: false };
  }
  return best.isEntry && best.isOnly
    ? { start: best.start, end: best.start + best.count, score, head: 'common', tail: 'common' }
    : undefined;
}

/** Whether the block neither shows nor declares anew what a line from `start` to `end` declares. */
export function dropsDeclaration(
  { ids }: Block,
  start: number,
  end: number,
  file: FileIndex,
): boolean {
  const shown = new Set(ids);
  let names: ReadonlySet<string | undefined> | undefined;
  for (let at = start; at < end; at++) {
    const id = file.ids[at] ?? -1;
    const name = shown.has(id) ? undefined : declaredName(file.textOf(id));
    if (name === undefined) continue;
    names ??= new Set(ids.map(own => declaredName(file.textOf(own))));
    if (!names.has(name)) return true;
  }
  return false;
}

/** How many rows at the start of the block are the lines of the file above a position. */
function rowsAbove(block: Block, at: number, file: FileIndex): number {
  let count = Math.min(at, block.ids.length - 1);
  while (count > 0 && !areLines(block, { row: 0, at: at - count, count }, file)) count--;
  return count;
}

/** How many rows at the end of the block are the lines of the file from a position on. */
function rowsBelow(block: Block, at: number, file: FileIndex): number {
  const rows = block.ids.length;
  let count = Math.min(file.count - at, rows - 1);
  while (count > 0 && !areLines(block, { row: rows - count, at, count }, file)) count--;
  return count;
}

/** Whether `count` rows from `row` on are the lines of the file from `at` on, with their indentation. */
function areLines(
  { ids, indents }: Block,
  { row, at, count }: { readonly row: number; readonly at: number; readonly count: number },
  file: FileIndex,
): boolean {
  for (let step = 0; step < count; step++) {
    if (file.ids[at + step] !== ids[row + step]) return false;
    if (file.indents[at + step] !== indents[row + step]) return false;
  }
  return true;
}

/** Whether the rows between the neighbors are an entry of its own, beside what the neighbors are parts of. */
function isEntry(
  { ids, indents }: Block,
  from: number,
  to: number,
  at: number,
  file: FileIndex,
): boolean {
  const fresh = ids.slice(from, to).map(id => file.textOf(id));
  const first = fresh.findIndex(
    text => !isDecorator(text) && !isComment(text) && !otherComment.test(text),
  );
  const opener = fresh[first] ?? '';
  const name = declaredName(opener);
  if (name === undefined && !opensEntry(opener)) return false;
  const depth = indents[from + first] ?? 0;
  const isWhole = indents.slice(from, to).every(indent => indent >= depth);
  const next = file.indents[at] ?? 0;
  return isWhole && depth >= next && file.placesOf(ids[from + first] ?? -1).length === 0;
}
