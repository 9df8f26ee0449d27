import { sentence } from '../../../base/sentence';
import type { AuditReport } from '../auditReport';
import type { AuditText } from '../auditText';
import type { SectionPlacement } from '../explainMerge';

/** Checks that the lines of the merged text between its sections equal the original's, including whitespace. */
export function checkUnchangedLines(
  placed: readonly SectionPlacement[],
  original: AuditText,
  merged: AuditText,
  report: AuditReport,
): void {
  let start = 0;
  let shift = 0;
  for (const { newStart, newEnd, oldEnd } of placed) {
    checkUnchangedRange(start, newStart, shift, original, merged, report);
    start = newEnd;
    shift = oldEnd - newEnd;
  }
  checkUnchangedRange(start, merged.codes.length, shift, original, merged, report);
}

/** Checks lines `from` to `to` of the merged text, which are `shift` lines further down in the original. */
function checkUnchangedRange(
  from: number,
  to: number,
  shift: number,
  original: AuditText,
  merged: AuditText,
  report: AuditReport,
): void {
  let isTold = false;
  for (let at = from; at < to; at++) {
    const row = merged.rows[at] ?? 0;
    const before = original.texts[at + shift] ?? '';
    const after = merged.texts[at] ?? '';
    if (before !== after) {
      reportWhitespaceChange(before, after, row, report);
    }
    const rowsBefore = (original.rows[at + shift] ?? 0) - (original.rows[at + shift - 1] ?? 0);
    if (at > from && !isTold && row - (merged.rows[at - 1] ?? 0) !== rowsBefore) {
      isTold = true;
      report.warning(
        'unexplainedChange',
        row,
        sentence('Blank lines above this line changed; the snippet does not call for that.'),
      );
    }
  }
}

/** Reports two lines that differ only in whitespace. */
function reportWhitespaceChange(
  before: string,
  after: string,
  row: number,
  report: AuditReport,
): void {
  if (before.trimEnd() === after.trimEnd()) {
    report.warning(
      'unexplainedChange',
      row,
      sentence(
        'The whitespace at the end of this line changed; the snippet does not call for that.',
      ),
    );
  } else if (before.trim() === after.trim()) {
    report.error(
      'lostIndentation',
      row,
      sentence('The indentation of this line changed; the snippet does not call for that.'),
    );
  } else {
    report.error(
      'unexplainedChange',
      row,
      sentence('The whitespace within this line changed; the snippet does not call for that.'),
    );
  }
}
