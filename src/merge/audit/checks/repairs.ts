import { type Sentence, sentence } from '../../../base/sentence';
import type { CharacterDamage } from '../../repair/damageKinds';
import type { AuditReport } from '../auditReport';
import type { AuditText } from '../auditText';

const repairTexts: Record<CharacterDamage, Sentence> = {
  quotes: sentence(
    'The answer had curly quotes where the file has straight ones; they were made straight.',
  ),
  dashes: sentence('The answer had long dashes where the file has hyphens; they were replaced.'),
  ellipses: sentence(
    'The answer had an ellipsis character where the file has dots; it was replaced.',
  ),
  entities: sentence('The answer had HTML entities such as &lt; in its code; they were replaced.'),
  invisible: sentence('The answer had invisible characters; they were removed.'),
  blanks: sentence('The answer had no-break spaces; they were replaced by ordinary ones.'),
};

/** Tells what of the answer's characters was repaired, at the first line that changed. */
export function reportRepairs(
  repairs: readonly CharacterDamage[],
  original: AuditText,
  merged: AuditText,
  report: AuditReport,
): void {
  for (const repair of repairs) {
    report.warning('repaired', firstChange(original, merged), repairTexts[repair]);
  }
}

/** Tells that the edit changes nothing but characters that a copy may have damaged. */
export function reportLiteral(original: AuditText, merged: AuditText, report: AuditReport): void {
  report.warning(
    'unexplainedChange',
    firstChange(original, merged),
    sentence(
      'Only characters change that a copy may have damaged, such as quotes and blanks. Check that this is meant.',
    ),
  );
}

/** The 0-based row of the merged text of the first line that differs. */
function firstChange(original: AuditText, merged: AuditText): number {
  const at = merged.texts.findIndex((text, row) => text !== original.texts[row]);
  return merged.rows[at] ?? 0;
}

/** Tells that the answer ends in the middle of a line, below the last line that it shows whole. */
export function reportCut(
  cut: string,
  sections: readonly AuditText[],
  merged: AuditText,
  report: AuditReport,
): void {
  const last = sections.at(-1)?.codes.at(-1) ?? -1;
  const at = merged.codes.lastIndexOf(last);
  report.warning(
    'truncated',
    merged.rows[at] ?? 0,
    sentence(
      'The answer ends in the middle of a line, "{0}": the lines of the file below are kept. Ask for the rest of the answer.',
      cut.slice(0, maxQuoted),
    ),
  );
}

/** Characters of a line in a message. */
const maxQuoted = 60;
