import { endsLine, marginOf } from '../../base/text/textLines';
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
  for (const [nth, { kind, text }] of hunk.lines.entries()) {
    if (kind === 'kept') {
      close();
      row++;
      continue;
    }
    open ??= { from: row, added: [] };
    if (kind === 'added') {
      open.added.push(fit ? fit(text, nth) : text);
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
): (text: string, nth: number) => string {
  const pairs: IndentPair[] = [];
  let row = at;
  for (const [nth, { kind, text }] of hunkLines.entries()) {
    if (kind === 'added') {
      continue;
    }
    const line = source.line(row++);
    if (text.trim() !== '' && line.trim() === text.trim()) {
      pairs.push({ nth, ...indentsOf(text, line, kind === 'kept') });
    }
  }
  return (text, nth) => (text.trim() === '' ? text : reindented(text, nth, pairs));
}

/** The indentation of a line in the hunk and in the file. */
interface IndentPair {
  /** Position of the line in the hunk. */
  readonly nth: number;
  readonly given: string;
  readonly actual: string;
}

function indentsOf(text: string, line: string, isKept: boolean): { given: string; actual: string } {
  const actual = marginOf(line);
  // A context line without its mark has lost one space of its own; the lines around have not.
  return { given: isKept && line === ` ${text}` ? actual : marginOf(text), actual };
}

/** Changes the indentation of a line like that of an old line that is as deep, else of the one that is nearest in depth. */
function reindented(text: string, nth: number, pairs: readonly IndentPair[]): string {
  const given = marginOf(text);
  const pair = nearestPair(given, nth, pairs);
  if (!pair) return text;
  const { given: from, actual: to } = pair;
  if (given === from) return to + text.slice(given.length);
  const scaled = scaledIndent(given, nth, pair, pairs);
  if (scaled !== undefined) return scaled + text.slice(given.length);
  const deeper = given.startsWith(from) ? inTabsOf(to, from, given.slice(from.length)) : '';
  const shallower = from.startsWith(given) ? inTabsOf(to, from, from.slice(given.length)) : '';
  return to.slice(0, Math.max(0, to.length - shallower.length)) + deeper + text.slice(given.length);
}

function nearestPair(
  given: string,
  nth: number,
  pairs: readonly IndentPair[],
): IndentPair | undefined {
  let best: IndentPair | undefined;
  let least = Infinity;
  for (const pair of pairs) {
    const depth = Math.abs(pair.given.length - given.length);
    // The depth counts first, then how many lines lie between.
    const distance = depth + Math.abs(pair.nth - nth) / (Math.abs(pair.nth - nth) + 1);
    if (distance < least) [best, least] = [pair, distance];
  }
  return best;
}

/** The indentation by the unit of the file, when two depths of the hunk show how the two units compare. */
function scaledIndent(
  given: string,
  nth: number,
  { given: from, actual: to }: IndentPair,
  pairs: readonly IndentPair[],
): string | undefined {
  const others = pairs.filter(pair => pair.given.length !== from.length);
  const other = nearestPair(given, nth, others);
  const isPlain = [given, from, to, other?.actual ?? ''].every(isOneKind);
  if (!other || !isPlain) return undefined;
  const steps = from.length - other.given.length;
  const width = (to.length - other.actual.length) / steps;
  const length = to.length + (given.length - from.length) * width;
  if (width <= 0 || !Number.isInteger(length) || length < 0) return undefined;
  return (to === '' ? other.actual : to).charAt(0).repeat(length);
}

const isOneKind = (indent: string): boolean => /^(?: *|\t*)$/.test(indent);

/** Converts spaces to tabs when the file has tabs and the patch has spaces. */
function inTabsOf(to: string, from: string, deeper: string): string {
  const tabs = /^\t+$/.test(to) && /^ +$/.test(from) ? to.length : 0;
  const width = tabs > 0 ? from.length / tabs : 0;
  return Number.isInteger(width) && width > 1 && /^ +$/.test(deeper)
    ? '\t'.repeat(Math.floor(deeper.length / width)) + ' '.repeat(deeper.length % width)
    : deeper;
}
