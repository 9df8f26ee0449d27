import { unspacedDiffs } from './spacedDiff';

/** Diffs as a tool would write them: what a page or a model has put between their lines, or left out, is undone. */
export const tidiedDiffs = (lines: readonly string[]): readonly string[] =>
  withHunkHeaders(unspacedDiffs(lines));

const nothing = '/dev/null';

/** Adds the header of the first hunk of a file where a diff has none, as models leave it out; else the same array. */
export function withHunkHeaders(lines: readonly string[]): readonly string[] {
  let made: string[] | undefined;
  lines.forEach((line, at) => {
    made?.push(line);
    if (!isNamePair(lines, at - 1) || !startsHunk(lines, at + 1)) return;
    made ??= lines.slice(0, at + 1);
    made.push('@@');
  });
  return made ?? lines;
}

/** Two lines with the name of a file, before and after: the same one, or of a new or a deleted file. */
function isNamePair(lines: readonly string[], at: number): boolean {
  const [old, fresh] = [lines[at], lines[at + 1]];
  if (!old?.startsWith('--- ') || !fresh?.startsWith('+++ ')) return false;
  const [before, after] = [nameIn(old, 'a/'), nameIn(fresh, 'b/')];
  if (before === nothing || after === nothing) return before !== after;
  return before === after && /[./\\]/.test(before);
}

function nameIn(header: string, prefix: string): string {
  const name = header.slice(4).split('\t', 1).join('').trim();
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** Whether the rows of a hunk begin at a line: marked ones, among which is a change. */
function startsHunk(lines: readonly string[], start: number): boolean {
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isNamePair(lines, at)) return false;
    if (/^[-+]/.test(line)) return true;
    if (line !== '' && !/^[ \t]/.test(line)) return false;
  }
  return false;
}
