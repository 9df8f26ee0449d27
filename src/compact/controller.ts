import * as vscode from 'vscode';
import { translated } from '../base/sentence';
import { isRecord } from '../base/typeGuards';
import { UserError } from '../base/userError';
import type { CompactedChat } from '../contracts/chatResults';
import type { DisposableStore } from '../platform/disposables';
import { moveCursor } from '../platform/documents/moveCursor';
import type { Host } from '../platform/host';
import { withProgress } from '../platform/progress';
import { settings } from '../platform/settings';
import { LineEraser } from './lineEraser';
import { pickSource } from './picker';
import { askPlan } from './planPicker';
import { recallableLines } from './recall/recallableLines';
import {
  chatNotes,
  compactedBy,
  earlierLeftOutText,
  linesKept,
  partLabels,
  tokensSaved,
} from './receipt/messages';
import type { OpenReceipt } from './receipt/openReceipt';
import { Receipt } from './receipt/receipt';
import { receiptAfter } from './receipt/receiptAfter';
import { activeReceipt, ReceiptDecisions } from './receipt/receiptDecisions';
import type { ReceiptFiles } from './receipt/receiptFiles';
import { isUnchanged, ReceiptMemory } from './receipt/receiptMemory';
import { linesOfPairs } from './receipt/receiptRecords';
import { ReceiptView } from './receipt/receiptView';
import {
  askedEngine,
  type CompactClient,
  compactWithUserErrors,
  createWorkerClient,
  defaultPlan,
  type PlannedCompaction,
  readOptions,
  runCompaction,
  serviceHost,
  usualEngine,
  withUserErrors,
} from './runCompaction';
import { lowestRatio } from './session/compactSession';
import { keptText } from './session/keptText';
import { SessionSaver } from './sessionSaver';
import { type ChatSource, sourceOfFile, withEarlier } from './source';
import { type Compaction, type CompactPlan, ProofFailed } from './worker/engine';
import { lineCountOf, lockedLines } from './worker/sessionLineIndex';
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
  documents: ReceiptFiles,
  store: DisposableStore,
): CompactController {
  const memory = new ReceiptMemory(host.context.workspaceState);
  const view = store.add(new ReceiptView(documents, memory));
  return new CompactController(host, client, view, memory);
}

/** Implements the commands on chat histories and their receipts. */
export class CompactController {
  readonly #host: Host;
  readonly #client: CompactClient;
  readonly #view: ReceiptView;
  readonly #receipts: ReceiptMemory;
  readonly #worker: WorkerClient;
  readonly #saver: SessionSaver;
  readonly #eraser: LineEraser;
  readonly lines: ReceiptDecisions;
  readonly #compacted = new Map<number, Omit<OpenReceipt, 'uri'>>();
  #lastCompacted = 0;

  constructor(host: Host, client: CompactClient, view: ReceiptView, memory: ReceiptMemory) {
    this.#receipts = memory;
    this.#host = host;
    this.#client = client;
    this.#view = view;
    this.#worker = createWorkerClient(host);
    this.lines = new ReceiptDecisions(view);
    this.#saver = new SessionSaver(host, this.#worker, view);
    this.#eraser = new LineEraser(this.#worker, view);
  }

  // --- compacting

