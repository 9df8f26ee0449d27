import { splitLines } from '../base/text/textLines';
import { canClose, fenceAt, openingFenceAt } from './fence';

export interface FencedBlock {
  /** What follows the opening fence, such as `ts title="a.ts"`. */
  readonly info: string;
  readonly text: string;
  /** The last line with text above the fence, outside other blocks, with at most two blank lines in between. */
  readonly above: string | undefined;
}

export interface BlockAtLine extends Pick<FencedBlock, 'info' | 'text'> {
  /** The line after the last one of the block. */
  readonly end: number;
  /** False where its closing fence is missing. */
  readonly isClosed: boolean;
}

export interface Markdown {
  readonly blocks: readonly FencedBlock[];
  /** The lines outside all blocks. */
  readonly outside: readonly string[];
}

const canNest = /^(md|mdx|markdown)\b/i;
/** No line of a diff begins with a fence, for each has a mark in front. With a file, `patch` may be another form. */
const endsAtFence = /^(?:diff\b|patch$)/i;
const maxBlanksAbove = 2;
/** More blocks than any answer or page has. */
export const maxBlocks = 1000;

/** Finds the fenced code blocks of a text. Stops after one block more than {@link maxBlocks}. */
export function readMarkdown(text: string): Markdown {
  const lines = splitLines(text);
  if (!mayHaveFence(text)) return { blocks: [], outside: lines };
  const blocks: FencedBlock[] = [];
  const outside: string[] = [];
  let above: string | undefined;
  let blanks = 0;
  for (let index = 0; index < lines.length && blocks.length <= maxBlocks; index++) {
    const line = lines[index] ?? '';
    if (line === '') {
      outside.push(line);
      if (++blanks > maxBlanksAbove) above = undefined;
      continue;
    }
    if (startsWord(line.charCodeAt(0))) {
      outside.push(line);
      above = line;
      blanks = 0;
      continue;
    }
    const block = fencedBlockAt(lines, index);
    if (!block) {
      outside.push(line);
      blanks = line.trim() === '' ? blanks + 1 : 0;
      if (blanks === 0) above = line;
      if (blanks > maxBlanksAbove) above = undefined;
      continue;
    }
    blocks.push({ info: block.info, text: block.text, above: above?.trim() });
    above = undefined;
    blanks = 0;
    index = block.end - 1;
  }
  return { blocks, outside };
}

/**
 * The block whose opening fence is at a line.
 *
 * @param isDocument whether it holds Markdown, whatever its info string says.
 */
export function fencedBlockAt(
  lines: readonly string[],
  at: number,
  isDocument = false,
): BlockAtLine | undefined {
  const line = lines[at] ?? '';
  const width = prefixLength(line);
  const fence = openingFenceAt(line, width);
  if (!fence) return undefined;
  const { marks, info } = fence;
  const closing = closingLine(lines, at + 1, {
    marks,
    indent: columnsOf(line, width),
    isDocument: isDocument || canNest.test(info),
  });
  const next = endsAtFence.test(info) ? nextOpening(lines, at + 1, closing) : closing;
  const isClosed = next === closing && closing < lines.length;
  const prefix = line.slice(0, width);
  const body = lines.slice(at + 1, next).map(inner => withoutPrefix(inner, prefix));
  return { info: info.trim(), text: body.join('\n'), end: isClosed ? next + 1 : next, isClosed };
}

/** The first line that opens another block at the very start of a line; `end` where none does. */
function nextOpening(lines: readonly string[], start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const fence = openingFenceAt(lines[at] ?? '', 0);
    if (fence && fence.info !== '') return at;
  }
  return end;
}

/** The line that would close the block which a text leaves open; undefined where none is open. */
export function missingFence(text: string): string | undefined {
  if (!mayHaveFence(text)) return undefined;
  const lines = splitLines(text);
  for (let at = 0; at < lines.length; at++) {
    const block = fencedBlockAt(lines, at);
    if (!block) continue;
    if (!block.isClosed && block.end === lines.length) {
      const line = lines[at] ?? '';
      const width = prefixLength(line);
      // In the same list or quote: elsewhere it would open a block.
      const prefix = line.slice(0, width).replaceAll(/[^\s>]/g, ' ');
      return prefix + (openingFenceAt(line, width)?.marks ?? '');
    }
    at = block.end - 1;
  }
  return undefined;
}

