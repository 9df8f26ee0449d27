import { sentence } from '../../../base/sentence';
import { applyUnifiedDiff } from '../../../merge';
import { looseCode } from '../looseCode';
import { type EditOperation, type EditPart, part, reasons } from '../operations';
import { gitLineNames, nameAt, nothing, withoutPrefixes } from './gitNames';

const gitHeader = 'diff --git ';
const mailHeader = /^From [\da-f]{7,64} Mon Sep 17 00:00:00 2001/;
const hunkStart = /^@@(?:[ .-]|@@|$)/;
const numbered = /^@@ *-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))? *@@/;
/** Lines between the name of a file and its hunks. */
const extended =
  /^(?:index [\da-f]+\.\.[\da-f]+|(?:new|deleted) file mode \d|old mode \d|new mode \d|(?:dis)?similarity index |rename (?:from|to) |copy (?:from|to) |Binary files |GIT binary patch)/;

/** Whether a diff, or a mail with one, begins at a line. */
export function isDiffStart(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (line.startsWith(gitHeader) || mailHeader.test(line)) return true;
  if (isNamePair(lines, at)) return hunkStart.test(lines[at + 2] ?? '');
  // The line with the new name may have been lost.
  return line.startsWith('--- ') && numbered.test(lines[at + 1] ?? '');
}

const isNamePair = (lines: readonly string[], at: number): boolean =>
  (lines[at]?.startsWith('--- ') ?? false) && (lines[at + 1]?.startsWith('+++ ') ?? false);

const isMarked = (line: string): boolean => line === '' || /^[-+ \\\t]/.test(line);

