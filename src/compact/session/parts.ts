import { append } from '../../base/arrays';
import { isToolText } from '../core/toolTexts';
import { typedStart } from '../core/typedText';
import type { Chat, ParsedPart } from '../sessions/chat';
import type { SessionLineIndex } from '../worker/sessionLineIndex';
import { fieldLinesOf } from './fieldLines';

/** Who or what a part of a session is from. `user` are the words of a person. */
export type MessageKind = 'user' | 'assistant' | 'call' | 'result' | 'system' | 'thinking';

/** A part of a message, with what decides which of its lines may be left out. */
export interface SessionPart {
  readonly kind: MessageKind;
  readonly message: number;
  /** Index of the part in its message. */
  readonly part: number;
  /** Lines of the {@link SessionLineIndex}; `endLine` is exclusive. */
  readonly firstLine: number;
  readonly endLine: number;
  readonly isLocked: boolean;
  /** Kept or left out as a whole. */
  readonly isWhole: boolean;
  /** Parts that stay if this one does, which may be among them: the call of a result, the header of a message. */
  readonly needs: readonly number[];
}

export interface SessionParts {
  readonly parts: readonly SessionPart[];
  /** Index of the part of each line. */
  readonly partOfLine: Int32Array;
  /** 1 for each line that stays as long as its part does: of a call, or the one that tells a text of the tool. */
  readonly heads: Uint8Array;
}

/** A value of a call with more lines or characters than this can lose lines. */
const shortValue = { lines: 3, chars: 240 };
/** The first line of a longer value stays with the call, unless it is longer than this, in characters. */
const maxHeadChars = 200;

const partsOfIndex = new WeakMap<SessionLineIndex, SessionParts>();

/** The parts of a session; the same object for the same index. */
export function sessionParts(chat: Chat, lineIndex: SessionLineIndex): SessionParts {
  const parts = partsOfIndex.get(lineIndex) ?? findParts(chat, lineIndex);
  partsOfIndex.set(lineIndex, parts);
  return parts;
}

function findParts(chat: Chat, lineIndex: SessionLineIndex): SessionParts {
  const lineCount = lineIndex.starts.length - 1;
  const partOfLine = new Int32Array(lineCount);
  const heads = new Uint8Array(lineCount);
  const needs = chat.isTranscript ? headersOf(chat, lineIndex) : callsAndResults(chat, lineIndex);
  const parts = lineIndex.parts.map(
    ({ message, part, firstLine, lineCount: count, isLocked }, at) => {
      const said = chat.messages[message];
      const own = said?.parts[part];
      const endLine = firstLine + count;
      partOfLine.fill(at, firstLine, endLine);
      const kind = said && own ? messageKindOf(said.role, own) : 'system';
      if (kind === 'call') markHeads(heads, own, lineIndex, firstLine, endLine);
      // Without its first line, what the tool added would be taken for words of the user.
      else if (said?.role === 'user' && own?.type === 'text' && isToolText(own.text)) {
        heads[firstLine + linesBefore(own.text)] = 1;
      } else if (chat.isTranscript && own?.isEditable === true && own.type !== 'text') {
        // The tags of an element make it one.
        heads[firstLine] = heads[endLine - 1] = 1;
      }
      const isWhole = own?.isEditable === false && (own.fields?.length ?? 0) === 0;
      return {
        kind,
        message,
        part,
        firstLine,
        endLine,
        isLocked,
        isWhole,
        needs: needs[at] ?? [],
      };
    },
  );
  return { parts, partOfLine, heads };
}

/** Blank lines at the start of a text. */
function linesBefore(text: string): number {
  return text.slice(0, text.length - text.trimStart().length).split('\n').length - 1;
}

export function messageKindOf(
  role: Chat['messages'][number]['role'],
  part: ParsedPart,
): MessageKind {
  const { type, callId, text } = part;
  if (type === 'tool_call') return 'call';
  if (type === 'tool_result' || type === 'context') return 'result';
  if (type === 'thinking' || type === 'encrypted') return 'thinking';
  if (type !== 'text') return callId === undefined ? 'system' : 'result';
  if (role === 'assistant') return 'assistant';
  return role === 'user' && typedStart(text) < text.length ? 'user' : 'system';
}

/**
 * A result needs its call; a call needs those of its results that cannot be shortened, and other calls with the same
 * id, as the writer cannot tell whose the results are.
 */
