export interface FileDiff {
  /** Absent when the diff names no file. */
  readonly path?: string;
  readonly diff: string;
}

/** As in a hunk of its own, but at any line. */
const hunkHeader = /^@@(?:[ .-]|@@|$)/m;
/** The patches that some agents write name the file so, and their hunks need no header. */
const agentHeader = /^\*\*\* Update File: (.+)$/m;
const fileHeader = /^--- .+\n\+\+\+ .+$/m;

export function isUnifiedDiff(text: string): boolean {
  const unix = text.replaceAll('\r\n', '\n');
  return (
    (hunkHeader.test(unix) &&
      (fileHeader.test(unix) || /^(?:diff --git |@@)/.test(unix.trimStart()))) ||
    (agentHeader.test(unix) && /^[-+]/m.test(unix))
  );
}

/** One diff per file; parts without a hunk, such as mode changes and binary files, are left out. */
export function splitByFile(text: string): FileDiff[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const parts: string[][] = [];
  let last: string[] = [];
  let hasHunk = false;
  lines.forEach((line, index) => {
    // What follows the header that git puts above a file belongs to that file.
    const isOnlyGitHeader = !hasHunk && (last[0]?.startsWith('diff --git ') ?? false);
    if (startsFile(lines, index) && !isOnlyGitHeader) {
      parts.push(last);
      last = [];
      hasHunk = false;
    }
    last.push(line);
    hasHunk ||= line.startsWith('@@');
  });
  return [...parts, last]
    .map(part => part.join('\n'))
    .filter(part => hunkHeader.test(part) || agentHeader.test(part))
    .map(diff => {
      const path = pathOf(diff);
      return path === undefined ? { diff } : { path, diff };
    });
}

function startsFile(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (line.startsWith('diff --git ') || agentHeader.test(line)) return true;
  // A removed line may start with '-- ', but then no '+++' and no hunk header follow.
  return (
    line.startsWith('--- ') &&
    (lines[index + 1]?.startsWith('+++ ') ?? false) &&
    (lines[index + 2]?.startsWith('@@') ?? false)
  );
}

/** The file as it is now, so the old name; the new one when the diff creates it. */
function pathOf(diff: string): string | undefined {
  const agentName = agentHeader.exec(diff)?.[1]?.trim();
  if (agentName !== undefined) return agentName;
  const head = diff.slice(0, diff.search(hunkHeader));
  const oldName = /^--- "?([^\t\n"]+)/m.exec(head)?.[1]?.trim();
  const newName = /^\+\+\+ "?([^\t\n"]+)/m.exec(head)?.[1]?.trim();
  const hasPrefixes = isNothingOr(oldName, 'a/') && isNothingOr(newName, 'b/');
  const name = oldName === undefined || oldName === '/dev/null' ? newName : oldName;
  if (name === undefined || name === '/dev/null') return undefined;
  return hasPrefixes ? name.slice(2) : name;
}

function isNothingOr(name: string | undefined, prefix: string): boolean {
  return name === '/dev/null' || (name?.startsWith(prefix) ?? false);
}