/** What begins another part of an answer; no line between the files of a diff looks like that. */
const otherStart =
  /^(?:\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File: )|`{3}|~{3}|<{5,9} |-{5,9} SEARCH|<\w[\w-]* \w+=)/;

/** The line after the last one of the diff that begins at `start`, at most `limit`. */
export function diffEnd(lines: readonly string[], start: number, limit = lines.length): number {
  let end = start;
  let isBinary = false;
  for (let at = start; at < limit; at++) {
    const line = lines[at] ?? '';
    if (at >= end && otherStart.test(line)) break;
    if (isDiffStart(lines, at) || isNamePair(lines, at) || extended.test(line)) {
      isBinary = line.startsWith('GIT binary patch');
      end = isNamePair(lines, at) ? at + 2 : at + 1;
    } else if (hunkStart.test(line)) end = hunkEnd(lines, at, limit);
    else if (isBinary && /^(?:(?:literal|delta) \d+|[A-Za-z][!-~]{5,})?$/.test(line)) end = at + 1;
  }
  while (end > start && (lines[end - 1] ?? '').trim() === '') end--;
  return end;
}

/** How many lines of the old and of the new text a hunk has, by its header. */
function countsIn(header: string): { old: number; fresh: number } | undefined {
  const [all, , old = '1', , fresh = '1'] = numbered.exec(header) ?? [];
  return all === undefined ? undefined : { old: Number(old), fresh: Number(fresh) };
}

/** By the counts of the header where they hold, and at least as far as lines have marks. */
function hunkEnd(lines: readonly string[], start: number, limit: number): number {
  let at = start + 1;
  let { old, fresh } = countsIn(lines[start] ?? '') ?? { old: 0, fresh: 0 };
  for (; at < limit; at++) {
    const line = lines[at] ?? '';
    if (hunkStart.test(line) || line.startsWith(gitHeader)) break;
    const isCounted = old > 0 || fresh > 0;
    if (!isMarked(line) && !isCounted) break;
    if (!isCounted && isSignature(lines, at)) break;
    if (!isMarked(line) && !line.trim()) break;
    if (!line.startsWith('+')) old--;
    if (!line.startsWith('-')) fresh--;
  }
  return at;
}

/** A blank line at the end of the last hunk is easily lost. */
const maxLostContext = 1;
/** The hash of an empty file. */
const emptyFile = /^index [\da-f]+\.\.e69de29/;

/** Whether the last hunk has fewer lines than its header says, or the last file lacks its hunks. */
export function isOpenDiff(lines: readonly string[]): boolean {
  const start = lines.findLastIndex(line => hunkStart.test(line));
  const lastFile = lines.findLastIndex(line => line.startsWith(gitHeader));
  if (lastFile > start) {
    const header = lines.slice(lastFile);
    const isNew = header.some(line => line.startsWith('new file mode '));
    return isNew && !header.some(line => emptyFile.test(line));
  }
  if (start < 0) return false;
  const rows = lines.slice(start + 1, hunkEnd(lines, start, lines.length));
  if (rows.length === 0) return true;
  const counts = countsIn(lines[start] ?? '');
  if (!counts) return false;
  const old = counts.old - rows.filter(row => !/^[+\\]/.test(row)).length;
  const fresh = counts.fresh - rows.filter(row => !/^[-\\]/.test(row)).length;
  const endsInContext = !/^[-+]/.test(rows.at(-1) ?? '');
  const isOnlyContext = old === fresh && old <= maxLostContext && endsInContext;
  return (old > 0 || fresh > 0) && !isOnlyContext;
}

/** The end of a mail: `-- ` and the version of git. */
const isSignature = (lines: readonly string[], at: number): boolean =>
  /^-- ?$/.test(lines[at] ?? '') && /^\d+\.\d+/.test(lines[at + 1] ?? '');

/** The parts of a diff of one or several files; commit messages and signatures are no parts. */
export function readDiff(lines: readonly string[]): EditPart[] {
  const sections: string[][] = [];
  let open: string[] | undefined;
  const before: string[] = [];
  // The message of a commit is prose, whatever it quotes.
  let isMail = false;
  let hasHunk = false;
  lines.forEach((line, at) => {
    if (mailHeader.test(line)) {
      open = undefined;
      isMail = true;
      return;
    }
    const isGit = line.startsWith(gitHeader);
    const isPair =
      isNamePair(lines, at) &&
      (open === undefined || (hasHunk ? hunkStart.test(lines[at + 2] ?? '') : hasNames(open)));
    if (isGit || isPair) {
      sections.push((open = []));
      hasHunk = false;
    }
    if (open && isSignature(lines, at) && isMailOver(lines, at + 2)) {
      open = undefined;
      return;
    }
    hasHunk ||= hunkStart.test(line);
    if (open) open.push(line);
    else if (!isMail && !indexLine.test(line)) before.push(line);
  });
  if (sections.length === 0)
    return [part(lines.join('\n'), { kind: 'diff', diff: lines.join('\n') })];
  return [
    ...looseCode(before, false),
    ...sections.flatMap(section => [
      part(section.join('\n'), operationOf(section)),
      ...looseCode(strayLines(section), false),
    ]),
  ];
}

/** What Subversion writes above the names of a file. */
const indexLine = /^(?:Index: |=+$)/;

/** Lines that belong to no header and to no hunk: what follows a damaged diff. */
function strayLines(section: readonly string[]): string[] {
  const stray: string[] = [];
  let end = 0;
  section.forEach((line, at) => {
    if (hunkStart.test(line) && at >= end) end = hunkEnd(section, at, section.length);
    const isHeader = /^(?:--- |\+\+\+ )/.test(line) || indexLine.test(line) || extended.test(line);
    if (at < end || isHeader || line.startsWith(gitHeader) || isMarked(line)) return;
    stray.push(line);
  });
  return stray;
}

const hasNames = (section: readonly string[]): boolean =>
  section.some(line => line.startsWith('+++ '));

/** Only blank lines follow, up to the end or the next mail. */
function isMailOver(lines: readonly string[], from: number): boolean {
  let next = from;
  while (next < lines.length && (lines[next] ?? '').trim() === '') next++;
  return next === lines.length || mailHeader.test(lines[next] ?? '');
}

interface Header {
  readonly old: string | undefined;
  readonly fresh: string | undefined;
  readonly has: (start: string) => boolean;
  readonly after: (start: string) => string | undefined;
}

function headerOf(head: readonly string[]): Header {
  const after = (start: string): string | undefined =>
    head.find(line => line.startsWith(start))?.slice(start.length);
  const nameAfter = (start: string): string | undefined => {
    const text = after(start);
    return text === undefined ? undefined : nameAt(text).name;
  };
  const git = head[0]?.startsWith(gitHeader) ? gitLineNames(head[0]) : undefined;
  const [old, fresh] = withoutPrefixes(
    nameAfter('--- ') ?? git?.[0],
    nameAfter('+++ ') ?? git?.[1],
  );
  return { old, fresh, after, has: start => after(start) !== undefined };
}

function operationOf(section: readonly string[]): EditOperation {
  const first = section.findIndex(line => hunkStart.test(line));
  const head = first < 0 ? section : section.slice(0, first);
  const { old, fresh, has, after } = headerOf(head);
  const path = old === nothing ? fresh : (old ?? fresh);
  const diff = first < 0 ? undefined : section.slice(first).join('\n');
  if (has('GIT binary patch') || has('Binary files ')) {
    return { kind: 'none', path: fresh === nothing ? old : fresh, reason: reasons.binary };
  }
  for (const kind of ['rename', 'copy'] as const) {
    const from = after(`${kind} from `);
    const to = after(`${kind} to `);
    if (from !== undefined && to !== undefined) {
      return { kind, path: nameAt(from).name, newPath: nameAt(to).name, diff };
    }
  }
  if (path === undefined || path === nothing) {
    return diff === undefined
      ? { kind: 'none', reason: sentence('The diff names no file and changes nothing.') }
      : { kind: 'diff', diff };
  }
  if (has('deleted file mode ') || fresh === nothing) return { kind: 'delete', path };
  if (has('new file mode ') || old === nothing) {
    // The diff of an empty file has neither a new name nor new lines.
    if (diff === undefined && head.some(line => line.startsWith('+'))) {
      return {
        kind: 'none',
        path,
        reason: sentence('The diff of this new file holds none of its lines.'),
      };
    }
    return { kind: 'create', path: fresh ?? path, ...addedText(diff ?? '') };
  }
  if (diff === undefined) {
    const reason = has('old mode ')
      ? reasons.mode
      : sentence('The diff changes nothing in this file.');
    return { kind: 'none', path, reason };
  }
  if (fresh !== undefined && fresh !== path && head[0]?.startsWith(gitHeader)) {
    return { kind: 'rename', path, newPath: fresh, diff };
  }
  return { kind: 'diff', path, diff };
}

/** The text of a new file. All lines of its hunks are new, also those that have lost their mark. */
function addedText(diff: string): { text: string; hasUnmarked?: boolean } {
  if (diff === '') return { text: '' };
  const result = applyUnifiedDiff('', diff);
  if (result.kind === 'merged') return { text: result.text };
  const lines = diff.split('\n');
  const rows: string[] = [];
  lines.forEach((line, at) => {
    if (hunkStart.test(line)) rows.push(...lines.slice(at + 1, hunkEnd(lines, at, lines.length)));
  });
  const added = rows.filter(row => !/^[-\\]/.test(row));
  return {
    text: added.map(row => `${row.replace(/^[+ ]/, '')}\n`).join(''),
    ...(added.some(row => row.trim() !== '' && !row.startsWith('+')) && { hasUnmarked: true }),
  };
}
