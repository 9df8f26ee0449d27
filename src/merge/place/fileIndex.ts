import { columnsOf, isFiller } from '../lines';
import type { Source } from '../source';

/**
 * The lines of a file as the alignment sees them: numbered by content, blank lines left out. All
 * positions in the merge are positions in `ids`; `rawOf` leads back to the file.
 */
export class FileIndex {
  readonly source: Source;
  /** The number of each line's trimmed text. */
  readonly ids: Int32Array;
  /** Columns of leading white space. */
  readonly indents: Int32Array;
  readonly #raw: Int32Array;
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #filler: boolean[] = [];
  /** Lines with the same id: `#places` from `#starts[id]` to `#starts[id + 1]`. */
  readonly #starts: Int32Array;
  readonly #places: Int32Array;

  constructor(source: Source) {
    this.source = source;
    const ids = new Int32Array(source.count);
    const raw = new Int32Array(source.count);
    const indents = new Int32Array(source.count);
    let count = 0;
    for (let line = 0; line < source.count; line++) {
      const text = source.line(line);
      const trimmed = text.trim();
      if (trimmed === '') continue;
      ids[count] = this.numberOf(trimmed);
      raw[count] = line;
      indents[count] = columnsOf(text);
      count++;
    }
    this.ids = ids.subarray(0, count);
    this.indents = indents.subarray(0, count);
    this.#raw = raw.subarray(0, count);
    this.#starts = new Int32Array(this.#texts.length + 1);
    for (const id of this.ids) this.#starts[id + 1] = (this.#starts[id + 1] ?? 0) + 1;
    for (let id = 0; id < this.#texts.length; id++) {
      this.#starts[id + 1] = (this.#starts[id + 1] ?? 0) + (this.#starts[id] ?? 0);
    }
    this.#places = new Int32Array(count);
    const next = this.#starts.slice();
    for (let at = 0; at < count; at++) {
      const id = this.ids[at] ?? 0;
      const slot = next[id] ?? 0;
      this.#places[slot] = at;
      next[id] = slot + 1;
    }
  }

  /** Lines that are not blank. */
  get count(): number {
    return this.ids.length;
  }

  /** The trimmed texts of the file's lines. */
  get known(): ReadonlySet<string> {
    return new Set(this.#texts.slice(0, this.#starts.length - 1));
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

  /** Where lines with this text stand, in file order; none for a text of the snippet only. */
  placesOf(id: number): Int32Array {
    return this.#places.subarray(
      this.#starts[id] ?? this.count,
      this.#starts[id + 1] ?? this.count,
    );
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
