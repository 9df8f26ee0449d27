import { sentence } from '../../base/sentence';
import { diffLines, type LineChange } from '../diff/lineDiff';
import { displayName } from '../result';
import type { AuditOptions, AuditReport } from './auditReport';
import type { AuditText, Postings } from './auditText';
import { checkBrackets } from './checks/brackets';
import { placeOf } from './sectionOrder';

export interface UnexplainedMerge {
  original: AuditText;
  merged: AuditText;
  sections: readonly AuditText[];
  inOriginal: Postings;
  inMerged: Postings;
  /** True when brackets have been checked already. */
  isSyntaxKnown: boolean;
}

/** Reports what is wrong with a merged text that cannot be explained as the original with the snippet's sections in it. */
export function diagnoseMerge(
  texts: UnexplainedMerge,
  options: AuditOptions,
  report: AuditReport,
): void {
  const { original, merged, isSyntaxKnown } = texts;
  const found = findSections(texts, report);
  const changes = diffLines(original.trimmed, merged.trimmed);
  for (const change of changes) {
    diagnoseChange(change, texts, found, options, report);
  }
  const replaced = changes.map(({ oldStart, oldCount, newStart, newCount }) => ({
    oldStart,
    oldEnd: oldStart + oldCount,
    newStart,
    newEnd: newStart + newCount,
  }));
  if (!isSyntaxKnown) checkBrackets(replaced, original, merged, options.path, report);
  if (report.isEmpty) {
    const at = changes[0]?.newStart ?? 0;
    report.error(
      'unexplainedChange',
      merged.rows[at] ?? 0,
      sentence('The snippet does not call for the changes from this line on.'),
    );
  }
}

interface FoundSections {
  /** Lines of the merged text that belong to a section. */
  covered: Uint8Array;
  /** Line codes of the sections that are in the merged text. */
  shown: Set<number>;
  /** Line codes of the sections that are missing. */
  missing: Set<number>;
}

function findSections(
  { sections, merged, inMerged }: UnexplainedMerge,
  report: AuditReport,
): FoundSections {
  const covered = new Uint8Array(merged.codes.length);
  const shown = new Set<number>();
  const missing = new Set<number>();
  let from = 0;
  for (const section of sections) {
    const start = placeOf(section.codes, merged.codes, inMerged, from);
    if (start === undefined) {
      section.codes.forEach(code => missing.add(code));
      const near = section.codes.find(code => inMerged.from(code, from).length > 0);
      const at = near === undefined ? from : (inMerged.from(near, from)[0] ?? from);
      report.error(
        'missingEdit',
        merged.rows[at] ?? 0,
        sentence(
          'A part of the snippet is not in the result, or only half of it. Look for it from here on.',
        ),
      );
    } else {
      section.codes.forEach(code => shown.add(code));
      from = start + section.codes.length;
      covered.fill(1, start, from);
    }
  }
  return { covered, shown, missing };
}

function diagnoseChange(
  { oldStart, oldCount, newStart, newCount }: LineChange,
  { original, merged, inOriginal }: UnexplainedMerge,
  { covered, shown, missing }: FoundSections,
  options: AuditOptions,
  report: AuditReport,
): void {
  const newEnd = newStart + newCount;
  const row = merged.rows[Math.min(newStart, merged.rows.length - 1)] ?? 0;
  const added: number[] = [];
  for (let at = newStart; at < newEnd; at++) {
    const isNew = covered[at] === 0 && !missing.has(merged.codes[at] ?? -1);
    if (isNew && !report.hasFindingAt(merged.rows[at] ?? 0)) {
      added.push(at);
    }
  }
  const reachesEnd =
    newEnd === merged.codes.length && oldStart + oldCount === original.codes.length;
  if (reachesEnd && oldCount > 1 && added.length <= 1 && covered[newEnd - 1] !== 1) {
    report.error(
      'truncated',
      row,
      sentence('The last {0} lines of the file are missing.', oldCount),
    );
    return;
  }
  const foreign = added.find(at => {
    const code = merged.codes[at] ?? -1;
    return inOriginal.count(code) === 0 && !shown.has(code);
  });
  const [first] = added;
  if (foreign !== undefined) {
    report.error(
      'unexplainedChange',
      merged.rows[foreign] ?? 0,
      sentence('This line is neither in the file nor in the snippet.'),
    );
  } else if (first !== undefined) {
    report.error(
      'duplicatedBlock',
      merged.rows[first] ?? 0,
      sentence('From this line on, lines appear twice or should have been replaced.'),
    );
  } else if (oldCount > 0 && newCount === 0 && !covered[newStart - 1] && !covered[newEnd]) {
    const name = displayName(options);
    report.error(
      'droppedCode',
      row,
      oldCount === 1
        ? sentence('A line of {0} is gone here that the snippet does not replace.', name)
        : sentence(
            '{0} lines of {1} are gone here that the snippet does not replace.',
            oldCount,
            name,
          ),
    );
  }
}
