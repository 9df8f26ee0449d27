import type { CharacterDamage } from '../../repair/characters';
import type { AuditReport } from '../auditReport';
import type { AuditText } from '../auditText';

const repairTexts: Record<CharacterDamage, string> = {
  quotes: 'The answer had curly quotes where the file has straight ones; they were made straight.',
  dashes: 'The answer had long dashes where the file has hyphens; they were replaced.',
  ellipses: 'The answer had an ellipsis character where the file has dots; it was replaced.',
  entities: 'The answer had HTML entities such as &lt; in its code; they were replaced.',
  invisible: 'The answer had invisible characters; they were removed.',
  blanks: 'The answer had no-break spaces; they were replaced by ordinary ones.',
};

/** Tells what of the answer's characters was repaired, at the first line that changed. */
export function reportRepairs(
  repairs: readonly CharacterDamage[],
  original: AuditText,
  merged: AuditText,
  report: AuditReport,
): void {
  const changed = merged.texts.findIndex((text, at) => text !== original.texts[at]);
  for (const repair of repairs) {
    report.warning('repaired', merged.rows[changed] ?? 0, repairTexts[repair]);
  }
}
