import { type EditPart, part, reasons } from '../operations';
import { incompleteEnd } from './blocks';
import type { FileTag, FileTagContent } from './fileTags';

/**
 * Tags that aider asks for in the place of fences where a file holds fences of its own. The line above names the file:
 *
 *     src/a.ts
 *     <source>
 *     ...
 *     </source>
 */
const tagFence = /^<(source|code|pre|codeblock|sourcecode)>\s*$/;

/** Others write these around a few lines of code, too. */
const shortTags: ReadonlySet<string> = new Set(['code', 'pre']);

/**
 * The file between such tags that begins at a line.
 *
 * @param pathAbove the file that the line above names; without it, the tag may be one of a page.
 * @param unclosed tags of which the end was looked for in vain, so that many of them cost no more than one.
 */
export function tagFenceAt(
  lines: readonly string[],
  start: number,
  pathAbove: () => string | undefined,
  readContent: (text: string, file: FileTagContent) => EditPart[],
  unclosed: Set<string>,
): FileTag | undefined {
  const tag = tagFence.exec(lines[start] ?? '')?.[1];
  const path = tag === undefined ? undefined : pathAbove();
  if (tag === undefined || path === undefined) return undefined;
  const close = `</${tag}>`;
  let end = unclosed.has(close) ? lines.length : start + 1;
  while (end < lines.length && lines[end]?.trimEnd() !== close) end++;
  if (end >= lines.length) {
    unclosed.add(close);
    const next = incompleteEnd(lines, start) + 1;
    const source = lines.slice(start, next).join('\n');
    return { end: next, parts: [part(source, { kind: 'none', path, reason: reasons.unclosed })] };
  }
  const source = lines.slice(start, end + 1).join('\n');
  const text = lines.slice(start + 1, end).join('\n');
  return { end: end + 1, parts: readContent(text, { path, source, isWhole: !shortTags.has(tag) }) };
}
