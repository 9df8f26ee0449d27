import { numberText } from '../base/format/numbers';
import { type Sentence, sentence } from '../base/sentence';
import { endsLine } from '../base/text/textLines';
import { tablesFor } from './lineTables';
import { mergePatch } from './patch/mergePatch';
import { isNewEntry } from './place/additions/newEntry';
import type { BlockPlace } from './place/aligner';
import { type Block, blockOf } from './place/block';
import { choosePlaces, type PlacesChoice } from './place/choosePlaces';
import { FileIndex } from './place/fileIndex';
import { fitIndentation, matchesFile } from './place/fitIndentation';
import type { PositionSpan } from './place/rankPlacements';
import { renderBlocks, replaceLines } from './place/renderBlocks';
import { repairCharacters } from './repair/characters';
import { withoutCutEnd } from './repair/cutEnd';
import { withImpliedMarkers } from './repair/impliedMarkers';
import { type IndentationDamage, repairIndentation } from './repair/indentation';
import { isQuotation } from './repair/quotation';
import { settleRows } from './repair/settleRows';
import { dropsUnmentioned } from './repair/unmentioned';
import {
  displayName,
  type LineInterval,
  type MergeOptions,
  type MergeResult,
  merged,
  refused,
} from './result';
import { isRewrite, rewritten } from './rewrite';
import { readSnippet, type Snippet } from './snippet/sections';
import { Source } from './source';

/**
 * Merges an edit into the file that it was written for: a snippet in which markers such as
 * `// ... existing code ...` stand for unchanged lines, a whole new file, a unified diff, or
 * search/replace blocks. Never throws; every line that the edit does not change keeps its bytes.
 */
export function mergeEdit(
  original: string,
  given: string,
  options: MergeOptions = {},
): MergeResult {
  if (given === original) return merged(original, true);
  if (hasMoreLines(given, maxLines)) {
    return refused(
      sentence(
        'The edit has more than {0} lines. Apply it in smaller parts.',
        numberText(maxLines),
      ),
    );
  }
  const { text, repairs } = repairCharacters(given, original, options.path);
  const result = mergeRepaired(original, text, options);
  if (repairs.length === 0 || result.kind === 'refused' || result.text !== original) return result;
  // Nothing else is left to change: then the characters may be the edit.
  const literal = mergeRepaired(original, given, options);
  return literal.kind === 'merged' ? { ...literal, certain: false } : literal;
}

function mergeRepaired(original: string, update: string, options: MergeOptions): MergeResult {
  const tables = tablesFor(original.length + update.length);
  const source = new Source(original, tables.file);
  const patched = mergePatch(original, update);
  if (patched) {
    const { range } = options;
    return range ? withinRange(patched, source, range, displayName(options)) : patched;
  }
  const file = new FileIndex(source, tables);
  const { snippet: shown, cut } = withoutCutEnd(
    readSnippet(update, file.known, options.path),
    () => file,
  );
  const snippet = withImpliedMarkers(shown, () => file);
  const isWhole = snippet === shown && isRewrite(file, shown);
  if (snippet.sections.length === 0) {
    return snippet.markers > 0
      ? merged(original, true)
      : refused(
          sentence('The snippet is empty, so there is nothing to merge. Ask for the change again.'),
        );
  }
  const isAsInFile = matchesFile(snippet.sections, file);
  const damage = repairIndentation(snippet.sections, file, isAsInFile);
  const fit = (): void => {
    const isSettled = damage === 'flat' || (isAsInFile && damage === undefined);
    if (!isSettled) fitIndentation(snippet.sections, file);
  };
  if (options.range) {
    fit();
    return mergeInto(file, snippet, damage, options, options.range);
  }
  if (file.count === 0 && snippet.markers > 0) {
    return refused(
      sentence(
        '{0} is empty, but the snippet leaves out existing code. Check that it is meant for this file.',
        displayName(options),
      ),
    );
  }
  if (file.count === 0 || (damage === undefined && isWhole)) {
    const whole = snippet.sections.map(section => ({
      block: blockOf(section, file),
      start: 0,
      end: file.count,
    }));
    const drops = dropsUnmentioned(whole, file);
    // Less than a file, though it may start and end as the file does.
    const isAddition = drops && whole.every(({ block }) => isNewEntry(block, file));
    if (!isAddition) return merged(rewritten(file.source, snippet), !drops);
  }
  fit();
  const choice = choosePlaces(snippet.sections, file, options);
  const result = resultOf(choice, damage, file, options);
  if (result.kind === 'refused') return result;
  const isDoubtful =
    cut !== undefined || (result.text.length < original.length && isQuotation(snippet, file));
  return isDoubtful ? { ...result, certain: false } : result;
}

/** Larger edits are data, and would block the window. */
const maxLines = 100_000;

function hasMoreLines(text: string, most: number): boolean {
  if (text.length < most) return false;
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0 && count <= most; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count > most;
}

/** The result of a patch, refused when it changes lines outside of a range; a patch says itself where it goes. */
export function confinedTo(
  range: LineInterval,
  original: string,
  result: MergeResult,
  options: MergeOptions,
): MergeResult {
  return withinRange(result, new Source(original), range, displayName(options));
}

