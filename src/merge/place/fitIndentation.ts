import { type Line, tabColumns } from '../lines';
import type { Section } from '../snippet/sections';
import type { FileIndex } from './fileIndex';
import { indentsWithTabs, withColumns } from './indentStyle';

/** The share of lines with the other kind of indentation from which on it is converted. */
const minOtherKindShare = 0.9;
/** A section gets its own shift if its votes for it outweigh those for the common shift by this factor. */
const ownShiftRatio = 2;
const clearLeadRatio = 1.2;
/** The number of lines of an edge that vote, and the weight of a line such as `}`. */
const edgeLineCount = 3;
const fillerVote = 0.3;

/**
 * Converts the sections to the file's kind of indentation, then to its depth: snippets are often cut out with less
 * indentation. The first and the last lines of a section determine the shift, since they show where it goes; lines
 * between them may have been reindented on purpose. Nothing changes when {@link matchesFile} is true.
 */
export function fitIndentation(sections: readonly Section[], file: FileIndex): void {
  const hasTabs = convertKind(sections, file);
  const votes = sections.map(section => votesOf(section, file));
  const all = new Votes();
  for (const own of votes) all.addAll(own);
  const common = all.winner;
  sections.forEach((section, k) => {
    const own = votes[k] ?? all;
    const best = own.winner;
    const goesOwnWay =
      own.linesFor(best) >= 2 && own.weightOf(best) > ownShiftRatio * own.weightOf(common);
    const shift = goesOwnWay ? best : common;
    if (shift !== 0) shiftSection(section, shift, hasTabs);
  });
}

/** True in the usual case: the edges are lines of the file, and all known lines have the file's indentation. */
export function matchesFile(sections: readonly Section[], file: FileIndex): boolean {
  const hasTabs = indentsWithTabs(file) ?? false;
  for (const { lines } of sections) {
    for (let row = 0; row < lines.length; row++) {
      const line = lines[row];
      if (!line || line.indent < 0) continue;
      const { indent, text } = line;
      if (indent > 0 && (text.charCodeAt(0) === 9) !== hasTabs) return false;
      const id = file.idOf(line);
      if (!file.hasLine(id)) {
        if (row === 0 || row === lines.length - 1) return false;
      } else if (!file.hasIndent(id, indent)) {
        return false;
      }
    }
  }
  return true;
}

/** The weight of the votes for each shift, and the number of voting lines that are no fillers. */
class Votes {
  readonly #weights = new Map<number, number>();
  readonly #lines = new Map<number, number>();

  add(shift: number, weight: number, lines: number): void {
    this.#weights.set(shift, this.weightOf(shift) + weight);
    this.#lines.set(shift, this.linesFor(shift) + lines);
  }

