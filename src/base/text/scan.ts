/**
 * Scanners for what regular expressions cannot do in linear time: an expression that is not anchored at
 * the start is tried again at each character of a run, so `/=+$/` is quadratic.
 */

/** The characters that `\s` matches. */
export const whiteSpace =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** The text without the characters of `trimmed` at its end. */
export function trimEndOf(text: string, trimmed: string): string {
  let end = text.length;
  while (end > 0 && trimmed.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The text without the characters of `trimmed` at its start. */
export function trimStartOf(text: string, trimmed: string): string {
  let start = 0;
  while (start < text.length && trimmed.includes(text.charAt(start))) start++;
  return text.slice(start);
}

/** How often the character at `start` is repeated from there. */
export function runLength(text: string, start: number): number {
  const code = text.charCodeAt(start);
  let end = start;
  while (end < text.length && text.charCodeAt(end) === code) end++;
  return end - start;
}

export interface Tagged {
  /** The match of the opening tag, with its groups. */
  readonly opening: RegExpExecArray;
  readonly body: string;
}

/**
 * The texts between pairs of tags; nested tags are part of the text. Each search starts where the previous
 * one ended, so the text is read once.
 *
 * @param opening global, as `closing` is
 * @param mayEnd whether the text so far can be the complete body; otherwise the next closing tag is tried
 * @param endsAtEnd whether the end of the text counts as a closing tag
 */
export function taggedParts(
  text: string,
  opening: RegExp,
  closing: RegExp,
  {
    mayEnd = () => true,
    endsAtEnd = false,
  }: {
    readonly mayEnd?: (start: number, end: number) => boolean;
    readonly endsAtEnd?: boolean;
  } = {},
): Tagged[] {
  const parts: Tagged[] = [];
  opening.lastIndex = 0;
  for (let open = opening.exec(text); open; open = opening.exec(text)) {
    const start = opening.lastIndex;
    closing.lastIndex = start;
    let close = closing.exec(text);
    while (close && !mayEnd(start, close.index)) close = closing.exec(text);
    // No later opening tag has a closing one either.
    if (!close && !endsAtEnd) break;
    parts.push({ opening: open, body: text.slice(start, close?.index) });
    if (!close) break;
    opening.lastIndex = closing.lastIndex;
  }
  return parts;
}
