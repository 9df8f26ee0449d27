import type { FileIndex } from './fileIndex';
import { type Line, toLine } from '../lines';
import type { Section } from '../snippet/sections';

/** Share of the lines that must have the other kind of indentation. */
const MOST = 0.9;
/** A section goes its own way when its votes for that are so many times those for the common shift. */
const OWN_WAY = 2;
const AHEAD = 1.2;
/** Lines of an edge that vote, and what the vote of a line such as `}` counts. */
const EDGE_LINES = 3;
const FILLER = 0.3;
/** Columns that a tab stands for. */
const TAB = 4;

/**
 * Gives the sections the file's kind of indentation, then the file's depth: a snippet is often cut
 * out with less of it. The first and the last lines of a section tell the shift, since they are
 * there to say where it goes; lines between them may have been indented anew on purpose.
 */
export function fitIndentation(sections: readonly Section[], file: FileIndex): void {
  if (standsAsShown(sections, file)) return;
  const hasTabs = convertKind(sections, file);
  const votes = sections.map(section => votesOf(section, file));
  const all = new Votes();
  for (const own of votes) all.addAll(own);
  const common = all.winner;
  sections.forEach((section, k) => {
    const own = votes[k] ?? all;
    const best = own.winner;
    const goesOwnWay =
      own.linesFor(best) >= 2 && own.weightOf(best) > OWN_WAY * own.weightOf(common);
    const shift = goesOwnWay ? best : common;
    if (shift !== 0) shiftSection(section, shift, hasTabs);
  });
}

/** True in the usual case: the edges stand in the file, and all lines that do so are at their depth. */
function standsAsShown(sections: readonly Section[], file: FileIndex): boolean {
  const hasTabs = indentsWithTabs(file) ?? false;
  return sections.every(({ lines }) =>
    lines.every(({ indent, text, trimmed }, row) => {
      if (indent < 0) return true;
      if (indent > 0 && text.startsWith('\t') !== hasTabs) return false;
      const places = file.placesOf(file.numberOf(trimmed));
      return places.length === 0
        ? row > 0 && row < lines.length - 1
        : places.some(place => file.indents[place] === indent);
    }),
  );
}

/** How much speaks for each shift, and how many lines that are no fillers do. */
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

  /** The shift with the most weight; no shift at all unless another one is clearly ahead. */
  get winner(): number {
    let best = 0;
    let most = this.weightOf(0);
    for (const [shift, weight] of this.#weights) {
      if (weight > most * AHEAD) {
        most = weight;
        best = shift;
      }
    }
    return best;
  }
}

/** How the edges of a section vote; a line that stands in n places has n votes of 1/n. */
function votesOf({ lines }: Section, file: FileIndex): Votes {
  const votes = new Votes();
  const solid = lines.filter(({ indent }) => indent >= 0);
  const least = solid.reduce((most, { indent }) => Math.min(most, indent), Infinity);
  const vote = (line: Line | undefined, weight: number): void => {
    if (!line) return;
    const id = file.numberOf(line.trimmed);
    const places = file.placesOf(id);
    const isFiller = file.isFiller(id);
    const value = weight * (isFiller ? FILLER : 1);
    const shifts = new Map<number, number>();
    for (const place of places) {
      const shift = (file.indents[place] ?? 0) - line.indent;
      // No line can go left of the margin.
      if (shift >= -least) shifts.set(shift, (shifts.get(shift) ?? 0) + 1);
    }
    for (const [shift, count] of shifts) {
      // That a line stands as shown somewhere is enough; other shifts need most of its places.
      const share = shift === 0 ? 1 : count / places.length;
      votes.add(shift, value * share, isFiller ? 0 : 1);
    }
  };
  const edge = Math.min(EDGE_LINES, Math.ceil(solid.length / 2));
  for (let k = 0; k < edge; k++) {
    vote(solid[k], 1 / (k + 1));
    vote(solid[solid.length - 1 - k], 1 / (k + 1));
  }
  return votes;
}

