import * as vscode from 'vscode';
import { ContextKey } from '../host/contextKey';
import { DisposableStore } from '../host/disposables';
import { shortNumber } from '../host/figures';
import { ids } from '../manifest';
import type { CompactPlan } from './engine';
import type { Receipt, Run, Stretch } from './receipt';
import { receiptFolder } from './receiptLanguage';
import {
  compactedBy,
  engineText,
  leftOutText,
  linesKept,
  restoreText,
  savingText,
  tokensSaved,
} from './sentences';
import type { ChatSource } from './source';
import type { WrittenSession } from './writeBack';

const { command } = ids;
const { t } = vscode.l10n;

/** Lenses are drawn one by one: the largest runs get theirs, all others have the keys and the hover. */
const mostLenses = 600;
const leastRunWithLens = 3;
/** Rows beyond the visible ones that get a note. */
const marginRows = 40;

/** A compaction that is shown. */
export interface OpenReceipt {
  readonly uri: vscode.Uri;
  readonly source: ChatSource;
  readonly plan: CompactPlan;
  readonly receipt: Receipt;
  written?: WrittenSession | undefined;
}

/** The texts of virtual documents, served since activation. */
export interface ReceiptDocuments {
  serve(uri: vscode.Uri, text: () => string): void;
  refresh(uri: vscode.Uri): void;
  end(uri: vscode.Uri): void;
}

/** All receipts that are open: as documents, and all that stands in and around them. */
export class ReceiptView
  implements
    vscode.CodeLensProvider,
    vscode.FoldingRangeProvider,
    vscode.DocumentSymbolProvider,
    vscode.HoverProvider,
    vscode.Disposable
{
  readonly #store = new DisposableStore();
  readonly #documents: ReceiptDocuments;
  readonly #open = new Map<string, OpenReceipt>();
  readonly #lensesChanged = this.#store.add(new vscode.EventEmitter<void>());
  readonly #foldsChanged = this.#store.add(new vscode.EventEmitter<void>());
  readonly #status = this.#store.add(
    vscode.window.createStatusBarItem('splice.receipt', vscode.StatusBarAlignment.Left, 50),
  );
  readonly #marks = this.#store.add(new Marks());
  readonly #canUndoWrite = new ContextKey<boolean>(ids.contextKey.canUndoWriteBack);
  #lastId = 0;

  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly onDidChangeFoldingRanges = this.#foldsChanged.event;

  constructor(documents: ReceiptDocuments) {
    this.#documents = documents;
    const selector = { scheme: ids.receiptScheme };
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
        if (receipt) this.#marks.paintNotes(receipt.receipt, textEditor);
      }),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (this.find(document.uri)) this.#paintAll();
      }),
      workspace.onDidCloseTextDocument(({ uri }) => this.#end(uri)),
    ])
      this.#store.add(item);
  }

  find(uri: vscode.Uri | undefined): OpenReceipt | undefined {
    return uri && this.#open.get(uri.toString());
  }

  get active(): OpenReceipt | undefined {
    return this.find(vscode.window.activeTextEditor?.document.uri);
  }

  /** The one whose write-back came last. */
  get lastWritten(): OpenReceipt | undefined {
    return [...this.#open.values()].findLast(({ written }) => written !== undefined);
  }

  async show(
    details: Omit<OpenReceipt, 'uri'>,
    replaced?: OpenReceipt,
  ): Promise<vscode.TextEditor> {
    const { engine } = details.receipt.compaction;
    const title = `${details.source.title} (${t('compacted {0}', engineText(engine))})`;
    const name = title.replaceAll(/[\\/:*?"<>|#\p{Cc}]/gu, ' ').trim();
    const uri = vscode.Uri.from({
      scheme: ids.receiptScheme,
      path: `/${receiptFolder}/${++this.#lastId}/${name}`,
    });
    const open: OpenReceipt = { uri, ...details };
    this.#open.set(uri.toString(), open);
    this.#documents.serve(uri, () => open.receipt.text);
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    if (replaced) await closeTab(replaced.uri);
    this.#paintAll();
    this.#showStatus();
    return editor;
  }

  /** A read-only text that explains something. */
  async showText(title: string, text: string): Promise<void> {
    const path = `/${++this.#lastId}/${title}`;
    const uri = vscode.Uri.from({ scheme: ids.receiptScheme, path });
    this.#documents.serve(uri, () => text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Shows the rows whose lines stay now; VS Code leaves closed what was closed. @param folds of before. */
  async unfold(open: OpenReceipt, folds: readonly number[]): Promise<void> {
    if (this.active === open && folds.length > 0)
      await vscode.commands.executeCommand('editor.unfold', { selectionLines: folds });
  }

  /** The first rows of the runs that are folded by themselves. `lastRow` is inclusive. */
  foldedRows({ receipt }: OpenReceipt, firstRow: number, lastRow: number): number[] {
    return foldsOf(receipt)
      .filter(({ start, kind }) => isRunFold(kind) && start >= firstRow && start <= lastRow)
      .map(({ start }) => start);
  }

  /** After a change of what stays. */
  refresh({ uri, receipt }: OpenReceipt): void {
    const shown = vscode.workspace.textDocuments.find(
      document => document.uri.toString() === uri.toString(),
    );
    if (shown && shown.lineCount !== receipt.rows.length) this.#documents.refresh(uri);
    this.#lensesChanged.fire();
    this.#foldsChanged.fire();
    this.#paintAll();
    this.#showStatus();
  }

  // --- what VS Code asks

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const open = this.find(uri);
    if (!open) return [];
    const { receipt } = open;
    const least = leastLensRows(receipt.runs);
    return [
      ...headerLenses(open),
      ...turnLenses(open),
      ...receipt.runs.filter(({ rowCount }) => rowCount >= least).map(run => runLens(open, run)),
      ...receipt.stretches
        .filter(({ state }) => state === 'restored')
        .slice(0, mostLenses)
        .map(stretch => againLens(open, stretch)),
    ];
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
    const run = open?.receipt.runAt(line);
    if (!open || !run) return undefined;
    const restore = link(command.restoreLines, ...rowsArgument(open, run.firstRow, run.rowCount));
    const text = new vscode.MarkdownString(
      `${leftOutText(run.endLine - run.firstLine, run.tokens)} · [${t('Restore')}](${restore})`,
    );
    text.isTrusted = { enabledCommands: [command.restoreLines] };
    return new vscode.Hover(text);
  }

  dispose(): void {
    for (const { uri } of this.#open.values()) this.#documents.end(uri);
    this.#store.dispose();
  }

  // --- around the document

  #paintAll(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const open = this.find(editor.document.uri);
      if (open) this.#marks.paint(open.receipt, editor);
    }
  }

  #showStatus(): void {
    this.#canUndoWrite.set(this.lastWritten !== undefined);
    const open = this.active;
    if (!open) {
      this.#status.hide();
      return;
    }
    const { figures, compaction } = open.receipt;
    const engine = compaction.engine === 'local' ? t('local') : t('service');
    this.#status.text = `$(fold) ${t('{0} tokens', shortNumber(figures.keptTokens))} (${savingText(figures)}) · ${engine}`;
    this.#status.tooltip = [tokensSaved(figures), linesKept(figures), compactedBy(compaction)].join(
      '\n',
    );
    this.#status.command = command.compactOptions;
    this.#status.accessibilityInformation = {
      label: t('Compaction: {0}, {1}', tokensSaved(figures), compactedBy(compaction)),
    };
    this.#status.show();
  }

  #end(uri: vscode.Uri): void {
    const open = this.find(uri);
    this.#documents.end(uri);
    // What was written can still be undone.
    if (open && !open.written) this.#open.delete(uri.toString());
  }
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

