import { decodeText, readRecords } from '../../base/table/readRecords';
import { columnNames, type OutputKind } from '../../base/table/tableFormat';
import { JsonValues } from '../../base/text/jsonValues';
import { isRecord } from '../../base/typeGuards';

/**
 * The results of a batch run: the columns of the input, then a label and a score for each reflex, then the error.
 * Cells are shortened to {@link maxCellChars}.
 */
export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Index of the label of each reflex; its score is in the next column. */
  readonly labelColumns: readonly number[];
  /** Index of the error. */
  readonly errorColumn: number;
  /** The file has more rows than these. */
  readonly isCut: boolean;
}

/** Rows that a table holds; a file with more of them is shown up to here. */
export const maxTableRows = 100_000;
const maxCellChars = 1000;

/** What one needs to know of a run to read its results. */
export interface ResultFormat {
  readonly output: OutputKind;
  readonly models: readonly string[];
}

/** @throws {UserError} for a record that no spreadsheet could hold. */
export async function readResultTable(
  bytes: AsyncIterable<Uint8Array>,
  { output, models }: ResultFormat,
  signal: AbortSignal,
  maxRows = maxTableRows,
): Promise<ResultTable> {
  const format = { kind: output, delimiter: ',', hasHeader: output === 'csv' };
  const reader = output === 'csv' ? new CsvRows() : new JsonRows(models);
  const rows: string[][] = [];
  let isCut = false;
  for await (const records of readRecords(decodeText(bytes), format)) {
    signal.throwIfAborted();
    for (const record of records) {
      const row = reader.read(record);
      if (!row) continue;
      if (rows.length < maxRows) rows.push(row);
      else isCut = true;
    }
    if (isCut) break;
  }
  const columns = reader.columns();
  const first = Math.max(0, columns.length - 1 - 2 * models.length);
  return {
    columns,
    rows: rows.map(row => reader.complete(row, columns.length)),
    labelColumns: models.map((_, at) => first + 2 * at),
    errorColumn: columns.length - 1,
    isCut,
  };
}

const cellOf = (text: string): string =>
  text.length > maxCellChars ? `${text.slice(0, maxCellChars - 1)}…` : text;

class CsvRows {
  #columns: readonly string[] | undefined;

  /** @returns undefined for the header */
  read(record: readonly string[]): string[] | undefined {
    if (this.#columns) return record.map(cellOf);
    this.#columns = columnNames(record, { kind: 'csv', delimiter: ',', hasHeader: true });
    return undefined;
  }

  columns(): readonly string[] {
    return this.#columns ?? [];
  }

  complete(row: string[], count: number): string[] {
    while (row.length < count) row.push('');
    return row;
  }
}

/** Columns for the fields of the objects, in the order in which they come first. */
class JsonRows {
  readonly #models: readonly string[];
  readonly #names: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #values = new JsonValues();
  /** Cells of the fields; those of the results follow. */
  readonly #results: string[][] = [];
  /** Rows that have their results. */
  #completed = 0;

  constructor(models: readonly string[]) {
    this.#models = models;
  }

  read([line = '']: readonly string[]): string[] {
    const value = this.#values.parse(line);
    const row: string[] = [];
    let results: Record<string, unknown> = {};
    let error: unknown = '';
    const entries = isRecord(value) ? Object.entries(value) : [['text', line] as const];
    const last = entries.length - 1;
    for (const [at, [name, part]] of entries.entries()) {
      // The writer appends the results and the error, under other names where these are taken.
      if (at === last - 1 && name.startsWith('reflex') && isRecord(part)) results = part;
      else if (at === last && name.startsWith('error') && last > 0) error = part ?? '';
      else row[this.#placeOf(name)] = cellOf(textOfValue(part));
    }
    const cells = this.#models.flatMap(model => labelAndScore(results[model]));
    this.#results.push([...cells, cellOf(textOfValue(error))]);
    return row;
  }

  columns(): readonly string[] {
    return [...this.#names, ...this.#models.flatMap(model => [model, `${model} score`]), 'error'];
  }

  complete(row: string[]): string[] {
    const fields = this.#names.map((_, at) => row[at] ?? '');
    return [...fields, ...(this.#results[this.#completed++] ?? [])];
  }

  #placeOf(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }
}

function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** The selected labels and the score of the best one, as in a CSV file. */
function labelAndScore(prediction: unknown): [label: string, score: string] {
  if (!isRecord(prediction) || !Array.isArray(prediction['selected'])) return ['', ''];
  const { selected, scores } = prediction;
  const labels = Array.isArray(selected) ? selected.filter(label => typeof label === 'string') : [];
  const [best] = labels;
  const score = isRecord(scores) && best !== undefined ? scores[best] : undefined;
  return [labels.join('; '), typeof score === 'number' ? String(score) : ''];
}
