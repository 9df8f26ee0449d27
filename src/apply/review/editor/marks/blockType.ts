import * as vscode from 'vscode';
import { setMarks } from './setMarks';

/** `end` is exclusive; an empty range becomes its first row. */
export function rows(start: number, end: number): vscode.Range {
  return new vscode.Range(start, 0, Math.max(start, end - 1), 0);
}

/** Where a line is in its block. */
const blockParts = ['only', 'first', 'middle', 'last'] as const;
type Part = (typeof blockParts)[number];

/** Whole lines have a background in ordinary themes; high contrast ones have none, so each block of lines has a border there. */
export class BlockType implements vscode.Disposable {
  readonly #lines: vscode.TextEditorDecorationType;
  readonly #borders: Readonly<Record<Part, vscode.TextEditorDecorationType>>;

  constructor(side: 'inserted' | 'removed') {
    this.#lines = lineType(side);
    const border = (width: string) =>
      vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        borderWidth: width,
        borderStyle: 'dashed',
        borderColor: new vscode.ThemeColor(`diffEditor.${side}TextBorder`),
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      });
    this.#borders = {
      only: border('1px'),
      first: border('1px 1px 0'),
      middle: border('0 1px'),
      last: border('0 1px 1px'),
    };
  }

  show(editor: vscode.TextEditor, blocks: readonly vscode.DecorationOptions[]): void {
    setMarks(editor, this.#lines, blocks);
    const isPlain = !highContrast.has(vscode.window.activeColorTheme.kind);
    const parts: Record<Part, vscode.Range[]> = {
      only: [],
      first: [],
      middle: [],
      last: [],
    };
    for (const { range } of isPlain ? [] : blocks) {
      const [first, last] = [range.start.line, range.end.line];
      if (first === last) {
        parts.only.push(range);
        continue;
      }
      parts.first.push(rows(first, first));
      if (last - first > 1) parts.middle.push(rows(first + 1, last));
      parts.last.push(rows(last, last));
    }
    for (const part of blockParts) {
      setMarks(editor, this.#borders[part], parts[part]);
    }
  }

  dispose(): void {
    this.#lines.dispose();
    for (const type of Object.values(this.#borders)) type.dispose();
  }
}

const { HighContrast, HighContrastLight } = vscode.ColorThemeKind;
const highContrast: ReadonlySet<vscode.ColorThemeKind> = new Set([HighContrast, HighContrastLight]);

function lineType(side: 'inserted' | 'removed'): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(`diffEditor.${side}LineBackground`),
    // No theme sets diffEditorOverview.*; these have a default.
    overviewRulerColor: new vscode.ThemeColor(
      `editorOverviewRuler.${side === 'inserted' ? 'added' : 'deleted'}Foreground`,
    ),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

/** Changed words within lines. Only high contrast themes have colours for the borders. */
export function wordType(side: 'inserted' | 'removed'): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor(`diffEditor.${side}TextBackground`),
    borderWidth: '1px',
    borderStyle: 'solid',
    borderColor: new vscode.ThemeColor(`diffEditor.${side}TextBorder`),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
