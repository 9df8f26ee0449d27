import type { Term } from './query';

/** A term that a piece of text stands for, and how well: 1, or less for a synonym. */
export type Meaning = { readonly term: number; readonly factor: number };

const synonymFactor = 0.5;
const nothing = { meanings: [], covered: 0 };
const joined = (words: readonly string[]): string => words.join('');
const escapeRegex = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** All ways to write a form. Written out, because a search with case ignored takes twice as long. */
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

/** Finds the terms of a query in text. */
export class TermFinder {
  /** A pattern for ripgrep, in which case counts. */
  readonly pattern: string;
  readonly #source: string;
  readonly #forms: { words: readonly string[]; text: string; meaning: Meaning }[];
  /** Whether a name can have any of them; most have none. */
  readonly #anyForm: RegExp;
  readonly #meanings = new Map<string, readonly Meaning[]>();

  constructor(terms: readonly Term[]) {
    this.#forms = terms.flatMap(({ forms }, term) =>
      forms.map(({ words, isSynonym }) => ({
        words,
        text: joined(words),
        meaning: { term, factor: isSynonym ? synonymFactor : 1 },
      })),
    );
    // Of the alternatives at a place both engines take the first.
    this.#forms.sort((a, b) => b.text.length - a.text.length);
    const spellings = new Set(this.#forms.flatMap(({ words }) => spellingsOf(words)));
    this.pattern = [...spellings]
      .sort((a, b) => b.length - a.length)
      .map(escapeRegex)
      .join('|');
    this.#source = this.#forms.map(({ words }) => words.map(escapeRegex).join('[_-]?')).join('|');
    this.#anyForm = new RegExp(this.#forms.map(({ text }) => escapeRegex(text)).join('|'));
  }

  /** A new expression, since each has a place of its own in the text. */
  regex(): RegExp {
    return new RegExp(this.#source, 'gi');
  }

  /** What a matched text stands for; a long form contains shorter ones. */
  meaningsOf(match: string): readonly Meaning[] {
    let meanings = this.#meanings.get(match);
    if (!meanings) {
      const bare = match.toLowerCase().replace(/[_-]/g, '');
      meanings = this.#meaningsWithin(bare);
      this.#meanings.set(match, meanings);
    }
    return meanings;
  }

  /** Forms in a name of letters and digits in lower case, and which of its letters they make up. */
  within(name: string): { meanings: readonly Meaning[]; covered: number } {
    if (!this.#anyForm.test(name)) return nothing;
    const found: Meaning[] = [];
    const covered = new Set<number>();
    for (const { text, meaning } of this.#forms) {
      let at = text.length < 3 ? -1 : name.indexOf(text);
      if (at >= 0) found.push(meaning);
      for (; at >= 0; at = name.indexOf(text, at + 1))
        for (let letter = at; letter < at + text.length; letter++) covered.add(letter);
    }
    return { meanings: best(found), covered: covered.size };
  }

  #meaningsWithin(bare: string): Meaning[] {
    return best(this.#forms.filter(({ text }) => bare.includes(text)).map(form => form.meaning));
  }
}

/** Of several meanings of one term the best. */
function best(meanings: readonly Meaning[]): Meaning[] {
  const byTerm = new Map<number, Meaning>();
  for (const meaning of meanings) {
    const known = byTerm.get(meaning.term);
    if (!known || known.factor < meaning.factor) byTerm.set(meaning.term, meaning);
  }
  return [...byTerm.values()];
}
