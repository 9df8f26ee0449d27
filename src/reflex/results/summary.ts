import type { ResultTable } from './resultTable';
import { labelsIn } from './tableView';

export interface LabelCount {
  readonly label: string;
  readonly count: number;
}

export interface ReflexSummary {
  readonly reflex: string;
  /** Index of its labels in the table. */
  readonly column: number;
  /** The most frequent first; a row with several labels counts for each of them. */
  readonly labels: readonly LabelCount[];
  /** Rows without a label and without an error. */
  readonly unlabeled: number;
}

/** A row whose label is less certain than those of others. */
export interface UncertainRow {
  /** Index in the table. */
  readonly row: number;
  readonly reflex: string;
  readonly label: string;
  readonly score: number;
}

export interface ResultSummary {
  readonly rows: number;
  readonly errors: number;
  readonly reflexes: readonly ReflexSummary[];
  /** The lowest scores first. */
  readonly uncertain: readonly UncertainRow[];
}

const maxUncertain = 10;

export function summaryOf(table: ResultTable): ResultSummary {
  const { rows, columns, labelColumns, errorColumn } = table;
  const uncertain: UncertainRow[] = [];
  const reflexes = labelColumns.map((column): ReflexSummary => {
    const reflex = columns[column] ?? '';
    const counts = new Map<string, number>();
    let unlabeled = 0;
    for (const [at, row] of rows.entries()) {
      const cell = row[column] ?? '';
      const labels = labelsIn(cell);
      for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
      if (labels.length === 0 && row[errorColumn] === '') unlabeled++;
      const score = row[column + 1] ?? '';
      if (labels.length === 0 || score === '' || !Number.isFinite(Number(score))) continue;
      uncertain.push({ row: at, reflex, label: cell, score: Number(score) });
    }
    return {
      reflex,
      column,
      labels: [...counts]
        .map(([label, count]) => ({ label, count }))
        .toSorted((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1)),
      unlabeled,
    };
  });
  return {
    rows: rows.length,
    errors: rows.filter(row => row[errorColumn] !== '').length,
    reflexes,
    uncertain: uncertain
      .toSorted((a, b) => a.score - b.score || a.row - b.row)
      .slice(0, maxUncertain),
  };
}
