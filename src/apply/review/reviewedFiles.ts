import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { DisposableStore } from '../../platform/disposables';
import { reviewScheme } from '../../platform/ids';
import { editFile } from '../changeset/editFile';
import { DocumentLines } from './editor/documentLines';
import { openReviewed, placeAfterClose } from './editor/placeAfterClose';
import { SavingDocuments } from './editor/savingDocuments';
import type { EditorText } from './model/journaledReview';
import { hashLines } from './model/lineEdit';
import { linesOfOperation } from './operationFile';
import type { Review } from './review';
import type { EndedReviews } from './store/endedReviews';

/** Delay before a preview follows typing in its file, per 1,000 lines, in milliseconds. */
const delayMsPerThousandLines = 10;
const minDelayMs = 50;
const maxDelayMs = 500;
/** How long to wait for the save event after a document is no longer dirty, in milliseconds. */
const saveDelayMs = 300;

export interface FileEvents {
  /** The reviews of a file with undecided changes. */
  readonly reviewsOf: (uri: vscode.Uri) => readonly Review[];
  readonly ended: EndedReviews<Review>;
  /** Called with a short delay after a change of a file. */
  readonly didChange: (reviews: readonly Review[]) => void;
  /** An undo or redo restored changes of a review that had ended. */
  readonly returned: (review: Review) => void;
  /** The document was renamed or saved under another name. */
  readonly moved: (from: vscode.Uri, to: vscode.Uri) => void;
  /** The document is gone and was never saved to a file. */
  readonly gone: (review: Review) => void;
  readonly onError: (error: unknown) => void;
}

/** The documents under review: applies edits to them and tracks their changes, saves and closes. */
export class ReviewedFiles implements vscode.Disposable {
  readonly #events: FileEvents;
  readonly #lines = new DocumentLines();
  /** Documents to which an edit of ours is being applied. */
  readonly #editing = new Set<vscode.TextDocument>();
  /** The text of untitled documents before they were emptied: "Save As" and "Don't Save" empty them first. */
  readonly #emptied = new WeakMap<vscode.TextDocument, readonly string[]>();
  readonly #saving = new SavingDocuments(document => this.#willSave(document));
  #lastSaved: vscode.TextDocument | undefined;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #changed = new Map<string, Set<Review>>();
  readonly #resources = new DisposableStore();

