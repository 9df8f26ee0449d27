import type { Report } from './report';
import type { AuditText } from './auditText';
import { addBalance, PAIRS, usesTags } from '../brackets';

/** Longer lines are data, or meant to take forever. */
const MAX_LENGTH = 2_000;

/** Half-open lines of both texts, the old ones replaced by the new ones. */
export interface Replaced {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Brackets and tags that lines `from` to `to` open and do not close. */
export function openBrackets(
  { texts }: AuditText,
  from: number,
  to: number,
  path: string | undefined,
): Int32Array {
  const tags = usesTags(path ?? '');
  const sums = new Int32Array(PAIRS);
  for (let at = from; at < to; at++) {
    const text = texts[at] ?? '';
    if (text.length <= MAX_LENGTH) {
      addBalance(text, tags, sums);
    }
  }
  return sums;
}

/** Brackets that were balanced in the original must be balanced in the merged text. */
export function checkBrackets(
  replaced: readonly Replaced[],
  original: AuditText,
  merged: AuditText,
  path: string | undefined,
  report: Report,
): void {
  const more = new Int32Array(PAIRS);
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
      `A "${bracket}" is missing: brackets were balanced before.`,
    );
  }
}
