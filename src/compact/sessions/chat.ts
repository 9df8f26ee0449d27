import type { Message, MessagePart } from '../core/message';
import type { History, HistoryFormat, NewSession, PartType } from './history';
import { UnsupportedHistory } from './history';
import { HistoryFile } from './historyFile';
import { readHistory } from './index';

interface ParsedPart extends MessagePart {
  readonly type: PartType;
  readonly name?: string;
}

interface ParsedMessage extends Message {
  readonly parts: readonly ParsedPart[];
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
  readonly isCut: boolean;
  readonly notes: readonly string[];
  readonly messages: readonly ParsedMessage[];
}

/** The text of a file. Its path only helps to detect the format. */
export interface ChatFile {
  readonly path: string;
  readonly text: string;
  /** Other files of the same session. */
  readonly companions?: readonly { readonly path: string; readonly text: string }[];
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
  /** The remaining text of each part; see `Edits`. */
  readonly edits: readonly (readonly string[])[];
  /** Write a copy of the same session; otherwise a new session with its own ids. */
  readonly asCopy: boolean;
  readonly now: Date;
}

/**
 * Writes what is left of the chat in the format of its tool. The result is read back, so that nothing is
 * written that the tool could not read.
 * @throws {UnsupportedHistory}
 */
export function writeChat(
  file: ChatFile,
  { edits, asCopy, now }: WriteRequest,
  newId: () => string,
): NewSession {
  const { format, history } = open(file);
  if (!format.write || format.isReadOnly) {
    throw new UnsupportedHistory(
      format.label,
      'it cannot be written in the format of this tool',
      'Copy it, or save it as Markdown.',
    );
  }
  const session = format.write(history, edits, asCopy ? { asCopy } : { newId, now });
  const [first] = session.files;
  const again = first && readHistory(first.path.replace(/^.*\//, ''), first.text);
  if (!again || again.history.messages.length === 0) {
    throw new UnsupportedHistory(format.label, 'nothing is left of the chat', 'Keep more of it.');
  }
  return session;
}

function open({ path, text, companions = [] }: ChatFile): {
  format: HistoryFormat;
  history: History;
} {
  return readHistory(
    path,
    text,
    companions.map(other => new HistoryFile(other.path, other.text)),
  );
}