  /**
   * @param source a file; without one, the user is asked.
   * @param plan options; with them, the user is not asked for any. The Explorer passes all selected files there.
   */
  async compact(source?: unknown, plan?: unknown): Promise<void> {
    const chosen = await withUserErrors(async () =>
      source instanceof vscode.Uri ? sourceOfFile(source) : pickSource(this.#host),
    );
    if (!chosen) return;
    await this.#compact(chosen, await this.#open(chosen), Array.isArray(plan) ? undefined : plan);
  }

  /** Asks for the options, with one more text whose lines are kept. */
  async compactWithPin(source: ChatSource, pin: string): Promise<void> {
    let [chosen, opened] = [source, await this.#open(source)];
    const { earlier, messages } = opened.chat;
    const isSent = messages.some(({ parts }) => parts.some(({ text }) => text.includes(pin)));
    if (earlier === 'left out' && !isSent) {
      chosen = withEarlier(source, true);
      opened = await this.#open(chosen);
    }
    await this.#compact(chosen, opened, undefined, [pin]);
  }

  /** Shows all of a chat, also its earlier messages, with the cursor at a line of it. */
  async showAt(
    found: ChatSource,
    place: { readonly message: number; readonly part: number; readonly line: number },
  ): Promise<void> {
    const open = async (signal: AbortSignal): Promise<Omit<OpenReceipt, 'uri'>> => {
      const opened = await this.#worker.open(withEarlier(found, true).file, signal);
      const source = withEarlier(found, opened.chat.earlier === 'included');
      const plan: CompactPlan = { ...defaultPlan(), engine: 'local', ratio: 1 };
      const compaction = await this.#worker.compact(opened, plan, signal);
      const receipt = new Receipt(opened.chat, opened.lineIndex, compaction, partLabels);
      return { source, plan, receipt };
    };
    const shown = await withUserErrors(() => withProgress(t('Reading {0}', found.title), open));
    const { receipt } = shown;
    const { lineIndex } = receipt;
    const part = lineIndex.parts.find(
      each => each.message === place.message && each.part === place.part,
    );
    const line = (part?.firstLine ?? 0) + place.line;
    receipt.showPage(receipt.pageOf(line));
    const editor = await this.#view.show(shown);
    const row = receipt.rows.findIndex(each => each.kind === 'line' && each.line === line);
    if (row >= 0) await moveCursor(editor, row);
  }

  /**
   * The text of a receipt whose tab was open before a reload, with the decisions of then.
   * @returns undefined when nothing is known of it; a sentence when the chat is another one by now.
   */
  async reopen(uri: vscode.Uri): Promise<string | undefined> {
    const record = this.#receipts.get(uri);
    if (!record) return undefined;
    const ended = t('The chat has changed since. Run "Splice: Compact Chat History…" again.');
    if (!(await isUnchanged(record))) return ended;
    const read = await sourceOfFile(vscode.Uri.file(record.file), record.title);
    const source = withEarlier(read, record.includesEarlier === true);
    const { signal } = new AbortController();
    const { chat, lineIndex } = await this.#worker.open(source.file, signal);
    if (lineCountOf(lineIndex) !== record.lines) return ended;
    const { engine, isOverBudget, lines, plan } = record;
    const compaction: Compaction = {
      kept: linesOfPairs(record.kept, lines),
      locked: lockedLines(lineIndex),
      tokens: lineIndex.tokens,
      engine,
      ms: 0,
      isOverBudget,
    };
    const receipt = new Receipt(chat, lineIndex, compaction, partLabels);
    receipt.decide(linesOfPairs(record.left, lines));
    this.#view.adopt({ uri, source, plan, receipt });
    return receipt.text;
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
    const engine = await usualEngine(this.#client);
    const plan: CompactPlan = { ...defaultPlan(), engine, ...options };
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
    const { chat, lineIndex, totals } = receipt;
    return {
      id,
      saved: tokensSaved(totals),
      lines: linesKept(totals),
      how: compactedBy(compaction),
      text: keptText(chat, lineIndex, receipt.keptLines(false), partLabels),
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
    const asked = await this.#ask(open.source, { chat, lineIndex }, open.plan);
    if (asked) await this.#compactAndShow(asked.source, asked.opened, asked.plan, open);
  }

  async #compact(
    source: ChatSource,
    opened: OpenedChat,
    given: unknown,
    pins: readonly string[] = [],
  ): Promise<void> {
    const options = { ...defaultPlan(), ...readOptions(this.#memory.get(optionsKey)) };
    const remembered = { ...options, pins: [...new Set([...options.pins, ...pins])] };
    const asked = isRecord(given)
      ? { source, opened, plan: { ...defaultPlan(), ...readOptions(given), ...askedEngine(given) } }
      : await this.#ask(source, opened, remembered);
    if (asked) await this.#compactAndShow(asked.source, asked.opened, asked.plan);
  }

  async #open(source: ChatSource): Promise<OpenedChat> {
    return withUserErrors(() =>
      withProgress(t('Reading {0}', source.title), signal =>
        this.#worker.open(source.file, signal),
      ),
    );
  }

  get #memory(): vscode.Memento {
    return this.#host.context.workspaceState;
  }

  /** Asks for the options, and reads the chat again where earlier messages are to be included or left out. */
  async #ask(
    source: ChatSource,
    opened: OpenedChat,
    plan: CompactPlan,
  ): Promise<PlannedCompaction | undefined> {
    const offersService = settings.compactEngine !== 'local' && (await this.#client.isReady());
    const { chat, lineIndex } = opened;
    const isIncluded = chat.earlier === 'included';
    const chosen = await askPlan(source.title, {
      plan,
      tokens: lineIndex.tokens.reduce((sum, count) => sum + count, 0),
      lowestRatio: turns => lowestRatio(chat, lineIndex, turns),
      ...(chat.earlier === 'none' ? {} : { includesEarlier: isIncluded }),
      tool: chat.label,
      offersService: offersService || plan.engine === 'service',
      serviceHost: serviceHost(),
    });
    if (!chosen) return undefined;
    if (chosen.switchesEarlier) {
      const other = withEarlier(source, !isIncluded);
      return this.#ask(other, await this.#open(other), chosen.plan);
    }
    const { ratio, query, keepRecent, pins } = chosen.plan;
    await this.#memory.update(optionsKey, { ratio, query, keepRecent, pins });
    return { source, opened, plan: chosen.plan };
  }

  async #compactAndShow(
    source: ChatSource,
    opened: OpenedChat,
    plan: CompactPlan,
    replaced?: OpenReceipt,
  ): Promise<void> {
    const { chat } = opened;
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
    const receipt = receiptAfter(replaced?.receipt, opened, compaction, partLabels);
    const editor = await this.#view.show({ source, plan, receipt }, replaced);
    for (const note of chatNotes(chat)) void vscode.window.showInformationMessage(note);
    const shown = this.#view.find(editor.document.uri);
    if (chat.earlier === 'left out' && shown) {
      const offered = this.#offerEarlier(shown);
      void offered.catch(async (error: unknown) => this.#host.report('compact', error));
    }
  }

  async #offerEarlier(shown: OpenReceipt): Promise<void> {
    const { source, plan, receipt } = shown;
    const include = t('Include Them');
    const said = earlierLeftOutText(receipt.chat.label);
    if ((await vscode.window.showInformationMessage(said, include)) !== include) return;
    const whole = withEarlier(source, true);
    const opened = await this.#open(whole);
    // The service would get more than was agreed to.
    const asked =
      plan.engine === 'service'
        ? await this.#ask(whole, opened, plan)
        : { source: whole, opened, plan };
    if (asked) await this.#compactAndShow(asked.source, asked.opened, asked.plan, shown);
  }

  async #showFailedProof(
    { title }: ChatSource,
    { line, reason, excerpt }: ProofFailed,
  ): Promise<void> {
    const show = t('Show the Line');
    const said = t(
      'The service did not keep the lines as they are: line {0} {1}. Its answer is not used, and nothing is written.',
      line,
      translated(reason, t),
    );
    const picked = await vscode.window.showErrorMessage(said, show);
    if (picked !== show) return;
    await this.#view.showText(
      t('Refused answer for {0}', title),
      `${said.replaceAll('. ', '.\n')}\n\n${excerpt}\n`,
    );
  }

