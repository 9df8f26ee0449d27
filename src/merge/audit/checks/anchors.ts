import { sentence } from '../../../base/sentence';
import { isFiller } from '../../lines';
import { displayName } from '../../result';
import type { PlacedSection } from '../alignedMerge';
import { type AuditOptions, type AuditReport } from '../auditReport';
import type { Fitter } from '../fitter';
import { likeness } from '../likeness';

/** A section with a lower score shows almost nothing of its place. */
const poorFitScore = 0.1;
/** How much better another place must fit to be mentioned. */
const minHintMargin = 0.5;
/** A neighbouring line that is this similar to a new one is its old form. */
const oldFormLikeness = 0.8;
/** A line that is this similar may be the old form of the line in its place. */
const changedFormLikeness = 0.5;
/** Lines with a higher weight occur about once in the file. */
const distinctiveWeight = 0.8;

/** Reports an old line next to a section that contains it or its new form; true when there is one. */
export function reportLeftoverLines(
  { aligned, section, place, requiredEnds }: PlacedSection,
  report: AuditReport,
): boolean {
  const { original, merged } = aligned;
  const { oldStart, oldEnd, newStart, newEnd } = place;
  const old = original.codes.subarray(oldStart, oldEnd);
  const isInsertion = old.length <= section.codes.length / 2;
  const isOldForm = (row: number, at: number): boolean =>
    isInsertion &&
    !old.includes(section.codes[row] ?? -1) &&
    !section.codes.includes(original.codes[at] ?? -1) &&
    likeness(section.trimmed[row] ?? '', original.trimmed[at] ?? '') >= oldFormLikeness;
  const isTwice = (row: number, at: number, replaced: number): boolean =>
    section.codes[row] === original.codes[at] &&
    section.codes[row] !== original.codes[replaced] &&
    !isFiller(section.trimmed[row] ?? '');
  const last = section.codes.length - 1;
  const found = [
    ...(!requiredEnds.top && (isOldForm(0, oldStart - 1) || isTwice(0, oldStart - 1, oldStart))
      ? [newStart - 1]
      : []),
    ...(!requiredEnds.bottom && (isOldForm(last, oldEnd) || isTwice(last, oldEnd, oldEnd - 1))
      ? [newEnd]
      : []),
  ];
  for (const at of found) {
    report.warning(
      'duplicatedBlock',
      merged.rows[at] ?? 0,
      sentence(
        'This line appears twice or next to its new form; the snippet may be meant to replace it.',
      ),
    );
  }
  return found.length > 0;
}

/** Reports new lines that nothing ties to their place; true when there are any. */
export function reportUnanchoredLines(
  { aligned, section, place, nth, fit, requiredEnds }: PlacedSection,
  fitter: Fitter,
  report: AuditReport,
): boolean {
  const { original, merged, placed } = aligned;
  if (fit.score > poorFitScore || original.codes.length === 0) {
    return false;
  }
  const from = placed[nth - 1]?.oldEnd ?? 0;
  const to = placed[nth + 1]?.oldStart ?? original.codes.length;
  const best = fitter.fit(section, from, to, { top: false, bottom: false });
  const gain = (best?.score ?? 0) - fit.score;
  // New lines at an end of the file need no neighbours, unless most of them are elsewhere already.
  if ((requiredEnds.top || requiredEnds.bottom) && gain < section.codes.length / 2) {
    return false;
  }
  const row = merged.rows[place.newStart] ?? 0;
  report.warning(
    'wrongPlace',
    row,
    best && gain > minHintMargin
      ? sentence(
          'Nothing ties these lines to this place; they look like line {0} of the file before the edit.',
          (original.rows[best.start] ?? 0) + 1,
        )
      : sentence('Nothing ties these lines to this place.'),
  );
  return true;
}

/** Checks the first and the last line of a section, which show its place. */
export function checkEdges(
  { aligned, section, place, requiredEnds }: PlacedSection,
  fitter: Fitter,
  options: AuditOptions,
  report: AuditReport,
): void {
  const { original, merged, markers } = aligned;
  const { markerAbove, markerBelow } = aligned.sections[place.section] ?? {};
  const check = (row: number, at: number, isOpen: boolean): void => {
    const isReplaced = at >= place.oldStart && at < place.oldEnd;
    const code = section.codes[row] ?? -1;
    if (isReplaced && original.codes[at] === code) {
      return;
    }
    const shown = section.trimmed[row] ?? '';
    const mergedRow = merged.rows[place.newStart + row] ?? 0;
    const stood = fitter.placeOf(code) ?? -1;
    // A line that was moved does not occur more often than before, unless it moved within these lines.
    const isElsewhere =
      aligned.inMerged.count(code) > 1 || (stood >= place.oldStart && stood < place.oldEnd);
    if (isElsewhere && fitter.weightOf(code, shown) > distinctiveWeight) {
      const line = (original.rows[stood] ?? 0) + 1;
      report.warning(
        'wrongPlace',
        mergedRow,
        sentence(
          'This line was line {0} of {1}, so the snippet may be meant for that place.',
          line,
          displayName(options),
        ),
      );
    } else if (
      isOpen &&
      !(isReplaced && likeness(shown, original.trimmed[at] ?? '') >= changedFormLikeness)
    ) {
      report.warning(
        'wrongPlace',
        mergedRow,
        row === 0
          ? sentence(
              'The snippet does not show what is above this line. Check that no old line is left there.',
            )
          : sentence(
              'The snippet does not show what is below this line. Check that no old line is left there.',
            ),
      );
    }
  };
  const hasMarkers = markers > 0;
  if (!requiredEnds.top) {
    check(0, place.oldStart, hasMarkers && markerAbove === undefined);
  }
  if (!requiredEnds.bottom) {
    check(section.codes.length - 1, place.oldEnd - 1, hasMarkers && markerBelow === undefined);
  }
}
