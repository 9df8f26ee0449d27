import { sentence } from '../../../base/sentence';
import { addBalance, pairKinds, usesTags } from '../../brackets';
import type { AuditReport } from '../auditReport';
import type { AuditText } from '../auditText';

/** Longer lines are data, or crafted to take long. */
const maxLineLength = 2_000;

/** Old lines and the new lines that replaced them; half-open ranges. */
export interface ReplacedLines {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Per kind of pair, how many brackets or tags lines `from` to `to` open more than they close. */
export function openBrackets(
  { texts }: AuditText,
  from: number,
  to: number,
  path: string | undefined,
): Int32Array {
  const tags = usesTags(path ?? '');
  const sums = new Int32Array(pairKinds);
  for (let at = from; at < to; at++) {
    const text = texts[at] ?? '';
    if (text.length <= maxLineLength) {
      addBalance(text, tags, sums);
    }
  }
  return sums;
}

/** Reports brackets that were balanced in the original and no longer are. */
export function checkBrackets(
  replaced: readonly ReplacedLines[],
  original: AuditText,
  merged: AuditText,
  path: string | undefined,
  report: AuditReport,
): void {
  const more = new Int32Array(pairKinds);
  let last = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of replaced) {
    const before = openBrackets(original, oldStart, oldEnd, path);
    const after = openBrackets(merged, newStart, newEnd, path);
    before.forEach((count, kind) => {
      more[kind] = (more[kind] ?? 0) + (after[kind] ?? 0) - count;
    });
    last = newStart;
  }
  const off = [0, 1, 2].filter(kind => more[kind] !== 0);
  if (off.length === 0) {
    return;
  }
  const total = openBrackets(original, 0, original.texts.length, path);
  const kind = off.find(nth => total[nth] === 0);
  if (kind !== undefined) {
    const bracket = ((more[kind] ?? 0) > 0 ? ')]}' : '([{').charAt(kind);
    report.warning(
      'imbalance',
      merged.rows[last] ?? merged.height - 1,
      sentence('A "{0}" is missing: brackets were balanced before.', bracket),
    );
  }
}
