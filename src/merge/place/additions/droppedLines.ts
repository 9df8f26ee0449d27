import { isComment } from '../../lines';
import type { BlockPlace } from '../aligner';
import type { Block } from '../block';
import { costs } from '../costs';
import type { EdgeFit } from '../edges/edges';
import type { FileIndex } from '../fileIndex';
import { type Addition, additionIn, maxCompared } from './addition';
import { leadsEntry, opensItem } from './entries';
import { changesParents } from './parents';

/**
 * A section that shows one neighbor and something new beside it adds one more. A place where it would replace the next
 * entry costs as much as the entries that would be gone, and so does a place that splits what the section shows whole.
 */
export class DroppedLines {
  readonly #file: FileIndex;
  readonly #below = new Map<Block, Map<number, Addition | undefined>>();
  readonly #above = new Map<Block, Map<number, Addition | undefined>>();

  constructor(file: FileIndex) {
    this.#file = file;
  }

  cost(block: Block, place: BlockPlace): number {
    if (block.ids.length > maxCompared) return 0;
    return changesParents(block, place, this.#file)
      ? costs.maxDropped
      : this.#droppedCost(block, place);
  }

  #droppedCost(block: Block, place: BlockPlace): number {
    const { ids, indents, section } = block;
    const isMoved = (at: number, row: number): boolean => this.#file.indents[at] !== indents[row];
    const above = openness(place.head, isMoved(place.start, 0));
    const below = openness(place.tail, isMoved(place.end - 1, ids.length - 1));
    if (place.head === 'new' && this.#closesBlock(block)) return costs.droppedLine;
    if (above === below && above > 0) return 0;
    const isBelow = below >= above && (below > 0 || section.markerBelow !== undefined);
    // Without a marker there, the section goes on to the end of the code that it shows.
    if ((isBelow ? section.markerBelow : section.markerAbove) === undefined) return 0;
    const shared = this.#sharedRows(block, place, isBelow);
    const kept = shared - (isBelow ? this.#leadingRows(block, place.start, shared) : 0);
    const lines = place.end - place.start;
    // The place would repeat a line of the neighbor, or take the line that leads the next entry.
    if (isBelow && below > 1 && lines <= shared && lines !== kept) return costs.droppedLine;
    if (above === below) {
      const isAlike =
        endsAlike(block, kept, isBelow) || (isBelow && this.#startsAlike(block, place, kept));
      if (lines <= shared || !isAlike) return 0;
    }
    if (!this.#dropsAny(place, kept, isBelow)) return 0;
    if (isBelow && this.#isBody(block, place, kept)) return 0;
    const addition = this.#additionIn(block, kept, isBelow);
    const isAdded = addition?.isApart || Math.max(above, below) > 1;
    return addition && isAdded ? this.#costOf(addition, place) : 0;
  }

  /** True when the first row closes the block in which the marker above it stands; then it is in the file. */
  #closesBlock({ ids, indents, section }: Block): boolean {
    const isOutdented = (section.markerAbove ?? 0) > (indents[0] ?? 0);
    return isOutdented && /^[)\]}]/.test(this.#file.textOf(ids[0] ?? -1));
  }

  /** True when the new entry and the line of the file that it would replace both start an item at the same depth. */
  #startsAlike({ ids, indents }: Block, { start }: BlockPlace, kept: number): boolean {
    const at = start + kept;
    const [own, other] = [ids[kept] ?? -1, this.#file.ids[at] ?? -1];
    return (
      own !== other &&
      indents[kept] === this.#file.indents[at] &&
      opensItem(this.#file.textOf(own)) &&
      opensItem(this.#file.textOf(other))
    );
  }

  /** True when new rows replace the body of the row above them: the marker below stands outside of that block. */
  #isBody({ indents, section }: Block, { start, end }: BlockPlace, kept: number): boolean {
    const header = kept > 0 ? (indents[kept - 1] ?? -1) : -1;
    if ((indents[kept] ?? 0) <= header || (section.markerBelow ?? 0) > header) return false;
    if (end - start > maxCompared) return false;
    return this.#file.indents.slice(start + kept, end).every(indent => indent > header);
  }

  /** The number of rows at the closed edge that follow each other in the file, too. */
  #sharedRows({ ids, indents }: Block, { start, end }: BlockPlace, isBelow: boolean): number {
    const file = this.#file;
    let rows = 0;
    while (rows < ids.length) {
      const at = isBelow ? start + rows : end - 1 - rows;
      const row = isBelow ? rows : ids.length - 1 - rows;
      if (file.ids[at] !== ids[row] || file.indents[at] !== indents[row]) break;
      rows++;
    }
    return rows;
  }

  /** How many of the shared rows lead the new entry, while in the file they lead the next one. */
  #leadingRows({ ids }: Block, start: number, shared: number): number {
    const { ids: lines, indents } = this.#file;
    const end = start + shared;
    const textOf = (id = -1): string => this.#file.textOf(id);
    const isFollowed =
      this.#file.rawOf(end) === this.#file.rawEndOf(end) &&
      (indents[end] ?? 0) >= (indents[end - 1] ?? 0);
    if (!isFollowed) return 0;
    const isInComment = isComment(textOf(ids[shared])) && isComment(textOf(lines[end]));
    const leads = isInComment ? isComment : leadsEntry;
    let rows = 0;
    while (rows < shared && leads(textOf(ids[shared - 1 - rows]))) rows++;
    const kept = ids.slice(0, shared - rows);
    // `{` below a header opens the body of that.
    const opensBody =
      /^[[{(]$/.test(textOf(ids[shared - rows])) && !/[,;}\]]$/.test(textOf(kept.at(-1)));
    return !opensBody && kept.some(id => !this.#file.isFiller(id)) ? rows : 0;
  }

  /** False in the usual case: beside the rows of the neighbor, the place has nothing but lines such as `}`. */
  #dropsAny(place: BlockPlace, kept: number, isBelow: boolean): boolean {
    const { from, to } = besideNeighbor(place, kept, isBelow);
    for (let at = from; at < to; at++)
      if (!this.#file.isFiller(this.#file.ids[at] ?? -1)) return true;
    return false;
  }

  #costOf(addition: Addition, place: BlockPlace): number {
    const { ids } = this.#file;
    const { from, to } = besideNeighbor(place, addition.known.length, addition.isBelow);
    let dropped = 0;
    let changed = 0;
    for (const id of ids.slice(from, to)) {
      if (this.#file.isFiller(id)) continue;
      if (addition.shows(id)) {
        changed++;
        continue;
      }
      const isReplaced = addition.replaces(id);
      if (addition.isBlock && isReplaced && opensItem(this.#file.textOf(id))) return 0;
      if (addition.isBlock || !isReplaced) dropped++;
    }
    // An entry that became the new one: many of its lines are there as well.
    if (changed > 0 && changed >= 3 * dropped) return 0;
    return Math.min(costs.maxDropped, costs.droppedLine * dropped);
  }

  #additionIn(block: Block, kept: number, isBelow: boolean): Addition | undefined {
    const known = isBelow ? this.#below : this.#above;
    let byRows = known.get(block);
    if (!byRows) known.set(block, (byRows = new Map()));
    if (!byRows.has(kept)) byRows.set(kept, additionIn(block, this.#file, kept, isBelow));
    return byRows.get(kept);
  }
}

/** The lines of a place without the `kept` ones of the neighbor, as far as they are compared. */
function besideNeighbor(
  { start, end }: BlockPlace,
  kept: number,
  isBelow: boolean,
): { from: number; to: number } {
  const from = isBelow ? start + kept : Math.max(start, end - kept - maxCompared);
  return { from, to: isBelow ? Math.min(end, from + maxCompared) : end - kept };
}

/** True when the new entry ends (or starts) with the line with which its neighbor does. */
function endsAlike({ ids, indents }: Block, kept: number, isBelow: boolean): boolean {
  const count = ids.length;
  const own = isBelow ? count - 1 : 0;
  const neighbor = isBelow ? kept - 1 : count - kept;
  return kept < count && ids[neighbor] === ids[own] && indents[neighbor] === indents[own];
}

/** How little an edge is tied to the file: not at all (2), by a line such as `}` (1), or for sure (0). */
function openness(fit: EdgeFit, isMoved: boolean): number {
  if (fit === 'similar' || fit === 'new') return 2;
  return fit === 'common' ? 1 : isMoved ? 2 : 0;
}
