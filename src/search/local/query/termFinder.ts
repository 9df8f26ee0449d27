import type { Term } from './terms';
import { isShortWord } from './words';

/** A term that a text matches; `factor` is 1, or less for a synonym. */
export type TermMatch = { readonly term: number; readonly factor: number };

/** What a synonym counts, next to 1 for the word itself. */
export const synonymFactor = 0.5;
const nothing = { matches: [], covered: 0 };
const joined = (words: readonly string[]): string => words.join('');
const escapeRegex = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** All spellings of a form, because a case-insensitive search takes twice as long. */
export function spellingsOf(words: readonly string[]): string[] {
  const [first = '', ...rest] = words;
  const small = joined(words);
  return [
    ...new Set([
      small,
      first + rest.map(capitalized).join(''),
      words.map(capitalized).join(''),
      small.toUpperCase(),
      words.join('_'),
      words.join('_').toUpperCase(),
      words.join('-'),
    ]),
  ];
}

/** Patterns for a short word where it begins a word, or a part of an identifier. */
const shortPatterns = (word: string): string[] => [
  `\\b${word}`,
  `_${word}`,
  capitalized(word),
  word.toUpperCase(),
];

/** Where a form is in a folder in lower case, or in a name without its separators; -1 if it is not. */
function placeOf(text: string, place: string, from: number): number {
  if (!isShortWord(text)) return text.length < 3 ? -1 : place.indexOf(text, from);
  for (let at = place.indexOf(text, from); at >= 0; at = place.indexOf(text, at + 1)) {
    const isWhole = !isWordAt(place, at - 1) && !isWordAt(place, at + text.length);
    if (isWhole) return at;
  }
  return -1;
}

const isWordAt = (text: string, at: number): boolean => /[\p{L}\d]/u.test(text.charAt(at));

/** Finds the terms of a query in text. */
export class TermFinder {
  /** A case-sensitive pattern for ripgrep. */
  readonly pattern: string;
  readonly #source: string;
  readonly #forms: { words: readonly string[]; text: string; match: TermMatch }[];
  /** Finds any form in a text in lower case. Most names contain none. Global, so `lastIndex` is state. */
  readonly anyForm: RegExp;
  readonly #matchesByText = new Map<string, readonly TermMatch[]>();

  constructor(terms: readonly Term[]) {
    this.#forms = terms.flatMap(({ forms }, term) =>
      forms.map(({ words, isSynonym }) => ({
        words,
        text: joined(words),
        match: { term, factor: isSynonym ? synonymFactor : 1 },
      })),
    );
    // Both regex engines take the first matching alternative, so longer forms come first.
    this.#forms.sort((a, b) => b.text.length - a.text.length);
    const spellings = this.#forms
      .filter(({ text }) => !isShortWord(text))
      .flatMap(({ words }) => spellingsOf(words))
      .sort((a, b) => b.length - a.length)
      .map(escapeRegex);
    const short = this.#forms
      .filter(({ text }) => isShortWord(text))
      .flatMap(({ text }) => shortPatterns(text));
    this.pattern = [...new Set([...spellings, ...short])].join('|');
    this.#source = this.#forms.map(({ words }) => words.map(escapeRegex).join('[_-]?')).join('|');
    this.anyForm = new RegExp(this.#forms.map(({ text }) => escapeRegex(text)).join('|'), 'g');
  }

  /** Matches as ripgrep does with the pattern. A new regex each time, because `lastIndex` is state. */
  countRegex(): RegExp {
    return new RegExp(this.pattern, 'g');
  }

  /** A new one each time, too. */
  regex(): RegExp {
    return new RegExp(this.#source, 'gi');
  }

  /** The terms of a matched text; a long form may contain shorter ones. */
  matchesOf(match: string): readonly TermMatch[] {
    let matches = this.#matchesByText.get(match);
    if (!matches) {
      const bare = match.toLowerCase().replace(/[_-]/g, '');
      matches = this.#matchesWithin(bare);
      this.#matchesByText.set(match, matches);
    }
    return matches;
  }

  /** Finds forms in a lower-case name, and counts how many of its characters they cover. */
  within(name: string): { matches: readonly TermMatch[]; covered: number } {
    if (name.search(this.anyForm) < 0) return nothing;
    const found: TermMatch[] = [];
    const covered = new Set<number>();
    for (const { text, match } of this.#forms) {
      let at = placeOf(text, name, 0);
      if (at >= 0) found.push(match);
      for (; at >= 0; at = placeOf(text, name, at + 1)) {
        for (let letter = at; letter < at + text.length; letter++) covered.add(letter);
      }
    }
    return { matches: best(found), covered: covered.size };
  }

  #matchesWithin(bare: string): TermMatch[] {
    return best(this.#forms.filter(({ text }) => bare.includes(text)).map(form => form.match));
  }
}

/** The best match of each term. */
function best(matches: readonly TermMatch[]): TermMatch[] {
  const byTerm = new Map<number, TermMatch>();
  for (const match of matches) {
    const known = byTerm.get(match.term);
    if (!known || known.factor < match.factor) byTerm.set(match.term, match);
  }
  return [...byTerm.values()];
}
