import * as vscode from 'vscode';
import { isRecord } from '../base/typeGuards';
import { UserError } from '../base/userError';
import type { CompactedChat } from '../contracts/chatResults';
import type { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { withProgress } from '../platform/progress';
import { settings } from '../platform/settings';
import { askPlan, pickFile, pickSource } from './picker';
import { compactedBy, linesKept, partLabels, tokensSaved } from './receipt/messages';
import type { OpenReceipt } from './receipt/openReceipt';
import { Receipt } from './receipt/receipt';
import { type ReceiptDocuments, ReceiptView } from './receipt/receiptView';
import {
  type CompactClient,
  compactWithUserErrors,
  createWorkerClient,
  defaultPlan,
  runCompaction,
  serviceHost,
  withUserErrors,
} from './runCompaction';
import { SessionSaver } from './sessionSaver';
import { type ChatSource, sourceOfFile } from './source';
import { type Compaction, type CompactPlan, ProofFailed } from './worker/engine';
import { keptText, type SessionLineIndex } from './worker/sessionLineIndex';
import type { WorkerClient } from './worker/workerClient';
import type { OpenedChat } from './worker/workerTasks';

const { t } = vscode.l10n;

/** Compactions whose receipt a button in a chat can still open. */
const maxRememberedCompactions = 10;
const optionsKey = 'splice.compact.options';

/** A conversation that was not read from a file. */
export interface ConversationToCompact {
  readonly title: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly text: string;
  }[];
}

export function createCompactController(
  host: Host,
  client: CompactClient,
  documents: ReceiptDocuments,
  store: DisposableStore,
): CompactController {
  const view = store.add(new ReceiptView(documents));
  return new CompactController(host, client, view);
}

/** Implements the commands on chat histories and their receipts. */
export class CompactController {
  readonly #host: Host;
  readonly #client: CompactClient;
  readonly #view: ReceiptView;
  readonly #worker: WorkerClient;
  readonly #saver: SessionSaver;
  readonly #compacted = new Map<number, Omit<OpenReceipt, 'uri'>>();
  #lastCompacted = 0;

  constructor(host: Host, client: CompactClient, view: ReceiptView) {
    this.#host = host;
    this.#client = client;
    this.#view = view;
    this.#worker = createWorkerClient(host);
    this.#saver = new SessionSaver(host, this.#worker, view);
  }

  // --- compacting

