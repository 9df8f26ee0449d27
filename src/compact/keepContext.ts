import { lowerBound } from '../merge/sorted';

const opening = '<keepContext>';
const closing = '</keepContext>';

/** Where messages start, and whether that is known or guessed from a text. */
export interface Boundaries {
  /** Offsets, sorted. */
  starts: readonly number[];
  areKnown: boolean;
}

/**
 * Calls `keep` with the first and the last line (0-based) of each span between the tags. The whole of
 * each line counts, also where a tag stands within it. A span ends with its message: what is not
 * closed there keeps the rest of it; where messages are only guessed, a closing tag is looked for
 * beyond. A tag that closes nothing, or opens within a span, is text.
 * `lineStarts` has the offset of each line and of the end.
 */
export function findKeptSpans(
  text: string,
  lineStarts: Int32Array,
  { starts, areKnown }: Boundaries,
  keep: (first: number, last: number) => void,
): void {
  const count = lineStarts.length - 1;
  const lineAt = (offset: number): number => lowerBound(lineStarts, offset + 1, 0, count) - 1;
  let close = -1;
  for (let from = text.indexOf(opening); from >= 0; ) {
    const limit = starts[lowerBound(starts, from + 1)] ?? text.length;
    if (close < from && close !== text.length) {
      close = text.indexOf(closing, from + opening.length);
      if (close < 0) close = text.length;
    }
    const isClosed = close < (areKnown ? limit : text.length);
    const end = isClosed ? close + closing.length : limit;
    keep(lineAt(from), lineAt(end - 1));
    from = text.indexOf(opening, end);
  }
}

/** True for a line with a tag and nothing else. */
export function isTagLine(line: string): boolean {
  const trimmed = line.trim();
  return trimmed === opening || trimmed === closing;
}
