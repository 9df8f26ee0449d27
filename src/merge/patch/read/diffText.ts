export interface FileDiff {
  /** Absent when the diff names no file. */
  readonly path?: string;
  readonly diff: string;
}

/** A hunk header at any line. */
const hunkHeader = /^@@(?:[ .-]|@@|$)/m;
/** The file header in patches of some agents, whose hunks need no header. */
const agentHeader = /^\*\*\* Update File: (.+)$/m;
/** The name of the new file may have been lost. */
const fileHeader = /^--- .+\n(?:\+\+\+ .+$|@@)/m;

/** A header without a name or numbers. Where no line has a mark, it stands for code that was left out. */
const elision = /^@@ ?(?:\.{3}|…) ?@@$/m;

export function isUnifiedDiff(text: string): boolean {
  const unix = text.replaceAll('\r\n', '\n');
  if (elision.test(unix) && !/^[-+]|^@@ ?-\d|^\*\*\* /m.test(unix)) return false;
  return (
    (hunkHeader.test(unix) &&
      (fileHeader.test(unix) || /^(?:diff --git |@@)/.test(unix.trimStart()))) ||
    (agentHeader.test(unix) && /^[-+]/m.test(unix))
  );
}

/** One diff per file; parts without a hunk, such as mode changes and binary files, are left out. */
export function splitByFile(text: string): FileDiff[] {
  const unix = text.replaceAll('\r\n', '\n');
  const parts: string[] = [];
  let from = 0;
  let hasHunk = false;
  for (let start = 0; start >= 0 && start < unix.length; start = nextLine(unix, start)) {
    // The `---` line below git's header belongs to the same file.
    const isOnlyGitHeader = !hasHunk && unix.startsWith(gitHeader, from);
    if (start > from && !isOnlyGitHeader && startsFile(unix, start)) {
      parts.push(unix.slice(from, start - 1));
      from = start;
      hasHunk = false;
    }
    hasHunk ||= unix.startsWith('@@', start);
  }
  return [...parts, unix.slice(from)]
    .filter(part => hunkHeader.test(part) || agentHeader.test(part))
    .map(diff => {
      const path = pathOf(diff);
      return path === undefined ? { diff } : { path, diff };
    });
}

/** Where the line after the one at `start` begins; -1 after the last. */
function nextLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? -1 : end + 1;
}

const gitHeader = 'diff --git ';
const agentStart = '*** Update File: ';

function startsFile(text: string, start: number): boolean {
  if (text.startsWith(gitHeader, start)) return true;
  if (text.startsWith(agentStart, start)) return (text[start + agentStart.length] ?? '\n') !== '\n';
  // A removed line may start with '-- ', but then no '+++' and no hunk header follow.
  if (!text.startsWith('--- ', start)) return false;
  const second = nextLine(text, start);
  if (second < 0 || !text.startsWith('+++ ', second)) return false;
  const third = nextLine(text, second);
  return third >= 0 && text.startsWith('@@', third);
}

/** The old name, because the file still has it; the new name when the diff creates the file. */
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
