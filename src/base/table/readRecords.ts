import { UserError } from '../userError';
import type { TableFormat } from './tableFormat';

/** Maximum length of a record, so that an unclosed quote does not exhaust memory. */
const maxRecordChars = 4 << 20;
/** Maximum cells of a record: the column limit of spreadsheets. */
const maxCells = 16_384;

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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
 * Reads the records of a file in chunks, in bounded memory. Empty lines are skipped in CSV and JSON lines,
 * but kept between lines of text.
 *
 * @throws {UserError} for a record of more than 4 million characters or more cells than a spreadsheet has.
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
    const problem = recordProblem(splitter);
    if (problem !== undefined) throw new UserError(`Record ${count + 1} ${problem}`);
    if (records.length > 0) yield records;
  }
  const records = splitter.feed('', true);
  checkCells(records, count);
  if (records.length > 0) yield records;
}

interface Splitter {
  /** The records that `chunk` completes; at the end also the last one. */
  feed(chunk: string, isEnd: boolean): string[][];
  /** Characters and cells of the unfinished record so far. */
  readonly length: number;
  readonly cells: number;
}

function recordProblem({ length, cells }: Splitter): string | undefined {
  if (length > maxRecordChars) {
    return `is longer than ${maxRecordChars.toLocaleString('en-US')} characters. A quote may be missing.`;
  }
  return cells > maxCells ? tooManyCells : undefined;
}

const tooManyCells = `has more than ${maxCells.toLocaleString('en-US')} cells, which no spreadsheet can hold.`;

function checkCells(records: readonly (readonly string[])[], before: number): void {
  const at = records.findIndex(({ length }) => length > maxCells);
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
    // The pending part contains no line break.
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

/** Follows RFC 4180, but treats a quote within an unquoted cell as a character. */
class CsvSplitter implements Splitter {
  readonly #separator: number;
  /** Text from the start of the unfinished cell. */
  #pending = '';
  /** Finished cells of the unfinished record, and their length. */
  #cells: string[] = [];
  #before = 0;
  /** In the unfinished cell: offset of the closing quote or -1, and how far it was scanned. */
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
      // A separator at the very end is followed by an empty cell.
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

  /** @returns -1 if only the next chunk decides. */
  #cellEnd(text: string, start: number, isEnd: boolean): number {
    let from = Math.max(start, this.#looked);
    if (text.charCodeAt(start) === quote) {
      if (this.#closing < 0) {
        const closing = closingQuote(text, Math.max(from, start + 1));
        // Whether a quote at the end closes the cell depends on the next chunk.
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
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== quote) return at;
  }
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
