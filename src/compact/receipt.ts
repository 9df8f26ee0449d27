import type { Chat } from './chat';
import type { Compaction } from './engine';
import { lowerBound } from '../merge/sorted';
import { lineCountOf, lineOf, type Names, type Sheet } from './sheet';

/** One row of the document: a line of the sheet, a header that stands for lines, or lines left out of the view. */
export type Row =
  | { readonly kind: 'line'; readonly line: number }
  | {
      readonly kind: 'turn' | 'part';
      readonly text: string;
      readonly firstLine: number;
      /** Exclusive. */
      readonly endLine: number;
    }
  | { readonly kind: 'gap'; readonly firstLine: number; readonly endLine: number };

/** Of a line; `restored` and `leftOut` are the user's decisions. */
export type LineState = 'kept' | 'dropped' | 'restored' | 'leftOut' | 'locked';
export type RowState = LineState | 'turn' | 'part';

export interface Stretch {
  readonly state: RowState;
  readonly firstRow: number;
  readonly rowCount: number;
}

/** Rows in a row whose lines do not stay. */
export interface Run {
  readonly firstRow: number;
  readonly rowCount: number;
  /** Of the sheet, from `firstLine` up to and without `endLine`. */
  readonly firstLine: number;
  readonly endLine: number;
  readonly tokens: number;
}

/** The rows of one message. */
export interface Turn {
  readonly title: string;
  readonly firstRow: number;
  readonly rowCount: number;
  readonly firstLine: number;
  readonly endLine: number;
}

export interface Figures {
  readonly lines: number;
  readonly keptLines: number;
  readonly tokens: number;
  readonly keptTokens: number;
}

type Change = readonly { readonly line: number; readonly before: 0 | 1 }[];

/** Characters of a row beyond which it is cut in the view. */
const longestRow = 2000;
/** Above, runs are shown by their ends: VS Code shows no document above 50 MB. */
const largeView = { chars: 20_000_000, lines: 250_000 };
const gapEnds = 3;

/** Which lines stay: as the compaction chose, and as the user decided since. */
export class Receipt {
  readonly chat: Chat;
  readonly sheet: Sheet;
  readonly compaction: Compaction;
  /** 1 for lines that stay, now. */
  readonly kept: Uint8Array;
  readonly #names: Names;
  readonly #undo: Change[] = [];
  readonly #isLarge: boolean;
  #rows: readonly Row[] = [];
  #turns: readonly Turn[] = [];
  #runs: readonly Run[] = [];
  #stretches: readonly Stretch[] = [];
  #figures: Figures;

