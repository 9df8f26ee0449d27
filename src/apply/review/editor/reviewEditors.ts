import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import { reviewScheme } from '../../../platform/ids';
import type { Review } from '../review';
import { PreviewFeatures } from './previewFeatures';
import { editorsOf, ReviewDecorations } from './reviewDecorations';
import { editorOf, revealChange, showAboveFirstLine, whenCurrent } from './reviewEditor';
import type { ReviewFileSystem } from './reviewFileSystem';
import { ReviewLenses } from './reviewLenses';
import { fileTabOf, whenVisible } from './reviewTabs';

/** The reviews that can be shown in editors. */
export interface ShownReviews {
  of(uri: vscode.Uri | undefined): Review | undefined;
  readonly pending: readonly Review[];
}

/** Opens, decorates and scrolls the previews of reviews. */
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
    resources.add(
      vscode.languages.registerCodeLensProvider({ scheme: reviewScheme }, this.#lenses),
    );
    const { languages } = vscode;
    const features = new PreviewFeatures(uri => reviews.of(uri));
    const preview = { scheme: reviewScheme };
    resources.add(languages.registerHoverProvider(preview, features));
    resources.add(languages.registerDefinitionProvider(preview, features));
    resources.add(languages.registerReferenceProvider(preview, features));
    resources.add(languages.registerDocumentSymbolProvider(preview, features));
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
        if (review && textEditor.document.uri.toString() === review.previewUri.toString()) {
          this.#decorations.paintNumbers(review, textEditor);
        }
      }),
    );
  }

  /** Provides the documents of a review. */
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

  /** A review that is not visible is only marked as stale, and refreshed when it becomes visible. */
  refreshIfVisible(review: Review): void {
    if (this.#isVisible(review)) this.refresh(review);
    else review.isStale = true;
  }

  /** The documents of the review have new texts. */
  refresh(review: Review): void {
    review.isStale = false;
    this.#files.refresh([review.previewUri, review.proposedUri]);
    this.#decorations.paint(review);
    this.#lenses.refresh();
  }

  /** Call when an editor has the new text of a review. */
  redraw(review: Review): void {
    this.#decorations.paint(review);
    this.#lenses.refresh();
  }

  refreshLenses(): void {
    this.#lenses.refresh();
  }

  /**
   * Opens the preview in the group of its file, with the file's own tab behind it.
   * @param options `preserveFocus` is set when an agent opens the review.
   */
  async show(review: Review, { preserveFocus = false } = {}): Promise<void> {
    const fileTab = fileTabOf(review);
    const canBeShown =
      review.fileUri.scheme !== 'vscode-notebook-cell' &&
      review.state !== 'orphan' &&
      !review.operation;
    if (!fileTab && canBeShown) {
      // Without a tab, accepting a change would make an invisible file dirty.
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

  /** @param hunkId the change to show; by default VS Code scrolls to the first one. */
  async showDiff(review: Review, hunkId?: number): Promise<void> {
    // One side of its diff is no file.
    if (review.operation) return this.show(review);
    const place = review.view.hunks.find(({ id }) => id === hunkId);
    const at = place && new vscode.Position(place.proposedLine, 0);
    await vscode.commands.executeCommand(
      'vscode.diff',
      review.fileUri,
      review.proposedUri,
      vscode.l10n.t('{0} (proposed)', review.fileName),
      { preview: false, ...(at && { selection: new vscode.Range(at, at) }) },
    );
    // The preview languages turn line numbers off, but the diff needs them.
    const editor = await whenVisible(review.proposedUri);
    if (editor) {
      editor.options = { ...editor.options, lineNumbers: vscode.TextEditorLineNumbersStyle.On };
    }
  }

  /** Goes to a change, in the active editor if that shows the review. */
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
