import { fenceAt, indentEnd } from '../../markdown';
import { looksLikeCode } from '../parse/codeShape';
import { isOpenPatch, isPatchEnd, isSectionStart } from './dialects/agentPatch';
import { isDiffStart, isOpenDiff } from './dialects/gitDiff';
import type { EditPart } from './operations';

/** Whether the lines of a patch, which are the last ones of an answer, lack its end. */
export const isPatchCutOff = (lines: readonly string[]): boolean =>
  isOpenPatch(lines) || isOpenDiff(lines);

/** The parts of a text that was cut off: its start is missing in the first one, or its end in the last one. */
export function markedCutOff(parts: readonly EditPart[], cutAt: 'start' | 'end'): EditPart[] {
  const cut = cutAt === 'start' ? 0 : parts.length - 1;
  return parts.map((one, at) => (at === cut ? { ...one, cutAt } : one));
}

/** The lines that an answer begins with where its first ones were not copied. */
export interface CutHead {
  /** The line after the last one of them. */
  readonly end: number;
  /** The line after the fence or the mark that closes them. */
  readonly next: number;
  readonly isDiff: boolean;
}

/** The rest of the block or of the diff that an answer begins in; undefined where it begins with text or with a whole part. */
export function cutHead(lines: readonly string[]): CutHead | undefined {
  const start = lines.findIndex((_, at) => isPatchStart(lines, at));
  const above = lines.slice(0, Math.max(0, start));
  if (isCutDiff(above)) {
    return { end: start, next: isPatchEnd(lines[start] ?? '') ? start + 1 : start, isDiff: true };
  }
  return cutBlock(lines) ?? cutTag(lines);
}

const isPatchStart = (lines: readonly string[], at: number): boolean =>
  isDiffStart(lines, at) || isSectionStart(lines[at] ?? '') || isPatchEnd(lines[at] ?? '');

function cutBlock(lines: readonly string[]): CutHead | undefined {
  const fences = lines.flatMap((line, at) => {
    const fence = fenceAt(line, indentEnd(line));
    return fence ? [{ ...fence, at }] : [];
  });
  const [first, second] = fences;
  // Each block has two.
  if (!first || first.info !== '' || fences.length % 2 === 0) return undefined;
  const above = lines.slice(0, first.at);
  const below = lines.slice(first.at + 1);
  const isDiff = isCutDiff(above);
  const isCode = isDiff || looksLikeCode(above.join('\n'));
  const isFollowed = second ? second.info !== '' : !looksLikeCode(below.join('\n'));
  return isCode && isFollowed ? { end: first.at, next: first.at + 1, isDiff } : undefined;
}

/** The rest of a file between tags. */
function cutTag(lines: readonly string[]): CutHead | undefined {
  const end = lines.findIndex(line => /<\/?(?:file|document)\b/.test(line));
  const isClosing = /^<\/\w+>\s*$/.test(lines[end] ?? '');
  const above = lines.slice(0, Math.max(0, end)).join('\n');
  return isClosing && looksLikeCode(above) ? { end, next: end + 1, isDiff: false } : undefined;
}

/** Whether lines are those of a diff without its head; a list has marks as well. */
const isCutDiff = (lines: readonly string[]): boolean =>
  lines.some(line => /^[-+](?![-+])/.test(line)) &&
  lines.every(line => line === '' || /^[-+ @\\]/.test(line)) &&
  !lines.every(line => /^\s*(?:$|[-+] \S)/.test(line));
