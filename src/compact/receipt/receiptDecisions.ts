import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { moveCursor } from '../../platform/documents/moveCursor';
import type { OpenReceipt } from './openReceipt';
import type { ReceiptView } from './receiptView';

const { t } = vscode.l10n;

/** The decisions of the user about lines of a receipt. */
export class ReceiptDecisions {
  readonly #view: ReceiptView;

  constructor(view: ReceiptView) {
    this.#view = view;
  }

  /**
   * @param uri of a receipt, given together with rows; without them, the selection or the removed range
   *   at the cursor is restored.
   */
  async restore(uri?: unknown, firstRow?: unknown, lastRow?: unknown): Promise<void> {
    const open = this.#named(uri);
    const { receipt } = open;
    const rows = rowsOf(firstRow, lastRow) ?? selectedRows(open);
    const removed = rows.isEmpty ? receipt.removedRangeAt(rows.first) : undefined;
    const { first, last } = removed
      ? { first: removed.firstRow, last: removed.firstRow + removed.rowCount - 1 }
      : rows;
    const folded = this.#view.foldedRows(open, first, last);
    if (!receipt.setLines(receipt.linesOfRows(first, last), true)) return;
    // First, while the editor still has the folds: after the change it would wait for new ones.
    await this.#view.unfold(open, folded);
    this.#view.refresh(open);
  }

  /**
   * Takes the same rows as {@link restore}. Without a selection, the restored lines around the cursor go,
   * or else the line at the cursor.
   */
  leaveOut(uri?: unknown, firstRow?: unknown, lastRow?: unknown): void {
    const open = this.#named(uri);
    const { receipt } = open;
    const rows = rowsOf(firstRow, lastRow) ?? selectedRows(open);
    const own = receipt.rowRanges.find(
      rowRange =>
        rows.isEmpty &&
        rowRange.state === 'restored' &&
        rows.first >= rowRange.firstRow &&
        rows.first < rowRange.firstRow + rowRange.rowCount,
    );
    const lines = own
      ? receipt.linesOfRows(own.firstRow, own.firstRow + own.rowCount - 1)
      : receipt.linesOfRows(rows.first, rows.last);
    if (receipt.setLines(lines, false)) {
      this.#view.refresh(open);
    } else if (lines.some(line => receipt.kept[line] === 1)) {
      throw new UserError(t('These lines cannot be left out: others that stay need them.'));
    }
  }

  undo(): void {
    const open = this.#active;
    if (open.receipt.undo()) this.#view.refresh(open);
  }

  /** Goes to the next removed range, on another page if this one has none, and around the ends. */
  async go(direction: 1 | -1): Promise<void> {
    const open = this.#active;
    const { receipt } = open;
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { page, pageCount } = receipt;
    let removed = receipt.nextRemovedRange(editor.selection.active.line, direction);
    for (let pages = 1; !removed && pages <= pageCount; pages++) {
      receipt.showPage((page + direction * pages + pages * pageCount) % pageCount);
      removed = receipt.removedRanges.at(direction === 1 ? 0 : -1);
    }
    if (!removed) throw new UserError(t('No lines are left out.'));
    await this.#view.updatePage(open);
    await moveCursor(editor, removed.firstRow);
  }

  /** Shows the next or the previous page of a large chat. */
  async turnPage(direction: 1 | -1): Promise<void> {
    const open = this.#active;
    const { receipt } = open;
    const next = receipt.page + direction;
    if (next < 0 || next >= receipt.pageCount) {
      throw new UserError(
        receipt.pageCount === 1
          ? t('All of the chat is on this page.')
          : t('This is page {0} of {1}.', receipt.page + 1, receipt.pageCount),
      );
    }
    receipt.showPage(next);
    await this.#view.updatePage(open);
    const editor = vscode.window.activeTextEditor;
    if (editor) await moveCursor(editor, direction === 1 ? 0 : receipt.rows.length - 1);
  }

  get #active(): OpenReceipt {
    return activeReceipt(this.#view);
  }

  #named(uri: unknown): OpenReceipt {
    const named = typeof uri === 'string' ? this.#view.find(vscode.Uri.parse(uri)) : undefined;
    return named ?? this.#active;
  }
}

/** @throws {UserError} where none is in front. */
export function activeReceipt({ active }: ReceiptView): OpenReceipt {
  if (!active) throw new UserError(t('Open the receipt of a compaction first.'));
  return active;
}

function rowsOf(
  first: unknown,
  last: unknown,
): { first: number; last: number; isEmpty: boolean } | undefined {
  if (typeof first !== 'number' || typeof last !== 'number') return undefined;
  return { first, last, isEmpty: false };
}

/** `isEmpty` when nothing is selected: then the rows are that of the cursor. */
export function selectedRows({ uri }: OpenReceipt): {
  first: number;
  last: number;
  isEmpty: boolean;
} {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  // The receipt may be open in two columns.
  const editor = [activeTextEditor, ...visibleTextEditors].find(
    one => one?.document.uri.toString() === uri.toString(),
  );
  const { start, end, isEmpty } = editor?.selection ?? new vscode.Selection(0, 0, 0, 0);
  // A selection that ends before the first character of a row does not include that row.
  const last = !isEmpty && end.character === 0 ? end.line - 1 : end.line;
  return { first: start.line, last: Math.max(start.line, last), isEmpty };
}
