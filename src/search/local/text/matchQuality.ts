import { isShortWord, stemOf } from '../query/words';

const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;

/** Suffixes that do not change the word. */
const ending = /^(?:|e|s|es|ed|d|er|ers|or|ors|ing|ings|y|ie|ies|ion|ions|able|al|ly|ment|ments)$/;

/** How much of a word a form of a term is. */
export class MatchQuality {
  readonly #sameWord = new Map<string, boolean>();

  /**
   * 1 when a form starts a word, or a part of an identifier, and only a suffix follows; less otherwise, and 0 for a
   * short form within a word.
   * @param at where the form is in the text, as far as `end`
   */
  of(text: string, at: number, end: number): number {
    const match = text.slice(at, end);
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
}
