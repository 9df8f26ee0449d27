import type { ReadQuery } from '../query/requestedRoute';
import { type Term, termsOf } from '../query/terms';
import type { TypedPath } from '../query/typedPaths';
import { isOfTexts, languageRank } from './catalogs';
import type { UiText } from './entries';

const maxTexts = 4;
/** Log odds of the file of the entry, which comes first, and of one that is no file of texts. */
const worthOfPath = 24;
const worthOfOther = 8;

const rankOf = ({ file }: UiText): number => (isOfTexts(file) ? 0 : 10) + languageRank(file);

/** Those in files of nothing else, in the language that others are translated from, each key once. */
export function likelyTexts(found: readonly UiText[]): UiText[] {
  const best = Math.min(...found.map(rankOf));
  const byKey = new Map<string, UiText>();
  for (const one of found) {
    const key = one.names.join('.');
    if (rankOf(one) === best && !byKey.has(key)) byKey.set(key, one);
  }
  return [...byKey.values()].slice(0, maxTexts);
}

/** The query with the keys of its text, by which code shows it. */
export function withUiTexts(query: ReadQuery, uiTexts: readonly UiText[]): ReadQuery {
  const keys = uiTexts.map(({ names }) => names.map(asIdentifier));
  const all = keys.map(names => names.join('.')).join(' ');
  return { ...query, uiTexts, terms: termsOf(`${all} ${query.words}`) };
}

/** Several words in one name are looked for as they stand there. */
export const asIdentifier = (name: string): string => name.replaceAll('-', '_');

/** The terms of each key that a file has to have to be worth reading, by their numbers. */
export function keyTermsOf(uiTexts: readonly UiText[], terms: readonly Term[]): number[][] {
  const numbers = new Map(terms.map((term, number) => [wordsOfTerm(term), number]));
  return uiTexts.flatMap(({ names }) => {
    const [last = '', owner = ''] = names.toReversed();
    const own = termsOf(asIdentifier(last));
    const identifier = own.find(({ kind }) => kind === 'identifier');
    const needed = identifier ? [identifier] : [...own, ...termsOf(asIdentifier(owner))];
    const found = needed.map(term => numbers.get(wordsOfTerm(term)));
    const known = found.filter(number => number !== undefined);
    return known.length > 0 && known.length === found.length ? [known] : [];
  });
}

const wordsOfTerm = ({ forms }: Term): string => forms[0]?.words.join(' ') ?? '';

/** The file of an entry, as if the query had its path. */
export const pathOfText = ({ file }: UiText): TypedPath => ({
  path: file.toLowerCase(),
  isWhole: true,
  worth: isOfTexts(file) ? worthOfPath : worthOfOther,
});
