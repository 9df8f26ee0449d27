import { addBalance, pairKinds } from '../../brackets';
import { isComment } from '../../lines';
import { LinePattern } from '../../similarity';
import type { Block } from '../block';
import { declaredName } from '../declaredName';
import type { FileIndex } from '../fileIndex';
import { entryName, isCase, isHeading, isListItem, leadsEntry, opensEntry } from './entries';

/** More lines are rewritten code, which is not compared line by line. */
export const maxCompared = 60;
/** A line beside a marker that replaces another one is hardly changed; a new entry is often as alike as this. */
const minChanged = 0.9;
/** How much more similar to the old line than to its neighbor in the snippet a new line is that replaces it. */
const minLead = 0.04;

interface NewRow {
  readonly text: string;
  readonly pattern: LinePattern;
  readonly likeNeighbor: number;
}

interface AdditionRows {
  /** Rows of the neighbor: they follow each other in the file, too. */
  readonly known: readonly number[];
  /** All other rows; some of them may be lines of the file, too. */
  readonly fresh: readonly number[];
  /** The columns of white space in front of the new rows. */
  readonly indents: readonly number[];
  /** Rows among the new ones that are in the file once. */
  readonly shown: readonly number[];
  /** The new entry starts with a line that leads it: `{`, a decorator. */
  readonly isLed: boolean;
  readonly isBelow: boolean;
}

/** A new entry beside a neighbor that is in the file. */
export class Addition {
  /** True when the entry has lines of its own, such as a function. */
  readonly isBlock: boolean;
  readonly known: readonly number[];
  readonly isBelow: boolean;
  /** True for a block, for comments only, and for one statement in brackets below a neighbor that opens none. */
  readonly isApart: boolean;
  readonly #file: FileIndex;
  readonly #names = new Set<string>();
  readonly #shown: ReadonlySet<number>;
  readonly #fresh: readonly number[];
  readonly #neighbor: string;
  #rows: readonly NewRow[] | undefined;
  readonly #replaced = new Map<number, boolean>();

  constructor({ known, fresh, indents, shown, isLed, isBelow }: AdditionRows, file: FileIndex) {
    this.#file = file;
    this.known = known;
    this.isBelow = isBelow;
    this.isBlock =
      isLed ||
      fresh.some((id, row) => isNew(id, file) && opensBlock(file.textOf(id), indents, row));
    const neighbor = file.textOf((isBelow ? known.at(-1) : known[0]) ?? -1);
    this.isApart =
      this.isBlock ||
      fresh.every(id => isComment(file.textOf(id))) ||
      (isBelow &&
        !/[{([:]$/.test(neighbor) &&
        fresh.every(id => file.isFiller(id) || file.placesOf(id).length !== 1) &&
        isBalanced(fresh.map(id => file.textOf(id))));
    this.#shown = new Set(shown);
    this.#fresh = fresh;
    this.#neighbor = neighbor;
    // A key that the neighbor has as well does not tell entries apart, nor does the first key of an object.
    const shared = new Set(known.map(id => entryName(file.textOf(id))));
    for (const id of fresh) {
      const text = file.textOf(id);
      const name = isLed ? declaredName(text) : entryName(text);
      if (name !== undefined && !shared.has(name)) this.#names.add(name);
    }
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
    this.#rows ??= this.#fresh.map(id => newRow(this.#file.textOf(id), this.#neighbor));
    return this.#rows.some(({ pattern, likeNeighbor, text: row }) => {
      const ratio = ratioOf(pattern, text);
      const isChanged = ratio >= minChanged || (ratio > 0 && isInserted(text, row));
      return isChanged && ratio > likeNeighbor + minLead;
    });
  }
}

/**
 * The new entry of a section; undefined when the section does more than to add one beside a neighbor.
 *
 * @param kept the number of rows at the other edge that are the neighbor.
 */
export function additionIn(
  block: Block,
  file: FileIndex,
  kept: number,
  isBelow: boolean,
): Addition | undefined {
  const { ids, indents, section } = block;
  const rows = ids.length;
  if (rows > maxCompared || kept === 0 || kept === rows) return undefined;
  const from = isBelow ? kept : 0;
  const to = isBelow ? rows : rows - kept;
  const known = isBelow ? ids.slice(0, kept) : ids.slice(to);
  const fresh = ids.slice(from, to);
  const textOf = (id = -1): string => file.textOf(id);
  const isNeighbor = (id: number): boolean => !file.isFiller(id) && !leadsEntry(textOf(id));
  // `"c": 3,` above the `}` of a list of entries with names.
  const endsList =
    !isBelow &&
    /^[)\]}]/.test(textOf(known[0])) &&
    fresh.every(id => entryName(textOf(id)) !== undefined);
  if (!endsList && !known.some(isNeighbor)) return undefined;
  // The marker, or the known rows, are inside of the new entry: then it is not new, but changed.
  const columns = Math.min(...indents.slice(from, to));
  const inside = (isBelow ? section.markerBelow : indents[to]) ?? 0;
  if (inside > columns || leavesOpen(fresh.map(textOf))) return undefined;
  const isKnown = (id: number, row: number): boolean =>
    file.placesOf(id).some(place => file.indents[place] === indents[from + row]);
  const shown = fresh.filter((id, row) => file.placesOf(id).length === 1 && isKnown(id, row));
  const addition = new Addition(
    {
      known,
      fresh,
      indents: indents.slice(from, to),
      shown,
      isLed: isBelow && leadsEntry(textOf(fresh[0])),
      isBelow,
    },
    file,
  );
  const isAllNew = fresh.every(
    (id, row) => !isKnown(id, row) || file.isFiller(id) || isHeading(textOf(id)),
  );
  return isAllNew || addition.isBlock ? addition : undefined;
}

const isNew = (id: number, file: FileIndex): boolean => file.placesOf(id).length === 0;

/** True for the first line of an entry, or of a list item with lines of its own. */
const opensBlock = (text: string, indents: readonly number[], row: number): boolean =>
  opensEntry(text) ||
  isCase(text) ||
  (isListItem(text) && (indents[row + 1] ?? 0) > (indents[row] ?? 0));

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

/** True when the first line opens brackets, and the last one closes them. */
function isBalanced(lines: readonly string[]): boolean {
  if (!/[{([]$/.test(lines[0] ?? '') || !/^[)\]}]/.test(lines.at(-1) ?? '')) return false;
  const open = new Int32Array(pairKinds);
  for (const line of lines) {
    addBalance(line, false, open);
    if (open.some(count => count < 0)) return false;
  }
  return open.every(count => count === 0);
}

function newRow(text: string, neighbor: string): NewRow {
  const pattern = new LinePattern(text);
  return { text, pattern, likeNeighbor: ratioOf(pattern, neighbor) };
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
