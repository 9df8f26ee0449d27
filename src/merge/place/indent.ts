import type { FileIndex } from './fileIndex';
import { type Line, toLine } from '../lines';
import type { Section } from '../sections';

/** How a text indents: one tab or a number of blanks per level. */
interface IndentStyle {
  readonly tabs: boolean;
  /** Columns per level. */
  readonly size: number;
}

/** Columns that a tab stands for. */
const TAB = 4;

/**
 * Gives the sections the file's kind of indentation, then the file's depth: a snippet is often cut
 * out with less of it. The first and the last lines of a section tell the shift, since they are
 * there to say where it goes; lines between them may have been indented anew on purpose.
 */
export function fitIndentation(sections: readonly Section[], file: FileIndex): void {
  const style = convertKind(sections, file);
  const votes = sections.map(section => votesOf(section, file));
  const all = new Map<number, number>();
  for (const own of votes) {
    for (const [shift, weight] of own) all.set(shift, (all.get(shift) ?? 0) + weight);
  }
  const common = mostVoted(all);
  sections.forEach((section, k) => {
    const own = votes[k] ?? new Map<number, number>();
    const shift = own.size > 0 && !own.has(common) ? mostVoted(own) : common;
    if (shift !== 0) shiftSection(section, shift, style.tabs);
  });
}

/** How much the edges of a section speak for each shift; a line that stands in n places has n votes of 1/n. */
function votesOf({ lines }: Section, file: FileIndex): Map<number, number> {
  const votes = new Map<number, number>();
  const solid = lines.filter(({ indent }) => indent >= 0);
  const vote = (line: Line | undefined, weight: number): void => {
    if (!line) return;
    const id = file.numberOf(line.trimmed);
    const places = file.placesOf(id);
    if (places.length === 0) return;
    const value = (file.isFiller(id) ? 0.3 : 1) * weight;
    const shifts = new Map<number, number>();
    for (const place of places) {
      const shift = (file.indents[place] ?? 0) - line.indent;
      // No line can go left of the margin.
      if (shift < -least) continue;
      shifts.set(shift, (shifts.get(shift) ?? 0) + 1);
    }
    for (const [shift, count] of shifts) {
      // That a line stands as shown somewhere is enough; other shifts need most of its places.
      const share = shift === 0 ? 1 : count / places.length;
      votes.set(shift, (votes.get(shift) ?? 0) + value * share);
    }
  };
  const least = Math.min(...solid.map(({ indent }) => indent));
  const edge = Math.min(3, Math.ceil(solid.length / 2));
  for (let k = 0; k < edge; k++) {
    vote(solid[k], 1 / (k + 1));
    vote(solid[solid.length - 1 - k], 1 / (k + 1));
  }
  return votes;
}

function mostVoted(votes: ReadonlyMap<number, number>): number {
  let best = 0;
  let most = votes.get(0) ?? 0;
  for (const [shift, weight] of votes) {
    if (weight > most * 1.2) {
      most = weight;
      best = shift;
    }
  }
  return best;
}

/** Tabs for blanks or blanks for tabs, where the snippet uses the other kind. */
function convertKind(sections: readonly Section[], file: FileIndex): IndentStyle {
  const target = { tabs: indentsWithTabs(file), size: TAB };
  const lines = sections.flatMap(section => section.lines).filter(({ indent }) => indent > 0);
  const tabs = lines.filter(({ text }) => text.startsWith('\t')).length;
  // A snippet with lines of both kinds has them on purpose.
  const others = target.tabs ? lines.length - tabs : tabs;
  if (target.tabs === undefined || others === 0 || others < lines.length * 0.9) {
    return { tabs: target.tabs ?? false, size: TAB };
  }
  const from = levelOf(lines.map(({ indent }) => indent));
  const to = target.tabs ? TAB : levelOf(file.indents);
  for (const section of sections) {
    section.lines = section.lines.map(line =>
      line.indent <= 0 ? line : convert(line, target.tabs ? from : to, target.tabs === true),
    );
    if (target.tabs) {
      section.markerAbove = scaled(section.markerAbove, from);
      section.markerBelow = scaled(section.markerBelow, from);
    } else {
      section.markerAbove = rescaled(section.markerAbove, to);
      section.markerBelow = rescaled(section.markerBelow, to);
    }
  }
  return { tabs: target.tabs, size: TAB };
}

function scaled(columns: number | undefined, size: number): number | undefined {
  return columns === undefined ? undefined : Math.round(columns / size) * TAB;
}

function rescaled(columns: number | undefined, size: number): number | undefined {
  return columns === undefined ? undefined : Math.round(columns / TAB) * size;
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
function levelOf(indents: ArrayLike<number>): number {
  const steps = new Map<number, number>();
  for (let at = 1; at < indents.length; at++) {
    const step = Math.abs((indents[at] ?? 0) - (indents[at - 1] ?? 0));
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [most] = [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return most?.[0] ?? TAB;
}

function convert(line: Line, size: number, toTabs: boolean): Line {
  if (toTabs) {
    const levels = Math.floor(line.indent / size);
    return toLine('\t'.repeat(levels) + ' '.repeat(line.indent % size) + line.text.trimStart());
  }
  const lead = /^[ \t]*/.exec(line.text)?.[0] ?? '';
  return toLine(lead.replaceAll('\t', ' '.repeat(size)) + line.text.trimStart());
}

function shiftSection(section: Section, shift: number, tabs: boolean): void {
  section.lines = section.lines.map(line => {
    if (line.indent < 0) return line;
    const columns = Math.max(0, line.indent + shift);
    const lead = tabs
      ? '\t'.repeat(Math.floor(columns / TAB)) + ' '.repeat(columns % TAB)
      : ' '.repeat(columns);
    return toLine(lead + line.text.trimStart());
  });
  const moved = (columns: number | undefined): number | undefined =>
    columns === undefined ? undefined : Math.max(0, columns + shift);
  section.markerAbove = moved(section.markerAbove);
  section.markerBelow = moved(section.markerBelow);
}
