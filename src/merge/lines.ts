/** Columns per tab when indentation is compared. */
export const tabColumns = 4;

/** A line of the original or of the snippet, as the alignment needs it. */
export interface Line {
  text: string;
  trimmed: string;
  /** Columns of leading whitespace; -1 for a blank line. */
  indent: number;
  /** The id of the trimmed text in the index of the file, if that has read the line; -1 for a new line without a number. */
  id?: number | undefined;
}

export function toLine(text: string): Line {
  const trimmed = text.trim();
  return { text, trimmed, indent: trimmed === '' ? -1 : columnsOf(text), id: undefined };
}

/** Columns of the whitespace at `from`. */
export function columnsOf(text: string, from = 0): number {
  let columns = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32) {
      columns++;
    } else if (code === 9) {
      columns += tabColumns - (columns % tabColumns);
    } else {
      break;
    }
  }
  return columns;
}

/** Statements that occur in many places of a file, without colon, semicolon or bracket at the ends. */
const fillers = new Set(
  [
    'else end return break pass fi done try finally continue do then begin esac override',
    'return nil|return null|return none|return true|return false|return self|return this',
  ].flatMap((words, at) => words.split(at === 0 ? ' ' : '|')),
);
const maxFillerLength = 14;
const wordCharacter = /[\p{L}\p{N}]/u;

/** True for lines that occur in many places of a file: brackets, `else`, `end`. */
export function isFiller(trimmed: string): boolean {
  let hasWord = false;
  for (let at = 0; at < trimmed.length && !hasWord; at++) {
    const code = trimmed.charCodeAt(at);
    const letter = code | 32;
    hasWord =
      (letter >= 97 && letter <= 122) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36 ||
      (code > 127 && wordCharacter.test(trimmed));
    if (code > 127) break;
  }
  if (!hasWord) return true;
  if (trimmed.length > maxFillerLength) return false;
  return fillers.has(trimmed.toLowerCase().replace(/^[}@]\s*|\s*[:;{]$/g, ''));
}

/**
 * {@link isFiller} for the codes `from` to `to` of a text; undefined when only the text itself tells. Answers for nearly
 * all lines without making a string.
 */
export function isFillerByCodes(codes: Uint8Array, from: number, to: number): boolean | undefined {
  const isLong = to - from > maxFillerLength;
  let hasWord = false;
  let isStatement = true;
  for (let at = from; at < to; at++) {
    const code = codes[at] ?? 0;
    if (code > 127) return undefined;
    const kind = kinds[code];
    if (kind === letter) {
      if (isLong) return false;
      hasWord = true;
    } else if (kind === digit) {
      return false;
    } else if (kind !== around) {
      isStatement = false;
    }
  }
  if (!hasWord) return true;
  return isStatement ? undefined : false;
}

const letter = 1;
/** A digit, `_` or `$`, which no filler has. */
const digit = 2;
/** A blank, or a character before or after a statement such as `} else {`. */
const around = 3;
const kinds = new Uint8Array(128);
for (let code = 0; code < 26; code++) kinds[code + 65] = kinds[code + 97] = letter;
for (const sign of '0123456789_$') kinds[sign.charCodeAt(0)] = digit;
for (const sign of ' \t\n\v\f\r}@:;{') kinds[sign.charCodeAt(0)] = around;

const comment = /^(?:\/\/|#|\/?\*|--|<!--|;)/;

/** True for a line that starts as comments do in some language. */
export const isComment = (trimmed: string): boolean => comment.test(trimmed);
