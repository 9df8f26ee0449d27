import { type Sentence, sentence } from '../../../base/sentence';
import { displayName } from '../../result';
import type { AlignedMerge, PlacedSection } from '../alignedMerge';
import type { AuditOptions, AuditReport } from '../auditReport';
import type { AuditText } from '../auditText';
import type { SectionPlacement } from '../explainMerge';
import type { Fit, Fitter } from '../fitter';
import { openBrackets } from './brackets';

/** How much better a smaller place must fit before the other lines count as lost. */
const minLossMargin = 0.04;
/** From this margin on, the loss is an error. */
const certainLossMargin = 0.5;

/** Reports lines that the section replaced although it fits better without them; true when there are any. */
export function reportLostLines(
  { aligned, section, place, fit, requiredEnds }: PlacedSection,
  fitter: Fitter,
  options: AuditOptions,
  report: AuditReport,
): boolean {
  const { oldStart, oldEnd, newStart, newEnd } = place;
  const less = fitter.fit(section, oldStart, oldEnd, requiredEnds);
  if (!less || less.score < fit.score + minLossMargin) {
    return false;
  }
  const count = oldEnd - oldStart - (less.end - less.start);
  if (
    count === 0 ||
    areMoved(aligned, place, less, fitter) ||
    breaksBrackets(aligned, section, place, less, options)
  ) {
    return false;
  }
  const isAbove = less.start > oldStart;
  const row = aligned.merged.rows[isAbove ? newStart : newEnd - 1] ?? 0;
  const message = isAbove ? goneAbove(count, options) : goneBelow(count, options);
  if (less.score - fit.score > certainLossMargin) {
    report.error('droppedCode', row, message);
  } else {
    report.warning('droppedCode', row, message);
  }
  return true;
}

const goneAbove = (count: number, options: AuditOptions): Sentence =>
  count === 1
    ? sentence(
        'A line of {0} is gone above this line; the snippet does not show that.',
        displayName(options),
      )
    : sentence(
        '{0} lines of {1} are gone above this line; the snippet does not show that.',
        count,
        displayName(options),
      );

const goneBelow = (count: number, options: AuditOptions): Sentence =>
  count === 1
    ? sentence(
        'A line of {0} is gone below this line; the snippet does not show that.',
        displayName(options),
      )
    : sentence(
        '{0} lines of {1} are gone below this line; the snippet does not show that.',
        count,
        displayName(options),
      );

/** True when the lines that are gone here are elsewhere in the merged text. */
function areMoved(
  { original, inMerged }: AlignedMerge,
  { oldStart, oldEnd }: SectionPlacement,
  { start, end }: Fit,
  fitter: Fitter,
): boolean {
  let telling = 0;
  for (let at = oldStart; at < oldEnd; at++) {
    const code = original.codes[at] ?? -1;
    if ((at < start || at >= end) && fitter.isDistinctive(code, original.trimmed[at])) {
      if (inMerged.count(code) < fitter.postings.count(code)) {
        return false;
      }
      telling++;
    }
  }
  return telling > 0;
}

/** True when the section's brackets match the lines that it replaced, but not the lines that it fits better. */
function breaksBrackets(
  { original }: AlignedMerge,
  section: AuditText,
  { oldStart, oldEnd }: SectionPlacement,
  better: Fit,
  { path }: AuditOptions,
): boolean {
  const wanted = openBrackets(section, 0, section.texts.length, path).join();
  return (
    openBrackets(original, oldStart, oldEnd, path).join() === wanted &&
    openBrackets(original, better.start, better.end, path).join() !== wanted
  );
}

/** The share of the file's lines that a snippet without markers must contain to be a rewrite. */
const minSharedPortion = 0.25;
const fewLines = 6;

/** Checks a snippet without markers that replaced the whole file: it must look like a rewrite. */
export function checkRewrite(
  section: AuditText,
  { original }: AlignedMerge,
  fitter: Fitter,
  options: AuditOptions,
  report: AuditReport,
): void {
  const shown = new Set(section.codes);
  const solid = original.codes.filter((code, at) =>
    fitter.isDistinctive(code, original.trimmed[at]),
  );
  const kept = solid.filter(code => shown.has(code)).length;
  const ends = [...solid.slice(0, 3), ...solid.slice(-3)];
  if (
    solid.length <= fewLines ||
    kept >= solid.length * minSharedPortion ||
    ends.some(code => shown.has(code))
  ) {
    return;
  }
  const gone = original.codes.length - kept;
  const name = displayName(options);
  report.warning(
    'droppedCode',
    0,
    gone === 1
      ? sentence('A line of {0} is gone: the snippet replaced the whole file.', name)
      : sentence('{0} lines of {1} are gone: the snippet replaced the whole file.', gone, name),
  );
}
