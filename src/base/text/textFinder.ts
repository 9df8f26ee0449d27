import { CodeReader } from './codes';

/** Characters of a window, and of the shortest text that can be looked for. */
export const minFoundChars = 8;

const base = 0x01000193;
/** By which the oldest character of a window has been multiplied. */
const oldest = Array.from({ length: minFoundChars - 1 }, () => base).reduce(Math.imul, 1);
/** Bits of a hash that select a flag: few windows of a text that holds none of the texts pass. */
const flagBits = 18;

interface Place {
  /** Index of the text. */
  readonly at: number;
  /** Where its window is. */
  readonly offset: number;
}

const reader = new CodeReader();

/**
 * Finds which of many texts another one contains, in one pass over it: each text is looked up by the window in it
 * that the fewest others have.
 */
export class TextFinder {
  readonly #texts: readonly string[];
  readonly #flags = new Uint8Array(1 << flagBits);
  /** By the hash of the window. */
  readonly #places = new Map<number, Place[]>();

  /** @param texts of at least `minFoundChars` characters. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    const counts = new Map<number, number>();
    for (const text of texts) {
      forEachWindow(text, hash => counts.set(hash, (counts.get(hash) ?? 0) + 1));
    }
    for (const [at, text] of texts.entries()) {
      let [rarest, offset, fewest] = [0, 0, Number.POSITIVE_INFINITY];
      forEachWindow(text, (hash, start) => {
        const count = counts.get(hash) ?? 0;
        if (count < fewest) [rarest, offset, fewest] = [hash, start, count];
      });
      const places = this.#places.get(rarest);
      if (places) places.push({ at, offset });
      else this.#places.set(rarest, [{ at, offset }]);
      this.#flags[flagOf(rarest)] = 1;
    }
  }

  /** The indexes of the texts that `text` contains, in order. */
  foundIn(text: string): number[] {
    const found = new Set<number>();
    forEachWindow(text, (hash, start) => {
      if (this.#flags[flagOf(hash)] === 0) return;
      for (const { at, offset } of this.#places.get(hash) ?? []) {
        if (!found.has(at) && text.startsWith(this.#texts[at] ?? '', start - offset)) found.add(at);
      }
    });
    return [...found].sort((a, b) => a - b);
  }
}

const flagOf = (hash: number): number => (hash ^ (hash >>> flagBits)) & ((1 << flagBits) - 1);

function forEachWindow(text: string, visit: (hash: number, start: number) => void): void {
  if (text.length < minFoundChars) return;
  const codes = reader.read(text, 0, text.length);
  let hash = 0;
  for (let end = 0; end < text.length; end++) {
    const start = end - minFoundChars;
    if (start >= 0) hash -= Math.imul(codes[start] ?? 0, oldest);
    hash = (Math.imul(hash, base) + (codes[end] ?? 0)) | 0;
    if (start >= -1) visit(hash, start + 1);
  }
}
