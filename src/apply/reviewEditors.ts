import * as vscode from 'vscode';
import { DisposableStore } from '../host/disposables';
import { ids } from '../manifest';
import { ReviewDecorations, editorsOf } from './decorations';
import { ReviewLenses } from './lenses';
import { editorOf, revealChange, showAboveFirstLine, whenCurrent } from './editorOfReview';
import type { Review } from './review';
import type { ReviewFileSystem } from './reviewFileSystem';
import { fileTabOf, whenVisible } from './reviewTabs';

/** What the editors need of the reviews of this window. */
export interface ShownReviews {
  of(uri: vscode.Uri | undefined): Review | undefined;
  readonly pending: readonly Review[];
}

/** The previews of reviews in editors: opened, drawn and scrolled. */
export class ReviewEditors implements vscode.Disposable {
  readonly #files: ReviewFileSystem;
  readonly #served = new Map<string, vscode.Disposable>();
  readonly #resources = new DisposableStore();
  readonly #decorations = this.#resources.add(new ReviewDecorations());
  readonly #lenses: ReviewLenses;

  constructor(reviews: ShownReviews, files: ReviewFileSystem) {
    this.#files = files;
    this.#lenses = this.#resources.add(
      new ReviewLenses(
        uri => reviews.of(uri),
        review => reviews.pending.filter(other => other !== review).length,
      ),
    );
    const { window } = vscode;
    const resources = this.#resources;
    resources.add(vscode.languages.registerCodeLensProvider({ scheme: ids.scheme }, this.#lenses));
    resources.add(
      window.onDidChangeVisibleTextEditors(() => {
        for (const review of reviews.pending) {
          if (review.isStale && this.#isVisible(review)) this.refresh(review);
          else this.#decorations.paint(review);
        }
      }),
    );
    resources.add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (reviews.of(textEditor.document.uri)) showAboveFirstLine(textEditor);
      }),
    );
    resources.add(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        const review = reviews.of(textEditor.document.uri);
        if (review && textEditor.document.uri.toString() === review.previewUri.toString())
          this.#decorations.paintNumbers(review, textEditor);
      }),
    );
  }

  /** Gives VS Code the documents of a review. */
  serve(review: Review): void {
    const preview = this.#files.serve(review.previewUri, () => review.view.text);
    const proposed = this.#files.serve(review.proposedUri, () =>
      review.model.proposed().join('\n'),
    );
    this.#served.set(review.id, vscode.Disposable.from(preview, proposed));
  }

  stopServing(review: Review): void {
    this.#served.get(review.id)?.dispose();
    this.#served.delete(review.id);
  }

  /** Of a review that nobody sees, only a mark remains; it is drawn when it comes to the front. */
  refreshIfVisible(review: Review): void {
    if (this.#isVisible(review)) this.refresh(review);
    else review.isStale = true;
  }

  /** The documents of the review have new texts. */
  refresh(review: Review): void {
    review.isStale = false;
    this.#files.refresh(review.previewUri);
    this.#files.refresh(review.proposedUri);
    this.#decorations.paint(review);
    this.#lenses.refresh();
  }

  /** An editor has got the new text of a review. */
  redraw(review: Review): void {
    this.#decorations.paint(review);
    this.#lenses.refresh();
  }

  refreshLenses(): void {
    this.#lenses.refresh();
  }

  /**
   * Opens the preview in the group of its file, with the file's own tab behind it.
   * @param options the focus stays where it is when an agent opens the review.
   */
  async show(review: Review, { preserveFocus = false } = {}): Promise<void> {
    const fileTab = fileTabOf(review);
    const canBeShown =
      review.fileUri.scheme !== 'vscode-notebook-cell' && review.state !== 'orphan';
    if (!fileTab && canBeShown) {
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
    this.redraw(review);
    const places = review.view.hunks;
    const first = places.find(({ fileLine }) => fileLine >= (nearLine ?? 0)) ?? places[0];
    if (editor && first) await this.reveal(review, first.id, { editor, side: 'unified' });
  }

  /** @param hunkId the change to show; else VS Code scrolls to the first one. */
  async showDiff(review: Review, hunkId?: number): Promise<void> {
    const place = review.view.hunks.find(({ id }) => id === hunkId);
    const at = place && new vscode.Position(place.proposedLine, 0);
    await vscode.commands.executeCommand(
      'vscode.diff',
      review.fileUri,
      review.proposedUri,
      vscode.l10n.t('{0} (proposed)', review.fileName),
      { preview: false, ...(at && { selection: new vscode.Range(at, at) }) },
    );
    // The preview languages have no line numbers; a diff needs them on this side, too.
    const editor = await whenVisible(review.proposedUri);
    if (editor)
      editor.options = { ...editor.options, lineNumbers: vscode.TextEditorLineNumbersStyle.On };
  }

  /** Goes to a change, in the editor in front when that draws the review. */
  async reveal(review: Review, hunkId: number, shown = editorOf(review)): Promise<void> {
    const place = review.view.hunks.find(({ id }) => id === hunkId);
    if (!place || !shown) return;
    this.#decorations.flash(shown.editor, await revealChange(shown, place));
    if (shown.side === 'unified') this.#lenses.didReveal(review, hunkId, shown.editor);
  }

  async revealWhenShown(review: Review, hunkId: number): Promise<void> {
    const shown = editorOf(review);
    if (!shown) return;
    await whenCurrent(review, shown);
    await this.reveal(review, hunkId, shown);
  }

  dispose(): void {
    for (const served of this.#served.values()) served.dispose();
    this.#resources.dispose();
  }

  #isVisible(review: Review): boolean {
    return editorsOf(review.previewUri).length > 0 || editorsOf(review.proposedUri).length > 0;
  }
}
