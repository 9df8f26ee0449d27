import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import { confirm } from '../platform/confirm';
import { withProgress } from '../platform/progress';
import { abbreviateHome } from './picker';
import { partLabels } from './receipt/messages';
import type { OpenReceipt } from './receipt/openReceipt';
import { Receipt } from './receipt/receipt';
import { selectedRows } from './receipt/receiptDecisions';
import { leftOutLines } from './receipt/receiptRecords';
import type { ReceiptView } from './receipt/receiptView';
import { withUserErrors } from './runCompaction';
import { removalOf } from './session/removal';
import { isShortLine } from './sessions/chat';
import { hasChangedOnDisk, sourceOfFile, withEarlier } from './source';
import { lineCountOf, lockedLines } from './worker/sessionLineIndex';
import type { WorkerClient } from './worker/workerClient';
import { isTextOf, replaceText } from './writeBack';

const { t } = vscode.l10n;

/** Removes lines of a chat from the file of its tool, for good. */
export class LineEraser {
  readonly #worker: WorkerClient;
  readonly #view: ReceiptView;

  constructor(worker: WorkerClient, view: ReceiptView) {
    this.#worker = worker;
    this.#view = view;
  }

  /**
   * Removes lines after the user agreed: those that are selected, or else those that the user left out.
   * @param deleteIndex deletes the index of chat histories, which has the words of the lines.
   * @param isLeftOut takes those that the user left out, whatever is selected.
   */
  async remove(
    open: OpenReceipt,
    deleteIndex: () => Promise<void>,
    isLeftOut: boolean,
  ): Promise<void> {
    const { source, receipt } = open;
    const { chat, lineIndex } = receipt;
    if (source.folder === undefined || !chat.canWrite) {
      throw new UserError(
        t('{0}: lines can only be removed from the file of a session.', chat.label),
      );
    }
    if (source.file.path.endsWith('.zst')) {
      throw new UserError(
        t(
          '{0} has compressed this session, so that no line of it can be removed. Open it there once, and compact it again.',
          chat.label,
        ),
      );
    }
    const chosen = isLeftOut ? leftOutLines(receipt) : chosenLines(open);
    const { edits, lines, stuck } = removalOf(chat, lineIndex, chosen);
    if (stuck > 0) {
      throw new UserError(
        t(
          '{0} of the lines are in parts that have to stay as they are, such as a summary. Select others, or delete the session in its tool.',
          stuck,
        ),
      );
    }
    if (source.file.includesEarlier && lines.some(isShortLine)) {
      throw new UserError(
        t(
          'Some of the lines are too short to be found in the file while earlier messages are included. Leave these messages out with Change Compact Options, or keep the short lines.',
        ),
      );
    }
    if (lines.length === 0) {
      throw new UserError(t('Leave the lines out that are to be removed, or select them.'));
    }
    const name = abbreviateHome(source.file.path);
    const isAgreed = await confirm(
      lines.length === 1
        ? t('Remove 1 line from {0} for good?', name)
        : t('Remove {0} lines from {1} for good?', lines.length, name),
      t(
        'Each becomes “[removed]”, also where the session has a copy of it. Nothing can bring them back. Close the session in its tool first, because a tool that has it open may write them again. The index of chat histories is deleted, and made anew by the next search.',
      ),
      t('Remove for Good'),
      t('Keep Them'),
    );
    if (!isAgreed) return;
    if (await hasChangedOnDisk(source)) throw hasChanged(name);
    const erased = await withUserErrors(() =>
      withProgress(t('Removing lines from {0}', source.title), signal =>
        this.#worker.erase(source.file, { edits, lines }, signal),
      ),
    );
    const before = new Map(
      [source.file, ...(source.file.companions ?? [])].map(({ path, text }) => [path, text]),
    );
    for (const { path } of erased.files) {
      if (!(await isTextOf(path, before.get(path) ?? ''))) throw hasChanged(abbreviateHome(path));
    }
    // It fails where another window has it open: then nothing is removed yet.
    await deleteIndex();
    for (const { path, text } of erased.files) {
      if (!(await replaceText(path, before.get(path) ?? '', text))) {
        throw hasChanged(abbreviateHome(path));
      }
    }
    await this.#showAgain(open);
    const said = [
      lines.length === 1
        ? t('1 line is removed from {0}.', name)
        : t('{0} lines are removed from {1}.', lines.length, name),
      ...(erased.copies > 0
        ? [t('Copies of them in the session: {0}, removed too.', erased.copies)]
        : []),
      ...(open.written ? [t('The session that was written back is another file, and stays.')] : []),
      t('What the tool keeps in other places, such as its logs, is not searched.'),
    ].join(' ');
    if (erased.left === 0) void vscode.window.showInformationMessage(said);
    else {
      void vscode.window.showWarningMessage(
        `${said} ${t('Parts of them are still in the file, for instance as a name. Open it and search for them.')}`,
      );
    }
  }

  /** Shows the file as it is now, with the decisions of before. */
  async #showAgain({ uri, source, plan, receipt, written }: OpenReceipt): Promise<void> {
    const { title, file } = source;
    const read = await sourceOfFile(vscode.Uri.file(file.path), title);
    const own = withEarlier(read, file.includesEarlier === true);
    const { signal } = new AbortController();
    const opened = await withUserErrors(() => this.#worker.open(own.file, signal));
    const { chat, lineIndex } = opened;
    const isSame = lineCountOf(lineIndex) === lineCountOf(receipt.lineIndex);
    const compaction = isSame
      ? { ...receipt.compaction, locked: lockedLines(lineIndex), tokens: lineIndex.tokens }
      : await this.#worker.compact(opened, { ...plan, engine: 'local' }, signal);
    const next = new Receipt(chat, lineIndex, compaction, partLabels);
    if (isSame) next.decide(receipt.kept);
    next.showPage(receipt.page);
    this.#view.adopt({ uri, source: own, plan, receipt: next, written });
  }
}

/** 1 for each line that is selected, or else for each that the user left out. */
function chosenLines(open: OpenReceipt): Uint8Array {
  const { receipt } = open;
  const { first, last, isEmpty } = selectedRows(open);
  if (isEmpty) return leftOutLines(receipt);
  const lines = new Uint8Array(receipt.kept.length);
  for (const line of receipt.linesOfRows(first, last)) lines[line] = 1;
  return lines;
}

const hasChanged = (name: string): UserError =>
  new UserError(
    t(
      '{0} has changed since it was read. Nothing is removed from it: compact the chat again.',
      name,
    ),
  );
