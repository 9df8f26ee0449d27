import { LinePattern } from '../similarity';
import type { BlockPlace } from './aligner';
import type { Block } from './block';
import { costs } from './costs';
import { declaredName } from './declaredName';
import type { EdgeFit } from './edges';
import type { FileIndex } from './fileIndex';

/** A longer replaced part, or more new lines, are rewritten code, whose lines are not compared. */
const maxLines = 60;
/** A line beside a marker that replaces another one is hardly changed; a new entry is often as alike as this. */
const minChanged = 0.85;
/** How much more similar to the old line than to its neighbor in the snippet a new line is that replaces it. */
const minLead = 0.04;

const key =
  /^(?:[-*+] )?(?:export |static |public |private |const |let |var |val )*["'`]?([\p{L}\p{N}_$@./-]+)["'`]?\s*(?:[:=]|=>)/u;
const importedFrom = /^(?:import|export|from)\b[^'"]*['"]([^'"]+)['"]/;

/** What a line is called: the name that it declares, what it imports from, or the key before `:` or `=`. */
export function entryName(trimmed: string): string | undefined {
  return declaredName(trimmed) ?? importedFrom.exec(trimmed)?.[1] ?? key.exec(trimmed)?.[1];
}

/**
 * A section that shows one neighbor and something new beside it adds one more. A place where it would replace the next
 * entry costs as much as the entries that would be gone.
 */
export class DroppedLines {
  readonly #file: FileIndex;
  readonly #additions = new Map<Block, Addition | undefined>();

  constructor(file: FileIndex) {
    this.#file = file;
  }

  cost(block: Block, place: BlockPlace): number {
    const { ids, indents } = block;
    const isMoved = (at: number, row: number): boolean => this.#file.indents[at] !== indents[row];
    const above = openness(place.head, isMoved(place.start, 0));
    const below = openness(place.tail, isMoved(place.end - 1, ids.length - 1));
    if (above === below || place.end - place.start > maxLines) return 0;
    const isBelow = below > above;
    const { markerAbove, markerBelow } = block.section;
    // Without a marker there, the section goes on to the end of the code that it shows.
    if ((isBelow ? markerBelow : markerAbove) === undefined) return 0;
    const addition = this.#additionIn(block, isBelow);
    return addition && (addition.isDeclared || Math.max(above, below) > 1)
      ? this.#costOf(addition, place, isBelow)
      : 0;
  }

  #costOf(addition: Addition, { start, end }: BlockPlace, isBelow: boolean): number {
    const { ids } = this.#file;
    const kept = addition.known.length;
    const first = isBelow ? start : end - kept;
    if (!addition.known.every((id, row) => ids[first + row] === id)) return 0;
    let dropped = 0;
    for (const id of ids.slice(isBelow ? start + kept : start, isBelow ? end : end - kept)) {
      if (this.#file.isFiller(id)) continue;
      // An entry that became the new one: its lines are changed, too.
      if (addition.shows(id)) return 0;
      const isReplaced = addition.replaces(id);
      if (addition.isDeclared && isReplaced && opensEntry(this.#file.textOf(id))) return 0;
      if (addition.isDeclared || !isReplaced) dropped++;
    }
    return Math.min(costs.maxDropped, costs.droppedLine * dropped);
  }

  #additionIn(block: Block, isBelow: boolean): Addition | undefined {
    if (!this.#additions.has(block)) {
      this.#additions.set(block, additionIn(block, this.#file, isBelow));
    }
    return this.#additions.get(block);
  }
}

/** True for the first line of a declaration, or of any other entry with lines of its own. */
const opensEntry = (text: string): boolean =>
  /^["']?[\w-]+["']?[:!]? ?\{$/.test(text) || declaredName(text) !== undefined;

/** How little an edge is tied to the file: not at all (2), by a line such as `}` (1), or for sure (0). */
function openness(fit: EdgeFit, isMoved: boolean): number {
  if (fit === 'similar' || fit === 'new') return 2;
  return fit === 'common' ? 1 : isMoved ? 2 : 0;
}

/** The neighbor that a section shows and its new rows; undefined when it shows more of the file beyond them. */
function additionIn(
  { ids, indents }: Block,
  file: FileIndex,
  isBelow: boolean,
): Addition | undefined {
  if (ids.length > maxLines) return undefined;
  const isKnown = (id: number, row: number): boolean =>
    file.placesOf(id).some(place => file.indents[place] === indents[row]);
  const isFresh = (id: number, row: number): boolean => !isKnown(id, row);
  const edge = isBelow ? ids.findIndex(isFresh) : ids.findLastIndex(isFresh);
  if (edge < 0) return undefined;
  const known = isBelow ? ids.slice(0, edge) : ids.slice(edge + 1);
  const fresh = isBelow ? ids.slice(edge) : ids.slice(0, edge + 1);
  if (!known.some(id => !file.isFiller(id))) return undefined;
  const isNew = ids.every(
    (id, row) => (isBelow ? row < edge : row > edge) || isFresh(id, row) || file.isFiller(id),
  );
  const isDeclared = fresh.some(
    id => file.placesOf(id).length === 0 && opensEntry(file.textOf(id)),
  );
  const shown = ids.filter(
    (id, row) =>
      (isBelow ? row > edge : row < edge) && isKnown(id, row) && file.placesOf(id).length === 1,
  );
  return isNew || isDeclared
    ? new Addition(known, fresh, shown, isDeclared, file, isBelow)
    : undefined;
}

/** New rows beside rows of the file. */
class Addition {
  readonly #names = new Set<string>();
  readonly #shown: ReadonlySet<number>;
  readonly #rows: {
    readonly text: string;
    readonly pattern: LinePattern;
    readonly likeNeighbor: number;
  }[];
  readonly #replaced = new Map<number, boolean>();

  constructor(
    readonly known: readonly number[],
    fresh: readonly number[],
    shown: readonly number[],
    readonly isDeclared: boolean,
    readonly file: FileIndex,
    isBelow: boolean,
  ) {
    const neighbor = file.textOf((isBelow ? known.at(-1) : known[0]) ?? -1);
    this.#shown = new Set(shown);
    // A key that the neighbor has as well does not tell entries apart.
    const shared = new Set(known.map(id => entryName(file.textOf(id))));
    this.#rows = fresh.map(id => {
      const text = file.textOf(id);
      const name = entryName(text);
      if (name !== undefined && !shared.has(name)) this.#names.add(name);
      const pattern = new LinePattern(text);
      return { text, pattern, likeNeighbor: ratioOf(pattern, neighbor) };
    });
  }

  /** True for a line that the section shows among its new rows, and that is in the file only there. */
  shows(id: number): boolean {
    return this.#shown.has(id);
  }

  /** True when a new row is the new form of the line. */
  replaces(id: number): boolean {
    let isReplaced = this.#replaced.get(id);
    if (isReplaced === undefined) {
      const text = this.file.textOf(id);
      const name = entryName(text);
      isReplaced =
        (name !== undefined && this.#names.has(name)) ||
        this.#rows.some(({ pattern, likeNeighbor, text: row }) => {
          const ratio = ratioOf(pattern, text);
          const isChanged = ratio >= minChanged || (ratio > 0 && isInserted(text, row));
          return isChanged && ratio > likeNeighbor + minLead;
        });
      this.#replaced.set(id, isReplaced);
    }
    return isReplaced;
  }
}

function ratioOf(pattern: LinePattern, text: string): number {
  return text.length < pattern.minLength || text.length > pattern.maxLength
    ? 0
    : pattern.ratio(text);
}

/** True when one text is the other with something put in at one place. */
function isInserted(old: string, text: string): boolean {
  let start = 0;
  while (start < old.length && old[start] === text[start]) start++;
  return text.endsWith(old.slice(start)) && text.length > old.length;
}
