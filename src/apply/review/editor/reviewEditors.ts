import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Host } from '../../../platform/host';
import { reviewScheme } from '../../../platform/ids';
import { changeAt, cursorLine, nextChange } from '../model/reviewCursor';
import { headerRow } from '../model/view/reviewPosition';
import { nextInSet } from '../nextInSet';
import type { Review } from '../review';
import { operationText } from '../reviewRows';
import { FileFeatures } from './features/fileFeatures';
import { fileInPreview, PreviewSymbols } from './features/previewFeatures';
import { ReviewDecorations } from './reviewDecorations';
import { editorOf, revealChange, showAboveFirstLine, sideOf, whenCurrent } from './reviewEditor';
import type { ReviewFileSystem } from './reviewFileSystem';
import { ReviewLenses } from './reviewLenses';
import { fileTabOf, whenVisible } from './reviewTabs';
import { editorsOf } from './visibleRows';

/** The time that VS Code gets to draw a review before it is asked for anything else, in milliseconds. */
const drawingMs = 100;

/** The reviews that can be shown in editors. */
export interface ShownReviews {
  of(uri: vscode.Uri | undefined): Review | undefined;
  /** Call when the cursor has gone to another change of a review. */
  didMove(review: Review): void;
  readonly pending: readonly Review[];
}

/** Opens, decorates and scrolls the previews of reviews. */
export class ReviewEditors implements vscode.Disposable {
  readonly #files: ReviewFileSystem;
  readonly #served = new Map<string, vscode.Disposable>();
  readonly #resources = new DisposableStore();
  readonly #decorations = this.#resources.add(new ReviewDecorations());
  readonly #lenses: ReviewLenses;
  readonly #reviews: ShownReviews;
  readonly #host: Pick<Host, 'quietly'>;

  constructor(reviews: ShownReviews, files: ReviewFileSystem, host: Pick<Host, 'quietly'>) {
    this.#reviews = reviews;
    this.#files = files;
    this.#host = host;
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
    const find = (uri: vscode.Uri) => reviews.of(uri);
    const preview = { scheme: reviewScheme };
    const features = new FileFeatures(document => fileInPreview(document, find(document.uri)));
    resources.add(features.register(preview));
    resources.add(languages.registerDocumentSymbolProvider(preview, new PreviewSymbols(find)));
    resources.add(
      window.onDidChangeActiveColorTheme(() => {
        for (const review of reviews.pending) this.#decorations.paint(review);
      }),
    );
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
        const review = reviews.of(textEditor.document.uri);
        if (!review) return;
        showAboveFirstLine(textEditor);
        if (followCursor(review, textEditor)) {
          this.#files.refresh([review.previewUri]);
          reviews.didMove(review);
        }
      }),
    );
    resources.add(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        const review = reviews.of(textEditor.document.uri);
        if (review && textEditor.document.uri.toString() === review.previewUri.toString()) {
          this.#decorations.didScroll(review, textEditor);
        }
      }),
    );
  }

  /** Provides the documents of a review. */
  serve(review: Review): void {
    const preview = this.#files.serve(
      review.previewUri,
      () => `${headerOf(review)}\n${review.view.text}`,
    );
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

  /** Shows unchanged lines of a long file. @param above the change below them, 0 at the end of the file. */
  openGap(review: Review, above: number): void {
    review.openGap(above);
    this.refresh(review);
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
    const viewColumn =
      fileTab?.group.viewColumn ??
      vscode.window.activeTextEditor?.viewColumn ??
      vscode.ViewColumn.Active;
    const nearLine = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === review.fileUri.toString(),
    )?.visibleRanges[0]?.start.line;
    const places = review.view.hunks;
    const first = places.find(({ fileLine }) => fileLine >= (nearLine ?? 0)) ?? places[0];
    if (first && first.id !== review.currentChange && editorsOf(review.previewUri).length === 0) {
      // The header names it: later, VS Code would have to read the text again.
      review.currentChange = first.id;
      this.#files.refresh([review.previewUri]);
    }
    await vscode.commands.executeCommand('vscode.openWith', review.previewUri, 'default', {
      viewColumn,
      preview: false,
      preserveFocus,
    });
    const editor = await whenVisible(review.previewUri);
    if (editor && first) await this.reveal(review, first.id, { editor, side: 'unified' });
    await new Promise(resolve => setTimeout(resolve, drawingMs));
    this.#lenses.refresh();
    if (!fileTab && canBeShown) {
      // Without a tab, accepting a change would make an invisible file dirty. It is last, because it takes as long to open
      // as the review.
      await vscode.commands.executeCommand('vscode.openWith', review.fileUri, 'default', {
        viewColumn,
        preview: false,
        background: true,
      });
    }
    const next = nextInSet(this.#reviews.pending, review);
    if (next) this.readAhead(next);
  }

  /**
   * Makes VS Code read the document of a review that is likely to be shown next: its tab then opens without a wait for
   * the text. After some minutes without a tab, VS Code forgets the document and reads it when it is shown.
   */
  readAhead(review: Review): void {
    this.#host.quietly(async () => vscode.workspace.openTextDocument(review.previewUri))();
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

/** Remembers the change at the cursor, or the next one below it; false when it is the one from before. */
function followCursor(review: Review, editor: vscode.TextEditor): boolean {
  const side = sideOf(review, editor);
  // Until the document shows the review, its lines are others.
  if (!side || editor.document.lineCount !== review.view.lineCounts[side]) return false;
  const line = cursorLine(editor.selection);
  const place = changeAt(review.view, side, line) ?? nextChange(review.view, side, line, 1);
  if (!place || place.id === review.currentChange) return false;
  review.currentChange = place.id;
  return true;
}

const headerOf = (review: Review): string =>
  headerRow(
    review,
    {
      operation: operationText(review.operation, vscode.l10n.t),
      isMac: process.platform === 'darwin',
    },
    vscode.l10n.t,
  );