// --- folds

function foldsOf(receipt: Receipt): vscode.FoldingRange[] {
  const folds: vscode.FoldingRange[] = [];
  const runs = receipt.runs[Symbol.iterator]();
  let run = runs.next().value;
  for (const { firstRow, rowCount } of receipt.turns) {
    const end = firstRow + rowCount;
    let isTurnGone = false;
    // VS Code drops folds that overlap, so a run ends with its turn.
    while (run && run.firstRow < end) {
      const from = Math.max(run.firstRow, firstRow);
      const to = Math.min(run.firstRow + run.rowCount, end);
      if (from === firstRow) isTurnGone = true;
      if (to - from > 1)
        folds.push(new vscode.FoldingRange(from, to - 1, vscode.FoldingRangeKind.Imports));
      if (run.firstRow + run.rowCount > end) break;
      run = runs.next().value;
    }
    if (!isTurnGone && rowCount > 1)
      folds.push(new vscode.FoldingRange(firstRow, end - 1, vscode.FoldingRangeKind.Region));
  }
  return folds;
}

function isRunFold(kind: vscode.FoldingRangeKind | undefined): boolean {
  return kind === vscode.FoldingRangeKind.Imports;
}

// --- lenses

function headerLenses({ uri, receipt, source, written }: OpenReceipt): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, id = '') =>
    new vscode.CodeLens(top, { title, command: id, arguments: id === '' ? [] : [uri.toString()] });
  const { figures, compaction, chat } = receipt;
  return [
    lens(`$(fold) ${tokensSaved(figures)} · ${linesKept(figures)} · ${compactedBy(compaction)}`),
    ...(compaction.isOverBudget
      ? [lens(`$(warning) ${t('what must stay is more than asked for')}`)]
      : []),
    lens(`$(copy) ${t('Copy')}`, command.copyCompacted),
    lens(`$(save-as) ${t('Save As…')}`, command.saveCompacted),
    ...(written
      ? [lens(`$(discard) ${t('Undo Write-Back')}`, command.undoWriteBack)]
      : chat.canWrite && source.folder !== undefined
        ? [lens(`$(new-file) ${t('Write Back')}`, command.writeBack)]
        : []),
    lens(`$(settings) ${t('Options…')}`, command.compactOptions),
  ];
}

