import { sentence } from '../../../base/sentence';
import { type EditOperation, type EditPart, part } from '../operations';

/** Patches with the headers `*** Update File: …`, with or without `*** Begin Patch`. */
const fileHeader = /^\*\*\* (Update|Add|Delete) File: (.+)$/;
const moveHeader = /^\*\*\* Move to: (.+)$/;
const isFileHeader = (line: string): boolean => fileHeader.test(line.trim());
const isBegin = (line: string): boolean => line.trim() === '*** Begin Patch';
/** With a blank in front it may also be an unchanged line, unless nothing follows. */
const isEnd = (line: string, isLast: boolean): boolean => isPatchEnd(isLast ? line.trim() : line);

export const isPatchEnd = (line: string): boolean => line.trimEnd() === '*** End Patch';

/** Whether a line names the next file of a patch. */
export const isSectionStart = (line: string): boolean =>
  line.startsWith('***') && isFileHeader(line);

/** The last line that ends a patch; -1 where none does. */
export function lastPatchEnd(lines: readonly string[]): number {
  const lastText = lines.findLastIndex(line => line.trim() !== '');
  return lines.findLastIndex((line, at) => isEnd(line, at === lastText));
}

export function isAgentPatchStart(line: string): boolean {
  return isBegin(line) || isSectionStart(line);
}

/**
 * The line after the last one of the patch that begins at `start`.
 *
 * @param lastEnd {@link lastPatchEnd} of the lines.
 */
export function agentPatchEnd(lines: readonly string[], start: number, lastEnd: number): number {
  for (let at = start; at <= lastEnd; at++) {
    if (isEnd(lines[at] ?? '', at === lastEnd)) return at + 1;
    // That end belongs to another patch.
    if (at > start && isBegin(lines[at] ?? '')) break;
  }
  // Without an end, the patch goes on as long as lines have marks.
  let last = start + 1;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line !== '' && !/^(?:[-+ \\]|@@|\*\*\* )/.test(line)) break;
    if (line.trim() !== '') last = at + 1;
  }
  return last;
}

/** Whether a patch begins, and does not end. */
export const isOpenPatch = (lines: readonly string[]): boolean =>
  lines.findLastIndex(isBegin) > lastPatchEnd(lines);

export function readAgentPatch(lines: readonly string[]): EditPart[] {
  const unnamed: string[] = [];
  const sections: string[][] = [];
  const lastEnd = lastPatchEnd(lines);
  lines.forEach((line, at) => {
    if (isEnd(line, at === lastEnd) || isBegin(line)) return;
    const isOpen = (sections.at(-1)?.length ?? 0) > 1;
    if (isFileHeader(line) && (line.startsWith('***') || !isOpen)) sections.push([]);
    (sections.at(-1) ?? unnamed).push(line);
  });
  const parts = sections.map(section => part(section.join('\n'), operationOf(section)));
  if (parts.length > 0 && !unnamed.some(line => /^[-+]/.test(line))) return parts;
  const source = (parts.length > 0 ? unnamed : lines).join('\n');
  return [part(source, { kind: 'none', reason: sentence('The patch names no file.') }), ...parts];
}

function operationOf([header = '', ...body]: readonly string[]): EditOperation {
  const [, verb, path = ''] = fileHeader.exec(header.trim()) ?? [];
  if (verb === 'Delete') return { kind: 'delete', path };
  if (verb === 'Add') return { kind: 'create', path, text: addedText(body) };
  const newPath = moveHeader.exec(body[0]?.trim() ?? '')?.[1];
  const changes = newPath === undefined ? body : body.slice(1);
  const hasChanges = changes.some(line => /^[-+]/.test(line));
  const diff = hasChanges ? [`*** Update File: ${path}`, ...changes].join('\n') : undefined;
  if (newPath !== undefined) return { kind: 'rename', path, newPath, diff };
  return diff === undefined
    ? { kind: 'none', path, reason: sentence('The patch changes nothing in this file.') }
    : { kind: 'diff', path, diff };
}

/** Some models forget the marks of a new file. */
function addedText(body: readonly string[]): string {
  const last = body.findLastIndex(line => line.trim() !== '');
  const lines = body.slice(0, last + 1);
  const areMarked = lines.every(line => line === '' || line.startsWith('+'));
  return lines.map(line => `${areMarked ? line.slice(1) : line}\n`).join('');
}
