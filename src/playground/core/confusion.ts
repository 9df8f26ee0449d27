/** A labelled text and what a classifier says of it. */
export interface LabelledAnswer {
  readonly expected: string;
  /** '' where the classifier selects no label. */
  readonly predicted: string;
}

export interface ClassScores {
  readonly label: string;
  /** Rows that are labelled so. */
  readonly support: number;
  /** 0 to 1; 0 where the denominator is 0. */
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export interface Evaluation {
  /** Sorted; all labels of the file and all that were predicted. */
  readonly labels: readonly string[];
  /** Rows of expected labels, columns of predicted ones in the same order; the last column is "no label". */
  readonly matrix: readonly (readonly number[])[];
  readonly total: number;
  /** Share of rows whose label was predicted, 0 to 1. */
  readonly accuracy: number;
  readonly classes: readonly ClassScores[];
  /** Mean of F1 over all labels. */
  readonly macroF1: number;
}

/**
 * Confusion matrix, accuracy, and precision, recall and F1 of each label. A label that is only predicted
 * has no support, and counts in the mean with an F1 of 0. "No label" is a wrong prediction, but no class.
 */
export function evaluate(answers: readonly LabelledAnswer[]): Evaluation {
  const labels = [...new Set(answers.flatMap(({ expected, predicted }) => [expected, predicted]))]
    .filter(label => label !== '')
    .toSorted();
  const index = new Map(labels.map((label, at) => [label, at]));
  const matrix = labels.map(() => labels.map(() => 0).concat(0));
  for (const { expected, predicted } of answers) {
    const row = matrix[index.get(expected) ?? -1];
    const column = predicted === '' ? labels.length : (index.get(predicted) ?? -1);
    if (row) row[column] = (row[column] ?? 0) + 1;
  }
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  const classes = labels.map((label, own): ClassScores => {
    const hits = at(own, own);
    const support = (matrix[own] ?? []).reduce((sum, count) => sum + count, 0);
    const predicted = labels.reduce((sum, _, row) => sum + at(row, own), 0);
    return {
      label,
      support,
      precision: ratio(hits, predicted),
      recall: ratio(hits, support),
      f1: ratio(2 * hits, support + predicted),
    };
  });
  const hits = labels.reduce((sum, _, own) => sum + at(own, own), 0);
  return {
    labels,
    matrix,
    total: answers.length,
    accuracy: ratio(hits, answers.length),
    classes,
    macroF1: ratio(
      classes.reduce((sum, { f1 }) => sum + f1, 0),
      classes.length,
    ),
  };
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
