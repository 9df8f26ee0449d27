import type { Sentence } from '../../base/sentence';
import type { Message, MessagePart } from '../core/message';
import { type Conversion, convertSession } from './convert';
import { eraseCopies, linesWithoutCopy, minCopyChars } from './eraseCopies';
import type {
  Edits,
  History,
  HistoryFormat,
  HistoryMessage,
  HistoryPart,
  NewSession,
  PartType,
  Unfinished,
} from './history';
import { UnsupportedHistory } from './history';
import { HistoryFile } from './historyFile';
import { type ReadHistory, readHistory } from './index';

/** A value of a call, in the order of the lines of its text. */
interface CallField {
  readonly lineCount: number;
  /** Length of the name before the value. */
  readonly nameLength: number;
  /** The value is a string, of which lines may be left out. */
  readonly isText: boolean;
}

export interface ParsedPart extends MessagePart {
  readonly type: PartType;
  readonly name?: string;
  /** Links a call with its results. */
  readonly callId?: string;
  /** Can be left out as a whole. */
  readonly isRemovable: boolean;
  /** The values of a call. */
  readonly fields?: readonly CallField[];
}

export interface ParsedMessage extends Message {
  readonly parts: readonly ParsedPart[];
  /** Can be left out as a whole. */
  readonly isRemovable: boolean;
  /** As the tool wrote it: ISO 8601. */
  readonly at?: string;
}

/** A chat history as plain data that can be posted to a worker thread. */
export interface Chat {
  readonly formatId: string;
  /** Name of the format, shown to the user. */
  readonly label: string;
  readonly canWrite: boolean;
  /** The joined parts are the text of the file, and any line may be left out. */
  readonly isTranscript: boolean;
  readonly title?: string;
  readonly workspace?: string;
  /** See `History.workspaceHash`. */
  readonly workspaceHash?: string;
  /** See `History.isOfSubAgent`. */
  readonly isOfSubAgent?: true;
  /** Whether the session has messages that its tool no longer sends, and these are among the messages here. */
  readonly earlier: 'none' | 'left out' | 'included';
  readonly isCut: boolean;
  readonly notes: readonly Sentence[];
  readonly messages: readonly ParsedMessage[];
}

/** The text of a file. Its path only helps to detect the format. */
export interface ChatFile {
  readonly path: string;
  readonly text: string;
  /** Other files of the same session. */
  readonly companions?: readonly { readonly path: string; readonly text: string }[];
  /** Messages that the tool no longer sends, as they stand before a summary, are part of the chat too. */
  readonly includesEarlier?: boolean;
}

const transcripts = new Set(['aider', 'markdown', 'text']);

/** A file that is only read: its text, or its UTF-8, which takes less time and memory. */
export type ReadableFile = Omit<ChatFile, 'text'> & { readonly text: string | Uint8Array };

/** @throws {UnsupportedHistory} */
export function readChat(file: ReadableFile): Chat {
  const { format, history, includesEarlier } = open(file);
  return {
    formatId: format.id,
    label: format.label,
    canWrite: format.write !== undefined && !format.isReadOnly,
    isTranscript: transcripts.has(format.id),
    ...(history.title === undefined ? {} : { title: history.title }),
    ...(history.workspace === undefined ? {} : { workspace: history.workspace }),
    ...(history.workspaceHash === undefined ? {} : { workspaceHash: history.workspaceHash }),
    ...(history.isOfSubAgent === true ? { isOfSubAgent: true } : {}),
    earlier: includesEarlier ? 'included' : history.hasEarlier ? 'left out' : 'none',
    isCut: history.isCut,
    notes: history.notes,
    messages: history.messages.map(message => parseMessage(message, format.isReadOnly)),
  };
}

function parseMessage(
  { role, at, parts, items }: HistoryMessage,
  isReadOnly: boolean,
): ParsedMessage {
  const isRemovable = isReadOnly || items.length > 0;
  const isWhole = isReadOnly || (parts.length === 1 && items.length > 0);
  const own = parts.map(part => parsePart(part, isWhole));
  return at === undefined
    ? { role, isRemovable, parts: own }
    : { role, at, isRemovable, parts: own };
}

function parsePart(part: HistoryPart, isAlwaysRemovable: boolean): ParsedPart {
  const { kind, type, text, name, isEditable, isPinned, callId, location } = part;
  const isRemovable = isAlwaysRemovable || (location.items?.length ?? 0) > 0;
  // Members that are not there are left out, because they would be posted to the worker too.
  const parsed: Unfinished<ParsedPart> = { kind, type, text, isEditable, isRemovable };
  if (name !== undefined) parsed.name = name;
  if (isPinned !== undefined) parsed.isPinned = isPinned;
  if (callId !== undefined) parsed.callId = callId;
  if (location.call) {
    parsed.fields = location.call.fields.map(({ node, lineCount, nameLength }) => ({
      lineCount,
      nameLength,
      isText: node.type === 'string',
    }));
  }
  return parsed;
}

export interface WriteRequest {
  readonly edits: Edits;
  /** Write a copy of the same session; otherwise a new session with its own ids. */
  readonly asCopy: boolean;
  readonly now: Date;
  /** Lines that the user left out: copies of them are removed too, such as those that a tool displays. */
  readonly erase?: {
    readonly lines: readonly string[];
    /** Lines that other kept text has as well stay. */
    readonly kept: string;
  };
  /** Write a new session of another tool. */
  readonly conversion?: Conversion;
}

