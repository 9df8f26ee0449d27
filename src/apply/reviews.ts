import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { ids } from '../manifest';
import { EndedReviews } from './endedReviews';
import type { ReviewEditor } from './editorOfReview';
import { FindingMarks } from './findingMarks';
import { placeFindings } from './findings';
import { StaleChangeError } from './journaledReview';
import { confirmCommandFile, confirmErrors } from './prompts';
import { Review, type Origin } from './review';
import { ReviewedFiles } from './reviewedFiles';
import { ReviewEditors } from './reviewEditors';
import type { ReviewFileSystem } from './reviewFileSystem';
import { type Hunk, ReviewModel } from './reviewModel';
import { ReviewRestore } from './reviewRestore';
import { ReviewStatus } from './reviewStatus';
import { openReviewed } from './placeAfterClose';
import { openReviewStore } from './reviewStorage';
import type { ReviewStore } from './reviewStore';
import { closeTabs, documentOf, tabsOf } from './reviewTabs';
import { buildView } from './reviewView';

/** All reviews of this window, and what is decided in them. */
export class Reviews implements vscode.Disposable {
  readonly #host: Host;
  /** Those with something left to decide, and those whose last tabs are being closed. */
  readonly #reviews = new Map<string, Review>();
  readonly #resources = new DisposableStore();
  readonly #store: ReviewStore;
  readonly #ended: EndedReviews<Review>;
  readonly #editors: ReviewEditors;
  readonly #files: ReviewedFiles;
  readonly #status = this.#resources.add(new ReviewStatus());
  readonly #findingMarks = this.#resources.add(new FindingMarks());
  readonly #didChange = this.#resources.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#didChange.event;

