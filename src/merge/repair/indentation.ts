import type { Line } from '../lines';
import type { FileIndex } from '../place/fileIndex';
import { levelColumns, withIndent } from '../place/indentStyle';
import { LinePattern } from '../similarity';
import type { Section } from '../snippet/sections';

/** What a copy did to the indentation of a snippet. */
export type IndentationDamage = 'flat' | 'firstLine' | 'scaled';

/** A line of the snippet that is one of the file, where all such lines are indented alike. */
interface Witness {
  readonly shown: number;
  readonly inFile: number;
}

/**
 * Finds damage that the lines of the file prove, and undoes it as far as these lines go; undefined when there is none.
 *
 * - `flat`: all lines are indented alike, though they are at several depths in the file. New lines get the
 *   indentation of the line above, to find the place; see `settleRows`.
 * - `firstLine`: only the first line has lost its indentation.
 * - `scaled`: the snippet indents by another number of columns per level.
 *
 * @param isAsInFile what `matchesFile` says about the sections.
 */
export function repairIndentation(
  sections: readonly Section[],
  file: FileIndex,
  isAsInFile: boolean,
): IndentationDamage | undefined {
  if (isFlat(sections, file)) {
    for (const section of sections) unflatten(section, file);
    return 'flat';
  }
  // The other kinds of damage change where lines of the file stand.
  if (isAsInFile) return undefined;
  if (rescale(sections, file)) return 'scaled';
  const isRepaired = sections.filter(section => repairFirstLine(section, file)).length > 0;
  return isRepaired ? 'firstLine' : undefined;
}

const minFlatLines = 3;

function isAtOneDepth(sections: readonly Section[]): boolean {
  let shown: number | undefined;
  for (const { lines } of sections) {
    for (const { indent } of lines) {
      if (indent >= 0 && indent !== (shown ??= indent)) return false;
    }
  }
  return true;
}

function isFlat(sections: readonly Section[], file: FileIndex): boolean {
  if (!isAtOneDepth(sections)) return false;
  let count = 0;
  for (const { lines } of sections) for (const { indent } of lines) if (indent >= 0) count++;
  if (count < minFlatLines) return false;
  const depths = new Set(witnesses(sections, file).map(({ inFile }) => inFile));
  // A file that is flat itself proves nothing.
  return (
    depths.size > 1 || (depths.size === 1 && isIndented(file) && sections.some(opensAtOneDepth))
  );
}

/** True when a line of the file is indented more than the one above it. */
function isIndented({ indents }: FileIndex): boolean {
  for (let at = 1; at < indents.length; at++) {
    if ((indents[at] ?? 0) > (indents[at - 1] ?? 0)) return true;
  }
  return false;
}

/** True when a line opens a block, and the next one is in it, at the same depth. */
function opensAtOneDepth({ lines }: Section): boolean {
  const solid = lines.filter(({ indent }) => indent >= 0);
  return solid.some(({ trimmed }, row) => {
    const below = solid[row + 1]?.trimmed ?? '';
    return (
      opensBlock.test(trimmed) && !comment.test(trimmed) && below !== '' && !/^[)\]}]/.test(below)
    );
  });
}

