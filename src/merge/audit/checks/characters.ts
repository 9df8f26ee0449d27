import { type Sentence, sentence } from '../../../base/sentence';
import { splitLines } from '../../../base/text/textLines';
import { mayHaveTypography } from '../../fileTypes';
import { brokenCode, type CharacterDamage } from '../../repair/damageKinds';
import type { AuditReport } from '../auditReport';

/** Joiners and marks of direction are left out: emoji and some scripts need them. */
const invisible = /[\u00ad\u200b\u2060-\u2064\ufeff]/;
const texts: Partial<Record<CharacterDamage, Sentence>> = {
  quotes: sentence('This line has curly quotes where code has straight ones.'),
  entities: sentence('This line has HTML entities such as &lt; in its code.'),
  blanks: sentence('This line has no-break spaces in its code.'),
};

/** Reports characters in new lines that code does not have, if the original has none of them. */
export function checkCharacters(
  original: string,
  merged: string,
  path: string | undefined,
  report: AuditReport,
): void {
  if (!/[^\t -~]|&/.test(merged.replaceAll(/[\r\n]/g, ''))) return;
  const known = new Set(splitLines(original));
  const hasReplacement = original.includes('\uFFFD');
  const hasInvisible = invisible.test(original.replace(/^\uFEFF/, ''));
  let meant: ReadonlySet<CharacterDamage> | undefined;
  splitLines(merged.replace(/^\uFEFF/, '')).forEach((line, row) => {
    if (known.has(line)) return;
    if (!hasReplacement && line.includes('\uFFFD')) {
      report.error(
        'invalidCharacter',
        row,
        sentence('This line has the character that stands for text which could not be read.'),
      );
    }
    if (!hasInvisible && invisible.test(line)) {
      report.warning('invalidCharacter', row, sentence('This line has invisible characters.'));
    }
    if (path === undefined || mayHaveTypography(path)) return;
    for (const damage of brokenCode(line)) {
      meant ??= new Set([...known].flatMap(brokenCode));
      const text = meant.has(damage) ? undefined : texts[damage];
      if (text !== undefined) report.warning('invalidCharacter', row, text);
    }
  });
}
