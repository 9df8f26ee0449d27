import { findKeptSpans } from '../core/keepContext';
import { lineMark, type Scan, scan } from '../core/scan/scan';
import { type Segment, type Speaker, speakerBit } from '../core/segments/segment';
import { typedCommand } from '../core/toolTexts';
import { valuesOf } from '../core/values';
import type { Chat } from '../sessions/chat';
import type { SessionLineIndex } from '../worker/sessionLineIndex';
import { LineFiller } from './fill';
import { markerShare } from './gaps';
import { isOutputPointer } from './outputPointers';
import {
  isAnyKept,
  isBareHead,
  keepHead,
  type MessageKind,
  newlyOpen,
  type SessionPart,
  type SessionParts,
  sessionParts,
  settleLines,
} from './parts';
import { pastedLines } from './pasted';
import { relevanceOf } from './relevance';

export interface SessionOptions {
  /** Share of the tokens to keep: greater than 0, at most 1. */
  readonly ratio: number;
  /** What the next message is about; '' for nothing in particular. */
  readonly query: string;
  /** Number of turns at the end that are kept whole. */
  readonly keepRecent: number;
}

/** Share of the budget that pasted text of the user may use before its lines have to compete. */
const pastedShare = 0.6;
/** Share of what is left of the budget that the words of the assistant may use. */
const proseShare = 0.7;
/** Share of what is left of the budget for lines that match the query. */
const queryShare = 0.85;
/** Share of the budget for lines that tell where the whole of a result is. */
const pointerShare = 0.1;
/** Instructions of the tool up to this size always stay: a share of the session, or tokens. */
const shortInstructions = { share: 0.02, tokens: 200 };
/** Share of the budget for longer instructions. Many tools send theirs again with each request. */
const instructionShare = 0.15;

/**
 * Chooses the lines of a session to keep: the last turns, the words of the user, what the assistant
 * said, results by value with their calls, then everything else.
 * @param forced 1 for each line that stays in any case.
 */
export function chooseSessionLines(
  chat: Chat,
  lineIndex: SessionLineIndex,
  forced: Uint8Array,
  options: SessionOptions,
): { kept: Uint8Array; isOverBudget: boolean } {
  const table = sessionParts(chat, lineIndex);
  const chooser = new LineChooser(chat, lineIndex, table, forced, options);
  return chooser.run();
}

/** The share of the tokens that is kept whatever the ratio is: the standing lines and the last turns. */
export function lowestRatio(chat: Chat, lineIndex: SessionLineIndex, keepRecent: number): number {
  const { tokens } = lineIndex;
  const table = sessionParts(chat, lineIndex);
  const kept = standingLines(chat, lineIndex);
  keepRecentTurns(chat, table, kept, keepRecent);
  settleLines(table, kept);
  return tokensOf(tokens, kept) / Math.max(1, tokensOf(tokens));
}

/** 1 for each line that stays at any ratio: what the user typed, and short instructions of the tool. */
export function standingLines(chat: Chat, lineIndex: SessionLineIndex): Uint8Array {
  const { tokens } = lineIndex;
  const table = sessionParts(chat, lineIndex);
  const lines = typedLines(chat, lineIndex);
  const most = Math.max(shortInstructions.tokens, shortInstructions.share * tokensOf(tokens));
  for (const { firstLine, endLine } of instructionsUpTo(chat, table, tokens, most)) {
    lines.fill(1, firstLine, endLine);
  }
  return lines;
}

/** Instructions of the tool, short ones first, whose sum is below a limit of tokens. */
function instructionsUpTo(
  { messages }: Chat,
  { parts }: SessionParts,
  tokens: Int32Array,
  limit: number,
): SessionPart[] {
  const own = parts.flatMap(part => {
    if (part.kind !== 'system' || messages[part.message]?.role !== 'system') return [];
    let size = 0;
    for (let line = part.firstLine; line < part.endLine; line++) size += tokens[line] ?? 0;
    return [{ part, size }];
  });
  let sum = 0;
  return own
    .toSorted((a, b) => a.size - b.size)
    .filter(({ size }) => (sum += size) <= limit)
    .map(({ part }) => part);
}

/** 1 for each line that the user typed; pasted text does not count. */
export function typedLines(chat: Chat, lineIndex: SessionLineIndex): Uint8Array {
  const table = sessionParts(chat, lineIndex);
  const typed = new Uint8Array(lineIndex.starts.length - 1);
  const isPasted = pastedLines(table, lineIndex);
  forEachLine(table, ['user'], line => {
    if (isPasted[line] === 0) typed[line] = 1;
  });
  return typed;
}

/** Tokens of all lines, or of the kept ones. */
export function tokensOf(tokens: Int32Array, kept?: Uint8Array): number {
  let sum = 0;
  for (let line = 0; line < tokens.length; line++) {
    if (!kept || kept[line] === 1) sum += tokens[line] ?? 0;
  }
  return sum;
}

function forEachLine(
  { parts }: SessionParts,
  kinds: readonly MessageKind[],
  visit: (line: number) => void,
): void {
  for (const { kind, firstLine, endLine } of parts) {
    if (!kinds.includes(kind)) continue;
    for (let line = firstLine; line < endLine; line++) visit(line);
  }
}

