import type { Translate } from '../../base/format/text';
import { readRecords } from '../../base/table/readRecords';
import { columnNames, formatOf, type TableFormat } from '../../base/table/tableFormat';
import { UserError } from '../../base/userError';
import { maxRows, type PromptRow } from './run';

/** A CSV file with its lines. */
export interface LabelledTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly line: number }[];
}

/** @throws {UserError} for a file without rows, or with too many. */
export async function readTable(name: string, text: string, t: Translate): Promise<LabelledTable> {
  const format = formatOf(
    /\.(?:csv|tsv|tab)$/i.test(name) ? name : `${name}.csv`,
    text.trimStart(),
  );
  const rows: { cells: readonly string[]; line: number }[] = [];
  if (format && text.trim() !== '' && !text.includes('\0')) {
    for await (const row of numbered(text, format)) rows.push(row);
  }
  const [header, ...others] = rows;
  if (!format || !header || others.length === 0) {
    throw new UserError(
      t(
        '{0} has no rows. It needs a header line, and a text and a label in each line below.',
        name,
      ),
    );
  }
  const columns = columnNames(header.cells, format);
  if (columns.length < 2) {
    throw new UserError(
      t(
        'Line {0} names one column only. A column for the text and one for the label are needed.',
        header.line,
      ),
    );
  }
  const [extra] = others.slice(maxRows.labelled);
  if (extra) {
    throw new UserError(
      t(
        '{0} has more than {1} rows. Split the file before line {2}.',
        name,
        maxRows.labelled,
        extra.line,
      ),
    );
  }
  return { columns, rows: others };
}

/** Records with the line in which they begin. */
async function* numbered(text: string, format: TableFormat) {
  let line = 0;
  let first = 1;
  // Each record is given as soon as its last line is read, which tells where the next one begins.
  async function* lines(): AsyncGenerator<string> {
    for (let from = 0; from < text.length; ) {
      const at = text.indexOf('\n', from);
      const end = at < 0 ? text.length : at + 1;
      line++;
      const part = text.slice(from, end);
      if (part.trim() === '' && first === line) first++;
      yield part;
      from = end;
    }
  }
  for await (const records of readRecords(lines(), format)) {
    for (const cells of records) yield { cells, line: first };
    first = line + 1;
  }
}

/** The column that most likely has the texts, or the labels. */
export const likelyColumn = (columns: readonly string[], names: RegExp): string | undefined =>
  columns.find(column => names.test(column));

export const textColumn = /^(?:text|prompt|input|message|sentence|content)$/i;
export const labelColumn = /^(?:label|class|category|expected|target|gold)$/i;

/**
 * The rows to classify.
 * @param labels the classes of the reflex; empty where they are not known
 * @throws {UserError} for a row without text or label, or with a label that the reflex does not have.
 */
export function labelledRows(
  { columns, rows }: LabelledTable,
  chosen: { readonly text: string; readonly label: string; readonly reflex: string },
  labels: readonly string[],
  t: Translate,
): PromptRow[] {
  const [textAt, labelAt] = [columns.indexOf(chosen.text), columns.indexOf(chosen.label)];
  return rows.map(({ cells, line }) => {
    const text = cells[textAt] ?? '';
    const expected = (cells[labelAt] ?? '').trim();
    for (const [value, column] of [
      [text, chosen.text],
      [expected, chosen.label],
    ] as const) {
      if (value.trim() !== '') continue;
      throw new UserError(
        t(
          'Line {0} has nothing in the column "{1}". Fill it in, or delete the line.',
          line,
          column,
        ),
      );
    }
    if (labels.length > 0 && !labels.includes(expected)) {
      throw new UserError(
        t(
          'Line {0}: "{1}" is not a label of {2}, which has {3}. Correct it, or choose another column or reflex.',
          line,
          expected,
          chosen.reflex,
          labels.join(', '),
        ),
      );
    }
    return { text, expected, line };
  });
}
