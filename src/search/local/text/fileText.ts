import type { TermFinder, TermMatch } from '../query/termFinder';
import { maxTerms, type Term } from '../query/terms';
import { endOfDeclaredName, isDeclaration } from './declarations';
import { declaredIn } from './heads';
import { headsOf } from './languages';
import { MatchQuality } from './matchQuality';
import { linesAbove } from './members';
import { type NamedPlace, NamedPlaceFinder } from './namedPlaces';
import { NameShares } from './nameShares';

/** An occurrence of a term in a text. */
export interface Hit {
  /** 1-based. */
  readonly line: number;
  /** 1 for a form of the word; less for a word that only begins or contains it. */
  readonly quality: number;
  readonly matches: readonly TermMatch[];
  /** Whether the hit is in a name that its line declares. */
  readonly isDeclared: boolean;
  /** Share of the words of that name that the query has, from 0 to 1; 0 outside of one. */
  readonly nameShare: number;
}

export interface FileText {
  /** Hits per term, by quality. */
  readonly counts: Float32Array;
  /** The same for hits in declared names, and for lines that declare, without what only one language knows. */
  readonly declared: Float32Array;
  readonly declaring: Float32Array;
  /** At most {@link maxHitsOfTerm} of each term. */
  readonly hits: readonly Hit[];
  /** Number of neighboring pairs in the order of the query, by `first * maxTerms + second`. */
  readonly pairs: ReadonlyMap<number, number>;
  /** What the query names, each where the text has it first. */
  readonly named: readonly NamedPlace[];
  /** In characters. */
  readonly length: number;
}

const maxNeighbourDistance = 6;
/** Hits of a term whose places are kept. Further ones do not help to tell which part of a file is meant. */
const maxHitsOfTerm = 10_000;

/** Characters of a line as far as the name that it declares, as most languages do; -1 if it declares none. */
const declaredLength = (line: string): number =>
  isDeclaration(line) ? endOfDeclaredName(line) : -1;

/** Finds the one line of a text that says most of something that a query asks for. */
interface LineFinder {
  /** @param file path of the text, relative to the root */
  readonly placeIn: (text: string, file: string) => NamedPlace | undefined;
}

/** Finds the terms of a query in a text, in one pass. */
export class TextReader {
  readonly #finder: TermFinder;
  readonly #regex: RegExp;
  readonly #positions: readonly (readonly number[])[];
  readonly #quality = new MatchQuality();
  readonly #shares: NameShares;
  readonly #places: NamedPlaceFinder;
  readonly #others: readonly LineFinder[];

  constructor(
    terms: readonly Term[],
    finder: TermFinder,
    places: NamedPlaceFinder = new NamedPlaceFinder([], []),
    others: readonly LineFinder[] = [],
  ) {
    this.#others = others;
    this.#finder = finder;
    this.#places = places;
    this.#regex = finder.regex();
    this.#shares = new NameShares(finder, this.#quality);
    this.#positions = terms.map(({ positions }) => positions);
  }

  /** @param path of its file, relative to the root */
  read(text: string, path = ''): FileText {
    const language = headsOf(path);
    const counts = new Float32Array(this.#positions.length);
    const declared = new Float32Array(counts.length);
    const declaring = new Float32Array(counts.length);
    const hits: Hit[] = [];
    const numbers = new Uint32Array(counts.length);
    const pairs = new Map<number, number>();
    const others = this.#others.map(finder => finder.placeIn(text, path));
    const named: NamedPlace[] = [this.#places.phraseIn(text), ...others].filter(
      place => place !== undefined,
    );
    const regex = this.#regex;
    regex.lastIndex = 0;

    let line = 1;
    let lineStart = 0;
    let lineEnd = text.indexOf('\n');
    let looked = 0;
    let nameEnd = -1;
    let ownEnd = -1;
    let nameShare = 0;
    let previousEnd = 0;
    let previous: readonly TermMatch[] = [];
    for (let match = regex.exec(text); match; match = regex.exec(text)) {
      const at = match.index;
      const end = at + match[0].length;
      while (lineEnd >= 0 && lineEnd < at) {
        line++;
        lineStart = lineEnd + 1;
        lineEnd = text.indexOf('\n', lineStart);
      }
      const quality = this.#quality.of(text, at, end);
      if (quality === 0) continue;
      if (looked !== line) {
        looked = line;
        const whole = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
        const length = declaredLength(whole);
        nameEnd = lineStart + length;
        ownEnd = lineStart + (language?.nameIn(whole)?.end ?? length);
        const own = ownEnd > lineStart ? declaredIn(whole, language) : undefined;
        nameShare = this.#shares.of(own?.names.at(-1) ?? '');
        const above = linesAbove(text, lineStart);
        const place = this.#places.declaredBy(whole, line, language, above);
        if (place && named.every(({ text: name }) => name !== place.text)) named.push(place);
      }
      const matches = this.#finder.matchesOf(match[0]);
      for (const { term, factor } of matches) {
        counts[term]! += factor * quality;
        declared[term]! += at < nameEnd ? factor * quality : 0;
        declaring[term]! += nameEnd >= lineStart ? factor * quality : 0;
      }
      if (matches.some(({ term }) => numbers[term]! < maxHitsOfTerm)) {
        const isDeclared = at < ownEnd;
        hits.push({ line, quality, matches, isDeclared, nameShare: isDeclared ? nameShare : 0 });
        for (const { term } of matches) numbers[term]!++;
      }
      if (at - previousEnd <= maxNeighbourDistance) this.#countPairs(pairs, previous, matches);
      previousEnd = end;
      previous = matches;
    }
    return { counts, declared, declaring, hits, pairs, named, length: text.length };
  }

  #countPairs(
    pairs: Map<number, number>,
    before: readonly TermMatch[],
    after: readonly TermMatch[],
  ): void {
    for (const { term: first } of before) {
      for (const { term: second } of after) {
        if (first !== second && this.#followInQuery(first, second)) {
          const key = first * maxTerms + second;
          pairs.set(key, (pairs.get(key) ?? 0) + 1);
        }
      }
    }
  }

  #followInQuery(first: number, second: number): boolean {
    const seconds = this.#positions[second] ?? [];
    return (this.#positions[first] ?? []).some(a => seconds.some(b => b > a && b - a <= 2));
  }
}
