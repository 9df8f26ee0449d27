import type { Report } from './report';
import type { AuditText } from './auditText';
import { balanceOf, usesTags } from '../brackets';

/** Longer lines are data, or meant to take forever. */
const MAX_LENGTH = 2_000;

/** Half-open lines of both texts, the old ones replaced by the new ones. */
export interface Replaced {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

type Counts = [round: number, square: number, curly: number, tags: number];

/** Brackets and tags that lines `from` to `to` open and do not close. */
export function openBrackets(
  { texts }: AuditText,
  from: number,
  to: number,
  path: string | undefined,
): Counts {
  const tags = usesTags(path ?? '');
  const sum: Counts = [0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const text = texts[at] ?? '';
    if (text.length > MAX_LENGTH) {
      continue;
    }
    const [round, square, curly, tag] = balanceOf(text, tags);
    sum[0] += round;
    sum[1] += square;
    sum[2] += curly;
    sum[3] += tag;
  }
  return sum;
}

/** Brackets that were balanced in the original must be balanced in the merged text. */
export function checkBrackets(
  replaced: readonly Replaced[],
  original: AuditText,
  merged: AuditText,
  path: string | undefined,
  report: Report,
): void {
  const more: Counts = [0, 0, 0, 0];
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
