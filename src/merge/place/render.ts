import type { Place } from './align';
import type { FileIndex } from './fileIndex';
import { diffLines } from '../diff/lineDiff';
import { columnsOf, type Line } from '../lines';
import type { Section } from '../snippet/sections';

/** Puts the sections at their places. All other bytes of the file stay as they are. */
export function render(
  file: FileIndex,
  sections: readonly Section[],
  places: readonly Place[],
): string {
  const { source } = file;
  const parts: string[] = [source.bom];
  let at = 0;
  sections.forEach((section, k) => {
    const { start, end } = places[k] ?? { start: 0, end: 0 };
    const from = start === end ? insertionPoint(file, start) : file.rawOf(start);
    const to = start === end ? from : file.rawEndOf(end);
    parts.push(source.slice(at, from));
    if (at < from || k > 0) endLine(parts, source.eol);
    // New lines at the end of the file keep the blank lines that set them off.
    if (start === end && start > 0) parts.push(source.eol.repeat(section.blanksAbove ?? 0));
    parts.push(...replaced(file, from, to, section.lines));
    at = to;
  });
  if (at < source.count) {
    endLine(parts, source.eol);
    parts.push(source.slice(at, source.count));
  }
  return withFinalNewline(parts.join(''), source.endsInNewline, source.eol);
}

/** Puts the section where lines `from` to `to` (0-based, half-open) of the file stood. */
export function replaceLines(file: FileIndex, section: Section, from: number, to: number): string {
  const { source } = file;
  const parts = [source.bom, source.slice(0, from), ...replaced(file, from, to, section.lines)];
  parts.push(source.slice(to, source.count));
  return withFinalNewline(parts.join(''), source.endsInNewline || source.count === 0, source.eol);
}

/** New lines at the end of the file follow its last line that is not blank. */
function insertionPoint(file: FileIndex, at: number): number {
  return at === 0 ? 0 : file.rawEndOf(at);
}

/** A last line without a line end gets one before something follows it. */
function endLine(parts: string[], eol: string): void {
  const last = parts.findLast(part => part !== '' && part !== '\uFEFF');
  if (last !== undefined && !/[\r\n]$/.test(last)) parts.push(eol);
}

function withFinalNewline(text: string, wanted: boolean, eol: string): string {
  const bare = text.replace(/(?:\r\n|\n|\r)$/, '');
  if (text === '' || text === '\uFEFF') return text;
  return wanted ? (bare === text ? text + eol : text) : bare;
}

/** The section's lines; those that stood there keep their bytes: trailing blanks, tabs and line end. */
function replaced(file: FileIndex, from: number, to: number, lines: readonly Line[]): string[] {
  const { source } = file;
  const old: string[] = [];
  for (let line = from; line < to; line++) old.push(source.line(line));
  if (source.uniform && !hideDifferences(old, lines)) {
    return lines.map(({ text }) => text + source.eol);
  }
  const keptAs = new Int32Array(lines.length).fill(-1);
  const shown = lines.map(({ text }) => text);
  forEqualLines(
    old,
    shown,
    (line, row) => (keptAs[row] = line),
    (line, lineEnd, row, rowEnd) => {
      // Lines that differ in invisible bytes only are kept as well.
      forEqualLines(
        old.slice(line, lineEnd).map(visible),
        shown.slice(row, rowEnd).map(visible),
        (l, r) => {
          keptAs[row + r] = line + l;
        },
      );
    },
  );
  return lines.map(({ text }, row) => {
    const line = keptAs[row] ?? -1;
    const kept = line < 0 ? text : source.slice(from + line, from + line + 1);
    return /[\r\n]$/.test(kept) ? kept : kept + source.eol;
  });
}

/** True when a line is shown that stood there with other white space. */
function hideDifferences(old: readonly string[], lines: readonly Line[]): boolean {
  const texts = new Set(old);
  const others = lines.filter(({ text }) => !texts.has(text));
  if (others.length === 0) return false;
  const trimmed = new Set(old.map(text => text.trim()));
  return others.some(line => trimmed.has(line.trimmed));
}

/** A line without the white space at its end, and its indentation as columns. */
function visible(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' ? '' : `${columnsOf(text)} ${trimmed}`;
}

function forEqualLines(
  old: readonly string[],
  shown: readonly string[],
  onEqual: (line: number, row: number) => void,
  onChange?: (line: number, lineEnd: number, row: number, rowEnd: number) => void,
): void {
  let line = 0;
  let row = 0;
  const equalUntil = (end: number): void => {
    while (line < end) onEqual(line++, row++);
  };
  for (const { oldStart, oldCount, newCount } of diffLines(old, shown)) {
    equalUntil(oldStart);
    onChange?.(line, line + oldCount, row, row + newCount);
    line += oldCount;
    row += newCount;
  }
  equalUntil(old.length);
}
