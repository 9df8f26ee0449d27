/** The parts of a text that a merge must keep: lines without their ends, and the ends' style. */
export interface TextLines {
  /** Lines without line ends. A final line end yields a last element of ''. */
  lines: string[];
  /** The line end that most lines have; '\n' when there is none. */
  eol: '\n' | '\r\n' | '\r';
  /** True when the text starts with U+FEFF, which is not part of `lines`. */
  bom: boolean;
}

/** Splits as VS Code does: at \r\n, \n and \r. */
export function splitLines(text: string): string[] {
  // Most texts have one kind of line end, for which no expression is needed.
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}

/** True when the text ends in a line end. */
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

/** The inverse of {@link readText}; mixed line ends become the most common one. */
export function writeText({ lines, eol, bom }: TextLines): string {
  return (bom ? '\uFEFF' : '') + lines.join(eol);
}
