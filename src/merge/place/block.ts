import type { Line } from '../lines';
import { closerWithoutComment } from '../snippet/closers';
import type { Section } from '../snippet/sections';
import type { FileIndex } from './fileIndex';

/** A section of the snippet, with line ids like the file's; blank lines are left out. */
export interface Block {
  readonly section: Section;
  readonly ids: readonly number[];
  readonly indents: readonly number[];
}

export function blockOf(section: Section, file: FileIndex): Block {
  const ids: number[] = [];
  const indents: number[] = [];
  for (const line of section.lines) {
    if (line.indent < 0) continue;
    ids.push(idOf(line, file));
    indents.push(line.indent);
  }
  return { section, ids, indents };
}

/** Rows `from` to `to` of a block. */
export function partOfBlock({ ids, indents, section }: Block, from: number, to: number): Block {
  return { section, ids: ids.slice(from, to), indents: indents.slice(from, to) };
}

/** The id of a line; a closing line with a comment that the file does not have is the closing line. */
function idOf(line: Line, file: FileIndex): number {
  const id = file.idOf(line);
  if (file.hasLine(id)) return id;
  const closer = closerWithoutComment(line.trimmed);
  return closer === undefined ? id : file.numberOf(closer);
}

/** How many rows at the start and at the end of a block equal the lines at the same end of `start` to `end`. */
export function equalEnds(
  ids: readonly number[],
  start: number,
  end: number,
  file: FileIndex,
): { readonly above: number; readonly below: number } {
  const lines = file.ids;
  const rows = ids.length;
  const most = Math.min(rows, end - start);
  let above = 0;
  while (above < most && ids[above] === lines[start + above]) above++;
  let below = 0;
  while (below < most - above && ids[rows - 1 - below] === lines[end - 1 - below]) below++;
  return { above, below };
}
