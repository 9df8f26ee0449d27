/**
 * Diffs whose lines have numbers in front instead of hunk headers, as the terminals of agents and the pages of reviews
 * show them: `12 -  old`, `12 +  new`, `12 │ 12 │ same`. All code begins at one column behind the numbers.
 */

/** `  12 `, `  12   12 `, `12 │    │`, `   │ 12 │`; what is behind may be a mark, blanks or code. */
const numbers = /^[\s│|┊⋮]{0,20}\d{1,7}(?:[\s│|┊⋮:]{1,20}\d{1,7}(?=[\s│|┊⋮:]|$))?/;
const oneNumber = /^[\s│|┊⋮]{0,20}\d{1,7}/;
/** What stands between the numbers and the code. */
const behindNumbers = /^[\s│|┊⋮:]*[-+]?[\s│|┊⋮:]*/;
/** The place where unchanged lines are left out. */
const gap = /^\s{0,40}(?:(?:\.{3}|…|⋮)\s{0,40}$|@@)/;
/** A row with a mark, which is no comment of SQL. */
const markedRow = /^[\s│|┊⋮]{0,20}\d{1,7}[\s│|┊⋮:]{0,20}(?:\+(?!\d)|-(?![-\d]))/;
/** Two columns of numbers, of which one is empty. */
const halfRow = /^(?:\s*\d{1,7}\s*[│┊⋮]\s+[│┊⋮]|\s*[│┊⋮]\s*\d{1,7}\s*[│┊⋮])/;
/** Columns that a terminal may show for a tab; 1 for the tab itself. */
const tabWidths = [1, 4, 2, 8];
const maxDigits = 7;
/** In characters. */
const maxGutter = 60;
/** Further lines of one that a terminal wrapped. */
const maxWrapped = 4;
/** Rows by which the column of the code is found. */
const maxProbed = 200;

interface Row {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  readonly number: number;
}

const isBlank = (line: string): boolean => line.trim() === '';

/** Rows with line numbers. */
export interface NumberedRows {
  /** The line after the last one. */
  readonly end: number;
  /** Whether some of them are marked as added or removed. */
  readonly isDiff: boolean;
}

/** The rows with line numbers that begin at a line; undefined where none begin. */
export function numberedRowsAt(lines: readonly string[], at: number): NumberedRows | undefined {
  if (!oneNumber.test(lines[at] ?? '') && !halfRow.test(lines[at] ?? '')) return undefined;
  let end = at;
  let marked = 0;
  let rows = 0;
  let last = 0;
  let wrapped = 0;
  for (let next = at; next < lines.length && wrapped <= maxWrapped; next++) {
    const line = lines[next] ?? '';
    if (isBlank(line) || gap.test(line)) continue;
    const number = numberOf(line);
    // The rest of a line that the terminal wrapped stands between two rows in their order.
    if (number === undefined || (wrapped > 0 && number !== last && number !== last + 1)) {
      if (isBlank(lines[next - 1] ?? '')) break;
      wrapped++;
      continue;
    }
    wrapped = 0;
    rows++;
    if (markedRow.test(line) || halfRow.test(line)) marked++;
    last = number;
    end = next + 1;
  }
  return rows === 0 ? undefined : { end, isDiff: marked > 0 && rows > 1 };
}

