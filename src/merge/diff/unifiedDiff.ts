import { splitLines } from '../../base/text/textLines';
import { diffLines, type LineChange } from './lineDiff';

const contextLines = 3;

export interface UnifiedDiff {
  /** A unified diff with three lines of context; '' when the texts are equal. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** The diff of two texts of a file, in the format of `git diff`; line endings are ignored. */
export function unifiedDiff(path: string, before: string, after: string): UnifiedDiff {
  const old = linesOf(before);
  const now = linesOf(after);
  const changes = diffLines(old, now);
  const sum = (key: 'oldCount' | 'newCount') =>
    changes.reduce((total, change) => total + change[key], 0);
  const text =
    changes.length === 0
      ? ''
      : [
          `--- a/${path}\n+++ b/${path}`,
          ...groupsOf(changes, old.length).map(group => hunkText(group, old, now)),
        ].join('\n') + '\n';
  return { text, added: sum('newCount'), removed: sum('oldCount') };
}

/** A last line without a newline gets git's note about it, so that it differs from one with a newline. */
function linesOf(text: string): string[] {
  const lines = splitLines(text);
  const last = lines.pop();
  return last ? [...lines, `${last}\n\\ No newline at end of file`] : lines;
}

interface Group {
  readonly changes: LineChange[];
  oldStart: number;
  oldEnd: number;
}

/** Groups changes whose context overlaps into one hunk. */
function groupsOf(changes: readonly LineChange[], lineCount: number): Group[] {
  const groups: Group[] = [];
  for (const change of changes) {
    const oldStart = Math.max(0, change.oldStart - contextLines);
    const oldEnd = Math.min(lineCount, change.oldStart + change.oldCount + contextLines);
    const last = groups.at(-1);
    if (last && oldStart <= last.oldEnd) {
      last.changes.push(change);
      last.oldEnd = oldEnd;
    } else groups.push({ changes: [change], oldStart, oldEnd });
  }
  return groups;
}

function hunkText(
  { changes, oldStart, oldEnd }: Group,
  old: readonly string[],
  now: readonly string[],
): string {
  const rows: string[] = [];
  const add = (sign: string, lines: readonly string[]): void => {
    for (const line of lines) rows.push(`${sign}${line}`);
  };
  let at = oldStart;
  let newCount = oldEnd - oldStart;
  for (const change of changes) {
    const end = change.oldStart + change.oldCount;
    add(' ', old.slice(at, change.oldStart));
    add('-', old.slice(change.oldStart, end));
    add('+', now.slice(change.newStart, change.newStart + change.newCount));
    newCount += change.newCount - change.oldCount;
    at = end;
  }
  add(' ', old.slice(at, oldEnd));
  const [first] = changes;
  const newStart = first ? first.newStart - (first.oldStart - oldStart) : oldStart;
  return [
    `@@ -${range(oldStart, oldEnd - oldStart)} +${range(newStart, newCount)} @@`,
    ...rows,
  ].join('\n');
}

/** The range in a hunk header; an empty one names the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
}
