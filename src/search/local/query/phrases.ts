import { trimEndOf } from '../../../base/text/scan';
import { partsOf } from './words';

/** A part of a query as it stands there, which a file may have too: the text of a message, or a line of code. */
export interface Phrase {
  readonly text: string;
  /** Log odds that it adds to a file that has it. */
  readonly worth: number;
  /** Whether it is not a part of a longer word. */
  readonly isWhole?: boolean;
}

/** Fewer words stand side by side by chance. Those of an identifier count each. */
const minWords = 3;
const minChars = 12;
/** A longer one is not in one line. */
const maxChars = 300;
const maxLines = 32;
const maxPhrases = 8;
const maxWorth = 5;

/** A name alone is looked for where it is declared. */
const nameAlone = /^[\p{L}\p{N}_$]*$/u;
/** Signs after a message or a line, which may be missing in the file. */
const endSigns = '"\'`.…:;,';
const opensQuote = /^["'`]/;
/** A value follows, or the words after a quoted one. */
const endsPart = /[:"'`][.,;:)]?$/;

/** The lines of a query and their parts, those of most words first. */
export function phrasesOf(query: string): Phrase[] {
  const found = new Map<string, number>();
  for (const line of query.split('\n').slice(0, maxLines)) {
    if (isImport(line)) continue;
    for (const part of [line, ...partsOfLine(line)]) {
      const text = trimEndOf(part.trim().replace(/^["'`]+/, ''), endSigns);
      if (text.length < minChars || text.length > maxChars || nameAlone.test(text)) continue;
      const words = partsOf(text).length;
      if (words >= minWords) found.set(text, words);
    }
  }
  return [...found]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxPhrases)
    .map(([text, words]) => ({ text, worth: Math.min(maxWorth, words - minWords + 1) }));
}

/** Whether a line is one that all who use something have, so that it does not tell where that is. */
function isImport(line: string): boolean {
  const [keyword = '', second = '', third = '', ...others] = line.trim().split(/\s+/);
  const isShort = third === '';
  switch (keyword) {
    case 'import':
      return (
        isShort || /^(?:static|type|[{*'"])/.test(second) || [third, ...others].includes('from')
      );
    case 'from':
      return third === 'import';
    case 'use':
      return second.includes('::');
    case 'using':
      return isShort && second.endsWith(';');
    default:
      return keyword.startsWith('#include');
  }
}

/** What is between numbers, quotes and colons, where a program puts values into a message. */
function partsOfLine(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  const cut = (end: number, next: number): void => {
    parts.push(line.slice(start, end));
    start = next;
  };
  for (const { 0: word, index } of line.matchAll(/\S+/g)) {
    const end = index + word.length;
    if (/\p{N}/u.test(word)) cut(index, end);
    else if (opensQuote.test(word)) cut(index, index);
    if (endsPart.test(word)) cut(end, end);
  }
  return [...parts, line.slice(start)];
}
