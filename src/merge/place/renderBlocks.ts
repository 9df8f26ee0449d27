import { append } from '../../base/arrays';
import { endsLine } from '../../base/text/textLines';
import { diffLines } from '../diff/lineDiff';
import { columnsOf, type Line, tabColumns } from '../lines';
import type { Section } from '../snippet/sections';
import type { Source } from '../source';
import { isDecorator } from './additions/entries';
import type { BlockPlace } from './aligner';
import type { Block } from './block';
import { declaredName } from './declaredName';
import type { FileIndex } from './fileIndex';

/** Writes the blocks at their places. All other bytes of the file stay unchanged. */
export function renderBlocks(
  file: FileIndex,
  blocks: readonly Block[],
  places: readonly BlockPlace[],
): string {
  const { source } = file;
  const parts: string[] = [source.bom];
  let at = 0;
  for (const [k, block] of blocks.entries()) {
    const { start, end } = places[k] ?? { start: 0, end: 0 };
    const from = start === end ? file.rawEndOf(start) : file.rawOf(start);
    // A decorator stands right above what it decorates, without the blank lines of the file.
    const isAttached = end < file.count && isDecorator(block.section.lines.at(-1)?.trimmed ?? '');
    const to = isAttached ? file.rawOf(end) : start === end ? from : file.rawEndOf(end);
    parts.push(source.slice(at, from));
    if (at < from || k > 0) endLine(parts, source.eol);
    const { lines, blanksAbove = 0, blanksBelow = 0 } = block.section;
    // New lines at the end of the file keep the blank lines above them.
    if (start === end && start > 0) {
      const isApart = start < file.count && places[k]?.head === 'new' && declares(block);
      const usual = isApart ? file.rawOf(start) - file.rawEndOf(start) : 0;
      parts.push(source.eol.repeat(Math.max(blanksAbove, usual)));
    } else if (opensBelowCode(file, block, places[k])) {
      parts.push(source.eol.repeat(blanksAbove));
    }
    const isPlain = source.uniform && !hidesDifferences(file, block, start, end);
    if (isPlain) parts.push(asShown(lines, source.eol));
    else append(parts, replaced(source, from, to, lines));
    if (end === 0 && at < source.count) parts.push(source.eol.repeat(blanksBelow));
    at = to;
  }
  if (at < source.count) {
    endLine(parts, source.eol);
    parts.push(source.slice(at, source.count));
  }
  return withFinalNewline(parts.join(''), source.endsInNewline, source.eol);
}

const declares = ({ section }: Block): boolean =>
  section.lines.some(({ trimmed }) => declaredName(trimmed) !== undefined);

/** True for a new declaration right below a closing line, where the snippet shows a blank line between them. */
function opensBelowCode(file: FileIndex, block: Block, place: BlockPlace | undefined): boolean {
  if (!place || place.head !== 'new' || place.start === 0) return false;
  const first = block.section.lines[0];
  const above = file.rawOf(place.start) - 1;
  return (
    first !== undefined &&
    declaredName(first.trimmed) !== undefined &&
    /^[)\]}]/.test(file.source.trimmed(above))
  );
}

/** Replaces lines `from` to `to` (0-based, half-open) of the file with the section. */
export function replaceLines(source: Source, section: Section, from: number, to: number): string {
  const parts = [source.bom, source.slice(0, from), ...replaced(source, from, to, section.lines)];
  parts.push(source.slice(to, source.count));
  return withFinalNewline(parts.join(''), source.endsInNewline || source.count === 0, source.eol);
}

/** Adds the missing newline of a last line before something follows it. */
function endLine(parts: string[], eol: string): void {
  const last = parts.findLast(part => part !== '' && part !== '\uFEFF');
  if (last !== undefined && !endsLine(last)) parts.push(eol);
}

function withFinalNewline(text: string, wanted: boolean, eol: string): string {
  if (text === '' || text === '\uFEFF' || endsLine(text) === wanted) return text;
  return wanted ? text + eol : text.slice(0, text.endsWith('\r\n') ? -2 : -1);
}

function asShown(lines: readonly Line[], eol: string): string {
  return lines.length === 0 ? '' : lines.map(({ text }) => text).join(eol) + eol;
}

/** True when a shown line may differ from a line of the file, with the same indentation, only in whitespace. */
function hidesDifferences(file: FileIndex, block: Block, start: number, end: number): boolean {
  if (isWrittenAs(file.margin, block)) return false;
  const { source } = file;
  const texts = new Map<number, string>();
  let row = 0;
  for (const { indent, text } of block.section.lines) {
    if (indent < 0) {
      if (text !== '') return true;
      continue;
    }
    const key = keyOf(block.ids[row++] ?? -1, indent);
    if ((texts.get(key) ?? text) !== text) return true;
    texts.set(key, text);
  }
  let line = start < end ? file.rawOf(start) : 0;
  for (let at = start; at < end; at++, line++) {
    // Blank lines may contain whitespace.
    for (; line < file.rawOf(at); line++) if (!source.isLine(line, '')) return true;
    const text = texts.get(keyOf(file.ids[at] ?? -1, file.indents[at] ?? 0));
    if (text !== undefined && !source.isLine(line, text)) return true;
  }
  return false;
}

/** True when all margins of the section consist of this character, and none of its lines ends in white space. */
function isWrittenAs(margin: FileIndex['margin'], { section: { lines } }: Block): boolean {
  if (margin === undefined) return false;
  const columns = margin === ' ' ? 1 : tabColumns;
  return lines.every(({ text, trimmed, indent }) =>
    indent < 0
      ? text === ''
      : text.length === trimmed.length + indent / columns &&
        (indent === 0 || text.startsWith(marginFor(margin, indent / columns))),
  );
}

const margins = { ' ': [''], '\t': [''] };

function marginFor(character: ' ' | '\t', length: number): string {
  const known = margins[character];
  return (known[length] ??= character.repeat(length));
}

/** A number for a line's id and its indentation; deeper lines may share one. */
function keyOf(id: number, indent: number): number {
  return id * maxIndent + Math.min(indent, maxIndent - 1);
}

const maxIndent = 512;

/** The section's lines; unchanged ones keep their bytes: trailing whitespace, tabs and newline. */
function replaced(source: Source, from: number, to: number, lines: readonly Line[]): string[] {
  const old: string[] = [];
  for (let line = from; line < to; line++) old.push(source.line(line));
  const shown = lines.map(({ text }) => text);
  const keptAs = new Map<number, number>();
  forEqualLines(
    old.map(codeOf),
    shown.map(codeOf),
    (line, row) => keptAs.set(row, line),
    (line, lineEnd, row, rowEnd) => {
      // Blank lines that differ only in whitespace are kept too.
      forEqualLines(
        old.slice(line, lineEnd).map(text => codeOf(text).trim()),
        shown.slice(row, rowEnd).map(text => codeOf(text).trim()),
        (l, r) => keptAs.set(row + r, line + l),
      );
    },
  );
  return shown.map((text, row) => {
    const line = keptAs.get(row);
    const kept = line === undefined ? text : source.slice(from + line, from + line + 1);
    return endsLine(kept) ? kept : kept + source.eol;
  });
}

/** A line without trailing whitespace, with its indentation in columns; a blank line unchanged. */
function codeOf(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' ? text : `${columnsOf(text)} ${trimmed}`;
}

function forEqualLines(
  old: readonly string[],
  shown: readonly string[],
  onEqual: (line: number, row: number) => unknown,
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