/**
 * 1 for each part that starts a turn: a message of the user, or a step of the assistant, which is what it
 * says and calls up to the end of the results. Some tools write a whole run, of many steps, as one message.
 */
function turnStarts({ messages }: Chat, { parts }: SessionParts): Uint8Array {
  const starts = new Uint8Array(parts.length);
  let [started, isAfterResult] = [-1, false];
  for (const [at, { kind, message }] of parts.entries()) {
    const role = messages[message]?.role;
    const isResult = kind === 'result';
    const isNext = message !== started || (role === 'assistant' && isAfterResult);
    if (!isResult && isNext && (role === 'assistant' || role === 'user')) {
      starts[at] = 1;
      started = message;
    }
    isAfterResult = isResult;
  }
  return starts;
}

function keepRecentTurns(
  chat: Chat,
  table: SessionParts,
  kept: Uint8Array,
  keepRecent: number,
): void {
  if (keepRecent <= 0) return;
  const starts = turnStarts(chat, table);
  let missing = Math.ceil(keepRecent);
  for (let at = table.parts.length - 1; at >= 0 && missing > 0; at--) {
    const part = table.parts[at];
    if (part) kept.fill(1, part.firstLine, part.endLine);
    if (starts[at] === 1) missing--;
  }
}

const speakers: Record<MessageKind, Speaker> = {
  user: speakerBit.user,
  assistant: speakerBit.assistant,
  call: speakerBit.assistant,
  thinking: speakerBit.assistant,
  result: speakerBit.tool,
  system: speakerBit.system,
};

class LineChooser {
  readonly #chat: Chat;
  readonly #lineIndex: SessionLineIndex;
  readonly #table: SessionParts;
  readonly #tokens: Int32Array;
  readonly #options: SessionOptions;
  readonly #kept: Uint8Array;
  /** 1 for each part that has kept lines. */
  readonly #isOpen: Uint8Array;
  /** Tokens of the lines that a part keeps as soon as it keeps one. */
  readonly #headTokens: Int32Array;
  #used = 0;

