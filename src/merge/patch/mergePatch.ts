import { append } from '../../base/arrays';
import { splitLines } from '../../base/text/textLines';
import { fenceAt } from '../../markdown';
import { type MergeResult, merged, refused } from '../result';
import { isChatter } from '../snippet/chatter';
import { isFence, unfence } from '../snippet/fences';
import { isHalfDiff } from '../snippet/halfDiff';
import type { KnownLines } from '../snippet/knownLines';
import { Source } from '../source';
import { blockHunks } from './blockHunks';
import { isUnifiedDiff, splitByFile } from './diffText';
import { hunkHeader, type PatchHunk, readHunks } from './hunks';
import { LineFinder } from './lineFinder';
import { writePatched } from './patchText';
import { canPlace, placeHunks } from './placeHunks';
import {
  hasSearchReplace,
  isBlockStart,
  readSearchReplace,
  type SearchReplaceBlock,
} from './searchReplace';
import { readTaggedBlocks } from './taggedBlocks';

/** A line that patches have and snippets rarely do. */
const patchLine =
  /^(?:@@|[-+]|\*\*\* (?:Begin|Update)|[ \t]*(?:<{5}|-{5}|<(?:old|search|find|original|before)\w*>))/m;

const patchStart = /^(?:@@(?:[ .-]|@@|$)|diff --git |--- |\*\*\* )/;

/**
 * Merges a unified diff or search/replace blocks; undefined when the update is neither.
 *
 * @param lines the trimmed lines of the original, if the caller has them.
 */
export function mergePatch(
  original: string,
  update: string,
  lines?: KnownLines,
): MergeResult | undefined {
  return patchLine.test(update)
    ? mergeForm(original, update, lines ?? linesOf(original))
    : undefined;
}

function mergeForm(original: string, update: string, known: KnownLines): MergeResult | undefined {
  if (hasSearchReplace(update)) {
    return [...known].some(isBlockStart) ? undefined : mergeBlocks(original, update);
  }
  const tagged = readTaggedBlocks(update, known);
  if (tagged) {
    return applySearchReplace(original, tagged);
  }
  const lines = codeOfPatch(splitLines(update.replace(/^\uFEFF/, '')), known);
  const text = lines.join('\n');
  if (isUnifiedDiff(text)) {
    return isForThisFile(lines, known) ? mergeDiff(original, text) : undefined;
  }
  if (!isHalfDiff(lines, known)) {
    return undefined;
  }
  // The marks may be misleading, so a diff that does not fit is read as a snippet.
  const result = applyHunks(original, readHunks(['@@', ...lines], known));
  return result.kind === 'merged' ? result : undefined;
}

/** The patch without the fence and sentences around it. */
function codeOfPatch(lines: string[], known: KnownLines): string[] {
  const code = unfence(lines, known);
  const first = code.findIndex(line => patchStart.test(line));
  if (first < 1 || !code.slice(0, first).every(line => isChatter(line, known) || isFence(line))) {
    return code;
  }
  // All lines of a patch have a mark, so a fence without one ends it, even if the file has fences too.
  const fence = fenceAt(code[first - 1] ?? '', 0)?.marks;
  const end = code.findLastIndex(line => line.trimEnd() === fence);
  return code.slice(first, end > first ? end : code.length);
}

/** False when the headers are lines of the file, which may be a patch itself or contain templates that look like one. */
function isForThisFile(lines: readonly string[], known: KnownLines): boolean {
  const isTemplated = [...known].some(line => hunkHeader.test(line));
  return lines.some(
    line =>
      patchStart.test(line) &&
      !known.has(line.trim()) &&
      !(isTemplated && hunkHeader.test(line) && !/^@@ ?(?:-\d|\.\.\.|@@|$)/.test(line)),
  );
}

function mergeDiff(original: string, text: string): MergeResult {
  const files = splitByFile(text);
  const paths = new Set(files.map(({ path }) => path));
  if (paths.size > 1) {
    return refused(
      `The diff changes ${paths.size} files (${[...paths].join(', ')}). Apply the part of each file to that file.`,
    );
  }
  return applyUnifiedDiff(original, files.map(({ diff }) => diff).join('\n'));
}

function mergeBlocks(original: string, update: string): MergeResult {
  const found = readSearchReplace(update);
  return found
    ? applySearchReplace(
        original,
        found.files.flatMap(({ blocks }) => blocks),
      )
    : refused(
        'A search/replace block is incomplete: it has no separator or no end. Ask for it again.',
      );
}

/** Applies the diff of one file, whatever its line numbers and counts say. */
export function applyUnifiedDiff(original: string, diff: string): MergeResult {
  const hunks = readHunks(splitLines(diff), linesOf(original));
  return hunks.length === 0 ? refused('The diff holds no changes.') : applyHunks(original, hunks);
}

/** Applies search/replace blocks. Each must fit exactly one place, and may depend on earlier ones. */
export function applySearchReplace(
  original: string,
  blocks: readonly SearchReplaceBlock[],
): MergeResult {
  const finder = finderOf(new Source(original));
  const hunks: PatchHunk[] = [];
  for (const [index, block] of blocks.entries()) {
    const name = blocks.length === 1 ? 'The search text' : `Search text ${index + 1}`;
    const isEmpty = block.search.trim() === '';
    if (isEmpty && finder.lines.some(line => line.trim() !== '')) {
      return refused(`${name} is empty, but the file is not. Add the lines that it replaces.`);
    }
    append(hunks, blockHunks(block, name, finder));
  }
  return applyHunks(original, hunks);
}

/** How many times hunks may depend on the result of other hunks. */
const maxRounds = 12;

/** Applies the hunks that match the text, then those that depend on their result. */
function applyHunks(
  original: string,
  hunks: readonly PatchHunk[],
  rounds = maxRounds,
): MergeResult {
  const source = new Source(original);
  const finder = finderOf(source);
  const ready = hunks.filter(hunk => canPlace(hunk, finder));
  if (rounds > 0 && ready.length > 0 && ready.length < hunks.length) {
    const first = applyAll(source, ready, finder);
    if (first.kind === 'refused') {
      return first;
    }
    const waiting = hunks.filter(hunk => !ready.includes(hunk)).map(unnumbered);
    const second = applyHunks(first.text, waiting, rounds - 1);
    if (second.kind === 'merged') {
      return { ...second, certain: first.certain && second.certain };
    }
  }
  return applyAll(source, hunks, finder);
}

/** Drops the line number of a hunk, which is wrong once other hunks have moved the lines. */
function unnumbered({ name, lines, heading, endsOpen }: PatchHunk): PatchHunk {
  return {
    name,
    lines,
    ...(heading !== undefined && { heading }),
    ...(endsOpen !== undefined && { endsOpen }),
  };
}

function applyAll(source: Source, hunks: readonly PatchHunk[], finder: LineFinder): MergeResult {
  const placing = placeHunks(hunks, finder);
  if (placing.kind === 'refused') {
    return placing;
  }
  const endsOpen = hunks.findLast(hunk => hunk.endsOpen !== undefined)?.endsOpen;
  const { placed, certain } = placing;
  return merged(writePatched(source, placed, endsOpen), certain);
}

function finderOf(source: Source): LineFinder {
  return new LineFinder(Array.from({ length: source.count }, (_, at) => source.line(at)));
}

function linesOf(text: string): Set<string> {
  return new Set(splitLines(text).map(line => line.trim()));
}
