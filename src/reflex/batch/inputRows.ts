import { createHash } from 'node:crypto';
import { decodeText, readRecords } from '../../base/table/readRecords';
import type { TableFormat } from '../../base/table/tableFormat';
import { hasSecret } from '../../platform/egress/secrets/secretText';
import { chunksOfRows, estimateTokens, type ReflexRow, serviceLimits } from '../../service';
import { type InputRow, RowReader } from './rowReader';

export interface FileCounts {
  readonly rows: number;
  /** Rows with a text that can be classified. */
  readonly sendable: number;
}

/** Reads the whole file once, to calculate the price. */
export async function countRows(
  bytes: AsyncIterable<Uint8Array>,
  format: TableFormat,
  column: string,
  signal: AbortSignal,
): Promise<FileCounts> {
  let rows = 0;
  let sendable = 0;
  for await (const row of inputRows(bytes, format, column)) {
    signal.throwIfAborted();
    rows++;
    if (rejectionOf(row) === undefined) sendable++;
  }
  return { rows, sendable };
}

export async function* inputRows(
  bytes: AsyncIterable<Uint8Array>,
  format: TableFormat,
  column: string,
  reader = new RowReader(format, column),
): AsyncGenerator<InputRow> {
  for await (const records of readRecords(decodeText(bytes), format)) yield* reader.rows(records);
}

/** Why a row is not sent, in English; undefined if it is. */
export function rejectionOf({ text, problem }: InputRow): string | undefined {
  if (text === undefined) return problem;
  if (hasSecret(text)) return 'The text seems to contain a key or a password; it was not sent.';
  const { reflexTokens } = serviceLimits;
  return text.length > reflexTokens && estimateTokens(text) > reflexTokens
    ? 'The text is too long.'
    : undefined;
}

interface UploadGroup {
  readonly rows: readonly ReflexRow[];
  readonly firstRow: number;
  readonly endRow: number;
}

/** Groups rows into uploads; rows without a text count toward a group's range but are not sent. */
export async function* uploadGroups(
  all: AsyncIterable<InputRow>,
  models: readonly string[],
  rowsPerUpload: number = serviceLimits.batchRows,
): AsyncGenerator<UploadGroup> {
  let rows: ReflexRow[] = [];
  let number = 0;
  let firstRow = 0;
  const cut = function* (isEnd: boolean): Generator<UploadGroup> {
    if (rows.length === 0) return;
    // Uploads are also limited by their total number of characters.
    const groups = [...chunksOfRows(rows, rowsPerUpload)];
    const whole = isEnd ? groups : groups.slice(0, -1);
    for (const group of whole) {
      const endRow = rowNumber(group.at(-1)?.id ?? '') + 1;
      yield { rows: group, firstRow, endRow };
      firstRow = endRow;
    }
    rows = isEnd ? [] : (groups.at(-1) ?? []);
  };
  let chars = 0;
  for await (const row of all) {
    if (rejectionOf(row) === undefined && row.text !== undefined) {
      rows.push({ id: rowId(number), models, text: row.text });
      chars += row.text.length;
      if (rows.length > rowsPerUpload || chars > checkChars) {
        yield* cut(false);
        chars = rows.reduce((sum, { text }) => sum + text.length, 0);
      }
    }
    number++;
  }
  yield* cut(true);
}

/** After this many characters the rows are checked against the limit of an upload. */
const checkChars = 64 << 20;

export const rowId = (number: number): string => `row-${number}`;

export function rowNumber(id: string): number {
  const [, digits] = /^row-(\d+)$/.exec(id) ?? [];
  return digits === undefined ? -1 : Number(digits);
}

export const hashed = (id: string, models: readonly string[], text: string): string =>
  JSON.stringify([id, models, text]);

export function rowsDigest(rows: readonly ReflexRow[]): string {
  const hash = createHash('sha256');
  for (const { id, models, text } of rows) hash.update(hashed(id, models, text));
  return hash.digest('hex');
}
