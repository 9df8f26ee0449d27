import { lowerBound } from '../../base/sorted';
import type { Chat } from '../sessions/chat';
import type { Compaction } from '../worker/engine';
import {
  lineCountOf,
  lineOf,
  type PartLabels,
  type SessionLineIndex,
} from '../worker/sessionLineIndex';

/** One row of the document: a line of the chat, the header of a turn or part, or a gap that stands for several lines. */
export type ReceiptRow =
  | { readonly kind: 'line'; readonly line: number }
  | {
      readonly kind: 'turn' | 'part';
      readonly text: string;
      readonly firstLine: number;
      /** Exclusive. */
      readonly endLine: number;
    }
  | { readonly kind: 'gap'; readonly firstLine: number; readonly endLine: number };

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
/** Above one of these, a removed range shows only its first and last rows: VS Code opens no document above 50 MB. */
const largeView = { chars: 20_000_000, lines: 250_000 };
const rowsAroundGap = 3;

/** Which lines are kept: the choice of the compaction, with the later decisions of the user. */
export class Receipt {
  readonly chat: Chat;
  readonly lineIndex: SessionLineIndex;
  readonly compaction: Compaction;
  /** 1 for each line that is currently kept. */
  readonly kept: Uint8Array;
  readonly #names: PartLabels;
  readonly #undo: Change[] = [];
  readonly #isLarge: boolean;
  #rows: readonly ReceiptRow[] = [];
  #turns: readonly ReceiptTurn[] = [];
  #removedRanges: readonly RemovedRange[] = [];
  #rowRanges: readonly RowRange[] = [];
  #totals: ReceiptTotals;

  constructor(
    chat: Chat,
    lineIndex: SessionLineIndex,
    compaction: Compaction,
    partLabels: PartLabels,
    large = largeView,
  ) {
    this.chat = chat;
    this.lineIndex = lineIndex;
    this.compaction = compaction;
    this.kept = compaction.kept.slice();
    this.#names = partLabels;
    this.#isLarge = lineIndex.text.length > large.chars || lineCountOf(lineIndex) > large.lines;
    this.#layOut();
    this.#totals = this.#computeTotals();
  }

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
    return this.#rows.map(row => this.#rowText(row)).join('\n');
  }

  stateOf(line: number): LineState {
    const isKept = this.kept[line] === 1;
    if (this.compaction.locked[line] === 1) return 'locked';
    if (this.compaction.kept[line] === 1) return isKept ? 'kept' : 'leftOut';
    return isKept ? 'restored' : 'dropped';
  }

  isRowKept(at: number): boolean {
    const row = this.#rows[at];
    if (!row || row.kind === 'gap') return false;
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

  /** The removed range after or before a row, other than the one the row is in. Wraps around at the ends. */
  nextRemovedRange(row: number, direction: 1 | -1): RemovedRange | undefined {
    const own = this.removedRangeAt(row);
    const others = this.#removedRanges.filter(removed => removed !== own);
    if (direction === 1) return others.find(({ firstRow }) => firstRow > row) ?? others[0];
    return others.findLast(({ firstRow }) => firstRow < row) ?? others.at(-1);
  }

  /** Keeps lines or leaves them out; locked lines are skipped. Returns true when something changed. */
  setLines(lines: Iterable<number>, stays: boolean): boolean {
    const value = stays ? 1 : 0;
    const change: { line: number; before: 0 | 1 }[] = [];
    for (const line of lines) {
      const before = this.kept[line];
      if (before === undefined || before === value || this.compaction.locked[line] === 1) continue;
      change.push({ line, before: before === 1 ? 1 : 0 });
      this.kept[line] = value;
    }
    if (change.length === 0) return false;
    this.#undo.push(change);
    this.#refresh();
    return true;
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
    this.#layOut();
    this.#totals = this.#computeTotals();
  }

  #layOut(): void {
    // Rows depend on which lines are kept only in a large document, which has gaps.
    if (this.#rows.length === 0 || this.#isLarge) {
      const { rows, turns } = rowsOf(this.chat, this.lineIndex, this.#names);
      const view = this.#isLarge ? withGaps(rows, turns, this.kept) : { rows, turns };
      this.#rows = view.rows;
      this.#turns = view.turns;
    }
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
    return row.kind === 'gap' || row.kind === 'line' || !this.isRowKept(at) ? 'dropped' : row.kind;
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
    if (row.kind === 'gap') return `⋯ ${row.endLine - row.firstLine}`;
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

function rowsOf(
  chat: Chat,
  lineIndex: SessionLineIndex,
  partLabels: PartLabels,
): { rows: ReceiptRow[]; turns: ReceiptTurn[] } {
  const rows: ReceiptRow[] = [];
  const turns: ReceiptTurn[] = [];
  let next = 0;
  let line = 0;
  for (const [at, { role, parts, at: time }] of chat.messages.entries()) {
    const own: (typeof lineIndex.parts)[number][] = [];
    for (; lineIndex.parts[next]?.message === at; next++) {
      const part = lineIndex.parts[next];
      if (part) own.push(part);
    }
    const firstLine = line;
    const endLine = own.reduce((end, part) => end + part.lineCount, line);
    const firstRow = rows.length;
    const title = partLabels.turn(role, time);
    if (!chat.isTranscript) rows.push({ kind: 'turn', text: title, firstLine, endLine });
    for (const [index, part] of parts.entries()) {
      const lines = own.find(one => one.part === index);
      const name = chat.isTranscript ? undefined : partLabels.part(part);
      const end = line + (lines?.lineCount ?? 0);
      if (name !== undefined) {
        rows.push({ kind: 'part', text: name, firstLine: line, endLine: end });
      }
      for (; line < end; line++) rows.push({ kind: 'line', line });
    }
    if (rows.length > firstRow) {
      turns.push({ title, firstRow, rowCount: rows.length - firstRow, firstLine, endLine });
    }
  }
  return { rows, turns };
}

/** The same rows, with a gap in place of the middle of each long removed range. */
function withGaps(
  rows: readonly ReceiptRow[],
  turns: readonly ReceiptTurn[],
  kept: Uint8Array,
): { rows: ReceiptRow[]; turns: ReceiptTurn[] } {
  const shown: ReceiptRow[] = [];
  const newRow = new Int32Array(rows.length + 1);
  const isRemoved = (row: ReceiptRow | undefined) => row?.kind === 'line' && kept[row.line] !== 1;
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (end < rows.length && isRemoved(rows[end])) end++;
    const [first, last] = [rows[at + rowsAroundGap], rows[end - rowsAroundGap - 1]];
    if (end - at > 2 * rowsAroundGap + 1 && first?.kind === 'line' && last?.kind === 'line') {
      for (let row = at; row < end; row++) {
        newRow[row] = shown.length;
        const one = rows[row];
        if (one && (row < at + rowsAroundGap || row >= end - rowsAroundGap)) {
          shown.push(one);
        } else if (row === at + rowsAroundGap) {
          shown.push({ kind: 'gap', firstLine: first.line, endLine: last.line + 1 });
        }
      }
      at = end;
      continue;
    }
    for (const stop = Math.max(end, at + 1); at < stop; at++) {
      const row = rows[at];
      newRow[at] = shown.length;
      if (row) shown.push(row);
    }
  }
  newRow[rows.length] = shown.length;
  return {
    rows: shown,
    turns: turns.map(turn => {
      const firstRow = newRow[turn.firstRow] ?? 0;
      const end = newRow[turn.firstRow + turn.rowCount] ?? shown.length;
      return { ...turn, firstRow, rowCount: end - firstRow };
    }),
  };
}
