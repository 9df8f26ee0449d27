import type { LineChange } from './lineDiff';

/** Lines between two changes up to which they may be one. */
const widestGap = 2;
const bracket = /[()[\]{}<>]/;
const noWords = /^[\s()[\]{}<>;,]*$/;

/**
 * Joins two changes that a diff has split at closing brackets which merely look alike: one side of
 * the gap shrinks and the other grows, so what was removed on one side has its new form on the
 * other. Taken one by one, such halves would leave code that no one wrote.
 */
export function joinChanges(
  changes: readonly LineChange[],
  before: readonly string[],
): LineChange[] {
  const joined: LineChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last && areHalves(last, change, before)) {
      joined.pop();
      joined.push({
        oldStart: last.oldStart,
        oldCount: change.oldStart + change.oldCount - last.oldStart,
        newStart: last.newStart,
        newCount: change.newStart + change.newCount - last.newStart,
      });
    } else joined.push(change);
  }
  return joined;
}

const isOnlyBrackets = (line: string): boolean => bracket.test(line) && noWords.test(line);

function areHalves(first: LineChange, second: LineChange, before: readonly string[]): boolean {
  const gap = before.slice(first.oldStart + first.oldCount, second.oldStart);
  if (gap.length > widestGap || !gap.every(isOnlyBrackets)) return false;
  return (first.newCount - first.oldCount) * (second.newCount - second.oldCount) < 0;
}
