import { type Line, tabColumns, toLine } from '../lines';
import type { FileIndex } from './fileIndex';

/** Undefined when no line of the file is indented. */
export function indentsWithTabs(file: FileIndex): boolean | undefined {
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

/** The columns per level of the file: the most frequent step to a deeper line. */
export function levelColumns(file: FileIndex): number {
  const steps = new Map<number, number>();
  let last = 0;
  for (const indent of file.indents) {
    if (indent > last && indent - last <= 8) {
      steps.set(indent - last, (steps.get(indent - last) ?? 0) + 1);
    }
    last = indent;
  }
  const [most] = [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return most?.[0] ?? 4;
}

/** The line with other indentation, in tabs or spaces. */
export function withColumns(line: Line, columns: number, tabs: boolean): Line {
  const lead = tabs
    ? '\t'.repeat(Math.floor(columns / tabColumns)) + ' '.repeat(columns % tabColumns)
    : ' '.repeat(columns);
  return toLine(lead + line.text.trimStart());
}

/** The line with other indentation, in the file's kind of blanks. */
export function withIndent(line: Line, columns: number, file: FileIndex): Line {
  return withColumns(line, columns, indentsWithTabs(file) ?? false);
}
