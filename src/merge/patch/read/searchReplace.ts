import { splitLines } from '../../../base/text/textLines';
import { closes, divides, type Mark, markIn } from './marks';

export interface SearchReplaceBlock {
  readonly search: string;
  readonly replace: string;
  /** 0-based line of the file, if the block names it. */
  readonly start?: number;
  /** The marks were escaped for HTML, so the lines between them may be, too. */
  readonly isEscaped?: true;
  /** Its marks are those of a conflict, which does not say which side is wanted. */
  readonly isConflict?: true;
}

export interface SearchReplaceFile {
  readonly path?: string;
  readonly blocks: readonly SearchReplaceBlock[];
}

/** What is known of the file that a block is for. */
export interface BlockJudge {
  /** A line of the file is never a mark. */
  readonly isLine: (line: string) => boolean;
  /** Whether the lines are in the file. */
  readonly stands: (lines: readonly string[]) => boolean;
}

const nothingKnown: BlockJudge = { isLine: () => false, stands: () => false };

/** Line hints that some chats add. */
const lineHint = /^:(start_line|end_line):\s*(\d+)\s*$|^-{5,}\s*$/;
/** A cheap test for texts without any mark. */
const mayStart = /^[ \t]*(?:<{3}|-{2,}[ \t]*[A-Za-z]|&lt;&lt;&lt;|＜＜＜)/m;

const mayEnd =
  /^[ \t]*(?:>{3}|\+{2,}[ \t]*[A-Za-z]|&gt;&gt;&gt;|＞＞＞|[A-Za-z]{3,11} ?(?:>{3}|&gt;|＞))/m;

export function hasSearchReplace(text: string, judge = nothingKnown): boolean {
  if (!mayStart.test(text)) return false;
  const lines = splitLines(text);
  return lines.some((_, at) => startsBlock(lines, at, judge));
}

/** True for a line that nothing but a block begins with. */
export function isBlockStart(line: string): boolean {
  const mark = markIn(line);
  return mark?.kind === 'start' && mark.isSure;
}

/** Whether a block begins at a line, although it may be incomplete. */
export function startsBlock(lines: readonly string[], at: number, judge = nothingKnown): boolean {
  const mark = markIn(lines[at] ?? '');
  if (mark?.kind !== 'start' || judge.isLine(lines[at] ?? '')) return false;
  if (mark.isSure) return true;
  const { splits, end } = bodyOf(lines, at, mark, judge);
  // A named start and one of the other marks are a block that is damaged; less may be code.
  const found = Number(splits.length > 0) + Number(end !== undefined);
  return mark.isNamed ? found > 0 : found > 1;
}

/** Whether the text between blocks holds marks of one that has no start. */
export function hasOrphanMarks(text: string, judge = nothingKnown): boolean {
  if (!mayEnd.test(text)) return false;
  let hasSplit = false;
  for (const line of splitLines(text)) {
    const mark = markIn(line);
    if (!mark || judge.isLine(line)) continue;
    hasSplit ||= mark.kind === 'split';
    if (mark.kind === 'end' && mark.isNamed && (hasSplit || mark.isSure)) return true;
  }
  return false;
}

/**
 * Reads all blocks, one entry per file; undefined when a block is incomplete. `rest` is the text without them.
 *
 * @param pathIn finds the file name in the lines above a block.
 */
export function readSearchReplace(
  text: string,
  pathIn: (linesAbove: readonly string[]) => string | undefined = () => undefined,
  judge = nothingKnown,
): { files: SearchReplaceFile[]; rest: string } | { incomplete: number } {
  const lines = splitLines(text);
  const files = new Map<string, { path?: string; blocks: SearchReplaceBlock[] }>();
  const rest: string[] = [];
  let path: string | undefined;
  let count = 0;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line === '' || !startsBlock(lines, index, judge)) {
      rest.push(line);
      continue;
    }
    count++;
    const found = blockAt(lines, index, judge);
    if (!found) return { incomplete: count };
    path = pathIn(rest) ?? path;
    const file = files.get(path ?? '') ?? { ...(path === undefined ? {} : { path }), blocks: [] };
    const { end, ...block } = found;
    file.blocks.push(block);
    files.set(path ?? '', file);
    index = end;
  }
  return { files: [...files.values()], rest: rest.join('\n') };
}

/** The block whose first mark is at a line, with the line of its last mark; undefined when it is incomplete. */
export function blockAt(
  lines: readonly string[],
  start: number,
  judge = nothingKnown,
): (SearchReplaceBlock & { readonly end: number }) | undefined {
  const mark = markIn(lines[start] ?? '');
  if (mark?.kind !== 'start') return undefined;
  const { splits, end, closing } = bodyOf(lines, start, mark, judge);
  if (end === undefined || !closing) return undefined;
  const { first, line } = hintsAt(lines, start + 1);
  const split = splitOf(splits, lines, mark, at => judge.stands(lines.slice(first, at)));
  if (split === undefined) return undefined;
  return {
    search: lines.slice(first, split).join('\n'),
    replace: lines.slice(split + 1, end).join('\n'),
    ...(line !== undefined && { start: line }),
    ...((mark.isEscaped || closing.isEscaped) && { isEscaped: true as const }),
    ...(!mark.isNamed && !closing.isNamed && { isConflict: true as const }),
    end,
  };
}

interface Body {
  readonly splits: readonly number[];
  /** The line of the last mark; undefined when another block begins before it, or nothing ends this one. */
  readonly end?: number;
  readonly closing?: Mark;
}

function bodyOf(lines: readonly string[], start: number, mark: Mark, judge: BlockJudge): Body {
  const splits: number[] = [];
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const next = markIn(line);
    if (!next) continue;
    // The separator is told from underlines of headings later on, by what is in the file.
    if (divides(mark, next)) splits.push(at);
    else if (judge.isLine(line)) continue;
    else if (opensAnother(mark, next)) return { splits };
    else if (closes(mark, next)) return { splits, end: at, closing: next };
  }
  return { splits };
}

function opensAnother(mark: Mark, next: Mark): boolean {
  return (
    next.kind === 'start' &&
    next.form === mark.form &&
    (next.isSure || (next.run === mark.run && next.isNamed === mark.isNamed))
  );
}

function hintsAt(lines: readonly string[], from: number): { first: number; line?: number } {
  let first = from;
  let line: number | undefined;
  if (!lines[first]?.startsWith(':')) return { first };
  for (let hint = lineHint.exec(lines[first] ?? ''); hint; ) {
    if (hint[1] === 'start_line') line = Math.max(0, Number(hint[2]) - 1);
    first++;
    hint = lineHint.exec(lines[first] ?? '');
  }
  return { first, ...(line !== undefined && { line }) };
}

/** Picks the separator of a block; underlined headings in both sides may look like separators. */
function splitOf(
  splits: readonly number[],
  lines: readonly string[],
  { run }: Mark,
  stands: (at: number) => boolean,
): number | undefined {
  if (splits.length < 2) return splits[0];
  const lengthAt = (at: number): number => lines[at]?.trim().length ?? 0;
  const like = splits.filter(at => lengthAt(at) === run);
  const usual = like.length > 0 ? like : splits.filter(at => lengthAt(at) === usualRun);
  const likely = usual.length > 0 ? usual : splits;
  const middle = likely[Math.floor((likely.length - 1) / 2)];
  return (likely.length > maxJudged ? undefined : likely.findLast(stands)) ?? middle;
}

const usualRun = 7;
/** Each separator that is tried costs a look at the lines before it. */
const maxJudged = 8;
