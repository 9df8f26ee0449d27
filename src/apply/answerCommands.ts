import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { ClipboardEdits } from './clipboardEdits';
import type { ReviewRegistry } from './review/registry';
import type { Review } from './review/review';
import { hunkOf, subjectOf } from './rowSubject';

/** The commands for all files of an answer. */
export class AnswerCommands {
  readonly #reviews: ReviewRegistry;
  readonly #edits: ClipboardEdits;

  constructor(reviews: ReviewRegistry, edits: ClipboardEdits) {
    this.#reviews = reviews;
    this.#edits = edits;
  }

  /** @param subject the row of an answer, or one of its reviews; else the active review. */
  async accept(subject?: unknown): Promise<void> {
    await this.acceptTogether(this.#reviewsOf(subject));
  }

  /** @param subject the row of an answer, or one of its reviews; else the active review. */
  async reject(subject?: unknown): Promise<void> {
    await this.#reviews.decisions.rejectTogether(this.#reviewsOf(subject));
  }

  /** Accepts the changes of several files with one edit, which is one undo step. */
  async acceptTogether(reviews: readonly Review[]): Promise<void> {
    await this.#reviews.decisions.acceptTogether(reviews);
    const left = reviews.flatMap(({ model }) => model.hunks.filter(({ conflict }) => conflict));
    if (left.length === 0) return;
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Changes that conflict with your own edits: {0}. Decide on them one by one.',
        left.length,
      ),
    );
  }

  /** @param subject the row of a part that was not applied, or the id of its answer. */
  async placeRefused(subject?: unknown, index?: unknown): Promise<void> {
    const id = subjectOf(subject);
    const at = hunkOf(subject) ?? index;
    await this.#edits.placeRefused(
      typeof id === 'string' ? id : undefined,
      typeof at === 'number' ? at : undefined,
    );
  }

  #reviewsOf(subject: unknown): Review[] {
    const id = subjectOf(subject);
    const reviews = this.#reviews.ofSet(id);
    if (reviews.length > 0) return reviews;
    const review = this.#reviews.byId(id) ?? this.#reviews.active;
    const set = review && this.#reviews.ofSet(review.changeSet?.id);
    if (!set || set.length === 0 || !review.changeSet) {
      throw new UserError(
        vscode.l10n.t('This review is not part of an answer that changes several files.'),
      );
    }
    return set;
  }
}
