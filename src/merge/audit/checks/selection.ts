import { sentence } from '../../../base/sentence';
import type { AuditOptions, AuditReport } from '../auditReport';
import type { AuditText } from '../auditText';

/** Checks that the lines above and below the selection are unchanged. */
export function checkSelection(
  original: AuditText,
  merged: AuditText,
  { range }: AuditOptions,
  report: AuditReport,
): void {
  if (!range) {
    return;
  }
  const { rows, texts } = original;
  let above = 0;
  while (above < rows.length && (rows[above] ?? 0) < range.startLine - 1) {
    if (texts[above] !== merged.texts[above]) {
      reportOutsideSelection(merged.rows[above] ?? merged.height - 1, report);
      break;
    }
    above++;
  }
  const shift = merged.texts.length - texts.length;
  for (let at = rows.length - 1; (rows[at] ?? -1) >= range.endLine; at--) {
    if (at + shift < above || texts[at] !== merged.texts[at + shift]) {
      reportOutsideSelection(merged.rows[at + shift] ?? merged.height - 1, report);
      break;
    }
  }
}

function reportOutsideSelection(row: number, report: AuditReport): void {
  report.error('outsideSelection', row, sentence('This change is outside the selected lines.'));
}
