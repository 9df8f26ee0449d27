import * as vscode from 'vscode';
import { changesText, filesText } from '../../base/format/counts';
import { ContextKey } from '../../platform/commands/contextKey';
import type { CommandId } from '../../platform/commands/contribute';
import { statusPlace } from '../../platform/window/statusPlace';
import { contextKeys } from '../ids';
import { findingsTitle, mergedBy, reviewSummary, writtenBy } from './editor/reviewLenses';
import { FileBadges } from './fileBadges';
import { positionParts } from './model/view/reviewPosition';
import type { Review } from './review';

/** The status bar item, the badges of files and the context keys of reviews. */
export class ReviewStatus implements vscode.Disposable {
  readonly #hasReviews = new ContextKey<boolean>(contextKeys.hasReviews);
  readonly #hasDismissed = new ContextKey<boolean>(contextKeys.hasDismissedReview);
  readonly #hasMany = new ContextKey<boolean>(contextKeys.hasManyReviews);
  readonly #areLoaded = new ContextKey<boolean>(contextKeys.areReviewsLoaded);
  /** Whether the active review has findings. */
  readonly #hasFindings = new ContextKey<boolean>(contextKeys.reviewHasFindings);
  readonly #badges = new FileBadges();
  #waiting = { changes: 0, files: 0 };
  readonly #item = vscode.window.createStatusBarItem(
    'splice.reviews',
    vscode.StatusBarAlignment.Left,
    50,
  );

  constructor() {
    this.#areLoaded.set(true);
    this.#item.name = vscode.l10n.t('Splice reviews');
    this.#item.command = 'splice.apply.showReviews' satisfies CommandId;
  }

  /** @param active the review of the active editor, whose place, merge and audit are shown. */
  show(pending: readonly Review[], dismissed: readonly Review[], active: Review | undefined): void {
    this.#hasReviews.set(pending.length > 0);
    this.#hasDismissed.set(dismissed.length > 0);
    this.#hasMany.set(pending.length > 1);
    this.#hasFindings.set(active !== undefined && active.origin.findings.length > 0);
    // Closed reviews count too: an undo in the file may have restored one without a tab.
    const waiting = [...pending, ...dismissed];
    this.#badges.show(waiting);
    if (waiting.length === 0) {
      statusPlace.hide('reviews');
      return;
    }
    this.#item.tooltip = waiting.map(reviewSummary).join('\n');
    this.#waiting = {
      changes: changesIn(waiting),
      files: new Set(waiting.map(({ fileUri }) => fileUri.toString())).size,
    };
    this.showPosition(active);
    statusPlace.show('reviews', this.#item);
  }

  /** Call when the cursor goes to another change of the review in front. */
  showPosition(active: Review | undefined): void {
    const { changes, files } = this.#waiting;
    const details =
      active?.state === 'pending'
        ? [
            ...positionParts(active, vscode.l10n.t),
            ...(active.origin.author ? writtenBy(active) : [mergedBy(active)]),
            findingsTitle(active),
          ]
        : [];
    const text = [vscode.l10n.t('Splice: {0} to review', changes), ...details].join(' · ');
    this.#item.text = `$(git-compare) ${text}`;
    const label = vscode.l10n.t(
      'To review: {0} in {1}',
      changesText(changes, vscode.l10n.t),
      filesText(files, vscode.l10n.t),
    );
    this.#item.accessibilityInformation = { label: [label, ...details].join(', ') };
  }

  dispose(): void {
    this.#badges.dispose();
    statusPlace.hide('reviews');
    this.#item.dispose();
  }
}

/**
 * The badge of the Reviews view; undefined when there is nothing to review.
 * @param others number of files that other programs changed.
 */
export function reviewBadge(reviews: readonly Review[], others = 0): vscode.ViewBadge | undefined {
  const value = changesIn(reviews.filter(({ state }) => state !== 'orphan')) + others;
  return value === 0
    ? undefined
    : { value, tooltip: vscode.l10n.t('Changes to review: {0}', value) };
}

const changesIn = (reviews: readonly Review[]): number =>
  reviews.reduce((sum, { model }) => sum + model.hunks.length, 0);
