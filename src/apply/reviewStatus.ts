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
  show(pending: readonly Review[], hasDismissed: boolean, active: Review | undefined): void {
    this.#hasReviews.set(pending.length > 0);
    this.#hasDismissed.set(hasDismissed);
    this.#hasMany.set(pending.length > 1);
    this.#hasFindings.set(active !== undefined && active.origin.findings.length > 0);
    if (pending.length === 0) {
      this.#item.hide();
      return;
    }
    const changes = pending.reduce((sum, { model }) => sum + model.hunks.length, 0);
    const details =
      active?.state === 'pending'
        ? [
            ...(active.origin.author ? writtenBy(active) : [mergedBy(active)]),
            findingsTitle(active),
          ]
        : [];
    const text = [vscode.l10n.t('Splice: {0} to review', changes), ...details].join(' · ');
    this.#item.text = `$(git-compare) ${text}`;
    this.#item.tooltip = pending.map(summary).join('\n');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t(
        '{0} changes in {1} files to review. {2}',
        changes,
        pending.length,
        details.join(', '),
      ),
    };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
