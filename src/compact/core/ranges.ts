/** First and last line, 1-based, inclusive. */
export type LineRange = [start: number, end: number];

/** Ranges of consecutive lines whose entry in `lines` has one of `bits` set. */
export function rangesOf(lines: Uint8Array, bits = 0xff): LineRange[] {
  const ranges: LineRange[] = [];
  for (let line = 0; line < lines.length; line++) {
    if (((lines[line] ?? 0) & bits) === 0) continue;
    const start = line;
    while (((lines[line + 1] ?? 0) & bits) !== 0) line++;
    ranges.push([start + 1, line + 1]);
  }
  return ranges;
}

/** The lines from 1 to `count` that are in no range. `ranges` are sorted and do not overlap. */
export function complementOf(ranges: readonly LineRange[], count: number): LineRange[] {
  const others: LineRange[] = [];
  let next = 1;
  for (const [start, end] of ranges) {
    if (start > next) others.push([next, start - 1]);
    next = end + 1;
  }
  if (next <= count) others.push([next, count]);
  return others;
}

export interface RangeFlaw {
  /** First line of the invalid range. */
  line: number;
  reason: string;
}

/** Checks that ranges are sorted, disjoint and within a text of `count` lines. Returns the first flaw, if any. */
export function findRangeFlaw(ranges: readonly LineRange[], count: number): RangeFlaw | undefined {
  let last = 0;
  for (const [start, end] of ranges) {
    const name = `range ${start}-${end}`;
    const flaw =
      !Number.isInteger(start) || !Number.isInteger(end)
        ? 'is not of whole numbers'
        : start < 1 || end > count
          ? `is not within lines 1-${count}`
          : end < start
            ? 'ends before it starts'
            : start <= last
              ? `starts before the end of the range above, ${last}`
              : undefined;
    if (flaw !== undefined) return { line: start, reason: `${name} ${flaw}` };
    last = end;
  }
  return undefined;
}

const usualLineChars = 36;

/** Offset of each line, and of the end. A line includes its `\n`; a final `\n` starts no further line. */
export function lineStartsOf(text: string): Int32Array {
  let starts = new Int32Array(Math.ceil(text.length / usualLineChars) + 1);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    if (count + 1 === starts.length) {
      const larger = new Int32Array(2 * starts.length + 1);
      larger.set(starts);
      starts = larger;
    }
    starts[count++] = at;
    const newline = text.indexOf('\n', at);
    at = newline < 0 ? text.length : newline + 1;
  }
  starts[count] = text.length;
  return starts.slice(0, count + 1);
}

/** The text of the lines in the ranges, unchanged. */
export function linesIn(text: string, starts: Int32Array, ranges: readonly LineRange[]): string {
  return ranges.map(([start, end]) => text.slice(starts[start - 1], starts[end])).join('');
}
