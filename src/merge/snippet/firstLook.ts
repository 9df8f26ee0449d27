import type { Line } from '../lines';
import { isProse } from './chatter';
import { leavesOut, maxLineLength } from './cleanSnippet';
import { isFence } from './fences';
import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';
import { isPasteLabel } from './pasteLabels';
import { isPathComment } from './pathComment';

/** True for a line of the original. */
export const isKnown = ({ trimmed, id }: Line, original: KnownLines): boolean =>
  id === undefined ? original.has(trimmed) : id >= 0 && id < original.size;

/** What one look at each line of a snippet tells. */
export interface FirstLook {
  /**
   * False when `cleanLines` would return the lines as they are, which is the usual case: none of its steps finds what it
   * looks for.
   */
  readonly mayNeedCleaning: boolean;
  /** If not, the new lines that are markers by themselves. */
  readonly markers: ReadonlySet<Line>;
}

export function firstLook(lines: readonly Line[], original: KnownLines): FirstLook {
  const markers = new Set<Line>();
  const first = lines.find(hasText);
  const last = lines.findLast(hasText);
  const isNewEdge = (line: Line): boolean =>
    (line === first && (isPasteLabel(line.trimmed) || isPathComment(line.text))) ||
    ((line === first || line === last) && isProse(line.text, original));
  const mayNeedCleaning =
    first?.text.startsWith('>') === true ||
    lines.some(line => {
      const { text } = line;
      if (text.length > maxLineLength || (mayBeFence(line) && isFence(text))) return true;
      if (!hasText(line) || isKnown(line, original)) return false;
      const isMarker = isMarkerLine(text);
      if (isMarker) markers.add(line);
      // No marker stands for a part of itself.
      return (
        isNewEdge(line) || startsWithMark.test(text) || (!isMarker && leavesOut(text, original))
      );
    });
  return { mayNeedCleaning, markers };
}

const mayBeFence = ({ trimmed }: Line): boolean =>
  trimmed.startsWith('`') || trimmed.startsWith('~');

/** The mark of a diff, or the number of a line. */
const startsWithMark = /^(?:[-+]|\s*L?\d)/;

const hasText = ({ indent }: Line): boolean => indent >= 0;
