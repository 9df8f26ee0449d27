import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { ReviewRegistry } from './review/registry';
import type { Review } from './review/review';
import { subjectOf } from './rowSubject';

type KnownReviews = Pick<ReviewRegistry, 'byId' | 'of'>;

/** The review that a command was called for: by its id, its row, or its document in a title bar. */
export function namedReview(reviews: KnownReviews, subject: unknown): Review | undefined {
  return (
    reviews.byId(subjectOf(subject)) ??
    (subject instanceof vscode.Uri ? reviews.of(subject) : undefined)
  );
}

/**
 * The review that a command was called for, else `fallback`.
 *
 * @throws {UserError} when the named review has ended, because the command must not act on another one; or when
 *   there is none at all.
 */
export function reviewFor(
  reviews: KnownReviews,
  subject: unknown,
  fallback: Review | undefined,
): Review {
  const named = namedReview(reviews, subject);
  if (!named && typeof subjectOf(subject) === 'string') {
    throw new UserError(vscode.l10n.t('This review has ended.'));
  }
  const review = named ?? fallback;
  if (!review) {
    throw new UserError(
      vscode.l10n.t('No review is open. Copy an edit and run "Splice: Apply Clipboard Edit".'),
    );
  }
  return review;
}
