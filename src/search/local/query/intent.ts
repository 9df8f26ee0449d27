import { functionWordsOf } from './functionWords';
import { isCompound } from './querySymbols';
import { wordsOf } from './vocabulary';

/**
 * What a query describes: a change or a defect, or code as it is: in a sentence or a question, in a few words, or also by
 * names such as `parseHead`.
 */
export type Intent = 'change' | 'sentence' | 'words' | 'names';

/** A longer query is the text of an issue. */
const maxChars = 200;

const changeWords: ReadonlySet<string> = new Set(
  wordsOf(`
    add added adding adds allow allowed allowing allows avoid avoided avoiding avoids broken bug bugs
    cannot cant change changed changes changing correctly crash crashed crashes crashing delete deleted
    deletes deleting deprecate deprecated deprecates didnt disable doesnt dont enable ensure ensures
    fail failed failing fails failure fix fixed fixes fixing handle handling implement implemented
    implementing implements improve improved improves improving incorrect incorrectly instead introduce
    introduced introduces introducing isnt issue issues make makes making missing optimise optimised
    optimize optimized optimizes optimizing prevent prevented preventing prevents redundant refactor
    refactored refactoring regression remove removed removes removing rename renamed renames renaming
    should support supported supporting supports unnecessary update updated updates updating wont wrong
  `),
);

/** Words that a sentence has and a heading leaves out. */
const sentenceWords: ReadonlySet<string> = new Set(
  wordsOf(`
    a already an are be been either given has have if is it its or otherwise that the their these they
    this those until was when where whether which while whose
  `),
);
const wordsOfSentence = 2;

const asks = /^\s*(?:how|what|where|which|who)\b/i;

/** What a query is about, by its words. A question is about code, whatever it asks of it. */
export function intentOf(query: string): Intent {
  if (query.length > maxChars) return 'change';
  const words = wordsIn(query);
  const isQuestion = asks.test(query);
  if (!isQuestion && words.some(word => changeWords.has(word.toLowerCase()))) return 'change';
  if (words.some(isCompound)) return 'names';
  return isQuestion || isSentence(query, words) ? 'sentence' : 'words';
}

function isSentence(query: string, words: readonly string[]): boolean {
  const functionWords = functionWordsOf(query);
  const found = words
    .map(word => word.toLowerCase())
    .filter(word => sentenceWords.has(word) || functionWords.has(word));
  return found.length >= wordsOfSentence;
}

const wordsIn = (query: string): readonly string[] =>
  query.replaceAll(/['\u2019]/g, '').match(/[\p{L}\p{N}_]+/gu) ?? [];
