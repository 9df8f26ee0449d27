import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { reviewFor } from '../../namedReview';
import { hunkOf, subjectOf } from '../../rowSubject';
import { activeEditorOf, lineAtCursor } from '../editor/reviewEditor';
import { proposedLineAt } from '../model/reviewCursor';
import type { GapPlace } from '../model/reviewView';
import type { ReviewRegistry } from '../registry';
import type { Review } from '../review';
import type { ReviewPages } from './reviewPages';

/** The commands that open a page of changes. */
export class PageCommands {
  readonly #reviews: ReviewRegistry;
  /** What the documents of pages contain. */
  readonly texts: ReviewPages;

  constructor(reviews: ReviewRegistry, pages: ReviewPages) {
    this.#reviews = reviews;
    this.texts = pages;
  }

  /** @param subject an answer or a review: its id, its row or its document; else the active review. */
  async open(subject?: unknown): Promise<void> {
    const set = this.#reviews.ofSet(subjectOf(subject));
    await this.texts.open(set.length > 0 ? set : this.#together(this.#review(subject)));
  }

  /** Shows the unchanged lines of a review above one of its changes, or at its end, where a long file is folded. */
  showLines(reviewId?: unknown, above?: unknown): void {
    if (typeof above === 'number') this.#reviews.openGap(this.#review(reviewId), above);
  }

  /** Opens the page at a change, or at the line of the cursor. On a row for unchanged lines, shows these. */
  async edit(subject?: unknown, hunkId?: unknown): Promise<void> {
    const review = this.#review(subject);
    const gap = this.#gapAtCursor(review);
    if (gap && hunkId === undefined) return this.#reviews.openGap(review, gap.above);
    const { kind } = review.operation ?? {};
    if (kind === 'delete' || kind === 'rename') {
      throw new UserError(vscode.l10n.t('{0} has no proposed lines to edit.', review.fileName));
    }
    const named = hunkOf(subject) ?? hunkId;
    const place = review.view.hunks.find(({ id }) => id === named) ?? review.view.hunks[0];
    const shown = typeof named === 'number' ? undefined : activeEditorOf(review);
    const line = shown
      ? proposedLineAt(review.view, shown.side, lineAtCursor(shown))
      : (place?.proposedLine ?? 0);
    await this.texts.open(this.#together(review), { review, line });
  }

  #gapAtCursor(review: Review): GapPlace | undefined {
    const shown = activeEditorOf(review);
    if (shown?.side !== 'unified') return undefined;
    const line = lineAtCursor(shown);
    return review.view.gaps.find(({ row }) => row === line);
  }

  /** The reviews of the same answer, else the review alone. */
  #together(review: Review): readonly Review[] {
    const set = review.changeSet ? this.#reviews.ofSet(review.changeSet.id) : [];
    return set.includes(review) ? set : [review];
  }

  #review(subject: unknown): Review {
    const { open, active } = this.#reviews;
    return reviewFor(this.#reviews, subject, active ?? open[0]);
  }
}
