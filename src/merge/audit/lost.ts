import { openBrackets } from './brackets';
import type { Placed } from './explain';
import type { Fit, Fitter } from './fit';
import type { PlacedSection, Reading } from './reading';
import { type AuditOptions, linesAre, type Report } from './report';
import type { AuditText } from './auditText';

/** By how much a smaller place must fit better before the rest counts as lost. */
const LOST_MARGIN = 0.04;
/** Beyond it the loss is no matter of taste. */
const CERTAIN_MARGIN = 0.5;

/** Lines that went with the section though it would fit better without them; true when there are any. */
export function tellLost(
  { reading, section, place, fit, held }: PlacedSection,
  fitter: Fitter,
  options: AuditOptions,
  report: Report,
): boolean {
  const { oldStart, oldEnd, newStart, newEnd } = place;
  const less = fitter.fit(section, oldStart, oldEnd, held);
  if (!less || less.score < fit.score + LOST_MARGIN) {
    return false;
  }
  const count = oldEnd - oldStart - (less.end - less.start);
  if (
    count === 0 ||
    areMoved(reading, place, less, fitter) ||
    breaksBrackets(reading, section, place, less, options)
  ) {
    return false;
  }
  const isAbove = less.start > oldStart;
  const row = reading.merged.rows[isAbove ? newStart : newEnd - 1] ?? 0;
  const message = `${linesAre(count, options)} gone ${isAbove ? 'above' : 'below'} this line; the snippet does not show that.`;
  if (less.score - fit.score > CERTAIN_MARGIN) {
    report.error('droppedCode', row, message);
  } else {
    report.warning('droppedCode', row, message);
  }
  return true;
}

/** True when the lines that are gone here stand elsewhere in the merged text. */
function areMoved(
  { original, inMerged }: Reading,
  { oldStart, oldEnd }: Placed,
  { start, end }: Fit,
  fitter: Fitter,
): boolean {
  let telling = 0;
  for (let at = oldStart; at < oldEnd; at++) {
    const code = original.codes[at] ?? -1;
    if ((at < start || at >= end) && fitter.isSolid(code, original.trimmed[at])) {
      if (inMerged.count(code) < fitter.postings.count(code)) {
        return false;
      }
      telling++;
    }
  }
  return telling > 0;
}

/** True when the section has the brackets of the lines that it replaced, but not those of the lines it fits better. */
function breaksBrackets(
  { original }: Reading,
  section: AuditText,
  { oldStart, oldEnd }: Placed,
  better: Fit,
  { path }: AuditOptions,
): boolean {
  const wanted = openBrackets(section, 0, section.texts.length, path).join();
  return (
    openBrackets(original, oldStart, oldEnd, path).join() === wanted &&
    openBrackets(original, better.start, better.end, path).join() !== wanted
  );
}

/** Lines of a file that a snippet without markers must share to be its new form. */
const SHARED = 0.25;
const FEW_LINES = 6;

/** A snippet without markers that became the whole file: it must be meant as such. */
export function checkRewrite(
  section: AuditText,
  { original }: Reading,
  fitter: Fitter,
  options: AuditOptions,
  report: Report,
): void {
  const shown = new Set(section.codes);
  const solid = original.codes.filter((code, at) => fitter.isSolid(code, original.trimmed[at]));
  const kept = solid.filter(code => shown.has(code)).length;
  const ends = [...solid.slice(0, 3), ...solid.slice(-3)];
  if (
    solid.length <= FEW_LINES ||
    kept >= solid.length * SHARED ||
    ends.some(code => shown.has(code))
  ) {
    return;
  }
  report.warning(
    'droppedCode',
    0,
    `${linesAre(original.codes.length - kept, options)} gone: the snippet took the place of the whole file.`,
  );
}
