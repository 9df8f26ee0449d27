import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { OpenedEdit } from '../contracts/chatResults';
import { ContextKey } from '../platform/commands/contextKey';
import type { CommandId } from '../platform/commands/contribute';
import type { DisposableStore } from '../platform/disposables';
import type { GatedClient } from '../platform/egress/gatedClient';
import type { Host } from '../platform/host';
import type { TreeRow } from '../platform/tree/rows';
import { RowView } from '../platform/tree/rowView';
import { AnswerCommands } from './answerCommands';
import { AnswerReviews } from './changeset/answerReviews';
import { EditPipeline } from './changeset/editPipeline';
import { Proposals } from './changeset/proposals';
import { RefusedPartsStore } from './changeset/refusedParts';
import { ClipboardEdits } from './clipboardEdits';
import type { ExternalList } from './external/view/externalList';
import { createHistoryCommands, type HistoryCommands } from './history/view/historyCommands';
import { contextKeys } from './ids';
import type { RegisteredParts } from './index';
import { type InstructClient, InstructedEdits } from './instruct/instructedEdits';
import type { PromptGuardCheck } from './instruct/modelPolicy';
import { LineCommands } from './lineCommands';
import { namedReview, reviewFor } from './namedReview';
import { type EditOpeners, openEdits } from './openEdits';
import {
  activeEditorOf,
  editorOf,
  isInSight,
  lineAtCursor,
  whenCurrent,
} from './review/editor/reviewEditor';
import { mergedBy } from './review/editor/reviewLenses';
import { nodeFileOps } from './review/journal/nodeFileOps';
import { changeAt, cursorLine, fileLineAt, nextChange } from './review/model/reviewCursor';
import type { Hunk } from './review/model/reviewModel';
import { PageCommands } from './review/page/pageCommands';
import { readPageUri, saveTyped } from './review/page/pageUri';
import { ReviewPages } from './review/page/reviewPages';
import { ReviewRegistry } from './review/registry';
import type { Review } from './review/review';
import {
  describeHunk,
  isSettled,
  pickFinding,
  pickReview,
  showCursorMove,
} from './review/reviewDialogs';
import { reviewRows } from './review/reviewRows';
import { reviewBadge } from './review/reviewStatus';
import { reviewFolder } from './review/store/reviewFolder';
import { hunkOf, subjectOf } from './rowSubject';

export type ApplyClient = InstructClient & Pick<GatedClient, 'apply' | 'isReady'>;

/** Loaded with the first command. Restores the reviews of the last session before anything else. */
export async function createApplyController(
  host: Host,
  client: ApplyClient,
  guard: PromptGuardCheck,
  { files, pageFiles, view, external }: RegisteredParts,
  store: DisposableStore,
): Promise<ApplyController> {
  const reviews = store.add(new ReviewRegistry(host, files));
  await reviews.restore();
  const rows = new RowView(view);
  const refused = new RefusedPartsStore(nodeFileOps, reviewFolder(host.context).fsPath, error =>
    host.log.error('parts that were not applied', error),
  );
  await refused.load(Date.now());
  let externalList: ExternalList | undefined;
  const hasRows = new ContextKey<boolean>(contextKeys.hasReviewRows);
  const show = (): void => {
    view.view.badge = reviewBadge(reviews.open, externalList?.count);
    const shown = [
      ...(externalList?.rows() ?? []),
      ...reviewRows({
        reviews: reviews.open,
        refused: refused.all,
        mergedBy,
        t: vscode.l10n.t,
        showCommand: 'splice.apply.showReview' satisfies CommandId,
        placeCommand: 'splice.apply.placeRefused' satisfies CommandId,
      }),
    ];
    // VS Code shows the welcome of a view until it has read its rows, and takes the focus along with it.
    hasRows.set(shown.length > 0);
    rows.show(shown);
  };
  store.add(reviews.onDidChange(show));
  host.quietly(async () => {
    externalList = (await external()).list;
    store.add(externalList.onDidChange(show));
    show();
  })();
  refused.onDidChange = show;
  show();
  const pages = store.add(
    new ReviewPages(reviews, pageFiles, error => host.log.error('page of changes', error)),
  );
  const pipeline = new EditPipeline(reviews);
  const answers = new AnswerReviews(reviews, pipeline);
  const proposals = new Proposals(client, pipeline);
  const edits = new ClipboardEdits(host, client, pipeline, { reviews, answers, refused });
  return new ApplyController({
    history: createHistoryCommands(host, reviews, store),
    answers: new AnswerCommands(reviews, edits),
    edits,
    instructed: new InstructedEdits(host, client, pipeline, reviews, guard),
    proposals,
    page: new PageCommands(reviews, pages),
    openers: { proposals, answers, refused, service: client },
    reviews,
    rows,
  });
}

