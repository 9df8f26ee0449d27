import { fencedBlockAt } from '../../markdown';
import { hasMarkers, isUnifiedDiff, startsBlock } from '../../merge';
import { splitPathComment } from '../parse/pathComment';
import {
  agentPatchEnd,
  isAgentPatchStart,
  lastPatchEnd,
  readAgentPatch,
} from './dialects/agentPatch';
import { readBlocks } from './dialects/blocks';
import type { FileTagContent } from './dialects/fileTags';
import { isDiffStart, readDiff } from './dialects/gitDiff';
import { heredocAt, writesFile } from './dialects/heredoc';
import { readToolCalls } from './dialects/toolCalls';
import { looseCode } from './looseCode';
import { type EditPart, part, reasons } from './operations';

/** What is known of a text before it is read. */
export interface TextNaming {
  readonly path?: string | undefined;
  readonly isNew?: boolean;
  /** It stands for the whole file unless it leaves out code. */
  readonly isWhole?: boolean;
  /** The info string of its fence. */
  readonly info?: string;
}

/** The parts of the text of a block, a tag or a tool call. */
export function partsOfText(text: string, naming: TextNaming, source = text): EditPart[] {
  const { path, info = '', isWhole = false } = naming;
  const lines = text.split('\n');
  const first = lines.findIndex(line => line.trim() !== '');
  const calls =
    /^(?:json\w*)?$/i.test(info) && !isWhole
      ? readToolCalls(text, patch => partsOfText(patch, {}))
      : undefined;
  if (calls) return calls;
  if (isAgentPatchStart(lines[first] ?? '')) {
    const lastEnd = lastPatchEnd(lines);
    const end = lastEnd < 0 ? lines.length : agentPatchEnd(lines, first, lastEnd);
    return lines.slice(end).some(line => line.trim() !== '')
      ? partsAround(lines, first, naming)
      : readAgentPatch(lines).map(found => withDefaultPath(found, path));
  }
  if (!isWhole && writesFile(lines)) return partsOfCommands(lines);
  if (startsBlock(lines, first)) return readBlocks(lines, path);
  const patchAt = isWhole ? -1 : lines.findIndex(isAgentPatchStart);
  if (patchAt > 0) return partsAround(lines, patchAt, naming);
  if (
    lines.some((_, at) => isDiffStart(lines, at)) ||
    (isUnifiedDiff(text) && (!isWhole || lines[first]?.startsWith('@@')))
  ) {
    return readDiff(lines).map(found => withDefaultPath(found, path));
  }
  if (lines.some((_, at) => startsBlock(lines, at))) return readBlocks(lines, path);
  if (/^(?:diff|patch)\b/i.test(info) && /^[-+]/m.test(text)) {
    return [part(source, { kind: 'diff', path, diff: `@@\n${text}` })];
  }
  if (isWhole && path !== undefined && !hasMarkers(text)) {
    return [part(source, { kind: 'write', path, text })];
  }
  if (path !== undefined && /^append\s/i.test(info)) {
    return [part(source, { kind: 'insert', path, line: 'end', text })];
  }
  return [snippetPart(text, naming, source)];
}

/** Whether a text says by itself what it does to a file. */
export const hasStructure = (text: string): boolean => {
  const lines = text.split('\n');
  if (writesFile(lines)) return true;
  return lines.some(
    (line, at) => startsBlock(lines, at) || isAgentPatchStart(line) || isDiffStart(lines, at),
  );
};

/** The content of a file tag: the whole file, a fenced one, a patch, or a sketch of the change. */
export function contentOfFile(text: string, { path, source, isWhole }: FileTagContent): EditPart[] {
  const lines = text
    .replace(/^\s*<!\[CDATA\[\n?/, '')
    .replace(/\]\]>\s*$/, '')
    .split('\n');
  const first = lines.findIndex(line => line.trim() !== '');
  const block = first < 0 ? undefined : fencedBlockAt(lines, first);
  const isFenced = block && lines.slice(block.end).every(line => line.trim() === '');
  const inner = isFenced ? block.text : lines.join('\n');
  return partsOfText(inner, { path, isWhole }, source).map(found => withDefaultPath(found, path));
}

/** The whole content of a file that a command writes. */
export const contentOfHeredoc = (text: string, path: string, source: string): EditPart[] =>
  partsOfText(text, { path, isWhole: true }, source);

/** Files that commands for the shell write; the other commands are named. */
function partsOfCommands(lines: readonly string[]): EditPart[] {
  const parts: EditPart[] = [];
  const others: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const found = heredocAt(lines, at, contentOfHeredoc);
    if (found) parts.push(...found.parts);
    else if (!isHarmless(lines[at] ?? '')) others.push(lines[at] ?? '');
    at = found?.end ?? at + 1;
  }
  return others.length === 0
    ? parts
    : [...parts, part(others.join('\n'), { kind: 'none', reason: reasons.terminal })];
}

/** Folders are made with their files, and comments do nothing. */
const isHarmless = (line: string): boolean => /^\s*(?:$|#|(?:\$ )?mkdir (?:-p )?\S+$)/.test(line);

/** Patches of agents among other lines, as in a block that nothing closes. */
function partsAround(lines: readonly string[], first: number, naming: TextNaming): EditPart[] {
  const parts = looseCode(lines.slice(0, first), false);
  const lastEnd = lastPatchEnd(lines);
  for (let start = first; start < lines.length; ) {
    const end = agentPatchEnd(lines, start, lastEnd);
    parts.push(...partsOfText(lines.slice(start, end).join('\n'), naming));
    let next = end;
    while (next < lines.length && !isAgentPatchStart(lines[next] ?? '')) next++;
    parts.push(...looseCode(lines.slice(end, next), true));
    start = next;
  }
  return parts;
}

export function withDefaultPath(found: EditPart, path: string | undefined): EditPart {
  const { operation } = found;
  if (operation.path !== undefined || path === undefined) return found;
  return { ...found, operation: { ...operation, path } };
}

/** Code that shows a part of a file; a first line with nothing but a path names the file. */
export function snippetPart(
  text: string,
  { path: known, isNew = false }: TextNaming,
  source = text,
): EditPart {
  const { path, ...commented } = splitPathComment(text, known);
  return part(source, {
    kind: 'snippet',
    ...(path !== undefined && { path }),
    ...commented,
    ...(isNew && { isNew }),
  });
}
