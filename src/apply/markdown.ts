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

// A fence may stand in a list or a quote; a back-quoted word in a sentence is no fence.
const opening = /^((?:[ \t]|> ?|[-*+] +|\d+[.)] +)*)(`{3,}|~{3,})\s*([^`]*)$/;
const canNest = /^(md|mdx|markdown)\b/i;
const mostBlanksAbove = 2;

export function readMarkdown(text: string): Markdown {
  const lines = splitLines(text);
  const blocks: FencedBlock[] = [];
  const outside: string[] = [];
  let above: string | undefined;
  let blanks = 0;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const [fenceLine, prefix = '', fence = '', info = ''] = opening.exec(line) ?? [];
    if (fenceLine === undefined) {
      outside.push(line);
      blanks = line.trim() === '' ? blanks + 1 : 0;
      if (blanks === 0) above = line.trim();
      if (blanks > mostBlanksAbove) above = undefined;
      continue;
    }
    const end = closingLine(lines, index + 1, fence, canNest.test(info));
    const body = lines.slice(index + 1, end).map(inner => withoutPrefix(inner, prefix));
    blocks.push({ info: info.trim(), text: body.join('\n'), above });
    above = undefined;
    blanks = 0;
    index = end;
  }
  return { blocks, outside };
}

/** The line of the closing fence, or the number of lines when it is missing. */
function closingLine(
  lines: readonly string[],
  start: number,
  fence: string,
  isNesting: boolean,
): number {
  const isFence = new RegExp(`^[\\s>]*${fence[0] ?? '`'}{${fence.length},}\\s*(.*)$`);
  let depth = 1;
  for (let line = start; line < lines.length; line++) {
    const match = isFence.exec(lines[line] ?? '');
    if (!match) continue;
    if (match[1] === '') depth--;
    else if (isNesting) depth++;
    if (depth === 0) return line;
  }
  return lines.length;
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
