import { readHistory } from './histories';
import { HistoryFile } from './histories/file';
import type { History, HistoryFormat, NewSession, PartType } from './histories/history';
import { UnsupportedHistory } from './histories/history';
import type { Message, MessagePart } from './message';

export interface ChatPart extends MessagePart {
  readonly type: PartType;
  readonly name?: string;
}

export interface ChatMessage extends Message {
  readonly parts: readonly ChatPart[];
  /** As the tool wrote it: ISO 8601. */
  readonly at?: string;
}

/** A chat history as plain data, fit for another thread. */
export interface Chat {
  readonly formatId: string;
  /** Of the tool, for people. */
  readonly label: string;
  readonly canWrite: boolean;
  /** Its parts, joined, are the text of the file; any line may go. */
  readonly isTranscript: boolean;
  readonly title?: string;
  readonly workspace?: string;
  readonly isCut: boolean;
  readonly notes: readonly string[];
  readonly messages: readonly ChatMessage[];
}

/** A text with the path that it has; the path only tells formats apart. */
export interface ChatFile {
  readonly path: string;
  readonly text: string;
  /** Files of the same session. */
  readonly beside?: readonly { readonly path: string; readonly text: string }[];
}

const transcripts = new Set(['aider', 'markdown', 'text']);

/** @throws {UnsupportedHistory} */
export function readChat(file: ChatFile): Chat {
  const { format, history } = open(file);
  return {
    formatId: format.id,
    label: format.label,
    canWrite: format.write !== undefined && !format.isReadOnly,
    isTranscript: transcripts.has(format.id),
    ...(history.title === undefined ? {} : { title: history.title }),
    ...(history.workspace === undefined ? {} : { workspace: history.workspace }),
    isCut: history.isCut,
    notes: history.notes,
    messages: history.messages.map(({ role, at, parts }) => ({
      role,
      ...(at === undefined ? {} : { at }),
      parts: parts.map(({ kind, type, text, name, isEditable, isPinned }) => ({
        kind,
        type,
        text,
        isEditable,
        ...(name === undefined ? {} : { name }),
        ...(isPinned === undefined ? {} : { isPinned }),
      })),
    })),
  };
}

export interface WriteRequest {
  /** What is left of each part; see `Edits`. */
  readonly edits: readonly (readonly string[])[];
  /** The same session in a file of its own; else one with ids of its own. */
  readonly asCopy: boolean;
  readonly now: Date;
}

/**
 * The chat with what is left of it, in the format of its tool. It is read again, so that nothing is
 * written that the tool could not read.
 * @throws {UnsupportedHistory}
 */
export function writeChat(
  file: ChatFile,
  { edits, asCopy, now }: WriteRequest,
  newId: () => string,
): NewSession {
  const { format, history } = open(file);
  if (!format.write || format.isReadOnly)
    throw new UnsupportedHistory(
      format.label,
      'it cannot be written in the format of this tool',
      'Copy it, or save it as Markdown.',
    );
  const session = format.write(history, edits, asCopy ? { asCopy } : { newId, now });
  const [first] = session.files;
  const again = first && readHistory(first.path.replace(/^.*\//, ''), first.text);
  if (!again || again.history.messages.length === 0)
    throw new UnsupportedHistory(format.label, 'nothing is left of the chat', 'Keep more of it.');
  return session;
}

function open({ path, text, beside = [] }: ChatFile): { format: HistoryFormat; history: History } {
  return readHistory(
    path,
    text,
    beside.map(other => new HistoryFile(other.path, other.text)),
  );
}
