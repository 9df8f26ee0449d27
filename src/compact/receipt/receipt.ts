import { lowerBound } from '../../base/sorted';
import { completeLines, type KeptLines, type PartLabels } from '../session/keptText';
import { sessionParts, settleLines } from '../session/parts';
import type { Chat } from '../sessions/chat';
import type { Compaction } from '../worker/engine';
import { lineCountOf, lineOf, type SessionLineIndex } from '../worker/sessionLineIndex';

/** One row of the document: a line of the chat, or the header of a turn or part. */
export type ReceiptRow =
  | { readonly kind: 'line'; readonly line: number }
  | {
      readonly kind: 'turn' | 'part';
      readonly text: string;
      readonly firstLine: number;
      /** Exclusive. */
      readonly endLine: number;
    };

/** The state of a line. `restored` and `leftOut` are decisions of the user. */
export type LineState = 'kept' | 'dropped' | 'restored' | 'leftOut' | 'locked';
export type RowState = LineState | 'turn' | 'part';

export interface RowRange {
  readonly state: RowState;
  readonly firstRow: number;
  readonly rowCount: number;
}

/** Consecutive rows whose lines are left out. */
export interface RemovedRange {
  readonly firstRow: number;
  readonly rowCount: number;
  /** 0-based line of the {@link SessionLineIndex}; `endLine` is exclusive. */
  readonly firstLine: number;
  readonly endLine: number;
  readonly tokens: number;
}

/** The rows of one message. */
export interface ReceiptTurn {
  readonly title: string;
  readonly firstRow: number;
  readonly rowCount: number;
  readonly firstLine: number;
  readonly endLine: number;
}

export interface ReceiptTotals {
  readonly lines: number;
  readonly keptLines: number;
  readonly tokens: number;
  readonly keptTokens: number;
}

type Change = readonly { readonly line: number; readonly before: 0 | 1 }[];

/** Longer rows are truncated in the view, in characters. */
const maxRowChars = 2000;
/**
 * A page has no more than this: above its own limits, VS Code has no lenses and folds for a document, and what is
 * done to one page should take no longer in a larger chat.
 */
const maxPage = { chars: 5_000_000, lines: 50_000 };

/** Which lines are kept: the choice of the compaction, with the later decisions of the user. */
export class Receipt {
  readonly chat: Chat;
  readonly lineIndex: SessionLineIndex;
  readonly compaction: Compaction;
  /** 1 for each line that is currently kept. */
  readonly kept: Uint8Array;
  readonly #names: PartLabels;
  readonly #undo: Change[] = [];
  /** The first line of each page, and the end of the last one. */
  readonly #pages: readonly number[];
  #page = 0;
  #rows: readonly ReceiptRow[] = [];
  /** The text of the page, once it is asked for. */
  #text: string | undefined;
  #turns: readonly ReceiptTurn[] = [];
  #removedRanges: readonly RemovedRange[] = [];
  #rowRanges: readonly RowRange[] = [];
  #totals: ReceiptTotals;

  constructor(
    chat: Chat,
    lineIndex: SessionLineIndex,
    compaction: Compaction,
    partLabels: PartLabels,
    limits = maxPage,
  ) {
    this.chat = chat;
    this.lineIndex = lineIndex;
    this.compaction = compaction;
    this.kept = compaction.kept.slice();
    this.#names = partLabels;
    this.#pages = pagesOf(lineIndex, limits);
    this.#layOut();
    this.#totals = this.#computeTotals();
  }

  /** From 0. */
  get page(): number {
    return this.#page;
  }

  get pageCount(): number {
    return this.#pages.length - 1;
  }

