import type { Term } from './terms';
import { capitalized, escapeRegex, isShortWord } from './words';

/** A term that a text matches; `factor` is 1, or less for a synonym. */
export type TermMatch = { readonly term: number; readonly factor: number };

/** What a synonym counts, next to 1 for the word itself. */
export const synonymFactor = 0.5;
const nothing = { matches: [], covered: 0 };
const joined = (words: readonly string[]): string => words.join('');

/** All spellings of a form, because a case-insensitive search takes twice as long. */
export function spellingsOf({ words, typed }: Spelled): string[] {
  const [first = '', ...rest] = words;
  const small = joined(words);
  return [
    ...new Set([
      ...(typed === undefined ? [] : [typed]),
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

type Spelled = Pick<Term['forms'][number], 'words' | 'typed' | 'isRunTogether'>;

/** With more alternatives, ripgrep takes fifty times as long. */
const maxSpellings = 240;
const oneWord = /^[a-z][a-z\d]{2,}$/;
/** Letters of an abbreviation at the beginning or the end of a name. */
const maxAbbreviation = 4;

/** The spellings of a word that code may write as two: webSocket, OpenAI, SQLAlchemy. */
function compoundsOf({ words: [word = '', ...others] }: Spelled): string[] {
  if (others.length > 0 || !oneWord.test(word)) return [];
  const found: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (tail.length < maxAbbreviation) {
      found.push(head + tail.toUpperCase(), capitalized(head) + tail.toUpperCase());
    }
    if (head.length < 2 || tail.length < 2) continue;
    found.push(head + capitalized(tail), capitalized(head) + capitalized(tail));
    if (head.length <= maxAbbreviation) found.push(head.toUpperCase() + capitalized(tail));
  }
  return found;
}

/** A pattern for a word that may be several, in any case and with separators anywhere. */
const runTogetherPattern = (word: string): string =>
  Array.from(word, letter => `[${letter}${letter.toUpperCase()}]`).join('[_-]?');

/** Has so few letters that it is a part of many other words, such as `ios` of `iOS`. */
const isShortForm = ({ words, typed }: Spelled): boolean =>
  isShortWord(joined(words)) || (typed !== undefined && joined(words).length < 4);

/** Patterns for a short word where it begins a word, or a part of an identifier. */
function shortPatterns({ words, typed }: Spelled): string[] {
  const word = joined(words);
  const patterns = [`\\b${word}`, `_${word}`, capitalized(word), word.toUpperCase()];
  return typed === undefined ? patterns : [escapeRegex(typed), ...patterns];
}

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
  readonly #forms: (Spelled & { text: string; match: TermMatch })[];
  /** Finds any form in a text in lower case. Most names contain none. Global, so `lastIndex` is state. */
  readonly anyForm: RegExp;
  readonly #matchesByText = new Map<string, readonly TermMatch[]>();

  constructor(terms: readonly Term[]) {
    this.#forms = terms.flatMap(({ forms }, term) =>
      forms.map(({ isSynonym, ...spelled }) => ({
        ...spelled,
        text: joined(spelled.words),
        match: { term, factor: isSynonym ? synonymFactor : 1 },
      })),
    );
    const spelled = this.#forms.filter(form => !isShortForm(form) && !form.isRunTogether);
    const spellings = new Set(spelled.flatMap(spellingsOf));
    const short = this.#forms.filter(isShortForm).flatMap(shortPatterns);
    const runTogether = this.#forms.filter(form => form.isRunTogether);
    // Those of the first terms are the most likely ones.
    for (const form of spelled) {
      const compounds = compoundsOf(form);
      if (spellings.size + short.length + compounds.length > maxSpellings) break;
      for (const compound of compounds) spellings.add(compound);
    }
    // Both regex engines take the first matching alternative, so longer forms come first.
    this.#forms.sort((a, b) => b.text.length - a.text.length);
    const byLength = [...spellings].sort((a, b) => b.length - a.length).map(escapeRegex);
    const patterns = runTogether.map(({ text }) => runTogetherPattern(text));
    this.pattern = [...new Set([...patterns, ...byLength, ...short])].join('|');
    this.#source = this.#forms
      .map(({ words, text, isRunTogether }) =>
        (isRunTogether ? Array.from(text) : words.map(escapeRegex)).join('[_-]?'),
      )
      .join('|');
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
