import type { PlacedSection } from './reading';
import type { AuditOptions, Report } from './report';
import type { AuditText, Postings } from './auditText';

/** Places of a line that are looked at for a twin. */
const MAX_TWINS = 100;

/** The lines that gave way stand a second time where the snippet would fit as well. */
export function checkTwins(
  { reading, place, nth, held }: PlacedSection,
  inOriginal: Postings,
  { range }: AuditOptions,
  report: Report,
): void {
  const { original, merged, placed } = reading;
  const { oldStart, oldEnd, newStart } = place;
  if (held.top || held.bottom) {
    return;
  }
  const from = placed[nth - 1]?.oldEnd ?? 0;
  const to = placed[nth + 1]?.oldStart ?? original.codes.length;
  const twin = twinOf(
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
      `The snippet fits at line ${row + 1} of the file before the edit as well. Check that it is put in the right place.`,
    );
  }
}

/** Half-open lines of the original. */
interface Range {
  start: number;
  end: number;
}

/** Where the lines of `block` stand once more within `room`. */
function twinOf(
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
  const places = postings.from(codes[rare] ?? -1, room.start).subarray(0, MAX_TWINS);
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