  /** The page that has a line. */
  pageOf(line: number): number {
    return Math.min(this.pageCount, lowerBound(this.#pages, line + 1)) - 1;
  }

  /** Makes another page the one that rows, turns and ranges are of. */
  showPage(page: number): void {
    this.#page = Math.min(Math.max(page, 0), this.pageCount - 1);
    this.#layOut();
  }

  /** The rows of the page. */
  get rows(): readonly ReceiptRow[] {
    return this.#rows;
  }

  get removedRanges(): readonly RemovedRange[] {
    return this.#removedRanges;
  }

  get turns(): readonly ReceiptTurn[] {
    return this.#turns;
  }

  get totals(): ReceiptTotals {
    return this.#totals;
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  /** Consecutive rows with the same state, from top to bottom. */
  get rowRanges(): readonly RowRange[] {
    return this.#rowRanges;
  }

  /** The text of the document: one row per line, without characters at which an editor would break the line. */
  get text(): string {
    // VS Code asks for the size first, and then for the text.
    this.#text ??= this.#rows.map(row => this.#rowText(row)).join('\n');
    return this.#text;
  }

  /**
   * What is left: the kept lines, those that have to stay with them, and markers for the others.
   * @param canRecall whether the chat will be there to recall lines from.
   */
  keptLines(canRecall: boolean): KeptLines {
    return completeLines(this.chat, this.lineIndex, this.kept, canRecall);
  }

  stateOf(line: number): LineState {
    const isKept = this.kept[line] === 1;
    if (this.compaction.locked[line] === 1) return 'locked';
    if (this.compaction.kept[line] === 1) return isKept ? 'kept' : 'leftOut';
    return isKept ? 'restored' : 'dropped';
  }

  isRowKept(at: number): boolean {
    const row = this.#rows[at];
    if (!row) return false;
    if (row.kind === 'line') return this.kept[row.line] === 1;
    if (row.firstLine === row.endLine) return true;
    for (let line = row.firstLine; line < row.endLine; line++) {
      if (this.kept[line] === 1) return true;
    }
    return false;
  }

  /** The lines of the given rows; a header contributes all of its lines. `lastRow` is inclusive. */
  linesOfRows(firstRow: number, lastRow: number): number[] {
    const lines = new Set<number>();
    for (let at = firstRow; at <= lastRow; at++) {
      const row = this.#rows[at];
      if (row?.kind === 'line') lines.add(row.line);
      else if (row) for (let line = row.firstLine; line < row.endLine; line++) lines.add(line);
    }
    return [...lines];
  }

  removedRangeAt(row: number): RemovedRange | undefined {
    const at = lowerBound(
      this.#removedRanges.map(({ firstRow }) => firstRow),
      row + 1,
    );
    const removed = this.#removedRanges[at - 1];
    return removed && row < removed.firstRow + removed.rowCount ? removed : undefined;
  }

  /** The removed range of the page after or before a row, other than the one the row is in. */
  nextRemovedRange(row: number, direction: 1 | -1): RemovedRange | undefined {
    const own = this.removedRangeAt(row);
    const others = this.#removedRanges.filter(removed => removed !== own);
    return direction === 1
      ? others.find(({ firstRow }) => firstRow > row)
      : others.findLast(({ firstRow }) => firstRow < row);
  }

  /**
   * Keeps lines or leaves them out; locked lines are skipped. Lines that others need stay with them, such
   * as the call of a result. Returns true when something changed.
   */
  setLines(lines: Iterable<number>, stays: boolean): boolean {
    const before = this.kept.slice();
    for (const line of lines) {
      if (line < before.length && this.compaction.locked[line] !== 1)
        this.kept[line] = stays ? 1 : 0;
    }
    settleLines(sessionParts(this.chat, this.lineIndex), this.kept);
    const change: { line: number; before: 0 | 1 }[] = [];
    for (let line = 0; line < before.length; line++) {
      if (before[line] !== this.kept[line])
        change.push({ line, before: before[line] === 1 ? 1 : 0 });
    }
    if (change.length === 0) return false;
    this.#undo.push(change);
    this.#refresh();
    return true;
  }

  /** Takes decisions of before: 1 for each line that stays. */
  decide(left: Uint8Array): void {
    this.kept.set(left);
    this.#refresh();
  }

  /** Reverts the last decision of the user. */
  undo(): boolean {
    const change = this.#undo.pop();
    if (!change) return false;
    for (const { line, before } of change) this.kept[line] = before;
    this.#refresh();
    return true;
  }

  #refresh(): void {
    this.#findRanges();
    this.#totals = this.#computeTotals();
  }

  #layOut(): void {
    const [from = 0, to = 0] = this.#pages.slice(this.#page);
    const { rows, turns } = rowsOf(this.chat, this.lineIndex, this.#names, { from, to });
    this.#rows = rows;
    this.#text = undefined;
    this.#turns = turns;
    this.#findRanges();
  }

  #findRanges(): void {
    this.#removedRanges = this.#findRemovedRanges();
    this.#rowRanges = this.#findRowRanges();
  }

  #findRemovedRanges(): RemovedRange[] {
    const removed: RemovedRange[] = [];
    const { tokens } = this.compaction;
    for (let at = 0; at < this.#rows.length; at++) {
      if (this.isRowKept(at)) continue;
      const firstRow = at;
      while (at + 1 < this.#rows.length && !this.isRowKept(at + 1)) at++;
      const [first, last] = [this.#rows[firstRow], this.#rows[at]];
      if (!first || !last) continue;
      const firstLine = first.kind === 'line' ? first.line : first.firstLine;
      const endLine = last.kind === 'line' ? last.line + 1 : last.endLine;
      let sum = 0;
      for (let line = firstLine; line < endLine; line++) sum += tokens[line] ?? 0;
      removed.push({ firstRow, rowCount: at - firstRow + 1, firstLine, endLine, tokens: sum });
    }
    return removed;
  }

  #findRowRanges(): RowRange[] {
    const found: { state: RowState; firstRow: number; rowCount: number }[] = [];
    for (const [at, row] of this.#rows.entries()) {
      const state = row.kind === 'line' ? this.stateOf(row.line) : this.#stateOfHeader(row, at);
      const last = found.at(-1);
      if (last?.state === state && state !== 'turn') last.rowCount++;
      else found.push({ state, firstRow: at, rowCount: 1 });
    }
    return found;
  }

  #stateOfHeader(row: ReceiptRow, at: number): RowState {
    return row.kind === 'line' || !this.isRowKept(at) ? 'dropped' : row.kind;
  }

