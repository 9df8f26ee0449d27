import { replay } from '../review/journal/replay';
import { applyEdits, editOfHunk, type Hunk } from '../review/model/rebase';
import { type ReviewMeta, readMeta } from '../review/model/reviewMeta';

/** An edit that was applied: what it proposed, what was decided, and what became of the file. Texts are lines. */
export interface AppliedEdit {
  /** Id of the review. */
  readonly id: string;
  /** When something last happened to the review, in milliseconds since the epoch. */
  readonly time: number;
  readonly meta: ReviewMeta;
  /** The file when its review started. */
  readonly before: readonly string[];
  /** The proposed changes of that text. */
  readonly hunks: readonly Hunk[];
  /** Those of them that were accepted. */
  readonly accepted: readonly Hunk[];
  /** The file when the last change was decided. */
  readonly after: readonly string[];
  /** Another edit has replaced the review. */
  readonly isReplaced: boolean;
  /** False while the file on disk lacks accepted changes. */
  readonly isSaved: boolean;
  /** Some of its records are damaged or missing. */
  readonly isDamaged: boolean;
}

/**
 * The entry of a review's journal.
 *
 * @returns `open` for a review with undecided changes, `unreadable` when the journal does not tell what was proposed.
 */
export function readAppliedEdit(id: string, journal: string): AppliedEdit | 'open' | 'unreadable' {
  const replayed = replay(journal);
  const meta = readMeta(replayed?.meta);
  if (!replayed || !meta) return 'unreadable';
  const { model, start, time, lost, isReplaced } = replayed;
  if (model.hunks.length > 0) return 'open';
  if (!start) return 'unreadable';
  return {
    id,
    time,
    meta,
    before: start.text,
    hunks: start.hunks,
    accepted: start.hunks.filter(hunk => !model.rejected.has(hunk.id)),
    after: model.current,
    isReplaced,
    isSaved: !model.isAheadOfFile,
    isDamaged: lost > 0,
  };
}

/** The file with all proposed changes. */
export const proposedLines = ({ before, hunks }: AppliedEdit): readonly string[] =>
  applyEdits(before, hunks.map(editOfHunk));

/** The file with the accepted changes only, without what the user typed meanwhile. */
export const acceptedLines = ({ before, accepted }: AppliedEdit): readonly string[] =>
  applyEdits(before, accepted.map(editOfHunk));