function turnLenses(open: OpenReceipt): vscode.CodeLens[] {
  const { receipt } = open;
  const shown = receipt.turns.flatMap(turn => {
    const lines = turn.endLine - turn.firstLine;
    const kept = keptIn(receipt, turn.firstLine, turn.endLine);
    // Nothing to say of a turn that is whole, and a run says it of one that is gone.
    return kept === 0 || kept === lines ? [] : [{ ...turn, lines, kept }];
  });
  return shown.slice(0, mostLenses).flatMap(({ firstRow, rowCount, lines, kept }) => {
    const at = new vscode.Range(firstRow, 0, firstRow, 0);
    return [
      new vscode.CodeLens(at, { title: t('{0} of {1} lines', kept, lines), command: '' }),
      new vscode.CodeLens(at, {
        title: t('Restore Turn'),
        command: command.restoreLines,
        arguments: rowsArgument(open, firstRow, rowCount),
      }),
    ];
  });
}

function runLens(open: OpenReceipt, run: Run): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(run.firstRow, 0, run.firstRow, 0), {
    title: `$(add) ${restoreText(run.endLine - run.firstLine, run.tokens)}`,
    command: command.restoreLines,
    arguments: rowsArgument(open, run.firstRow, run.rowCount),
  });
}

function againLens(open: OpenReceipt, { firstRow, rowCount }: Stretch): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(firstRow, 0, firstRow, 0), {
    title: `$(remove) ${t('Restored: leave out again')}`,
    command: command.leaveOutLines,
    arguments: rowsArgument(open, firstRow, rowCount),
  });
}

/** The address, the first row and the last. */
function rowsArgument(
  { uri }: OpenReceipt,
  firstRow: number,
  rowCount: number,
): [string, number, number] {
  return [uri.toString(), firstRow, firstRow + rowCount - 1];
}

function leastLensRows(runs: readonly Run[]): number {
  const sizes = runs.map(({ rowCount }) => rowCount).sort((a, b) => b - a);
  return Math.max(leastRunWithLens, (sizes[mostLenses] ?? 0) + 1);
}

function keptIn({ kept }: Receipt, firstLine: number, endLine: number): number {
  let count = 0;
  for (let line = firstLine; line < endLine; line++) count += kept[line] ?? 0;
  return count;
}

function link(id: string, ...args: unknown[]): string {
  return `command:${id}?${encodeURIComponent(JSON.stringify(args))}`;
}

// --- decorations

/** What rows look like; a sign in the margin and a line through tell them apart without colours. */
class Marks implements vscode.Disposable {
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
    // High contrast themes have no background for it.
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
  readonly #note = vscode.window.createTextEditorDecorationType({});

  paint(receipt: Receipt, editor: vscode.TextEditor): void {
    // The text of before the last change is still shown; its change paints again.
    if (editor.document.lineCount !== receipt.rows.length) return;
    const dropped: vscode.Range[] = [];
    const restored: vscode.Range[] = [];
    const parts: vscode.Range[] = [];
    for (const { state, firstRow, rowCount } of receipt.stretches) {
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
    this.paintNotes(receipt, editor);
  }

  /** How many lines are folded below a row that has no lens, for the visible ones only. */
  paintNotes(receipt: Receipt, editor: vscode.TextEditor): void {
    const notes: vscode.DecorationOptions[] = [];
    const first = (editor.visibleRanges[0]?.start.line ?? 0) - marginRows;
    const last = (editor.visibleRanges.at(-1)?.end.line ?? 0) + marginRows;
    const least = leastLensRows(receipt.runs);
    for (const { firstRow, rowCount, firstLine, endLine, tokens } of receipt.runs) {
      // A lens says it above the larger ones.
      if (firstRow < first || firstRow > last || rowCount < 2 || rowCount >= least) continue;
      notes.push({
        range: new vscode.Range(firstRow, 10_000, firstRow, 10_000),
        renderOptions: {
          after: {
            contentText: `\u00a0\u00a0${leftOutText(endLine - firstLine, tokens)}`,
            color: new vscode.ThemeColor('descriptionForeground'),
            fontStyle: 'italic',
            margin: '0 0 0 2ch',
          },
        },
      });
    }
    editor.setDecorations(this.#note, notes);
  }

  dispose(): void {
    for (const type of [this.#dropped, this.#restored, this.#turn, this.#part, this.#note])
      type.dispose();
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
