import type { Line } from './lines';

/** Below this ratio two lines count as unrelated. */
export const SIMILAR = 0.6;
/** Comparisons of whole lines per merge; beyond it only lines that share a rare word are compared. */
const MAX_PAIRS = 150_000;
/** Characters times characters compared per merge before the same holds; about 20 ms. */
const MAX_CELLS = 8_000_000;
const MAX_LENGTH = 240;
const MAX_POSTINGS = 24;

export interface Similar {
  at: number;
  ratio: number;
}

/** Finds lines of the original that a changed line of the snippet may be the new form of. */
export class SimilarLines {
  readonly #original: readonly Line[];
  readonly #words = new Map<string, number[]>();
  readonly #found = new Map<string, Similar[]>();
  #pairs = 0;
  #cells = 0;

  constructor(original: readonly Line[]) {
    this.#original = original;
    for (const [at, line] of original.entries()) {
      for (const word of wordsOf(line.trimmed)) {
        const places = this.#words.get(word);
        if (!places) {
          this.#words.set(word, [at]);
        } else if (places.length <= MAX_POSTINGS) {
          places.push(at);
        }
      }
    }
  }

  of(trimmed: string): Similar[] {
    let found = this.#found.get(trimmed);
    if (!found) {
      found = this.#search(trimmed);
      this.#found.set(trimmed, found);
    }
    return found;
  }

  #search(trimmed: string): Similar[] {
    if (trimmed.length < 3 || trimmed.length > MAX_LENGTH) {
      return [];
    }
    const found: Similar[] = [];
    for (const at of this.#candidates(trimmed)) {
      const other = this.#original[at]?.trimmed ?? '';
      if (other !== trimmed) {
        const ratio = similarity(trimmed, other);
        this.#cells += compared;
        if (ratio >= SIMILAR) {
          found.push({ at, ratio });
        }
      }
    }
    return found;
  }

  #candidates(trimmed: string): Iterable<number> {
    const count = this.#original.length;
    if (this.#pairs + count <= MAX_PAIRS && this.#cells <= MAX_CELLS) {
      this.#pairs += count;
      return this.#original.keys();
    }
    const places = new Set<number>();
    for (const word of wordsOf(trimmed)) {
      const posted = this.#words.get(word);
      if (posted && posted.length <= MAX_POSTINGS) {
        for (const at of posted) {
          places.add(at);
        }
      }
    }
    return places;
  }
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_$]+/gu));
}

const row = new Uint16Array(MAX_LENGTH + 1);
const bag = new Int16Array(128);
/** Cells of the table that the last comparison filled. */
let compared = 0;

/** 1 - edit distance (insertions and deletions) / total length; 0 when it cannot reach {@link SIMILAR}. */
export function similarity(a: string, b: string): number {
  compared = 0;
  const total = a.length + b.length;
  const shorter = Math.min(a.length, b.length);
  if (b.length > MAX_LENGTH || a.length > MAX_LENGTH || (2 * shorter) / total < SIMILAR) {
    return a === b ? 1 : 0;
  }
  bag.fill(0);
  for (let at = 0; at < a.length; at++) {
    const code = a.charCodeAt(at) & 127;
    bag[code] = (bag[code] ?? 0) + 1;
  }
  let shared = 0;
  for (let at = 0; at < b.length; at++) {
    const code = b.charCodeAt(at) & 127;
    const left = bag[code] ?? 0;
    if (left > 0) {
      bag[code] = left - 1;
      shared++;
    }
  }
  if ((2 * shared) / total < SIMILAR) {
    return 0;
  }
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) {
    start++;
  }
  let end = 0;
  while (
    end < shorter - start &&
    a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)
  ) {
    end++;
  }
  const common =
    start + end + commonLength(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return (2 * common) / total;
}

/** Length of the longest common subsequence. */
function commonLength(a: string, b: string): number {
  if (a === '' || b === '') {
    return 0;
  }
  compared = a.length * b.length;
  row.fill(0, 0, b.length + 1);
  for (let i = 0; i < a.length; i++) {
    let diagonal = 0;
    const code = a.charCodeAt(i);
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      const left = row[j - 1] ?? 0;
      row[j] = b.charCodeAt(j - 1) === code ? diagonal + 1 : above > left ? above : left;
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}
