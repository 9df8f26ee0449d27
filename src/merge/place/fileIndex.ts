import { splitLines } from '../../base/text/textLines';
import { isFiller, isFillerByCodes, type Line, tabColumns, toLine } from '../lines';
import { LineTables } from '../lineTables';
import type { KnownLines } from '../snippet/knownLines';
import type { Source } from '../source';
import { areEqualCodes, codesOfLine, hashOf, lineEnd, viewOfLine } from '../textCodes';

const noPlaces: readonly number[] = [];
/** Per slot; with a hash that spreads well there is less than one. */
const maxMisses = 4;

/**
 * The lines of a file for the alignment: numbered by content, without blank lines. All positions in the merge are
 * positions in `ids`; `rawOf` maps them to lines of the file. Strings and lists of places are only made for the lines
 * that are asked for, which are few.
 */
export class FileIndex implements KnownLines {
  readonly source: Source;
  /** The number of each line's trimmed text. */
  readonly ids: readonly number[];
  /** Columns of leading white space. */
  readonly indents: readonly number[];
  /** Number of lines that are not blank. */
  readonly count: number;
  /** The text of the file as numbers; see {@link codesOf}. */
  readonly codes: Uint8Array;
  readonly #view: DataView;
  /** True when equal codes are equal characters. */
  readonly #isExact: boolean;
  readonly #tables: LineTables;
  /** The number of slots less 1. */
  readonly #slotMask: number;
  /** What all margins consist of, if no line ends in white space; then a line's text tells how it is written. */
  readonly margin: ' ' | '\t' | undefined;
  #ownCount = 0;
  /** How often a slot was taken by another text. */
  #misses = 0;
  /** Ids by text, instead of the slots; only for a file that is made to have many lines with one hash. */
  #byText: Map<string, number> | undefined;

  /** The texts that were asked for and are not in the file; they have the ids above the file's. */
  readonly #others = new Map<string, number>();
  readonly #otherTexts: string[] = [];