/** The commands of Apply. */
export class ApplyController {
  readonly history: HistoryCommands;
  readonly answers: AnswerCommands;
  readonly edits: ClipboardEdits;
  readonly lines: LineCommands;
  readonly page: PageCommands;
  readonly instructed: InstructedEdits;
  readonly proposals: Proposals;
  readonly #reviews: ReviewRegistry;
  readonly #rows: RowView;
  readonly #openers: EditOpeners;

  constructor(parts: {
    readonly history: HistoryCommands;
    readonly answers: AnswerCommands;
    readonly edits: ClipboardEdits;
    readonly page: PageCommands;
    readonly instructed: InstructedEdits;
    readonly proposals: Proposals;
    readonly reviews: ReviewRegistry;
    readonly rows: RowView;
    readonly openers: EditOpeners;
  }) {
    this.history = parts.history;
    this.answers = parts.answers;
    this.edits = parts.edits;
    this.lines = new LineCommands(parts.reviews);
    this.page = parts.page;
    this.instructed = parts.instructed;
    this.proposals = parts.proposals;
    this.#reviews = parts.reviews;
    this.#rows = parts.rows;
    this.#openers = parts.openers;
  }

  /** Tree items of the Reviews view. */
  children(row: TreeRow | undefined): readonly TreeRow[] {
    return row ? row.children : this.#rows.roots;
  }

  async showReview(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const review = this.#reviews.byId(subjectOf(reviewId));
    if (!review || review.state === 'done') {
      throw new UserError(vscode.l10n.t('This review has ended.'));
    }
    await this.#reviews.show(review);
    if (typeof hunkId === 'number') await this.#reviews.reveal(review, hunkId);
  }

