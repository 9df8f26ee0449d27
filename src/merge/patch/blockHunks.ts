import { append } from '../../base/arrays';
import { splitLines } from '../../base/text/textLines';
import { diffLines } from '../diff/lineDiff';
import { isMarkerLine } from '../snippet/markers';
import { type HunkLine, type HunkName, isChange, type PatchHunk } from './hunks';
import type { LineFinder } from './lineFinder';
import type { SearchReplaceBlock } from './read/searchReplace';
import { readableBlock, trimEnds } from './readableBlock';

/** Converts a search/replace block to hunks; several when both sides omit code with markers. */
export function blockHunks(
  block: SearchReplaceBlock,
  name: HunkName,
  finder: LineFinder,
): PatchHunk[] {
  const { isConflict, ...read } = readableBlock(block, finder);
  const hunks = hunksOf(read, name, finder);
  return read.isGuess || isConflict ? hunks.map(hunk => ({ ...hunk, isGuess: true })) : hunks;
}

function hunksOf(
  { search, replace, start }: SearchReplaceBlock,
  name: HunkName,
  finder: LineFinder,
): PatchHunk[] {
  const wanted = splitLines(search);
  const given = replace === '' ? [] : splitLines(replace);
  if (search.trim() === '') {
    const lines = [...finder.lines.map(lineAs('removed')), ...given.map(lineAs('added'))];
    return [{ name, lines }];
  }
  if (finder.find(wanted).places.length > 0) {
    return [{ name, lines: linesBetween(wanted, given), ...(start !== undefined && { start }) }];
  }
  const parts = partsBetween(trimEnds(wanted), trimEnds(given), finder);
  const hunks = parts.map(([before, after]) => ({ name, lines: linesBetween(before, after) }));
  if (parts.length === 1 && finder.find(trimEnds(wanted)).places.length === 0) {
    const within = withinLines(search, replace, finder);
    return within ? [{ name, lines: within }] : hunks;
  }
  return hunks.filter(({ lines }) => lines.some(isChange));
}

function lineAs(kind: HunkLine['kind']): (text: string) => HunkLine {
  return text => ({ kind, text });
}

/** A diff of the two sides. Lines on both sides are kept, so that they keep their bytes. */
function linesBetween(before: readonly string[], after: readonly string[]): HunkLine[] {
  const lines: HunkLine[] = [];
  let row = 0;
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(before, after)) {
    append(lines, before.slice(row, oldStart).map(lineAs('kept')));
    append(lines, before.slice(oldStart, oldStart + oldCount).map(lineAs('removed')));
    append(lines, after.slice(newStart, newStart + newCount).map(lineAs('added')));
    row = oldStart + oldCount;
  }
  return [...lines, ...before.slice(row).map(lineAs('kept'))];
}

function partsBetween(
  before: readonly string[],
  after: readonly string[],
  finder: LineFinder,
): [string[], string[]][] {
  const old = splitAtMarkers(before, finder);
  const fresh = splitAtMarkers(after, finder);
  return old.length === fresh.length
    ? old.map((part, at) => [trimEnds(part), trimEnds(fresh[at] ?? [])])
    : [[[...before], [...after]]];
}

function splitAtMarkers(lines: readonly string[], finder: LineFinder): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (isMarkerLine(line) && finder.find([line]).places.length === 0) {
      parts.push([]);
    } else {
      parts.at(-1)?.push(line);
    }
  }
  return parts;
}

/** The search text may start and end within a line; it must then occur exactly once in the text. */
function withinLines(search: string, replace: string, finder: LineFinder): HunkLine[] | undefined {
  const { text } = finder;
  const at = text.indexOf(search);
  if (at < 0 || search.trim().length < 3 || text.includes(search, at + 1)) {
    return undefined;
  }
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at + search.length);
  const to = end < 0 ? text.length : end;
  const changed = text.slice(from, at) + replace + text.slice(at + search.length, to);
  return linesBetween(splitLines(text.slice(from, to)), splitLines(changed));
}
