import { lowerBound } from '../../base/sorted';
import { requestTagsIn, typedStart } from '../core/typedText';
import type { SessionLineIndex } from '../worker/sessionLineIndex';
import type { SessionParts } from './parts';

/** A longer message of the user, in characters, contains pasted text. */
const maxTypedChars = 2000;
/** What is taken for the words of the user around a paste. */
const typedBefore = { lines: 10, chars: 1200 };
const typedAfter = { lines: 3, chars: 600 };

/** 1 for each line of the user that was pasted or attached rather than typed: the middle of a long message. */
export function pastedLines(
  { parts }: SessionParts,
  { text, starts }: SessionLineIndex,
): Uint8Array {
  const isPasted = new Uint8Array(starts.length - 1);
  for (const { kind, firstLine: wholeStart, endLine } of parts) {
    if (kind !== 'user') continue;
    const own = text.slice(starts[wholeStart], starts[endLine]);
    const typedAt = (starts[wholeStart] ?? 0) + typedStart(own);
    const firstLine = lowerBound(starts, typedAt + 1) - 1;
    // What the tool put in front of the words of the user.
    isPasted.fill(1, wholeStart, firstLine);
    const charsOf = (from: number, to: number): number => (starts[to] ?? 0) - (starts[from] ?? 0);
    const start = starts[firstLine] ?? 0;
    const request = requestTagsIn(text.slice(start, starts[endLine]));
    if (request) {
      const lineAt = (offset: number): number => lowerBound(starts, start + offset + 1) - 1;
      const [open, close] = request;
      isPasted.fill(1, firstLine, lineAt(open));
      isPasted.fill(1, lineAt(close) + 1, endLine);
      continue;
    }
    if (charsOf(firstLine, endLine) <= maxTypedChars) continue;
    // The two ends cannot meet: together they are shorter than what may be typed.
    let first = firstLine;
    while (
      first - firstLine < typedBefore.lines &&
      charsOf(firstLine, first + 1) <= typedBefore.chars
    ) {
      first++;
    }
    let last = endLine;
    while (endLine - last < typedAfter.lines && charsOf(last - 1, endLine) <= typedAfter.chars) {
      last--;
    }
    isPasted.fill(1, first, last);
  }
  return isPasted;
}
