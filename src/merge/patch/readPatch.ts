import { append } from '../../base/arrays';
import { type Sentence, sentence } from '../../base/sentence';
import { splitLines } from '../../base/text/textLines';
import { fenceAt } from '../../markdown';
import { hasText, isChatter } from '../snippet/chatter';
import { isFence, unfence } from '../snippet/fences';
import { withoutGutter } from '../snippet/gutter';
import { isHalfDiff } from '../snippet/halfDiff';
import type { KnownLines } from '../snippet/knownLines';
import { withoutQuoteMarks } from '../snippet/pasteLabels';
import { Source } from '../source';
import { blockHunks } from './blockHunks';
import {
  type HunkName,
  hunkHeader,
  oldSide,
  type PatchHunk,
  readHunks,
  withoutBlankEnds,
} from './hunks';
import { LineFinder } from './lineFinder';
import { isUnifiedDiff, splitByFile } from './read/diffText';
import { tidiedDiffs } from './read/hunkHeaders';
import { numberedRowsAt, unnumberedDiff } from './read/numberedDiff';
import { unifiedOf, unwordedDiff } from './read/plainDiffs';
import {
  type BlockJudge,
  hasOrphanMarks,
  hasSearchReplace,
  isBlockStart,
  readSearchReplace,
  type SearchReplaceBlock,
} from './read/searchReplace';
import { everySecondLine, withoutMargin } from './read/spacedDiff';
import { readTaggedBlocks } from './read/taggedBlocks';
import { readWordMarks } from './read/wordMarks';

/** What an update says, without regard to where it goes. */
export type ReadPatch =
  /** `isHalf`: lines with marks, but no header. The marks may be misleading. */
  | { readonly kind: 'hunks'; readonly hunks: readonly PatchHunk[]; readonly isHalf: boolean }
  | { readonly kind: 'refused'; readonly reason: Sentence };

/** A line that patches have and snippets rarely do. */
const patchLine =
  /^(?:@@|[-+]|\*\*\* (?:Begin|Update)|[ \t]*(?:<{3}|-{2}|={3}|[＜＝＞]{3}|&[lg]t;&[lg]t;&[lg]t;|<\/?(?:old|search|find|original|before|OLD|SEARCH|FIND|ORIGINAL|BEFORE)\w*>)|\d+(?:,\d+)?[acd]\d+(?:,\d+)?$)/m;
/** The same with a word in capitals, which few snippets have; looking for it in each line takes longer. */
const patchWord = /SEARCH|FIND|ORIGINAL|OLD|BEFORE/;
const wordLine = /^[ \t]*[^\w\s]{0,9} ?(?:SEARCH|FIND|ORIGINAL|OLD|BEFORE)\b[^a-z\n]{0,20}$/m;

const hasPatchLine = (text: string): boolean =>
  (startsAsPatch(text) && patchLine.test(text)) || (patchWord.test(text) && wordLine.test(text));

/** By ASCII code: 1 for how such a line may start, 2 for how it may start with and without blanks before it. */
const signs = new Uint8Array(128);
for (const sign of '-+@*0123456789') signs[sign.charCodeAt(0)] = 1;
for (const sign of '-<=&') signs[sign.charCodeAt(0)] = 2;

/** False when no line starts like one of a patch: a fast check for most snippets. */
function startsAsPatch(text: string): boolean {
  if (text.includes('\r')) return true;
  for (let line = 0; ; ) {
    let at = line;
    let code = text.charCodeAt(at);
    while (code === 32 || code === 9) code = text.charCodeAt(++at);
    if (code < 128) {
      if ((signs[code] ?? 0) >= (at === line ? 1 : 2)) return true;
    } else if (code >= 0xff1c && code <= 0xff1e) {
      return true; // ＜＝＞
    }
    line = text.indexOf('\n', at) + 1;
    if (line === 0) return false;
  }
}

const patchStart = /^(?:@@(?:[ .-]|@@|$)|diff --git |--- |\*\*\* )/;

