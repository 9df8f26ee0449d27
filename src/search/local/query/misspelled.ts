import type { Term } from './terms';
import { capitalized, partsOf, stemOf } from './words';

/** A word of a query that no file has, and the one that it was taken for. */
export interface Correction {
  readonly typed: string;
  readonly taken: string;
}

/** A query with more terms finds its files by the words that are right. */
const maxTerms = 5;
const maxCorrections = 2;
/** Shorter words, and shorter stems of words, are near too many others. */
const minChars = 5;
/** Shorter words become other real words when a letter is replaced, as `token` becomes `taken`. */
const minReplacing = 7;
/** A longer word is several, or none. */
const maxChars = 24;
/** Letters behind a stem, such as `ments`. */
const maxEnding = 5;

const isPlain = (part: string): boolean =>
  part.length >= minChars && part.length <= maxChars && /^[A-Za-z]+$/.test(part);

/**
 * The words of a short query that may be misspelled, because no file has them.
 * @param isFound whether any file has a term, by its number
 */
export function suspectsOf(
  query: string,
  terms: readonly Term[],
  isFound: (term: number) => boolean,
): string[] {
  if (terms.length > maxTerms) return [];
  const unfound = new Set(
    terms.flatMap(({ forms }, term) => {
      const [{ words } = { words: [] }] = forms;
      return words.length === 1 && !isFound(term) ? words : [];
    }),
  );
  const suspects = partsOf(query).filter(part => isPlain(part) && unfound.has(stemOf(part)));
  return [...new Set(suspects)].slice(0, maxCorrections);
}

/** The query with the words that were taken, in the case of those that were typed. */
export function corrected(query: string, corrections: readonly Correction[]): string {
  return corrections.reduce((text, { typed, taken }) => text.replaceAll(typed, taken), query);
}

/**
 * Finds words that differ from a misspelled one by a letter that is missing, too much or another one, or by two that
 * are swapped. The first letter is right, as it nearly always is. Searches texts as a `TermFinder` does.
 */
export class NearWordFinder {
  readonly pattern: string;
  readonly #whole: RegExp;
  readonly #suspects: readonly string[];
  /** By the word that was found, in lower case: how often. */
  readonly #counts = new Map<string, number>();

  constructor(suspects: readonly string[]) {
    this.#suspects = suspects;
    this.pattern = suspects.map(patternOf).join('|');
    this.#whole = new RegExp(`^(?:${this.pattern})$`);
  }

  countRegex(): RegExp {
    return new RegExp(this.pattern, 'g');
  }

  /** Notes a match. It is none of the terms. */
  matchesOf(match: string): readonly [] {
    this.note(match.replace('_', '').toLowerCase(), 1);
    return [];
  }

  /** Those that a word has to begin with, in lower case. */
  get firstLetters(): ReadonlySet<string> {
    return new Set(this.#suspects.map(firstOf));
  }

  /**
   * Whether a word matches the pattern as a whole.
   * @param word in lower case
   */
  matchesWhole(word: string): boolean {
    return this.#whole.test(word);
  }

  /**
   * @param word in lower case
   * @param times that files have it
   */
  note(word: string, times: number): void {
    if (times > 0) this.#counts.set(word, (this.#counts.get(word) ?? 0) + times);
  }

  /** What the files have most often in place of each of the words. */
  corrections(): Correction[] {
    return this.#suspects.flatMap(typed => {
      const taken = this.#bestNear(formsOf(typed));
      return taken === undefined ? [] : [{ typed, taken: inCaseOf(typed, taken) }];
    });
  }

  /** The most frequent word of those that share the most frequent stem. */
  #bestNear(forms: readonly string[]): string | undefined {
    const near = [...this.#counts]
      .filter(([word]) => formsOf(word).some(other => forms.some(form => isNear(form, other))))
      .sort(([a, timesOfA], [b, timesOfB]) => timesOfB - timesOfA || (a < b ? -1 : 1));
    const times = new Map<string, number>();
    for (const [word, own] of near) times.set(stemOf(word), (times.get(stemOf(word)) ?? 0) + own);
    const most = Math.max(...times.values());
    return near.find(([word]) => times.get(stemOf(word)) === most)?.[0];
  }
}

/** A word and its stem, in lower case, where they are long enough to tell what is near. */
const formsOf = (typed: string): string[] =>
  [...new Set([typed.toLowerCase(), stemOf(typed)])].filter(form => form.length >= minChars);

const firstOf = (typed: string): string => typed.slice(0, 1).toLowerCase();

/** A pattern for what may be near a word: where it begins a word, or a part of a name in either case. */
function patternOf(typed: string): string {
  const forms = formsOf(typed);
  const first = firstOf(typed);
  const small = forms.map(form => spellingsNear(form, '[a-z]')).join('|');
  const large = forms.map(form => spellingsNear(form.toUpperCase(), '[A-Z]')).join('|');
  return [
    `(?:(?:\\b|_)${first}|${first.toUpperCase()})(?:${small})[a-z]{0,${maxEnding}}`,
    `(?:\\b|_)${first.toUpperCase()}(?:${large})[A-Z]{0,${maxEnding}}`,
  ].join('|');
}

/** All of a word but its first letter, with one change. */
function spellingsNear(word: string, letter: string): string {
  const found = new Set<string>();
  for (let at = 1; at <= word.length; at++) {
    const [head, tail] = [word.slice(1, at), word.slice(at)];
    found.add(head + letter + tail);
    if (tail === '') continue;
    found.add(head + tail.slice(1));
    if (word.length >= minReplacing) found.add(head + letter + tail.slice(1));
    if (tail.length > 1) found.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
  }
  return [...found].join('|');
}

/** Whether one change behind its first letter makes a word another one. */
function isNear(word: string, other: string): boolean {
  if (word === other || word.charAt(0) !== other.charAt(0)) return false;
  let start = 1;
  while (start < word.length && word[start] === other[start]) start++;
  const [rest, otherRest] = [word.slice(start), other.slice(start)];
  const swapped = rest.charAt(1) + rest.charAt(0) + rest.slice(2);
  const isReplaced = word.length >= minReplacing && rest.slice(1) === otherRest.slice(1);
  return (
    isReplaced ||
    swapped === otherRest ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1)
  );
}

function inCaseOf(typed: string, word: string): string {
  if (typed === typed.toUpperCase()) return word.toUpperCase();
  return /^[A-Z]/.test(typed) ? capitalized(word) : word;
}
