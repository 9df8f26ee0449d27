import * as vscode from 'vscode';
import { leftOutLinesText } from './messages';
import type { Receipt } from './receipt';
import { minLensRows } from './receiptLenses';

/** Rows above and below the visible ones that get a summary as well. */
const marginRows = 40;

// --- decorations

/** Decorations of rows. The gutter icon and the strikethrough distinguish states without relying on color. */
export class RowDecorations implements vscode.Disposable {
  readonly #dropped = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    opacity: '0.62',
    textDecoration: 'line-through',
    ...gutter('minus'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  readonly #restored = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    // High contrast themes define no background color for inserted lines.
    borderWidth: '0 0 0 3px',
    borderStyle: 'solid',
    borderColor: new vscode.ThemeColor('editorGutter.addedBackground'),
    ...gutter('plus'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  readonly #turn = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    fontWeight: 'bold',
    borderWidth: '1px 0 0 0',
    borderStyle: 'solid',
    borderColor: new vscode.ThemeColor('editorLineNumber.foreground'),
  });
  readonly #part = vscode.window.createTextEditorDecorationType({
    fontStyle: 'italic',
    color: new vscode.ThemeColor('descriptionForeground'),
  });
  readonly #summary = vscode.window.createTextEditorDecorationType({});

  paint(receipt: Receipt, editor: vscode.TextEditor): void {
    // The editor still shows the previous text; the coming change event paints again.
    if (editor.document.lineCount !== receipt.rows.length) return;
    const dropped: vscode.Range[] = [];
    const restored: vscode.Range[] = [];
    const parts: vscode.Range[] = [];
    for (const { state, firstRow, rowCount } of receipt.rowRanges) {
      const range = new vscode.Range(firstRow, 0, firstRow + rowCount - 1, 10_000);
      if (state === 'dropped' || state === 'leftOut') dropped.push(range);
      else if (state === 'restored') restored.push(range);
      else if (state === 'part') parts.push(range);
    }
    editor.setDecorations(this.#dropped, dropped);
    editor.setDecorations(this.#restored, restored);
    editor.setDecorations(this.#part, parts);
    editor.setDecorations(
      this.#turn,
      receipt.turns
        .filter(({ firstRow }) => receipt.isRowKept(firstRow))
        .map(({ firstRow }) => new vscode.Range(firstRow, 0, firstRow, 10_000)),
    );
    this.paintSummaries(receipt, editor);
  }

  /** Shows after each visible removed range without a lens how many lines are folded in it. */
  paintSummaries(receipt: Receipt, editor: vscode.TextEditor): void {
    const summaries: vscode.DecorationOptions[] = [];
    const first = (editor.visibleRanges[0]?.start.line ?? 0) - marginRows;
    const last = (editor.visibleRanges.at(-1)?.end.line ?? 0) + marginRows;
    const minRows = minLensRows(receipt.removedRanges);
    for (const { firstRow, rowCount, firstLine, endLine, tokens } of receipt.removedRanges) {
      // Larger ranges have a lens that says the same.
      if (firstRow < first || firstRow > last || rowCount < 2 || rowCount >= minRows) continue;
      summaries.push({
        range: new vscode.Range(firstRow, 10_000, firstRow, 10_000),
        renderOptions: {
          after: {
            contentText: `\u00a0\u00a0${leftOutLinesText(endLine - firstLine, tokens)}`,
            color: new vscode.ThemeColor('descriptionForeground'),
            fontStyle: 'italic',
            margin: '0 0 0 2ch',
          },
        },
      });
    }
    editor.setDecorations(this.#summary, summaries);
  }

  dispose(): void {
    for (const type of [this.#dropped, this.#restored, this.#turn, this.#part, this.#summary]) {
      type.dispose();
    }
  }
}

function gutter(
  sign: 'minus' | 'plus',
): Pick<vscode.DecorationRenderOptions, 'light' | 'dark' | 'gutterIconSize'> {
  const icon = (color: string) => {
    const upright = sign === 'plus' ? '<path d="M8 4v8" />' : '';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g stroke="${color}" stroke-width="1.6">${upright}<path d="M4 8h8" /></g></svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
  };
  const colors = sign === 'plus' ? ['#1f7a33', '#6cd07f'] : ['#b3261e', '#ff9a91'];
  return {
    light: { gutterIconPath: icon(colors[0] ?? '') },
    dark: { gutterIconPath: icon(colors[1] ?? '') },
    gutterIconSize: 'contain',
  };
}
