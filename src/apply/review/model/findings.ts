import { errorsText, warningsText } from '../../../base/format/counts';
import type { Translate } from '../../../base/format/text';
import type { MergeFinding } from '../../changeset/engine';
import { changeAt, spanOf } from './reviewCursor';
import type { HunkPlace, ReviewView } from './reviewView';

/** Characters of a message that fit beside a line of code. */
const maxShortLength = 80;

/** "2 findings" */
export const findingCount = (count: number, t: Translate): string =>
  count === 1 ? t('1 finding') : t('{0} findings', count);

/** The severity of a finding in words; an icon alone is not read out. */
export const severityText = ({ severity }: Pick<MergeFinding, 'severity'>, t: Translate): string =>
  severity === 'error' ? t('Error') : t('Warning');

/** What the audit found in a review: "audit clean", "audit: 1 error, 2 warnings" */
export function auditText(
  findings: readonly Pick<MergeFinding, 'severity'>[],
  t: Translate,
): string {
  if (findings.length === 0) return t('audit clean');
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return t(
    'audit: {0}',
    [
      ...(errors > 0 ? [errorsText(errors, t)] : []),
      ...(warnings > 0 ? [warningsText(warnings, t)] : []),
    ].join(', '),
  );
}

/**
 * Assigns each finding to a change, because its line in the merged text moves with every decision and edit.
 * A finding outside all changes is assigned to the nearest one.
 *
 * @param view the view of the review before anything is decided.
 */
export function placeFindings(view: ReviewView, findings: readonly MergeFinding[]): MergeFinding[] {
  return findings.map(finding => {
    const line = finding.line - 1;
    const place = changeAt(view, 'proposed', line) ?? nearestChange(view, line);
    if (!place) return finding;
    const lineInChange = Math.min(
      Math.max(0, line - place.proposedLine),
      Math.max(0, place.insertedRows - 1),
    );
    return { ...finding, change: place.id, lineInChange };
  });
}

function nearestChange({ hunks }: ReviewView, line: number): HunkPlace | undefined {
  const distance = (place: HunkPlace): number => {
    const { start, end } = spanOf(place, 'proposed');
    return line < start ? start - line : line - end + 1;
  };
  return hunks.reduce<HunkPlace | undefined>(
    (best, place) => (best && distance(best) <= distance(place) ? best : place),
    undefined,
  );
}

/** The findings of undecided changes, with their lines in a document of the review. */
export function pendingFindings(
  view: ReviewView,
  findings: readonly MergeFinding[],
  side: 'unified' | 'proposed',
): { readonly finding: MergeFinding; readonly line: number }[] {
  const places = new Map(view.hunks.map(place => [place.id, place]));
  return findings.flatMap(finding => {
    const place = places.get(finding.change ?? -1);
    if (!place) return [];
    const first =
      side === 'proposed'
        ? place.proposedLine
        : place.firstRow + (place.insertedRows > 0 ? place.removedRows : 0);
    const offset = Math.min(finding.lineInChange ?? 0, Math.max(0, place.insertedRows - 1));
    return [{ finding, line: Math.min(first + offset, view.lineCounts[side] - 1) }];
  });
}

export function shortMessage({ message }: MergeFinding): string {
  return message.length <= maxShortLength ? message : `${message.slice(0, maxShortLength - 1)}…`;
}
