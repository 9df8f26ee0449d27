import type { Placed } from './explain';
import type { Report } from './report';
import type { AuditText } from './auditText';

/** The lines of the merged text between its sections must be the original's to the byte. */
export function checkKept(
  placed: readonly Placed[],
  original: AuditText,
  merged: AuditText,
  report: Report,
): void {
  let start = 0;
  let shift = 0;
  for (const { newStart, newEnd, oldEnd } of placed) {
    checkRun(start, newStart, shift, original, merged, report);
    start = newEnd;
    shift = oldEnd - newEnd;
  }
  checkRun(start, merged.codes.length, shift, original, merged, report);
}

/** Lines `from` to `to` of the merged text, which are `shift` lines further down in the original. */
function checkRun(
  from: number,
  to: number,
  shift: number,
  original: AuditText,
  merged: AuditText,
  report: Report,
): void {
  let isTold = false;
  for (let at = from; at < to; at++) {
    const row = merged.rows[at] ?? 0;
    const before = original.texts[at + shift] ?? '';
    const after = merged.texts[at] ?? '';
    if (before !== after) {
      tellBlanks(before, after, row, report);
    }
    const rowsBefore = (original.rows[at + shift] ?? 0) - (original.rows[at + shift - 1] ?? 0);
    if (at > from && !isTold && row - (merged.rows[at - 1] ?? 0) !== rowsBefore) {
      isTold = true;
      report.warning(
        'unexplainedChange',
        row,
        'Blank lines above this line changed; the snippet does not call for that.',
      );
    }
  }
}

/** Two lines that differ in white space only. */
function tellBlanks(before: string, after: string, row: number, report: Report): void {
  if (before.trimEnd() === after.trimEnd()) {
    report.warning(
      'unexplainedChange',
      row,
      'The blanks at the end of this line changed; the snippet does not call for that.',
    );
  } else if (before.trim() === after.trim()) {
    report.error(
      'lostIndentation',
      row,
      'The indentation of this line changed; the snippet does not call for that.',
    );
  } else {
    report.error(
      'unexplainedChange',
      row,
      'The blanks within this line changed; the snippet does not call for that.',
    );
  }
}