  /** @param tables hold the index, which must not be read once they are used for another file. */
  constructor(source: Source, tables = new LineTables()) {
    this.source = source;
    const { codes, view, isExact } = source.codes;
    this.codes = codes;
    this.#view = view;
    this.#isExact = isExact;
    this.#tables = tables;
    const most = source.count;
    const ids: number[] = [];
    const indents: number[] = [];
    const slots = slotCount(most);
    tables.clear(most, slots);
    this.#slotMask = slots - 1;
    const newline = source.uniform ? source.eol.length : 0;
    let count = 0;
    // Bits: 1 for spaces in margins, 2 for tabs, 4 for white space elsewhere.
    let blanks = 0;
    for (let line = 0; line < most; line++) {
      let from = source.startOf(line);
      const next = source.startOf(line + 1);
      let to = next;
      while (to > from && (codes[to - 1] ?? 0) <= 32) to--;
      if (next - to > newline) blanks |= 4;
      if (from === to) continue;
      let columns = 0;
      for (let code = codes[from]; code === 32 || code === 9; code = codes[++from]) {
        columns += code === 32 ? 1 : tabColumns - (columns % tabColumns);
        blanks |= code === 32 ? 1 : 2;
      }
      if ((codes[from] ?? 0) <= 32) blanks |= 4;
      while ((codes[from] ?? 0) <= 32) from++;
      if ((codes[from] ?? 0) > 127 || (codes[to - 1] ?? 0) > 127) {
        // Handles rare kinds of whitespace, such as a no-break space.
        blanks |= 4;
        const text = source.body.slice(from, to).trimEnd();
        to = from + text.length;
        from = to - text.trimStart().length;
        if (from === to) continue;
      }
      ids.push(this.#addLine(from, to, count));
      indents.push(columns);
      tables.raw[count] = line;
      count++;
    }
    this.margin = blanks < 2 ? ' ' : blanks === 2 ? '\t' : undefined;
    this.count = count;
    this.ids = ids;
    this.indents = indents;
  }

  /** The trimmed lines of the file, for reading the snippet. */
  get known(): KnownLines {
    return this;
  }

  /** The number of different lines. */
  get size(): number {
    return this.#ownCount;
  }

  has(trimmed: string): boolean {
    return this.#ownIdOf(trimmed) >= 0;
  }

  [Symbol.iterator](): Iterator<string> {
    return Array.from({ length: this.size }, (_, id) => this.textOf(id)).values();
  }

  /** Adds a position with the text `from` to `to` of the file, and returns its id. */
  #addLine(from: number, to: number, at: number): number {
    const tables = this.#tables;
    tables.next[at] = -1;
    const hash = hashOf(this.#view, from, to);
    const slot = this.#slotFor(from, to, hash);
    const text = this.#byText && this.source.body.slice(from, to);
    const known = text === undefined ? (tables.slots[slot] ?? 0) - 1 : this.#byText?.get(text);
    if (known !== undefined && known >= 0) {
      tables.next[tables.last[known] ?? 0] = at;
      tables.last[known] = at;
      return known;
    }
    const id = this.#ownCount++;
    if (text === undefined) tables.slots[slot] = id + 1;
    else this.#byText?.set(text, id);
    tables.from[id] = from;
    tables.to[id] = to;
    tables.hashes[id] = hash;
    tables.first[id] = at;
    tables.last[id] = at;
    return id;
  }

  /** The slot of a text of the file, or the free one for it. Gives the slots up when too many texts share a hash. */
  #slotFor(from: number, to: number, hash: number): number {
    const { slots, hashes } = this.#tables;
    let slot = hash & this.#slotMask;
    if (this.#byText) return slot;
    for (; slots[slot] !== 0; slot = (slot + 1) & this.#slotMask) {
      const id = (slots[slot] ?? 0) - 1;
      if (hashes[id] === hash && this.#isText(id, from, to)) return slot;
      this.#misses++;
    }
    if (this.#misses > maxMisses * this.#slotMask) {
      this.#byText = new Map();
      for (let id = 0; id < this.#ownCount; id++) this.#byText.set(this.textOf(id), id);
    }
    return slot;
  }

  #isText(id: number, from: number, to: number): boolean {
    const { body } = this.source;
    const other = this.#tables.from[id] ?? 0;
    const length = to - from;
    if (this.#tables.to[id] !== other + length) return false;
    return this.#isExact
      ? areEqualCodes(this.#view, other, this.#view, from, length)
      : body.slice(other, other + length) === body.slice(from, to);
  }

  /** The lines of a text; those of the file have their ids and share its strings. */
  readLines(text: string): Line[] {
    if (this.#byText || text.includes('\r')) return splitLines(text).map(toLine);
    const { codes, view, isExact } = this.#tables.snippet.read(text);
    const lines: Line[] = [];
    for (let at = 0; at <= text.length; ) {
      const end = lineEnd(view, at, text.length);
      let from = at;
      let to = end;
      while (to > from && isBlank(codes[to - 1] ?? 0)) to--;
      let columns = 0;
      for (let code = codes[from]; from < to && (code === 32 || code === 9); code = codes[++from]) {
        columns += code === 32 ? 1 : tabColumns - (columns % tabColumns);
      }
      while (from < to && isBlank(codes[from] ?? 0)) from++;
      if (from === to) {
        lines.push({ text: text.slice(at, end), trimmed: '', indent: -1, id: undefined });
      } else if ((codes[from] ?? 0) > 127 || (codes[to - 1] ?? 0) > 127) {
        // Handles rare kinds of whitespace, such as a no-break space.
        lines.push(toLine(text.slice(at, end)));
      } else {
        const id = this.#find(view, from, to - from, isExact ? undefined : text);
        lines.push({
          text: text.slice(at, end),
          trimmed: id < 0 ? text.slice(from, to) : this.textOf(id),
          indent: columns,
          id,
        });
      }
      at = end + 1;
    }
    return lines;
  }

  /** The id of the trimmed text of a line, which need not be in the file. */
  idOf(line: Line): number {
    const { id, trimmed } = line;
    if (id !== undefined && id >= 0) return id;
    return (line.id = id === undefined ? this.numberOf(trimmed) : this.#numberOfOther(trimmed));
  }

  /** The id of a trimmed text, which need not be in the file. */
  numberOf(trimmed: string): number {
    const id = this.#ownIdOf(trimmed);
    return id < 0 ? this.#numberOfOther(trimmed) : id;
  }

  /** The id of a text that is not in the file. */
  #numberOfOther(trimmed: string): number {
    let id = this.#others.get(trimmed);
    if (id === undefined) {
      id = this.idCount;
      this.#otherTexts.push(trimmed);
      this.#others.set(trimmed, id);
    }
    return id;
  }

  /** The id of a line of the file; -1 for other texts. */
  #ownIdOf(trimmed: string): number {
    if (this.#byText) return this.#byText.get(trimmed) ?? -1;
    return this.#find(viewOfLine(codesOfLine(trimmed)), 0, trimmed.length, trimmed);
  }

  /**
   * The id of the line of the file with these codes; -1 when there is none.
   *
   * @param text the text of the codes, whose equal ones may be different characters; undefined when they are not.
   */
  #find(view: DataView, from: number, length: number, text: string | undefined): number {
    const { slots, hashes } = this.#tables;
    const hash = hashOf(view, from, from + length);
    let slot = hash & this.#slotMask;
    for (; slots[slot] !== 0; slot = (slot + 1) & this.#slotMask) {
      const id = (slots[slot] ?? 0) - 1;
      if (hashes[id] !== hash) continue;
      const start = this.#tables.from[id] ?? 0;
      if (this.#tables.to[id] !== start + length) continue;
      // In a text of ASCII characters, no code is that of another character.
      const isSame =
        this.#isExact || text === undefined
          ? areEqualCodes(view, from, this.#view, start, length)
          : this.source.body.startsWith(text.slice(from, from + length), start);
      if (isSame) return id;
    }
    return -1;
  }

  /** False for the id of a text that only the snippet contains. */
  hasLine(id: number): boolean {
    return id >= 0 && id < this.#ownCount;
  }

  /** All ids are smaller. */
  get idCount(): number {
    return this.#ownCount + this.#otherTexts.length;
  }

  textOf(id: number): string {
    if (id < 0) return '';
    if (id >= this.#ownCount) return this.#otherTexts[id - this.#ownCount] ?? '';
    return (this.#tables.texts[id] ??= this.source.body.slice(this.startOf(id), this.endOf(id)));
  }

  /** Where the text of a line of the file starts in it. */
  startOf(id: number): number {
    return this.#tables.from[id] ?? 0;
  }

  /** Where it ends. */
  endOf(id: number): number {
    return this.#tables.to[id] ?? 0;
  }

  isFiller(id: number): boolean {
    if (!this.hasLine(id)) return isFiller(this.textOf(id));
    const { fillers } = this.#tables;
    let known = fillers[id];
    if (known === 0) {
      const byCodes = isFillerByCodes(this.codes, this.startOf(id), this.endOf(id));
      fillers[id] = known = (byCodes ?? isFiller(this.textOf(id))) ? 1 : 2;
    }
    return known === 1;
  }

  /** Positions of the lines with this id, ascending; empty for texts that only the snippet contains. */
  placesOf(id: number): readonly number[] {
    if (!this.hasLine(id)) return noPlaces;
    const { places: known, first, next } = this.#tables;
    let places = known[id];
    if (!places) {
      const found: number[] = [];
      for (let at = first[id] ?? -1; at >= 0; at = next[at] ?? -1) found.push(at);
      known[id] = places = found;
    }
    return places;
  }

  /** Whether a line with this id has so many columns of leading white space. */
  hasIndent(id: number, columns: number): boolean {
    if (!this.hasLine(id)) return false;
    const { first, next } = this.#tables;
    let at = first[id] ?? -1;
    while (at >= 0 && this.indents[at] !== columns) at = next[at] ?? -1;
    return at >= 0;
  }

  /** The line of the file at a position; the number of lines for a position past the end. */
  rawOf(at: number): number {
    return (at < this.count ? this.#tables.raw[at] : undefined) ?? this.source.count;
  }

  /** The line after the one at position `at` - 1. */
  rawEndOf(at: number): number {
    return at === 0 ? 0 : (this.#tables.raw[Math.min(at, this.count) - 1] ?? 0) + 1;
  }
}

/** White space as `trim` removes it, as far as it is ASCII. */
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** A power of two, at most half of which is in use. */
function slotCount(lines: number): number {
  let count = 16;
  while (count < 2 * lines) count *= 2;
  return count;
}
