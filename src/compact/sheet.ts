import { trimEndOf } from '../base/scan';
import type { Chat } from './chat';
import { lineStartsOf, linesIn, rangesOf, type LineRange } from './ranges';

/** The lines of one part of a message. */
export interface SheetPart {
  readonly message: number;
  /** Of the message. */
  readonly part: number;
  /** 0-based line of the sheet. */
  readonly firstLine: number;
  readonly lineCount: number;
  /** Stays as it is: a call, what is signed, what the system said. */
  readonly isLocked: boolean;
}

/** All lines of a chat, one part after the other. A part that ends within a line has got a line end. */
export interface Sheet {
  readonly text: string;
  /** Offset of each line and of the end. */
  readonly starts: Int32Array;
  /** In order; those without text are left out. */
  readonly parts: readonly SheetPart[];
}

/** The lines of the chat, in the way that `compactMessages` joins them. */
export function sheetOf({ messages, isTranscript }: Chat): Sheet {
  const texts: string[] = [];
  const parts: SheetPart[] = [];
  let firstLine = 0;
  for (const [message, { role, parts: own }] of messages.entries())
    for (const [part, { text, isEditable, isPinned }] of own.entries()) {
      if (text === '') continue;
      const whole = text.endsWith('\n') ? text : `${text}\n`;
      const lineCount = countLines(whole);
      const isLocked = !isTranscript && (!isEditable || isPinned === true || role === 'system');
      parts.push({ message, part, firstLine, lineCount, isLocked });
      texts.push(whole);
      firstLine += lineCount;
    }
  const text = texts.join('');
  return { text, starts: lineStartsOf(text), parts };
}

export function lineOf({ text, starts }: Sheet, line: number): string {
  return text.slice(starts[line], starts[line + 1]);
}

export function lineCountOf({ starts }: Sheet): number {
  return starts.length - 1;
}

/** What is left of each part of each message, as the writers of the formats want it. */
export function editsOf({ messages }: Chat, sheet: Sheet, kept: Uint8Array): string[][] {
  const edits = messages.map(({ parts }) => parts.map(({ text }) => text));
  for (const { message, part, firstLine, lineCount } of sheet.parts) {
    const ranges = rangesOf(kept.subarray(firstLine, firstLine + lineCount));
    const offset = sheet.starts[firstLine] ?? 0;
    const starts = sheet.starts.subarray(firstLine, firstLine + lineCount + 1);
    const own = edits[message];
    // Offsets beyond the end of a part are those of the line end that the sheet added.
    if (own)
      own[part] = linesIn(
        own[part] ?? '',
        starts.map(at => at - offset),
        ranges,
      );
  }
  return edits;
}

/** Names of speakers and parts, in headers. */
export interface Names {
  readonly turn: (role: Chat['messages'][number]['role'], at?: string) => string;
  /** Of a part that is no text: a tool call, say. */
  readonly part: (part: Chat['messages'][number]['parts'][number]) => string | undefined;
}

/** What is kept, to read or to paste: the lines themselves, or Markdown with a header for each turn. */
export function keptText(chat: Chat, sheet: Sheet, kept: Uint8Array, names: Names): string {
  const edits = editsOf(chat, sheet, kept);
  if (chat.isTranscript) return edits.flat().join('');
  return chat.messages
    .map(({ role, parts }, at) => {
      const texts = parts.flatMap((part, index) => {
        const left = edits[at]?.[index] ?? '';
        if (left === '') return [];
        const name = names.part(part);
        return `${name === undefined ? '' : `### ${name}\n\n`}${trimEndOf(left, '\n')}\n`;
      });
      return texts.length === 0 ? '' : `## ${names.turn(role)}\n\n${texts.join('\n')}`;
    })
    .filter(text => text !== '')
    .join('\n');
}

/** What the service gets, and the line of the sheet that each of its lines is; -1 for none. */
export interface WireText {
  readonly text: string;
  readonly lines: Int32Array;
}

const roleNames = { user: 'User', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const;

/** One text of the sheet, with a header for each message and `<keepContext>` around what must stay. */
export function wireText(chat: Chat, sheet: Sheet, pinned: Uint8Array): WireText {
  const texts: string[] = [];
  const lines: number[] = [];
  const add = (text: string, line: number): void => {
    texts.push(text);
    lines.push(line);
  };
  let message = -1;
  for (const part of sheet.parts) {
    if (part.message !== message && !chat.isTranscript)
      add(`## ${roleNames[chat.messages[part.message]?.role ?? 'user']}\n`, -1);
    message = part.message;
    const end = part.firstLine + part.lineCount;
    let isOpen = false;
    for (let line = part.firstLine; line < end; line++) {
      const text = lineOf(sheet, line);
      // A tag of the text's own within ours would end it too early.
      const stays = (part.isLocked || pinned[line] === 1) && !/<\/?keepContext>/.test(text);
      if (stays !== isOpen) add(stays ? '<keepContext>\n' : '</keepContext>\n', -1);
      isOpen = stays;
      add(text, line);
    }
    if (isOpen) add('</keepContext>\n', -1);
  }
  return { text: texts.join(''), lines: Int32Array.from(lines) };
}

/** The lines of the sheet that are meant by ranges of the text that was sent. */
export function fromWire(
  { lines }: WireText,
  ranges: readonly LineRange[],
  count: number,
): Uint8Array {
  const kept = new Uint8Array(count);
  for (const [start, end] of ranges)
    for (let at = start - 1; at < end; at++) {
      const line = lines[at] ?? -1;
      if (line >= 0) kept[line] = 1;
    }
  return kept;
}

/** The lines that hold one of the texts that the user wants to keep; 1 for each. */
export function pinnedLines(sheet: Sheet, pins: readonly string[]): Uint8Array {
  const pinned = new Uint8Array(lineCountOf(sheet));
  const text = sheet.text.toLowerCase();
  // A letter whose lower case is longer would shift what follows.
  const isAligned = text.length === sheet.text.length;
  for (const pin of pins) {
    const wanted = isAligned ? pin.toLowerCase() : pin;
    if (wanted.trim() === '') continue;
    const within = isAligned ? text : sheet.text;
    let line = 0;
    for (let at = within.indexOf(wanted); at >= 0; ) {
      while ((sheet.starts[line + 1] ?? Number.POSITIVE_INFINITY) <= at) line++;
      pinned[line] = 1;
      at = within.indexOf(wanted, sheet.starts[line + 1] ?? text.length);
      if (line >= pinned.length - 1) break;
    }
  }
  return pinned;
}

/** The lines of locked parts; 1 for each. */
export function lockedLines(sheet: Sheet): Uint8Array {
  const locked = new Uint8Array(lineCountOf(sheet));
  for (const { isLocked, firstLine, lineCount } of sheet.parts)
    if (isLocked) locked.fill(1, firstLine, firstLine + lineCount);
  return locked;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