  constructor(
    chat: Chat,
    lineIndex: SessionLineIndex,
    table: SessionParts,
    forced: Uint8Array,
    options: SessionOptions,
  ) {
    this.#chat = chat;
    this.#lineIndex = lineIndex;
    this.#table = table;
    this.#tokens = lineIndex.tokens;
    this.#options = options;
    this.#kept = forced.slice();
    this.#isOpen = new Uint8Array(table.parts.length);
    this.#headTokens = Int32Array.from(table.parts, part => {
      let sum = 0;
      keepHead(part, table.heads, line => {
        sum += lineIndex.tokens[line] ?? 0;
      });
      return sum;
    });
  }

  get used(): number {
    return this.#used;
  }

  run(): { kept: Uint8Array; isOverBudget: boolean } {
    const { ratio, query, keepRecent } = this.#options;
    const kept = this.#kept;
    if (ratio >= 1) return { kept: kept.fill(1), isOverBudget: false };
    const budget = Math.floor(tokensOf(this.#tokens) * ratio * (1 - markerShare));
    const { text, starts } = this.#lineIndex;
    const scanned = scan(text, this.#segments(), query.trim() || this.#lastOfUser());
    if (scanned.mayHaveTags) {
      const boundaries = {
        starts: this.#lineIndex.parts.map(({ firstLine }) => starts[firstLine] ?? 0),
        areKnown: true,
      };
      findKeptSpans(text, starts, boundaries, (first, last) => kept.fill(1, first, last + 1));
    }
    keepRecentTurns(this.#chat, this.#table, kept, keepRecent);
    const standing = standingLines(this.#chat, this.#lineIndex);
    for (let line = 0; line < kept.length; line++) if (standing[line] === 1) kept[line] = 1;
    settleLines(this.#table, kept);
    this.#recount();
    this.#keepPasted(budget);
    const isOverBudget = this.#used > budget;
    if (isOverBudget) return { kept, isOverBudget };
    this.#keepPointers(scanned, Math.min(budget, this.#used + pointerShare * budget));
    this.#keepInstructions(Math.min(instructionShare * budget, budget - this.#used));
    this.#fill(scanned, budget, query);
    return { kept, isOverBudget };
  }

  #recount(): void {
    this.#used = tokensOf(this.#tokens, this.#kept);
    for (const [at, { firstLine, endLine }] of this.#table.parts.entries()) {
      this.#isOpen[at] = isAnyKept(this.#kept, firstLine, endLine) ? 1 : 0;
    }
  }

  costOf(line: number): number {
    const at = this.#table.partOfLine[line] ?? 0;
    const part = this.#table.parts[at];
    const own = this.#tokens[line] ?? 0;
    if (!part || this.#isOpen[at] === 1) return own;
    const isHead = part.isWhole || this.#table.heads[line] === 1;
    let cost = (this.#headTokens[at] ?? 0) + (isHead ? 0 : own);
    for (const other of part.needs) {
      if (other !== at && this.#isOpen[other] === 0) cost += this.#headTokens[other] ?? 0;
    }
    return cost;
  }

  keep(line: number): void {
    if (this.#kept[line] === 1) return;
    this.#open(this.#table.partOfLine[line] ?? 0);
    this.#take(line);
  }

  #open(first: number): void {
    for (const at of newlyOpen(this.#table.parts, this.#isOpen, first)) {
      const part = this.#table.parts[at];
      if (!part) continue;
      keepHead(part, this.#table.heads, line => {
        this.#take(line);
      });
    }
  }

  #take(line: number): void {
    if (this.#kept[line] === 1) return;
    this.#kept[line] = 1;
    this.#used += this.#tokens[line] ?? 0;
  }

  /** Pasted text is kept as well, unless it would take most of the budget. */
  #keepPasted(budget: number): void {
    const pasted: number[] = [];
    let size = 0;
    forEachLine(this.#table, ['user'], line => {
      if (this.#kept[line] === 1) return;
      pasted.push(line);
      size += this.#tokens[line] ?? 0;
    });
    if (this.#used + size <= pastedShare * budget) for (const line of pasted) this.keep(line);
  }

  #fill(scanned: Scan, budget: number, query: string): void {
    const { text, starts } = this.#lineIndex;
    const values = valuesOf(scanned);
    const filler = new LineFiller(scanned, values, this.#kept, this.#tokens, this);
    for (let line = 0; line < this.#kept.length; line++) {
      if (this.#kept[line] === 1) filler.count(line);
    }
    const relevance = relevanceOf(text, starts, query);
    if (relevance) {
      const limit = this.#used + queryShare * (budget - this.#used);
      this.#keepRelevant(relevance, ['user', 'assistant', 'result'], filler, limit);
    }
    const isUseful = (line: number): boolean =>
      ((scanned.marks[line] ?? 0) & lineMark.blank) === 0 &&
      values.isRepeated[line] === 0 &&
      !isBareHead(this.#table, line);
    const linesOf = (...kinds: readonly MessageKind[]): Int32Array => {
      const lines = new Int32Array(this.#kept.length);
      let count = 0;
      forEachLine(this.#table, kinds, line => {
        if (this.#kept[line] === 0 && isUseful(line)) lines[count++] = line;
      });
      return lines.subarray(0, count);
    };
    filler.fill(linesOf('assistant'), this.#used + proseShare * (budget - this.#used));
    filler.fill(linesOf('user', 'assistant', 'result'), budget);
    filler.fill(linesOf('call', 'thinking', 'system'), budget);
    this.#keepNewest(budget);
  }

  /** Without them, an output that is still on disk could not be found again. The newest first. */
  #keepPointers({ marks }: Scan, limit: number): void {
    const { text, starts } = this.#lineIndex;
    for (const { kind, firstLine, endLine } of this.#table.parts.toReversed()) {
      if (kind !== 'result') continue;
      for (let line = firstLine; line < endLine; line++) {
        if (((marks[line] ?? 0) & lineMark.output) === 0) continue;
        const isPointer = isOutputPointer(text.slice(starts[line], starts[line + 1]));
        if (isPointer && this.#used + this.costOf(line) <= limit) this.keep(line);
      }
    }
  }

  #keepInstructions(limit: number): void {
    for (const part of instructionsUpTo(this.#chat, this.#table, this.#tokens, limit)) {
      for (let line = part.firstLine; line < part.endLine; line++) this.keep(line);
    }
  }

  #keepRelevant(
    relevance: Float32Array,
    kinds: readonly MessageKind[],
    filler: LineFiller,
    limit: number,
  ): void {
    const lines: number[] = [];
    forEachLine(this.#table, kinds, line => {
      if ((relevance[line] ?? 0) > 0 && this.#kept[line] === 0) lines.push(line);
    });
    lines.sort((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0) || b - a);
    for (const line of lines) {
      if (this.#used >= limit) return;
      if (this.#kept[line] === 1 || this.#used + this.costOf(line) > limit) continue;
      this.keep(line);
      filler.count(line);
    }
  }

  /** Fills the rest with the newest lines, whatever they are. */
  #keepNewest(budget: number): void {
    for (let line = this.#kept.length - 1; line >= 0 && this.#used < budget; line--) {
      if (this.#kept[line] === 1 || isBareHead(this.#table, line)) continue;
      if (this.#used + this.costOf(line) <= budget) this.keep(line);
    }
  }

  #segments(): Segment[] {
    const { starts } = this.#lineIndex;
    const turns = turnStarts(this.#chat, this.#table);
    return this.#table.parts.map(({ kind, firstLine }, at) => ({
      start: starts[firstLine] ?? 0,
      speaker: speakers[kind],
      startsTurn: turns[at] === 1,
      hasHeader: false,
      isPinned: false,
    }));
  }

  #lastOfUser(): string {
    const part = this.#table.parts.findLast(({ kind }) => kind === 'user');
    const { text, starts } = this.#lineIndex;
    const own = part ? text.slice(starts[part.firstLine], starts[part.endLine]) : '';
    return typedCommand(own) ?? own;
  }
}
