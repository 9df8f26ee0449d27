/** Caps of what one call gives back. They keep a conversation within the model's window. */
export const caps = {
  grepLines: 200,
  readLines: 800,
  listEntries: 500,
  globFiles: 100,
  /** Characters of one line. */
  lineChars: 400,
  /** Characters of one result. */
  resultChars: 48_000,
  /** Bytes of a file that is read whole; a larger one needs a range. */
  wholeFileBytes: 2_000_000,
  /** Bytes of a file that is searched; larger ones are left out. */
  grepFileBytes: 5_000_000,
  /** Files with secrets that one search looks through once more. */
  filesWithSecrets: 40,
  /** Bytes that are read of any file on the way to a range. */
  rangedFileBytes: 256_000_000,
} as const;

/** A call to a tool must end within this, whatever it finds. */
export const toolDeadlineMs = 10_000;

/** What goes back to the model, and what the trace shows. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** Matches, lines, entries or files, whatever the tool counts. */
  readonly hits: number;
}

export function cutLine(line: string): string {
  return line.length > caps.lineChars ? `${line.slice(0, caps.lineChars)} …` : line;
}

/** Keeps a result within its characters, at a line's end. */
export function cutText(text: string): string {
  if (text.length <= caps.resultChars) return text;
  const end = text.lastIndexOf('\n', caps.resultChars);
  return `${text.slice(0, end < 0 ? caps.resultChars : end)}\n... (output truncated at ${caps.resultChars} characters)`;
}

/** First and last line, 1-based, inclusive. */
export type LineSpan = readonly [first: number, last: number];

/** `"1-20, 45-80"`, `"100"`; what is no range is left out. */
export function parseRanges(text: string): LineSpan[] {
  const spans: LineSpan[] = [];
  for (const part of text.split(/[,;\s]+/)) {
    const match = /^L?(\d{1,9})(?:(?:-|\.\.|:)L?(\d{1,9}))?$/.exec(part);
    if (!match) continue;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (first >= 1 && last >= first) spans.push([first, last]);
  }
  return spans;
}
