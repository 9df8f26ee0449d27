import type { Hunk } from '../rebase';
import type { LineSpan } from '../reviewCursor';

/** Reviews with fewer rows are shown whole. */
const minRows = 1_500;
/** Unchanged lines that stay above and below each change. */
const contextLines = 3;
/** Fewer lines are not worth a row that stands for them. */
const minHidden = 4;

/**
 * What begins or ends a comment or a string over several lines, in the languages that have it. A highlighter that does not
 * see such a line takes all below it for something else.
 */
const delimiters = /\/\*|\*\/|<!--|-->|"""|'''|`|^=(?:begin|end)\b/g;
const closers: Readonly<Record<string, string>> = {
  '*/': '/*',
  '-->': '<!--',
  '=end': '=begin',
};

/** Which unchanged lines of a long file the review leaves out. */
export class FoldedRows {
  readonly #lines: readonly string[];
  readonly #isLong: boolean;
  readonly #end: number;

  constructor({
    current,
    hunks,
  }: {
    readonly current: readonly string[];
    readonly hunks: readonly Pick<Hunk, 'inserted'>[];
  }) {
    this.#lines = current;
    const inserted = hunks.reduce((sum, hunk) => sum + hunk.inserted.length, 0);
    this.#isLong = hunks.length > 0 && current.length + inserted >= minRows;
    this.#end = current.length;
  }

  /** The spans to leave out of the unchanged lines between two changes, or an end of the file. */
  between(start: number, end: number): LineSpan[] {
    if (!this.#isLong) return [];
    const from = start === 0 ? 0 : start + contextLines;
    const to = end === this.#end ? end : end - contextLines;
    if (to - from < minHidden) return [];
    const spans: LineSpan[] = [];
    let next = from;
    for (const kept of [...this.#unpaired(from, to), to]) {
      if (kept - next >= minHidden) spans.push({ start: next, end: kept });
      next = kept + 1;
    }
    return spans;
  }

  /** The lines that begin or end something whose other end is not between them. */
  #unpaired(from: number, to: number): number[] {
    const open = new Map<string, number[]>();
    const alone = new Set<number>();
    for (let line = from; line < to; line++) {
      for (const [mark] of (this.#lines[line] ?? '').matchAll(delimiters)) {
        const opener = closers[mark] ?? mark;
        const waiting = open.get(opener) ?? [];
        open.set(opener, waiting);
        const isCloser = mark in closers || (isQuote(mark) && waiting.length > 0);
        if (!isCloser) waiting.push(line);
        else if (waiting.pop() === undefined) alone.add(line);
      }
    }
    for (const lines of open.values()) for (const line of lines) alone.add(line);
    return [...alone].sort((a, b) => a - b);
  }
}

/** What begins and ends with the same characters. */
const isQuote = (mark: string): boolean => mark === '"""' || mark === "'''" || mark === '`';
