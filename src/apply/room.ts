import * as vscode from 'vscode';
import type { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import type { ServiceClient } from '../service/client';
import { type Guard, type InstructClient, InstructedEdits } from './instruct/instruct';
import { mergedBy } from './lenses';
import { EditPipeline } from './pipeline';
import type { Review } from './review';
import type { ReviewFileSystem } from './reviewFileSystem';
import type { Hunk } from './reviewModel';
import { Reviews } from './reviews';

export type ApplyClient = InstructClient & Pick<ServiceClient, 'apply' | 'isReady'>;

/** Loads with the first command; brings back the reviews of the last session before anything else. */
export async function openRoom(
  host: Host,
  client: ApplyClient,
  guard: Guard,
  files: ReviewFileSystem,
  store: DisposableStore,
): Promise<ApplyRoom> {
  const reviews = store.add(new Reviews(host, files));
  await reviews.restore();
  const pipeline = new EditPipeline(host, client, reviews);
  const instructed = new InstructedEdits(host, client, pipeline, reviews, guard);
  return new ApplyRoom(pipeline, instructed, reviews);
}

/** What each command on a review does. */
export class ApplyRoom {
  readonly edits: EditPipeline;
  readonly instructed: InstructedEdits;
  readonly #reviews: Reviews;

  constructor(edits: EditPipeline, instructed: InstructedEdits, reviews: Reviews) {
    this.edits = edits;
    this.instructed = instructed;
    this.#reviews = reviews;
  }

  async mergeAgain(reviewId?: unknown): Promise<void> {
    await this.edits.mergeAgain(this.#review(reviewId));
  }

  async accept(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const { review, hunk } = this.#pick(reviewId, hunkId);
    await this.#reviews.accept(review, [hunk]);
  }

  async reject(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const { review, hunk } = this.#pick(reviewId, hunkId);
    await this.#reviews.reject(review, [hunk]);
  }

  async acceptAll(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const { hunks } = review.model;
    const clean = hunks.filter(({ conflict }) => !conflict);
    await this.#reviews.accept(review, clean);
    const left = hunks.length - clean.length;
    if (left > 0)
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          '{0} of your own edits stand in the way in {1}: decide on those changes one by one.',
          left,
          review.fileName,
        ),
      );
  }

  async rejectAll(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    await this.#reviews.reject(review, review.model.hunks);
  }

  async acceptAllFiles(): Promise<void> {
    for (const review of this.#reviews.pending) await this.acceptAll(review.id);
  }

  go(direction: 1 | -1): void {
    const review = this.#review();
    const id = review.view.nextHunk(cursorRow(), direction, true);
    if (id !== undefined) this.#reviews.reveal(review, id);
  }

  async undoDecision(): Promise<void> {
    await this.#reviews.undo(this.#review());
  }

  /** Saves the reviewed file: what is accepted so far. Accepts nothing. */
  async saveFile(): Promise<void> {
    const { fileUri, fileName } = this.#review();
    const document = await vscode.workspace.openTextDocument(fileUri);
    if (document.isDirty) await document.save();
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('{0} is saved with the changes accepted so far.', fileName),
      4000,
    );
  }

  async openFile(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const line = review.view.fileLineOfRow(cursorRow());
    const at = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(review.fileUri, { selection: at, preview: false });
  }

  async openDiff(reviewId?: unknown): Promise<void> {
    await this.#reviews.showDiff(this.#review(reviewId));
  }

  /** The change at the cursor in words and lines, for a screen reader. */
  async describeChange(): Promise<void> {
    const { hunk, review } = this.#pick();
    const line = hunk.at + 1;
    await vscode.window.showQuickPick(
      [
        ...hunk.removed.map(text => ({
          label: `− ${text}`,
          description: vscode.l10n.t('removed'),
        })),
        ...hunk.inserted.map(text => ({ label: `+ ${text}`, description: vscode.l10n.t('added') })),
      ],
      {
        title: vscode.l10n.t(
          '{0}, line {1}: {2} lines removed, {3} added',
          review.fileName,
          line,
          hunk.removed.length,
          hunk.inserted.length,
        ),
      },
    );
  }

  async copyRemoved(): Promise<void> {
    const { hunk } = this.#pick();
    if (hunk.removed.length === 0)
      throw new UserError(vscode.l10n.t('This change removes no lines.'));
    await vscode.env.clipboard.writeText(hunk.removed.join('\n'));
  }

  async showFindings(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const { findings } = review.origin;
    if (findings.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The audit of {0} found nothing: {1}.', review.fileName, mergedBy(review)),
      );
      return;
    }
    const items = findings.map(({ severity, message, line }) => ({
      label: `$(${severity}) ${message}`,
      description: vscode.l10n.t('line {0} of the merged file', line),
      line,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('What the audit found in {0}', review.fileName),
    });
    const row = picked && review.view.rows.findIndex(({ newLine }) => newLine === picked.line);
    const id =
      row === undefined || row < 0
        ? undefined
        : (review.view.hunkAtRow(row) ?? review.view.nextHunk(row, 1, true));
    if (id !== undefined) this.#reviews.reveal(review, id);
  }

  async showReviews(): Promise<void> {
    const { pending } = this.#reviews;
    const all = {
      label: `$(checklist) ${vscode.l10n.t('Accept all changes in {0} files', pending.length)}`,
      review: undefined,
    };
    const items = pending.map(review => ({
      label: `$(git-compare) ${review.label}`,
      description: `${review.model.hunks.length} · +${review.size.added} −${review.size.removed}`,
      review,
    }));
    const picked = await vscode.window.showQuickPick(
      [...items, ...(pending.length > 1 ? [all] : [])],
      {
        title: vscode.l10n.t('Pending reviews'),
        placeHolder: vscode.l10n.t('Pick a review to open it'),
      },
    );
    if (picked?.review) await this.#reviews.show(picked.review);
    else if (picked) await this.acceptAllFiles();
  }

  async reopenReview(): Promise<void> {
    const review = this.#reviews.dismissed.at(-1);
    if (!review)
      throw new UserError(vscode.l10n.t('No review was closed in the last ten minutes.'));
    await this.#reviews.show(review);
  }

  #review(id?: unknown): Review {
    const review = this.#reviews.byId(id) ?? this.#reviews.active;
    if (!review)
      throw new UserError(
        vscode.l10n.t(
          'There is no review open. Copy an edit and run "Splice: Apply Clipboard Edit".',
        ),
      );
    return review;
  }

  /** The change that a lens names, else the one at the cursor, else the next one below. */
  #pick(reviewId?: unknown, hunkId?: unknown): { review: Review; hunk: Hunk } {
    const review = this.#review(reviewId);
    const row = cursorRow();
    const id =
      typeof hunkId === 'number'
        ? hunkId
        : (review.view.hunkAtRow(row) ?? review.view.nextHunk(row, 1, true));
    const hunk = id === undefined ? undefined : review.hunk(id);
    if (!hunk) throw new UserError(vscode.l10n.t('This change is already decided.'));
    return { review, hunk };
  }
}

function cursorRow(): number {
  return vscode.window.activeTextEditor?.selection.active.line ?? 0;
}
