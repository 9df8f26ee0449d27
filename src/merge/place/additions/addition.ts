import { addBalance, pairKinds } from '../../brackets';
import { LinePattern } from '../../similarity';
import type { Block } from '../block';
import { declaredName } from '../declaredName';
import type { FileIndex } from '../fileIndex';
import { entryName, leadsEntry, opensEntry } from './entries';

/** More lines are rewritten code, which is not compared line by line. */
export const maxCompared = 60;
/** A line beside a marker that replaces another one is hardly changed; a new entry is often as alike as this. */
const minChanged = 0.85;
/** How much more similar to the old line than to its neighbor in the snippet a new line is that replaces it. */
const minLead = 0.04;

interface NewRow {
  readonly text: string;
  readonly pattern: LinePattern;
  readonly likeNeighbor: number;
}

interface AdditionRows {
  /** Rows that are lines of the file, up to the first new one. */
  readonly known: readonly number[];
  /** All other rows; some of them may be lines of the file, too. */
  readonly fresh: readonly number[];
  /** Rows among the new ones that are in the file once. */
  readonly shown: readonly number[];
  /** The last known row belongs to the new entry: `{`, a decorator. */
  readonly isLed: boolean;
  readonly isBelow: boolean;
}

/** A new entry beside a neighbor that is in the file. */
export class Addition {
  /** True when the entry has lines of its own, such as a function. */
  readonly isBlock: boolean;
  readonly known: readonly number[];
  readonly isBelow: boolean;
  readonly #file: FileIndex;
  readonly #names = new Set<string>();
  readonly #shown: ReadonlySet<number>;
  readonly #rows: readonly NewRow[];
  readonly #replaced = new Map<number, boolean>();

  constructor({ known, fresh, shown, isLed, isBelow }: AdditionRows, file: FileIndex) {
    this.#file = file;
    this.known = known;
    this.isBelow = isBelow;
    this.isBlock = isLed || fresh.some(id => isNew(id, file) && opensEntry(file.textOf(id)));
    this.#shown = new Set(shown);
    const neighbor = file.textOf((isBelow ? known.at(-1) : known[0]) ?? -1);
    // A key that the neighbor has as well does not tell entries apart, nor does the first key of an object.
    const shared = new Set(known.map(id => entryName(file.textOf(id))));
    this.#rows = fresh.map(id => {
      const text = file.textOf(id);
      const name = isLed ? declaredName(text) : entryName(text);
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
      isReplaced = this.#isReplaced(this.#file.textOf(id));
      this.#replaced.set(id, isReplaced);
    }
    return isReplaced;
  }

  #isReplaced(text: string): boolean {
    const name = entryName(text);
    if (name !== undefined && this.#names.has(name)) return true;
    // An entry with another name is another entry, however alike.
    const isNamed = (name !== undefined && this.#names.size > 0) || opensEntry(text);
    if (isNamed && (this.isBlock || this.#names.size > 0)) return false;
    return this.#rows.some(({ pattern, likeNeighbor, text: row }) => {
      const ratio = ratioOf(pattern, text);
      const isChanged = ratio >= minChanged || (ratio > 0 && isInserted(text, row));
      return isChanged && ratio > likeNeighbor + minLead;
    });
  }
}

/** The new entry of a section; undefined when the section does more than to add one beside a neighbor. */
export function additionIn(block: Block, file: FileIndex, isBelow: boolean): Addition | undefined {
  const { ids, indents, section } = block;
  if (ids.length > maxCompared) return undefined;
  const isKnown = (id: number, row: number): boolean =>
    file.placesOf(id).some(place => file.indents[place] === indents[row]);
  const isFresh = (id: number, row: number): boolean => !isKnown(id, row);
  const edge = isBelow ? ids.findIndex(isFresh) : ids.findLastIndex(isFresh);
  if (edge < 0) return undefined;
  const known = isBelow ? ids.slice(0, edge) : ids.slice(edge + 1);
  const fresh = isBelow ? ids.slice(edge) : ids.slice(0, edge + 1);
  const textOf = (id = -1): string => file.textOf(id);
  const isNeighbor = (id: number): boolean => !file.isFiller(id) && !leadsEntry(textOf(id));
  // `"c": 3,` above the `}` of a list of entries with names.
  const endsList =
    !isBelow &&
    /^[)\]}]/.test(textOf(known[0])) &&
    fresh.every(id => entryName(textOf(id)) !== undefined);
  if (!endsList && !known.some(isNeighbor)) return undefined;
  // The marker, or the known rows, are inside of the new entry: then it is not new, but changed.
  const columns = Math.min(...indents.slice(isBelow ? edge : 0, isBelow ? ids.length : edge + 1));
  const inside = (isBelow ? section.markerBelow : indents[edge + 1]) ?? 0;
  if (inside > columns || leavesOpen(fresh.map(textOf))) return undefined;
  const isOther = (row: number): boolean => (isBelow ? row > edge : row < edge);
  const addition = new Addition(
    {
      known,
      fresh,
      shown: ids.filter(
        (id, row) => isOther(row) && isKnown(id, row) && file.placesOf(id).length === 1,
      ),
      isLed: isBelow && leadsEntry(textOf(known.at(-1))),
      isBelow,
    },
    file,
  );
  const isAllNew = ids.every((id, row) => !isOther(row) || isFresh(id, row) || file.isFiller(id));
  return isAllNew || addition.isBlock ? addition : undefined;
}

const isNew = (id: number, file: FileIndex): boolean => file.placesOf(id).length === 0;

/** True when a bracket or a long string of the lines is not closed in them. */
function leavesOpen(lines: readonly string[]): boolean {
  const open = new Int32Array(pairKinds);
  let quotes = 0;
  for (const line of lines) {
    addBalance(line, false, open);
    // What closes here was opened by the neighbor.
    open.forEach((count, kind) => {
      open[kind] = Math.max(0, count);
    });
    quotes += line.match(/"""|'''/g)?.length ?? 0;
  }
  return quotes % 2 === 1 || open.some(count => count > 0);
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
