import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import { activeEditorOf } from './review/editor/reviewEditor';
import { type SelectedLines, selectedIn } from './review/model/proposal/splitHunk';
import type { LineSpan } from './review/model/reviewCursor';
import type { ReviewRegistry } from './review/registry';
import type { Review } from './review/review';
import { isSettled } from './review/reviewDialogs';

const { t } = vscode.l10n;

/** Decisions about the selected lines of changes; the other lines of these changes stay undecided. */
export class LineCommands {
  readonly #reviews: ReviewRegistry;

  constructor(reviews: ReviewRegistry) {
    this.#reviews = reviews;
  }

  async accept(): Promise<void> {
    const selected = await this.#selected();
    if (selected) await this.#reviews.decisions.acceptLines(selected.review, selected.lines);
  }

  async reject(): Promise<void> {
    const selected = await this.#selected();
    if (selected) await this.#reviews.decisions.rejectLines(selected.review, selected.lines);
  }

  /** Undefined where the review has just changed, so that other lines than the user saw may be selected. */
  async #selected(): Promise<
    { readonly review: Review; readonly lines: ReadonlyMap<number, SelectedLines> } | undefined
  > {
    const review = this.#reviews.of(vscode.window.activeTextEditor?.document.uri);
    const shown = review && activeEditorOf(review);
    if (!shown || shown.side === 'file') {
      throw new UserError(
        t('Select lines of a change in a review, then run "Splice: Accept Selected Lines".'),
      );
    }
    if (review.operation) {
      throw new UserError(
        t('A file is created, deleted or renamed as a whole. Accept or reject the change.'),
      );
    }
    if (!(await isSettled(review, shown))) return undefined;
    const lines = new Map<number, SelectedLines>();
    for (const selection of shown.editor.selections) {
      const span = spanOfSelection(selection);
      for (const place of review.view.hunks) {
        const some = selectedIn(place, shown.side, span);
        if (some && !lines.has(place.id)) lines.set(place.id, some);
      }
    }
    if (lines.size === 0) {
      throw new UserError(
        t(
          'No line of a change is selected. Select some in the review, then run the command again.',
        ),
      );
    }
    return { review, lines };
  }
}

/** A selection that ends before the first character of a line does not include that line. */
function spanOfSelection({ start, end, isEmpty }: vscode.Selection): LineSpan {
  const endsBefore = !isEmpty && end.character === 0;
  return { start: start.line, end: endsBefore ? end.line : end.line + 1 };
}