/** The last number of a row; undefined for other lines. */
function numberOf(line: string): number | undefined {
  const isRow = /^[\s│|┊⋮]{0,20}\d{1,7}(?:[\s│|┊⋮:]|[-+](?!\d)|$)/.test(line);
  const digits = isRow ? numbers.exec(line)?.[0].match(/\d+/g)?.at(-1) : undefined;
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The lines as a unified diff without file headers; undefined where they are no diff with numbers, or the file does not
 * have the lines that the diff shows of it.
 *
 * @param original lines of the file, without their ends.
 */
export function unnumberedDiff(
  lines: readonly string[],
  original: readonly string[],
): string[] | undefined {
  const first = lines.findIndex(line => !isBlank(line));
  const last = lines.findLastIndex(line => !isBlank(line));
  const found = first < 0 ? undefined : numberedRowsAt(lines, first);
  if (!found?.isDiff || found.end !== last + 1) return undefined;
  const shown = aligned(lines.slice(first, last + 1));
  const indents = indentsOf(original);
  // A log may have such lines itself.
  if (shown.some(line => indents.has(line.trim()))) return undefined;
  const layout = layoutOf(shown, indents);
  if (!layout) return undefined;
  const hunks: Row[][] = [[]];
  for (const line of shown) {
    const row = isBlank(line) || gap.test(line) ? undefined : rowOf(line, layout);
    const before = hunks.at(-1)?.at(-1)?.number;
    if (row === 'unreadable') return undefined;
    if (!row || (before !== undefined && row.number > before + 1)) hunks.push([]);
    if (row) hunks.at(-1)?.push(row);
  }
  const all = hunks.filter(rows => rows.some(({ mark }) => mark !== ' '));
  const isProven = all.every(
    rows =>
      rows.some(({ mark, text }) => mark !== '+' && !isBlank(text)) &&
      rows.every(({ mark, text }) => mark === '+' || isBlank(text) || isLine(text, indents)),
  );
  return all.length > 0 && isProven ? all.flatMap(diffOf) : undefined;
}

/** The text of a new file, of which all lines are added; undefined where lines are missing. */
export function numberedNewFile(lines: readonly string[]): string | undefined {
  const rows = lines.filter(line => !isBlank(line));
  if (!rows.every(line => /^\s*\d{1,7} ?\+/.test(line))) return undefined;
  const column = Math.min(
    ...rows.flatMap(line => {
      const behind = line.replace(/^\s*\d{1,7} ?\+/, '');
      return isBlank(behind) ? [] : [line.length - behind.trimStart().length];
    }),
  );
  const isWhole = rows.every((line, at) => Number(oneNumber.exec(line)?.[0]) === at + 1);
  return isWhole ? rows.map(line => `${line.slice(column)}\n`).join('') : undefined;
}

/** By the trimmed line: what it is indented with. */
function indentsOf(original: readonly string[]): Map<string, Set<string>> {
  const indents = new Map<string, Set<string>>();
  for (const line of original) {
    const text = line.trim();
    if (text === '') continue;
    indents.set(text, (indents.get(text) ?? new Set()).add(indentOf(line)));
  }
  return indents;
}

const tableRow = /^(\d{0,7})\t(\d{0,7})\t(.*)$/;
const plainRow = /^(\d{1,7})(.*)$/;

/** The rows with numbers that end at one column, as cells of a table and numbers without blanks in front do not. */
function aligned(lines: readonly string[]): readonly string[] {
  const rows = lines.filter(line => !isBlank(line) && !gap.test(line));
  const form = [tableRow, plainRow].find(one => rows.every(line => one.test(line)));
  if (!form) return lines;
  return lines.map(line => {
    const [, ...cells] = form.exec(line) ?? [];
    const rest = cells.pop();
    if (rest === undefined) return line;
    return [...cells.map(cell => cell.padStart(maxDigits)), rest].join(
      form === tableRow ? ' ' : '',
    );
  });
}

interface Layout {
  /** Where the code begins in all rows. */
  readonly column: number;
  /** Blanks that stand for a tab. */
  readonly tabWidth: number;
}

/** By the rows that are lines of the file. */
function layoutOf(
  lines: readonly string[],
  indents: ReadonlyMap<string, ReadonlySet<string>>,
): Layout | undefined {
  const votes = new Map<string, Layout & { count: number }>();
  for (const line of lines.slice(0, maxProbed)) {
    const own = new Map<string, Layout>();
    for (const start of startsOf(line)) {
      for (const indent of indents.get(line.slice(start).trim()) ?? []) {
        for (const tabWidth of tabWidths) {
          const column = start - indent.replaceAll('\t', ' '.repeat(tabWidth)).length;
          if (isGutter(line.slice(0, column)))
            own.set(`${column} ${tabWidth}`, { column, tabWidth });
        }
      }
    }
    for (const [key, layout] of own) {
      votes.set(key, { ...layout, count: (votes.get(key)?.count ?? 0) + 1 });
    }
  }
  // The one that holds for the most rows, and leaves the code as much indentation as it can have.
  return [...votes.values()].sort((a, b) => b.count - a.count || a.column - b.column)[0];
}

/** Whether the file has the line, with its indentation. */
const isLine = (text: string, indents: ReadonlyMap<string, ReadonlySet<string>>): boolean =>
  indents.get(text.trim())?.has(indentOf(text)) ?? false;

const indentOf = (text: string): string => text.slice(0, text.length - text.trimStart().length);

/** Where the code of a row may begin. */
function startsOf(line: string): number[] {
  const starts = new Set<number>();
  for (const form of [oneNumber, numbers]) {
    const length = form.exec(line)?.[0].length;
    if (length === undefined) continue;
    const rest = line.slice(length);
    const blanks = /^[\s│|┊⋮:]*/.exec(rest)?.[0].length ?? 0;
    starts.add(length + blanks).add(length + (behindNumbers.exec(rest)?.[0].length ?? 0));
  }
  return [...starts].filter(start => start < line.length);
}

const isGutter = (text: string): boolean =>
  text.length <= maxGutter &&
  /^[\s\d│|┊⋮:]{0,60}[-+]?[\s│|┊⋮]{0,60}$/.test(text) &&
  /\d/.test(text);

function rowOf(line: string, { column, tabWidth }: Layout): Row | 'unreadable' {
  const gutter = line.slice(0, column);
  if (!isGutter(gutter)) return 'unreadable';
  const sign = /[-+]/.exec(gutter)?.[0];
  const half = halfRow.exec(line)?.[0];
  const halfMark = half === undefined ? ' ' : /^\s*\d/.test(half) ? '-' : '+';
  return {
    mark: sign === '-' || sign === '+' ? sign : halfMark,
    text: withTabs(line.slice(column), tabWidth),
    number: Number(/\d+/.exec(gutter)?.[0]),
  };
}

/** The line with its first blanks as tabs, where these stand for some. */
function withTabs(text: string, tabWidth: number): string {
  const blanks = indentOf(text).length;
  return tabWidth < 2 || text.startsWith('\t')
    ? text
    : '\t'.repeat(Math.floor(blanks / tabWidth)) + text.slice(blanks - (blanks % tabWidth));
}

function diffOf(rows: readonly Row[]): string[] {
  const first = rows[0]?.number ?? 1;
  const count = (without: string): number => rows.filter(({ mark }) => mark !== without).length;
  const header = `@@ -${first},${count('+')} +${first},${count('-')} @@`;
  return [header, ...rows.map(({ mark, text }) => mark + text)];
}
