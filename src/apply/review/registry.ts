import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { DisposableStore } from '../../platform/disposables';
import type { Host } from '../../platform/host';
import type { ApplyHistory } from '../history/applyHistory';
import { languageIdOfPath } from '../parse/languageName';
import { ReviewDecisions } from './decisions';
import { FindingMarks } from './editor/findingMarks';
import { openReviewed } from './editor/placeAfterClose';
import type { ReviewEditor } from './editor/reviewEditor';
import { ReviewEditors } from './editor/reviewEditors';
import type { ReviewFileSystem } from './editor/reviewFileSystem';
import { reviewIdOf } from './editor/reviewId';
import { activeTabUri, closeTabs, documentOf, tabsOf } from './editor/reviewTabs';
import type { ChangeSetRef, FileOperation } from './model/fileOperation';
import { placeFindings } from './model/findings';
import type { ReviewMeta } from './model/reviewMeta';
import { ReviewModel } from './model/reviewModel';
import { buildReviewView } from './model/reviewView';
import { linesOfOperation, subjectOfOperation } from './operationFile';
import { OperationUndo } from './operationUndo';
import { readPageUri } from './page/pageUri';
import { type Origin, Review } from './review';
import { ReviewedFiles } from './reviewedFiles';
import { ReviewStatus } from './reviewStatus';
import { EndedReviews } from './store/endedReviews';
import { ReviewRestore } from './store/reviewRestore';
import { openReviewStore } from './store/reviewStorage';
import type { ReviewStore } from './store/reviewStore';

/** All reviews of this window, from their start to their end. */
export class ReviewRegistry implements vscode.Disposable {
  readonly decisions: ReviewDecisions;
  readonly history: ApplyHistory;
  readonly #host: Host;
  /** Reviews with undecided changes, and those whose last tabs are being closed. */
  readonly #reviews = new Map<string, Review>();
  readonly #resources = new DisposableStore();
  readonly #store: ReviewStore;
  readonly #ended: EndedReviews<Review>;
  readonly #editors: ReviewEditors;
  readonly #files: ReviewedFiles;
  readonly #operations: OperationUndo;
  readonly #status = this.#resources.add(new ReviewStatus());
  readonly #findingMarks = this.#resources.add(new FindingMarks());
  readonly #didChange = this.#resources.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#didChange.event;