function callsAndResults(chat: Chat, { parts }: SessionLineIndex): number[][] {
  const byCall = new Map<string, { calls: number[]; results: number[] }>();
  const pairs = parts.map(({ message, part }, at) => {
    const own = chat.messages[message]?.parts[part];
    if (own?.callId === undefined) return undefined;
    const pair = byCall.get(own.callId) ?? { calls: [], results: [] };
    byCall.set(own.callId, pair);
    const isCall = own.type === 'tool_call';
    if (isCall) pair.calls.push(at);
    else if (!own.isEditable) pair.results.push(at);
    return { pair, isCall };
  });
  for (const { calls, results } of byCall.values()) {
    // One list for all of them: there can be thousands.
    if (calls.length > 1) append(results, calls);
  }
  return pairs.map(known => (known ? (known.isCall ? known.pair.results : known.pair.calls) : []));
}

/** In a transcript, each line of a message needs the header that says whose it is. */
function headersOf(chat: Chat, { parts }: SessionLineIndex): number[][] {
  let header = -1;
  let last = -1;
  return parts.map(({ message, part }, at) => {
    if (message !== last)
      header = chat.messages[message]?.parts[part]?.isEditable === false ? at : -1;
    last = message;
    return header < 0 || header === at ? [] : [header];
  });
}

/**
 * Marks the lines that tell what a call does: short values, and the first line of each long one. At least one
 * line is marked, because a call without any cannot stay with its result.
 */
function markHeads(
  heads: Uint8Array,
  part: ParsedPart | undefined,
  { starts }: SessionLineIndex,
  firstLine: number,
  endLine: number,
): void {
  if (!part?.fields) {
    heads.fill(1, firstLine, endLine);
    return;
  }
  const charsOf = (from: number, to: number): number => (starts[to] ?? 0) - (starts[from] ?? 0);
  let shortest = firstLine;
  for (const { first, end, lineCount, isText } of fieldLinesOf(part.fields, firstLine, endLine)) {
    if (!isText || (lineCount <= shortValue.lines && charsOf(first, end) <= shortValue.chars)) {
      heads.fill(1, first, end);
    } else if (charsOf(first, first + 1) <= maxHeadChars) {
      heads[first] = 1;
    }
    if (first < end && charsOf(first, first + 1) < charsOf(shortest, shortest + 1))
      shortest = first;
  }
  if (!isAnyKept(heads, firstLine, endLine)) heads[shortest] = 1;
}

/**
 * Adds the lines that have to stay with the kept ones: the rest of parts that are whole, the heads of
 * calls, and the parts that others need. Locked lines are kept in any case.
 */
export function settleLines({ parts, heads }: SessionParts, kept: Uint8Array): void {
  const isOpen = new Uint8Array(parts.length);
  const open = (first: number): void => {
    for (const at of newlyOpen(parts, isOpen, first)) {
      const part = parts[at];
      if (!part) continue;
      keepHead(part, heads, line => {
        kept[line] = 1;
      });
    }
  };
  for (const [at, { firstLine, endLine, isLocked }] of parts.entries()) {
    if (isLocked) kept.fill(1, firstLine, endLine);
    if (isAnyKept(kept, firstLine, endLine)) open(at);
  }
}

/** Opens a part with all that it needs, and returns those that were not open. Not by recursion: there can be thousands. */
export function newlyOpen(
  parts: readonly SessionPart[],
  isOpen: Uint8Array,
  first: number,
): readonly number[] {
  const opened: number[] = [];
  const add = (at: number): void => {
    if (isOpen[at] !== 0) return;
    isOpen[at] = 1;
    opened.push(at);
  };
  add(first);
  for (const at of opened) for (const other of parts[at]?.needs ?? []) add(other);
  return opened;
}

/** Whether a line only tells what the others of its part are, such as an opening tag. It is kept for those alone. */
export function isBareHead({ parts, partOfLine, heads }: SessionParts, line: number): boolean {
  const part = parts[partOfLine[line] ?? 0];
  if (part?.kind !== 'system' || heads[line] !== 1) return false;
  return part.endLine - part.firstLine > 1;
}

/** Whether any line of a range is kept. */
export function isAnyKept(kept: Uint8Array, first: number, end: number): boolean {
  for (let line = first; line < end; line++) if (kept[line] === 1) return true;
  return false;
}

/** Visits the lines of a part that stay as soon as any of them does. */
export function keepHead(
  { firstLine, endLine, isWhole }: SessionPart,
  heads: Uint8Array,
  keep: (line: number) => void,
): void {
  for (let line = firstLine; line < endLine; line++) {
    if (isWhole || heads[line] === 1) keep(line);
  }
}
