import type { LineChange } from './lineDiff';

/** Changes with more lines between them are never joined. */
const maxGap = 2;
const bracket = /[()[\]{}<>]/;
const noWords = /^[\s()[\]{}<>;,]*$/;

/**
 * Joins two changes that a diff has split at equal closing brackets: one of them removes lines and the other
 * adds lines, so they are halves of one change. Accepting only one would leave code that nobody wrote.
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
  if (gap.length > maxGap || !gap.every(isOnlyBrackets)) return false;
  return (first.newCount - first.oldCount) * (second.newCount - second.oldCount) < 0;
}
