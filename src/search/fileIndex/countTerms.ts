import { synonymFactor } from '../local/query/termFinder';
import type { Term } from '../local/query/terms';
import { isShortWord } from '../local/query/words';
import type { IndexSegment } from './indexSegment';

/** Shorter parts of words are not in the index, in bytes. */
const minPrefix = 2;

/** Hits of some files: those of file n for term t are at `n * terms + t`, 0 for none. */
export type TermCounts = Float32Array;

/** What to look for: for each term the beginnings of words, and for forms of several words all of theirs. */
export class CountedTerms {
  readonly count: number;
  readonly #single: {
    readonly term: number;
    readonly factor: number;
    readonly prefixes: readonly Uint8Array[];
    /** Whether longer words that begin so do not count. */
    readonly isWhole: boolean;
  }[] = [];
  readonly #joined: {
    readonly term: number;
    readonly factor: number;
    readonly words: readonly (readonly Uint8Array[])[];
  }[] = [];

  constructor(terms: readonly Term[]) {
    this.count = terms.length;
    for (const [term, { forms }] of terms.entries()) {
      for (const { words, isSynonym } of forms) {
        const factor = isSynonym ? synonymFactor : 1;
        if (words.length > 1) {
          const found = words.map(prefixesOf).filter(prefixes => prefixes.length > 0);
          this.#joined.push({ term, factor, words: found });
        } else {
          const [word = ''] = words;
          const isWhole = isShortWord(word);
          const prefixes = isWhole ? [word, `${word}s`].flatMap(prefixesOf) : prefixesOf(word);
          this.#single.push({ term, factor, prefixes, isWhole });
        }
      }
    }
  }

  /**
   * The weighted hits of the files of a segment. Those of a form of several words are as many as its rarest word has,
   * wherever they are.
   */
  countIn(segment: IndexSegment): TermCounts {
    const counts = new Float32Array(segment.files.length * this.count);
    for (const [term, factors] of this.#factors(segment)) {
      for (const [part, factor] of factors) {
        segment.filesWith(part, (file, times) => {
          counts[file * this.count + term]! += factor * times;
        });
      }
    }
    for (const { term, factor, words } of this.#joined) {
      timesOfAll(segment, words).forEach((times, file) => {
        counts[file * this.count + term]! += factor * times;
      });
    }
    return counts;
  }

  /** The parts that count for each term. A part counts once, by its best form, because forms can share a beginning. */
  #factors(segment: IndexSegment): Map<number, Map<number, number>> {
    const byTerm = new Map<number, Map<number, number>>();
    for (const { term, factor, prefixes, isWhole } of this.#single) {
      let factors = byTerm.get(term);
      if (!factors) byTerm.set(term, (factors = new Map()));
      for (const prefix of prefixes) {
        const [from, to] = isWhole ? segment.equalTo(prefix) : segment.beginningWith(prefix);
        for (let part = from; part < to; part++) {
          factors.set(part, Math.max(factor, factors.get(part) ?? 0));
        }
      }
    }
    return byTerm;
  }
}

/** How a word can begin in the index, which has small letters where ASCII has them. */
function prefixesOf(word: string): Uint8Array[] {
  const spellings = new Set(
    [word, word.slice(0, 1).toUpperCase() + word.slice(1), word.toUpperCase()].map(spelling =>
      spelling.replace(/[A-Z]+/g, letters => letters.toLowerCase()),
    ),
  );
  return [...spellings]
    .map(spelling => Buffer.from(spelling))
    .filter(({ length }) => length >= minPrefix);
}

/** By file: how often it has a word of each of the groups, at most. */
function timesOfAll(
  segment: IndexSegment,
  words: readonly (readonly Uint8Array[])[],
): Float32Array {
  const least = new Float32Array(segment.files.length).fill(words.length > 0 ? Infinity : 0);
  for (const prefixes of words) {
    const own = new Float32Array(least.length);
    for (const prefix of prefixes) {
      const [from, to] = segment.beginningWith(prefix);
      for (let part = from; part < to; part++) {
        segment.filesWith(part, (file, times) => {
          own[file]! += times;
        });
      }
    }
    for (let file = 0; file < least.length; file++) {
      least[file] = Math.min(least[file]!, own[file]!);
    }
  }
  return least;
}