  constructor(chat: Chat, sheet: Sheet, compaction: Compaction, names: Names, large = largeView) {
    this.chat = chat;
    this.sheet = sheet;
    this.compaction = compaction;
    this.kept = compaction.kept.slice();
    this.#names = names;
    this.#isLarge = sheet.text.length > large.chars || lineCountOf(sheet) > large.lines;
    this.#layOut();
    this.#figures = this.#measure();
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get runs(): readonly Run[] {
    return this.#runs;
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  get figures(): Figures {
    return this.#figures;
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  /** Neighbouring rows of one state, from top to bottom. */
  get stretches(): readonly Stretch[] {
    return this.#stretches;
  }

  /** The document: one row per line, free of what an editor would break a line at. */
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
    for (let line = row.firstLine; line < row.endLine; line++)
      if (this.kept[line] === 1) return true;
    return false;
  }

  /** The lines of rows: of a header, all that it stands for. `lastRow` is inclusive. */
  linesOfRows(firstRow: number, lastRow: number): number[] {
    const lines = new Set<number>();
    for (let at = firstRow; at <= lastRow; at++) {
      const row = this.#rows[at];
      if (row?.kind === 'line') lines.add(row.line);
      else if (row) for (let line = row.firstLine; line < row.endLine; line++) lines.add(line);
    }
    return [...lines];
  }

  runAt(row: number): Run | undefined {
    const at = lowerBound(
      this.#runs.map(({ firstRow }) => firstRow),
      row + 1,
    );
    const run = this.#runs[at - 1];
    return run && row < run.firstRow + run.rowCount ? run : undefined;
  }

  /** The run to go to from a row, not counting the one that it is in; around the end. */
  nextRun(row: number, direction: 1 | -1): Run | undefined {
    const own = this.runAt(row);
    const others = this.#runs.filter(run => run !== own);
    if (direction === 1) return others.find(({ firstRow }) => firstRow > row) ?? others[0];
    return others.findLast(({ firstRow }) => firstRow < row) ?? others.at(-1);
  }

  /** True when something changed. Locked lines stay. */
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

  /** Takes the last decision back. */
  undo(): boolean {
    const change = this.#undo.pop();
    if (!change) return false;
    for (const { line, before } of change) this.kept[line] = before;
    this.#refresh();
    return true;
  }

  #refresh(): void {
    this.#layOut();
    this.#figures = this.#measure();
  }

  #layOut(): void {
    // Only a large document leaves lines out, and changes with what stays.
    if (this.#rows.length === 0 || this.#isLarge) {
      const { rows, turns } = rowsOf(this.chat, this.sheet, this.#names);
      const view = this.#isLarge ? withGaps(rows, turns, this.kept) : { rows, turns };
      this.#rows = view.rows;
      this.#turns = view.turns;
    }
    this.#runs = this.#findRuns();
    this.#stretches = this.#findStretches();
  }

  #findRuns(): Run[] {
    const runs: Run[] = [];
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
      runs.push({ firstRow, rowCount: at - firstRow + 1, firstLine, endLine, tokens: sum });
    }
    return runs;
  }

  #findStretches(): Stretch[] {
    const found: { state: RowState; firstRow: number; rowCount: number }[] = [];
    for (const [at, row] of this.#rows.entries()) {
      const state = row.kind === 'line' ? this.stateOf(row.line) : this.#stateOfHeader(row, at);
      const last = found.at(-1);
      if (last?.state === state && state !== 'turn') last.rowCount++;
      else found.push({ state, firstRow: at, rowCount: 1 });
    }
    return found;
  }

  #stateOfHeader(row: Row, at: number): RowState {
    return row.kind === 'gap' || row.kind === 'line' || !this.isRowKept(at) ? 'dropped' : row.kind;
  }

  #measure(): Figures {
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

  #rowText(row: Row): string {
    if (row.kind === 'gap') return `⋯ ${row.endLine - row.firstLine}`;
    if (row.kind !== 'line') return row.text;
    const line = lineOf(this.sheet, row.line).replace(/\r?\n$/, '');
    const shown =
      line.length > longestRow
        ? `${line.slice(0, longestRow)}… (+${line.length - longestRow})`
        : line;
    // A lone return would be a row of its own; NUL and half characters do not travel.
    return /[\0\r\ud800-\udfff]/.test(shown)
      ? shown
          .replaceAll('\r', '␍')
          .replaceAll('\0', '␀')
          .replaceAll(/\p{Surrogate}/gu, '�')
      : shown;
  }
}

function rowsOf(chat: Chat, sheet: Sheet, names: Names): { rows: Row[]; turns: Turn[] } {
  const rows: Row[] = [];
  const turns: Turn[] = [];
  let next = 0;
  let line = 0;
  for (const [at, { role, parts, at: time }] of chat.messages.entries()) {
    const own: (typeof sheet.parts)[number][] = [];
    for (; sheet.parts[next]?.message === at; next++) {
      const part = sheet.parts[next];
      if (part) own.push(part);
    }
    const firstLine = line;
    const endLine = own.reduce((end, part) => end + part.lineCount, line);
    const firstRow = rows.length;
    const title = names.turn(role, time);
    if (!chat.isTranscript) rows.push({ kind: 'turn', text: title, firstLine, endLine });
    for (const [index, part] of parts.entries()) {
      const lines = own.find(one => one.part === index);
      const name = chat.isTranscript ? undefined : names.part(part);
      const end = line + (lines?.lineCount ?? 0);
      if (name !== undefined)
        rows.push({ kind: 'part', text: name, firstLine: line, endLine: end });
      for (; line < end; line++) rows.push({ kind: 'line', line });
    }
    if (rows.length > firstRow)
      turns.push({ title, firstRow, rowCount: rows.length - firstRow, firstLine, endLine });
  }
  return { rows, turns };
}

/** The same with the middle of long runs as one row each. */
function withGaps(
  rows: readonly Row[],
  turns: readonly Turn[],
  kept: Uint8Array,
): { rows: Row[]; turns: Turn[] } {
  const shown: Row[] = [];
  const newRow = new Int32Array(rows.length + 1);
  const isGone = (row: Row | undefined) => row?.kind === 'line' && kept[row.line] !== 1;
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (end < rows.length && isGone(rows[end])) end++;
    const [first, last] = [rows[at + gapEnds], rows[end - gapEnds - 1]];
    if (end - at > 2 * gapEnds + 1 && first?.kind === 'line' && last?.kind === 'line') {
      for (let row = at; row < end; row++) {
        newRow[row] = shown.length;
        const one = rows[row];
        if (one && (row < at + gapEnds || row >= end - gapEnds)) shown.push(one);
        else if (row === at + gapEnds)
          shown.push({ kind: 'gap', firstLine: first.line, endLine: last.line + 1 });
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