function withinRange(
  result: MergeResult,
  source: Source,
  range: LineInterval,
  name: Sentence,
): MergeResult {
  const { from, to } = halfOpen(range);
  return result.kind === 'refused' || keepsRest(source, from, to, result.text)
    ? result
    : refused(
        sentence(
          'The edit changes lines of {0} outside the selection. Select more lines, or merge it into the whole file.',
          name,
        ),
      );
}

/** Merges only within the selected lines; a snippet without markers that fits nowhere replaces them. */
function mergeInto(
  file: FileIndex,
  { sections, markers }: Snippet,
  damage: IndentationDamage | undefined,
  options: MergeOptions,
  range: LineInterval,
): MergeResult {
  const { from, to } = halfOpen(range);
  const choice = choosePlaces(sections, file, options, spanOf(file, from, to));
  if (choice.kind === 'placed') {
    const result = resultOf(choice, damage, file, options);
    if (result.kind === 'merged' && keepsRest(file.source, from, to, result.text)) return result;
  }
  const [section] = sections;
  if (markers === 0 && section && choice.kind !== 'tie') {
    return merged(replaceLines(file.source, section, from, to), true);
  }
  return refused(
    sentence(
      'The snippet does not fit the selected lines of {0}. Select more lines, or merge it into the whole file.',
      displayName(options),
    ),
  );
}

/** The range as 0-based, half-open line numbers. */
function halfOpen({ startLine, endLine }: LineInterval): { from: number; to: number } {
  const from = Math.max(0, startLine - 1);
  return { from, to: Math.max(from, endLine) };
}

/** True when the text still starts and ends with the lines outside of `from` to `to`. */
function keepsRest(source: Source, from: number, to: number, text: string): boolean {
  const above = source.bom + source.slice(0, from);
  const below = source.slice(to, source.count);
  const end = text.length - below.length;
  const isCutAtLine = end === above.length || below === '' || endsLine(text.slice(0, end));
  return end >= above.length && isCutAtLine && text.startsWith(above) && text.endsWith(below);
}

/** Positions of the lines `from` to `to` (0-based, half-open) that are not blank. */
function spanOf(file: FileIndex, from: number, to: number): PositionSpan {
  let start = 0;
  while (start < file.count && file.rawOf(start) < from) start++;
  let end = start;
  while (end < file.count && file.rawOf(end) < to) end++;
  return { start, end };
}

function resultOf(
  choice: PlacesChoice,
  damage: IndentationDamage | undefined,
  file: FileIndex,
  options: MergeOptions,
): MergeResult {
  if (choice.kind === 'placed') {
    const { places, certain } = choice;
    const { blocks, unclear } = settleRows(choice.blocks, places, file, options.path ?? '', damage);
    return unclear
      ? refused(
          sentence(
            'The snippet has lost its indentation, and it is unclear how far "{0}" is indented. Copy it again with its indentation, or add the line by hand.',
            unclear.trimmed.slice(0, maxQuoted),
          ),
        )
      : merged(
          renderBlocks(file, blocks, places),
          certain && !dropsUnmentioned(replacedBy(blocks, places), file),
        );
  }
  const name = displayName(options);
  if (choice.kind === 'tie') {
    const [one, two] = choice.rivals;
    return refused(
      sentence(
        'The snippet fits at two places of {0}: {1} and {2}. Add more unchanged lines around the change, or select the lines to change.',
        name,
        linesOf(file, one),
        linesOf(file, two),
      ),
    );
  }
  return refused(refusalReasons[choice.kind](name));
}

function replacedBy(
  blocks: readonly Block[],
  places: readonly BlockPlace[],
): { block: Block; start: number; end: number }[] {
  return blocks.map((block, k) => {
    const { start, end } = places[k] ?? { start: 0, end: 0 };
    return { block, start, end };
  });
}

/** Characters of a line in a message. */
const maxQuoted = 60;

const refusalReasons = {
  foreign: (name: Sentence) =>
    sentence(
      'No line of the snippet is in {0}, so it is unclear where it goes. Check that it is meant for this file, or select the lines to change.',
      name,
    ),
  floating: (name: Sentence) =>
    sentence(
      'Part of the snippet shows only new lines, so it is unclear where they go in {0}. Show the lines before or after them, or select the lines to change.',
      name,
    ),
  disordered: (name: Sentence) =>
    sentence(
      'The parts of the snippet are in a different order than in {0}. Apply them one by one.',
      name,
    ),
  fragmented: () =>
    sentence('The snippet has too many parts to place. Ask for the change in smaller steps.'),
};

function linesOf(file: FileIndex, { start, end }: BlockPlace): Sentence {
  if (start === end) {
    return start === 0 ? sentence('the top of the file') : sentence('the end of the file');
  }
  const first = file.rawOf(start) + 1;
  const last = file.rawEndOf(end);
  return last > first ? sentence('lines {0} to {1}', first, last) : sentence('line {0}', first);
}
