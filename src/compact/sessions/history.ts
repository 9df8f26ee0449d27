import type { Sentence } from '../../base/sentence';
import type { Message, MessagePart } from '../core/message';
import type { HistoryFile } from './historyFile';

import type { IndexRow } from './indexRows';
import type { JsonList, JsonNode, JsonObject, JsonString } from './json';

/** Type of a part in the tool; the compactor uses `kind`. */
export type PartType =
  | 'text'
  /** A file or a search result that was sent along with a question. */
  | 'context'
  | 'tool_call'
  | 'tool_result'
  | 'thinking'
  | 'encrypted'
  | 'image'
  /** A summary that replaces earlier messages. Without it, the tool would send those again. */
  | 'summary'
  | 'other';

/** Range in the text of the file, in UTF-16 units; `end` is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A container from which items can be removed. Spans of lines include their line ends. */
export type ItemList =
  | JsonList
  | JsonObject
  | { readonly type: 'lines'; readonly items: TextSpan[] };

export interface Item {
  readonly list: ItemList;
  /** An item or a member of the list. */
  readonly node: TextSpan;
  /** Removed when the list becomes empty. */
  readonly parent?: Item;
}

/** A value within the arguments of a call, in the order of its text. */
export interface ArgumentField {
  readonly node: JsonNode;
  /** Lines of the text of the call that show the value. */
  readonly lineCount: number;
  /** Length of the name before the value, with its colon and space. */
  readonly nameLength: number;
}

/** The arguments of a call. */
export interface CallArguments {
  /** What the nodes of the fields are in: the arguments, parsed where they are JSON in a string. */
  readonly root: JsonNode;
  readonly fields: readonly ArgumentField[];
  /** The string that contains the arguments as JSON, if they are not an object of the file. */
  readonly quoted?: JsonString;
}

/** Where the writer finds a part. */
export interface PartLocation {
  readonly literal?: JsonString;
  /** Where the arguments of a call are, if their texts can be shortened. */
  readonly call?: CallArguments;
  /** Copies of the same text, for instance one that the tool displays. */
  readonly mirrors?: readonly JsonString[];
  /** Range in a file that is not JSON, or of a value that `written` replaces. */
  readonly span?: TextSpan;
  /** The JSON of a value of another shape with this text; `file` is the text of the file as it was read. */
  readonly written?: (text: string, file: string) => string;
  /** Removed together with the part; without items, the part can only be emptied. */
  readonly items?: readonly Item[];
  /** The tool accepts an empty string here if the message has other content. */
  readonly mayBeEmpty?: boolean;
}

export interface HistoryPart extends MessagePart {
  readonly type: PartType;
  readonly name?: string;
  /** Links a call with its results. */
  readonly callId?: string;
  readonly location: PartLocation;
}

/** An object that is still being made. Spreading optional members into it costs several times as much. */
export type Unfinished<T> = { -readonly [K in keyof T]: T[K] };

export interface HistoryMessage extends Message {
  readonly parts: readonly HistoryPart[];
  readonly id?: string;
  /** As the tool wrote it: ISO 8601. */
  readonly at?: string;
  /** Offset in the file; `HistoryFile.lineAt` gives the line. */
  readonly offset: number;
  /** Removed when no part is left; without items, the message stays with a placeholder. */
  readonly items: readonly Item[];
}

export interface History {
  /** Id of the format. */
  readonly tool: string;
  readonly label: string;
  readonly sessionId?: string | undefined;
  readonly title?: string | undefined;
  /** Workspace folder of the session: a path or a URI, as the tool wrote it. */
  readonly workspace?: string | undefined;
  /** SHA-256 of the folder's path, where the tool notes only that. */
  readonly workspaceHash?: string | undefined;
  readonly startedAt?: string | undefined;
  /** The session of a sub-agent, which another one has started and whose answer that has. */
  readonly isOfSubAgent?: boolean;
  /** The messages that the tool would send to the model next, oldest first. */
  readonly messages: readonly HistoryMessage[];
  /** The file has earlier messages, which the tool no longer sends: see `withEarlier` of the format. */
  readonly hasEarlier?: boolean;
  /** The file ends in the middle of a line, which is kept as it is. */
  readonly isCut: boolean;
  /** What the user should know before writing it back. */
  readonly notes: readonly Sentence[];
  readonly file: HistoryFile;
  /** Files of the same session, such as a list of what was shown. */
  readonly companions: readonly HistoryFile[];
}