const mayHaveFence = (text: string): boolean => text.includes('```') || text.includes('~~~');

/** Whether any line is a fence, also in a list or a quote. */
export function hasFence(text: string): boolean {
  if (!mayHaveFence(text)) return false;
  return splitLines(text).some(line => fenceAt(line, prefixLength(line)) !== undefined);
}

/** A fast path: most lines start with a letter or a bracket, so they are no fences. */
const startsWord = (code: number): boolean =>
  (code >= 63 && code < 96) || (code > 96 && code < 126);

interface Opening {
  readonly marks: string;
  /** Columns in front of it. */
  readonly indent: number;
  /** It holds Markdown, which has blocks of its own. */
  readonly isDocument: boolean;
}

/** Blocks of a text for which no end outside of nested blocks was found. With the limit, all searches take linear time. */
const maxFailed = 20;
const failedSearches = new WeakMap<readonly string[], number>();

/** A fence that is indented by more than this is a part of the code, as in a doc string. */
const maxFenceIndent = 3;

/**
 * The line of the closing fence, or the number of lines when it is missing. Code may hold blocks as well, as in a
 * template: these are skipped if they and the block around them are closed.
 */
function closingLine(lines: readonly string[], start: number, opening: Opening): number {
  const failed = failedSearches.get(lines) ?? 0;
  const end = failed < maxFailed ? closingFence(lines, start, opening, 'all') : lines.length;
  if (end < lines.length) return end;
  failedSearches.set(lines, failed + 1);
  return closingFence(lines, start, opening, opening.isDocument ? 'named' : 'none');
}

/** @param nested which fences open a block within the block: `named` are those with a language. */
function closingFence(
  lines: readonly string[],
  start: number,
  { marks, indent, isDocument }: Opening,
  nested: 'all' | 'named' | 'none',
): number {
  let depth = 1;
  for (let line = start; line < lines.length; line++) {
    const text = lines[line] ?? '';
    const width = quoteLength(text);
    const fence = fenceAt(text, width);
    if (!fence || !canClose(fence, marks)) continue;
    if (nested === 'all' && columnsOf(text, width) > indent + maxFenceIndent) continue;
    const isUnnamed = nested === 'all' && isDocument && depth === 1 && opensBlock(lines, line);
    if (fence.info === '' && !isUnnamed) depth--;
    else if (nested !== 'none') depth++;
    if (depth === 0) return line;
  }
  return lines.length;
}

/** Whether a fence without a language opens a block: text leads to it, and its code begins below. */
function opensBlock(lines: readonly string[], at: number): boolean {
  const above = lines[at - 1]?.trim() ?? '';
  const below = lines[at + 1]?.trim() ?? '';
  return (above === '' || above.endsWith(':')) && below !== '';
}

const tabWidth = 4;

const columnsOf = (line: string, width: number): number =>
  width + (tabWidth - 1) * (line.slice(0, width).split('\t').length - 1);

/** A fence may be in a list or a quote: the length of `> `, `- `, `1. ` and whitespace at the start, in any order. */
function prefixLength(line: string): number {
  let at = 0;
  for (;;) {
    while (blankOrQuote.has(line.charCodeAt(at))) at++;
    let next = at;
    if (bullets.has(line.charCodeAt(at))) next++;
    else {
      while (isDigit(line.charCodeAt(next))) next++;
      if (next === at || !digitSigns.has(line.charCodeAt(next))) return at;
      next++;
    }
    if (line[next] !== ' ') return at;
    at = next;
  }
}

const codesOf = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, character => character.charCodeAt(0)));
const blankOrQuote = codesOf(' \t>');
const bullets = codesOf('-*+');
const digitSigns = codesOf('.)');
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The length of whitespace and quote marks at the start of a line. */
function quoteLength(line: string): number {
  let at = 0;
  while (at < line.length && (line[at] === '>' || line.charAt(at).trim() === '')) at++;
  return at;
}

/** Removes as much of the fence's indentation or quote marks as the line has. */
function withoutPrefix(line: string, prefix: string): string {
  const isQuote = prefix.includes('>');
  let width = 0;
  while (width < prefix.length && width < line.length) {
    const character = line[width] ?? '';
    if (character !== ' ' && character !== '\t' && !(isQuote && character === '>')) break;
    width++;
  }
  return line.slice(width);
}
