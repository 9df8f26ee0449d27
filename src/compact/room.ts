import * as vscode from 'vscode';
import type { CompactedChat } from '../host/chatResults';
import type { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { withProgress } from '../host/progress';
import { settings } from '../host/settings';
import { isRecord } from '../service/guards';
import {
  type CompactClient,
  compactProved,
  compactWith,
  forUser,
  serviceHost,
  usualPlan,
  workThread,
} from './compacting';
import { type Compaction, type CompactPlan, ProofFailed } from './engine';
import { askPlan, pickFile, pickSource } from './picker';
import { Receipt } from './receipt';
import { type OpenReceipt, type ReceiptDocuments, ReceiptView } from './receiptView';
import { Saving } from './saving';
import { compactedBy, linesKept, names, tokensSaved } from './sentences';
import { keptText, type Sheet } from './sheet';
import { type ChatSource, sourceOfFile } from './source';
import type { WorkThread } from './thread';
import type { OpenedChat } from './work';

const { t } = vscode.l10n;

/** Compactions of chats that a button can still show. */
const mostCompacted = 10;
const optionsKey = 'splice.compact.options';

/** A conversation that is no file. */
export interface SpokenChat {
  readonly title: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly text: string;
  }[];
}

/** Loads with the first command. */
export function openRoom(
  host: Host,
  client: CompactClient,
  documents: ReceiptDocuments,
  store: DisposableStore,
): CompactRoom {
  const view = store.add(new ReceiptView(documents));
  return new CompactRoom(host, client, view);
}

/** What each command on chats and their receipts does. */
export class CompactRoom {
  readonly #host: Host;
  readonly #client: CompactClient;
  readonly #view: ReceiptView;
  readonly #thread: WorkThread;
  readonly #saving: Saving;
  readonly #compacted = new Map<number, Omit<OpenReceipt, 'uri'>>();
  #lastCompacted = 0;

  constructor(host: Host, client: CompactClient, view: ReceiptView) {
    this.#host = host;
    this.#client = client;
    this.#view = view;
    this.#thread = workThread(host);
    this.#saving = new Saving(host, this.#thread, view);
  }

  // --- compacting

