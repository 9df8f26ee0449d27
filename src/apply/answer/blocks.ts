import { pathAbove } from '../../markdown';
import { blockAt, isBlockStart, type SearchReplaceBlock } from '../../merge';
import { type AnswerPart, part, reasons } from './operations';

/** The line after the last search/replace block of those that begin at `start`; other lines end them. */
export function blocksEnd(lines: readonly string[], start: number): number {
  let end = start;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (!isBlockStart(line)) break;
    const block = blockAt(lines, at);
    at = block?.end ?? at;
    end = at + 1;
    if (!block) break;
  }
  return end;
}

/**
 * The search/replace blocks in some lines, one part per file; lines between blocks may name their files.
 *
 * @param path of the blocks that name none.
 */
export function readBlocks(lines: readonly string[], path: string | undefined): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let between: string[] = [];
  let named = path;
  let open:
    | { path: string | undefined; source: string[]; blocks: SearchReplaceBlock[] }
    | undefined;
  const close = (): void => {
    if (open) {
      parts.push(
        part(open.source.join('\n'), { kind: 'blocks', path: open.path, blocks: open.blocks }),
      );
    }
    open = undefined;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!isBlockStart(line)) {
      between.push(line);
      continue;
    }
    named = pathAbove(between) ?? named;
    between = [];
    const block = blockAt(lines, at);
    const end = block?.end ?? incompleteEnd(lines, at);
    const source = lines.slice(at, end + 1);
    if (block) {
      if (open?.path !== named) close();
      open ??= { path: named, source: [], blocks: [] };
      open.source.push(...source);
      open.blocks.push({ search: block.search, replace: block.replace });
    } else {
      close();
      parts.push(
        part(source.join('\n'), { kind: 'none', path: named, reason: reasons.incomplete }),
      );
    }
    at = end;
  }
  close();
  return parts;
}

/** The last line of a block without an end: the next block begins after it. */
function incompleteEnd(lines: readonly string[], start: number): number {
  let next = start + 1;
  while (next < lines.length && !isBlockStart(lines[next] ?? '')) next++;
  return next - 1;
}
