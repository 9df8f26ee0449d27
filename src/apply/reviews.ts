import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { ids } from '../manifest';
import { ReviewDecorations, editorsOf } from './decorations';
import { editFile, linesOf } from './editFile';
import { ReviewLenses } from './lenses';
import type { LineEdit } from './lineEdit';
import { confirmCommandFile, confirmErrors } from './prompts';
import { Review, type Origin } from './review';
import type { ReviewFileSystem } from './reviewFileSystem';
import { type Hunk, ReviewModel } from './reviewModel';
import { ReviewStatus } from './reviewStatus';
import { ReviewStore } from './reviewStore';
import { closeTabs, documentOf, fileTabOf, tabsOf, whenShown, whenVisible } from './reviewTabs';

/** How long a finished or closed review can come back, ms. */
const keepMs = 10 * 60 * 1000;
/** Quiet time before a preview follows typing in its file, ms. */
const refreshDelayMs = 50;

/** All reviews of this window: their documents, tabs, decisions and storage. */
export class Reviews implements vscode.Disposable {
  readonly #host: Host;
  readonly #files: ReviewFileSystem;
  readonly #reviews = new Map<string, Review>();
  readonly #served = new Map<string, vscode.Disposable>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #resources = new DisposableStore();
  readonly #decorations = this.#resources.add(new ReviewDecorations());
  readonly #lenses: ReviewLenses;
  readonly #store: ReviewStore;
  readonly #status = this.#resources.add(new ReviewStatus());
  /** Documents that hold one of our own edits in flight. */
  readonly #editing = new Set<vscode.TextDocument>();
  readonly #didChange = this.#resources.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#didChange.event;

