import { isRecord } from '../../../base/typeGuards';
import type { LineEdit } from '../model/lineEdit';
import { applyEdits, changesBetween, type Hunk } from '../model/rebase';
import { isEditsOf, isHunksOf, type StoredReviewState } from '../model/reviewState';

/** What a review began with: the text of the file, and all changes that were proposed for it. */
export interface StartState {
  readonly text: readonly string[];
  readonly hunks: readonly Hunk[];
}

/** The stored form: `edits` lead from the current text to that of the start, which is not stored twice. */
export interface StoredStart {
  readonly edits: readonly LineEdit[];
  readonly hunks: readonly Hunk[];
}

export function toStoredStart(
  { text, hunks }: StartState,
  current: readonly string[],
): StoredStart {
  return { edits: text === current ? [] : changesBetween(current, text), hunks };
}

/**
 * The start of a stored review; undefined when it is damaged.
 *
 * @param json undefined in journals of earlier versions: these show it only until the first decision.
 */
export function readStart(json: unknown, state: StoredReviewState): StartState | undefined {
  const { current, hunks, decisions, rejected } = state;
  if (json === undefined) {
    const isFirst = decisions.length === 0 && rejected.length === 0;
    return isFirst ? { text: current, hunks } : undefined;
  }
  if (!isRecord(json) || !isEditsOf(json['edits'], current)) return undefined;
  const text = json['edits'].length === 0 ? current : applyEdits(current, json['edits']);
  return isHunksOf(json['hunks'], text) ? { text, hunks: json['hunks'] } : undefined;
}