/** Gives the sections the file's kind of indentation and its width. True when the file has tabs. */
function convertKind(sections: readonly Section[], file: FileIndex): boolean {
  const toTabs = indentsWithTabs(file);
  const all = sections.flatMap(section => section.lines);
  const lines = all.filter(({ indent }) => indent > 0);
  const tabs = lines.filter(({ text }) => text.startsWith('\t')).length;
  if (toTabs === undefined || lines.length === 0) return toTabs ?? false;
  // A snippet with lines of both kinds has them on purpose.
  const others = toTabs ? lines.length - tabs : tabs;
  const isOther = others >= lines.length * MOST;
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
      line.indent <= 0 ? line : reindented(line, scaled(line.indent) ?? 0, toTabs),
    );
    section.markerAbove = scaled(section.markerAbove);
    section.markerBelow = scaled(section.markerBelow);
  }
  return toTabs;
}

/** Columns of the file for one of the snippet, where one has tabs and the other blanks. */
function kindScale(
  lines: readonly Line[],
  all: readonly Line[],
  file: FileIndex,
  toTabs: boolean,
): number {
  const size =
    blanksPerLevel(lines, file, toTabs) ??
    usualStep(toTabs ? all.map(({ indent }) => indent) : file.indents);
  return toTabs ? TAB / size : size / TAB;
}

/** The same where both have blanks: a snippet may have four of them for each two of the file. */
function widthScale(lines: readonly Line[], file: FileIndex): number {
  const scales = new Map<number, Set<number>>();
  let count = 0;
  for (const { trimmed, indent } of lines) {
    const [place, ...others] = file.placesOf(file.numberOf(trimmed));
    if (place === undefined || others.length > 0) continue;
    const scale = (file.indents[place] ?? 0) / indent;
    const indents = scales.get(scale) ?? new Set();
    scales.set(scale, indents.add(indent));
    count++;
  }
  // All lines agree, at two depths or more; a shift agrees with no scale at two depths.
  const [only] = [...scales];
  const isAgreed = scales.size === 1 && count >= 2 && only !== undefined && only[1].size >= 2;
  return isAgreed && only[0] > 0 ? only[0] : 1;
}

/** How many blanks stand for a tab, as the lines tell that stand in the file and in the snippet. */
function blanksPerLevel(
  lines: readonly Line[],
  file: FileIndex,
  toTabs: boolean,
): number | undefined {
  const sizes = new Map<number, number>();
  for (const { trimmed, indent } of lines) {
    const places = file.placesOf(file.numberOf(trimmed));
    for (const place of places) {
      const inFile = file.indents[place] ?? 0;
      const size = toTabs ? (indent * TAB) / inFile : (inFile * TAB) / indent;
      if (!Number.isInteger(size) || size < 1 || size > 8) continue;
      sizes.set(size, (sizes.get(size) ?? 0) + 1 / places.length);
    }
  }
  return mostFrequent(sizes);
}

function mostFrequent(counts: ReadonlyMap<number, number>): number | undefined {
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return most?.[0];
}

/** Undefined when no line of the file is indented. */
function indentsWithTabs(file: FileIndex): boolean | undefined {
  const { source, indents } = file;
  let tabs = 0;
  let blanks = 0;
  for (let at = 0; at < indents.length && tabs + blanks < 200; at++) {
    if ((indents[at] ?? 0) === 0) continue;
    if (source.startsWithTab(file.rawOf(at))) tabs++;
    else blanks++;
  }
  return tabs + blanks === 0 ? undefined : tabs > blanks;
}

/** Columns per level: the most frequent step from a line to the next. */
function usualStep(indents: readonly number[]): number {
  const steps = new Map<number, number>();
  let last = 0;
  for (const indent of indents) {
    if (indent < 0) continue;
    const step = Math.abs(indent - last);
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    last = indent;
  }
  return mostFrequent(steps) ?? TAB;
}

function shiftSection(section: Section, shift: number, tabs: boolean): void {
  section.lines = section.lines.map(line =>
    line.indent < 0 ? line : reindented(line, Math.max(0, line.indent + shift), tabs),
  );
  const moved = (columns: number | undefined): number | undefined =>
    columns === undefined ? undefined : Math.max(0, columns + shift);
  section.markerAbove = moved(section.markerAbove);
  section.markerBelow = moved(section.markerBelow);
}

function reindented(line: Line, columns: number, tabs: boolean): Line {
  const lead = tabs
    ? '\t'.repeat(Math.floor(columns / TAB)) + ' '.repeat(columns % TAB)
    : ' '.repeat(columns);
  return toLine(lead + line.text.trimStart());
}
