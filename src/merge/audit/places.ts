import type { Placed } from './explain';
import type { Fitter, Held } from './fit';
import { tellLost, checkRewrite } from './lost';
import type { Reading } from './reading';
import type { AuditOptions, Report } from './report';
import { equalRange, part } from './auditText';
import { checkEdges, tellFloating, tellOldKept } from './ties';
import { checkTwins } from './twins';

/** Checks that each section stands where its unchanged lines say, and replaced no more and no less than it shows. */
export function checkPlaces(
  reading: Reading,
  fitter: Fitter,
  options: AuditOptions,
  report: Report,
): void {
  const { original, merged, texts } = reading;
  reading.placed.forEach((place, nth) => {
    const shown = texts[place.section];
    if (
      !shown ||
      equalRange(shown.codes, original.codes, place.oldStart, place.oldEnd) ||
      fillsSelection(place, reading, options)
    ) {
      return;
    }
    const section = part(merged, place.newStart, place.newEnd);
    if (reading.markers === 0 && section.codes.length === merged.codes.length) {
      checkRewrite(section, reading, fitter, options, report);
      return;
    }
    const fit = fitter.fit(section, place.oldStart, place.oldEnd, { top: true, bottom: true });
    if (fit) {
      const checked = { reading, section, place, nth, fit, held: heldEnds(place, reading) };
      // What is wrong in one way is often wrong in the others, too; the first is the plainest.
      const isTold =
        tellLost(checked, fitter, options, report) ||
        tellOldKept(checked, report) ||
        tellFloating(checked, fitter, report);
      if (!isTold) {
        checkEdges(checked, fitter, options, report);
        checkTwins(checked, fitter.postings, options, report);
      }
    }
  });
}

/** A snippet that is open at an end of the file reaches that end. */
function heldEnds({ section, oldStart, oldEnd }: Placed, reading: Reading): Held {
  const { markerAbove, markerBelow } = reading.sections[section] ?? {};
  return {
    top: oldStart === 0 && markerAbove === undefined,
    bottom: oldEnd === reading.original.codes.length && markerBelow === undefined,
  };
}

/** Without markers, what the user selected is replaced as a whole. */
function fillsSelection(place: Placed, reading: Reading, { range }: AuditOptions): boolean {
  if (!range || reading.markers > 0) {
    return false;
  }
  const { rows } = reading.original;
  const above = rows[place.oldStart - 1] ?? -1;
  const below = rows[place.oldEnd] ?? Infinity;
  return above < range.startLine - 1 && below > range.endLine - 1;
}
