import type { TermFinder, TermMatch } from '../query/termFinder';
import { maxTerms, type Term } from '../query/terms';
import { isShortWord, stemOf } from '../query/words';
import { endOfDeclaredName, isDeclaration } from './declarations';
import { headsOf } from './languages';
import { linesAbove } from './members';
import { type NamedPlace, NamedPlaceFinder } from './namedPlaces';

/** An occurrence of a term in a text. */
export interface Hit {
  /** 1-based. */
  readonly line: number;
  /** 1 for a form of the word; less for a word that only begins or contains it. */
  readonly quality: number;
  readonly matches: readonly TermMatch[];
  /** Whether the hit is in a name that its line declares. */
  readonly isDeclared: boolean;
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

const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;

const maxNeighbourDistance = 6;
/** Hits of a term whose places are kept. Further ones do not help to tell which part of a file is meant. */
const maxHitsOfTerm = 10_000;
/** Suffixes that do not change the word. */
const ending = /^(?:|e|s|es|ed|d|er|ers|or|ors|ing|ings|y|ie|ies|ion|ions|able|al|ly|ment|ments)$/;

/** Characters of a line as far as the name that it declares, as most languages do; -1 if it declares none. */
const declaredLength = (line: string): number =>
  isDeclaration(line) ? endOfDeclaredName(line) : -1;

/** Finds the terms of a query in a text, in one pass. */
export class TextReader {
  readonly #finder: TermFinder;
  readonly #regex: RegExp;
  readonly #positions: readonly (readonly number[])[];
  readonly #sameWord = new Map<string, boolean>();

  readonly #places: NamedPlaceFinder;

  constructor(
    terms: readonly Term[],
    finder: TermFinder,
    places: NamedPlaceFinder = new NamedPlaceFinder([], []),
  ) {
    this.#finder = finder;
    this.#places = places;
    this.#regex = finder.regex();
    this.#positions = terms.map(({ positions }) => positions);
  }

  /** @param path of its file, which tells the language */
  read(text: string, path = ''): FileText {
    const language = headsOf(path);
    const counts = new Float32Array(this.#positions.length);
    const declared = new Float32Array(counts.length);
    const declaring = new Float32Array(counts.length);
    const hits: Hit[] = [];
    const numbers = new Uint32Array(counts.length);
    const pairs = new Map<number, number>();
    const phrase = this.#places.phraseIn(text);
    const named: NamedPlace[] = phrase ? [phrase] : [];
    const regex = this.#regex;
    regex.lastIndex = 0;

    let line = 1;
    let lineStart = 0;
    let lineEnd = text.indexOf('\n');
    let looked = 0;
    let nameEnd = -1;
    let ownEnd = -1;
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
      const quality = this.#quality(text, at, end, match[0]);
      if (quality === 0) continue;
      if (looked !== line) {
        looked = line;
        const whole = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
        const length = declaredLength(whole);
        nameEnd = lineStart + length;
        ownEnd = lineStart + (language?.nameIn(whole)?.end ?? length);
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
        hits.push({ line, quality, matches, isDeclared: at < ownEnd });
        for (const { term } of matches) numbers[term]!++;
      }
      if (at - previousEnd <= maxNeighbourDistance) this.#countPairs(pairs, previous, matches);
      previousEnd = end;
      previous = matches;
    }
    return { counts, declared, declaring, hits, pairs, named, length: text.length };
  }

  /** 1 when a form starts a word, or a part of an identifier, and only a suffix follows; less otherwise. */
  #quality(text: string, at: number, end: number, match: string): number {
    const before = text.charCodeAt(at - 1);
    const first = text.charCodeAt(at);
    const begins =
      !(isLower(before) || isUpper(before)) ||
      (isLower(before) && isUpper(first)) ||
      (isUpper(before) && isUpper(first) && isLower(text.charCodeAt(at + 1)));
    if (!begins) return match.length >= 6 ? 0.5 : match.length >= 5 ? 0.25 : 0;
    const last = text.charCodeAt(end - 1);
    const continues = isUpper(last) ? isUpper : isLower;
    let wordEnd = end;
    while (continues(text.charCodeAt(wordEnd))) wordEnd++;
    if (wordEnd > end && isUpper(last) && isLower(text.charCodeAt(wordEnd))) {
      // The last capital of HTTPServer begins the next word.
      wordEnd--;
    }
    const rest = text.slice(end, wordEnd);
    if (isShortWord(match.toLowerCase())) {
      const goesOn = isDigit(last) && isDigit(text.charCodeAt(end));
      return !goesOn && (rest === '' || rest === 's') ? 1 : 0;
    }
    return rest === '' || this.#isSameWord(match, rest) ? 1 : 0.4;
  }

  #isSameWord(match: string, rest: string): boolean {
    const key = `${match} ${rest}`.toLowerCase();
    let same = this.#sameWord.get(key);
    if (same === undefined) {
      const form = match.toLowerCase();
      same = ending.test(rest.toLowerCase()) || stemOf(form + rest) === form;
      this.#sameWord.set(key, same);
    }
    return same;
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
