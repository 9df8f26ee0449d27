import { type ArrayChange, diffArrays } from 'diff';

export interface SnippetStyle {
  /** Lines of code shown on both sides of a change; blank lines do not count. */
  context: number;
  /** Shows more where the first or the last line shown stands more than once in the file. */
  uniqueEdges?: boolean;
  /** What a marker says between its comment signs. */
  wording?: string;
  /** Takes the common indentation off each part. */
  dedent?: boolean;
  /** Tabs where the file has blanks, four blanks where it has tabs. */
  swapsIndentation?: boolean;
  lineEnd?: '\n' | '\r\n';
  withoutFirstMarker?: boolean;
  withoutLastMarker?: boolean;
}

type Part = { kind: 'shown'; lines: string[] } | { kind: 'leftOut'; lines: string[] };

/** The snippet a model would write to turn `before` into `after`: markers stand for the left-out code. */
export function snippetOf(
  before: string,
  after: string,
  path: string,
  style: SnippetStyle,
): string {
  const lines = linesOf(after);
  const parts = partsOf(lines, shownRows(linesOf(before), lines, style));
  const written = parts.flatMap((part, nth) => {
    if (part.kind === 'shown') {
      return style.dedent ? dedented(part.lines) : part.lines;
    }
    const isLeftOff =
      (nth === 0 && style.withoutFirstMarker) ||
      (nth === parts.length - 1 && style.withoutLastMarker);
    return isLeftOff ? [] : [markerFor(part.lines, path, style)];
  });
  const indented = style.swapsIndentation ? swapped(written, lines) : written;
  return indented.map(line => line + (style.lineEnd ?? '\n')).join('');
}

export function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Rows of the new text from `top` on; `bottom` is the first one below. */
interface Rows {
  top: number;
  bottom: number;
}

/** The changed rows and as many lines of code above and below them, or more where that says too little. */
function shownRows(before: string[], after: string[], style: SnippetStyle): boolean[] {
  const changes = diffArrays(before, after);
  const edges = style.uniqueEdges ? uniqueRows(before, after, changes) : new Set(after.keys());
  const known = codeOf(before);
  const shown = after.map(() => false);
  for (const change of changedRows(changes)) {
    let rows = change;
    let [above, below] = [style.context, style.context];
    while (above > 0 || below > 0) {
      rows = grown(after, rows, above, below);
      // As the `}` above and the `}` below of a removed function do, that stand in the file just so.
      const saysNothing = known.includes(codeOf(after.slice(rows.top, rows.bottom)));
      above = rows.top > 0 && (saysNothing || !edges.has(rows.top)) ? 1 : 0;
      below = rows.bottom < after.length && (saysNothing || !edges.has(rows.bottom - 1)) ? 1 : 0;
    }
    shown.fill(true, rows.top, rows.bottom);
  }
  return shown;
}

function changedRows(changes: ArrayChange<string>[]): Rows[] {
  const changed: Rows[] = [];
  let row = 0;
  for (const { value, added, removed } of changes) {
    const bottom = removed ? row : row + value.length;
    if (added || removed) {
      changed.push({ top: row, bottom });
    }
    row = bottom;
  }
  return changed;
}

/** Rows of kept lines that stand once in the old and in the new text. */
function uniqueRows(
  before: string[],
  after: string[],
  changes: ArrayChange<string>[],
): Set<number> {
  const isNew = after.map(() => false);
  for (const { top, bottom } of changedRows(changes)) {
    isNew.fill(true, top, bottom);
  }
  const rows = [...after.keys()];
  return new Set(
    rows.filter(row => {
      const line = after[row] ?? '';
      return !isNew[row] && once(before, line) && once(after, line);
    }),
  );
}

const once = (lines: string[], line: string): boolean =>
  lines.indexOf(line) === lines.lastIndexOf(line);

function grown(lines: string[], { top, bottom }: Rows, above: number, below: number): Rows {
  const rows = { top, bottom };
  for (let left = above; left > 0; left--) {
    rows.top = nextCode(lines, rows.top - 1, -1);
  }
  for (let left = below; left > 0; left--) {
    rows.bottom = nextCode(lines, rows.bottom, 1) + 1;
  }
  return { top: Math.max(0, rows.top), bottom: Math.min(lines.length, rows.bottom) };
}

function nextCode(lines: string[], start: number, step: 1 | -1): number {
  let row = start;
  while (lines[row] !== undefined && isBlank(lines[row])) {
    row += step;
  }
  return row;
}

const codeOf = (lines: string[]): string =>
  ['', ...lines.filter(line => !isBlank(line)).map(line => line.trim()), ''].join('\n');

function partsOf(lines: string[], shown: boolean[]): Part[] {
  const runs: Part[] = [];
  for (const [row, line] of lines.entries()) {
    const kind = shown[row] ? 'shown' : 'leftOut';
    const last = runs.at(-1);
    if (last?.kind === kind) {
      last.lines.push(line);
    } else {
      runs.push({ kind, lines: [line] });
    }
  }
  return joinOverBlanks(runs);
}

/** Nobody writes a marker for blank lines only. */
function joinOverBlanks(runs: Part[]): Part[] {
  const parts: Part[] = [];
  for (const run of runs) {
    const kind = run.lines.every(isBlank) ? 'shown' : run.kind;
    const last = parts.at(-1);
    if (last?.kind === kind) {
      last.lines.push(...run.lines);
    } else {
      parts.push({ kind, lines: [...run.lines] });
    }
  }
  return parts;
}

function markerFor(leftOut: string[], path: string, style: SnippetStyle): string {
  const code = leftOut.filter(line => !isBlank(line));
  const marker = commented(style.wording ?? '... existing code ...', path, code[0]?.trim() ?? '');
  const [outermost = ''] = code.map(indentOf).toSorted((one, two) => one.length - two.length);
  return style.dedent ? marker : outermost + marker;
}

function commented(words: string, path: string, standsFor: string): string {
  if (/\.[jt]sx$/.test(path) && standsFor.startsWith('<')) {
    return `{/* ${words} */}`;
  }
  const [opener, closer] = commentSigns[path.split('.').at(-1) ?? ''] ?? ['// ', ''];
  return opener + words + closer;
}

const hash: [string, string] = ['# ', ''];
const dashes: [string, string] = ['-- ', ''];
const angles: [string, string] = ['<!-- ', ' -->'];
/** By file extension, where they are not `//`. */
const commentSigns: Record<string, [opener: string, closer: string]> = {
  py: hash,
  rb: hash,
  sh: hash,
  toml: hash,
  yaml: hash,
  yml: hash,
  lua: dashes,
  sql: dashes,
  css: ['/* ', ' */'],
  html: angles,
  md: angles,
  vue: angles,
  xml: angles,
};

function dedented(lines: string[]): string[] {
  const widths = lines.filter(line => !isBlank(line)).map(line => indentOf(line).length);
  const common = Math.min(...widths);
  return lines.map(line => line.slice(Math.min(common, indentOf(line).length)));
}

function swapped(written: string[], lines: string[]): string[] {
  const indents = lines.filter(line => !isBlank(line)).map(indentOf);
  const [unit] = indents.filter(indent => indent !== '').toSorted();
  if (unit === undefined) {
    return written;
  }
  const other = unit.startsWith('\t') ? '    ' : '\t';
  return written.map(line => {
    const indent = indentOf(line);
    return indent.replaceAll(unit, other) + line.slice(indent.length);
  });
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
const isBlank = (line: string | undefined): boolean => line?.trim() === '';
