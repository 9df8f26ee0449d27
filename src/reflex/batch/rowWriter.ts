import type { OutputKind, TableFormat } from '../../base/table/tableFormat';
import { csvCell, inertText } from '../../base/text/csv';
import { JsonValues } from '../../base/text/jsonValues';
import { isRecord } from '../../base/typeGuards';

function uniqueName(name: string, taken: readonly string[]): string {
  const all = new Set(taken);
  let free = name;
  for (let number = 2; all.has(free); number++) free = `${name} ${number}`;
  return free;
}

/** Prediction of one reflex for one row. */
export interface RowLabels {
  readonly reflex: string;
  readonly selected: readonly string[];
  /** Score of the best selected label. */
  readonly score: number | undefined;
  /** All labels with their scores; written only to JSON lines. */
  readonly scores: readonly (readonly [string, number])[];
}

export interface RowOutcome {
  readonly labels: readonly RowLabels[];
  /** '' if there was none. */
  readonly error: string;
}

/** Writes one line per input row, followed by the predictions. */
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

  /** The header line; '' for JSON lines. @param names columns of the input */
  header(names: readonly string[]): string {
    if (this.#output === 'jsonl') return '';
    const columns =
      this.#format.kind === 'csv' ? [...names] : [this.#format.kind === 'lines' ? 'text' : 'row'];
    for (const model of this.#models) {
      for (const name of [inertText(model), `${inertText(model)} score`]) {
        columns.push(uniqueName(name, columns));
      }
    }
    columns.push(uniqueName('error', columns));
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
      // Surplus cells are joined into the last column, so that the new columns stay aligned.
      if (line.length > names.length) {
        line.splice(
          names.length - 1,
          line.length,
          line.slice(names.length - 1).join(this.#format.delimiter),
        );
      }
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
      // The line is kept verbatim, because JavaScript cannot represent every number.
      const own = line.trim().slice(0, -1).trimEnd();
      const taken = Object.keys(value);
      const more = `${JSON.stringify(uniqueName('reflex', taken))}:${JSON.stringify(predictions)},${JSON.stringify(uniqueName('error', taken))}:${JSON.stringify(error || null)}`;
      return `${own}${taken.length > 0 ? ',' : ''}${more}}\n`;
    }
    const row =
      this.#format.kind === 'csv'
        ? Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
        : { text: value ?? line };
    const taken = Object.keys(row);
    return `${JSON.stringify({ ...row, [uniqueName('reflex', taken)]: predictions, [uniqueName('error', taken)]: error || null })}\n`;
  }
}

const round = (score: number): number => Math.round(score * 1e6) / 1e6;

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}
