import { splitLines } from '../../base/text/textLines';

export interface SearchReplaceBlock {
  readonly search: string;
  readonly replace: string;
}

export interface SearchReplaceFile {
  readonly path?: string;
  readonly blocks: readonly SearchReplaceBlock[];
}

const blockStart = /^\s*(?:<{5,9} ?(?:SEARCH|ORIGINAL|OLD|BEFORE|FIND)\b|-{5,9} SEARCH\b)/;
const blockSeparator = /^\s*={5,9}\s*$/;
const blockEnd = /^\s*(?:>{5,9} ?(?:REPLACED?|UPDATED|NEW|AFTER)\b|\+{5,9} REPLACE\b)/;
/** Line hints that some chats add; ignored, because the search text is more reliable. */
const lineHint = /^:(?:start_line|end_line):\s*\d+\s*$|^-{5,9}\s*$/;

export function hasSearchReplace(text: string): boolean {
  return ['<<<<<', '----- SEARCH'].some(mark => {
    for (let at = text.indexOf(mark); at >= 0; ) {
      const [start, end] = lineAround(text, at);
      if (isBlockStart(text.slice(start, end))) return true;
      at = text.indexOf(mark, Math.max(end, at + 1));
    }
    return false;
  });
}

/** Start and end of the line at an offset. */
function lineAround(text: string, at: number): [number, number] {
  let start = at;
  while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) start--;
  let end = at;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return [start, end];
}

const isLineEnd = (code: number): boolean => code === 10 || code === 13;

export function isBlockStart(line: string): boolean {
  return blockStart.test(line);
}

/**
 * Reads all blocks, one entry per file; undefined when a block is incomplete. `rest` is the text without them.
 *
 * @param pathIn finds the file name in the lines above a block.
 */
export function readSearchReplace(
  text: string,
  pathIn: (linesAbove: readonly string[]) => string | undefined = () => undefined,
): { files: SearchReplaceFile[]; rest: string } | undefined {
  const lines = splitLines(text);
  const files = new Map<string, { path?: string; blocks: SearchReplaceBlock[] }>();
  const rest: string[] = [];
  let path: string | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line === '' || !blockStart.test(line)) {
      rest.push(line);
      continue;
    }
    const block = blockAt(lines, index);
    if (!block) return undefined;
    path = pathIn(rest) ?? path;
    const file = files.get(path ?? '') ?? { ...(path === undefined ? {} : { path }), blocks: [] };
    file.blocks.push(block);
    files.set(path ?? '', file);
    index = block.end;
  }
  return { files: [...files.values()], rest: rest.join('\n') };
}

/** The block whose first mark is at a line, with the line of its last mark; undefined when it is incomplete. */
export function blockAt(
  lines: readonly string[],
  start: number,
): (SearchReplaceBlock & { readonly end: number }) | undefined {
  const splits: number[] = [];
  let end = start + 1;
  for (; end < lines.length && !blockEnd.test(lines[end] ?? ''); end++) {
    const line = lines[end] ?? '';
    if (blockStart.test(line)) return undefined;
    if (blockSeparator.test(line)) splits.push(end);
  }
  const split = splitOf(splits, lines);
  if (split === undefined || end === lines.length) return undefined;
  let first = start + 1;
  if (lines[first]?.startsWith(':')) while (lineHint.test(lines[first] ?? '')) first++;
  return {
    search: lines.slice(first, split).join('\n'),
    replace: lines.slice(split + 1, end).join('\n'),
    end,
  };
}

/** Picks the separator of a block; underlined headings in both sides may look like separators. */
function splitOf(splits: readonly number[], lines: readonly string[]): number | undefined {
  const usual = splits.filter(at => lines[at]?.trim() === '=======');
  const likely = usual.length > 0 ? usual : splits;
  return likely[Math.floor((likely.length - 1) / 2)];
}