  #computeTotals(): ReceiptTotals {
    const { tokens } = this.compaction;
    let [keptLines, all, keptTokens] = [0, 0, 0];
    for (let line = 0; line < this.kept.length; line++) {
      const count = tokens[line] ?? 0;
      all += count;
      if (this.kept[line] !== 1) continue;
      keptLines++;
      keptTokens += count;
    }
    return { lines: this.kept.length, keptLines, tokens: all, keptTokens };
  }

  #rowText(row: ReceiptRow): string {
    if (row.kind !== 'line') return row.text;
    const line = lineOf(this.lineIndex, row.line).replace(/\r?\n$/, '');
    const shown =
      line.length > maxRowChars
        ? `${line.slice(0, maxRowChars)}… (+${line.length - maxRowChars})`
        : line;
    // An editor would break the row at a lone CR; NUL and lone surrogates cannot be shown.
    return /[\0\r\ud800-\udfff]/.test(shown)
      ? shown
          .replaceAll('\r', '␍')
          .replaceAll('\0', '␀')
          .replaceAll(/\p{Surrogate}/gu, '�')
      : shown;
  }
}

/** Pages of whole parts, but for a part that alone is more than a page. */
function pagesOf(
  { parts, starts }: SessionLineIndex,
  { chars, lines }: { readonly chars: number; readonly lines: number },
): number[] {
  const pages = [0];
  let first = 0;
  const isFull = (end: number): boolean =>
    end - first > lines || (starts[end] ?? 0) - (starts[first] ?? 0) > chars;
  const begin = (line: number): void => {
    first = line;
    pages.push(line);
  };
  for (const { firstLine, lineCount } of parts) {
    const end = firstLine + lineCount;
    if (!isFull(end)) continue;
    if (firstLine > first) begin(firstLine);
    for (let line = firstLine + 1; line < end; line++) if (isFull(line + 1)) begin(line);
  }
  return [...pages, starts.length - 1];
}

/** The rows for the lines from `from` to before `to`. A turn that begins or goes on elsewhere has its header there too. */
function rowsOf(
  chat: Chat,
  lineIndex: SessionLineIndex,
  partLabels: PartLabels,
  { from, to }: { readonly from: number; readonly to: number },
): { rows: ReceiptRow[]; turns: ReceiptTurn[] } {
  const rows: ReceiptRow[] = [];
  const turns: ReceiptTurn[] = [];
  const isLast = to === lineCountOf(lineIndex);
  // What has no lines stands where it would have them.
  const isShown = (first: number, end: number): boolean =>
    first === end ? first >= from && (first < to || isLast) : first < to && end > from;
  let next = 0;
  let line = 0;
  for (const [at, { role, parts, at: time }] of chat.messages.entries()) {
    const counts = new Map<number, number>();
    const firstLine = line;
    let endLine = line;
    for (let own = lineIndex.parts[next]; own?.message === at; own = lineIndex.parts[++next]) {
      counts.set(own.part, own.lineCount);
      endLine += own.lineCount;
    }
    line = endLine;
    if (!isShown(firstLine, endLine)) continue;
    const firstRow = rows.length;
    const title = partLabels.turn(role, time);
    if (!chat.isTranscript) rows.push({ kind: 'turn', text: title, firstLine, endLine });
    let start = firstLine;
    for (const [index, part] of parts.entries()) {
      const end = start + (counts.get(index) ?? 0);
      const name = chat.isTranscript ? undefined : partLabels.part(part);
      if (name !== undefined && isShown(start, end)) {
        rows.push({ kind: 'part', text: name, firstLine: start, endLine: end });
      }
      const last = Math.min(end, to);
      for (let own = Math.max(start, from); own < last; own++)
        rows.push({ kind: 'line', line: own });
      start = end;
    }
    if (rows.length > firstRow) {
      turns.push({ title, firstRow, rowCount: rows.length - firstRow, firstLine, endLine });
    }
  }
  return { rows, turns };
}