/**
 * Writes what is left of the chat in the format of its tool. The result is read back, so that nothing is
 * written that the tool could not read.
 * @throws {UnsupportedHistory}
 */
export function writeChat(file: ChatFile, request: WriteRequest, newId: () => string): NewSession {
  const { session, read } = writeEdited(file, request, newId);
  const { erase } = request;
  if (!erase || erase.lines.length === 0) return session;
  const others = session.files.slice(1).map(({ path, text }) => new HistoryFile(path, text));
  const { texts } = eraseCopies(
    [read.history.file, ...others],
    linesWithoutCopy(erase.lines, erase.kept),
  );
  requireSameShape(read, texts[0]);
  return {
    ...session,
    files: session.files.map((each, at) => ({ ...each, text: texts[at] ?? each.text })),
  };
}

/** @throws {UnsupportedHistory} when a line that was removed was needed to read the messages. */
function requireSameShape({ format, history }: ReadHistory, after: string | undefined): void {
  const { file, messages } = history;
  if (after === undefined || after === file.text) return;
  const now = readHistory(file.path, after).history.messages;
  if (shapeOf(messages) === shapeOf(now)) return;
  throw new UnsupportedHistory(
    format.label,
    'a line that was left out is also a part of how the session is kept',
    'Restore the shortest of the lines that you left out.',
  );
}

const shapeOf = (messages: readonly HistoryMessage[]): string =>
  messages.map(({ role, parts }) => `${role}:${parts.map(({ type }) => type).join(',')}`).join(' ');

interface WrittenChat {
  readonly session: NewSession;
  /** The first file of the session, read again. */
  readonly read: ReadHistory;
}

function writeEdited(
  file: ChatFile,
  { edits, asCopy, now, conversion }: WriteRequest,
  newId: () => string,
): WrittenChat {
  const { format, history } = open(file);
  if (conversion)
    return readBack(format, convertSession(history, edits, conversion, { newId, now }));
  if (!format.write || format.isReadOnly) {
    throw new UnsupportedHistory(
      format.label,
      'it cannot be written in the format of this tool',
      'Copy it, or save it as Markdown.',
    );
  }
  return readBack(format, format.write(history, edits, asCopy ? { asCopy } : { newId, now }));
}

/** What is to be removed for good: the edits of the parts, and the lines themselves, to find copies of them. */
export interface Erasure {
  readonly edits: Edits;
  readonly lines: readonly string[];
}

export interface ErasedChat {
  /** The files that change; the first is the session. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Copies outside of the parts that were removed too. */
  readonly copies: number;
  /** The lines that are still in one of the files, as in the name of a member. */
  readonly left: number;
}

/**
 * The files of a chat without the lines, in the format of its tool.
 * @throws {UnsupportedHistory}
 */
export function eraseFromChat(file: ChatFile, { edits, lines }: Erasure, now: Date): ErasedChat {
  // With earlier messages, the parts are those of another text than that of the file.
  const isWhole = file.includesEarlier === true && open(file).includesEarlier;
  const read = isWhole
    ? readHistory(file.path, requireLongLines(file, lines))
    : writeEdited(file, { edits, asCopy: true, now }, () => '').read;
  const { companions = [] } = file;
  const { texts, count, left } = eraseCopies(
    [read.history.file, ...companions.map(other => new HistoryFile(other.path, other.text))],
    lines,
  );
  requireSameShape(read, texts[0]);
  const erased = [file, ...companions].map(({ path, text: before }, at) => ({
    path,
    before,
    text: texts[at] ?? before,
  }));
  return {
    files: erased
      .filter(({ before, text }, at) => at === 0 || text !== before)
      .map(({ path, text }) => ({ path, text })),
    copies: count,
    left,
  };
}

/** Whether a line is too short to be found by its text alone. */
export function isShortLine(line: string): boolean {
  const { length } = line.trim();
  return length > 0 && length < minCopyChars;
}

/** @throws {RangeError} */
function requireLongLines(file: ChatFile, lines: readonly string[]): string {
  if (lines.some(isShortLine)) throw new RangeError('a line is too short to be found by its text');
  return file.text;
}

function readBack(format: HistoryFormat, session: NewSession): WrittenChat {
  const [first] = session.files;
  const read = first && readHistory(first.path.replace(/^.*\//, ''), first.text);
  if (!read || read.history.messages.length === 0) {
    throw new UnsupportedHistory(format.label, 'nothing is left of the chat', 'Keep more of it.');
  }
  return { session, read };
}

function open({ path, text, companions = [], includesEarlier }: ReadableFile): {
  format: HistoryFormat;
  history: History;
  /** They were asked for, and there are some. */
  includesEarlier: boolean;
} {
  const others = () => companions.map(other => new HistoryFile(other.path, other.text));
  const found = readHistory(path, text, others());
  const { format, history } = found;
  if (!includesEarlier || !history.hasEarlier || !format.withEarlier)
    return { ...found, includesEarlier: false };
  const all = format.withEarlier(new HistoryFile(path, history.file.text));
  const whole = format.read(new HistoryFile(path, all), others());
  const notes = [...history.notes, ...whole.notes];
  return { format, history: { ...whole, notes }, includesEarlier: true };
}
