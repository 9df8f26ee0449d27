import * as vscode from 'vscode';
import { waitUntil } from '../../../base/async/waitUntil';
import { cursorLine, type LineSpan, type Side, spanOf } from '../model/reviewCursor';
import type { HunkPlace } from '../model/reviewView';
import { readPageUri } from '../page/pageUri';
import type { Review } from '../review';

/** An editor that draws the changes of a review. */
export interface ReviewEditor {
  readonly editor: vscode.TextEditor;
  readonly side: Side;
}

/** How long to wait until a document shows the last decision, and until an editor has scrolled, in milliseconds. */
const drawTimeoutMs = 10_000;
const scrollTimeoutMs = 500;
/** Lines above a change that are scrolled into view with it, because its code lenses and the header are drawn there. */
const linesAbove = 3;

/** The active editor, if it shows the changes of this review. */
export function activeEditorOf(review: Review): ReviewEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  const side = editor && sideOf(review, editor);
  return side && { editor, side };
}

/** The active editor if it shows the review, else another visible one that does. */
export function editorOf(review: Review): ReviewEditor | undefined {
  const active = activeEditorOf(review);
  if (active) return active;
  const drawing = vscode.window.visibleTextEditors.flatMap(editor => {
    const side = sideOf(review, editor);
    return side === undefined || side === 'file' ? [] : [{ editor, side }];
  });
  return drawing.find(({ side }) => side === 'unified') ?? drawing[0];
}

/** The side of the review that an editor shows. */
export function sideOf(review: Review, editor: vscode.TextEditor): Side | undefined {
  const uri = editor.document.uri.toString();
  if (uri === review.previewUri.toString()) return 'unified';
  if (uri === review.proposedUri.toString()) return 'proposed';
  const page = readPageUri(editor.document.uri);
  if (page?.id === review.id) return page.side === 'before' ? 'file' : 'proposed';
  // The file itself shows changes only as the left side of the diff.
  return uri === review.fileUri.toString() && isDiffInFront(review) ? 'file' : undefined;
}

function isDiffInFront(review: Review): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return (
    input instanceof vscode.TabInputTextDiff &&
    input.modified.toString() === review.proposedUri.toString()
  );
}

export const lineAtCursor = ({ editor }: ReviewEditor): number => cursorLine(editor.selection);

/** Whether the editor shows the current state of the review; updates take a moment to arrive. */
export function isCurrent(review: Review, { editor, side }: ReviewEditor): boolean {
  const { view, model } = review;
  const { document } = editor;
  if (document.lineCount !== Math.max(1, view.lineCounts[side])) return false;
  // The header follows the cursor, so it may be a moment behind.
  if (side === 'unified') return plainText(textBelowHeader(document)) === plainText(view.text);
  const expected = side === 'file' ? model.current : model.proposed();
  return plainText(document.getText()) === plainText(expected.join('\n'));
}

/** The text of a preview without its first row. */
export function textBelowHeader(preview: vscode.TextDocument): string {
  const text = preview.getText();
  return text.slice(text.indexOf('\n') + 1);
}

/** The text without characters that the encoding of a document may change. */
const plainText = (text: string): string => text.replaceAll(/[^\n -~]/g, '');

/** Waits until an editor shows the current state: for long on a busy machine, but not for one that was closed. */
export async function whenCurrent(review: Review, shown: ReviewEditor): Promise<void> {
  const isVisible = () => vscode.window.visibleTextEditors.includes(shown.editor);
  await waitUntil(() => isCurrent(review, shown) || !isVisible(), drawTimeoutMs);
}

/** Puts the cursor on a change and scrolls it into view together with its code lenses. */
export async function revealChange(
  { editor, side }: ReviewEditor,
  place: HunkPlace,
): Promise<vscode.Range> {
  const { start, end } = clampedSpan(editor, spanOf(place, side));
  const range = new vscode.Range(start, 0, end - 1, 0);
  editor.selection = new vscode.Selection(range.start, range.start);
  const top = Math.max(0, start - linesAbove);
  const { AtTop, InCenterIfOutsideViewport } = vscode.TextEditorRevealType;
  const fits = end - top <= visibleLineCount(editor);
  editor.revealRange(
    new vscode.Range(top, 0, end - 1, 0),
    fits ? InCenterIfOutsideViewport : AtTop,
  );
  // `visibleRanges` is updated late; until then it may still contain the first line.
  const lastInSight = fits ? end - 1 : start;
  await waitUntil(
    () =>
      editor.visibleRanges.some(
        visible => visible.start.line <= start && lastInSight <= visible.end.line,
      ),
    scrollTimeoutMs,
  );
  return range;
}

/** When the cursor goes to the first line, the code lenses above it stay hidden unless the editor scrolls further. */
export function showAboveFirstLine(editor: vscode.TextEditor): void {
  if (editor.selection.active.line > 0 || editor !== vscode.window.activeTextEditor) return;
  // `wrappedLine`: with `line`, VS Code stops at the first line and leaves what is above it hidden.
  const value = (editor.visibleRanges[0]?.start.line ?? 0) + linesAbove;
  void vscode.commands.executeCommand('editorScroll', { to: 'up', by: 'wrappedLine', value });
}

/** Whether any line of the change is on the screen. */
export function isInSight({ editor, side }: ReviewEditor, place: HunkPlace): boolean {
  const { start, end } = clampedSpan(editor, spanOf(place, side));
  return editor.visibleRanges.some(
    visible => visible.start.line < end && start <= visible.end.line,
  );
}

/** The span within the document, at least one line: a change without lines gets the line of the cursor. */
function clampedSpan({ document }: vscode.TextEditor, span: LineSpan): LineSpan {
  const start = Math.min(span.start, document.lineCount - 1);
  return { start, end: Math.max(start + 1, Math.min(span.end, document.lineCount)) };
}

function visibleLineCount({ visibleRanges }: vscode.TextEditor): number {
  return visibleRanges.reduce((sum, { start, end }) => sum + end.line - start.line + 1, 0);
}
