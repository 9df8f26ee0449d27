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
  /** Ranges of lines of one file, and the characters that they may take. */
  ranges: 100,
  rangeChars: 2000,
  /** Files of one answer, and its characters. */
  finishFiles: 50,
  finishChars: 20_000,
  /** Characters of a pattern or glob. */
  patternChars: 2000,
  /** Bytes that are read of a file to reach a range. */
  rangedFileBytes: 256_000_000,
} as const;

/** This many times the limit of lines is read before the best ones are chosen. */
export const readAheadFactor = 4;

/** Timeout of one tool call. */
export const toolDeadlineMs = 10_000;

/** What goes back to the model, and what the trace shows. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** Matches, lines, entries or files, whatever the tool counts. */
  readonly hits: number;
  /** Paths of the files whose code the result shows, as the model sees them. */
  readonly files?: readonly string[];
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

export interface ToolRanges {
  readonly ranges: readonly ToolLineRange[];
  /** What is wrong with the text, for the model; undefined when nothing is. */
  readonly problem: string | undefined;
}

/** Reads `"1-20, 45-80"`, `"100"`, or `"*"` and '' for the whole file, which is no range. */
export function parseRanges(text: string): ToolRanges {
  const ranges: ToolLineRange[] = [];
  const wrong: string[] = [];
  const parts = text
    .slice(0, toolLimits.rangeChars)
    .split(/[,;\s]+/)
    .filter(Boolean);
  for (const part of parts.slice(0, toolLimits.ranges)) {
    if (part === '*') continue;
    const match = /^L?(\d{1,9})(?:(?:-|–|\.\.|:)L?(\d{1,9}))?$/.exec(part);
    const first = Math.max(1, Number(match?.[1]));
    const last = Number(match?.[2] ?? match?.[1]);
    if (last >= first) ranges.push([first, last]);
    else wrong.push(part.slice(0, 40));
  }
  const isLong = text.length > toolLimits.rangeChars || parts.length > toolLimits.ranges;
  const problem = isLong
    ? `More than ${toolLimits.ranges} ranges of lines were given; name fewer, or the whole file.`
    : wrong.length > 0
      ? `"${wrong.slice(0, 5).join(', ')}" is no range of lines: write the first line, "-" and the last one, both whole numbers from 1, such as 2-5 or 2-5,40-60.`
      : undefined;
  return { ranges, problem };
}