  constructor(events: FileEvents) {
    this.#events = events;
    const { workspace } = vscode;
    const resources = this.#resources;
    resources.add(workspace.onDidChangeTextDocument(event => this.#documentChanged(event)));
    resources.add(workspace.onDidSaveTextDocument(document => this.#saved(document)));
    resources.add(
      workspace.onDidSaveNotebookDocument(notebook => {
        for (const { document } of notebook.getCells()) this.#saved(document);
      }),
    );
    resources.add(workspace.onDidCloseTextDocument(document => this.#closed(document)));
  }

  lines(document: vscode.TextDocument): readonly string[] {
    return this.#lines.of(document);
  }

  /** The document of a decision. Edits through it do not count as changes by the user. */
  textOf(document: vscode.TextDocument, name: string): EditorText {
    return {
      lines: () => this.#lines.of(document),
      edit: async edits => {
        this.#editing.add(document);
        const result = await editFile(document, edits).finally(() =>
          this.#editing.delete(document),
        );
        if (result === 'readOnly') {
          throw new UserError(vscode.l10n.t('{0} is read-only, so nothing was changed.', name));
        }
        if (result === 'failed') {
          throw new UserError(
            vscode.l10n.t('VS Code could not change {0}. The review is still open.', name),
          );
        }
      },
    };
  }

  /** Edits that these documents get while `run` is at work do not count as changes by the user. */
  async whileEditing<T>(
    documents: readonly vscode.TextDocument[],
    run: () => Promise<T>,
  ): Promise<T> {
    for (const document of documents) this.#editing.add(document);
    try {
      return await run();
    } finally {
      for (const document of documents) this.#editing.delete(document);
    }
  }

  /** Continues a review with the present text of its file. @throws when the file cannot be read. */
  async resume(review: Review): Promise<void> {
    if (review.operation) {
      await review.journaled.resume(await linesOfOperation(review.operation), false);
    } else {
      const document = await openReviewed(review.fileUri);
      await review.journaled.resume(this.#lines.of(document), document.isDirty);
    }
    review.update();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#saving.dispose();
    this.#resources.dispose();
  }

  #documentChanged(event: vscode.TextDocumentChangeEvent): void {
    const { document, contentChanges, reason } = event;
    if (document.uri.scheme === reviewScheme) return;
    if (contentChanges.length === 0) {
      if (!document.isDirty) this.#becameClean(document);
      return;
    }
    const reviews = this.#events.reviewsOf(document.uri);
    const isUndoOrRedo = reason !== undefined;
    if (reviews.length === 0 && !this.#isUnsavedUntitled(document)) this.#lines.forget(document);
    else {
      const known = this.#lines.known(document);
      if (known && document.isUntitled && isEmpty(document)) {
        this.#emptied.set(document, known);
        return;
      }
      const { lines, change } = this.#lines.after(event);
      if (this.#editing.has(document)) return;
      const bySave = !isUndoOrRedo && this.#saving.has(document);
      const changed = reviews.filter(review =>
        review.didChangeFile(lines, isUndoOrRedo, change, bySave),
      );
      if (changed.length > 0) this.#notifyLater(document, changed);
    }
    if (isUndoOrRedo && !this.#editing.has(document)) this.#recall(document);
  }

  #isUnsavedUntitled({ isUntitled, uri }: vscode.TextDocument): boolean {
    return isUntitled && this.#events.ended.hasUnsaved(uri.toString());
  }

  /** Looks for an ended review to restore; only on undo and redo, since they return to earlier texts. */
  #recall(document: vscode.TextDocument): void {
    const { ended, returned, reviewsOf } = this.#events;
    const uri = document.uri.toString();
    const lines = () => this.#lines.of(document);
    if (!ended.knows(uri, () => hashLines(lines()))) return;
    // A pending review may know the text as well; then the undo concerns that one.
    const text = hashLines(lines());
    if (reviewsOf(document.uri).some(({ model }) => model.pendingTexts.includes(text))) return;
    this.#run(async () => {
      const review = await ended.recall(uri, hashLines(lines()));
      if (!review) return;
      review.didChangeFile(lines(), true);
      returned(review);
    });
  }

  #willSave(document: vscode.TextDocument): void {
    const changed = this.#events.reviewsOf(document.uri).filter(review => review.willSaveFile());
    if (changed.length > 0) this.#notifyLater(document, changed);
  }

  #saved(document: vscode.TextDocument): void {
    this.#lastSaved = document;
    const uri = document.uri.toString();
    this.#cancel(`clean ${uri}`);
    const { reviewsOf, ended } = this.#events;
    this.#run(async () => {
      await Promise.all([
        ...reviewsOf(document.uri).map(async review => {
          review.didChangeFile(this.#lines.of(document), false);
          await review.journaled.fileSaved();
        }),
        ended.saved(uri),
      ]);
    });
  }

  /** A document is no longer dirty after *Revert File* and after a save; a save also fires its own event. */
  #becameClean(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    if (!this.#isAheadOfFile(document.uri)) return;
    this.#later(`clean ${uri}`, saveDelayMs, () => {
      if (document.isClosed || document.isDirty) return;
      const lines = this.#lines.of(document);
      this.#run(async () => this.#settle(document, 'clean', lines));
    });
  }

  /** After "Don't Save" the file has the text on disk and is no longer open. */
  #closed(document: vscode.TextDocument): void {
    const { reviewsOf, ended, moved } = this.#events;
    const { uri } = document;
    const name = uri.toString();
    // A closed document has no text.
    const lines = this.#emptied.get(document) ?? this.#lines.known(document);
    this.#lines.forget(document);
    this.#cancel(`clean ${name}`);
    ended.closed(name);
    const isLost = document.isUntitled && reviewsOf(uri).length > 0;
    if (!isLost && !this.#isAheadOfFile(uri)) return;
    this.#run(async () => {
      const place = await placeAfterClose(document, lines, this.#lastSaved);
      if (place.kind === 'gone') return this.#gone(uri);
      if (place.kind === 'savedAs') {
        moved(uri, place.document.uri);
        return this.#saved(place.document);
      }
      const { document: again } = place;
      await this.#settle(again, 'closed', this.#lines.of(again));
    });
  }

  /** Whether a pending or ended review has accepted changes that were not saved yet. */
  #isAheadOfFile(uri: vscode.Uri): boolean {
    const { reviewsOf, ended } = this.#events;
    return (
      reviewsOf(uri).some(({ model }) => model.isAheadOfFile) || ended.hasUnsaved(uri.toString())
    );
  }

  async #gone(uri: vscode.Uri): Promise<void> {
    const reviews = this.#events.reviewsOf(uri);
    for (const review of [...reviews, ...(await this.#events.ended.unsaved(uri.toString()))]) {
      // A file that a review creates or deletes may be absent.
      if (review.operation) continue;
      await review.journaled.resume(review.model.saved.text, false);
      this.#events.gone(review);
    }
  }

  /** Determines which accepted changes are still in the file. */
  async #settle(
    { uri, isDirty }: vscode.TextDocument,
    why: 'clean' | 'closed',
    lines: readonly string[],
  ): Promise<void> {
    const { reviewsOf, ended, returned } = this.#events;
    const changed = reviewsOf(uri);
    for (const review of changed) {
      if (why === 'clean') await review.journaled.becameClean(lines);
      else await review.journaled.resume(lines, isDirty);
      review.update();
    }
    for (const review of await ended.unsaved(uri.toString())) {
      // Its journal lacks later edits of the user; the current text shows what is left.
      if (why === 'clean' && !(await review.journaled.becameClean(lines))) {
        review.didChangeFile(lines, false);
      } else await review.journaled.resume(lines, isDirty);
      returned(review);
    }
    this.#events.didChange(changed);
  }

  #notifyLater(document: vscode.TextDocument, reviews: readonly Review[]): void {
    const uri = document.uri.toString();
    const changed = this.#changed.get(uri) ?? new Set();
    for (const review of reviews) changed.add(review);
    this.#changed.set(uri, changed);
    const ms = (document.lineCount / 1000) * delayMsPerThousandLines;
    this.#later(`changed ${uri}`, Math.min(Math.max(ms, minDelayMs), maxDelayMs), () => {
      this.#changed.delete(uri);
      this.#events.didChange([...changed]);
    });
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

  #cancel(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  #run(task: () => Promise<void>): void {
    task().catch(this.#events.onError);
  }
}

/** Called on every keystroke, so it avoids `getText()`, which builds the text on each call. */
const isEmpty = (document: vscode.TextDocument): boolean =>
  document.lineCount === 1 && document.lineAt(0).text === '';
