import { splitLines } from '../merge/text';
import { pathFromHeading, pathFromInfo } from './pathHint';

export interface SearchReplaceBlock {
  readonly search: string;
  readonly replace: string;
}

export interface SearchReplaceFile {
  readonly path?: string;
  readonly blocks: readonly SearchReplaceBlock[];
}

const start = /^\s*<{5,9} ?(?:SEARCH|ORIGINAL)\b/;
const middle = /^\s*={5,9}\s*$/;
const end = /^\s*>{5,9} ?(?:REPLACE|UPDATED)\b/;
const fence = /^\s*(?:`{3,}|~{3,})(.*)$/;

export function hasSearchReplace(text: string): boolean {
  return splitLines(text).some(line => start.test(line));
}

/** Reads all blocks, one entry per file; undefined when a block is not complete. `rest` is the text without them. */
export function readSearchReplace(
  text: string,
): { files: SearchReplaceFile[]; rest: string } | undefined {
  const lines = splitLines(text);
  const files = new Map<string, { path?: string; blocks: SearchReplaceBlock[] }>();
  const rest: string[] = [];
  let path: string | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (!start.test(line)) {
      rest.push(line);
      continue;
    }
    const split = findFrom(lines, index, middle);
    const close = findFrom(lines, split, end);
    if (split === -1 || close === -1) return undefined;

    path = pathAbove(rest) ?? path;
    const file = files.get(path ?? '') ?? { ...(path === undefined ? {} : { path }), blocks: [] };
    file.blocks.push({
      search: lines.slice(index + 1, split).join('\n'),
      replace: lines.slice(split + 1, close).join('\n'),
    });
    files.set(path ?? '', file);
    index = close;
  }
  return { files: [...files.values()], rest: rest.join('\n') };
}

function findFrom(lines: readonly string[], from: number, shape: RegExp): number {
  return from === -1 ? -1 : lines.findIndex((line, index) => index > from && shape.test(line));
}

/** The file name directly above, where a fence may stand between. */
function pathAbove(lines: readonly string[]): string | undefined {
  for (const line of lines.slice(-3).toReversed()) {
    if (line.trim() === '') continue;
    const info = fence.exec(line)?.[1];
    const path = info === undefined ? pathFromHeading(line) : pathFromInfo(info);
    if (path !== undefined) return path;
    if (info === undefined) return undefined;
  }
  return undefined;
}
