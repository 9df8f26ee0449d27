import * as vscode from 'vscode';
import { commandItem } from '../../platform/commands/registerCommands';
import { compactedBy, linesKept, restoreText, tokensSaved } from './messages';
import type { OpenReceipt } from './openReceipt';
import type { Receipt, RemovedRange, RowRange } from './receipt';

const { t } = vscode.l10n;

/** Every lens costs rendering time. Only the largest removed ranges get one; the others have keys and the hover. */
const maxLenses = 600;
const minRowsForLens = 3;

type ReceiptCommand =
  | 'splice.compact.copy'
  | 'splice.compact.saveAs'
  | 'splice.compact.undoWriteBack'
  | 'splice.compact.writeBack'
  | 'splice.compact.continueIn'
  | 'splice.compact.options';

function headerLenses({ uri, receipt, source, written }: OpenReceipt): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const label = (title: string) => new vscode.CodeLens(top, { title, command: '' });
  const lens = (title: string, command: ReceiptCommand) =>
    new vscode.CodeLens(top, commandItem(title, command, uri.toString()));
  const { totals, compaction, chat } = receipt;
  return [
    label(`$(fold) ${tokensSaved(totals)} · ${linesKept(totals)} · ${compactedBy(compaction)}`),
    ...(compaction.isOverBudget
      ? [label(`$(warning) ${t('the lines that must be kept exceed the requested share')}`)]
      : []),
    ...(receipt.pageCount > 1
      ? [
          label(`$(book) ${t('Page {0} of {1}', receipt.page + 1, receipt.pageCount)}`),
          ...(receipt.page > 0
            ? [
                new vscode.CodeLens(
                  top,
                  commandItem(t('Previous Page'), 'splice.compact.previousPage'),
                ),
              ]
            : []),
          ...(receipt.page < receipt.pageCount - 1
            ? [new vscode.CodeLens(top, commandItem(t('Next Page'), 'splice.compact.nextPage'))]
            : []),
        ]
      : []),
    lens(`$(copy) ${t('Copy')}`, 'splice.compact.copy'),
    lens(`$(save-as) ${t('Save As…')}`, 'splice.compact.saveAs'),
    ...(written
      ? [lens(`$(discard) ${t('Undo Write-Back')}`, 'splice.compact.undoWriteBack')]
      : !chat.canWrite
        ? [lens(`$(link-external) ${t('Continue In…')}`, 'splice.compact.continueIn')]
        : source.folder !== undefined
          ? [lens(`$(new-file) ${t('Write Back')}`, 'splice.compact.writeBack')]
          : []),
    lens(`$(settings) ${t('Options…')}`, 'splice.compact.options'),
  ];
}

function turnLenses(open: OpenReceipt): vscode.CodeLens[] {
  const { receipt } = open;
  const shown = receipt.turns.flatMap(turn => {
    const lines = turn.endLine - turn.firstLine;
    const kept = keptIn(receipt, turn.firstLine, turn.endLine);
    // A complete turn needs no lens, and a removed one has the lens of its removed range.
    return kept === 0 || kept === lines ? [] : [{ ...turn, lines, kept }];
  });
  return shown.slice(0, maxLenses).flatMap(({ firstRow, rowCount, lines, kept }) => {
    const at = new vscode.Range(firstRow, 0, firstRow, 0);
    return [
      new vscode.CodeLens(at, { title: t('{0} of {1} lines', kept, lines), command: '' }),
      new vscode.CodeLens(
        at,
        commandItem(
          t('Restore Turn'),
          'splice.compact.restore',
          ...rowsArgument(open, firstRow, rowCount),
        ),
      ),
    ];
  });
}

function restoreLens(open: OpenReceipt, removed: RemovedRange): vscode.CodeLens {
  const title = `$(add) ${restoreText(removed.endLine - removed.firstLine, removed.tokens)}`;
  return new vscode.CodeLens(
    new vscode.Range(removed.firstRow, 0, removed.firstRow, 0),
    commandItem(
      title,
      'splice.compact.restore',
      ...rowsArgument(open, removed.firstRow, removed.rowCount),
    ),
  );
}

function leaveOutLens(open: OpenReceipt, { firstRow, rowCount }: RowRange): vscode.CodeLens {
  const title = `$(remove) ${t('Restored: leave out again')}`;
  return new vscode.CodeLens(
    new vscode.Range(firstRow, 0, firstRow, 0),
    commandItem(title, 'splice.compact.leaveOut', ...rowsArgument(open, firstRow, rowCount)),
  );
}

/** Command arguments: the URI of the receipt, the first row and the last row. */
export function rowsArgument(
  { uri }: OpenReceipt,
  firstRow: number,
  rowCount: number,
): [string, number, number] {
  return [uri.toString(), firstRow, firstRow + rowCount - 1];
}

export function minLensRows(ranges: readonly RemovedRange[]): number {
  const sizes = ranges.map(({ rowCount }) => rowCount).sort((a, b) => b - a);
  return Math.max(minRowsForLens, (sizes[maxLenses] ?? 0) + 1);
}

export function keptIn({ kept }: Receipt, firstLine: number, endLine: number): number {
  let count = 0;
  for (let line = firstLine; line < endLine; line++) count += kept[line] ?? 0;
  return count;
}

/** All code lenses of a receipt: totals, partly kept turns, removed ranges and restored ranges. */
export function lensesOf(open: OpenReceipt): vscode.CodeLens[] {
  const { receipt } = open;
  const minRows = minLensRows(receipt.removedRanges);
  return [
    ...headerLenses(open),
    ...turnLenses(open),
    ...receipt.removedRanges
      .filter(({ rowCount }) => rowCount >= minRows)
      .map(removed => restoreLens(open, removed)),
    ...receipt.rowRanges
      .filter(({ state }) => state === 'restored')
      .slice(0, maxLenses)
      .map(rowRange => leaveOutLens(open, rowRange)),
  ];
}
