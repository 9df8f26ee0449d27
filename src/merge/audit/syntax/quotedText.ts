import type { Language } from './languages';

/** The end of a quoted text or a comment, behind its closing sign; -1 when the text ends without one. */
export function endOfTriple(text: string, at: number): number {
  const sign = text.slice(at, at + 3);
  for (let end = text.indexOf(sign, at + 3); end >= 0; end = text.indexOf(sign, end + 1)) {
    if (!isEscaped(text, end, at)) {
      // Four quotes at the end: the first is part of the text.
      while (text.startsWith(sign, end + 1)) end++;
      return end + 3;
    }
  }
  return -1;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let count = 0;
  while (at - 1 - count > from && text.charCodeAt(at - 1 - count) === 92) count++;
  return count % 2 === 1;
}

/** The end of a text in one kind of quote; -1 when its line, or the whole text, ends without one. */
export function endOfQuoted(text: string, at: number, isMultiline: boolean): number {
  const quote = text.charCodeAt(at);
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === quote) return end + 1;
    if (code === 92) {
      end++;
      if (text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10) end++;
    } else if ((code === 10 || code === 13) && !isMultiline) return -1;
  }
  return -1;
}

/** `'c'`, `'\n'`, `'\u{1F600}'`; the index behind the quote for anything else, such as `'a` of Rust. */
export function endOfChar(text: string, at: number): number {
  if (text.charCodeAt(at + 1) === 92) {
    const end = text.indexOf("'", at + 3);
    return end > 0 && end - at < maxCharLength ? end + 1 : at + 1;
  }
  const width = (text.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1;
  return text.charCodeAt(at + 1 + width) === 39 ? at + 2 + width : at + 1;
}

/** `'\u{10FFFF}'` */
const maxCharLength = 14;

/** The end of a raw text whose quote is at `at`, or undefined when it is a plain one. */
export function endOfRaw(text: string, at: number, raw: Language['raw']): number | undefined {
  if (raw === 'csharp') {
    const before = text.slice(Math.max(0, at - 2), at);
    return before.includes('@') ? endOfVerbatim(text, at) : undefined;
  }
  if (raw === 'rust') {
    let start = at;
    while (start > 0 && text.charCodeAt(start - 1) === 35) start--;
    const isRaw = text.charCodeAt(start - 1) === 114 && !/[\w]/.test(rustPrefix(text, start - 1));
    if (!isRaw) return undefined;
    return endBehind(text, `"${'#'.repeat(at - start)}`, at + 1);
  }
  if (raw === 'cpp' && text.charCodeAt(at - 1) === 82) {
    const [delimiter] = text.slice(at + 1, at + maxDelimiter).split('(', 1);
    if (delimiter === undefined || text.charAt(at + 1 + delimiter.length) !== '(') return undefined;
    return endBehind(text, `)${delimiter}"`, at);
  }
  return undefined;
}

/** Characters between the quote and the bracket of a raw text of C++. */
const maxDelimiter = 17;

/** What is before the `r`, apart from the `b` or `c` of other kinds of text. */
function rustPrefix(text: string, r: number): string {
  const before = text.charAt(r - 1);
  return before === 'b' || before === 'c' ? text.charAt(r - 2) : before;
}

/** `@"a ""b"" c"` */
function endOfVerbatim(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text.charCodeAt(end + 1) === 34) end = text.indexOf('"', end + 2);
  return end < 0 ? -1 : end + 1;
}

export function endBehind(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from);
  return end < 0 ? -1 : end + sign.length;
}

/** The end of a comment whose start is at `at`. */
export function endOfComment(
  text: string,
  at: number,
  [start, end]: readonly [string, string],
  nests: boolean,
): number {
  if (!nests) return endBehind(text, end, at + start.length);
  let depth = 1;
  for (let from = at + start.length; from < text.length; from++) {
    if (text.startsWith(end, from)) {
      depth--;
      from += end.length - 1;
      if (depth === 0) return from + 1;
    } else if (text.startsWith(start, from)) {
      depth++;
      from += start.length - 1;
    }
  }
  return -1;
}

/** The index of the next line end, or the end of the text. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The end of a regular expression between slashes; -1 when its line ends first. */
export function endOfRegex(text: string, start: number): number {
  let isClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 91) isClass = true;
    else if (code === 93) isClass = false;
    else if (code === 47 && !isClass) return at + 1;
    else if (code === 10) return -1;
  }
  return -1;
}

export function isTripled(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return text.charCodeAt(at + 1) === code && text.charCodeAt(at + 2) === code;
}

/** True when only blanks are before `at` on its line. */
export function startsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === 32 || text.charCodeAt(before) === 9) before--;
  return before < 0 || text.charCodeAt(before) === 10;
}
