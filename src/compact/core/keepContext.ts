import { lowerBound } from '../../base/sorted';

const opening = '<keepContext>';
const closing = '</keepContext>';

/** Where messages start, and whether that is known or was guessed from the text. */
export interface Boundaries {
  /** Offsets, sorted. */
  starts: readonly number[];
  areKnown: boolean;
}

/**
 * Calls `keep` with the first and the last line (0-based) of each span between the tags. The whole of
 * each line counts, even if a tag is in the middle of it. A span ends with its message: without a closing
 * tag it extends to the end of the message. Where messages are only guessed, the closing tag may follow
 * in a later one. A closing tag without an opening one, or an opening tag within a span, is plain text.
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

/** True for a line that contains only a tag. */
export function isTagLine(line: string): boolean {
  const trimmed = line.trim();
  return trimmed === opening || trimmed === closing;
}
