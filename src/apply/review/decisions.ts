import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { confirmCommandFile, confirmErrors } from '../target/prompts';
import { EditBatch } from './editBatch';
import type { ReviewEditors } from './editor/reviewEditors';
import { activeTabUri, tabsOf } from './editor/reviewTabs';
import { type EditorText, StaleChangeError } from './model/journaledReview';
import type { SelectedLines } from './model/proposal/splitHunk';
import type { Hunk } from './model/reviewModel';
import { nextInSet } from './nextInSet';
import { readPageUri, saveTyped } from './page/pageUri';
import type { Review } from './review';
import type { ReviewedFiles } from './reviewedFiles';
import type { EndedReviews } from './store/endedReviews';

/** What decisions need of the reviews of this window. */
export interface DecisionParts {
  readonly reviews: {
    /** The review of the active editor, else the only pending one. */
    readonly active: Review | undefined;
    /** Reviews that wait for decisions, in the order in which they started. */
    readonly pending: readonly Review[];
    /** Reviews whose tabs were closed, the latest last. */
    readonly dismissed: readonly Review[];
    of(uri: vscode.Uri | undefined): Review | undefined;
    show(review: Review): Promise<void>;
  };
  readonly files: Pick<ReviewedFiles, 'textOf' | 'whileEditing'>;
  readonly editors: Pick<ReviewEditors, 'revealWhenShown'>;
  readonly ended: EndedReviews<Review>;
  /** Redraws the review. */
  readonly changed: (review: Review) => void;
  /** Closes the tabs of a review that has nothing left to decide. */
  readonly end: (review: Review) => Promise<void>;
  /** Takes up a review that had ended. */
  readonly revive: (review: Review) => Promise<void>;
  /** @throws {UserError} when the file is gone. */
  readonly openFile: (review: Review) => Promise<vscode.TextDocument>;
}

/** Accepts, rejects and undoes changes of reviews. */
export class ReviewDecisions {
  readonly #parts: DecisionParts;
  readonly #beingMade = new Set<Promise<void>>();

  constructor(parts: DecisionParts) {
    this.#parts = parts;
  }

  /** Accepts changes with one edit of the file, which is one undo step. Audit errors need a confirmation first. */
  async accept(review: Review, hunks: readonly Hunk[]): Promise<void> {
    if (hunks.length > 0) await this.making(async () => this.#acceptConfirmed(review, hunks));
  }

  async #acceptConfirmed(review: Review, hunks: readonly Hunk[]): Promise<void> {
    if (!(await confirmCommandFile(review)) || !(await confirmErrors(review))) return;
    await saveTyped([review]);
    await review.enqueue(async () => {
      try {
        const accepted = await this.#accept(review, hunks, async () => this.#textOf(review));
        await this.#decided(review, accepted[0]?.at ?? 0);
      } catch (error) {
        // The file has become what was proposed, maybe outside of VS Code.
        if (review.state !== 'done' && review.model.hunks.length === 0) {
          await this.#parts.end(review);
        }
        throw error;
      }
    });
  }

  /**
   * Accepts the changes of several files with one edit, which is one undo step. Changes that conflict with
   * the user's own edits stay pending.
   */
  async acceptTogether(reviews: readonly Review[]): Promise<void> {
    const agreed: Review[] = [];
    await saveTyped(reviews);
    for (const review of reviews) {
      const isAgreed = (await confirmCommandFile(review)) && (await confirmErrors(review));
      if (isAgreed && cleanHunks(review).length > 0) agreed.push(review);
    }
    const batch = this.#batch(agreed.length);
    const results = await Promise.allSettled(
      agreed.map(async review =>
        review.enqueue(async () => {
          try {
            const text = await batch.textOf(review);
            await this.#accept(review, cleanHunks(review), async () => text);
          } catch (error) {
            batch.leave();
            throw error;
          }
        }),
      ),
    );
    await this.#decidedTogether(agreed, results);
  }

  /** Rejects the changes of several files; what is left of their answer is shown once, not after each of them. */
  async rejectTogether(reviews: readonly Review[]): Promise<void> {
    await saveTyped(reviews);
    const results = await Promise.allSettled(
      reviews.map(async review =>
        review.enqueue(async () => review.journaled.reject(review.model.hunks.map(({ id }) => id))),
      ),
    );
    await this.#decidedTogether(reviews, results);
    const rejected = reviews.filter(({ state }) => state === 'done');
    if (rejected.length > 0) showRejected(rejected);
  }

