import * as vscode from 'vscode';
import { ContextKey } from '../host/contextKey';
import { ids } from '../manifest';
import { findingsTitle, mergedBy, summary, writtenBy } from './lenses';
import type { Review } from './review';

/** How much is left to review, in the status bar and in the context keys that menus ask. */
export class ReviewStatus implements vscode.Disposable {
  readonly #hasReviews = new ContextKey<boolean>(ids.contextKey.hasReviews);
  readonly #hasDismissed = new ContextKey<boolean>(ids.contextKey.hasDismissedReview);
  readonly #hasMany = new ContextKey<boolean>(ids.contextKey.hasManyReviews);
  /** Of the review in front. */
  readonly #hasFindings = new ContextKey<boolean>(ids.contextKey.reviewHasFindings);
  readonly #item = vscode.window.createStatusBarItem(
    'splice.reviews',
    vscode.StatusBarAlignment.Left,
    50,
  );

  constructor() {
    this.#item.name = vscode.l10n.t('Splice reviews');
    this.#item.command = ids.command.showReviews;
  }

  /** @param active the review in front, whose merge and audit are named. */
  show(pending: readonly Review[], dismissed: readonly Review[], active: Review | undefined): void {
    this.#hasReviews.set(pending.length > 0);
    this.#hasDismissed.set(dismissed.length > 0);
    this.#hasMany.set(pending.length > 1);
    this.#hasFindings.set(active !== undefined && active.origin.findings.length > 0);
    // A closed review waits, too: undo in its file may have brought it back without a tab.
    const waiting = [...pending, ...dismissed];
    if (waiting.length === 0) {
      this.#item.hide();
      return;
    }
    const changes = changesIn(waiting);
    const details =
      active?.state === 'pending'
        ? [
            ...(active.origin.author ? writtenBy(active) : [mergedBy(active)]),
            findingsTitle(active),
          ]
        : [];
    const text = [vscode.l10n.t('Splice: {0} to review', changes), ...details].join(' · ');
    this.#item.text = `$(git-compare) ${text}`;
    this.#item.tooltip = waiting.map(summary).join('\n');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t(
        '{0} changes in {1} files to review. {2}',
        changes,
        waiting.length,
        details.join(', '),
      ),
    };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** The number on the icon of the view of reviews; undefined when nothing waits. */
export function reviewBadge(reviews: readonly Review[]): vscode.ViewBadge | undefined {
  const value = changesIn(reviews.filter(({ state }) => state !== 'orphan'));
  return value === 0
    ? undefined
    : { value, tooltip: vscode.l10n.t('Changes to review: {0}', value) };
}

const changesIn = (reviews: readonly Review[]): number =>
  reviews.reduce((sum, { model }) => sum + model.hunks.length, 0);
