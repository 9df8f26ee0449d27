import { type Fence, openingFenceAt } from '../../markdown';
import { hasText, isChatter } from './chatter';
import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

/** The marker for the code between two blocks of one answer. */
const gapMarker = '...';
const maxFences = 60;
const maxFenceIndent = 3;
const markdownInfo = /^(?:md|mdx|markdown)\b/i;

interface Block {
  start: number;
  end: number;
}

/** Removes code fences and the sentences around them. */
export function unfence(lines: string[], known: KnownLines): string[] {
  const fences = lines.filter(isFence).length;
  if (fences === 0 || fences > maxFences) {
    return lines;
  }
  const blocks = blocksOf(lines, known);
  const [first] = blocks ?? [];
  if (!blocks || !first) {
    return withoutLoneFence(lines, known);
  }
  const shown = blocks.length > 1 ? withoutCommands(blocks, lines, known) : blocks;
  const outside = lines.filter(
    (_, at) => !blocks.some(({ start, end }) => at >= start && at <= end),
  );
  if (!outside.every(line => isChatter(line, known))) {
    return lines;
  }
  return shown.flatMap(({ start, end }, k) => {
    const body = lines.slice(start + 1, end);
    return k === 0 ? body : [gapMarker, ...body];
  });
}

const shellFence =
  /^ {0,3}[`~]+\s*(?:bash|sh|shell|zsh|console|terminal|powershell|text|output)\b/i;

/** Drops blocks of shell commands, unless there are no others. */
function withoutCommands(
  blocks: readonly Block[],
  lines: readonly string[],
  known: KnownLines,
): readonly Block[] {
  const code = blocks.filter(
    ({ start, end }) =>
      !shellFence.test(lines[start] ?? '') ||
      lines.slice(start + 1, end).some(line => hasText(line) && known.has(line.trim())),
  );
  return code.length > 0 ? code : blocks;
}

export function isFence(line: string): boolean {
  return fenceOf(line) !== undefined;
}

/** The opening fence of a line; as in CommonMark, it is indented by at most three spaces. */
function fenceOf(line: string): Fence | undefined {
  let start = 0;
  while (start < maxFenceIndent && line[start] === ' ') start++;
  return openingFenceAt(line, start);
}

/** The outermost fenced blocks; undefined when the fences belong to the code. */
function blocksOf(lines: readonly string[], known: KnownLines): Block[] | undefined {
  const blocks: Block[] = [];
  const isMarkdown = [...known].some(isFence);
  for (let at = 0; at < lines.length; at++) {
    const fence = fenceOf(lines[at] ?? '');
    if (!fence) {
      continue;
    }
    const { marks, info } = fence;
    const nests = isMarkdown || markdownInfo.test(info);
    const end = closingFence(lines, at, marks, nests);
    const isWrapper = isMarkdown
      ? wrapsMarkdown(lines.slice(at, end), at > 0, known)
      : !known.has(lines[at]?.trim() ?? '');
    if (end === undefined || !isWrapper) {
      return undefined;
    }
    blocks.push({ start: at, end });
    at = end;
  }
  return blocks;
}

/** Tells a fence around a part of a Markdown file from the fences of that file. */
function wrapsMarkdown(
  [opening = '', ...body]: readonly string[],
  isIntroduced: boolean,
  known: KnownLines,
): boolean {
  const { marks = '', info = '' } = fenceOf(opening) ?? {};
  const isKnown = known.has(opening.trim());
  const says = body.filter(line => hasText(line) && !isMarkerLine(line));
  const kept = says.filter(line => known.has(line.trim())).length;
  if (kept === says.length && isKnown) {
    return false;
  }
  const fences = body.filter(isFence);
  const [next] = fences;
  // Within a block, the next fence cannot be an opening one.
  if (next !== undefined && fenceOf(next)?.info !== '' && (!isKnown || fences.length % 2 === 0)) {
    return true;
  }
  const elidesFirst = isMarkerLine(body.find(hasText) ?? '');
  const isMostlyKept = fences.length === 0 && kept > 1 && kept * 2 >= says.length;
  if (isKnown) {
    return isIntroduced && (elidesFirst || isMostlyKept);
  }
  return elidesFirst || isMostlyKept || markdownInfo.test(info) || marks.length > 3;
}

/** The closing fence; for Markdown the last one, since its text contains fences. */
function closingFence(
  lines: readonly string[],
  start: number,
  fence: string,
  nests: boolean,
): number | undefined {
  const closes = (line: string): boolean => {
    const text = line.trim();
    return text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length);
  };
  const end = nests
    ? lines.findLastIndex((line, at) => at > start && closes(line))
    : lines.findIndex((line, at) => at > start && closes(line));
  return end < 0 ? undefined : end;
}

/** Removes a single fence: a truncated answer lacks the closing one, a copied part of an answer the opening one. */
function withoutLoneFence(lines: string[], known: KnownLines): string[] {
  const fences = lines.flatMap((line, at) => (isFence(line) ? [at] : []));
  const [lone] = fences;
  if (lone === undefined || fences.length > 1 || [...known].some(isFence)) {
    return lines;
  }
  const above = lines.slice(0, lone);
  const below = lines.slice(lone + 1);
  if (above.every(line => isChatter(line, known))) {
    return below;
  }
  return below.every(line => isChatter(line, known)) ? above : lines;
}
