import { indentOf, isBlank, linesOf } from './lines';
import { shownRows } from './shownRows';

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
  const parts = partsOf(lines, shownRows(linesOf(before), lines, style.context, style.uniqueEdges));
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