  // --- copying and saving

  /** @param id from {@link compactChat}; without it, the active receipt is copied. */
  async copy(id?: unknown): Promise<void> {
    const { receipt, source } = typeof id === 'number' ? this.#compactedChat(id) : this.#active();
    const { chat, lineIndex, totals } = receipt;
    const left = await recallableLines(this.#host, source, receipt);
    await vscode.env.clipboard.writeText(keptText(chat, lineIndex, left, partLabels));
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

  async continueIn(): Promise<void> {
    await this.#saver.continueIn(this.#active());
  }

  /**
   * @param deleteIndex see {@link LineEraser.remove}.
   * @param uri of a receipt; without it, the active one is meant.
   * @param which `leftOut` for the lines that were left out, whatever is selected.
   */
  async removeFromFile(
    deleteIndex: () => Promise<void>,
    uri?: unknown,
    which?: unknown,
  ): Promise<void> {
    const named = typeof uri === 'string' ? this.#view.find(vscode.Uri.parse(uri)) : undefined;
    await this.#eraser.remove(named ?? this.#active(), deleteIndex, which === 'leftOut');
  }

  async undoWriteBack(): Promise<void> {
    await this.#saver.undoWriteBack();
  }

  #active(): OpenReceipt {
    return activeReceipt(this.#view);
  }
}
