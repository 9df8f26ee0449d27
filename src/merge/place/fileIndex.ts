import type { KnownLines } from '../snippet/knownLines';
import { isFiller } from '../lines';
import type { Source } from '../source';

const NOWHERE: readonly number[] = [];

/**
 * The lines of a file as the alignment sees them: numbered by content, blank lines left out. All
 * positions in the merge are positions in `ids`; `rawOf` leads back to the file.
 */
export class FileIndex {
  readonly source: Source;
  /** The number of each line's trimmed text. */
  readonly ids: number[] = [];
  /** Columns of leading white space. */
  readonly indents: number[] = [];
  readonly #raw: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #filler: boolean[] = [];
  /** Positions of the lines with each id; texts of the snippet only have none. */
  readonly #places: number[][] = [];

  constructor(source: Source) {
    this.source = source;
    for (let line = 0; line < source.count; line++) {
      const trimmed = source.trimmed(line);
      if (trimmed === '') continue;
      const id = this.numberOf(trimmed);
      const places = this.#places[id];
      if (places) places.push(this.ids.length);
      else this.#places.push([this.ids.length]);
      this.ids.push(id);
      this.indents.push(source.indent(line));
      this.#raw.push(line);
    }
  }

  /** Lines that are not blank. */
  get count(): number {
    return this.ids.length;
  }

  /** The texts of the file's lines, for the reader of the snippet. */
  get known(): KnownLines {
    const size = this.#places.length;
    return {
      size,
      has: trimmed => (this.#numbers.get(trimmed) ?? size) < size,
      [Symbol.iterator]: () => this.#texts.slice(0, size).values(),
    };
  }

  /** The number of a text, in the file or not. */
  numberOf(trimmed: string): number {
    let number = this.#numbers.get(trimmed);
    if (number === undefined) {
      number = this.#texts.length;
      this.#numbers.set(trimmed, number);
      this.#texts.push(trimmed);
    }
    return number;
  }

  /** Ids are smaller than this. */
  get idCount(): number {
    return this.#texts.length;
  }

  textOf(id: number): string {
    return this.#texts[id] ?? '';
  }

  isFiller(id: number): boolean {
    return (this.#filler[id] ??= isFiller(this.textOf(id)));
  }

  /** Where lines with this text stand, in file order; nowhere for a text of the snippet only. */
  placesOf(id: number): readonly number[] {
    return this.#places[id] ?? NOWHERE;
  }

  /** The line of the file that a position means; the number of lines for a position past the end. */
  rawOf(at: number): number {
    return this.#raw[at] ?? this.source.count;
  }

  /** The line after the one at position `at` - 1. */
  rawEndOf(at: number): number {
    return at === 0 ? 0 : (this.#raw[at - 1] ?? 0) + 1;
  }
}
