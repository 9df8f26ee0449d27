import { estimateTokensOf } from '../../service';
import { type LineRange, lineStartsOf } from '../core/ranges';
import type { Chat, ParsedPart } from '../sessions/chat';
import type { Unfinished } from '../sessions/history';

/** The lines of one part of a message. */
interface PartLines {
  readonly message: number;
  /** Index of the part in its message. */
  readonly part: number;
  /** 0-based line of the index. */
  readonly firstLine: number;
  readonly lineCount: number;
  /** Has to stay whole: a summary that replaces earlier messages, or a part that its format cannot remove. */
  readonly isLocked: boolean;
}

/** All lines of a chat, part after part. A line end is added to a part that has none at its end. */
export interface SessionLineIndex {
  readonly text: string;
  /** Offset of each line, and of the end of the text. */
  readonly starts: Int32Array;
  /** Estimated tokens of each line. */
  readonly tokens: Int32Array;
  /** In order, without parts that have no text. */
  readonly parts: readonly PartLines[];
}

/** Indexes the lines of a chat, part after part. */
export function indexLines({ messages, isTranscript }: Chat): SessionLineIndex {
  const texts: string[] = [];
  for (const { parts } of messages) {
    for (const { text } of parts) {
      if (text === '') continue;
      texts.push(text);
      if (!text.endsWith('\n')) texts.push('\n');
    }
  }
  const text = texts.join('');
  const starts = lineStartsOf(text);
  const parts: PartLines[] = [];
  let line = 0;
  for (const [message, { parts: own }] of messages.entries()) {
    for (const [part, { text: whole, isEditable, isRemovable, isPinned }] of own.entries()) {
      if (whole === '') continue;
      const firstLine = line;
      // The line end that was added is not in the length.
      const end = (starts[firstLine] ?? 0) + whole.length;
      while (line < starts.length - 1 && (starts[line] ?? 0) < end) line++;
      const isLocked = !isTranscript && (isPinned === true || (!isEditable && !isRemovable));
      parts.push({ message, part, firstLine, lineCount: line - firstLine, isLocked });
    }
  }
  return { text, starts, tokens: estimateTokensOf(text, starts), parts };
}

/** Makes the texts of the parts slices of the text of their index, so that they are in memory once. */
export function shareTexts({ messages }: Chat, { text, starts, parts }: SessionLineIndex): void {
  for (const { message, part, firstLine } of parts) {
    const own: Unfinished<ParsedPart> | undefined = messages[message]?.parts[part];
    const start = starts[firstLine] ?? 0;
    if (own) own.text = text.slice(start, start + own.text.length);
  }
}

export function lineOf({ text, starts }: SessionLineIndex, line: number): string {
  return text.slice(starts[line], starts[line + 1]);
}

/** The lines from `first` to before `end`. */
export function linesOfRange(
  { text, starts }: SessionLineIndex,
  first: number,
  end: number,
): string {
  return text.slice(starts[first], starts[end]);
}

export function lineCountOf({ starts }: SessionLineIndex): number {
  return starts.length - 1;
}

/** The text for the service, and for each of its lines the line of the index that it is, or -1. */
export interface WireText {
  readonly text: string;
  readonly lines: Int32Array;
}

const roleNames = { user: 'User', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const;

/** Builds the text for the service: a header per message, and `<keepContext>` tags around lines that have to be kept. */
export function wireText(chat: Chat, lineIndex: SessionLineIndex, pinned: Uint8Array): WireText {
  const texts: string[] = [];
  const lines: number[] = [];
  const add = (text: string, line: number): void => {
    texts.push(text);
    lines.push(line);
  };
  let message = -1;
  for (const part of lineIndex.parts) {
    if (part.message !== message && !chat.isTranscript) {
      add(`## ${roleNames[chat.messages[part.message]?.role ?? 'user']}\n`, -1);
    }
    message = part.message;
    const end = part.firstLine + part.lineCount;
    let isOpen = false;
    for (let line = part.firstLine; line < end; line++) {
      const text = lineOf(lineIndex, line);
      // A tag in the text itself would close ours too early.
      const stays = (part.isLocked || pinned[line] === 1) && !/<\/?keepContext>/.test(text);
      if (stays !== isOpen) add(stays ? '<keepContext>\n' : '</keepContext>\n', -1);
      isOpen = stays;
      add(text, line);
    }
    if (isOpen) add('</keepContext>\n', -1);
  }
  return { text: texts.join(''), lines: Int32Array.from(lines) };
}

/** Maps kept ranges of the sent text to lines of the index; 1 for each kept line. */
export function keptLinesOf(
  { lines }: WireText,
  ranges: readonly LineRange[],
  count: number,
): Uint8Array {
  const kept = new Uint8Array(count);
  for (const [start, end] of ranges) {
    for (let at = start - 1; at < end; at++) {
      const line = lines[at] ?? -1;
      if (line >= 0) kept[line] = 1;
    }
  }
  return kept;
}

/** 1 for each line that contains one of the pinned texts, ignoring case. */
export function pinnedLines(lineIndex: SessionLineIndex, pins: readonly string[]): Uint8Array {
  const pinned = new Uint8Array(lineCountOf(lineIndex));
  if (pins.every(pin => pin.trim() === '')) return pinned;
  const text = lineIndex.text.toLowerCase();
  // Some letters have a longer lower case, which would shift the offsets after them.
  const isAligned = text.length === lineIndex.text.length;
  for (const pin of pins) {
    const wanted = isAligned ? pin.toLowerCase() : pin;
    if (wanted.trim() === '') continue;
    const within = isAligned ? text : lineIndex.text;
    let line = 0;
    for (let at = within.indexOf(wanted); at >= 0; ) {
      while ((lineIndex.starts[line + 1] ?? Number.POSITIVE_INFINITY) <= at) line++;
      pinned[line] = 1;
      at = within.indexOf(wanted, lineIndex.starts[line + 1] ?? text.length);
      if (line >= pinned.length - 1) break;
    }
  }
  return pinned;
}

/** 1 for each line of a locked part. */
export function lockedLines(lineIndex: SessionLineIndex): Uint8Array {
  const locked = new Uint8Array(lineCountOf(lineIndex));
  for (const { isLocked, firstLine, lineCount } of lineIndex.parts) {
    if (isLocked) locked.fill(1, firstLine, firstLine + lineCount);
  }
  return locked;
}
