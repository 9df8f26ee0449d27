import { sentence } from '../../../base/sentence';
import { diffLines } from '../../diff/lineDiff';
import type { PatchHunk } from '../../patch/hunks';
import type { AuditReport } from '../auditReport';

/** Reports a hunk without numbers one of whose anchors does not stand above a change that the result holds. */
export function checkAnchors(
  before: readonly string[],
  hunks: readonly PatchHunk[],
  after: readonly string[],
  report: AuditReport,
): void {
  const anchored = hunks.filter(({ anchors, start }) => anchors && start === undefined);
  if (anchored.length === 0) return;
  const changes = diffLines(before, after);
  const last = changes.at(-1);
  const end = last ? last.oldStart + last.oldCount : before.length;
  const texts = before.map(line => line.trim());
  const known = new Map<string, number>();
  for (const { anchors = [] } of anchored.slice(0, maxAnchored)) {
    for (const anchor of anchors) {
      const name = nameIn(anchor);
      let row = known.get(name);
      if (row === undefined) {
        row = texts.findIndex(text => text.includes(name));
        known.set(name, row);
      }
      if (row < 0 || row >= end) {
        report.warning(
          'wrongPlace',
          changes[0]?.newStart ?? 0,
          sentence(
            'The patch says that the change is below "{0}", but no line above it says so.',
            anchor,
          ),
        );
      }
    }
  }
}

const maxAnchored = 200;

/** The words of an anchor up to its parameters, with single blanks as they stand. */
function nameIn(anchor: string): string {
  const text = anchor.trim();
  const end = text.search(/[({:]/);
  return (end > 0 ? text.slice(0, end) : text).trimEnd();
}
