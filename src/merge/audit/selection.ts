import type { AuditOptions, Report } from './report';
import type { AuditText } from './auditText';

/** The lines above and below the selection must be the first and the last of the merged text. */
export function checkSelection(
  original: AuditText,
  merged: AuditText,
  { range }: AuditOptions,
  report: Report,
): void {
  if (!range) {
    return;
  }
  const { rows, texts } = original;
  let above = 0;
  while (above < rows.length && (rows[above] ?? 0) < range.startLine - 1) {
    if (texts[above] !== merged.texts[above]) {
      tell(merged.rows[above] ?? merged.height - 1, report);
      break;
    }
    above++;
  }
  const shift = merged.texts.length - texts.length;
  for (let at = rows.length - 1; (rows[at] ?? -1) >= range.endLine; at--) {
    if (at + shift < above || texts[at] !== merged.texts[at + shift]) {
      tell(merged.rows[at + shift] ?? merged.height - 1, report);
      break;
    }
  }
}

function tell(row: number, report: Report): void {
  report.error('outsideSelection', row, 'This change lies outside of the selected lines.');
}
