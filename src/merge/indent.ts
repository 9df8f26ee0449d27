import { columnsOf, type Line, toLine } from './lines';
import type { Section } from './sections';

/** How a text indents: one tab or a number of blanks per level. */
export interface IndentStyle {
  tabs: boolean;
  /** Columns per level. */
  size: number;
}

export function indentStyleOf(lines: readonly Line[]): IndentStyle | undefined {
  let tabs = 0;
  let blanks = 0;
  const steps = new Map<number, number>();
  let last = 0;
  for (const { text, indent } of lines) {
    if (indent < 0) {
      continue;
    }
    if (text.startsWith('\t')) {
      tabs++;
    } else if (text.startsWith(' ')) {
      blanks++;
      const step = Math.abs(indent - last);
      if (step > 1) {
        steps.set(step, (steps.get(step) ?? 0) + 1);
      }
    }
    last = indent;
  }
  if (tabs + blanks === 0) {
    return undefined;
  }
  let size = 4;
  let most = 0;
  for (const [step, count] of steps) {
    if (step <= 8 && (count > most || (count === most && step < size))) {
      most = count;
      size = step;
    }
  }
  return { tabs: tabs > blanks, size: tabs > blanks ? 4 : size };
}

/** Gives all sections the file's kind of indentation, then the file's depth where its lines agree on one shift. */
export function fitIndentation(sections: readonly Section[], original: readonly Line[]): void {
  const all = sections.flatMap(section => section.lines);
  const file = indentStyleOf(original);
  const snippet = indentStyleOf(all);
  if (file && snippet && file.tabs !== snippet.tabs) {
    for (const section of sections) {
      section.lines = section.lines.map(line => convert(line, snippet, file));
    }
    const scale = (columns: number | undefined): number | undefined =>
      columns === undefined || !file.tabs ? columns : Math.round((columns / snippet.size) * 4);
    for (const section of sections) {
      section.markerAbove = scale(section.markerAbove);
      section.markerBelow = scale(section.markerBelow);
    }
  }
  const places = new Map<string, number>();
  for (const { trimmed, indent } of original) {
    places.set(trimmed, places.has(trimmed) ? Number.NaN : indent);
  }
  const shift = agreedShift(
    sections.flatMap(section => section.lines),
    places,
  );
  for (const section of sections) {
    const own = shift ?? agreedShift(section.lines, places);
    if (own) {
      section.lines = section.lines.map(line => shifted(line, own, file));
      section.markerAbove = moved(section.markerAbove, own);
      section.markerBelow = moved(section.markerBelow, own);
    }
  }
}

function moved(columns: number | undefined, shift: number): number | undefined {
  return columns === undefined ? undefined : Math.max(0, columns + shift);
}

/** The shift that nearly all lines which stand once in the file agree on; 0 when they need none. */
function agreedShift(
  lines: readonly Line[],
  places: ReadonlyMap<string, number>,
): number | undefined {
  const votes = new Map<number, number>();
  let total = 0;
  for (const { trimmed, indent } of lines) {
    const place = places.get(trimmed);
    if (indent >= 0 && place !== undefined && !Number.isNaN(place)) {
      votes.set(place - indent, (votes.get(place - indent) ?? 0) + 1);
      total++;
    }
  }
  for (const [shift, count] of votes) {
    if (count >= 0.9 * total && (total >= 2 || count === total)) {
      return shift;
    }
  }
  return undefined;
}

function convert(line: Line, from: IndentStyle, to: IndentStyle): Line {
  if (line.indent <= 0) {
    return line;
  }
  if (to.tabs) {
    const columns = columnsOf(line.text);
    const levels = Math.floor(columns / from.size);
    return toLine('\t'.repeat(levels) + ' '.repeat(columns % from.size) + line.text.trimStart());
  }
  const lead = /^[ \t]*/.exec(line.text)?.[0] ?? '';
  return toLine(lead.replaceAll('\t', ' '.repeat(to.size)) + line.text.trimStart());
}

function shifted(line: Line, shift: number, file: IndentStyle | undefined): Line {
  if (line.indent < 0) {
    return line;
  }
  const columns = Math.max(0, line.indent + shift);
  const lead = file?.tabs
    ? '\t'.repeat(Math.floor(columns / 4)) + ' '.repeat(columns % 4)
    : ' '.repeat(columns);
  return toLine(lead + line.text.trimStart());
}
