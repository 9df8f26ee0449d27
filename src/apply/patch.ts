import { applyPatch, parsePatch } from 'diff';
import { readText, splitLines, writeText } from '../merge/text';
import type { SearchReplaceBlock } from './searchReplace';

export type Patched =
  | {
      readonly kind: 'merged';
      readonly text: string;
      /** False when the edit fits only nearly, so that a person should look closely. */
      readonly certain: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** How many context lines of a hunk may differ from the file. */
const fuzzLines = 2;

/** Applies the diff of one file. Wrong line counts are mended, and hunks without line numbers are searched for. */
export function applyUnifiedDiff(original: string, diff: string): Patched {
  const hunks = readHunks(splitLines(diff));
  if (hunks.length === 0) return refused('The diff holds no changes.');
  if (hunks.some(({ oldStart }) => oldStart === undefined)) {
    return applySearchReplace(original, hunks.map(searchAndReplace));
  }

  const file = readText(original);
  const source = file.lines.join('\n');
  const [patch] = parsePatch(writeHunks(hunks, source));
  if (!patch) return refused('The diff holds no changes.');
  for (const fuzzFactor of [0, fuzzLines]) {
    const text = applyPatch(source, patch, { fuzzFactor });
    if (text === false) continue;
    const merged = writeText({ ...file, lines: text.split('\n') });
    return { kind: 'merged', text: merged, certain: fuzzFactor === 0 };
  }
  const fallback = applySearchReplace(original, hunks.map(searchAndReplace));
  if (fallback.kind === 'merged') return { ...fallback, certain: false };
  return refused('The diff does not fit the file: the lines that it changes are not there.');
}

/** Applies search/replace blocks one after the other; each must fit in exactly one place. */
export function applySearchReplace(
  original: string,
  blocks: readonly SearchReplaceBlock[],
): Patched {
  const file = readText(original);
  let { lines } = file;
  let certain = true;
  for (const [index, block] of blocks.entries()) {
    const name = blocks.length === 1 ? 'The search text' : `Search text ${index + 1}`;
    const search = trimEnds(splitLines(block.search));
    const replace = splitLines(block.replace);
    const isEmptyFile = lines.every(line => line.trim() === '');
    if (search.length === 0) {
      if (!isEmptyFile) return refused(`${name} is empty, but the file is not.`);
      lines = [...replace, ''];
      continue;
    }
    const found = findPlaces(lines, search);
    if (found.places.length !== 1) {
      const count = found.places.length;
      const what = count === 0 ? 'is not in the file' : `stands in ${count} places of the file`;
      return refused(`${name} ${what}.`);
    }
    certain &&= found.isExact;
    const [at = 0] = found.places;
    const inserted = block.replace.trim() === '' ? [] : trimEnds(replace);
    const fitted = found.isExact
      ? inserted
      : reindent(inserted, search, lines.slice(at, at + search.length));
    lines = [...lines.slice(0, at), ...fitted, ...lines.slice(at + search.length)];
  }
  return { kind: 'merged', text: writeText({ ...file, lines }), certain };
}

function refused(reason: string): Patched {
  return { kind: 'refused', reason };
}

interface DiffHunk {
  /** 1-based; undefined when the header has no numbers. */
  readonly oldStart: number | undefined;
  /** Lines with their mark: ' ', '-', '+', or '\' for "no newline at end of file". */
  readonly lines: string[];
}

const header = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@.*| .*)?$/;

function readHunks(lines: readonly string[]): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  for (const line of lines) {
    const match = header.exec(line);
    if (match) {
      hunks.push({ oldStart: match[1] === undefined ? undefined : Number(match[1]), lines: [] });
    } else if (/^[-+ \\]/.test(line)) hunks.at(-1)?.lines.push(line);
    else if (line === '') hunks.at(-1)?.lines.push('');
  }
  for (const { lines: body } of hunks) while (body.at(-1) === '') body.pop();
  return hunks
    .filter(hunk => hunk.lines.some(line => /^[-+]/.test(line)))
    .map(({ oldStart, lines: body }) => {
      // Editors strip the one blank of an empty context line.
      return { oldStart, lines: body.map(line => (line === '' ? ' ' : line)) };
    });
}

/** Writes headers with true counts. */
function writeHunks(hunks: readonly DiffHunk[], source: string): string {
  let shift = 0;
  const texts = hunks.map(({ oldStart = 1, lines }) => {
    const count = (marks: RegExp) => lines.filter(line => marks.test(line)).length;
    const oldCount = count(/^[- ]/);
    const newCount = count(/^[+ ]/);
    const newStart = Math.max(oldStart + shift, newCount === 0 ? 0 : 1);
    shift += newCount - oldCount;
    const body = source === '' ? lines.filter(line => !line.startsWith('\\')) : lines;
    return [`@@ -${oldStart},${oldCount} +${newStart},${newCount} @@`, ...body].join('\n');
  });
  return `--- a\n+++ b\n${texts.join('\n')}\n`;
}

function searchAndReplace({ lines }: DiffHunk): SearchReplaceBlock {
  const side = (marks: RegExp) =>
    lines
      .filter(line => marks.test(line))
      .map(line => line.slice(1))
      .join('\n');
  return { search: side(/^[- ]/), replace: side(/^[+ ]/) };
}

type Compare = (line: string) => string;
const comparisons: readonly Compare[] = [line => line, line => line.trimEnd(), line => line.trim()];

/** Where the lines stand; when nowhere, then again without trailing white space, then at another indentation. */
function findPlaces(
  lines: readonly string[],
  search: readonly string[],
): { places: number[]; isExact: boolean } {
  for (const [index, compare] of comparisons.entries()) {
    const wanted = search.map(compare);
    const compared = lines.map(compare);
    const places: number[] = [];
    for (let at = 0; at + wanted.length <= compared.length; at++) {
      if (wanted.every((line, offset) => line === compared[at + offset])) places.push(at);
    }
    if (places.length > 0) return { places, isExact: index === 0 };
  }
  return { places: [], isExact: false };
}

/** Gives the inserted lines the indentation that the found lines have and the searched ones lack, or the reverse. */
function reindent(
  inserted: readonly string[],
  search: readonly string[],
  found: readonly string[],
): string[] {
  const first = search.findIndex(line => line.trim() !== '');
  const wanted = indentOf(found[first] ?? '');
  const given = indentOf(search[first] ?? '');
  if (wanted === given) return [...inserted];
  return inserted.map(line => {
    if (line.trim() === '') return line;
    if (line.startsWith(given)) return wanted + line.slice(given.length);
    return wanted + line.trimStart();
  });
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}

function hasText(line: string): boolean {
  return line.trim() !== '';
}

/** Without blank lines at both ends: chats add and drop them freely. */
function trimEnds(lines: readonly string[]): string[] {
  return lines.slice(Math.max(lines.findIndex(hasText), 0), lines.findLastIndex(hasText) + 1);
}
