/** Limits of one call, which keep the conversation within the context window of the model. */
export const toolLimits = {
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
  /** Files with secrets that one search searches again with the secrets withheld. */
  filesWithSecrets: 40,
  /** Bytes that are read of a file to reach a range. */
  rangedFileBytes: 256_000_000,
} as const;

/** Timeout of one tool call. */
export const toolDeadlineMs = 10_000;

/** What goes back to the model, and what the trace shows. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** Matches, lines, entries or files, whatever the tool counts. */
  readonly hits: number;
}

export function truncateLine(line: string): string {
  return line.length > toolLimits.lineChars ? `${line.slice(0, toolLimits.lineChars)} …` : line;
}

/** Truncates a result at a line end to {@link toolLimits.resultChars}. */
export function truncateResult(text: string): string {
  if (text.length <= toolLimits.resultChars) return text;
  const end = text.lastIndexOf('\n', toolLimits.resultChars);
  return `${text.slice(0, end < 0 ? toolLimits.resultChars : end)}\n... (output truncated at ${toolLimits.resultChars} characters)`;
}

/** First and last line, 1-based, inclusive. */
export type ToolLineRange = readonly [first: number, last: number];

/** `"1-20, 45-80"`, `"100"`; what is no range is left out. */
export function parseRanges(text: string): ToolLineRange[] {
  const spans: ToolLineRange[] = [];
  for (const part of text.split(/[,;\s]+/)) {
    const match = /^L?(\d{1,9})(?:(?:-|\.\.|:)L?(\d{1,9}))?$/.exec(part);
    if (!match) continue;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (first >= 1 && last >= first) spans.push([first, last]);
  }
  return spans;
}