/** The new value of each field of a call; `null` for one that stays as it is. */
export type CallEdit = readonly (string | null)[];

/**
 * What remains of a part: its text, `''` for a part without lines, `null` for one that is removed with
 * everything linked to it, such as a call with its results.
 */
export type PartEdit = string | null | CallEdit;

/** One entry for each part, in the order of the messages and their parts. */
export type Edits = readonly (readonly PartEdit[])[];

export type WriteOptions =
  /** Applies only the edits; ids, and lines that the tool no longer reads, stay. */
  | { readonly asCopy: true }
  | { readonly asCopy?: false; readonly newId: () => string; readonly now: Date };

interface NewFile {
  /** Path relative to the folder of the file that was read, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface NewSession {
  readonly files: readonly NewFile[];
  /** Files of the old session that the new one needs as well, such as images; one that is missing is left out. */
  readonly copies?: readonly { readonly from: string; readonly path: string }[];
  /** The folder that a session may have its own in, as a path from that of the file; without, the one around that. */
  readonly within?: '../../..';
  readonly continueBy: {
    readonly sentence: string;
    /** A command line for a terminal in the folder of the session. */
    readonly shell?: string;
    /** A command of VS Code that opens the first file. */
    readonly command?: 'workbench.action.chat.import';
  };
  /** An entry for the session list of the tool; its path is as those of the files. */
  readonly indexRow?: IndexRow;
}

export interface HistoryFormat {
  readonly id: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly detect: (file: HistoryFile) => boolean;
  /** @throws {UnsupportedHistory} */
  readonly read: (file: HistoryFile, companions?: readonly HistoryFile[]) => History;
  /**
   * The text of a file as if the tool had never replaced messages by a summary, nor lost the line that
   * links to them. Its history has all messages.
   */
  readonly withEarlier?: (file: HistoryFile) => string;
  /**
   * The history with the edits, as a new session of the same tool.
   * @throws {UnsupportedHistory} when an edit changes what must stay whole.
   */
  readonly write?: (history: History, edits: Edits, options: WriteOptions) => NewSession;
}

/** A history that cannot be read or written reliably. The message contains nothing of its content. */
export class UnsupportedHistory extends Error {
  override readonly name = 'UnsupportedHistory';

  constructor(
    readonly tool: string,
    readonly what: string,
    readonly advice: string,
  ) {
    super(`${tool}: ${what}. ${advice}`);
  }
}

/** @throws {UnsupportedHistory} when there is none. */
export function requireMessages(label: string, messages: ArrayLike<unknown>): void {
  if (messages.length === 0) {
    throw new UnsupportedHistory(label, 'the session has no messages', 'Choose another session.');
  }
}

/** @throws {UnsupportedHistory} when the session has no id that could be replaced. */
export function requireSessionId({ label, sessionId }: History): string {
  if (sessionId !== undefined) return sessionId;
  throw new UnsupportedHistory(
    label,
    'the session has no id',
    'Save the result as a file instead.',
  );
}

/** Quotes a name from a file if it is short and harmless. */
export function quoteName(name: string | undefined): string {
  return name !== undefined && /^[\w.$:/-]{1,40}$/.test(name)
    ? `"${name}"`
    : 'without a known name';
}

/** The error for a kind of entry that this version does not know. */
export function unknownEntry(
  tool: string,
  what: string,
  name: string | undefined,
): UnsupportedHistory {
  return new UnsupportedHistory(
    tool,
    `${what} ${quoteName(name)} is not known`,
    'Save the chat as Markdown or plain text and compact that, or update Splice.',
  );
}

/** Whether an id from a file is safe in a shell command and in a path. */
export function isSafeId(id: string | undefined): id is string {
  return id !== undefined && /^\w[\w-]{0,99}$/.test(id);
}

/** Milliseconds since the epoch as ISO 8601; '' for a number that is not a valid time. */
export function isoTime(ms: number | undefined): string | undefined {
  if (ms === undefined) return undefined;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
