/** Below this ratio two lines count as unrelated. */
export const minSimilarity = 0.6;
/** Longer lines are only compared for equality. */
const maxComparedLength = 600;
/** Bits per word of the tables; 30, so that a sum of two words is a small integer. */
const bitsPerWord = 30;
const fullWord = 2 ** bitsPerWord - 1;

/** A line to compare with many others, by a bit-parallel longest common subsequence. */
export class LinePattern {
  readonly #text: string;
  /** Number of words in the table, which is the work per character of the other line. */
  readonly words: number;
  /** For each character code (modulo 128), a bit mask of its positions. */
  readonly #masks: Int32Array;
  readonly #state: Int32Array;

  constructor(text: string) {
    this.#text = text;
    this.words = Math.ceil(Math.min(text.length, maxComparedLength) / bitsPerWord);
    this.#masks = new Int32Array(128 * this.words);
    this.#state = new Int32Array(this.words);
    for (let at = 0; at < text.length && at < maxComparedLength; at++) {
      const word = (text.charCodeAt(at) & 127) * this.words + Math.floor(at / bitsPerWord);
      this.#masks[word] = (this.#masks[word] ?? 0) | (1 << (at % bitsPerWord));
    }
  }

  /** Lines shorter than this, or longer than `maxLength`, cannot be similar. */
  get minLength(): number {
    return Math.ceil((minSimilarity * this.#text.length) / (2 - minSimilarity));
  }

  get maxLength(): number {
    return Math.min(
      maxComparedLength,
      Math.floor(((2 - minSimilarity) * this.#text.length) / minSimilarity),
    );
  }

  /** 1 - insertions and deletions / characters of both; 0 when it cannot reach {@link minSimilarity}. */
  ratio(other: string): number {
    const total = this.#text.length + other.length;
    const words = this.words;
    const state = this.#state.fill(fullWord);
    for (let at = 0; at < other.length; at++) {
      const row = (other.charCodeAt(at) & 127) * words;
      let carry = 0;
      for (let word = 0; word < words; word++) {
        const old = state[word] ?? 0;
        const hit = old & (this.#masks[row + word] ?? 0);
        const sum = old + hit + carry;
        carry = sum >>> bitsPerWord;
        state[word] = (sum & fullWord) | (old & ~hit);
      }
    }
    let common = 0;
    for (let word = 0; word < words; word++) {
      common += bitCount(~(state[word] ?? 0) & fullWord);
    }
    const ratio = (2 * common) / total;
    return ratio >= minSimilarity ? ratio : 0;
  }
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
