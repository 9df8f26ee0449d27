import type { OriginalText } from '../lines';
import type { PlacedHunk } from './choosePlaces';

interface Edit {
  /** Lines of the old text that go. */
  readonly from: number;
  readonly to: number;
  readonly added: readonly string[];
}

/** The text with the placed hunks in it; lines that stay keep their bytes. */
export function writePatched(
  original: OriginalText,
  placed: readonly PlacedHunk[],
  endsOpen: boolean | undefined,
): string {
  const edits = placed
    .flatMap(hunk => editsOf(hunk, original))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const { lines, ends, eol } = original;
  const texts: string[] = [];
  const newEnds: string[] = [];
  let at = 0;
  const keep = (to: number): void => {
    for (; at < to; at++) {
      texts.push(lines[at]?.text ?? '');
      newEnds.push(ends[at] ?? '');
    }
  };
  for (const { from, to, added } of edits) {
    keep(from);
    at = Math.max(at, to);
    for (const text of added) {
      texts.push(text);
      newEnds.push(eol);
    }
  }
  keep(lines.length);
  const isOpen = endsOpen ?? (lines.length > 0 && ends.at(-1) === '');
  const last = texts.length - 1;
  const body = texts.map((text, row) => {
    const end = newEnds[row] || eol;
    return text + (row === last && isOpen ? '' : end);
  });
  return original.bom + body.join('');
}

function editsOf({ hunk, at, closeness }: PlacedHunk, { lines }: OriginalText): Edit[] {
  const fit = closeness === 2 ? indentationFor(hunk.lines, lines.slice(at)) : undefined;
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

/** How an added line is indented in the file, told by the old lines that the hunk indents otherwise. */
function indentationFor(
  hunkLines: PlacedHunk['hunk']['lines'],
  found: OriginalText['lines'],
): (text: string) => string {
  const removed = new Map<string, string>();
  const kept = new Map<string, string>();
  let row = 0;
  for (const { kind, text } of hunkLines) {
    if (kind === 'added') {
      continue;
    }
    const line = found[row++];
    if (line?.trimmed === text.trim() && line.trimmed !== '') {
      const pairs = kind === 'removed' ? removed : kept;
      pairs.set(indentOf(text), pairs.get(indentOf(text)) ?? indentOf(line.text));
    }
  }
  // A context line that lost its mark lost a blank, too; removed lines have theirs.
  const pairs = removed.size > 0 ? removed : kept;
  return text => (text.trim() === '' ? text : reindented(text, pairs));
}

/** Moves a line as the old line of the nearest indentation moved. */
function reindented(text: string, pairs: ReadonlyMap<string, string>): string {
  const given = indentOf(text);
  const distance = (indent: string): number => Math.abs(indent.length - given.length);
  const [first = ['', '']] = [...pairs].sort(([a], [b]) => distance(a) - distance(b));
  const [from, to] = first;
  const deeper = given.startsWith(from) ? inTabsOf(to, from, given.slice(from.length)) : '';
  const shallower = from.startsWith(given) ? inTabsOf(to, from, from.slice(given.length)) : '';
  return to.slice(0, Math.max(0, to.length - shallower.length)) + deeper + text.slice(given.length);
}

/** Blanks become tabs where the file has tabs and the patch has blanks. */
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
