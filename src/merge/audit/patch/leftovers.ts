import { sentence } from '../../../base/sentence';
import type { PatchHunk } from '../../patch/hunks';
import { markIn } from '../../patch/read/marks';
import type { AuditReport } from '../auditReport';
import type { AuditText } from '../auditText';

const patchSyntax =
  /^(?:@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|@@$|diff --git a\/|\*\*\* (?:Begin Patch|End Patch|(?:Update|Add|Delete) File: )|(?:---|\+\+\+) [ab]\/)/;

/** Reports lines of a patch that were left in the file. What the patch itself adds is meant, apart from marks. */
export function checkLeftoverSyntax(
  before: readonly string[],
  hunks: readonly PatchHunk[],
  after: readonly string[],
  report: AuditReport,
): void {
  const suspects = after.flatMap((line, row) => (isPatchSyntax(line) ? [row] : []));
  if (suspects.length === 0) return;
  const known = new Set(before.map(line => line.trim()));
  const added = new Set(
    hunks.flatMap(({ lines }) =>
      lines.flatMap(({ kind, text }) => (kind === 'added' ? [text.trim()] : [])),
    ),
  );
  for (const row of suspects) {
    const text = after[row]?.trim() ?? '';
    if (!known.has(text) && !added.has(text)) reportLeftover(row, report);
  }
}

/** Reports lines of a patch that were taken for code: they stand in the update and in the result, but not in the file. */
export function checkUnreadPatch(
  before: readonly string[],
  update: readonly string[],
  after: AuditText,
  report: AuditReport,
): void {
  const suspects = after.trimmed.flatMap((line, at) => (isPatchSyntax(line) ? [at] : []));
  // A file that holds patches, and a snippet for it, are about them.
  if (suspects.length === 0 || before.some(isPatchSyntax)) return;
  const given = update.map(line => line.trimEnd());
  for (const at of suspects.slice(0, maxSuspects)) {
    // In the update it may be quoted or numbered.
    const text = after.trimmed[at] ?? '';
    if (given.some(line => line.endsWith(text))) reportLeftover(after.rows[at] ?? 0, report);
  }
}

/**
 * Reports a line that the patch marks as new and that is nowhere in the result: it stands where no hunk is read any
 * more, as behind a line without a mark.
 *
 * @param update the patch as it was given.
 */
export function checkUnreadRows(
  update: readonly string[],
  after: readonly string[],
  report: AuditReport,
): void {
  const result = new Set(after.map(line => line.trim()));
  const lost = update.find(row => newRow.test(row) && !result.has(row.slice(1).trim()));
  if (lost === undefined) return;
  report.warning(
    'missingEdit',
    after.length - 1,
    sentence('A new line of the patch is not in the result: {0}', lost.slice(1).trim()),
  );
}

/** With a letter or a digit, and no header with a name. */
const newRow = /^\+(?!\+\+ ).*[\p{L}\p{N}]/u;

/** Nobody reads more. */
const maxSuspects = 50;

function isPatchSyntax(line: string): boolean {
  const mark = markIn(line);
  const isBlockMark = mark?.isNamed === true && (mark.isSure || mark.isCapital);
  return isBlockMark || (mark === undefined && patchSyntax.test(line));
}

function reportLeftover(row: number, report: AuditReport): void {
  report.error('leakedMarker', row, sentence('A line of the patch was left in the file.'));
}
