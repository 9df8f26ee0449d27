import { sameLines } from '../review/model/rebase';
import { ReviewModel } from '../review/model/reviewModel';
import { type AppliedEdit, acceptedLines, proposedLines } from './appliedEdit';

/** A change of the text that a file has now. */
export interface ChangeNow {
  /** What a review of it starts with, and what it proposes. */
  readonly base: readonly string[];
  readonly text: readonly string[];
  /** Changes that would replace what was written since. */
  readonly conflicts: number;
  /** All changes that are left to make, conflicts included. */
  readonly changes: number;
}

/** Takes the accepted changes of an entry out of the file again. */
export const undoChange = (entry: AppliedEdit, now: readonly string[]): ChangeNow =>
  changeNow(acceptedLines(entry), entry.before, now);

/** Proposes all changes of an entry for the file as it is. */
export const againChange = (entry: AppliedEdit, now: readonly string[]): ChangeNow =>
  changeNow(entry.before, proposedLines(entry), now);

/**
 * The change from `from` to `to`, moved to what `from` has become: a merge of three texts. Lines that were changed on
 * both sides become conflicts, and changes that `now` has already are left out.
 */
function changeNow(
  from: readonly string[],
  to: readonly string[],
  now: readonly string[],
): ChangeNow {
  const model = new ReviewModel(from, to);
  // As before a save: what has only formatted the lines is no conflict.
  model.didChange(now, false, undefined, true);
  const conflicts = model.hunks.filter(({ conflict }) => conflict).length;
  const changes = model.hunks.length;
  // A review of the texts of then finds the conflicts by itself.
  if (conflicts > 0) return { base: from, text: to, conflicts, changes };
  const text = model.proposed();
  return { base: now, text, conflicts, changes: sameLines(now, text) ? 0 : changes };
}
