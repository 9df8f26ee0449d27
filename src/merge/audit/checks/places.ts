import type { AlignedMerge } from '../alignedMerge';
import type { AuditOptions, AuditReport } from '../auditReport';
import { equalRange, partOfText } from '../auditText';
import type { SectionPlacement } from '../explainMerge';
import type { Fitter, RequiredEnds } from '../fitter';
import { checkAmbiguousPlace } from './ambiguousPlace';
import { checkEdges, reportLeftoverLines, reportUnanchoredLines } from './anchors';
import { reportGoneDeclarations } from './goneDeclarations';
import { checkRewrite, reportLostLines } from './lostLines';

/** Checks that each section is where its unchanged lines belong, and replaced no more and no less than it shows. */
export function checkPlaces(
  aligned: AlignedMerge,
  fitter: Fitter,
  options: AuditOptions,
  report: AuditReport,
): void {
  const { original, merged, texts } = aligned;
  aligned.placed.forEach((place, nth) => {
    const shown = texts[place.section];
    if (
      !shown ||
      equalRange(shown.codes, original.codes, place.oldStart, place.oldEnd) ||
      fillsSelection(place, aligned, options)
    ) {
      return;
    }
    const section = partOfText(merged, place.newStart, place.newEnd);
    if (aligned.markers === 0 && section.codes.length === merged.codes.length) {
      checkRewrite(section, aligned, fitter, options, report);
      return;
    }
    const fit = fitter.fit(section, place.oldStart, place.oldEnd, { top: true, bottom: true });
    if (fit) {
      const checked = {
        aligned,
        section,
        place,
        nth,
        fit,
        requiredEnds: requiredEndsOf(place, aligned),
      };
      // A section that fails one check often fails the others; only the first, clearest finding is reported.
      const isTold =
        reportLostLines(checked, fitter, options, report) ||
        reportLeftoverLines(checked, report) ||
        reportUnanchoredLines(checked, fitter, report) ||
        reportGoneDeclarations(checked, report);
      if (!isTold) {
        checkEdges(checked, fitter, options, report);
        checkAmbiguousPlace(checked, fitter.postings, options, report);
      }
    }
  });
}

/** A section without a marker at an end of the file extends to that end. */
function requiredEndsOf(
  { section, oldStart, oldEnd }: SectionPlacement,
  aligned: AlignedMerge,
): RequiredEnds {
  const { markerAbove, markerBelow } = aligned.sections[section] ?? {};
  return {
    top: oldStart === 0 && markerAbove === undefined,
    bottom: oldEnd === aligned.original.codes.length && markerBelow === undefined,
  };
}

/** Without markers, a snippet replaces the whole selection. */
function fillsSelection(
  place: SectionPlacement,
  aligned: AlignedMerge,
  { range }: AuditOptions,
): boolean {
  if (!range || aligned.markers > 0) {
    return false;
  }
  const { rows } = aligned.original;
  const above = rows[place.oldStart - 1] ?? -1;
  const below = rows[place.oldEnd] ?? Infinity;
  return above < range.startLine - 1 && below > range.endLine - 1;
}
