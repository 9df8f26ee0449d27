import * as vscode from 'vscode';
import { tokensText } from '../../base/format/numbers';
import { ContextKey } from '../../platform/commands/contextKey';
import type { CommandId, Commands } from '../../platform/commands/contribute';
import { DisposableStore } from '../../platform/disposables';
import { statusPlace } from '../../platform/window/statusPlace';
import { contextKeys, receiptScheme } from '../ids';
import {
  compactEngineText,
  compactedBy,
  leftOutLinesText,
  linesKept,
  savingText,
  tokensSaved,
} from './messages';
import type { OpenReceipt } from './openReceipt';
import type { ReceiptFiles } from './receiptFiles';
import { foldsOf, isRemovedFold } from './receiptFolds';
import { receiptFolder } from './receiptLanguage';
import { keptIn, lensesOf, rowsArgument } from './receiptLenses';
import type { ReceiptMemory } from './receiptMemory';
import { RowDecorations } from './rowDecorations';

const { t } = vscode.l10n;

/** All open receipts: documents, lenses, folds, symbols, hovers, decorations and the status bar item. */
export class ReceiptView
  implements
    vscode.CodeLensProvider,
    vscode.FoldingRangeProvider,
    vscode.DocumentSymbolProvider,
    vscode.HoverProvider,
    vscode.Disposable
{
  readonly #store = new DisposableStore();
  readonly #documents: ReceiptFiles;
  readonly #memory: ReceiptMemory;
  readonly #open = new Map<string, OpenReceipt>();
  readonly #lensesChanged = this.#store.add(new vscode.EventEmitter<void>());
  readonly #foldsChanged = this.#store.add(new vscode.EventEmitter<void>());
  readonly #status = this.#store.add(
    vscode.window.createStatusBarItem('splice.receipt', vscode.StatusBarAlignment.Left, 50),
  );
  readonly #decorations = this.#store.add(new RowDecorations());
  readonly #hasReceipt = new ContextKey<boolean>(contextKeys.hasReceipt);
  readonly #canUndoWrite = new ContextKey<boolean>(contextKeys.canUndoWriteBack);
  #lastId = 0;

  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly onDidChangeFoldingRanges = this.#foldsChanged.event;

  constructor(documents: ReceiptFiles, memory: ReceiptMemory) {
    this.#documents = documents;
    this.#memory = memory;
    // Tabs of before a reload keep their addresses.
    this.#lastId = Math.max(0, ...memory.addresses.map(numberOfReceipt));
    const selector = { scheme: receiptScheme };
    const { languages, window, workspace } = vscode;
    this.#status.name = t('Splice compaction');
    for (const item of [
      languages.registerCodeLensProvider(selector, this),
      languages.registerFoldingRangeProvider(selector, this),
      languages.registerDocumentSymbolProvider(selector, this, { label: t('Turns') }),
      languages.registerHoverProvider(selector, this),
      window.onDidChangeActiveTextEditor(() => this.#showStatus()),
      window.onDidChangeVisibleTextEditors(() => this.#paintAll()),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        const receipt = this.find(textEditor.document.uri);
        if (receipt) this.#decorations.paintSummaries(receipt.receipt, textEditor);
      }),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (this.find(document.uri)) this.#paintAll();
      }),
      workspace.onDidCloseTextDocument(({ uri }) => this.#end(uri)),
    ]) {
      this.#store.add(item);
    }
  }

  find(uri: vscode.Uri | undefined): OpenReceipt | undefined {
    return uri && this.#open.get(uri.toString());
  }

  get active(): OpenReceipt | undefined {
    return this.find(vscode.window.activeTextEditor?.document.uri);
  }

  /** The receipt that was opened last among those that were written back. */
  get lastWritten(): OpenReceipt | undefined {
    return [...this.#open.values()].findLast(({ written }) => written !== undefined);
  }

  async show(
    details: Omit<OpenReceipt, 'uri'>,
    replaced?: OpenReceipt,
  ): Promise<vscode.TextEditor> {
    const { engine } = details.receipt.compaction;
    const how = t('compacted {0}', compactEngineText(engine));
    // All of a chat may be shown only to read it.
    const title =
      details.plan.ratio === 1 ? details.source.title : `${details.source.title} (${how})`;
    const name = title.replaceAll(/[\\/:*?"<>|#\p{Cc}]/gu, ' ').trim();
    const uri = vscode.Uri.from({
      scheme: receiptScheme,
      path: `/${receiptFolder}/${++this.#lastId}/${name}`,
    });
    this.adopt({ uri, ...details });
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    if (replaced) await closeTab(replaced.uri);
    this.#paintAll();
    this.#showStatus();
    return editor;
  }

  /** Makes a receipt the one of its address. */
  adopt(open: OpenReceipt): void {
    const { uri } = open;
    this.#open.set(uri.toString(), open);
    this.#hasReceipt.set(true);
    this.#memory.remember(open);
    this.#documents.serve(uri, () => open.receipt.text);
    this.#refreshAll();
  }

  /** Shows a read-only document. */
  async showText(title: string, text: string): Promise<void> {
    const path = `/${++this.#lastId}/${title}`;
    const uri = vscode.Uri.from({ scheme: receiptScheme, path });
    this.#documents.serve(uri, () => text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /**
   * Unfolds restored rows, because VS Code keeps a region folded when its range changes.
   * @param folds first rows of the folds before the change.
   */
  async unfold(open: OpenReceipt, folds: readonly number[]): Promise<void> {
    if (this.active === open && folds.length > 0) {
      await vscode.commands.executeCommand('editor.unfold', { selectionLines: folds });
    }
  }

  /** First rows of the removed ranges that are folded by default. `lastRow` is inclusive. */
  foldedRows({ receipt }: OpenReceipt, firstRow: number, lastRow: number): number[] {
    return foldsOf(receipt)
      .filter(({ start, kind }) => isRemovedFold(kind) && start >= firstRow && start <= lastRow)
      .map(({ start }) => start);
  }

  /** Updates everything shown after the user kept lines or left them out. */
  refresh(open: OpenReceipt): void {
    this.#memory.remember(open);
    this.#refreshAll();
  }

  #refreshAll(): void {
    this.#lensesChanged.fire();
    this.#foldsChanged.fire();
    this.#paintAll();
    this.#showStatus();
  }

  /** Shows the page that the receipt is at now; resolves once the editor has its text. */
  async updatePage(open: OpenReceipt): Promise<void> {
    const { uri, receipt } = open;
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.getText() !== receipt.text) {
      const listeners = new DisposableStore();
      const isShown = new Promise<void>(resolve => {
        listeners.add(
          vscode.workspace.onDidChangeTextDocument(() => {
            if (document.lineCount === receipt.rows.length) resolve();
          }),
        );
        listeners.add(
          vscode.workspace.onDidCloseTextDocument(closed => {
            if (closed === document) resolve();
          }),
        );
      });
      this.#documents.refresh([uri]);
      await isShown;
      listeners.dispose();
    }
    this.#refreshAll();
  }

  // --- providers

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const open = this.find(uri);
    return open ? lensesOf(open) : [];
  }

  provideFoldingRanges({ uri }: vscode.TextDocument): vscode.FoldingRange[] {
    const receipt = this.find(uri)?.receipt;
    return receipt ? foldsOf(receipt) : [];
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const receipt = this.find(document.uri)?.receipt;
    if (!receipt || document.lineCount !== receipt.rows.length) return [];
    return receipt.turns.map(turn => {
      const whole = new vscode.Range(turn.firstRow, 0, turn.firstRow + turn.rowCount - 1, 1000);
      const first = new vscode.Range(turn.firstRow, 0, turn.firstRow, 0);
      const kept = keptIn(receipt, turn.firstLine, turn.endLine);
      const detail = `${kept}/${turn.endLine - turn.firstLine}`;
      const kind = vscode.SymbolKind.String;
      return new vscode.DocumentSymbol(turn.title, detail, kind, whole, first);
    });
  }

  provideHover({ uri }: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
    const open = this.find(uri);
    const removed = open?.receipt.removedRangeAt(line);
    if (!open || !removed) return undefined;
    const restore = link(
      'splice.compact.restore',
      ...rowsArgument(open, removed.firstRow, removed.rowCount),
    );
    const text = new vscode.MarkdownString(
      `${leftOutLinesText(removed.endLine - removed.firstLine, removed.tokens)} · [${t('Restore')}](${restore})`,
    );
    text.isTrusted = { enabledCommands: ['splice.compact.restore' satisfies CommandId] };
    return new vscode.Hover(text);
  }

  dispose(): void {
    for (const { uri } of this.#open.values()) this.#documents.end(uri);
    statusPlace.hide('receipt');
    this.#store.dispose();
  }

  // --- decorations and status

  #paintAll(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const open = this.find(editor.document.uri);
      if (open) this.#decorations.paint(open.receipt, editor);
    }
  }

  #showStatus(): void {
    this.#canUndoWrite.set(this.lastWritten !== undefined);
    const open = this.active;
    if (!open) {
      statusPlace.hide('receipt');
      return;
    }
    const { totals, compaction } = open.receipt;
    const engine = compaction.engine === 'local' ? t('local') : t('service');
    this.#status.text = `$(fold) ${tokensText(totals.keptTokens, t)} (${savingText(totals)}) · ${engine}`;
    this.#status.tooltip = [tokensSaved(totals), linesKept(totals), compactedBy(compaction)].join(
      '\n',
    );
    this.#status.command = 'splice.compact.options' satisfies CommandId;
    this.#status.accessibilityInformation = {
      label: t('Compaction: {0}, {1}', tokensSaved(totals), compactedBy(compaction)),
    };
    statusPlace.show('receipt', this.#status);
  }

  #end(uri: vscode.Uri): void {
    const open = this.find(uri);
    this.#documents.end(uri);
    // A receipt that was written back is kept, so that the write-back can still be undone.
    if (open && !open.written) this.#open.delete(uri.toString());
    this.#hasReceipt.set(this.#open.size > 0);
    this.#memory.forget(uri);
  }
}

/** The number in the address of a receipt, or 0. */
function numberOfReceipt(address: string): number {
  return Number(/\/(\d+)\/[^/]*$/.exec(address)?.[1] ?? 0);
}

async function closeTab(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    );
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

function link<Id extends CommandId>(id: Id, ...args: Commands[Id]): string {
  return `command:${id}?${encodeURIComponent(JSON.stringify(args))}`;
}
