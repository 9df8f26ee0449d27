import { isFiller } from '../lines';
import type { KnownLines } from '../snippet/knownLines';
import type { Source } from '../source';

const noPlaces: readonly number[] = [];

/**
 * The lines of a file for the alignment: numbered by content, without blank lines. All positions in the merge are
 * positions in `ids`; `rawOf` maps them to lines of the file.
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
  /** Positions of the lines with each id; texts that only the snippet contains have none. */
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

  /** Number of lines that are not blank. */
  get count(): number {
    return this.ids.length;
  }

  /** The trimmed lines of the file, for reading the snippet. */
  get known(): KnownLines {
    const size = this.#places.length;
    return {
      size,
      has: trimmed => (this.#numbers.get(trimmed) ?? size) < size,
      [Symbol.iterator]: () => this.#texts.slice(0, size).values(),
    };
  }

  /** The id of a trimmed text, which need not be in the file. */
  numberOf(trimmed: string): number {
    let number = this.#numbers.get(trimmed);
    if (number === undefined) {
      number = this.#texts.length;
      this.#numbers.set(trimmed, number);
      this.#texts.push(trimmed);
    }
    return number;
  }

  /** All ids are smaller. */
  get idCount(): number {
    return this.#texts.length;
  }

  textOf(id: number): string {
    return this.#texts[id] ?? '';
  }

  isFiller(id: number): boolean {
    return (this.#filler[id] ??= isFiller(this.textOf(id)));
  }

  /** Positions of the lines with this id, ascending; empty for texts that only the snippet contains. */
  placesOf(id: number): readonly number[] {
    return this.#places[id] ?? noPlaces;
  }

  /** The line of the file at a position; the number of lines for a position past the end. */
  rawOf(at: number): number {
    return this.#raw[at] ?? this.source.count;
  }

  /** The line after the one at position `at` - 1. */
  rawEndOf(at: number): number {
    return at === 0 ? 0 : (this.#raw[at - 1] ?? 0) + 1;
  }
}
