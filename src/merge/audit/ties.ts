import { likeness } from './alike';
import type { Fitter } from './fit';
import type { PlacedSection } from './reading';
import { type AuditOptions, type Report } from './report';
import { nameOf } from '../result';
import { isFiller } from '../lines';

/** A section that fits worse than this shows next to nothing of its place. */
const POOR = 0.1;
/** By how much another place must fit better to be worth a hint. */
const HINT_MARGIN = 0.5;
/** A line this alike next to a new one is its old form. */
const OLD_FORM = 0.8;
/** A line this alike may be the old form of the line that stands in its place. */
const CHANGED_FORM = 0.5;
/** Worth of a line that stands once in the file. */
const TELLING = 0.8;

/** An old line left beside the section that shows it, or shows its new form; true when there is one. */
export function tellOldKept(
  { reading, section, place, held }: PlacedSection,
  report: Report,
): boolean {
  const { original, merged } = reading;
  const { oldStart, oldEnd, newStart, newEnd } = place;
  const old = original.codes.subarray(oldStart, oldEnd);
  const isInsertion = old.length <= section.codes.length / 2;
  const isOldForm = (row: number, at: number): boolean =>
    isInsertion &&
    !old.includes(section.codes[row] ?? -1) &&
    !section.codes.includes(original.codes[at] ?? -1) &&
    likeness(section.trimmed[row] ?? '', original.trimmed[at] ?? '') >= OLD_FORM;
  const isTwice = (row: number, at: number, replaced: number): boolean =>
    section.codes[row] === original.codes[at] &&
    section.codes[row] !== original.codes[replaced] &&
    !isFiller(section.trimmed[row] ?? '');
  const last = section.codes.length - 1;
  const found = [
    ...(!held.top && (isOldForm(0, oldStart - 1) || isTwice(0, oldStart - 1, oldStart))
      ? [newStart - 1]
      : []),
    ...(!held.bottom && (isOldForm(last, oldEnd) || isTwice(last, oldEnd, oldEnd - 1))
      ? [newEnd]
      : []),
  ];
  for (const at of found) {
    report.warning(
      'duplicatedBlock',
      merged.rows[at] ?? 0,
      'This line stands beside its new form or twice; the snippet may be meant to replace it.',
    );
  }
  return found.length > 0;
}

/** New lines that nothing ties to their place; true when there are any. */
export function tellFloating(
  { reading, section, place, nth, fit, held }: PlacedSection,
  fitter: Fitter,
  report: Report,
): boolean {
  const { original, merged, placed } = reading;
  if (fit.score > POOR || original.codes.length === 0) {
    return false;
  }
  const from = placed[nth - 1]?.oldEnd ?? 0;
  const to = placed[nth + 1]?.oldStart ?? original.codes.length;
  const best = fitter.fit(section, from, to, { top: false, bottom: false });
  const gain = (best?.score ?? 0) - fit.score;
  // New lines at an end of the file need no neighbours, unless most of them stand elsewhere already.
  if ((held.top || held.bottom) && gain < section.codes.length / 2) {
    return false;
  }
  const row = merged.rows[place.newStart] ?? 0;
  const hint =
    best && gain > HINT_MARGIN
      ? `; they look like line ${(original.rows[best.start] ?? 0) + 1} of the file before the edit.`
      : '.';
  report.warning('wrongPlace', row, `Nothing ties these lines to this place${hint}`);
  return true;
}

/** A section shows its place by the lines at its ends. */
export function checkEdges(
  { reading, section, place, held }: PlacedSection,
  fitter: Fitter,
  options: AuditOptions,
  report: Report,
): void {
  const { original, merged, markers } = reading;
  const { markerAbove, markerBelow } = reading.sections[place.section] ?? {};
  const check = (row: number, at: number, isOpen: boolean): void => {
    const isReplaced = at >= place.oldStart && at < place.oldEnd;
    const code = section.codes[row] ?? -1;
    if (isReplaced && original.codes[at] === code) {
      return;
    }
    const shown = section.trimmed[row] ?? '';
    const mergedRow = merged.rows[place.newStart + row] ?? 0;
    const stood = fitter.placeOf(code) ?? -1;
    // A line that moved stands no more often than before, unless it moved within these lines.
    const isElsewhere =
      reading.inMerged.count(code) > 1 || (stood >= place.oldStart && stood < place.oldEnd);
    if (isElsewhere && fitter.worth(code, shown) > TELLING) {
      const line = (original.rows[stood] ?? 0) + 1;
      report.warning(
        'wrongPlace',
        mergedRow,
        `This line was line ${line} of ${nameOf(options)}, so the snippet may be meant for that place.`,
      );
    } else if (
      isOpen &&
      !(isReplaced && likeness(shown, original.trimmed[at] ?? '') >= CHANGED_FORM)
    ) {
      report.warning(
        'wrongPlace',
        mergedRow,
        `The snippet does not say what stands ${row === 0 ? 'above' : 'below'} this line. Check that no old line is left there.`,
      );
    }
  };
  const hasMarkers = markers > 0;
  if (!held.top) {
    check(0, place.oldStart, hasMarkers && markerAbove === undefined);
  }
  if (!held.bottom) {
    check(section.codes.length - 1, place.oldEnd - 1, hasMarkers && markerBelow === undefined);
  }
}
