import { sentence } from '../../../base/sentence';
import type { PlacedSection } from '../alignedMerge';
import type { AuditOptions, AuditReport } from '../auditReport';
import type { AuditText, Postings } from '../auditText';

/** Occurrences of a line that are examined. */
const maxOccurrences = 100;

/** Reports that the replaced lines occur a second time where the snippet would fit as well. */
export function checkAmbiguousPlace(
  { aligned, place, nth, requiredEnds }: PlacedSection,
  inOriginal: Postings,
  { range }: AuditOptions,
  report: AuditReport,
): void {
  const { original, merged, placed } = aligned;
  const { oldStart, oldEnd, newStart } = place;
  if (requiredEnds.top || requiredEnds.bottom) {
    return;
  }
  const from = placed[nth - 1]?.oldEnd ?? 0;
  const to = placed[nth + 1]?.oldStart ?? original.codes.length;
  const twin = otherOccurrence(
    original,
    inOriginal,
    { start: oldStart, end: oldEnd },
    { start: from, end: to },
  );
  const row = original.rows[twin ?? 0] ?? 0;
  if (twin !== undefined && !(range && (row < range.startLine - 1 || row >= range.endLine))) {
    report.warning(
      'wrongPlace',
      merged.rows[newStart] ?? 0,
      sentence(
        'The snippet also fits at line {0} of the file before the edit. Check that it is in the right place.',
        row + 1,
      ),
    );
  }
}

/** Half-open lines of the original. */
interface Range {
  start: number;
  end: number;
}

/** The start of another occurrence of the lines of `block` within `room`. */
function otherOccurrence(
  { codes, texts }: AuditText,
  postings: Postings,
  block: Range,
  room: Range,
): number | undefined {
  const size = block.end - block.start;
  if (size === 0) {
    return undefined;
  }
  let rare = block.start;
  for (let at = block.start; at < block.end; at++) {
    if (postings.count(codes[at] ?? -1) < postings.count(codes[rare] ?? -1)) {
      rare = at;
    }
  }
  const places = postings.from(codes[rare] ?? -1, room.start).subarray(0, maxOccurrences);
  for (const place of places) {
    const first = place - rare + block.start;
    if (first + size > room.end) {
      return undefined;
    }
    let same = 0;
    while (same < size && texts[first + same] === texts[block.start + same]) {
      same++;
    }
    if (same === size && first >= room.start && first !== block.start) {
      return first;
    }
  }
  return undefined;
}
