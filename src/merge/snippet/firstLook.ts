import type { Line } from '../lines';
import { isProse } from './chatter';
import { leavesOut, maxLineLength } from './cleanSnippet';
import { isFence } from './fences';
import type { KnownLines } from './knownLines';
import { isPasteLabel } from './pasteLabels';
import { isPathComment } from './pathComment';

/** True for a line of the original. */
export const isKnown = ({ trimmed, id }: Line, original: KnownLines): boolean =>
  id === undefined ? original.has(trimmed) : id < original.size;

/**
 * False when `cleanLines` would return the lines as they are, which is the usual case: one look at each line tells what
 * each of its steps would look for.
 */
export function mayNeedCleaning(lines: readonly Line[], original: KnownLines): boolean {
  const first = lines.find(hasText);
  const last = lines.findLast(hasText);
  if (!first || !last) return false;
  if (first.text.startsWith('>')) return true;
  return lines.some(line => {
    const { text } = line;
    if (text.length > maxLineLength || isFence(text)) return true;
    if (!hasText(line) || isKnown(line, original)) return false;
    if (line === first && (isPasteLabel(line.trimmed) || isPathComment(text))) return true;
    if ((line === first || line === last) && isProse(text, original)) return true;
    return startsWithMark.test(text) || leavesOut(text, original);
  });
}

/** The mark of a diff, or the number of a line. */
const startsWithMark = /^(?:[-+]|\s*L?\d)/;

const hasText = ({ indent }: Line): boolean => indent >= 0;
