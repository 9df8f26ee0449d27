import type { ResultTable } from './resultTable';

/** What is shown of a table, and in which order. */
export interface ViewState {
  /** Rows with this text in any cell; case does not matter. */
  readonly filter: string;
  /** Rows with this label of a reflex, or with an error where the label is missing. */
  readonly only?: { readonly column: number; readonly label?: string } | undefined;
  readonly sort?: { readonly column: number; readonly isDescending: boolean } | undefined;
}

/** Several labels of a cell. */
export const labelsIn = (cell: string): string[] => (cell === '' ? [] : cell.split('; '));

/** Indexes of the rows that are shown. Equal rows keep their order, and empty cells come last. */
export function rowsShown(table: ResultTable, { filter, only, sort }: ViewState): number[] {
  const wanted = filter.trim().toLowerCase();
  const shown: number[] = [];
  for (const [at, row] of table.rows.entries()) {
    if (only && !has(row[only.column] ?? '', only.label)) continue;
    if (wanted !== '' && !row.some(cell => cell.toLowerCase().includes(wanted))) continue;
    shown.push(at);
  }
  return sort ? sorted(table, shown, sort) : shown;
}

const has = (cell: string, label: string | undefined): boolean =>
  label === undefined ? cell !== '' : label === '' ? cell === '' : labelsIn(cell).includes(label);

function sorted(
  { rows }: ResultTable,
  shown: readonly number[],
  { column, isDescending }: NonNullable<ViewState['sort']>,
): number[] {
  const cells = shown.map(at => rows[at]?.[column] ?? '');
  const isNumeric = cells.every(cell => cell === '' || Number.isFinite(Number(cell)));
  const keys = cells.map(cell =>
    cell === '' ? undefined : isNumeric ? Number(cell) : cell.toLowerCase(),
  );
  const sign = isDescending ? -1 : 1;
  const order = keys.map((_, at) => at);
  order.sort((a, b) => {
    const [one, other] = [keys[a], keys[b]];
    if (one === other) return a - b;
    if (one === undefined) return 1;
    if (other === undefined) return -1;
    return one < other ? -sign : sign;
  });
  return order.map(at => shown[at] ?? 0);
}

/** The next order when the header of a column is chosen: ascending, descending, that of the file. */
export function nextSort(sort: ViewState['sort'], column: number): ViewState['sort'] {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? undefined : { column, isDescending: true };
}
