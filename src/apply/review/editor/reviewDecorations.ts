import * as vscode from 'vscode';
import { pendingFindings, shortMessage } from '../model/findings';
import { wordSpans } from '../model/wordSpans';
import type { Review } from '../review';

/** Rows above and below the visible ones that get line numbers, so that scrolling shows no gap. */
const marginRows = 40;
/** Beyond the end of any line; VS Code clamps it to the end of the line. */
const maxColumn = 2 ** 30;
const noBreakSpace = '\u00a0';

/** Colours and line numbers of the preview. Decoration types are shared, never created per line. */
export class ReviewDecorations implements vscode.Disposable {
  readonly #added = lineType('inserted');
  readonly #removed = lineType('removed');
  readonly #addedWord = wordType('inserted');
  readonly #removedWord = wordType('removed');
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
  readonly #finding = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #current = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });

  dispose(): void {
    for (const type of this.#types()) type.dispose();
  }

  /** Decorates all editors that show the review; skips those whose text is not up to date yet. */
  paint(review: Review): void {
    this.#paintFindings(review);
    const editors = editorsOf(review.previewUri).filter(
      ({ document }) => document.lineCount === review.view.rows.length,
    );
    if (editors.length === 0) return;
    const added: vscode.Range[] = [];
    const removed: vscode.Range[] = [];
    const addedWords: vscode.Range[] = [];
    const removedWords: vscode.Range[] = [];
    const conflicts: vscode.Range[] = [];
    for (const place of review.view.hunks) {
      const hunk = review.hunk(place.id);
      if (!hunk) continue;
      const firstInserted = place.firstRow + place.removedRows;
      const end = firstInserted + place.insertedRows;
      if (place.removedRows > 0) removed.push(rows(place.firstRow, firstInserted));
      if (place.insertedRows > 0) added.push(rows(firstInserted, end));
      if (hunk.conflict) conflicts.push(rows(place.firstRow, end));
      const words = wordSpans(hunk.removed, hunk.inserted);
      for (const { row, start, end: stop } of words.removed) {
        removedWords.push(
          new vscode.Range(place.firstRow + row, start, place.firstRow + row, stop),
        );
      }
      for (const { row, start, end: stop } of words.inserted) {
        addedWords.push(new vscode.Range(firstInserted + row, start, firstInserted + row, stop));
      }
    }
    for (const editor of editors) {
      editor.setDecorations(this.#added, added);
      editor.setDecorations(this.#removed, removed);
      editor.setDecorations(this.#addedWord, addedWords);
      editor.setDecorations(this.#removedWord, removedWords);
      editor.setDecorations(this.#conflict, conflicts);
      this.paintNumbers(review, editor);
    }
  }

  /** Shows audit findings after the lines they concern, in the preview and in the diff. */
  #paintFindings(review: Review): void {
    for (const side of ['unified', 'proposed'] as const) {
      const uri = side === 'unified' ? review.previewUri : review.proposedUri;
      const marks = pendingFindings(review.view, review.origin.findings, side).map(
        ({ finding, line }): vscode.DecorationOptions => ({
          range: new vscode.Range(line, maxColumn, line, maxColumn),
          hoverMessage: finding.message,
          renderOptions: {
            after: {
              contentText: `${finding.severity === 'error' ? '✖' : '⚠'} ${shortMessage(finding)}`,
              color: new vscode.ThemeColor(
                finding.severity === 'error'
                  ? 'editorError.foreground'
                  : 'editorWarning.foreground',
              ),
              margin: '0 0 0 3ch',
            },
          },
        }),
      );
      for (const editor of editorsOf(uri)) {
        if (editor.document.lineCount === Math.max(1, review.view.lineCounts[side])) {
          editor.setDecorations(this.#finding, marks);
        }
      }
    }
  }

  /** Line numbers of both sides, for the visible rows only: setting them for 10,000 rows is slow. */
  paintNumbers(review: Review, editor: vscode.TextEditor): void {
    const all = review.view.rows;
    const width = String(all.length).length;
    const pad = (line: number | undefined) =>
      (line === undefined ? '' : String(line)).padStart(width, noBreakSpace);
    const numbers: vscode.DecorationOptions[] = [];
    for (const { start, end } of editor.visibleRanges) {
      const last = Math.min(all.length - 1, end.line + marginRows);
      for (let index = Math.max(0, start.line - marginRows); index <= last; index++) {
        const row = all[index];
        if (!row) continue;
        const sign = row.kind === ' ' ? noBreakSpace : row.kind === '-' ? '−' : '+';
        numbers.push({
          range: rows(index, index),
          renderOptions: {
            before: {
              contentText: [pad(row.oldLine), pad(row.newLine), sign].join(noBreakSpace),
              color: new vscode.ThemeColor('editorLineNumber.foreground'),
              margin: '0 1.5ch 0 0',
            },
          },
        });
      }
    }
    editor.setDecorations(this.#numbers, numbers);
  }

  /** Briefly highlights the change that a command went to. */
  flash(editor: vscode.TextEditor, range: vscode.Range): void {
    editor.setDecorations(this.#current, [range]);
    setTimeout(() => editor.setDecorations(this.#current, []), 600);
  }

  #types(): vscode.TextEditorDecorationType[] {
    return [
      this.#added,
      this.#removed,
      this.#addedWord,
      this.#removedWord,
      this.#conflict,
      this.#numbers,
      this.#finding,
      this.#current,
    ];
  }
}

export function editorsOf(uri: vscode.Uri): vscode.TextEditor[] {
  const text = uri.toString();
  return vscode.window.visibleTextEditors.filter(
    ({ document }) => document.uri.toString() === text,
  );
}

/** `end` is exclusive; an empty range becomes its first row. */
function rows(start: number, end: number): vscode.Range {
  return new vscode.Range(start, 0, Math.max(start, end - 1), 0);
}

// Whole lines have a background in ordinary themes and an outline in high contrast ones.
export function lineType(side: 'inserted' | 'removed'): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(`diffEditor.${side}LineBackground`),
    outlineWidth: '1px',
    outlineStyle: 'dashed',
    outlineColor: new vscode.ThemeColor(`diffEditor.${side}TextBorder`),
    // No theme sets diffEditorOverview.*; these have a default.
    overviewRulerColor: new vscode.ThemeColor(
      `editorOverviewRuler.${side === 'inserted' ? 'added' : 'deleted'}Foreground`,
    ),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function wordType(side: 'inserted' | 'removed'): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor(`diffEditor.${side}TextBackground`),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