  /**
   * @param source a file; without one, the user is asked.
   * @param plan options; with them, the user is not asked for any.
   */
  async compact(source?: unknown, plan?: unknown): Promise<void> {
    const chosen = await withUserErrors(async () =>
      source instanceof vscode.Uri ? sourceOfFile(source) : pickSource(this.#host),
    );
    if (chosen) await this.#compact(chosen, plan);
  }

  /** @param file selected in the explorer; without one, the user is asked. */
  async compactFile(file?: unknown, _all?: unknown, plan?: unknown): Promise<void> {
    const chosen = await withUserErrors(async () =>
      file instanceof vscode.Uri ? sourceOfFile(file) : pickFile(),
    );
    if (chosen) await this.#compact(chosen, plan);
  }

  /** Compacts a conversation with the engine of the settings, or on this machine when no API key is set. */
  async compactChat(
    { title, messages }: ConversationToCompact,
    options: Partial<Pick<CompactPlan, 'ratio' | 'query'>>,
    signal: AbortSignal,
  ): Promise<CompactedChat> {
    const text = JSON.stringify({
      messages: messages.map(message => ({ role: message.role, content: message.text })),
    });
    const source: ChatSource = { file: { path: `${title}.json`, text }, title };
    const defaults = defaultPlan();
    const isServed = defaults.engine === 'service' && (await this.#client.isReady());
    const plan: CompactPlan = { ...defaults, engine: isServed ? 'service' : 'local', ...options };
    const opened = await withUserErrors(() => this.#worker.open(source.file, signal));
    const compaction = await compactWithUserErrors(
      this.#client,
      this.#worker,
      opened,
      plan,
      signal,
    );
    const receipt = new Receipt(opened.chat, opened.lineIndex, compaction, partLabels);
    const id = ++this.#lastCompacted;
    this.#compacted.set(id, { source, plan, receipt });
    this.#compacted.delete(id - maxRememberedCompactions);
    const { chat, lineIndex, kept, totals } = receipt;
    return {
      id,
      saved: tokensSaved(totals),
      lines: linesKept(totals),
      how: compactedBy(compaction),
      text: keptText(chat, lineIndex, kept, partLabels),
    };
  }

  /** @param id from {@link compactChat}. */
  async showReceipt(id?: unknown): Promise<void> {
    await this.#view.show(this.#compactedChat(id));
  }

  #compactedChat(id: unknown): Omit<OpenReceipt, 'uri'> {
    const compacted = typeof id === 'number' ? this.#compacted.get(id) : undefined;
    if (!compacted) {
      throw new UserError(t('This compaction is no longer available. Compact the chat again.'));
    }
    return compacted;
  }

  async changeOptions(): Promise<void> {
    const open = this.#active();
    const { chat, lineIndex } = open.receipt;
    const plan = await this.#ask(open.source, { chat, lineIndex }, open.plan);
    if (plan) await this.#compactAndShow(open.source, { chat, lineIndex }, plan, open);
  }

  async #compact(source: ChatSource, given: unknown): Promise<void> {
    const opened = await withUserErrors(() =>
      withProgress(t('Reading {0}', source.title), signal =>
        this.#worker.open(source.file, signal),
      ),
    );
    const remembered = { ...defaultPlan(), ...readOptions(this.#memory.get(optionsKey)) };
    const plan = isRecord(given)
      ? { ...defaultPlan(), ...readOptions(given), ...engineOf(given) }
      : await this.#ask(source, opened, remembered);
    if (plan) await this.#compactAndShow(source, opened, plan);
  }

  get #memory(): vscode.Memento {
    return this.#host.context.workspaceState;
  }

  async #ask(
    { title }: ChatSource,
    { lineIndex }: OpenedChat,
    plan: CompactPlan,
  ): Promise<CompactPlan | undefined> {
    const offersService = settings.compactEngine !== 'local' && (await this.#client.isReady());
    const chosen = await askPlan(title, {
      plan,
      tokens: estimatedTokens(lineIndex),
      offersService: offersService || plan.engine === 'service',
      serviceHost: serviceHost(),
    });
    if (chosen) {
      const { ratio, query, keepRecent, pins } = chosen;
      await this.#memory.update(optionsKey, { ratio, query, keepRecent, pins });
    }
    return chosen;
  }

  async #compactAndShow(
    source: ChatSource,
    opened: OpenedChat,
    plan: CompactPlan,
    replaced?: OpenReceipt,
  ): Promise<void> {
    const { chat, lineIndex } = opened;
    let compaction: Compaction;
    try {
      compaction = await withProgress(t('Compacting {0}', source.title), signal =>
        runCompaction(this.#client, this.#worker, opened, plan, signal),
      );
    } catch (error) {
      if (!(error instanceof ProofFailed)) throw error;
      this.#host.log.error('compact', error);
      await this.#showFailedProof(source, error);
      return;
    }
    const receipt = new Receipt(chat, lineIndex, compaction, partLabels);
    await this.#view.show({ source, plan, receipt }, replaced);
    for (const note of [
      ...chat.notes,
      ...(chat.isCut ? [t('The file ends in the middle of a line.')] : []),
    ]) {
      void vscode.window.showInformationMessage(note);
    }
  }

  async #showFailedProof(
    { title }: ChatSource,
    { line, reason, excerpt }: ProofFailed,
  ): Promise<void> {
    const show = t('Show the Line');
    const said = t(
      'The service did not keep the lines as they are: line {0} {1}. Its answer is not used, and nothing is written.',
      line,
      reason,
    );
    const picked = await vscode.window.showErrorMessage(said, show);
    if (picked !== show) return;
    await this.#view.showText(
      t('Refused answer for {0}', title),
      `${said.replaceAll('. ', '.\n')}\n\n${excerpt}\n`,
    );
  }

