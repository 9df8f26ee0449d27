import { cleanServerText } from '../../base/format/serverText';
import type { ReflexRowResult } from '../../service';
import type { BatchUpload } from './batchRun';
import { rejectionOf, rowNumber } from './inputRows';
import type { InputRow } from './rowReader';
import type { RowLabels, RowOutcome } from './rowWriter';

/** Adds a result; those of a row with several reflexes may arrive in several parts. */
export function addResult(
  found: Map<number, RowOutcome>,
  { id, predictions, failures, error }: ReflexRowResult,
): void {
  const number = rowNumber(id);
  const before = found.get(number);
  const labels = predictions.map(({ model, classes, selected }): RowLabels => {
    const best = selected.toSorted((a, b) => b.score - a.score);
    return {
      reflex: model,
      selected: best.map(({ label }) => cleanServerText(label)),
      score: best[0]?.score,
      scores: classes.map(({ label, score }) => [cleanServerText(label), score]),
    };
  });
  const errors = [
    before?.error,
    error,
    ...failures.map(({ model, message }) => `${model}: ${message}`),
  ].filter(Boolean);
  found.set(number, { labels: [...(before?.labels ?? []), ...labels], error: errors.join(' ') });
}

export function outcomeOf(
  row: InputRow,
  found: RowOutcome | undefined,
  upload: BatchUpload | undefined,
): RowOutcome {
  if (found) return found;
  const problem = rejectionOf(row);
  if (problem !== undefined) return { labels: [], error: problem };
  const status = upload?.status ?? 'completed';
  return {
    labels: [],
    error:
      status === 'completed'
        ? 'The service gave no result for this row.'
        : `The batch ended as "${cleanServerText(status)}".`,
  };
}