  constructor(host: Host, files: ReviewFileSystem) {
    this.#host = host;
    this.#store = openReviewStore(host);
    this.#ended = new EndedReviews(this.#store, (id, journaled) => new Review(id, journaled));
    this.#editors = this.#resources.add(new ReviewEditors(this, files));
    this.#files = this.#resources.add(
      new ReviewedFiles({
        reviewsOf: uri => this.#ofFile(uri),
        ended: this.#ended,
        didChange: reviews => this.#filesChanged(reviews),
        returned: review => this.#returned(review),
        moved: (from, to) => this.#moved(from, to),
        gone: review => this.#gone(review),
        onError: error => host.log.error('review of a file', error),
      }),
    );
    this.#listen();
  }

  /** Reviews with open decisions, in the order of their start. */
  get pending(): Review[] {
    return [...this.#reviews.values()].filter(({ state }) => state === 'pending');
  }

  get dismissed(): Review[] {
    return this.open.filter(({ state }) => state === 'dismissed');
  }

  /** Those whose file is gone: they can be read and rejected. */
  get gone(): Review[] {
    return this.open.filter(({ state }) => state === 'orphan');
  }

  /** All with something left to decide; redoing in the file can leave a closed one without. */
  get open(): Review[] {
    return [...this.#reviews.values()].filter(
      ({ state, model }) => state !== 'done' && model.hunks.length > 0,
    );
  }

  byId(id: unknown): Review | undefined {
    return typeof id === 'string' ? this.#reviews.get(id) : undefined;
  }

  /** The review that a preview or proposed document belongs to. */
  of(uri: vscode.Uri | undefined): Review | undefined {
    return uri?.scheme === ids.scheme ? this.#reviews.get(uri.path.split('/')[2] ?? '') : undefined;
  }

  ofFile(uri: vscode.Uri): Review | undefined {
    return this.pending.find(({ fileUri }) => fileUri.toString() === uri.toString());
  }

  /** The review in front: of the active editor, else the only one there is. */
  get active(): Review | undefined {
    const uri = activeUri();
    const { pending } = this;
    return (
      this.of(uri) ?? (uri && this.ofFile(uri)) ?? (pending.length === 1 ? pending[0] : undefined)
    );
  }

  start(
    document: vscode.TextDocument,
    base: readonly string[],
    text: readonly string[],
    origin: Origin,
  ): Review {
    const model = new ReviewModel(base, text);
    const findings = placeFindings(buildView(model), origin.findings);
    model.didChange(this.#files.lines(document), false);
    const id = randomUUID().slice(0, 8);
    const journaled = this.#store.add(id, model, {
      uri: document.uri.toString(),
      languageId: document.languageId,
      createdAt: Date.now(),
      origin: { ...origin, findings },
    });
    const review = new Review(id, journaled);
    this.#add(review);
    return review;
  }

  /** Brings back what the last session left; the file may have changed since. */
  async restore(): Promise<void> {
    const restoring = new ReviewRestore(this.#host, this.#store, {
      has: id => this.#reviews.has(id),
      add: review => {
        if (review.state === 'done') this.#ended.add(review);
        else this.#add(review);
      },
      show: async review => this.show(review),
    });
    await restoring.run();
    this.#host.quietly(async () => restoring.offerOfOtherWindows())();
  }

  /** Opens the preview in the group of its file, with the file's own tab behind it. */
  async show(review: Review, options: { readonly preserveFocus?: boolean } = {}): Promise<void> {
    if (review.state !== 'orphan' || (await this.#isBack(review))) review.state = 'pending';
    await this.#editors.show(review, options);
    this.#showState();
  }

  /** Goes on with a file that was gone, once it is there again. */
  async #isBack(review: Review): Promise<boolean> {
    try {
      const document = await openReviewed(review.fileUri);
      await review.journaled.resume(this.#files.lines(document), document.isDirty);
      review.update();
      return true;
    } catch {
      return false;
    }
  }

  async showDiff(review: Review, hunkId?: number): Promise<void> {
    await this.#editors.showDiff(review, hunkId);
  }

  /** Goes to a change, in the editor in front when that draws the review. */
  async reveal(review: Review, hunkId: number, shown?: ReviewEditor): Promise<void> {
    await this.#editors.reveal(review, hunkId, shown);
  }

  /** Accepts changes: one edit of the file, one undo step. Errors that the audit found ask first. */
  async accept(review: Review, hunks: readonly Hunk[]): Promise<void> {
    if (hunks.length === 0 || !(await confirmCommandFile(review))) return;
    if (!(await confirmErrors(review))) return;
    await review.enqueue(async () => {
      const document = await this.#openFile(review);
      try {
        const accepted = await review.journaled.accept(
          hunks,
          this.#files.textOf(document, review.fileName),
        );
        review.firstAcceptedLine = accepted[0]?.at;
        await this.#decided(review, accepted[0]?.at ?? 0);
      } catch (error) {
        this.#changed(review);
        if (!(error instanceof StaleChangeError)) throw error;
        throw new UserError(
          vscode.l10n.t(
            '{0} has just changed. Look at the change again, then accept it.',
            review.fileName,
          ),
        );
      }
    });
  }

  async reject(review: Review, hunks: readonly Hunk[]): Promise<void> {
    if (hunks.length === 0) return;
    await review.enqueue(async () => {
      await review.journaled.reject(hunks.map(({ id }) => id));
      await this.#decided(review, hunks[0]?.at ?? 0);
    });
  }

  /** Takes back the last decision; an acceptance by the inverse edit in the file. */
  async undo(review: Review): Promise<void> {
    await review.enqueue(async () => {
      const before = new Set(review.model.hunks.map(({ id }) => id));
      const isUndone = await review.journaled.undo(async () =>
        this.#files.textOf(await this.#openFile(review), review.fileName),
      );
      this.#changed(review);
      if (!isUndone) throw nothingToUndo();
      // The cursor goes to what came back, or the next key would decide on another change.
      const back = review.model.hunks.find(({ id }) => !before.has(id));
      if (back) await this.#editors.revealWhenShown(review, back.id);
    });
  }

  /** Takes back the last decision of the review in front; of the last review that ended, where none is. */
  async undoLast(active = this.active): Promise<void> {
    if (active?.model.canUndo) return this.undo(active);
    const uri = activeUri();
    const ended = await this.#ended.last((active?.fileUri ?? uri)?.toString());
    if (!ended) throw nothingToUndo();
    await this.#revived(ended);
    try {
      await this.undo(ended);
    } catch (error) {
      if (ended.model.hunks.length === 0) await this.#end(ended);
      throw error;
    }
    await this.show(ended);
  }

  /** Opens the review that was closed last; without one, what was rejected last is offered again. */
  async reopen(): Promise<void> {
    const closed = this.dismissed.at(-1);
    if (closed) return this.show(closed);
    const ended = await this.#ended.last(undefined);
    if (ended?.model.lastDecision === 'reject') {
      await this.#revived(ended);
      await this.undo(ended);
      return this.show(ended);
    }
    if (!ended)
      throw new UserError(
        vscode.l10n.t(
          'There is no closed review. Copy an edit and run "Splice: Apply Clipboard Edit" to start one.',
        ),
      );
    this.#ended.add(ended);
    throw new UserError(
      vscode.l10n.t(
        'All changes of {0} are accepted. Run "Splice: Undo Last Decision" to take the last ones back.',
        ended.fileName,
      ),
    );
  }

  /** Ends a review that another one takes the place of. */
  async discard(review: Review): Promise<void> {
    await review.journaled.replace();
    await this.#end(review);
  }

  dispose(): void {
    this.#resources.dispose();
    this.#store.dispose();
  }

  #ofFile(uri: vscode.Uri): Review[] {
    const text = uri.toString();
    return [...this.#reviews.values()].filter(({ fileUri }) => fileUri.toString() === text);
  }

  #add(review: Review): void {
    this.#reviews.set(review.id, review);
    this.#editors.serve(review);
    this.#showState();
  }

  async #openFile(review: Review): Promise<vscode.TextDocument> {
    try {
      return await openReviewed(review.fileUri);
    } catch {
      review.state = 'orphan';
      this.#showState();
      throw new UserError(
        vscode.l10n.t(
          '{0} is gone, so nothing can be accepted. Copy what you need from the review.',
          review.label,
        ),
      );
    }
  }

  async #decided(review: Review, line: number): Promise<void> {
    this.#changed(review);
    if (review.model.hunks.length === 0) return this.#finish(review);
    const next = review.view.hunks.find(({ fileLine }) => fileLine >= line) ?? review.view.hunks[0];
    if (next) await this.#editors.revealWhenShown(review, next.id);
  }

  /** All decided: closes the review's tabs; undo can still bring changes back. */
  async #finish(review: Review): Promise<void> {
    const wasActive = this.of(vscode.window.activeTextEditor?.document.uri) === review;
    const wasRejected = review.model.lastDecision === 'reject';
    await this.#end(review);
    if (wasRejected)
      vscode.window.setStatusBarMessage(
        vscode.l10n.t('{0}: rejected. F1, "Undo Last Decision" takes it back.', review.fileName),
        8000,
      );
    const line = review.firstAcceptedLine;
    if (wasActive && line !== undefined && review.fileUri.scheme !== 'vscode-notebook-cell') {
      const at = new vscode.Range(line, 0, line, 0);
      await vscode.window.showTextDocument(review.fileUri, { preview: false, selection: at });
    }
  }

  async #end(review: Review): Promise<void> {
    review.state = 'done';
    await closeTabs(review);
    // The last tab may have closed while something brought changes back.
    if (review.model.hunks.length > 0) return this.#returned(review);
    this.#editors.stopServing(review);
    this.#reviews.delete(review.id);
    this.#ended.add(review);
    this.#showState();
  }

  /** A review that had ended takes part again. */
  async #revived(review: Review): Promise<void> {
    const document = await this.#openFile(review);
    review.didChangeFile(this.#files.lines(document), false);
    review.state = 'dismissed';
    this.#add(review);
  }

  /** Something in the file brought changes back into a review that had ended. */
  #returned(review: Review): void {
    if (review.model.hunks.length === 0) {
      this.#ended.add(review);
      return;
    }
    review.state = 'dismissed';
    review.update();
    this.#add(review);
    this.#host.log.info(`review ${review.id}: changes are pending again`);
  }

  #moved(from: vscode.Uri, to: vscode.Uri): void {
    for (const review of this.#ofFile(from)) review.fileUri = to;
    this.#ended.renamed(from.toString(), to.toString());
    this.#editors.refreshLenses();
    this.#showState();
  }

  /** Its changes can still be read and copied. */
  #gone(review: Review): void {
    if (review.model.hunks.length === 0) {
      if (!this.#reviews.has(review.id)) this.#ended.add(review);
      return;
    }
    // VS Code gives the name of an untitled document to the next one.
    review.fileUri = review.fileUri.with({ fragment: review.id });
    review.state = 'orphan';
    review.update();
    this.#add(review);
  }

  #changed(review: Review): void {
    review.update();
    this.#editors.refresh(review);
    this.#showState();
  }

  /** Files were edited, not by us; a moment ago, so that typing does not wait for this. */
  #filesChanged(reviews: readonly Review[]): void {
    for (const review of reviews) {
      if (review.model.hunks.length > 0) this.#editors.refreshIfVisible(review);
      else if (review.state === 'pending') void review.enqueue(async () => this.#finish(review));
      else if (review.state !== 'done') void review.enqueue(async () => this.#end(review));
    }
    this.#showState();
  }

  #showState(): void {
    const active = this.of(vscode.window.activeTextEditor?.document.uri);
    this.#status.show(this.pending, this.dismissed, active);
    this.#findingMarks.show(this.pending);
    this.#didChange.fire();
  }

  #listen(): void {
    const { workspace, window } = vscode;
    const resources = this.#resources;
    resources.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        const review = this.of(document.uri);
        if (review) this.#editors.redraw(review);
      }),
    );
    resources.add(window.onDidChangeActiveTextEditor(() => this.#showState()));
    resources.add(window.tabGroups.onDidChangeTabs(({ closed }) => this.#tabsClosed(closed)));
    resources.add(
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#moved(oldUri, newUri);
      }),
    );
  }

  #tabsClosed(closed: readonly vscode.Tab[]): void {
    const reviews = new Set(closed.flatMap(tab => this.of(documentOf(tab)) ?? []));
    for (const review of reviews) {
      if (review.state !== 'pending' || tabsOf(review).length > 0) continue;
      review.state = 'dismissed';
      this.#showState();
      void vscode.window.setStatusBarMessage(
        vscode.l10n.t('Review closed. F1, "Reopen Closed Review" brings it back.'),
        8000,
      );
    }
  }
}

/** What the active tab shows. */
function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return (
    vscode.window.activeTextEditor?.document.uri ??
    (input instanceof vscode.TabInputText ? input.uri : undefined)
  );
}

const nothingToUndo = (): UserError =>
  new UserError(
    vscode.l10n.t(
      'There is no decision to undo. Open a review and accept or reject a change first.',
    ),
  );
