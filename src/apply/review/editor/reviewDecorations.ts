import * as vscode from 'vscode';
import { pendingFindings, shortMessage } from '../model/findings';
import { wordSpans } from '../model/wordSpans';
import { readPageUri } from '../page/pageUri';
import type { Review } from '../review';
import { BlockType, rows, wordType } from './marks/blockType';
import { findingType } from './marks/findingType';
import { setMarks } from './marks/setMarks';
import {
  areWithin,
  editorsOf,
  isLong,
  meets,
  minMarginRows,
  type RowSpan,
  visibleSpans,
} from './visibleRows';

/** The delay until what is out of sight in a long review is painted, in milliseconds. */
const laterMs = 250;
/** Beyond the end of any line; VS Code clamps it to the end of the line. */
const maxColumn = 2 ** 30;
const noBreakSpace = '\u00a0';

/** Colours and line numbers of the preview. Decoration types are shared, never created per line. */
export class ReviewDecorations implements vscode.Disposable {
  readonly #blocks = { added: new BlockType('inserted'), removed: new BlockType('removed') };
  readonly #addedWord = wordType('inserted');
  readonly #removedWord = wordType('removed');
  readonly #header = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editorStickyScrollHover.background'),
    color: new vscode.ThemeColor('editor.foreground'),
    fontWeight: 'bold',
  });
  readonly #gap = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.unchangedRegionBackground'),
    color: new vscode.ThemeColor('diffEditor.unchangedRegionForeground'),
  });
  readonly #conflict = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth: '0 0 0 3px',
    borderStyle: 'solid',
    borderColor: new vscode.ThemeColor('editorWarning.foreground'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #numbers = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #findings = { error: findingType('error'), warning: findingType('warning') };
  /** The rows that have line numbers and words. */
  readonly #painted = new WeakMap<
    vscode.TextEditor,
    { readonly view: Review['view']; readonly spans: readonly RowSpan[] }
  >();
  /** Timers that paint what is out of sight. */
  readonly #later = new Map<vscode.TextEditor, NodeJS.Timeout>();
  readonly #current = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });

  dispose(): void {
    for (const timer of this.#later.values()) clearTimeout(timer);
    for (const type of this.#types()) type.dispose();
  }

  /** Decorates all editors that show the review; skips those whose text is not up to date yet. */
  paint(review: Review): void {
    this.#paintFindings(review);
    for (const editor of editorsOf(review.previewUri)) {
      if (!isUpToDate(editor, review)) continue;
      const isLate = isLong(review);
      this.#paintLines(review, editor, isLate ? visibleSpans(review, editor) : undefined);
      this.#paintVisible(review, editor);
      clearTimeout(this.#later.get(editor));
      if (isLate)
        this.#later.set(
          editor,
          setTimeout(() => this.#paintRest(review, editor), laterMs),
        );
    }
  }

  /** What is out of sight in a review of many changes is for the overview ruler, and for scrolling. */
  #paintRest(review: Review, editor: vscode.TextEditor): void {
    this.#later.delete(editor);
    const isShown = editorsOf(review.previewUri).includes(editor);
    if (isShown && isUpToDate(editor, review)) this.#paintLines(review, editor, undefined);
  }

  /** @param spans the rows to paint; all of them where they are left out. */
  #paintLines(
    review: Review,
    editor: vscode.TextEditor,
    spans: readonly RowSpan[] | undefined,
  ): void {
    const added: vscode.DecorationOptions[] = [];
    const removed: vscode.DecorationOptions[] = [];
    const conflicts: vscode.Range[] = [];
    const conflicting = new Set(
      review.model.hunks.filter(({ conflict }) => conflict).map(({ id }) => id),
    );
    for (const { id, firstRow, removedRows, insertedRows } of review.view.hunks) {
      const firstInserted = firstRow + removedRows;
      const end = firstInserted + insertedRows;
      if (spans && !meets(spans, firstRow, end)) continue;
      if (removedRows > 0) removed.push({ range: rows(firstRow, firstInserted) });
      if (insertedRows > 0) added.push({ range: rows(firstInserted, end) });
      if (conflicting.has(id)) conflicts.push(rows(firstRow, end));
    }
    const gaps = review.view.gaps.filter(({ row }) => !spans || meets(spans, row, row + 1));
    this.#blocks.added.show(editor, added);
    this.#blocks.removed.show(editor, removed);
    setMarks(editor, this.#conflict, conflicts);
    setMarks(editor, this.#header, [rows(0, 0)]);
    setMarks(
      editor,
      this.#gap,
      gaps.map(({ row }) => rows(row, row)),
    );
  }

  /** Shows audit findings at the lines they concern, in the preview, in the diff and on the page. */
  #paintFindings(review: Review): void {
    for (const side of ['unified', 'proposed'] as const) {
      const editors = editorsWithFindings(review, side);
      if (editors.length === 0) continue;
      const found = pendingFindings(review.view, review.origin.findings, side);
      for (const severity of ['error', 'warning'] as const) {
        const marks = found
          .filter(({ finding }) => (finding.severity === 'error') === (severity === 'error'))
          .map(
            ({ finding, line }): vscode.DecorationOptions => ({
              range: new vscode.Range(line, maxColumn, line, maxColumn),
              hoverMessage: finding.message,
              renderOptions: { after: { contentText: shortMessage(finding) } },
            }),
          );
        for (const editor of editors) setMarks(editor, this.#findings[severity], marks);
      }
    }
  }

  /** Call when the editor has been scrolled. */
  didScroll(review: Review, editor: vscode.TextEditor): void {
    const painted = this.#painted.get(editor);
    const isThere =
      painted?.view === review.view &&
      areWithin(visibleSpans(review, editor, minMarginRows), painted.spans);
    if (!isThere) this.#paintVisible(review, editor);
  }

  /** Line numbers of both sides and changed words, for the visible rows only: for 10,000 rows they take long. */
  #paintVisible(review: Review, editor: vscode.TextEditor): void {
    if (!isUpToDate(editor, review)) return;
    const spans = visibleSpans(review, editor);
    this.#painted.set(editor, { view: review.view, spans });
    this.#paintWords(review, editor, spans);
    this.#paintNumbers(review, editor, spans);
  }

  #paintWords(review: Review, editor: vscode.TextEditor, spans: readonly RowSpan[]): void {
    const added: vscode.Range[] = [];
    const removed: vscode.Range[] = [];
    const hunks = new Map(review.model.hunks.map(hunk => [hunk.id, hunk]));
    for (const { id, firstRow, removedRows, insertedRows } of review.view.hunks) {
      const end = firstRow + removedRows + insertedRows;
      const hunk = hunks.get(id);
      if (!hunk || !meets(spans, firstRow, end)) continue;
      const words = wordSpans(hunk.removed, hunk.inserted);
      for (const { row, start, end: stop } of words.removed) {
        removed.push(new vscode.Range(firstRow + row, start, firstRow + row, stop));
      }
      const firstInserted = firstRow + removedRows;
      for (const { row, start, end: stop } of words.inserted) {
        added.push(new vscode.Range(firstInserted + row, start, firstInserted + row, stop));
      }
    }
    setMarks(editor, this.#addedWord, added);
    setMarks(editor, this.#removedWord, removed);
  }

  #paintNumbers(review: Review, editor: vscode.TextEditor, spans: readonly RowSpan[]): void {
    const { rows: all, lineCounts } = review.view;
    // The end of a text is an empty line, which a file that is not there does not have.
    const { kind } = review.operation ?? {};
    const width = String(Math.max(lineCounts.file, lineCounts.proposed)).length;
    const pad = (line: number | undefined) =>
      (line === undefined ? '' : String(line)).padStart(width, noBreakSpace);
    const numbers: vscode.DecorationOptions[] = [];
    for (const { first, last } of spans) {
      for (let index = first; index <= last; index++) {
        const row = all[index];
        // The header has none, so that it has more room.
        if (!row || row.kind === 'header') continue;
        const sign = row.kind === '-' ? '−' : row.kind === '+' ? '+' : noBreakSpace;
        const old = row.kind === 'gap' || kind === 'create' ? undefined : row.oldLine;
        const now = row.kind === 'gap' || kind === 'delete' ? undefined : row.newLine;
        numbers.push({
          range: rows(index, index),
          renderOptions: {
            before: {
              contentText: [pad(old), pad(now), sign].join(noBreakSpace),
              color: new vscode.ThemeColor('editorLineNumber.foreground'),
              margin: '0 1.5ch 0 0',
            },
          },
        });
      }
    }
    setMarks(editor, this.#numbers, numbers);
  }

  /** Briefly highlights the change that a command went to. */
  flash(editor: vscode.TextEditor, range: vscode.Range): void {
    setMarks(editor, this.#current, [range]);
    setTimeout(() => setMarks(editor, this.#current, []), 600);
  }

  #types(): vscode.Disposable[] {
    return [
      this.#blocks.added,
      this.#blocks.removed,
      this.#addedWord,
      this.#removedWord,
      this.#header,
      this.#gap,
      this.#conflict,
      this.#numbers,
      this.#findings.error,
      this.#findings.warning,
      this.#current,
    ];
  }
}

const isUpToDate = ({ document }: vscode.TextEditor, { view }: Review): boolean =>
  document.lineCount === view.rows.length;

function editorsWithFindings(review: Review, side: 'unified' | 'proposed'): vscode.TextEditor[] {
  const editors =
    side === 'unified'
      ? editorsOf(review.previewUri)
      : vscode.window.visibleTextEditors.filter(({ document: { uri } }) => {
          const page = readPageUri(uri);
          return page
            ? page.id === review.id && page.side === 'proposed'
            : uri.toString() === review.proposedUri.toString();
        });
  const lineCount = Math.max(1, review.view.lineCounts[side]);
  return editors.filter(({ document }) => document.lineCount === lineCount);
}
