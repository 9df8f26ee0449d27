import * as vscode from 'vscode';
import type { Receipt } from './receipt';

// --- folds

export function foldsOf(receipt: Receipt): vscode.FoldingRange[] {
  const folds: vscode.FoldingRange[] = [];
  const ranges = receipt.removedRanges[Symbol.iterator]();
  let removed = ranges.next().value;
  for (const { firstRow, rowCount } of receipt.turns) {
    const end = firstRow + rowCount;
    let isTurnGone = false;
    // VS Code drops overlapping folds, so a removed range is cut at the end of the turn.
    while (removed && removed.firstRow < end) {
      const from = Math.max(removed.firstRow, firstRow);
      const to = Math.min(removed.firstRow + removed.rowCount, end);
      if (from === firstRow) isTurnGone = true;
      if (to - from > 1) {
        folds.push(new vscode.FoldingRange(from, to - 1, vscode.FoldingRangeKind.Imports));
      }
      if (removed.firstRow + removed.rowCount > end) break;
      removed = ranges.next().value;
    }
    if (!isTurnGone && rowCount > 1) {
      folds.push(new vscode.FoldingRange(firstRow, end - 1, vscode.FoldingRangeKind.Region));
    }
  }
  return folds;
}

export function isRemovedFold(kind: vscode.FoldingRangeKind | undefined): boolean {
  return kind === vscode.FoldingRangeKind.Imports;
}