/**
 * Reads a unified diff or search/replace blocks; undefined when the update is neither.
 *
 * @param lines the trimmed lines of the original, if the caller has them.
 */
export function readPatch(
  original: string,
  update: string,
  lines?: KnownLines,
): ReadPatch | undefined {
  const mayBePatch = hasPatchLine(update) || update.includes('[-') || update.includes('{+');
  const isGuttered = guttered.test(update);
  if (!mayBePatch && !isGuttered) return undefined;
  const known = lines ?? linesOf(original);
  const found = mayBePatch ? readForm(original, update, known) : undefined;
  if (found || !isGuttered) return found;
  const given = splitLines(update);
  const bare = withoutGutter(withoutMargin(withoutQuoteMarks(given, known)), known);
  const text = bare === given ? '' : bare.join('\n');
  const shown = hasPatchLine(text) ? readForm(original, text, known) : undefined;
  if (shown && !(shown.kind === 'hunks' && shown.isHalf)) return shown;
  const code = unfence(given, known);
  const numbered = unnumberedDiff(code, splitLines(original));
  if (numbered) return { kind: 'hunks', hunks: readHunks(numbered, known), isHalf: false };
  return isNumberedDiff(code, known) ? refusedPatch(unknownLines) : undefined;
}

const unknownLines = sentence(
  'The file does not have the lines that this diff shows of it. It may be applied already, or the terminal may have wrapped its lines.',
);

/** Whether an update reads as a patch, so that its text is no content of a file. */
export const isPatch = (original: string, update: string): boolean =>
  readPatch(original, update) !== undefined;

/** All lines are rows of a diff with line numbers, and the file has neither such rows nor lists. */
function isNumberedDiff(lines: readonly string[], known: KnownLines): boolean {
  const found = numberedRowsAt(lines, lines.findIndex(hasText));
  return (
    found?.isDiff === true &&
    !lines.slice(found.end).some(hasText) &&
    !lines.some(line => hasText(line) && known.has(line.trim())) &&
    ![...known].some(line => /^[-+]/.test(line))
  );
}

