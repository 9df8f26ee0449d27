import { columnNames, type TableFormat } from '../../base/table/tableFormat';
import { JsonValues } from '../../base/text/jsonValues';
import { isRecord } from '../../base/typeGuards';

/** One row of the input. */
export interface InputRow {
  /** CSV: the cells; otherwise the line as the only element. */
  readonly cells: readonly string[];
  /** The text to classify; undefined if the row has none. */
  readonly text: string | undefined;
  /** Why there is no text, in English; undefined if there is one. */
  readonly problem: string | undefined;
}

// Shared objects, since a damaged file has one per line.
const tooFewCells = { problem: 'The row has too few cells.' };
const noJson = { problem: 'The line is not valid JSON.' };
const noText = { problem: 'The row has no text.' };

/** Reads the text of each row after the header. */
export class RowReader {
  readonly #format: TableFormat;
  readonly #column: string;
  readonly #values = new JsonValues();
  #names: readonly string[] | undefined;
  /** Index of the column. */
  #at = -1;

  /** @param column name of the column with the texts; '' if the whole line is the text */
  constructor(format: TableFormat, column: string) {
    this.#format = format;
    this.#column = column;
  }

  /** Column names; CSV only, available once the first record was read. */
  get names(): readonly string[] {
    return this.#names ?? [];
  }

  *rows(records: readonly (readonly string[])[]): Generator<InputRow> {
    for (const cells of records) {
      if (this.#format.kind === 'csv' && !this.#names) {
        this.#names = columnNames(cells, this.#format);
        this.#at = this.#names.indexOf(this.#column);
        if (this.#format.hasHeader) continue;
      }
      yield this.#row(cells);
    }
  }

  #row(cells: readonly string[]): InputRow {
    const found = this.#textIn(cells);
    if (typeof found !== 'string') return { cells, text: undefined, problem: found.problem };
    return found.trim() === ''
      ? { cells, text: undefined, problem: 'The text is empty.' }
      : { cells, text: found, problem: undefined };
  }

  #textIn(cells: readonly string[]): string | { readonly problem: string } {
    const [line = ''] = cells;
    if (this.#format.kind === 'lines') return line;
    if (this.#format.kind === 'csv') return cells[this.#at] ?? tooFewCells;
    const value = this.#values.parse(line);
    if (value === undefined) return noJson;
    if (this.#column === '' && typeof value === 'string') return value;
    const text = isRecord(value) && Object.hasOwn(value, this.#column) && value[this.#column];
    return typeof text === 'string' ? text : noText;
  }
}