  /** Opens the edits of a text from a chat as reviews. */
  async openEdits(
    text: string,
    target: vscode.Uri | undefined,
    token: vscode.CancellationToken,
  ): Promise<readonly OpenedEdit[]> {
    const opened = await openEdits(this.#openers, { text, target }, token);
    await this.showProposed(opened.flatMap(({ reviewId }) => reviewId ?? []));
    return opened;
  }

  /**
   * Shows the first review of each change set, whose others follow it, and all that are in none. The first one is
   * shown last, so that it ends up in front.
   */
  async showProposed(
    reviewIds: readonly string[],
    options?: { readonly preserveFocus: boolean },
  ): Promise<void> {
    const shown = new Map<string, Review>();
    for (const id of reviewIds) {
      const review = this.#reviews.byId(id);
      if (review?.state !== 'pending') continue;
      const key = review.changeSet?.id ?? id;
      if (!shown.has(key)) shown.set(key, review);
    }
    for (const review of [...shown.values()].toReversed()) {
      await this.#reviews.show(review, options);
    }
  }

  async mergeAgain(reviewId?: unknown): Promise<void> {
    await this.edits.mergeAgain(this.#review(reviewId));
  }

  async accept(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const { decisions } = this.#reviews;
    await decisions.making(async () => {
      const picked = await this.#pick(reviewId, hunkId);
      if (picked) await decisions.accept(picked.review, [picked.hunk]);
    });
  }

  async reject(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const { decisions } = this.#reviews;
    await decisions.making(async () => {
      const picked = await this.#pick(reviewId, hunkId);
      if (picked) await decisions.reject(picked.review, [picked.hunk]);
    });
  }

  async acceptAll(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    await saveTyped([review]);
    const { hunks } = review.model;
    const clean = hunks.filter(({ conflict }) => !conflict);
    await this.#reviews.decisions.accept(review, clean);
    const left = hunks.length - clean.length;
    if (left > 0) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Changes in {1} that conflict with your own edits: {0}. Decide on them one by one.',
          left,
          review.fileName,
        ),
      );
    }
  }

  async rejectAll(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    await saveTyped([review]);
    await this.#reviews.decisions.reject(review, review.model.hunks);
  }

  async acceptAllFiles(): Promise<void> {
    await this.answers.acceptTogether(this.#reviews.pending);
  }

  /** @param subject the editor's document, when the command comes from its title. */
  async go(direction: 1 | -1, subject?: unknown): Promise<void> {
    const review = this.#review(subject);
    const shown = activeEditorOf(review);
    if (!shown) {
      await this.#goToChange(review);
      return;
    }
    await whenCurrent(review, shown);
    const next = nextChange(review.view, shown.side, lineAtCursor(shown), direction);
    if (next) await this.#reviews.reveal(review, next.id, shown);
  }

  async undoDecision(subject?: unknown): Promise<void> {
    await this.#reviews.decisions.undoLast(namedReview(this.#reviews, subject));
  }

  /** Saves the reviewed file: what is accepted so far. Accepts nothing. */
  async saveFile(): Promise<void> {
    const { fileUri, fileName, operation } = this.#review();
    if (operation) throw isNoFile(fileName);
    const document = await vscode.workspace.openTextDocument(fileUri);
    if (document.isDirty) await document.save();
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('{0} is saved with the changes accepted so far.', fileName),
      4000,
    );
  }

  async openFile(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const shown = activeEditorOf(review);
    if (review.operation?.kind === 'create') throw isNoFile(review.fileName);
    const line =
      review.hunk(hunkOf(reviewId) ?? -1)?.at ??
      (shown && fileLineAt(review.view, shown.side, lineAtCursor(shown)));
    const at = line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(review.fileUri.with({ fragment: '' }), {
      preview: false,
      ...(at && { selection: at }),
    });
  }

  /** Opens the diff at the change that the cursor is on. */
  async openDiff(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const shown = activeEditorOf(review);
    const place = shown && changeAt(review.view, shown.side, lineAtCursor(shown));
    await this.#reviews.showDiff(review, hunkOf(reviewId) ?? place?.id);
  }

  /** Lists the lines of the change at the cursor, for screen readers. */
  async describeChange(): Promise<void> {
    const picked = await this.#pick();
    if (!picked) return;
    const { hunk, review } = picked;
    await describeHunk(review, hunk);
  }

  async copyRemoved(): Promise<void> {
    const picked = await this.#pick();
    if (!picked) return;
    const { hunk } = picked;
    if (hunk.removed.length === 0) {
      throw new UserError(vscode.l10n.t('This change removes no lines.'));
    }
    await vscode.env.clipboard.writeText(hunk.removed.join('\n'));
  }

  /** @param hunkId shows only the findings of this change. */
  async showFindings(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const change = await pickFinding(review, typeof hunkId === 'number' ? hunkId : undefined);
    if (change === undefined) return;
    if (!editorOf(review)) await this.#reviews.show(review);
    await this.#reviews.reveal(review, change);
  }

  async showReviews(): Promise<void> {
    const picked = await pickReview(this.#reviews);
    if (picked === 'acceptAll') await this.acceptAllFiles();
    else if (picked) await this.#reviews.show(picked);
  }

  async reopenReview(): Promise<void> {
    await this.#reviews.decisions.reopen();
  }

  #review(subject?: unknown): Review {
    return reviewFor(this.#reviews, subject, this.#reviews.active);
  }

  /**
   * The change that a code lens or a tree item names, else the one at the cursor. If the cursor is on no
   * change, or on one that is scrolled out of view, it moves to a change and says so: nothing is decided unseen.
   */
  async #pick(subject?: unknown, hunkId?: unknown): Promise<Picked | undefined> {
    const review = this.#review(subject);
    const named = hunkOf(subject) ?? hunkId;
    if (typeof named === 'number') {
      const hunk = review.hunk(named);
      if (!hunk) throw new UserError(vscode.l10n.t('This change is already decided.'));
      return { review, hunk };
    }
    const shown = activeEditorOf(review);
    if (!shown) {
      const id = await this.#goToChange(review);
      if (id !== undefined) showCursorMove(review, id, 'notInFront');
      return undefined;
    }
    await saveTyped([review]);
    const [whole] = review.operation ? review.model.hunks : [];
    if (whole && readPageUri(shown.editor.document.uri)) return { review, hunk: whole };
    if (!(await isSettled(review, shown))) return undefined;
    const line = lineAtCursor(shown);
    const place = changeAt(review.view, shown.side, line);
    const hunk = place && review.hunk(place.id);
    if (hunk && isInSight(shown, place)) return { review, hunk };
    const target = place ?? nextChange(review.view, shown.side, line, 1);
    if (!target) throw new UserError(vscode.l10n.t('All changes of this review are decided.'));
    await this.#reviews.reveal(review, target.id, shown);
    showCursorMove(review, target.id, place ? 'outOfSight' : 'onNoChange');
    return undefined;
  }

  /** Shows the review at the change at or below the cursor in its file. */
  async #goToChange(review: Review): Promise<number | undefined> {
    const editor = vscode.window.activeTextEditor;
    const isFile = editor?.document.uri.toString() === review.fileUri.toString();
    const line = editor ? cursorLine(editor.selection) : 0;
    await this.#reviews.show(review);
    const { view } = review;
    const target = isFile
      ? (changeAt(view, 'file', line) ?? nextChange(view, 'file', line, 1))
      : view.hunks[0];
    if (target) await this.#reviews.reveal(review, target.id);
    return target?.id;
  }
}

const isNoFile = (name: string): UserError =>
  new UserError(vscode.l10n.t('{0} has no lines to open or save before it is accepted.', name));

interface Picked {
  readonly review: Review;
  readonly hunk: Hunk;
}
