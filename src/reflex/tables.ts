import { UserError } from '../host/errors';
import { csvCell, inertText } from '../service/csv';
import { isRecord } from '../service/guards';
import { JsonValues } from '../service/jsonValues';

export type TableKind = 'csv' | 'jsonl' | 'lines';

/** How a file is read. */
export interface TableFormat {
  readonly kind: TableKind;
  /** Of CSV. */
  readonly delimiter: string;
  /** Of CSV: the first record names the columns. */
  readonly hasHeader: boolean;
}

/** One row of the input. */
export interface InputRow {
  /** CSV: the cells; else one element, the line. */
  readonly cells: readonly string[];
  /** What is classified; absent where the row has none. */
  readonly text: string | undefined;
  /** Why there is no text, in English. */
  readonly problem: string | undefined;
}

/** A file by its name, and by its first characters where the name leaves it open. */
export function formatOf(fileName: string, head: string): TableFormat | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase();
  const other = { delimiter: ',', hasHeader: false };
  if (ending === 'jsonl' || ending === 'ndjson') return { kind: 'jsonl', ...other };
  if (ending === 'tsv' || ending === 'tab')
    return { kind: 'csv', delimiter: '\t', hasHeader: true };
  if (ending === 'csv') return { kind: 'csv', delimiter: delimiterOf(head), hasHeader: true };
  if (ending === 'txt' || ending === 'text' || ending === 'md') return { kind: 'lines', ...other };
  return undefined;
}