  addAll(others: Votes): void {
    for (const [shift, weight] of others.#weights) this.add(shift, weight, others.linesFor(shift));
  }

  weightOf(shift: number): number {
    return this.#weights.get(shift) ?? 0;
  }

  linesFor(shift: number): number {
    return this.#lines.get(shift) ?? 0;
  }

  /** The shift with the most weight; 0 unless another one is clearly ahead. */
  get winner(): number {
    let best = 0;
    let most = this.weightOf(0);
    for (const [shift, weight] of this.#weights) {
      if (weight > most * clearLeadRatio) {
        most = weight;
        best = shift;
      }
    }
    return best;
  }
}

/** The votes of a section's edges; a line that occurs n times has n votes of 1/n. */
function votesOf({ lines }: Section, file: FileIndex): Votes {
  const votes = new Votes();
  const solid = lines.filter(({ indent }) => indent >= 0);
  const least = solid.reduce((most, { indent }) => Math.min(most, indent), Infinity);
  const vote = (line: Line | undefined, weight: number): void => {
    if (!line) return;
    const id = file.idOf(line);
    const places = file.placesOf(id);
    const isFiller = file.isFiller(id);
    const value = weight * (isFiller ? fillerVote : 1);
    const shifts = new Map<number, number>();
    for (const place of places) {
      const shift = (file.indents[place] ?? 0) - line.indent;
      // No line can be moved left of the margin.
      if (shift >= -least) shifts.set(shift, (shifts.get(shift) ?? 0) + 1);
    }
    for (const [shift, count] of shifts) {
      // One occurrence with the shown indentation is enough; other shifts need most of the occurrences.
      const share = shift === 0 ? 1 : count / places.length;
      votes.add(shift, value * share, isFiller ? 0 : 1);
    }
  };
  const edge = Math.min(edgeLineCount, Math.ceil(solid.length / 2));
  for (let k = 0; k < edge; k++) {
    vote(solid[k], 1 / (k + 1));
    vote(solid[solid.length - 1 - k], 1 / (k + 1));
  }
  return votes;
}

/** Converts the sections to the file's kind and width of indentation. True when the file uses tabs. */
function convertKind(sections: readonly Section[], file: FileIndex): boolean {
  const toTabs = indentsWithTabs(file);
  const all = sections.flatMap(section => section.lines);
  const lines = all.filter(({ indent }) => indent > 0);
  const tabs = lines.filter(({ text }) => text.startsWith('\t')).length;
  if (toTabs === undefined || lines.length === 0) return toTabs ?? false;
  // A snippet with lines of both kinds has them on purpose.
  const others = toTabs ? lines.length - tabs : tabs;
  const isOther =
    others >= lines.length * minOtherKindShare && !lines.some(line => isIndentedAlike(line, file));
  const isSame = others === 0 && !toTabs;
  const scale = isOther
    ? kindScale(lines, all, file, toTabs)
    : isSame
      ? widthScale(lines, file)
      : 1;
  if (!isOther && scale === 1) return toTabs;
  const scaled = (columns: number | undefined): number | undefined =>
    columns && Math.round(columns * scale);
  for (const section of sections) {
    section.lines = section.lines.map(line =>
      line.indent <= 0 ? line : withColumns(line, scaled(line.indent) ?? 0, toTabs),
    );
    section.markerAbove = scaled(section.markerAbove);
    section.markerBelow = scaled(section.markerBelow);
  }
  return toTabs;
}

/** True when the line is in a part of the file that is indented with the kind of blanks shown here. */
function isIndentedAlike(line: Line, file: FileIndex): boolean {
  return file
    .placesOf(file.idOf(line))
    .some(
      place =>
        file.indents[place] === line.indent &&
        file.source.startsWithTab(file.rawOf(place)) === line.text.startsWith('\t'),
    );
}

/** Columns in the file per column in the snippet, when one uses tabs and the other spaces. */
function kindScale(
  lines: readonly Line[],
  all: readonly Line[],
  file: FileIndex,
  toTabs: boolean,
): number {
  const size =
    (isCutOut(all, file) ? undefined : blanksPerLevel(lines, file, toTabs)) ??
    usualStep(toTabs ? all.map(({ indent }) => indent) : file.indents);
  return toTabs ? tabColumns / size : size / tabColumns;
}

/** The same when both use spaces: a snippet may indent by four where the file indents by two. */
function widthScale(lines: readonly Line[], file: FileIndex): number {
  const scales = new Map<number, Set<number>>();
  let count = 0;
  for (const line of lines) {
    const places = file.placesOf(file.idOf(line));
    if (places.length !== 1) continue;
    const scale = (file.indents[places[0] ?? 0] ?? 0) / line.indent;
    const indents = scales.get(scale) ?? new Set();
    scales.set(scale, indents.add(line.indent));
    count++;
  }
  // All lines agree, at two depths or more; a shift agrees with no scale at two depths.
  const [only] = [...scales];
  const isAgreed = scales.size === 1 && count >= 2 && only !== undefined && only[1].size >= 2;
  return isAgreed && only[0] > 0 ? only[0] : 1;
}

/** True when a line at the margin of the snippet is indented in the file: then columns of the two differ by a shift too. */
function isCutOut(lines: readonly Line[], file: FileIndex): boolean {
  return lines.some(line => {
    const places = line.indent === 0 ? file.placesOf(file.idOf(line)) : [];
    return places.length > 0 && places.every(place => (file.indents[place] ?? 0) > 0);
  });
}

/** How many spaces correspond to a tab, according to the lines in both the file and the snippet. */
function blanksPerLevel(
  lines: readonly Line[],
  file: FileIndex,
  toTabs: boolean,
): number | undefined {
  const sizes = new Map<number, number>();
  for (const line of lines) {
    const places = file.placesOf(file.idOf(line));
    for (const place of places) {
      const inFile = file.indents[place] ?? 0;
      const size = toTabs
        ? (line.indent * tabColumns) / inFile
        : (inFile * tabColumns) / line.indent;
      if (!Number.isInteger(size) || size < 1 || size > 8) continue;
      sizes.set(size, (sizes.get(size) ?? 0) + 1 / places.length);
    }
  }
  return modeOfCounts(sizes);
}

function modeOfCounts(counts: ReadonlyMap<number, number>): number | undefined {
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return most?.[0];
}

/** Columns per level: the most frequent difference between consecutive lines. */
function usualStep(indents: readonly number[]): number {
  const steps = new Map<number, number>();
  let last = 0;
  for (const indent of indents) {
    if (indent < 0) continue;
    const step = Math.abs(indent - last);
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    last = indent;
  }
  return modeOfCounts(steps) ?? tabColumns;
}

function shiftSection(section: Section, shift: number, tabs: boolean): void {
  section.lines = section.lines.map(line =>
    line.indent < 0 ? line : withColumns(line, Math.max(0, line.indent + shift), tabs),
  );
  const moved = (columns: number | undefined): number | undefined =>
    columns === undefined ? undefined : Math.max(0, columns + shift);
  section.markerAbove = moved(section.markerAbove);
  section.markerBelow = moved(section.markerBelow);
}