  constructor(host: Host, files: ReviewFileSystem) {
    this.#host = host;
    const { store, history } = openReviewStore(host);
    this.#store = store;
    this.history = history;
    this.#ended = new EndedReviews(this.#store, (id, journaled) => new Review(id, journaled));
    this.#editors = this.#resources.add(new ReviewEditors(this, files, host));
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
    this.#operations = new OperationUndo({
      reviewsOf: uri => this.#ofFile(uri),
      recall: async (uri, hash) => this.#ended.recall(uri, hash),
      changed: review => this.#filesChanged([review]),
      returned: review => this.#returned(review),
      run: task => host.quietly(task)(),
    });
    this.decisions = new ReviewDecisions({
      reviews: this,
      files: this.#files,
      editors: this.#editors,
      ended: this.#ended,
      changed: review => this.#changed(review),
      end: async review => this.#end(review),
      revive: async review => this.#revive(review),
      openFile: async review => this.#openFile(review),
    });
    this.#listen();
  }

  /** Reviews that are open for decisions, in the order in which they started. */
  get pending(): Review[] {
    return [...this.#reviews.values()].filter(({ state }) => state === 'pending');
  }

  get dismissed(): Review[] {
    return this.open.filter(({ state }) => state === 'dismissed');
  }

  /** Reviews whose file no longer exists: they can be read and rejected. */
  get gone(): Review[] {
    return this.open.filter(({ state }) => state === 'orphan');
  }

  /** All reviews with undecided changes; a redo in the file can leave a closed one without any. */
  get open(): Review[] {
    return [...this.#reviews.values()].filter(
      ({ state, model }) => state !== 'done' && model.hunks.length > 0,
    );
  }

  byId(id: unknown): Review | undefined {
    return typeof id === 'string' ? this.#reviews.get(id) : undefined;
  }

  /** The review that a document of a review or of the page belongs to. */
  of(uri: vscode.Uri | undefined): Review | undefined {
    return this.#reviews.get(reviewIdOf(uri) ?? readPageUri(uri)?.id ?? '');
  }

  ofFile(uri: vscode.Uri): Review | undefined {
    return this.pending.find(({ fileUri }) => fileUri.toString() === uri.toString());
  }

  /** The review of the active editor, else the only pending one. */
  get active(): Review | undefined {
    const uri = activeTabUri();
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
    changeSet?: ChangeSetRef,
  ): Review {
    const model = new ReviewModel(base, text);
    const findings = placeFindings(buildReviewView(model), origin.findings);
    model.didChange(this.#files.lines(document), false);
    return this.#start(model, {
      uri: document.uri.toString(),
      languageId: document.languageId,
      createdAt: Date.now(),
      origin: { ...origin, findings },
      ...(changeSet && { changeSet }),
    });
  }

  /** Starts the review of a new, deleted or renamed file. */
  async startOperation(
    operation: FileOperation,
    text: readonly string[],
    { origin, changeSet }: { readonly origin: Origin; readonly changeSet: ChangeSetRef },
  ): Promise<Review> {
    const model = new ReviewModel(await linesOfOperation(operation), text);
    const findings = placeFindings(buildReviewView(model), origin.findings);
    const uri = subjectOfOperation(operation);
    return this.#start(model, {
      uri: uri.toString(),
      languageId: operation.showsPath ? 'plaintext' : (languageIdOfPath(uri.path) ?? 'plaintext'),
      createdAt: Date.now(),
      origin: { ...origin, findings },
      operation,
      changeSet,
    });
  }

  #start(model: ReviewModel, meta: ReviewMeta): Review {
    const id = randomUUID().slice(0, 8);
    const review = new Review(id, this.#store.add(id, model, meta));
    this.#add(review);
    return review;
  }

  /** The undecided reviews of one answer, in the order in which they started. */
  ofSet(id: unknown): Review[] {
    return this.open.filter(({ changeSet }) => changeSet?.id === id);
  }

  /** Restores the reviews of the last session; the files may have changed since. */
  async restore(): Promise<void> {
    const restoring = new ReviewRestore(this.#host, this.#store, {
      byId: id => this.byId(id),
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

  /** Resumes a review whose file exists again. */
  async #isBack(review: Review): Promise<boolean> {
    try {
      await this.#files.resume(review);
      return true;
    } catch {
      return false;
    }
  }

  /** Shows unchanged lines of a long file. @param above the change below them, 0 at the end of the file. */
  openGap(review: Review, above: number): void {
    this.#editors.openGap(review, above);
  }

  async showDiff(review: Review, hunkId?: number): Promise<void> {
    await this.#editors.showDiff(review, hunkId);
  }

  /** Goes to a change, in the active editor if that shows the review. */
  async reveal(review: Review, hunkId: number, shown?: ReviewEditor): Promise<void> {
    await this.#editors.reveal(review, hunkId, shown);
  }

  /** Call before the file operation of an ended review is undone by another review. */
  willUndo(id: string): void {
    this.#ended.willUndo(id);
  }

  /** Call when the cursor has gone to another change. */
  didMove(review: Review): void {
    this.#status.showPosition(review);
  }

  /** Call when the user has edited what is proposed. */
  didPropose(review: Review): void {
    this.#changed(review);
  }

  /** Ends a review that another one replaces. */
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
          '{0} no longer exists, so nothing can be accepted. Copy what you need from the review.',
          review.label,
        ),
      );
    }
  }

  async #end(review: Review): Promise<void> {
    review.state = 'done';
    await closeTabs(review);
    // Changes may have been restored while the last tab was closing.
    if (review.model.hunks.length > 0) return this.#returned(review);
    this.#editors.stopServing(review);
    this.#reviews.delete(review.id);
    this.#ended.add(review);
    this.#showState();
  }

  /** Takes up a review that had ended. */
  async #revive(review: Review): Promise<void> {
    const lines = review.operation
      ? await linesOfOperation(review.operation)
      : this.#files.lines(await this.#openFile(review));
    review.didChangeFile(lines, false);
    review.state = 'dismissed';
    this.#add(review);
  }

  /** An undo or redo in the file restored changes of a review that had ended. */
  #returned(review: Review): void {
    if (review.model.hunks.length === 0) return this.#ended.putBack(review);
    review.state = 'dismissed';
    review.update();
    this.#add(review);
    this.#host.log.info(`review ${review.id}: changes are pending again`);
  }

  #moved(from: vscode.Uri, to: vscode.Uri): void {
    for (const review of this.#ofFile(from)) {
      review.fileUri = to;
      const { operation } = review;
      if (operation) void review.setOperation({ ...operation, uri: to.toString() });
    }
    this.#ended.renamed(from.toString(), to.toString());
    for (const review of this.#ofFile(to)) this.#editors.refreshIfVisible(review);
    this.#showState();
  }

  /** The file no longer exists; the changes can still be read and copied. */
  #gone(review: Review): void {
    if (review.model.hunks.length === 0) {
      if (!this.#reviews.has(review.id)) this.#ended.putBack(review);
      return;
    }
    // VS Code reuses the name of an untitled document.
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

  /** Files were edited by the user. Called with a delay, so that typing is not slowed down. */
  #filesChanged(reviews: readonly Review[]): void {
    for (const review of reviews) {
      if (review.model.hunks.length > 0) this.#editors.refreshIfVisible(review);
      else if (review.state === 'pending') {
        void review.enqueue(async () => this.decisions.finish(review));
      } else if (review.state !== 'done') void review.enqueue(async () => this.#end(review));
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
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // The header alone follows the cursor.
        const isHeaderOnly = contentChanges.every(
          ({ range, text }) => range.end.line === 0 && !text.includes('\n'),
        );
        if (isHeaderOnly) return;
        const review = this.of(document.uri);
        if (review) this.#editors.redraw(review);
      }),
    );
    resources.add(window.onDidChangeActiveTextEditor(() => this.#showState()));
    resources.add(window.tabGroups.onDidChangeTabs(({ closed }) => this.#tabsClosed(closed)));
    resources.add(
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#moved(oldUri, newUri);
        this.#operations.filesAppeared(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]));
      }),
    );
    resources.add(workspace.onDidCreateFiles(({ files }) => this.#operations.filesAppeared(files)));
    resources.add(workspace.onDidDeleteFiles(({ files }) => this.#operations.filesAppeared(files)));
  }

  #tabsClosed(closed: readonly vscode.Tab[]): void {
    const reviews = new Set(closed.flatMap(tab => this.of(documentOf(tab)) ?? []));
    for (const review of reviews) {
      if (review.state !== 'pending' || tabsOf(review).length > 0) continue;
      review.state = 'dismissed';
      this.#showState();
      this.#editors.readAhead(review);
      void vscode.window.setStatusBarMessage(
        vscode.l10n.t('Review closed. To reopen it, press F1 and run "Reopen Closed Review".'),
        8000,
      );
    }
  }
}
