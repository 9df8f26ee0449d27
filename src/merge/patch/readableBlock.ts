import { splitLines } from '../../base/text/textLines';
import { hasEntity, withoutEntities } from '../repair/entities';
import { isPaddedSign, type NumberedLine, numberedLineOf, withoutBlank } from '../snippet/gutter';
import type { LineFinder } from './lineFinder';
import type { SearchReplaceBlock } from './read/searchReplace';

/** A block as it was meant: without line numbers and escapes, and the blank lines of a web page. */
export interface ReadableBlock extends SearchReplaceBlock {
  /** Something was left out that not all lines had. */
  readonly isGuess?: true;
}

/** Undoes what copying did to a block; the lines of the file say what that was. */
export function readableBlock(block: SearchReplaceBlock, finder: LineFinder): ReadableBlock {
  const sides = unmasked(
    { search: splitLines(block.search), replace: linesIn(block.replace) },
    finder,
  );
  if (block.search.trim() === '') return block;
  const stands = (lines: readonly string[]): boolean =>
    finder.find(trimEnds(lines)).places.length > 0;
  if (stands(sides.search)) {
    // The search text has nothing that an escape would change.
    const isRaw = hasEntity(block.search) || hasEntity(finder.text);
    return withSides(
      block,
      unnumberedReplace(block.isEscaped && !isRaw ? unescaped(sides) : sides),
    );
  }
  const given = block.isEscaped ? [sides, unescaped(sides)] : [sides];
  const forms = given.flatMap(form => [form, unnumbered(form)]);
  const all = [...forms, ...forms.map(form => form && unspaced(form))];
  const found = all.find(form => form && stands(form.search));
  const likely = found ?? unnumbered(given.at(-1) ?? sides) ?? given.at(-1) ?? sides;
  return withSides(block, likely);
}

/** A backslash in front of a mark says that it is text; it is part of that only if the file has it, too. */
const masked = /^(\s*)\\(?=[<>=+-]{5})/;

function unmasked({ search, replace }: Sides, finder: LineFinder): Sides {
  if (![...search, ...replace].some(isMasked) || finder.lines.some(isMasked)) {
    return { search, replace };
  }
  return { search: search.map(withoutMask), replace: replace.map(withoutMask) };
}

const isMasked = (line: string): boolean => masked.test(line);
const withoutMask = (line: string): string => line.replace(masked, '$1');

interface Sides {
  readonly search: readonly string[];
  readonly replace: readonly string[];
  readonly start?: number;
  readonly isGuess?: true;
}

const linesIn = (text: string): string[] => (text === '' ? [] : splitLines(text));

function withSides(block: SearchReplaceBlock, sides: Sides): ReadableBlock {
  const start = sides.start ?? block.start;
  return {
    ...block,
    search: sides.search.join('\n'),
    replace: sides.replace.join('\n'),
    ...(start !== undefined && { start }),
    ...(sides.isGuess && { isGuess: true as const }),
  };
}

/** Removes blank lines at both ends, which chats add and drop freely. */
export function trimEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex(hasText);
  return lines.slice(Math.max(first, 0), lines.findLastIndex(hasText) + 1);
}

const hasText = (line: string): boolean => line.trim() !== '';

function unescaped({ search, replace }: Sides): Sides {
  return { search: search.map(withoutEntities), replace: replace.map(withoutEntities) };
}

interface Gutter {
  readonly lines: readonly string[];
  readonly first: number;
  readonly sign: string;
  readonly isPadded: boolean;
}

/** The lines without their numbers; undefined unless all lines with text have one, in ascending order. */
function withoutNumbers(lines: readonly string[]): Gutter | undefined {
  let last = -1;
  let first: number | undefined;
  let sign: string | undefined;
  const texts: string[] = [];
  for (const line of lines) {
    if (!hasText(line)) {
      texts.push(line);
      continue;
    }
    const found = numberedLineOf(line);
    if (!found || found.number <= last) return undefined;
    if (found.sign !== undefined && found.sign !== (sign ??= found.sign)) return undefined;
    last = found.number;
    first ??= found.number - texts.length;
    texts.push(found.text);
  }
  if (first === undefined || sign === undefined) return undefined;
  const isPadded = isPaddedSign(sign) && texts.every(text => text === '' || text.startsWith(' '));
  return { lines: isPadded ? texts.map(withoutBlank) : texts, first, sign, isPadded };
}

/** Both sides without the numbers of the search text; the replacement may have them or not. */
function unnumbered({ search, replace }: Sides): Sides | undefined {
  const gutter = withoutNumbers(search);
  if (!gutter) return undefined;
  const start = Math.max(0, gutter.first - 1);
  const own = withoutNumbers(replace);
  if (own && own.sign === gutter.sign) return { search: gutter.lines, replace: own.lines, start };
  // Without numbers, a first line of only blanks is the rest of a gutter.
  if (hasText(gutter.lines[0] ?? '') && /^[ \t]+$/.test(replace[0] ?? '')) {
    return unnumbered({ search, replace: replace.slice(1) });
  }
  const some = replace.map(numberedLineOf);
  const isPart = some.some(line => line?.sign === gutter.sign && isAround(line, gutter));
  if (!isPart) return { search: gutter.lines, replace, start };
  const mixed = replace.map((line, at) => {
    const found = some[at];
    if (!found || (found.sign ?? gutter.sign) !== gutter.sign) return line;
    return gutter.isPadded ? withoutBlank(found.text) : found.text;
  });
  return { search: gutter.lines, replace: mixed, start, isGuess: true };
}

/** A number of these lines, or of some that were put in. */
function isAround({ number }: NumberedLine, { first, lines }: Gutter): boolean {
  return number >= first && number < first + 2 * lines.length;
}

/** Numbers that only the replacement has: some of its lines are lines of the search text without them. */
function unnumberedReplace(sides: Sides): Sides {
  const own = withoutNumbers(sides.replace);
  if (!own) return sides;
  const known = new Set(sides.search.map(line => line.trim()));
  const isKnown = (line: string): boolean => hasText(line) && known.has(line.trim());
  return own.lines.some(isKnown) && !sides.replace.some(isKnown)
    ? { ...sides, replace: own.lines }
    : sides;
}

/** A page that shows each line as a paragraph puts an empty line between all of them. */
function unspaced(sides: Sides): Sides | undefined {
  const search = withoutSpacing(trimEnds(sides.search));
  const replace = withoutSpacing(trimEnds(sides.replace));
  return search && replace && search.length > 1 ? { ...sides, search, replace } : undefined;
}

function withoutSpacing(lines: readonly string[]): string[] | undefined {
  const isSpaced = lines.every((line, at) => at % 2 === 0 || !hasText(line));
  return isSpaced ? lines.filter((_, at) => at % 2 === 0) : undefined;
}