const comment = /^(?:\/\/|#|\/?\*|--)/;
const opensBlock =
  /^(?:(?:if|for|while|switch|try|else|def|class|function|async|with)\b.*[{:]|.*\{)$/;

function witnesses(sections: readonly Section[], file: FileIndex): Witness[] {
  return sections.flatMap(({ lines }) => witnessesIn(lines, file));
}

function witnessesIn(lines: readonly Line[], file: FileIndex): Witness[] {
  return lines.map(line => witnessOf(line, file)).filter(one => one !== undefined);
}

function witnessOf(line: Line, file: FileIndex): Witness | undefined {
  if (line.indent < 0) return undefined;
  const id = file.idOf(line);
  const places = file.placesOf(id);
  const [first] = places;
  if (first === undefined || file.isFiller(id)) return undefined;
  const inFile = file.indents[first] ?? 0;
  return places.every(place => file.indents[place] === inFile)
    ? { shown: line.indent, inFile }
    : undefined;
}

/** Gives each line the indentation of the next such line of the file, and new lines that of the line above. */
function unflatten(section: Section, file: FileIndex): void {
  let at = -1;
  let columns: number | undefined;
  section.lines = section.lines.map(line => {
    if (line.indent < 0) return line;
    const places = file.placesOf(file.idOf(line));
    const place = places.find(one => one > at) ?? places[0];
    if (place !== undefined) {
      at = place;
      columns = file.indents[place] ?? 0;
    }
    return withIndent(line, columns ?? line.indent, file);
  });
}

/** A selection that starts behind the indentation of its first line loses it. */
function repairFirstLine(section: Section, file: FileIndex): boolean {
  const [first, ...others] = section.lines;
  if (!first || first.indent !== 0) return false;
  const below = others.filter(({ indent }) => indent >= 0);
  const rest = witnessesIn(below, file);
  const [witness] = rest;
  if (!witness) return false;
  const shift = witness.inFile - witness.shown;
  if (rest.some(one => one.inFile - one.shown !== shift)) return false;
  const wanted = indentOfFirst(first, below, file);
  if (wanted === undefined || wanted <= Math.max(0, shift)) return false;
  section.lines = [withIndent(first, wanted - shift, file), ...others];
  return true;
}

const opensComment = /^(?:\/\*|\(\*|\{-|<!--)/;

/** The columns in the file of a first line, by the file or by the lines below. */
function indentOfFirst(first: Line, below: readonly Line[], file: FileIndex): number | undefined {
  if (file.placesOf(file.idOf(first)).length > 0) {
    return witnessOf(first, file)?.inFile;
  }
  // A changed first line is alike to one above the first line below it that is in the file once.
  const row = below.findIndex(line => file.placesOf(file.idOf(line)).length === 1);
  const place = file.placesOf(file.numberOf(below[row]?.trimmed ?? ''))[0];
  if (place === undefined) return undefined;
  const pattern = new LinePattern(first.trimmed);
  let found: number | undefined;
  let best = 0;
  for (let at = place - 1; at >= Math.max(0, place - row - maxLinesBetween); at--) {
    const text = file.textOf(file.ids[at] ?? -1);
    // The start of a comment is no new form of a line in it, which is indented by one more.
    if (opensComment.test(first.trimmed) !== opensComment.test(text)) continue;
    const ratio = pattern.ratio(text);
    if (ratio > best) {
      best = ratio;
      found = file.indents[at];
    }
  }
  return found;
}

/** Lines of the file that may be gone below a first line. */
const maxLinesBetween = 3;

const scales = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 4 / 3, 3 / 2, 2, 3, 4];
const minScaledLines = 2;

/** Converts a snippet that indents by another number of spaces per level. */
function rescale(sections: readonly Section[], file: FileIndex): boolean {
  const found = witnesses(sections, file);
  if (found.length < minScaledLines || found.every(one => one.shown === one.inFile)) return false;
  const [low, high] = extremes(found);
  if (!low || !high) return false;
  const scale =
    low.shown === high.shown
      ? low.inFile / low.shown
      : (high.inFile - low.inFile) / (high.shown - low.shown);
  if (!scales.some(one => Math.abs(one - scale) < 1e-9)) return false;
  const base = low.inFile - low.shown * scale;
  const fits = found.filter(one => Math.abs(one.shown * scale + base - one.inFile) < 1e-9);
  if (fits.length * 10 < found.length * 9) return false;
  const lines = sections.flatMap(section => section.lines).filter(({ indent }) => indent >= 0);
  // A block that was put around the same lines, or taken away, leaves a level of the file's own width.
  const offsets = lines.filter(({ trimmed }) => !trimmed.startsWith('*'));
  const step = offsets.reduce(
    (divisor, { indent }) => commonDivisor(divisor, Math.abs(indent - low.shown)),
    0,
  );
  if (Math.abs(step * scale - levelColumns(file)) > 1e-9) return false;
  const scaled = (columns: number): number => Math.max(0, Math.round(columns * scale + base));
  for (const section of sections) {
    section.lines = section.lines.map(line =>
      line.indent < 0 ? line : withIndent(line, scaled(line.indent), file),
    );
    if (section.markerAbove !== undefined) section.markerAbove = scaled(section.markerAbove);
    if (section.markerBelow !== undefined) section.markerBelow = scaled(section.markerBelow);
  }
  return true;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

function extremes(found: readonly Witness[]): [Witness | undefined, Witness | undefined] {
  const sorted = found.toSorted((a, b) => a.shown - b.shown);
  return [sorted[0], sorted.at(-1)];
}
