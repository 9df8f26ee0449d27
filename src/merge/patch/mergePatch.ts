import { repairCharacters } from '../repair/characters';
import { type MergeResult, merged } from '../result';
import type { KnownLines } from '../snippet/knownLines';
import { Source } from '../source';
import type { PatchHunk } from './hunks';
import type { LineFinder } from './lineFinder';
import { writePatched } from './patchText';
import { canPlace, placeHunks } from './placeHunks';
import type { SearchReplaceBlock } from './read/searchReplace';
import { finderOf, patchOfBlocks, patchOfDiff, type ReadPatch, readPatch } from './readPatch';
import { repairedBlocks } from './repairedBlocks';

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
  const patch = readPatch(original, update, lines);
  const result = patch && applied(original, patch);
  // The marks of half a diff may be misleading, so one that does not fit is read as a snippet.
  const isMisread = patch?.kind === 'hunks' && patch.isHalf && result?.kind === 'refused';
  return isMisread ? undefined : result;
}

/** Applies the diff of one file, whatever its line numbers and counts say. */
export function applyUnifiedDiff(original: string, diff: string, path?: string): MergeResult {
  const { text } = repairCharacters(diff, original, path);
  return applied(original, patchOfDiff(original, text));
}

/** Applies search/replace blocks. Each must fit exactly one place, and may depend on earlier ones. */
export function applySearchReplace(
  original: string,
  blocks: readonly SearchReplaceBlock[],
  path?: string,
): MergeResult {
  return applied(original, patchOfBlocks(original, repairedBlocks(original, blocks, path).blocks));
}

function applied(original: string, patch: ReadPatch): MergeResult {
  return patch.kind === 'refused' ? patch : applyHunks(original, patch.hunks);
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
function unnumbered(hunk: PatchHunk): PatchHunk {
  const { start, ...rest } = hunk;
  return start === undefined ? hunk : rest;
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
