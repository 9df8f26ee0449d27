import { synonymFactor } from '../local/query/termFinder';
import type { Term } from '../local/query/terms';
import { capitalized, isShortWord } from '../local/query/words';
import type { IndexSegment, WantedPart } from './indexSegment';
import { splitsOf } from './splits';
import { joinedParts, minPart, splitWord } from './wordParts';

/** Hits of some files: those of file n for term t are at `n * terms + t`, 0 for none. */
export type TermCounts = Float32Array;

/** A part in each of its spellings. */
type Spellings = readonly WantedPart[];

/** What to look for: for each term the beginnings of words, and where they have several parts all of those. */
export class CountedTerms {
  readonly count: number;
  readonly #single: { readonly term: number; readonly factor: number; readonly part: Spellings }[] =
    [];
  readonly #joined: {
    readonly term: number;
    readonly factor: number;
    readonly parts: readonly Spellings[];
  }[] = [];
  /** Words that may be several, of which each index knows others. */
  readonly #runTogether: {
    readonly term: number;
    readonly factor: number;
    readonly word: string;
  }[] = [];

  constructor(terms: readonly Term[]) {
    this.count = terms.length;
    for (const [term, { forms }] of terms.entries()) {
      for (const { words, isSynonym, isRunTogether } of forms) {
        const factor = isSynonym ? synonymFactor : 1;
        if (isRunTogether) this.#runTogether.push({ term, factor, word: words.join('') });
        for (const parts of waysToWrite(words)) {
          const [part = []] = parts;
          if (words.length > 1 || parts.length > 1) this.#joined.push({ term, factor, parts });
          else this.#single.push({ term, factor, part });
        }
      }
    }
  }

  /**
   * The weighted hits of the files of a segment. Those of a form of several parts are as many as its rarest one has,
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
    const runTogether = this.#runTogether.flatMap(({ term, factor, word }) =>
      splitsOf(word, segment).map(parts => ({ term, factor, parts: parts.map(part => [part]) })),
    );
    for (const { term, factor, parts } of [...this.#joined, ...runTogether]) {
      timesOfAll(segment, parts).forEach((times, file) => {
        counts[file * this.count + term]! += factor * times;
      });
    }
    return counts;
  }

  /** The parts that count for each term. A part counts once, by its best form, because forms can share a beginning. */
  #factors(segment: IndexSegment): Map<number, Map<number, number>> {
    const byTerm = new Map<number, Map<number, number>>();
    for (const { term, factor, part: spellings } of this.#single) {
      let factors = byTerm.get(term);
      if (!factors) byTerm.set(term, (factors = new Map()));
      for (const spelling of spellings) {
        const [from, to] = segment.rangeOf(spelling);
        for (let part = from; part < to; part++) {
          factors.set(part, Math.max(factor, factors.get(part) ?? 0));
        }
      }
    }
    return byTerm;
  }
}

/** The parts of a form in each way that it can be written. */
function waysToWrite(words: readonly string[]): Spellings[][] {
  const [word = '', ...others] = words;
  if (others.length === 0) {
    return [isShortWord(word) ? [wholeWord(word)] : wantedParts(word).map(withJoined)];
  }
  // A number belongs to the word before it, as in a text: s3 and backend for S3Backend.
  const written = words
    .map((next, at) => (at > 0 && /^\D/.test(next) ? `_${next}` : next))
    .join('');
  const spaced = words.join('_');
  const isSpaced = spaced !== written && words.every(next => Buffer.byteLength(next) >= minPart);
  return [written, ...(isSpaced ? [spaced] : [])].map(wantedParts);
}

const wholeWord = (word: string): Spellings =>
  [word, `${word}s`].flatMap(spelling => spelledParts(spelling, true));

function wantedParts(text: string): Spellings[] {
  const parts = splitWord(text);
  // In i18n, i18 ends where it ends here.
  const isWhole = (part: string, at: number): boolean => at < parts.length - 1 && /\d$/.test(part);
  return parts
    .map((part, at) => spelledParts(part, isWhole(part, at)))
    .filter(spellings => spellings.length > 0);
}

/** A part as the index can have it, which has small letters where ASCII has them. */
function spelledParts(part: string, isWhole: boolean): WantedPart[] {
  const spellings = new Set(
    [part, capitalized(part), part.toUpperCase()].map(spelling =>
      spelling.replace(/[A-Z]+/g, letters => letters.toLowerCase()),
    ),
  );
  return [...spellings]
    .map(spelling => ({ bytes: Buffer.from(spelling), isWhole }))
    .filter(({ bytes }) => bytes.length >= minPart);
}

/** A part also where it is two in a text, as websocket is in WebSocket. */
function withJoined(spellings: Spellings): Spellings {
  const joined = spellings
    .filter(({ isWhole }) => !isWhole)
    .flatMap(({ bytes }) => joinedParts(bytes))
    .map(bytes => ({ bytes, isWhole: false }));
  return [...spellings, ...joined];
}

/** By file: how often it has each of the parts, at most. */
function timesOfAll(segment: IndexSegment, parts: readonly Spellings[]): Float32Array {
  const least = new Float32Array(segment.files.length).fill(parts.length > 0 ? Infinity : 0);
  for (const spellings of parts) {
    const own = new Float32Array(least.length);
    for (const spelling of spellings) {
      const [from, to] = segment.rangeOf(spelling);
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
