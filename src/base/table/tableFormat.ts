import { JsonValues } from '../text/jsonValues';
import { isRecord } from '../typeGuards';

type TableKind = 'csv' | 'jsonl' | 'lines';

/** How a file is parsed. */
export interface TableFormat {
  readonly kind: TableKind;
  /** CSV only. */
  readonly delimiter: string;
  /** CSV only: the first record contains the column names. */
  readonly hasHeader: boolean;
}

/** Detects the format by the file name, and the delimiter by the first line. */
export function formatOf(fileName: string, head: string): TableFormat | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase();
  const other = { delimiter: ',', hasHeader: false };
  if (ending === 'jsonl' || ending === 'ndjson') return { kind: 'jsonl', ...other };
  if (ending === 'tsv' || ending === 'tab') {
    return { kind: 'csv', delimiter: '\t', hasHeader: true };
  }
  if (ending === 'csv') return { kind: 'csv', delimiter: delimiterOf(head), hasHeader: true };
  if (ending === 'txt' || ending === 'text' || ending === 'md') return { kind: 'lines', ...other };
  return undefined;
}

/** Spreadsheets write `;` in locales with a decimal comma. */
function delimiterOf(head: string): string {
  const first = head.split(/\r?\n/, 1)[0]?.replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (sign: string): number => first.split(sign).length - 1;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** A column of a file, with its first value. */
export interface Column {
  readonly name: string;
  readonly sample: string;
}

/** Columns of the first records; none for lines of text. */
export function tableColumns(
  records: readonly (readonly string[])[],
  format: TableFormat,
): Column[] {
  if (format.kind === 'lines') return [];
  if (format.kind === 'csv') {
    const [first = [], second = []] = records;
    return columnNames(first, format).map((name, at) => ({
      name,
      sample: (format.hasHeader ? second[at] : first[at]) ?? '',
    }));
  }
  const samples = new Map<string, string>();
  const values = new JsonValues();
  for (const [line = ''] of records) {
    const value = values.parse(line);
    if (isRecord(value)) {
      for (const [name, item] of Object.entries(value)) {
        if (typeof item === 'string' && !samples.has(name)) samples.set(name, item);
      }
    }
  }
  return [...samples].map(([name, sample]) => ({ name, sample }));
}

/** `Column 2` for a column without a name; duplicate names get a number. */
export function columnNames(first: readonly string[], { hasHeader }: TableFormat): string[] {
  const names = new Set<string>();
  // The next number to try per name; restarting at 2 would take quadratic time.
  const numbers = new Map<string, number>();
  for (const [at, cell] of first.entries()) {
    const name = (hasHeader && cell.trim()) || `Column ${at + 1}`;
    let free = name;
    let number = numbers.get(name) ?? 2;
    for (; names.has(free); number++) free = `${name} ${number}`;
    numbers.set(name, number);
    names.add(free);
  }
  return [...names];
}

export type OutputKind = 'csv' | 'jsonl';
