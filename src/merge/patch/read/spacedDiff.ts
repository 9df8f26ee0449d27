/**
 * A web page that shows each line as a paragraph is copied with an empty line between all lines. In a diff these
 * would be unchanged lines, so the counts of the hunks no longer hold.
 */

const countedHeader = /^@@ *-\d+(?:,(\d+))? +\+\d+(?:,(\d+))? *@@/;
const isBlank = (line: string | undefined): boolean => line?.trim() === '';

/** The lines without the empty ones between the lines of diffs, where the counts prove that these are none; else the same array. */
export function unspacedDiffs(lines: readonly string[]): readonly string[] {
  let kept: string[] | undefined;
  let from = 0;
  for (let at = 0; at < lines.length; at++) {
    if (!startsSpaced(lines, at)) continue;
    const all = everySecond(lines, at);
    const count = provenCount(all);
    if (count === 0) {
      // What follows is no header of a spaced diff either.
      at += 2 * (all.length - 1);
      continue;
    }
    kept ??= [];
    for (const line of lines.slice(from, at)) kept.push(line);
    for (const line of all.slice(0, count)) kept.push(line);
    from = at + 2 * count - 1;
    at = from - 1;
  }
  if (!kept) return lines;
  for (const line of lines.slice(from)) kept.push(line);
  return kept;
}

/** Removes the indentation that a list or a quotation gave to all lines of a patch. */
export function withoutMargin(lines: string[]): string[] {
  const first = lines.find(line => !isBlank(line)) ?? '';
  const text = first.trimStart();
  const margin = first.slice(0, first.length - text.length);
  if (margin === '' || !/^(?:@@|diff --git |--- |\*\*\* )/.test(text)) return lines;
  const has = (line: string): boolean => line.startsWith(margin) || isBlank(line);
  return lines.every(has) ? lines.map(line => line.slice(margin.length)) : lines;
}

/** Every second line of a diff whose other lines are empty; undefined when some are not. For diffs without counts. */
export function everySecondLine(diff: readonly string[]): string[] | undefined {
  const first = diff.findIndex(line => !isBlank(line));
  const last = diff.findLastIndex(line => !isBlank(line));
  if (first < 0 || last < first + 2) return undefined;
  for (let at = first + 1; at <= last; at += 2) {
    if (!isBlank(diff[at])) return undefined;
  }
  return diff.slice(first, last + 1).filter((_, at) => at % 2 === 0);
}

function startsSpaced(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (!/^(?:diff --git |--- |@@ )/.test(line) || lines[at + 1] !== '') return false;
  if (line.startsWith('--- ')) return lines[at + 2]?.startsWith('+++ ') ?? false;
  return line.startsWith('diff ') || countedHeader.test(line);
}

function everySecond(lines: readonly string[], start: number): string[] {
  const all: string[] = [];
  for (let at = start; at < lines.length; at += 2) {
    all.push(lines[at] ?? '');
    if (!isBlank(lines[at + 1])) break;
  }
  return all;
}

/** How many of the lines, from the first on, are hunks whose counts hold, and headers between them. */
function provenCount(lines: readonly string[]): number {
  let proven = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const counts = countedHeader.exec(line);
    if (!counts) {
      if (!isHeader(line)) break;
      continue;
    }
    const end = hunkEnd(lines, at + 1, Number(counts[1] ?? 1), Number(counts[2] ?? 1));
    if (end === undefined) break;
    proven = end;
    at = end - 1;
  }
  return proven;
}

const isHeader = (line: string): boolean =>
  /^(?:diff --git |--- |\+\+\+ |index [\da-f]|(?:new|deleted) file mode |(?:old|new) mode |similarity index |rename )/.test(
    line,
  );

/** Blank lines at the end of a text are lost when it is copied. */
const maxLost = 3;

function hunkEnd(
  lines: readonly string[],
  from: number,
  oldCount: number,
  newCount: number,
): number | undefined {
  let [old, fresh] = [oldCount, newCount];
  let at = from;
  for (; at < lines.length && (old > 0 || fresh > 0); at++) {
    const mark = (lines[at] ?? '').charAt(0);
    if (mark === '\\') continue;
    if (!/^[-+ \t]?$/.test(mark)) return undefined;
    if (mark !== '+') old--;
    if (mark !== '-') fresh--;
  }
  if (lines[at]?.startsWith('\\')) at++;
  const isWhole = old === 0 && fresh === 0;
  const isCut = at === lines.length && old === fresh && old > 0 && old <= maxLost;
  return isWhole || isCut ? at : undefined;
}
