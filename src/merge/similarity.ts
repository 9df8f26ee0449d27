/** Below this ratio two lines count as unrelated. */
export const SIMILAR = 0.6;
/** Longer lines are compared by equality only. */
const MAX_LENGTH = 600;
/** Bits per word of the tables; 30, so that a sum of two words is a small integer. */
const BITS = 30;
const FULL = 2 ** BITS - 1;

/** One line to compare with many others: the longest common subsequence, a bit per character. */
export class LinePattern {
  readonly #text: string;
  /** Words of the table; the work per character of the other line. */
  readonly words: number;
  /** For each character code (modulo 128) the words that mark where it stands. */
  readonly #masks: Int32Array;
  readonly #state: Int32Array;

  constructor(text: string) {
    this.#text = text;
    this.words = Math.ceil(Math.min(text.length, MAX_LENGTH) / BITS);
    this.#masks = new Int32Array(128 * this.words);
    this.#state = new Int32Array(this.words);
    for (let at = 0; at < text.length && at < MAX_LENGTH; at++) {
      const word = (text.charCodeAt(at) & 127) * this.words + Math.floor(at / BITS);
      this.#masks[word] = (this.#masks[word] ?? 0) | (1 << (at % BITS));
    }
  }

  /** Lines shorter than this, or longer than `longest`, cannot be similar. */
  get shortest(): number {
    return Math.ceil((SIMILAR * this.#text.length) / (2 - SIMILAR));
  }

  get longest(): number {
    return Math.min(MAX_LENGTH, Math.floor(((2 - SIMILAR) * this.#text.length) / SIMILAR));
  }

  /** 1 - insertions and deletions / characters of both; 0 when it cannot reach {@link SIMILAR}. */
  ratio(other: string): number {
    const total = this.#text.length + other.length;
    const words = this.words;
    const state = this.#state.fill(FULL);
    for (let at = 0; at < other.length; at++) {
      const row = (other.charCodeAt(at) & 127) * words;
      let carry = 0;
      for (let word = 0; word < words; word++) {
        const old = state[word] ?? 0;
        const hit = old & (this.#masks[row + word] ?? 0);
        const sum = old + hit + carry;
        carry = sum >>> BITS;
        state[word] = (sum & FULL) | (old & ~hit);
      }
    }
    let common = 0;
    for (let word = 0; word < words; word++) {
      common += bitCount(~(state[word] ?? 0) & FULL);
    }
    const ratio = (2 * common) / total;
    return ratio >= SIMILAR ? ratio : 0;
  }
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
