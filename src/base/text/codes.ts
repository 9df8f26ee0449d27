import { Buffer } from 'node:buffer';

/**
 * Reads texts as numbers. To the engine, a string is one of a dozen types (flat, sliced, joined, of one byte
 * or two per character), and code that gets to see more than four of them takes three times as long for each
 * character. An array of numbers is always the same.
 */
export class CodeReader {
  #codes = new Uint16Array(0);
  #bytes = Buffer.alloc(0);

  /** The UTF-16 units of a part of a text, from index 0 on, until the next call. */
  read(text: string, start: number, end: number): Uint16Array {
    const length = end - start;
    if (length > this.#codes.length) {
      this.#codes = new Uint16Array(Math.max(1024, 1.25 * length));
      this.#bytes = Buffer.from(this.#codes.buffer);
    }
    this.#bytes.write(
      start === 0 && end === text.length ? text : text.slice(start, end),
      'utf16le',
    );
    return this.#codes;
  }

  /** Gives back the memory of a large text. */
  clear(): void {
    this.#codes = new Uint16Array(0);
    this.#bytes = Buffer.alloc(0);
  }
}
