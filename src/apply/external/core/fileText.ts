/** Why a file is decided as a whole: it is no text, no UTF-8, or too long for a diff. */
export type NoTextReason = 'binary' | 'encoding' | 'large';

/**
 * Lines WITH their ends (\r\n, \n or \r), so that joining them gives the text back. A byte order mark is part of the
 * first line; only the last line may lack an end, and an empty file has no lines.
 */
export type ExternalText =
  | { readonly lines: readonly string[] }
  | { readonly reason: NoTextReason };

export const maxTextBytes = 2 * 1024 * 1024;
const maxTextLines = 40_000;
/** Git looks for a NUL in as many bytes. */
const binaryProbeBytes = 8000;

/** Bytes to text and back without loss: invalid UTF-8 throws, and the byte order mark stays. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export function fileText(bytes: Uint8Array): ExternalText {
  if (bytes.subarray(0, binaryProbeBytes).includes(0)) return { reason: 'binary' };
  if (bytes.byteLength > maxTextBytes) return { reason: 'large' };
  if (bytes.includes(0)) return { reason: 'binary' };
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'encoding' };
    throw error;
  }
  const lines = linesWithEnds(text);
  return isTextSize(bytes, lines) ? { lines } : { reason: 'large' };
}

/** Whether a text is short enough for a diff. */
export const isTextSize = (bytes: Uint8Array, lines: readonly string[]): boolean =>
  bytes.byteLength <= maxTextBytes && lines.length <= maxTextLines;

export const bytesOfLines = (lines: readonly string[]): Uint8Array =>
  encoder.encode(lines.join(''));

/** Splits where VS Code does. */
export function linesWithEnds(text: string): string[] {
  const lines: string[] = [];
  const hasReturns = text.includes('\r');
  let start = 0;
  while (start < text.length) {
    const end = hasReturns ? endOfLine(text, start) : text.indexOf('\n', start) + 1;
    if (end === 0) break;
    lines.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** The place after the end of the line that begins at `start`; 0 when the line has no end. */
function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) return at + 1;
    if (code === 13) return text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }
  return 0;
}

export function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && isEnd(line.charCodeAt(end - 1))) end--;
  return end === line.length ? line : line.slice(0, end);
}

/** Only the last line of a text may lack its end. */
export const lacksEnd = (line: string): boolean => withoutEnd(line) === line;

const isEnd = (code: number): boolean => code === 10 || code === 13;

const byteOrderMark = '\uFEFF';

/** A text as an editor has it: without byte order mark, with one kind of line ends. */
export function editorText(lines: readonly string[], end: string): string {
  const text = lines
    .map(line => (withoutEnd(line) === line ? line : withoutEnd(line) + end))
    .join('');
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** The line end of an editor's text; undefined when it has only one line. */
export const editorEnd = (text: string): '\r\n' | '\n' | undefined =>
  text.includes('\r\n') ? '\r\n' : text.includes('\n') ? '\n' : undefined;

export const hasByteOrderMark = (lines: readonly string[]): boolean =>
  lines[0]?.startsWith(byteOrderMark) === true;

/** Lines of a text from an editor, with a byte order mark if the file has one. */
export const linesOfEditor = (text: string, hasMark: boolean): string[] =>
  linesWithEnds(hasMark ? byteOrderMark + text : text);
