/** The parts of a text that a merge must preserve: lines without line endings, and the style of these. */
export interface TextLines {
  /** Lines without line endings. A final line ending yields a last element of ''. */
  lines: string[];
  /** The line ending of most lines; '\n' when there is none. */
  eol: '\n' | '\r\n' | '\r';
  /** True when the text starts with U+FEFF, which is not part of `lines`. */
  bom: boolean;
}

/** Splits as VS Code does: at \r\n, \n and \r. */
export function splitLines(text: string): string[] {
  // Most texts have only \n, for which no regular expression is needed.
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}

/** The white space at the start of a line. */
export const marginOf = (line: string): string =>
  line.slice(0, line.length - line.trimStart().length);

/** True when the text ends with a line ending. */
export function endsLine(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last === 10 || last === 13;
}

export function readText(text: string): TextLines {
  const bom = text.startsWith('\uFEFF');
  const body = bom ? text.slice(1) : text;
  const crlf = body.match(/\r\n/g)?.length ?? 0;
  const lf = (body.match(/\n/g)?.length ?? 0) - crlf;
  const cr = (body.match(/\r/g)?.length ?? 0) - crlf;
  const eol = crlf > lf && crlf >= cr ? '\r\n' : cr > lf ? '\r' : '\n';
  return { lines: splitLines(body), eol, bom };
}

/** The inverse of {@link readText}; mixed line endings become the most common one. */
export function writeText({ lines, eol, bom }: TextLines): string {
  return (bom ? '\uFEFF' : '') + lines.join(eol);
}
