import { sentence } from '../../../base/sentence';
import type { AlignedMerge } from '../alignedMerge';
import type { AuditReport } from '../auditReport';
import type { Fitter } from '../fitter';

/** Fewer lines say nothing. */
const minLines = 2;
/** The share of the lines that the snippet shows elsewhere. */
const minShown = 0.5;

/**
 * Reports lines kept above or below a snippet without a marker there, if the snippet shows most of them elsewhere: it
 * moves them, and they are in the file twice now.
 */
export function checkMovedEnds(aligned: AlignedMerge, fitter: Fitter, report: AuditReport): void {
  const { original, merged, placed, sections, texts, markers } = aligned;
  const [first, last] = [placed[0], placed.at(-1)];
  if (markers === 0 || !first || !last) return;
  const shown = new Set(texts.flatMap(({ codes }) => [...codes]));
  const isMoved = (from: number, to: number): boolean => {
    const telling: number[] = [];
    for (let at = from; at < to; at++) {
      const code = original.codes[at] ?? -1;
      const isRare =
        fitter.postings.count(code) === 1 && fitter.isDistinctive(code, original.trimmed[at]);
      if (isRare) telling.push(code);
    }
    const moved = telling.filter(code => shown.has(code)).length;
    return moved >= minLines && moved >= telling.length * minShown;
  };
  const say = (at: number): void => {
    report.warning(
      'duplicatedBlock',
      merged.rows[at] ?? 0,
      sentence(
        'The snippet shows these lines at another place. Check that they are not in the file twice.',
      ),
    );
  };
  const { length } = original.codes;
  if (sections[first.section]?.markerAbove === undefined && isMoved(0, first.oldStart)) say(0);
  if (sections[last.section]?.markerBelow === undefined && isMoved(last.oldEnd, length)) {
    say(last.newEnd);
  }
}