  constructor(host: Host, files: ReviewFileSystem) {
    this.#host = host;
    this.#files = files;
    this.#store = this.#resources.add(
      new ReviewStore(host.context.storageUri, error => host.log.error('review storage', error)),
    );
    this.#lenses = this.#resources.add(
      new ReviewLenses(
        uri => this.of(uri),
        review => this.pending.filter(other => other !== review).length,
      ),
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
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const uri =
      vscode.window.activeTextEditor?.document.uri ??
      (input instanceof vscode.TabInputText ? input.uri : undefined);
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
    model.didChange(linesOf(document), false);
    const review = new Review({
      id: randomUUID().slice(0, 8),
      fileUri: document.uri,
      languageId: document.languageId,
      model,
      origin,
      createdAt: Date.now(),
    });
    this.#add(review);
    return review;
  }

  /** Brings back what the last session left; the file may have changed since. */
  async restore(): Promise<void> {
    for (const stored of await this.#store.load(Date.now())) {
      if (this.#reviews.has(stored.id)) continue;
      const review = new Review(stored);
      try {
        const document = await vscode.workspace.openTextDocument(review.fileUri);
        review.didChangeFile(document, false);
      } catch {
        review.state = 'orphan';
      }
      if (review.model.hunks.length === 0) {
        this.#store.remove(review.id);
        continue;
      }
      if (review.state === 'pending' && tabsOf(review).length === 0) review.state = 'dismissed';
      this.#add(review);
    }
  }

  /**
   * Opens the preview in the group of its file, with the file's own tab behind it.
   * @param options the focus stays where it is when an agent opens the review.
   */
  async show(review: Review, { preserveFocus = false } = {}): Promise<void> {
    review.state = 'pending';
    const fileTab = fileTabOf(review);
    if (!fileTab && review.fileUri.scheme !== 'vscode-notebook-cell') {
      // Without a tab, an accepted change would make a file dirty that nobody sees.
      await vscode.window.showTextDocument(review.fileUri, { preview: false, preserveFocus: true });
    }
    const viewColumn =
      fileTab?.group.viewColumn ??
      vscode.window.activeTextEditor?.viewColumn ??
      vscode.ViewColumn.Active;
    const nearLine = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === review.fileUri.toString(),
    )?.visibleRanges[0]?.start.line;
    await vscode.commands.executeCommand('vscode.openWith', review.previewUri, 'default', {
      viewColumn,
      preview: false,
      preserveFocus,
    });
    const editor = await whenVisible(review.previewUri);
    this.#decorations.paint(review);
    this.#lenses.refresh();
    this.#showState();
    const places = review.view.hunks;
    const first = places.find(({ fileLine }) => fileLine >= (nearLine ?? 0)) ?? places[0];
    if (editor && first) this.reveal(review, first.id, editor);
  }

  async showDiff(review: Review): Promise<void> {
    await vscode.commands.executeCommand(
      'vscode.diff',
      review.fileUri,
      review.proposedUri,
      vscode.l10n.t('{0} (proposed)', review.fileName),
      { preview: false },
    );
    // The preview languages have no line numbers; a diff needs them on this side, too.
    const editor = await whenVisible(review.proposedUri);
    if (editor)
      editor.options = { ...editor.options, lineNumbers: vscode.TextEditorLineNumbersStyle.On };
  }

  reveal(review: Review, hunkId: number, editor = editorsOf(review.previewUri)[0]): void {
    const place = review.view.hunks.find(({ id }) => id === hunkId);
    if (!place || !editor) return;
    const { firstRow } = place;
    const range = new vscode.Range(
      firstRow,
      0,
      firstRow + Math.max(1, place.removedRows + place.insertedRows) - 1,
      0,
    );
    editor.selection = new vscode.Selection(firstRow, 0, firstRow, 0);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    this.#decorations.flash(editor, range);
  }

  /** Accepts changes: one edit of the file, one undo step. Errors that the audit found ask first. */
  async accept(review: Review, hunks: readonly Hunk[]): Promise<void> {
    if (hunks.length === 0 || !(await confirmCommandFile(review))) return;
    if (!(await confirmErrors(review))) return;
    await review.enqueue(async () => {
      const document = await this.#openFile(review);
      if (review.didChangeFile(document, false)) this.#changed(review);
      const wanted = new Set(hunks.map(({ id }) => id));
      const now = review.model.hunks.filter(hunk => wanted.has(hunk.id));
      const isStale =
        now.length !== hunks.length ||
        now.some(hunk => hunk.conflict !== hunks.find(({ id }) => id === hunk.id)?.conflict);
      if (isStale)
        throw new UserError(
          vscode.l10n.t(
            '{0} has just changed. Look at the change again, then accept it.',
            review.fileName,
          ),
        );
      await this.#edit(
        review,
        document,
        now.map(hunk => review.model.edit(hunk)),
      );
      review.firstAcceptedLine = now[0]?.at;
      review.model.didAccept(now, linesOf(document));
      await this.#decided(review, now[0]?.at ?? 0);
    });
  }

  async reject(review: Review, hunks: readonly Hunk[]): Promise<void> {
    if (hunks.length === 0) return;
    await review.enqueue(async () => {
      review.model.reject(hunks.map(({ id }) => id));
      await this.#decided(review, hunks[0]?.at ?? 0);
    });
  }

  /** Takes back the last decision; an acceptance by the inverse edit in the file. */
  async undo(review: Review): Promise<void> {
    await review.enqueue(async () => {
      const before = new Set(review.model.hunks.map(({ id }) => id));
      const undone = review.model.undo();
      if (!undone) throw new UserError(vscode.l10n.t('There is no decision to undo.'));
      if (undone.kind === 'accepted') {
        const document = await this.#openFile(review);
        await this.#edit(review, document, undone.edits);
        review.model.didChange(linesOf(document), false);
      }
      review.update();
      this.#changed(review);
      // The cursor goes to what came back, or the next key would decide on another change.
      const back = review.model.hunks.find(({ id }) => !before.has(id));
      if (back) await this.#revealWhenShown(review, back.id);
    });
  }

  /** Ends a review that another one takes the place of. */
  async discard(review: Review): Promise<void> {
    review.state = 'done';
    await closeTabs(review);
    this.#forget(review);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const served of this.#served.values()) served.dispose();
    this.#resources.dispose();
  }

  #add(review: Review): void {
    this.#reviews.set(review.id, review);
    this.#serve(review);
    this.#store.save(review);
    this.#showState();
  }

  #serve(review: Review): void {
    const preview = this.#files.serve(review.previewUri, () => review.view.text);
    const proposed = this.#files.serve(review.proposedUri, () =>
      review.model.proposed().join('\n'),
    );
    this.#served.set(review.id, vscode.Disposable.from(preview, proposed));
  }

  async #openFile(review: Review): Promise<vscode.TextDocument> {
    try {
      return await vscode.workspace.openTextDocument(review.fileUri);
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

  /** @throws {UserError} when the file did not take the edits; it is unchanged then. */
  async #edit(
    review: Review,
    document: vscode.TextDocument,
    edits: readonly LineEdit[],
  ): Promise<void> {
    this.#editing.add(document);
    const result = await editFile(document, edits).finally(() => this.#editing.delete(document));
    if (result === 'readOnly')
      throw new UserError(
        vscode.l10n.t('{0} is read-only, so nothing was changed.', review.fileName),
      );
    if (result === 'failed')
      throw new UserError(
        vscode.l10n.t('VS Code could not change {0}. The review is still open.', review.fileName),
      );
  }

  async #decided(review: Review, line: number): Promise<void> {
    review.update();
    this.#changed(review);
    if (review.model.hunks.length === 0) return this.#finish(review);
    const next = review.view.hunks.find(({ fileLine }) => fileLine >= line) ?? review.view.hunks[0];
    if (next) await this.#revealWhenShown(review, next.id);
  }

  async #revealWhenShown(review: Review, hunkId: number): Promise<void> {
    const editor = editorsOf(review.previewUri)[0];
    if (!editor) return;
    await whenShown(review, editor.document);
    this.reveal(review, hunkId, editor);
  }

  /** All decided: closes the review's tabs; undo in the file can still bring changes back. */
  async #finish(review: Review): Promise<void> {
    review.state = 'done';
    const wasActive = this.of(vscode.window.activeTextEditor?.document.uri) === review;
    await closeTabs(review);
    this.#store.remove(review.id);
    this.#showState();
    this.#later(`forget ${review.id}`, keepMs, () => {
      if (review.state === 'done') this.#forget(review);
    });
    const line = review.firstAcceptedLine;
    if (wasActive && line !== undefined && review.fileUri.scheme !== 'vscode-notebook-cell') {
      const at = new vscode.Range(line, 0, line, 0);
      await vscode.window.showTextDocument(review.fileUri, { preview: false, selection: at });
    }
  }

  #forget(review: Review): void {
    this.#served.get(review.id)?.dispose();
    this.#served.delete(review.id);
    this.#reviews.delete(review.id);
    this.#store.remove(review.id);
    this.#showState();
  }

  #changed(review: Review): void {
    this.#files.refresh(review.previewUri);
    this.#files.refresh(review.proposedUri);
    if (review.state !== 'done') this.#store.save(review);
    this.#decorations.paint(review);
    this.#lenses.refresh();
    this.#showState();
  }

  #showState(): void {
    const active = this.of(vscode.window.activeTextEditor?.document.uri);
    this.#status.show(this.pending, this.dismissed.length > 0, active);
    this.#didChange.fire();
  }

  #later(key: string, ms: number, run: () => void): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        run();
      }, ms),
    );
  }

  #listen(): void {
    const { workspace, window } = vscode;
    const resources = this.#resources;
    resources.add(vscode.languages.registerCodeLensProvider({ scheme: ids.scheme }, this.#lenses));
    resources.add(workspace.onDidChangeTextDocument(event => this.#documentChanged(event)));
    resources.add(
      window.onDidChangeVisibleTextEditors(() => {
        for (const review of this.pending) this.#decorations.paint(review);
      }),
    );
    resources.add(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        const review = this.of(textEditor.document.uri);
        if (review && textEditor.document.uri.toString() === review.previewUri.toString())
          this.#decorations.paintNumbers(review, textEditor);
      }),
    );
    resources.add(window.onDidChangeActiveTextEditor(() => this.#showState()));
    resources.add(window.tabGroups.onDidChangeTabs(({ closed }) => this.#tabsClosed(closed)));
    resources.add(
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files)
          for (const review of this.#reviews.values())
            if (review.fileUri.toString() === oldUri.toString()) {
              review.fileUri = newUri;
              this.#store.save(review);
              this.#lenses.refresh();
            }
      }),
    );
  }

  #documentChanged({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    if (document.uri.scheme === ids.scheme) {
      const review = this.of(document.uri);
      if (review) {
        this.#decorations.paint(review);
        this.#lenses.refresh();
      }
      return;
    }
    if (contentChanges.length === 0 || this.#editing.has(document)) return;
    for (const review of this.#reviews.values()) {
      if (review.fileUri.toString() !== document.uri.toString()) continue;
      if (!review.didChangeFile(document, reason !== undefined)) continue;
      // Undo in the file after the last decision brings changes back, quietly.
      if (review.state === 'done' && review.model.hunks.length > 0) {
        review.state = 'dismissed';
        this.#host.log.info(`review ${review.id}: changes are pending again`);
      }
      this.#later(`refresh ${review.id}`, refreshDelayMs, () => {
        if (review.state === 'pending' && review.model.hunks.length === 0) {
          void review.enqueue(() => this.#finish(review));
        } else this.#changed(review);
      });
    }
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
      this.#later(`forget ${review.id}`, keepMs, () => {
        if (review.state === 'dismissed') this.#forget(review);
      });
    }
  }
}