  // --- decisions about lines

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
    this.#view.refresh(open);
    await this.#view.unfold(open, folded);
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
    } else if (lines.every(line => receipt.stateOf(line) === 'locked')) {
      throw new UserError(t('These lines cannot be left out: the tool needs them whole.'));
    }
  }

  undo(): void {
    const open = this.#active();
    if (open.receipt.undo()) this.#view.refresh(open);
  }

  go(direction: 1 | -1): void {
    const open = this.#active();
    const editor = vscode.window.activeTextEditor;
    const removed =
      editor && open.receipt.nextRemovedRange(editor.selection.active.line, direction);
    if (!removed) throw new UserError(t('No lines are left out.'));
    const at = new vscode.Position(removed.firstRow, 0);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(
      new vscode.Range(at, at),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  }

  // --- copying and saving

  /** @param id from {@link compactChat}; without it, the active receipt is copied. */
  async copy(id?: unknown): Promise<void> {
    const { receipt } = typeof id === 'number' ? this.#compactedChat(id) : this.#active();
    const { chat, lineIndex, kept, totals } = receipt;
    await vscode.env.clipboard.writeText(keptText(chat, lineIndex, kept, partLabels));
    void vscode.window.setStatusBarMessage(
      t('Copied {0}, {1}', linesKept(totals), tokensSaved(totals)),
      5000,
    );
  }

  async saveAs(): Promise<void> {
    await this.#saver.saveAs(this.#active());
  }

  async writeBack(): Promise<void> {
    await this.#saver.writeBack(this.#active());
  }

  async undoWriteBack(): Promise<void> {
    await this.#saver.undoWriteBack();
  }

  #active(): OpenReceipt {
    const { active } = this.#view;
    if (!active) throw new UserError(t('Open the receipt of a compaction first.'));
    return active;
  }

  #named(uri: unknown): OpenReceipt {
    const named = typeof uri === 'string' ? this.#view.find(vscode.Uri.parse(uri)) : undefined;
    return named ?? this.#active();
  }
}

/** A rough estimate for the options input. The compaction itself counts line by line. */
function estimatedTokens({ text }: SessionLineIndex): number {
  return text.length / 4;
}

function rowsOf(
  first: unknown,
  last: unknown,
): { first: number; last: number; isEmpty: boolean } | undefined {
  if (typeof first !== 'number' || typeof last !== 'number') return undefined;
  return { first, last, isEmpty: false };
}

function selectedRows({ uri }: OpenReceipt): { first: number; last: number; isEmpty: boolean } {
  const editor = vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  const { start, end, isEmpty } = editor?.selection ?? new vscode.Selection(0, 0, 0, 0);
  // A selection that ends before the first character of a row does not include that row.
  const last = !isEmpty && end.character === 0 ? end.line - 1 : end.line;
  return { first: start.line, last: Math.max(start.line, last), isEmpty };
}

/** Reads options from storage or command arguments, which may hold anything. */
function readOptions(value: unknown): Partial<CompactPlan> {
  if (!isRecord(value)) return {};
  const { ratio, query, keepRecent, pins } = value;
  return {
    ...(typeof ratio === 'number' && ratio > 0 && ratio <= 1 ? { ratio } : {}),
    ...(typeof query === 'string' ? { query } : {}),
    ...(Number.isInteger(keepRecent) && Number(keepRecent) >= 0
      ? { keepRecent: Number(keepRecent) }
      : {}),
    ...(Array.isArray(pins)
      ? { pins: pins.filter((pin): pin is string => typeof pin === 'string') }
      : {}),
  };
}

function engineOf({ engine }: Record<string, unknown>): Partial<CompactPlan> {
  return engine === 'local' || engine === 'service' ? { engine } : {};
}
