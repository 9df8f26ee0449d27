import { codesOfLine } from './textCodes';

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
    const length = Math.min(text.length, maxComparedLength);
    this.words = Math.ceil(length / bitsPerWord);
    this.#masks = new Int32Array(128 * this.words);
    this.#state = new Int32Array(this.words);
    const codes = codesOfLine(text);
    for (let at = 0; at < length; at++) {
      const code = (codes[at] ?? 0) & 127;
      const word = code * this.words + Math.floor(at / bitsPerWord);
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
    return this.ratioOfCodes(codesOfLine(other), 0, other.length);
  }

  /** The same for the codes `from` to `to` of a text; see `codesOf`. */
  ratioOfCodes(codes: Uint8Array, from: number, to: number): number {
    if (this.words > 2) {
      const state = this.#state.fill(fullWord);
      for (let at = from; at < to; at++) this.#step(state, codes[at] ?? 0);
      return this.#ratioOf(commonIn(state), to - from);
    }
    // Nearly all lines have one word or two, which are several times as fast in variables.
    const masks = this.#masks;
    let low = fullWord;
    let high = fullWord;
    if (this.words === 1) {
      for (let at = from; at < to; at++) {
        const hit = low & (masks[(codes[at] ?? 0) & 127] ?? 0);
        low = ((low + hit) & fullWord) | (low & ~hit);
      }
    } else {
      for (let at = from; at < to; at++) {
        const row = 2 * ((codes[at] ?? 0) & 127);
        const lowHit = low & (masks[row] ?? 0);
        const highHit = high & (masks[row + 1] ?? 0);
        const sum = low + lowHit;
        low = (sum & fullWord) | (low & ~lowHit);
        high = ((high + highHit + (sum >>> bitsPerWord)) & fullWord) | (high & ~highHit);
      }
    }
    const common = bitCount(~low & fullWord) + bitCount(~high & fullWord);
    return this.#ratioOf(common, to - from);
  }

  #step(state: Int32Array, code: number): void {
    const words = this.words;
    const row = (code & 127) * words;
    let carry = 0;
    for (let word = 0; word < words; word++) {
      const old = state[word] ?? 0;
      const hit = old & (this.#masks[row + word] ?? 0);
      const sum = old + hit + carry;
      carry = sum >>> bitsPerWord;
      state[word] = (sum & fullWord) | (old & ~hit);
    }
  }

  #ratioOf(common: number, length: number): number {
    const ratio = (2 * common) / (this.#text.length + length);
    return ratio >= minSimilarity ? ratio : 0;
  }
}

/** The length of the longest common subsequence: the bits that are no longer set. */
function commonIn(state: Int32Array): number {
  let common = 0;
  for (const word of state) common += bitCount(~word & fullWord);
  return common;
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
