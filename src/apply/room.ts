import * as vscode from 'vscode';
import type { OpenedEdit } from '../host/chatResults';
import type { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { type RowParts, RowView } from '../host/rowView';
import type { Row } from '../host/rows';
import { isRecord } from '../service/guards';
import { ids } from '../manifest';
import type { GatedClient } from '../host/egress/gatedClient';
import { type Guard, type InstructClient, InstructedEdits } from './instruct/instruct';
import { mergedBy } from './lenses';
import { openEdits } from './openEdits';
import { EditPipeline } from './pipeline';
import { Proposals } from './proposals';
import type { Review } from './review';
import type { ReviewFileSystem } from './reviewFileSystem';
import type { Hunk } from './reviewModel';
import { reviewRows } from './reviewRows';
import { Reviews } from './reviews';

export type ApplyClient = InstructClient & Pick<GatedClient, 'apply' | 'isReady'>;

/** Loads with the first command; brings back the reviews of the last session before anything else. */
export async function openRoom(
  host: Host,
  client: ApplyClient,
  guard: Guard,
  { files, view }: { readonly files: ReviewFileSystem; readonly view: RowParts },
  store: DisposableStore,
): Promise<ApplyRoom> {
  const reviews = store.add(new Reviews(host, files));
  await reviews.restore();
  const rows = new RowView(view);
  const show = (): void =>
    rows.show(
      reviewRows({
        reviews: reviews.open,
        mergedBy,
        t: vscode.l10n.t,
        showCommand: ids.command.showReview,
      }),
    );
  store.add(reviews.onDidChange(show));
  show();
  const edits = new EditPipeline(host, client, reviews);
  return new ApplyRoom({
    edits,
    instructed: new InstructedEdits(host, client, edits, reviews, guard),
    proposals: new Proposals(client, reviews),
    reviews,
    rows,
  });
}

/** What each command on a review does. */
export class ApplyRoom {
  readonly edits: EditPipeline;
  readonly instructed: InstructedEdits;
  readonly proposals: Proposals;
  readonly #reviews: Reviews;
  readonly #rows: RowView;

  constructor(parts: {
    readonly edits: EditPipeline;
    readonly instructed: InstructedEdits;
    readonly proposals: Proposals;
    readonly reviews: Reviews;
    readonly rows: RowView;
  }) {
    this.edits = parts.edits;
    this.instructed = parts.instructed;
    this.proposals = parts.proposals;
    this.#reviews = parts.reviews;
    this.#rows = parts.rows;
  }

  /** Of the view of reviews. */
  children(row: Row | undefined): readonly Row[] {
    return row ? row.children : this.#rows.roots;
  }

  async showReview(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const review = this.#reviews.byId(subjectOf(reviewId));
    if (!review || review.state === 'done' || review.state === 'orphan')
      throw new UserError(vscode.l10n.t('This review has ended.'));
    await this.#reviews.show(review);
    if (typeof hunkId === 'number') this.#reviews.reveal(review, hunkId);
  }

  /** Opens the edits of a text from a chat as reviews. */
  async openEdits(
    text: string,
    target: vscode.Uri | undefined,
    token: vscode.CancellationToken,
  ): Promise<readonly OpenedEdit[]> {
    const opened = await openEdits(this.proposals, { text, target }, token);
    await this.showProposed(opened.flatMap(({ reviewId }) => reviewId ?? []));
    return opened;
  }

  /** The first one last, so that it ends up in front. */
  async showProposed(
    reviewIds: readonly string[],
    options?: { readonly preserveFocus: boolean },
  ): Promise<void> {
    for (const id of [...new Set(reviewIds)].toReversed()) {
      const review = this.#reviews.byId(id);
      if (review?.state === 'pending') await this.#reviews.show(review, options);
    }
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

  /** @param reviewId that one at once. */
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
    const review = this.#reviews.byId(subjectOf(id)) ?? this.#reviews.active;
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
    const chosen = hunkOf(reviewId) ?? hunkId;
    const id =
      typeof chosen === 'number'
        ? chosen
        : (review.view.hunkAtRow(row) ?? review.view.nextHunk(row, 1, true));
    const hunk = id === undefined ? undefined : review.hunk(id);
    if (!hunk) throw new UserError(vscode.l10n.t('This change is already decided.'));
    return { review, hunk };
  }
}

/** A review by its id, or by its row in the view. */
function subjectOf(argument: unknown): unknown {
  return isRow(argument) ? argument.data.subject : argument;
}

/** The change that a row of the view names. */
function hunkOf(argument: unknown): number | undefined {
  const id = isRow(argument) ? Number(argument.id.split(':')[2] ?? Number.NaN) : Number.NaN;
  return Number.isInteger(id) ? id : undefined;
}

function isRow(argument: unknown): argument is Row {
  return isRecord(argument) && isRecord(argument['data']) && typeof argument['id'] === 'string';
}

function cursorRow(): number {
  return vscode.window.activeTextEditor?.selection.active.line ?? 0;
}
