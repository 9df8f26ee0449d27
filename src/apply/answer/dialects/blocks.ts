import { pathAbove } from '../../../markdown';
import { blockAt, type SearchReplaceBlock, startsBlock } from '../../../merge';
import { looseCode } from '../looseCode';
import { type EditPart, part, reasons } from '../operations';
import { isAgentPatchStart } from './agentPatch';
import { isDiffStart } from './gitDiff';
import { startsTaggedCall } from './taggedCalls';

/** The line after the last search/replace block of those that begin at `start`; other lines end them, except in one without an end. */
export function blocksEnd(lines: readonly string[], start: number): number {
  let end = start;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (!startsBlock(lines, at)) break;
    const block = blockAt(lines, at);
    at = block?.end ?? incompleteEnd(lines, at);
    end = at + 1;
  }
  return end;
}

/**
 * The search/replace blocks in some lines, one part per file; lines between blocks may name their files.
 *
 * @param path of the blocks that name none.
 */
export function readBlocks(lines: readonly string[], path: string | undefined): EditPart[] {
  const parts: EditPart[] = [];
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
    if (!startsBlock(lines, at)) {
      between.push(line);
      continue;
    }
    parts.push(...looseCode(between, false));
    named = pathAbove(between) ?? named;
    between = [];
    const block = blockAt(lines, at);
    const end = block?.end ?? incompleteEnd(lines, at);
    const source = lines.slice(at, end + 1);
    if (block) {
      if (open?.path !== named) close();
      open ??= { path: named, source: [], blocks: [] };
      open.source.push(...source);
      const { end: _end, ...own } = block;
      open.blocks.push(own);
    } else {
      close();
      parts.push(
        part(source.join('\n'), { kind: 'none', path: named, reason: reasons.incomplete }),
      );
    }
    at = end;
  }
  close();
  return [...parts, ...looseCode(between, false)];
}

/** Whether a block, a fence, a tag with a name, or a patch begins at a line. */
export function beginsPart(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return (
    startsBlock(lines, at) ||
    /^(?:```|~~~|<(?!parameter\b)\w+ \w+=)/.test(line) ||
    startsTaggedCall(line) ||
    isAgentPatchStart(line) ||
    isDiffStart(lines, at)
  );
}

/** The last line of a block or tag without an end: the next block, fence or patch begins after it. */
export function incompleteEnd(lines: readonly string[], start: number): number {
  let next = start + 1;
  while (next < lines.length && !beginsPart(lines, next)) next++;
  return next - 1;
}

/** Whether a search/replace block begins at a line and searches for nothing, as one does for a new file. */
export const createsFile = (lines: readonly string[], at: number): boolean =>
  startsBlock(lines, at) && blockAt(lines, at)?.search.trim() === '';
