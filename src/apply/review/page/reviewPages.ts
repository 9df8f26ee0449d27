import * as vscode from 'vscode';
import { splitLines } from '../../../base/text/textLines';
import { ContextKey } from '../../../platform/commands/contextKey';
import { DisposableStore } from '../../../platform/disposables';
import { pageScheme } from '../../../platform/ids';
import { contextKeys } from '../../ids';
import { FileFeatures } from '../editor/features/fileFeatures';
import { typedOver } from '../model/proposal/editProposal';
import type { Review } from '../review';
import { fileOnPage } from './fileOnPage';
import { isTabOfMultiDiff, openMultiDiff, placeCursor, tabsOfMultiDiff } from './multiDiff';
import { isOpen, PageDocuments } from './pageDocuments';
import {
  filesOfPage,
  linesOfFirst,
  pagedFile,
  pageSource,
  pageTitle,
  renameOf,
} from './pagedFiles';
import type { PageFileSystem, PageTexts } from './pageFileSystem';
import { PageLenses } from './pageLenses';
import { readPageUri } from './pageUri';
import { deadPages, restoredPages } from './restoredPages';
import { ShownTexts } from './shownTexts';

/** How long after a save VS Code is asked to read the document again, in milliseconds. */
const rereadMs = 100;

/** The reviews of this window, as far as the page needs them. */
export interface PagedReviews {
  /** All reviews with undecided changes. */
  readonly open: readonly Review[];
  readonly onDidChange: vscode.Event<void>;
  byId(id: unknown): Review | undefined;
  /** The undecided reviews of one answer. */
  ofSet(id: unknown): readonly Review[];
  /** Call when the user has edited what is proposed. */
  didPropose(review: Review): void;
  readonly decisions: { finish(review: Review): Promise<void> };
}

/** Pages that show the changes of several files at once, in VS Code's multi-file diff editor. */
export class ReviewPages implements PageTexts, vscode.Disposable {
  readonly #reviews: PagedReviews;
  readonly #files: PageFileSystem;
  readonly #shown = new ShownTexts();
  /** Reviews that were put on a page; some may have ended since. */
  readonly #paged = new Map<string, Review>();
  /** The reviews of each page, by its title. */
  readonly #pages = new Map<string, readonly Review[]>();
  readonly #resources = new DisposableStore();
  readonly #inPage = new ContextKey<boolean>(contextKeys.inPage);
  readonly #lenses = this.#resources.add(new PageLenses(uri => this.#reviewsOf(uri)));
  readonly #onError: (error: unknown) => void;

  constructor(reviews: PagedReviews, files: PageFileSystem, onError: (error: unknown) => void) {
    this.#reviews = reviews;
    this.#files = files;
    this.#onError = onError;
    const { workspace, window, languages } = vscode;
    const resources = this.#resources;
    resources.add(reviews.onDidChange(() => this.#refresh()));
    resources.add(languages.registerCodeLensProvider({ scheme: pageScheme }, this.#lenses));
    const features = new FileFeatures(document => fileOnPage(document, id => reviews.byId(id)));
    resources.add(features.register({ scheme: pageScheme }));
    resources.add(window.onDidChangeActiveTextEditor(() => this.#showState()));
    resources.add(
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) this.#closed(tab);
      }),
    );
    resources.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (readPageUri(document.uri)) this.#shows(document);
      }),
    );
    resources.add(
      workspace.onDidCloseTextDocument(document => {
        const { uri } = document;
        if (readPageUri(uri) && !isOpen(document)) this.#shown.forget(uri.toString());
      }),
    );
    resources.add(new PageDocuments(onError));
    this.#restore().catch(onError);
    this.#showState();
  }

  /** @param at where the cursor goes: a line of the proposed text, from 0. */
  async open(
    reviews: readonly Review[],
    at?: { readonly review: Review; readonly line: number },
  ): Promise<void> {
    for (const review of reviews) {
      if (review.state === 'dismissed') review.state = 'pending';
      this.#paged.set(review.id, review);
    }
    this.#pages.set(pageTitle(reviews), reviews);
    const files = reviews.flatMap(review => pagedFile(review, reviews) ?? []);
    const target = at && pagedFile(at.review, reviews)?.proposed;
    await openMultiDiff(
      pageTitle(reviews),
      pageSource(reviews),
      files.map(({ before, proposed }) => ({ before, after: proposed })),
      target && { target, line: at.line },
    );
    if (target) await placeCursor({ target, line: at.line });
  }

