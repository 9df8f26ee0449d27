/** A text as a regular expression that matches it. */
export const escapeRegex = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');

export const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Punctuation behind a word; few signs, so that a long row of them costs no time. */
export const trailingSigns = /[^\p{L}\p{N}_]{1,4}$/u;

/** Splits an identifier: `parseHTMLBody_v2` becomes parse, HTML, Body, v, 2. */
export function partsOf(identifier: string): string[] {
  return (
    identifier.match(
      /(?:\p{Lu}\p{M}*)+(?!\p{Ll})|(?:\p{Lu}\p{M}*)?(?:\p{Ll}\p{M}*)+|[\p{Lo}\p{Lm}][\p{Lo}\p{Lm}\p{M}]*|\d+/gu,
    ) ?? []
  );
}

const maxSpacedWords = 6;
const maxSpacedChars = 80;
const plainWord = /^[\p{L}\p{N}]+$/u;

/** The words of a query that may be those of one name, such as `app state` or `app-state`; none of a longer query. */
export function spacedWords(query: string): string[] {
  if (query.length > maxSpacedChars) return [];
  const words = query
    .trim()
    .replace(/^-+/, '')
    .split(/[\s-]+/);
  const areFew = words.length > 1 && words.length <= maxSpacedWords;
  return areFew && words.every(word => plainWord.test(word)) ? words : [];
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Endings and particles of Japanese. */
const onlyHiragana = /^\p{Script=Hiragana}+$/u;
let segmenter: Intl.Segmenter | undefined;

/** The words of a part in a script that writes no spaces between them, but for those of one character. */
export function unspacedWords(part: string): string[] {
  if (!unspaced.test(part)) return [part];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const words = Array.from(segmenter.segment(part), ({ segment }) => segment);
  const said = words.filter(word => Array.from(word).length > 1 && !onlyHiragana.test(word));
  return said.length > 0 ? said : [part];
}

/**
 * Whether a word in lower case is as short as db, ui or s3. So few letters are a part of many other words, so such a
 * word only matches as a whole.
 */
export const isShortWord = (word: string): boolean => /^[a-z][a-z\d]$/.test(word);

const minStemChars = 3;

/** `running` became `runn`. */
const withoutDouble = (stem: string): string =>
  /[bdfglmnprtz]$/.test(stem) && stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;

/**
 * The common prefix of the forms of a word, in lower case: `serializ` for serializing, serializer and
 * serialize. It is searched as a prefix, so cutting too little costs more than cutting too much.
 */
export function stemOf(word: string): string {
  const whole = word.toLowerCase();
  if (whole.length <= minStemChars) return whole;
  let stem = whole
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1');
  const cut = (ending: RegExp, minChars: number): void => {
    stem = stem.replace(ending, found => (stem.length - found.length >= minChars ? '' : found));
  };
  if (stem.length > 5) {
    stem = stem.replace(/i[sz]ation$/, 'iz').replace(/(ational|ations?)$/, 'at');
    cut(/(ement|ment)$/, 4);
    cut(/(ingly|edly)$/, 3);
    cut(/ing$/, 3);
    cut(/ed$/, 3);
    cut(/ion$/, 4);
    cut(/(er|or)$/, 4);
    cut(/(ity|ly|ness|able|ible|al|ive)$/, 4);
  }
  if (stem.length > 4) stem = withoutDouble(stem).replace(/[ey]$/, '');
  return stem.length >= minStemChars ? stem : whole;
}