/** The first line is quoted, numbered or indented. */
const guttered = /^(?:[ \t]*(?:```|~~~)[^\n]*\n)?\s*(?:>|L?\d)|^\s+(?:@@|diff --git |--- |\*\*\* )/;

function readForm(original: string, update: string, known: KnownLines): ReadPatch | undefined {
  const blocks = blocksIn(original, update, known);
  if (blocks) return blocks;
  const tagged = readTaggedBlocks(update, known);
  if (tagged === 'incomplete') return incomplete(sentence('a tag is missing'));
  if (tagged) return patchOfBlocks(original, tagged);
  const given = splitLines(update.replace(/^\uFEFF/, ''));
  const worded = readWordMarks(given, known);
  if (worded === 'incomplete') return incomplete(sentence('a side is missing'));
  if (worded) return patchOfBlocks(original, worded);
  const code = unfence(given, known);
  const other = unifiedOf(code) ?? unwordedDiff(code, known);
  if (other) return patchOfDiff(original, other.join('\n'));
  const lines = codeOfPatch([...tidiedDiffs(given)], known);
  const text = lines.join('\n');
  if (isUnifiedDiff(text)) {
    return isForThisFile(lines, known) ? diffOfOneFile(original, text) : undefined;
  }
  return isHalfDiff(lines, known)
    ? { kind: 'hunks', hunks: readHunks(['@@', ...lines], known), isHalf: true }
    : undefined;
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

function diffOfOneFile(original: string, text: string): ReadPatch {
  const files = splitByFile(text);
  const paths = new Set(files.map(({ path }) => path));
  return paths.size > 1
    ? refusedPatch(
        sentence(
          'The diff changes {0} files ({1}). Apply the part of each file to that file.',
          paths.size,
          [...paths].join(', '),
        ),
      )
    : patchOfDiff(original, files.map(({ diff }) => diff).join('\n'));
}

/** Undefined when the update holds no search/replace block, or marks of one are lines of the file. */
function blocksIn(original: string, update: string, known: KnownLines): ReadPatch | undefined {
  if ([...known].some(isBlockStart)) return undefined;
  let finder: LineFinder | undefined;
  const judge: BlockJudge = {
    isLine: line => known.has(line.trim()),
    stands: lines => (finder ??= finderOf(new Source(original))).find(lines).places.length > 0,
  };
  if (!hasSearchReplace(update, judge)) {
    return hasOrphanMarks(update, judge) ? incomplete(sentence('a block has no start')) : undefined;
  }
  const found = readSearchReplace(update, undefined, judge);
  if ('incomplete' in found) {
    return incomplete(sentence('block {0} has no separator or no end', found.incomplete));
  }
  return hasOrphanMarks(found.rest, judge)
    ? incomplete(sentence('a block has no start'))
    : patchOfBlocks(
        original,
        found.files.flatMap(({ blocks }) => blocks),
      );
}

const incomplete = (how: Sentence): ReadPatch =>
  refusedPatch(sentence('A search/replace block is incomplete: {0}. Ask for it again.', how));

/** Reads the diff of one file. */
export function patchOfDiff(original: string, diff: string): ReadPatch {
  const known = linesOf(original);
  const given = splitLines(diff);
  const lines = unwordedDiff(given, known) ?? withPlainQuotes(given, original, known);
  const spaced = everySecondLine(lines);
  const finder = spaced && finderOf(new Source(original));
  const apart = spaced ? readHunks(spaced, known) : [];
  const isSpaced = finder && apart.length > 0 && apart.every(hunk => stands(hunk, finder));
  const hunks = isSpaced ? apart : readHunks(lines, known);
  return hunks.length === 0
    ? refusedPatch(sentence('The diff holds no changes.'))
    : { kind: 'hunks', hunks, isHalf: false };
}

/** Quotes that a JSON string escapes are plain when the file says so, and has no escaped ones. */
function withPlainQuotes(lines: string[], original: string, known: KnownLines): string[] {
  const isEscaped = (line: string): boolean =>
    /^[- ]/.test(line) && line.includes('\\"') && known.has(withoutEscape(line.slice(1)).trim());
  return original.includes('\\"') || !lines.some(isEscaped) ? lines : lines.map(withoutEscape);
}

const withoutEscape = (line: string): string => line.replaceAll('\\"', '"');

/** Whether all old lines of a hunk are in the file. */
function stands(hunk: PatchHunk, finder: LineFinder): boolean {
  const old = oldSide(withoutBlankEnds(hunk).lines);
  return old.length > 0 && finder.find(old).places.length > 0;
}

/** Reads search/replace blocks as hunks. */
export function patchOfBlocks(original: string, blocks: readonly SearchReplaceBlock[]): ReadPatch {
  const finder = finderOf(new Source(original));
  const hunks: PatchHunk[] = [];
  for (const [index, block] of blocks.entries()) {
    const name = blocks.length === 1 ? theSearchText : nameOfSearchText(index + 1);
    const isEmpty = block.search.trim() === '';
    if (isEmpty && finder.lines.some(line => line.trim() !== '')) {
      return refusedPatch(
        sentence(
          '{0} is empty, but the file is not. Add the lines that it replaces.',
          name.atStart,
        ),
      );
    }
    append(hunks, blockHunks(block, name, finder));
  }
  return { kind: 'hunks', hunks, isHalf: false };
}

const theSearchText: HunkName = {
  atStart: sentence('The search text'),
  within: sentence('the search text'),
};

const nameOfSearchText = (number: number): HunkName => ({
  atStart: sentence('Search text {0}', number),
  within: sentence('search text {0}', number),
});

const refusedPatch = (reason: Sentence): ReadPatch => ({ kind: 'refused', reason });

export function finderOf(source: Source): LineFinder {
  return new LineFinder(Array.from({ length: source.count }, (_, at) => source.line(at)));
}

function linesOf(text: string): Set<string> {
  return new Set(splitLines(text).map(line => line.trim()));
}