  async #decidedTogether(
    reviews: readonly Review[],
    results: readonly PromiseSettledResult<unknown>[],
  ): Promise<void> {
    const inFront = vscode.window.activeTextEditor?.document.uri;
    const active = readPageUri(inFront) ? undefined : this.#parts.reviews.of(inFront);
    for (const review of reviews) {
      this.#parts.changed(review);
      if (review.model.hunks.length === 0) {
        await review.enqueue(async () => this.#parts.end(review));
      }
    }
    const left = active && nextInSet(this.#parts.reviews.pending, active);
    if (left && active.state === 'done') await this.#parts.reviews.show(left);
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  async #accept(
    review: Review,
    hunks: readonly Hunk[],
    textOf: () => Promise<EditorText>,
  ): Promise<readonly Hunk[]> {
    try {
      // A file is created, deleted or renamed as a whole.
      const wanted = review.operation ? review.model.hunks : hunks;
      const accepted = await review.journaled.accept(wanted, await textOf());
      if (review.operation) await review.journaled.fileSaved();
      review.firstAcceptedLine = accepted[0]?.at;
      return accepted;
    } catch (error) {
      this.#parts.changed(review);
      if (!(error instanceof StaleChangeError)) throw error;
      if (review.model.hunks.length === 0) {
        // What it proposes is on disk: its journal has nothing left to protect.
        if (review.operation) await review.journaled.fileSaved();
        throw new UserError(
          vscode.l10n.t(
            '{0} has these changes already, so nothing was changed. Its review is closed.',
            review.fileName,
          ),
        );
      }
      throw new UserError(
        vscode.l10n.t(
          '{0} has just changed. Look at the change again, then accept it.',
          review.fileName,
        ),
      );
    }
  }

  #batch(count: number): EditBatch {
    return new EditBatch(count, {
      whileEditing: async (documents, run) => this.#parts.files.whileEditing(documents, run),
      open: this.#parts.openFile,
    });
  }

  /** The file of a review, to make edits in it. */
  async #textOf(review: Review): Promise<EditorText> {
    if (review.operation) return this.#batch(1).textOf(review);
    return this.#parts.files.textOf(await this.#parts.openFile(review), review.fileName);
  }

  async reject(review: Review, hunks: readonly Hunk[]): Promise<void> {
    if (hunks.length === 0) return;
    await this.making(async () => {
      await saveTyped([review]);
      await review.enqueue(async () => {
        const rejected = review.operation ? review.model.hunks : hunks;
        await review.journaled.reject(rejected.map(({ id }) => id));
        await this.#decided(review, hunks[0]?.at ?? 0);
      });
    });
  }

  /** From here on {@link undoLast} waits for the decision. */
  async making(decide: () => Promise<void>): Promise<void> {
    const decision = decide();
    this.#beingMade.add(decision);
    try {
      await decision;
    } finally {
      this.#beingMade.delete(decision);
    }
  }

  /** Accepts some lines of changes. @param lines by the id of the change. */
  async acceptLines(review: Review, lines: ReadonlyMap<number, SelectedLines>): Promise<void> {
    if (!(await confirmCommandFile(review)) || !(await confirmErrors(review))) return;
    await this.accept(review, await this.#divide(review, lines));
  }

  /** Rejects some lines of changes. @param lines by the id of the change. */
  async rejectLines(review: Review, lines: ReadonlyMap<number, SelectedLines>): Promise<void> {
    await this.reject(review, await this.#divide(review, lines));
  }

  async #divide(
    review: Review,
    lines: ReadonlyMap<number, SelectedLines>,
  ): Promise<readonly Hunk[]> {
    let selected: readonly number[] = [];
    await review.enqueue(async () => {
      selected = await review.journaled.divide(lines);
    });
    return review.model.hunks.filter(({ id }) => selected.includes(id));
  }

  /** Undoes the last decision; an acceptance by the inverse edit of the file. */
  async undo(review: Review): Promise<void> {
    await review.enqueue(async () => {
      const before = new Set(review.model.hunks.map(({ id }) => id));
      const isUndone = await review.journaled.undo(async () => this.#textOf(review));
      if (isUndone && review.operation) await review.journaled.fileSaved();
      this.#parts.changed(review);
      if (!isUndone) throw nothingToUndo();
      // Move the cursor to the restored change, or the next key would decide on another one.
      const back = review.model.hunks.find(({ id }) => !before.has(id));
      if (back) await this.#parts.editors.revealWhenShown(review, back.id);
    });
  }

  /**
   * Undoes the last decision of a review, else of the last review that ended.
   * @param named by default the active review.
   */
  async undoLast(named?: Review): Promise<void> {
    // A decision that is being made is the last one: without it, that of an earlier review would be undone.
    await Promise.allSettled(this.#beingMade);
    const review = named ?? this.#parts.reviews.active;
    if (review && review.state !== 'done' && review.model.canUndo) return this.undo(review);
    const uri = review?.fileUri ?? activeTabUri();
    const ended = await this.#parts.ended.last(uri?.toString(), review?.changeSet?.id);
    if (!ended) throw nothingToUndo();
    await this.#parts.revive(ended);
    try {
      await this.undo(ended);
    } catch (error) {
      if (ended.model.hunks.length === 0) await this.#parts.end(ended);
      throw error;
    }
    await this.#parts.reviews.show(ended);
  }

  /**
   * Opens the review that was closed last; if there is none, a file of an answer that has no tab; if there is none
   * either, undoes the last rejection.
   */
  async reopen(): Promise<void> {
    const { dismissed, pending } = this.#parts.reviews;
    const closed =
      dismissed.at(-1) ??
      pending.find(review => review.model.hunks.length > 0 && tabsOf(review).length === 0);
    if (closed) return this.#parts.reviews.show(closed);
    const ended = await this.#parts.ended.last(undefined);
    if (ended?.model.lastDecision === 'reject') {
      await this.#parts.revive(ended);
      await this.undo(ended);
      return this.#parts.reviews.show(ended);
    }
    if (!ended) {
      throw new UserError(
        vscode.l10n.t(
          'There is no closed review. Copy an edit and run "Splice: Apply Clipboard Edit" to start one.',
        ),
      );
    }
    this.#parts.ended.putBack(ended);
    throw new UserError(
      vscode.l10n.t(
        'All changes of {0} are accepted. Run "Splice: Undo Last Decision" to undo the last decision.',
        ended.fileName,
      ),
    );
  }

  async #decided(review: Review, line: number): Promise<void> {
    this.#parts.changed(review);
    if (review.model.hunks.length === 0) return this.finish(review);
    const next = review.view.hunks.find(({ fileLine }) => fileLine >= line) ?? review.view.hunks[0];
    if (next) await this.#parts.editors.revealWhenShown(review, next.id);
  }

  /** Call when everything is decided: closes the review's tabs. Undo can still restore changes. */
  async finish(review: Review): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    // The page shows all files, so it stays in front.
    const wasActive = !readPageUri(active) && this.#parts.reviews.of(active) === review;
    const wasRejected = review.model.lastDecision === 'reject';
    await this.#parts.end(review);
    if (wasRejected) showRejected([review]);
    const next = wasActive && nextInSet(this.#parts.reviews.pending, review);
    if (next) return this.#parts.reviews.show(next);
    const line = review.firstAcceptedLine;
    const isThere = !review.operation || review.operation.kind === 'create';
    if (
      isThere &&
      wasActive &&
      line !== undefined &&
      review.fileUri.scheme !== 'vscode-notebook-cell'
    ) {
      const at = new vscode.Range(line, 0, line, 0);
      await vscode.window.showTextDocument(review.fileUri, { preview: false, selection: at });
    }
  }
}

/** The changes that can be accepted without replacing edits of the user. */
const cleanHunks = ({ model }: Review): Hunk[] => model.hunks.filter(({ conflict }) => !conflict);

/** Milliseconds: time to read it, and to act on it. */
const rejectedMs = 8000;

function showRejected([review, ...others]: readonly Review[]): void {
  const text =
    others.length === 0
      ? vscode.l10n.t(
          '{0}: rejected. To undo this, press F1 and run "Undo Last Decision".',
          review?.fileName ?? '',
        )
      : vscode.l10n.t(
          '{0} files: rejected. To undo this, press F1 and run "Undo Last Decision" for each of them.',
          others.length + 1,
        );
  vscode.window.setStatusBarMessage(text, rejectedMs);
}

const nothingToUndo = (): UserError =>
  new UserError(
    vscode.l10n.t(
      'There is no decision to undo. Open a review and accept or reject a change first.',
    ),
  );
