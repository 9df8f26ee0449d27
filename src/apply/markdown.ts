import { fenceAt, fits, openingFenceAt } from '../markdown/fence';
import { splitLines } from '../merge/text';

export interface FencedBlock {
  /** What follows the opening fence, such as `ts title="a.ts"`. */
  readonly info: string;
  readonly text: string;
  /** The last line with text above the fence, outside of other blocks; at most two blank lines lie between. */
  readonly above: string | undefined;
}

export interface Markdown {
  readonly blocks: readonly FencedBlock[];
  /** The lines that stand in no block. */
  readonly outside: readonly string[];
}

const canNest = /^(md|mdx|markdown)\b/i;
const mostBlanksAbove = 2;
/** No answer or page has so many. */
export const mostBlocks = 1000;

/** Ends after one block more than {@link mostBlocks}. */
export function readMarkdown(text: string): Markdown {
  const lines = splitLines(text);
  if (!text.includes('```') && !text.includes('~~~')) return { blocks: [], outside: lines };
  const blocks: FencedBlock[] = [];
  const outside: string[] = [];
  let above: string | undefined;
  let blanks = 0;
  for (let index = 0; index < lines.length && blocks.length <= mostBlocks; index++) {
    const line = lines[index] ?? '';
    if (line === '') {
      outside.push(line);
      if (++blanks > mostBlanksAbove) above = undefined;
      continue;
    }
    if (startsWord(line.charCodeAt(0))) {
      outside.push(line);
      above = line;
      blanks = 0;
      continue;
    }
    const width = prefixLength(line);
    const fence = openingFenceAt(line, width);
    if (!fence) {
      outside.push(line);
      blanks = line.trim() === '' ? blanks + 1 : 0;
      if (blanks === 0) above = line;
      if (blanks > mostBlanksAbove) above = undefined;
      continue;
    }
    const { marks, info } = fence;
    const end = closingLine(lines, index + 1, marks, canNest.test(info));
    const prefix = line.slice(0, width);
    const body = lines.slice(index + 1, end).map(inner => withoutPrefix(inner, prefix));
    blocks.push({ info: info.trim(), text: body.join('\n'), above: above?.trim() });
    above = undefined;
    blanks = 0;
    index = end;
  }
  return { blocks, outside };
}

/** Most lines begin with a letter or a bracket: no fence can follow. */
const startsWord = (code: number): boolean =>
  (code >= 63 && code < 96) || (code > 96 && code < 126);

/** The line of the closing fence, or the number of lines when it is missing. */
function closingLine(
  lines: readonly string[],
  start: number,
  marks: string,
  isNesting: boolean,
): number {
  let depth = 1;
  for (let line = start; line < lines.length; line++) {
    const text = lines[line] ?? '';
    const fence = fenceAt(text, quoteLength(text));
    if (!fence || !fits(fence, marks)) continue;
    if (fence.info === '') depth--;
    else if (isNesting) depth++;
    if (depth === 0) return line;
  }
  return lines.length;
}

/** A fence may stand in a list or a quote: the length of `> `, `- `, `1. ` and blanks at the start, in any order. */
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

/** White space and quote marks at the start of a line. */
function quoteLength(line: string): number {
  let at = 0;
  while (at < line.length && (line[at] === '>' || line.charAt(at).trim() === '')) at++;
  return at;
}

/** Takes off as much of the fence's indentation or quote marks as the line has. */
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