  async text(uri: vscode.Uri): Promise<string | undefined> {
    const text = (await this.#linesOf(uri))?.join('\n');
    if (text !== undefined) this.#shown.gave(uri.toString(), text);
    return text;
  }

  isEditable(uri: vscode.Uri): boolean {
    const page = readPageUri(uri);
    const review = this.#reviews.byId(page?.id);
    if (page?.side !== 'proposed' || !review || review.state === 'orphan') return false;
    return review.operation === undefined || review.operation.kind === 'create';
  }

  async write(uri: vscode.Uri, text: string): Promise<void> {
    const review = this.#reviews.byId(readPageUri(uri)?.id);
    if (!review) throw vscode.FileSystemError.NoPermissions(uri);
    const key = uri.toString();
    await review.enqueue(async () => {
      const now = review.model.proposed();
      const typed = splitLines(text);
      const { lines, conflicts } = typedOver(this.#shown.baseOf(key) ?? now, typed, now);
      this.#shown.saved(key, text);
      if (await review.journaled.propose(lines, conflicts)) this.#reviews.didPropose(review);
    });
    // The file may have changed while the user typed. VS Code reads nothing again before the save is over.
    setTimeout(() => this.#refresh(), rereadMs);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #reviewsOf(uri: vscode.Uri): readonly Review[] {
    const review = this.#reviews.byId(readPageUri(uri)?.id);
    if (!review) return [];
    const rename = renameOf(review, this.#reviews.ofSet(review.changeSet?.id));
    return rename ? [rename, review] : [review];
  }

  async #linesOf(uri: vscode.Uri): Promise<readonly string[] | undefined> {
    const page = readPageUri(uri);
    const pending = this.#reviews.byId(page?.id);
    const review = pending ?? this.#paged.get(page?.id ?? '');
    // Decided before a reload: there is nothing to compare.
    if (!review) return linesOfFirst(filesOfPage(uri));
    const { model, operation } = review;
    if (operation?.kind === 'rename') {
      return linesOfFirst([operation.uri, operation.newUri]);
    }
    if (!pending) return operation ? [''] : model.current;
    if (page?.side === 'proposed') return model.proposed();
    return operation?.showsPath ? [''] : model.current;
  }

  #shows(document: vscode.TextDocument): void {
    this.#shown.shows(document.uri.toString(), document.getText());
  }

  /** Has VS Code read the documents again whose text is no longer what it shows. */
  #refresh(): void {
    this.#lenses.refresh();
    this.#showState();
    void this.#changedUris()
      .then(uris => {
        if (uris.length > 0) this.#files.refresh(uris);
      })
      .catch(this.#onError);
    void this.#closeDecided().catch(this.#onError);
  }

  async #changedUris(): Promise<vscode.Uri[]> {
    const changed: vscode.Uri[] = [];
    for (const key of this.#shown.uris) {
      const uri = vscode.Uri.parse(key);
      const lines = await this.#linesOf(uri);
      if (lines && lines.join('\n') !== this.#shown.baseOf(key)?.join('\n')) changed.push(uri);
    }
    return changed;
  }

  /** Goes on with the pages that VS Code opened again; those without anything to decide are closed. */
  async #restore(): Promise<void> {
    for (const [title, reviews] of restoredPages(this.#reviews.open)) {
      this.#pages.set(title, reviews);
      for (const review of reviews) {
        this.#paged.set(review.id, review);
        if (review.state === 'dismissed') review.state = 'pending';
      }
    }
    const dead = deadPages(id => this.#reviews.byId(id) !== undefined);
    if (dead.length > 0) await vscode.window.tabGroups.close(dead, true);
  }

  /** Closes pages on which everything is decided. */
  async #closeDecided(): Promise<void> {
    const decided = [...this.#pages].filter(([, reviews]) =>
      reviews.every(({ id }) => !this.#reviews.byId(id)),
    );
    for (const [title] of decided) {
      this.#pages.delete(title);
      await vscode.window.tabGroups.close(tabsOfMultiDiff(title), true);
    }
  }

  /** Where the user typed what the file says anyway, nothing is left to decide. */
  #closed(tab: vscode.Tab): void {
    for (const [title, reviews] of this.#pages) {
      if (!isTabOfMultiDiff(tab, title)) continue;
      for (const { id } of reviews) {
        const review = this.#reviews.byId(id);
        if (review?.model.hunks.length !== 0) continue;
        review.enqueue(async () => this.#reviews.decisions.finish(review)).catch(this.#onError);
      }
    }
  }

  #showState(): void {
    this.#inPage.set(readPageUri(vscode.window.activeTextEditor?.document.uri) !== undefined);
  }
}