/** Spreadsheets write `;` where the comma is the decimal sign. */
function delimiterOf(head: string): string {
  const first = head.split(/\r?\n/, 1)[0]?.replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (sign: string): number => first.split(sign).length - 1;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** Characters of one record; a quote that is never closed must not take the memory. */
const longestRecord = 4 << 20;
/** Cells of one record: the columns of the largest spreadsheet. */
const mostCells = 16_384;

/** Bytes as text: UTF-8, or UTF-16 with a byte order mark. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const last = decoder?.decode() ?? '';
  if (last !== '') yield last;
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * The records of a file, some at a time, in bounded memory. Empty lines of CSV and JSON lines are no
 * records; those between lines of text are.
 *
 * @throws {UserError} for a record above 4 million characters, or with more cells than a spreadsheet has.
 */
export async function* readRecords(
  chunks: AsyncIterable<string>,
  { kind, delimiter }: TableFormat,
): AsyncGenerator<string[][]> {
  const splitter = kind === 'csv' ? new CsvSplitter(delimiter) : new LineSplitter(kind === 'lines');
  let count = 0;
  for await (const chunk of chunks) {
    const records = splitter.feed(chunk, false);
    checkCells(records, count);
    count += records.length;
    const problem = problemOf(splitter);
    if (problem !== undefined) throw new UserError(`Record ${count + 1} ${problem}`);
    if (records.length > 0) yield records;
  }
  const records = splitter.feed('', true);
  checkCells(records, count);
  if (records.length > 0) yield records;
}

interface Splitter {
  /** The records that `chunk` completes; at the end, the last one too. */
  feed(chunk: string, isEnd: boolean): string[][];
  /** What the record that may go on has so far. */
  readonly length: number;
  readonly cells: number;
}

function problemOf({ length, cells }: Splitter): string | undefined {
  if (length > longestRecord)
    return `is longer than ${longestRecord.toLocaleString('en-US')} characters. A quote may be missing.`;
  return cells > mostCells ? tooManyCells : undefined;
}

const tooManyCells = `has more than ${mostCells.toLocaleString('en-US')} cells, which no spreadsheet can hold.`;

function checkCells(records: readonly (readonly string[])[], before: number): void {
  const at = records.findIndex(({ length }) => length > mostCells);
  if (at >= 0) throw new UserError(`Record ${before + at + 1} ${tooManyCells}`);
}

class LineSplitter implements Splitter {
  readonly cells = 1;
  readonly #keepsEmpty: boolean;
  #pending = '';

  constructor(keepsEmpty: boolean) {
    this.#keepsEmpty = keepsEmpty;
  }

  get length(): number {
    return this.#pending.length;
  }

  feed(chunk: string, isEnd: boolean): string[][] {
    const text = this.#pending + chunk;
    const records: string[][] = [];
    let from = 0;
    // No line ends in what was pending.
    let at = text.indexOf('\n', this.#pending.length);
    for (; at >= 0; at = text.indexOf('\n', from)) {
      const line = text.slice(from, text.charCodeAt(at - 1) === carriageReturn ? at - 1 : at);
      if (this.#keepsEmpty || line.trim() !== '') records.push([line]);
      from = at + 1;
    }
    this.#pending = text.slice(from);
    if (isEnd && this.#pending.trim() !== '') records.push([this.#pending]);
    return records;
  }
}

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/** As RFC 4180 has it, and lenient: a quote within a cell that does not begin with one is a character. */
class CsvSplitter implements Splitter {
  readonly #separator: number;
  /** From the start of the cell that may go on. */
  #pending = '';
  /** Whole cells of the record that may go on, and the characters of them. */
  #cells: string[] = [];
  #before = 0;
  /** In the cell that may go on: the closing quote, or -1, and what was looked at for its end. */
  #closing = -1;
  #looked = 0;

  constructor(delimiter: string) {
    this.#separator = delimiter.charCodeAt(0);
  }

  get length(): number {
    return this.#before + this.#pending.length;
  }

  get cells(): number {
    return this.#cells.length;
  }

  feed(chunk: string, isEnd: boolean): string[][] {
    const text = this.#pending + chunk;
    const records: string[][] = [];
    let at = 0;
    let recordStart = -this.#before;
    while (at < text.length) {
      const end = this.#cellEnd(text, at, isEnd);
      if (end < 0) break;
      this.#cells.push(this.#cellAt(text, at, end));
      this.#closing = -1;
      this.#looked = 0;
      at =
        end +
        (text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed ? 2 : 1);
      if (text.charCodeAt(end) === this.#separator) continue;
      this.#endRecord(records);
      recordStart = at;
    }
    if (isEnd && this.#cells.length > 0) {
      // A separator at the very end has an empty cell behind it.
      this.#cells.push('');
      this.#endRecord(records);
    }
    this.#pending = text.slice(at);
    this.#before = at - recordStart;
    this.#looked = Math.max(0, this.#looked - at);
    if (this.#closing >= 0) this.#closing -= at;
    return records;
  }

  #endRecord(records: string[][]): void {
    if (this.#cells.length > 1 || this.#cells[0] !== '') records.push(this.#cells);
    this.#cells = [];
  }

  /** -1 where only the next chunk tells. */
  #cellEnd(text: string, start: number, isEnd: boolean): number {
    let from = Math.max(start, this.#looked);
    if (text.charCodeAt(start) === quote) {
      if (this.#closing < 0) {
        const closing = closingQuote(text, Math.max(from, start + 1));
        // Whether a quote at the end closes the cell is known with the next chunk.
        if (!isEnd && (closing < 0 || closing === text.length - 1)) {
          this.#looked = closing < 0 ? text.length : closing;
          return -1;
        }
        this.#closing = closing < 0 ? text.length : closing;
        from = this.#closing + 1;
      }
    }
    const end = endOfCell(text, from, this.#separator);
    const isOpen =
      end >= text.length || (end === text.length - 1 && text.charCodeAt(end) === carriageReturn);
    if (!isOpen || isEnd) return Math.min(end, text.length);
    this.#looked = end;
    return -1;
  }

  #cellAt(text: string, start: number, end: number): string {
    if (this.#closing < 0) return text.slice(start, end);
    const inner = text.slice(start + 1, this.#closing).replaceAll('""', '"');
    return inner + text.slice(this.#closing + 1, end);
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
    if (text.charCodeAt(at + 1) !== quote) return at;
  return -1;
}

function endOfCell(text: string, from: number, separator: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === separator || sign === lineFeed || sign === carriageReturn) break;
  }
  return at;
}

/** A column of a file, with what stands in it first. */
export interface Column {
  readonly name: string;
  readonly sample: string;
}

/** The columns of the first records; none for lines of text. */
export function columnsOf(records: readonly (readonly string[])[], format: TableFormat): Column[] {
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
    if (isRecord(value))
      for (const [name, item] of Object.entries(value))
        if (typeof item === 'string' && !samples.has(name)) samples.set(name, item);
  }
  return [...samples].map(([name, sample]) => ({ name, sample }));
}

/** `Column 2` where a column has no name; a name that comes twice gets a number. */
export function columnNames(first: readonly string[], { hasHeader }: TableFormat): string[] {
  const names = new Set<string>();
  // The number to try next for a name; to start again with 2 would look at all of them each time.
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

function freeName(name: string, taken: readonly string[]): string {
  const all = new Set(taken);
  let free = name;
  for (let number = 2; all.has(free); number++) free = `${name} ${number}`;
  return free;
}

// Made once, since a damaged file has one for each line.
const tooFewCells = { problem: 'The row has too few cells.' };
const noJson = { problem: 'The line is no JSON.' };
const noText = { problem: 'The row has no text.' };

/** Reads the text of each row, past the header. */
export class RowReader {
  readonly #format: TableFormat;
  readonly #column: string;
  readonly #values = new JsonValues();
  #names: readonly string[] | undefined;
  /** Place of the column among the names. */
  #at = -1;

  /** @param column name of the column with the texts; '' where the whole line is the text */
  constructor(format: TableFormat, column: string) {
    this.#format = format;
    this.#column = column;
  }

  /** Of CSV, once the first record was read. */
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

/** What one reflex said about one row. */
export interface RowLabels {
  readonly reflex: string;
  readonly selected: readonly string[];
  /** Of the best selected label. */
  readonly score: number | undefined;
  /** All labels with their scores; only in JSON lines. */
  readonly scores: readonly (readonly [string, number])[];
}

export interface RowOutcome {
  readonly labels: readonly RowLabels[];
  /** '' when all went well. */
  readonly error: string;
}

export type OutputKind = 'csv' | 'jsonl';

/** Writes one line for each row of the input, with what the reflexes said behind it. */
export class RowWriter {
  readonly #output: OutputKind;
  readonly #format: TableFormat;
  readonly #models: readonly string[];
  readonly #values = new JsonValues();

  constructor(output: OutputKind, format: TableFormat, models: readonly string[]) {
    this.#output = output;
    this.#format = format;
    this.#models = models;
  }

  /** The first line; '' where there is none. @param names of the input's columns */
  header(names: readonly string[]): string {
    if (this.#output === 'jsonl') return '';
    const columns =
      this.#format.kind === 'csv' ? [...names] : [this.#format.kind === 'lines' ? 'text' : 'row'];
    for (const model of this.#models)
      for (const name of [inertText(model), `${inertText(model)} score`])
        columns.push(freeName(name, columns));
    columns.push(freeName('error', columns));
    return csvLine(columns);
  }

  row(cells: readonly string[], names: readonly string[], outcome: RowOutcome): string {
    return this.#output === 'csv'
      ? this.#csvRow(cells, names, outcome)
      : this.#jsonRow(cells, names, outcome);
  }

  #csvRow(
    cells: readonly string[],
    names: readonly string[],
    { labels, error }: RowOutcome,
  ): string {
    const line = [...cells];
    if (this.#format.kind === 'csv') {
      while (line.length < names.length) line.push('');
      // Cells without a column stay with the last one, so that the new columns stay in line.
      if (line.length > names.length)
        line.splice(
          names.length - 1,
          line.length,
          line.slice(names.length - 1).join(this.#format.delimiter),
        );
    }
    for (const model of this.#models) {
      const found = labels.find(({ reflex }) => reflex === model);
      line.push(inertText(found?.selected.join('; ') ?? ''));
      line.push(found?.score === undefined ? '' : String(round(found.score)));
    }
    line.push(inertText(error));
    return csvLine(line);
  }

  #jsonRow(
    cells: readonly string[],
    names: readonly string[],
    { labels, error }: RowOutcome,
  ): string {
    const predictions = Object.fromEntries(
      labels.map(({ reflex, selected, scores }) => [
        reflex,
        {
          selected,
          scores: Object.fromEntries(scores.map(([label, score]) => [label, round(score)])),
        },
      ]),
    );
    const [line = ''] = cells;
    const value = this.#format.kind === 'jsonl' ? this.#values.parse(line) : undefined;
    if (isRecord(value)) {
      // The line stays as it was written: numbers that JavaScript cannot hold too.
      const own = line.trim().slice(0, -1).trimEnd();
      const taken = Object.keys(value);
      const more = `${JSON.stringify(freeName('reflex', taken))}:${JSON.stringify(predictions)},${JSON.stringify(freeName('error', taken))}:${JSON.stringify(error || null)}`;
      return `${own}${taken.length > 0 ? ',' : ''}${more}}\n`;
    }
    const row =
      this.#format.kind === 'csv'
        ? Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
        : { text: value ?? line };
    const taken = Object.keys(row);
    return `${JSON.stringify({ ...row, [freeName('reflex', taken)]: predictions, [freeName('error', taken)]: error || null })}\n`;
  }
}

const round = (score: number): number => Math.round(score * 1e6) / 1e6;

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}
