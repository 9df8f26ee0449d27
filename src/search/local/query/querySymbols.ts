import { functionWordsOf } from './functionWords';
import { stopWords, wordsOf } from './vocabulary';
import { partsOf, spacedWords } from './words';

/** A name of code in a query, which a file may declare. */
export interface QuerySymbol {
  readonly name: string;
  /** Log odds that it adds to a file that declares it. */
  readonly worth: number;
  /** The same where the capitals are others; 0 among other words, where they have to be the same. */
  readonly worthInOtherCase: number;
}

/** More are those of a log or of a list, and say nothing of one of them. */
const maxSymbols = 12;
const minChars = 3;
/** Words beside names, without anything that makes a sentence of them. */
const maxListed = 3;
/** A query that is nothing but a name is about what has it. */
const worthAlone = 5;
const worthAmongWords = 1;
/** The name can be an ordinary word, such as `theme`. */
const worthOfWord = 2;
/** The words of a name with spaces between, such as `app state`. */
const worthOfSpaced = 3;

const identifiers = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Each tells that the word behind it is a name. */
const kinds: ReadonlySet<string> = new Set(
  wordsOf(`
    class def enum fn func function interface macro method module protocol struct trait type typedef
  `),
);
/** Words that ask for a declaration. */
const definitionWords: ReadonlySet<string> = new Set([
  ...kinds,
  ...wordsOf(`
    const constant declaration declared declares define defined defines definition go implementation
    jump locate located open show source symbol variable
  `),
]);
const quotes = '"\'`';

/** The names of code in a query, each once. */
export function querySymbolsOf(query: string): QuerySymbol[] {
  const marked = new Set<string>();
  const words = new Set<string>();
  const functionWords = functionWordsOf(query);
  let asksForDefinition = false;
  let isProse = false;
  let before: Before = { word: '', end: 0 };
  for (const { 0: name, index } of query.matchAll(identifiers)) {
    const word = name.toLowerCase();
    const end = index + name.length;
    const isName =
      isCompound(name) ||
      isMarkedBefore(name, before, query.slice(before.end, index)) ||
      isMarkedBehind(name, query.slice(end, end + 3)) ||
      isQuoted(query, index, end);
    if (name.length >= minChars && isName) marked.add(name);
    else if (definitionWords.has(word)) asksForDefinition = true;
    else if (stopWords.has(word) || functionWords.has(word)) isProse = true;
    else words.add(name);
    before = { word: name, end };
  }
  const [word = ''] = words;
  const isWord = marked.size === 0 && words.size === 1 && word.length >= minChars;
  if (isWord) {
    const isName = asksForDefinition || startsWithCapital(word);
    return [symbolOf(word, isName ? worthAlone : worthOfWord, true), ...spacedSymbol(query)];
  }
  if (marked.size === 0) return spacedSymbol(query);
  // In a list of names, each can be one.
  const names = isProse || words.size > maxListed ? marked : new Set([...marked, ...words]);
  if (names.size > maxSymbols) return [];
  const isAll = words.size === 0;
  return Array.from(names, name => symbolOf(name, isAll ? worthAlone : worthAmongWords, isAll));
}

/** `appstate` is AppState in a hasty spelling, but `Theme` and `theme` are two things at times. */
const symbolOf = (name: string, worth: number, isAll: boolean): QuerySymbol => ({
  name,
  worth,
  worthInOtherCase: isAll ? Math.min(worth, worthOfWord) : 0,
});

/** The name that all words of a query make together, if they are few. */
const spacedSymbol = (query: string): QuerySymbol[] => {
  const words = spacedWords(query);
  const worth = worthOfSpaced;
  return words.length === 0 ? [] : [{ name: words.join(''), worth, worthInOtherCase: worth }];
};

interface Before {
  readonly word: string;
  readonly end: number;
}

/** @param between what parts the name from the word before it */
function isMarkedBefore(name: string, { word }: Before, between: string): boolean {
  if (between === '::' || between === '->') return true;
  if (between === '.' || between === '#') return startsWithCapital(word);
  return (
    kinds.has(word.toLowerCase()) && between.trim() === '' && !stopWords.has(name.toLowerCase())
  );
}

/** A call, or the class of a member. */
const isMarkedBehind = (name: string, behind: string): boolean =>
  behind.startsWith('()') || (startsWithCapital(name) && /^(?:::|->|[.#])[\p{L}_]/u.test(behind));

const isQuoted = (query: string, start: number, end: number): boolean =>
  isQuote(query.charAt(start - 1)) && isQuote(query.charAt(end));

const isQuote = (sign: string): boolean => sign !== '' && quotes.includes(sign);

const startsWithCapital = (name: string): boolean => /^\p{Lu}/u.test(name);

/** Whether a name has several words, as `parseHead`, `HTTPServer` and `max_size` do. */
export const isCompound = (name: string): boolean =>
  /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(name) && partsOf(name).length > 1;
