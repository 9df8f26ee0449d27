/** A search in chat histories. */
export interface HistoryQuery {
  /** Texts in lower case, each of which a message has to contain. */
  readonly phrases: readonly string[];
  /** An FTS5 expression for the words of the phrases. */
  readonly match: string;
}

/** Where a text holds what is searched for. */
export interface FoundLine {
  /** From 0. */
  readonly line: number;
  /** The line, cut around what was found. */
  readonly text: string;
  /** The line without white space around it, cut where it is very long. */
  readonly whole: string;
}

const maxTyped = 500; // characters
const maxPhrases = 20;
/** As a beginning, a shorter word would match too many others. */
const minPrefix = 3; // characters
const maxExcerpt = 160; // characters
const maxLine = 1000; // characters

/** What the index takes as one word. */
const wordPattern = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;
/** Scripts that write no spaces between words: each character is a word of the index. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** The text as the index takes it. */
export const indexedText = (text: string): string => text.replaceAll(unspaced, ' $& ');

/**
 * Words that a message has to hold, and phrases in quotes. A word is found where another one begins with it.
 * @returns undefined where there is no word to search for
 */
export function parseHistoryQuery(typed: string): HistoryQuery | undefined {
  const phrases: string[] = [];
  for (const [, quoted, plain] of typed.slice(0, maxTyped).matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const phrase = (quoted ?? plain ?? '').toLowerCase();
    if (phrase.trim() !== '' && phrases.length < maxPhrases) phrases.push(phrase);
  }
  const words = new Set(phrases.flatMap(wordsOf));
  return words.size === 0 ? undefined : { phrases, match: [...words].join(' AND ') };
}

/** A word in the middle of what was typed may be the end of another one, which the index cannot find. */
function wordsOf(phrase: string): string[] {
  const text = indexedText(phrase);
  const words = [...text.matchAll(wordPattern)];
  return words.map(([word], index) => {
    const isLast = index === words.length - 1 && text.trimEnd().endsWith(word);
    return isLast && word.length >= minPrefix ? `"${word}"*` : `"${word}"`;
  });
}

/** The line of a text that shows best that the text holds all phrases; undefined when it does not. */
export function findPhrases(text: string, { phrases }: HistoryQuery): FoundLine | undefined {
  const lower = text.toLowerCase();
  const places = phrases.map(phrase => lower.indexOf(phrase));
  if (places.some(at => at < 0)) return undefined;
  // Some letters have a longer lower case, which shifts what comes after them.
  if (lower.length !== text.length) return lineAt(text, 0, 0);
  let best: { at: number; count: number; start: number } | undefined;
  for (const at of places) {
    const start = lower.lastIndexOf('\n', at - 1) + 1;
    const line = lower.slice(start, endOfLine(lower, at));
    const count = phrases.filter(phrase => line.includes(phrase)).length;
    if (!best || count > best.count) best = { at, count, start };
  }
  return best && lineAt(text, best.start, best.at);
}

function lineAt(text: string, start: number, at: number): FoundLine {
  let line = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < start; end = text.indexOf('\n', end + 1)) {
    line++;
  }
  const whole = text.slice(start, endOfLine(text, at));
  const from = Math.max(0, at - start - maxExcerpt / 3);
  const shown = whole.slice(from, from + maxExcerpt).trim();
  return {
    line,
    text: `${from > 0 ? '…' : ''}${shown}${whole.length > from + maxExcerpt ? '…' : ''}`,
    whole: whole.slice(0, maxLine).trim(),
  };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
