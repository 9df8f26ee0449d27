import { trimEndOf, trimStartOf } from '../../../base/text/scan';
import { partsOf } from '../query/words';

/** A text that a query may have from the user interface of a program. */
export interface ShownText {
  /** As {@link plainForm} gives it. */
  readonly text: string;
  /** In lower case. */
  readonly folded: string;
  /** Whether the case has to be the same, because so few words stand in other places by chance. */
  readonly isStrict: boolean;
  /** Its longest words in lower case, of which an entry for it has one. */
  readonly anchors: readonly string[];
}

/** A longer query is an issue, or code. */
const maxQueryChars = 300;
const maxLines = 4;
const minWords = 2;
/** With fewer words, the case counts. */
const minFoldedWords = 4;
/** Letters that are a text in a script without spaces. */
const minUnspaced = 4;
const maxAnchors = 3;

/** By the sign that opens a quotation, the one that closes it. */
const closingQuotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '„': '“',
  '«': '»',
};
const unspacedLetters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const words = /[\p{L}\p{M}\p{N}]+/gu;

/** What of a query may be a text of a user interface: its lines, and what is in quotes. */
export function shownTextsOf(query: string): ShownText[] {
  const lines = query.split('\n').filter(line => line.trim() !== '');
  if (query.length > maxQueryChars || lines.length > maxLines) return [];
  const texts = new Set([query, ...lines, ...quotedIn(query)].map(plainForm));
  return [...texts].filter(isText).map(text => ({
    text,
    folded: text.toLowerCase(),
    isStrict: wordCount(text) < minFoldedWords && text !== text.toUpperCase(),
    anchors: (text.toLowerCase().match(words) ?? [])
      .toSorted((a, b) => b.length - a.length)
      .slice(0, maxAnchors),
  }));
}

function quotedIn(query: string): string[] {
  const found: string[] = [];
  for (let start = 0; start < query.length; start++) {
    const close = closingQuotes[query[start] ?? ''];
    const end = close === undefined || isInWord(query[start - 1]) ? -1 : endOf(query, start, close);
    if (end < 0) continue;
    found.push(query.slice(start + 1, end));
    start = end;
  }
  return found;
}

/** Where a quotation ends; an apostrophe in a word closes nothing. */
function endOf(query: string, start: number, close: string): number {
  let end = query.indexOf(close, start + 1);
  while (end >= 0 && isInWord(query[end + 1])) end = query.indexOf(close, end + 1);
  return end;
}

const isInWord = (char = ''): boolean => /[\p{L}\p{N}]/u.test(char);

const isText = (text: string): boolean =>
  wordCount(text) >= minWords || (text.match(unspacedLetters) ?? []).length >= minUnspaced;

/** Words of letters; those of an identifier are one. */
const wordCount = (text: string): number =>
  text.split(' ').filter(word => partsOf(word).some(part => /\p{L}/u.test(part))).length;

const endSigns = ' .:…!?*,;"\'`';
const startSigns = ' "\'`•*-';

/** A text with plain quotes and single spaces, and without the signs around it. */
export const plainForm = (text: string): string =>
  trimEndOf(trimStartOf(withPlainSigns(text), startSigns), endSigns);

const withPlainSigns = (text: string): string =>
  text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .split(/\s+/)
    .join(' ');

/** Values and tags that a program puts into a text: `{name}`, `{{ name }}`, `%s`, `%1$s`, `:name`, `$name`, `<b>`. */
const inserted =
  /\{\{[^{}]{0,80}\}\}|[$#%]?\{[^{}]{0,200}\}|%(?:\d{1,2}\$)?[\d.]{0,4}[sdif@]|%\w{1,40}%|%\d|@:?\w{1,40}|(?<![\w:]):[a-z_]{2,40}|\$\w{1,40}|<\/?[A-Za-z\d][^<>]{0,80}>/g;
const escapes = /\\(?:u([\da-fA-F]{4})|([nrt])|(.))|&(amp|quot|apos|lt|gt|nbsp|#39|#x27);|''/g;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  '#39': "'",
  '#x27': "'",
};
const gap = '\0';
/** Fewer letters of a text with values in it fit by chance. */
const minLiteralChars = 10;

/** Whether a program that shows a value may show this text. Some write the forms for one and many with `|` between. */
export const isShownAs = (value: string, shown: ShownText): boolean =>
  isOneShownAs(value, shown) ||
  (value.includes('|') && value.split('|').some(form => isOneShownAs(form, shown)));

function isOneShownAs(value: string, { text, folded, isStrict }: ShownText): boolean {
  if (beginsOtherwise(value, folded)) return false;
  const readable = value.replaceAll(escapes, (_, code, space, char, entity) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (space !== undefined) return ' ';
    return char ?? entities[entity] ?? "'";
  });
  const own = plainForm(readable);
  if (own === text) return true;
  if (own.toLowerCase() === folded) return !isStrict;
  // What depends on a number or a gender has braces in braces.
  const parts = readable.replaceAll(inserted, gap).replaceAll(inserted, gap).split(gap);
  if (parts.length === 1) return false;
  // Tags add nothing to what is shown.
  const literals = parts.map(part => withPlainSigns(part).toLowerCase());
  const letters = literals.reduce((sum, part) => sum + partsOf(part).join('').length, 0);
  return letters >= minLiteralChars && hasInOrder(folded, literals);
}

/** Whether both begin with a letter, and not with the same one, as most do. */
function beginsOtherwise(value: string, folded: string): boolean {
  const [first = ''] = value.trimStart();
  return isInWord(first) && isInWord(folded[0]) && first.toLowerCase() !== folded[0];
}

/** Whether a text is made of these parts, in their order, with anything between them. */
function hasInOrder(text: string, parts: readonly string[]): boolean {
  const first = (parts[0] ?? '').trimStart();
  const last = trimEndOf(parts.at(-1) ?? '', endSigns);
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= end;
}
