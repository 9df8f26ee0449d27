import { endsLine } from '../../base/text/textLines';
import type { Source } from '../source';
import type { PlacedHunk } from './settlePlaces';

interface Edit {
  /** Half-open lines of the old text that are removed. */
  readonly from: number;
  readonly to: number;
  readonly added: readonly string[];
}

/** The text with the placed hunks applied; unchanged lines keep their bytes. */
export function writePatched(
  source: Source,
  placed: readonly PlacedHunk[],
  endsOpen: boolean | undefined,
): string {
  const edits = placed
    .flatMap(hunk => editsOf(hunk, source))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const { eol, count } = source;
  let text = '';
  let at = 0;
  for (const { from, to, added } of edits) {
    text += closed(source.slice(at, from), eol) + added.map(line => line + eol).join('');
    at = Math.max(at, to);
  }
  text += closed(source.slice(at, count), eol);
  const isOpen = endsOpen ?? (count > 0 && !source.endsInNewline);
  return source.bom + (isOpen ? text.replace(/(?:\r\n|\n|\r)$/, '') : text);
}

/** Adds the newline that the last line of a file may lack. */
function closed(lines: string, eol: string): string {
  return lines === '' || endsLine(lines) ? lines : lines + eol;
}

function editsOf({ hunk, at, closeness }: PlacedHunk, source: Source): Edit[] {
  const fit = closeness === 2 ? indentationFor(hunk.lines, at, source) : undefined;
  const edits: Edit[] = [];
  let row = at;
  let open: { from: number; added: string[] } | undefined;
  const close = (): void => {
    if (open) {
      edits.push({ ...open, to: row });
    }
    open = undefined;
  };
  for (const { kind, text } of hunk.lines) {
    if (kind === 'kept') {
      close();
      row++;
      continue;
    }
    open ??= { from: row, added: [] };
    if (kind === 'added') {
      open.added.push(fit ? fit(text) : text);
    } else {
      row++;
    }
  }
  close();
  return edits;
}

/** Derives the indentation of added lines from the old lines that the hunk indents differently. */
function indentationFor(
  hunkLines: PlacedHunk['hunk']['lines'],
  at: number,
  source: Source,
): (text: string) => string {
  const removed = new Map<string, string>();
  const kept = new Map<string, string>();
  let row = at;
  for (const { kind, text } of hunkLines) {
    if (kind === 'added') {
      continue;
    }
    const line = source.line(row++);
    if (text.trim() !== '' && line.trim() === text.trim()) {
      const pairs = kind === 'removed' ? removed : kept;
      pairs.set(indentOf(text), pairs.get(indentOf(text)) ?? indentOf(line));
    }
  }
  // A context line without its mark has lost one space of indentation; removed lines are reliable.
  const pairs = removed.size > 0 ? removed : kept;
  return text => (text.trim() === '' ? text : reindented(text, pairs));
}

/** Changes the indentation of a line like that of the old line with the nearest indentation. */
function reindented(text: string, pairs: ReadonlyMap<string, string>): string {
  const given = indentOf(text);
  const distance = (indent: string): number => Math.abs(indent.length - given.length);
  const [first = ['', '']] = [...pairs].sort(([a], [b]) => distance(a) - distance(b));
  const [from, to] = first;
  const deeper = given.startsWith(from) ? inTabsOf(to, from, given.slice(from.length)) : '';
  const shallower = from.startsWith(given) ? inTabsOf(to, from, from.slice(given.length)) : '';
  return to.slice(0, Math.max(0, to.length - shallower.length)) + deeper + text.slice(given.length);
}

/** Converts spaces to tabs when the file has tabs and the patch has spaces. */
function inTabsOf(to: string, from: string, deeper: string): string {
  const tabs = /^\t+$/.test(to) && /^ +$/.test(from) ? to.length : 0;
  const width = tabs > 0 ? from.length / tabs : 0;
  return Number.isInteger(width) && width > 1 && /^ +$/.test(deeper)
    ? '\t'.repeat(Math.floor(deeper.length / width)) + ' '.repeat(deeper.length % width)
    : deeper;
}

function indentOf(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}