  /** @param source a file; asked for without one. @param plan options that are not asked for. */
  async compact(source?: unknown, plan?: unknown): Promise<void> {
    const chosen = await forUser(async () =>
      source instanceof vscode.Uri ? sourceOfFile(source) : pickSource(this.#host),
    );
    if (chosen) await this.#compact(chosen, plan);
  }

  /** @param file of the explorer; asked for without one. */
  async compactFile(file?: unknown, _all?: unknown, plan?: unknown): Promise<void> {
    const chosen = await forUser(async () =>
      file instanceof vscode.Uri ? sourceOfFile(file) : pickFile(),
    );
    if (chosen) await this.#compact(chosen, plan);
  }

  /** Compacts a conversation as the settings say; on this machine without a key. */
  async compactChat(
    { title, messages }: SpokenChat,
    options: Partial<Pick<CompactPlan, 'ratio' | 'query'>>,
    signal: AbortSignal,
  ): Promise<CompactedChat> {
    const text = JSON.stringify({
      messages: messages.map(message => ({ role: message.role, content: message.text })),
    });
    const source: ChatSource = { file: { path: `${title}.json`, text }, title };
    const usual = usualPlan();
    const isServed = usual.engine === 'service' && (await this.#client.isReady());
    const plan: CompactPlan = { ...usual, engine: isServed ? 'service' : 'local', ...options };
    const opened = await forUser(() => this.#thread.open(source.file, signal));
    const compaction = await compactProved(this.#client, this.#thread, opened, plan, signal);
    const receipt = new Receipt(opened.chat, opened.sheet, compaction, names);
    const id = ++this.#lastCompacted;
    this.#compacted.set(id, { source, plan, receipt });
    this.#compacted.delete(id - mostCompacted);
    const { chat, sheet, kept, figures } = receipt;
    return {
      id,
      saved: tokensSaved(figures),
      lines: linesKept(figures),
      how: compactedBy(compaction),
      text: keptText(chat, sheet, kept, names),
    };
  }

  /** @param id of {@link compactChat}. */
  async showReceipt(id?: unknown): Promise<void> {
    await this.#view.show(this.#compactedChat(id));
  }

  #compactedChat(id: unknown): Omit<OpenReceipt, 'uri'> {
    const compacted = typeof id === 'number' ? this.#compacted.get(id) : undefined;
    if (!compacted)
      throw new UserError(t('This compaction is no longer known. Compact the chat again.'));
    return compacted;
  }

  async changeOptions(): Promise<void> {
    const open = this.#active();
    const { chat, sheet } = open.receipt;
    const plan = await this.#ask(open.source, { chat, sheet }, open.plan);
    if (plan) await this.#run(open.source, { chat, sheet }, plan, open);
  }

  async #compact(source: ChatSource, given: unknown): Promise<void> {
    const opened = await forUser(() =>
      withProgress(t('Reading {0}', source.title), signal =>
        this.#thread.open(source.file, signal),
      ),
    );
    const remembered = { ...usualPlan(), ...readOptions(this.#memory.get(optionsKey)) };
    const plan = isRecord(given)
      ? { ...usualPlan(), ...readOptions(given), ...engineOf(given) }
      : await this.#ask(source, opened, remembered);
    if (plan) await this.#run(source, opened, plan);
  }

  get #memory(): vscode.Memento {
    return this.#host.context.workspaceState;
  }

  async #ask(
    { title }: ChatSource,
    { sheet }: OpenedChat,
    plan: CompactPlan,
  ): Promise<CompactPlan | undefined> {
    const offersService = settings.compactEngine !== 'local' && (await this.#client.isReady());
    const chosen = await askPlan(title, {
      plan,
      tokens: tokensOf(sheet),
      offersService: offersService || plan.engine === 'service',
      serviceHost: serviceHost(),
    });
    if (chosen) {
      const { ratio, query, keepRecent, pins } = chosen;
      await this.#memory.update(optionsKey, { ratio, query, keepRecent, pins });
    }
    return chosen;
  }

  async #run(
    source: ChatSource,
    opened: OpenedChat,
    plan: CompactPlan,
    replaced?: OpenReceipt,
  ): Promise<void> {
    const { chat, sheet } = opened;
    let compaction: Compaction;
    try {
      compaction = await withProgress(t('Compacting {0}', source.title), signal =>
        compactWith(this.#client, this.#thread, opened, plan, signal),
      );
    } catch (error) {
      if (!(error instanceof ProofFailed)) throw error;
      this.#host.log.error('compact', error);
      await this.#showFailedProof(source, error);
      return;
    }
    const receipt = new Receipt(chat, sheet, compaction, names);
    await this.#view.show({ source, plan, receipt }, replaced);
    for (const note of [
      ...chat.notes,
      ...(chat.isCut ? [t('The file ends in the middle of a line.')] : []),
    ])
      void vscode.window.showInformationMessage(note);
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

  // --- what stays

  /** @param uri of a receipt, with rows; the selection or the run at the cursor without them. */
  async restore(uri?: unknown, firstRow?: unknown, lastRow?: unknown): Promise<void> {
    const open = this.#named(uri);
    const { receipt } = open;
    const rows = rowsOf(firstRow, lastRow) ?? selectedRows(open);
    const run = rows.isEmpty ? receipt.runAt(rows.first) : undefined;
    const { first, last } = run
      ? { first: run.firstRow, last: run.firstRow + run.rowCount - 1 }
      : rows;
    const folded = this.#view.foldedRows(open, first, last);
    if (!receipt.setLines(receipt.linesOfRows(first, last), true)) return;
    this.#view.refresh(open);
    await this.#view.unfold(open, folded);
  }

  /** The same rows as {@link restore}; without a selection, the lines at the cursor that were restored, or its line. */
  leaveOut(uri?: unknown, firstRow?: unknown, lastRow?: unknown): void {
    const open = this.#named(uri);
    const { receipt } = open;
    const rows = rowsOf(firstRow, lastRow) ?? selectedRows(open);
    const own = receipt.stretches.find(
      stretch =>
        rows.isEmpty &&
        stretch.state === 'restored' &&
        rows.first >= stretch.firstRow &&
        rows.first < stretch.firstRow + stretch.rowCount,
    );
    const lines = own
      ? receipt.linesOfRows(own.firstRow, own.firstRow + own.rowCount - 1)
      : receipt.linesOfRows(rows.first, rows.last);
    if (receipt.setLines(lines, false)) this.#view.refresh(open);
    else if (lines.every(line => receipt.stateOf(line) === 'locked'))
      throw new UserError(t('These lines cannot be left out: the tool needs them whole.'));
  }

  undo(): void {
    const open = this.#active();
    if (open.receipt.undo()) this.#view.refresh(open);
  }

  go(direction: 1 | -1): void {
    const open = this.#active();
    const editor = vscode.window.activeTextEditor;
    const run = editor && open.receipt.nextRun(editor.selection.active.line, direction);
    if (!run) throw new UserError(t('No lines are left out.'));
    const at = new vscode.Position(run.firstRow, 0);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(
      new vscode.Range(at, at),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  }

  // --- what is done with it

  /** @param id of {@link compactChat}; the receipt in front without it. */
  async copy(id?: unknown): Promise<void> {
    const { receipt } = typeof id === 'number' ? this.#compactedChat(id) : this.#active();
    const { chat, sheet, kept, figures } = receipt;
    await vscode.env.clipboard.writeText(keptText(chat, sheet, kept, names));
    void vscode.window.setStatusBarMessage(
      t('Copied {0}, {1}', linesKept(figures), tokensSaved(figures)),
      5000,
    );
  }

  async saveAs(): Promise<void> {
    await this.#saving.saveAs(this.#active());
  }

  async writeBack(): Promise<void> {
    await this.#saving.writeBack(this.#active());
  }

  async undoWriteBack(): Promise<void> {
    await this.#saving.undoWriteBack();
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

/** Rough, for the input: the compaction counts line by line. */
function tokensOf({ text }: Sheet): number {
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
  // A selection that ends before the first character of a row does not mean that row.
  const last = !isEmpty && end.character === 0 ? end.line - 1 : end.line;
  return { first: start.line, last: Math.max(start.line, last), isEmpty };
}

/** Memory and arguments may hold anything. */
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
