import type { Message, MessagePart } from '../message';
import type { HistoryFile } from './file';
import type { JsonList, JsonObject, JsonString } from './json';

/** What a part is to the tool; `kind` is what it is to the compactor. */
export type PartType =
  | 'text'
  /** A file or a search result that was sent along with a question. */
  | 'context'
  | 'tool_call'
  | 'tool_result'
  | 'thinking'
  | 'encrypted'
  | 'image'
  /** Stands for what came before it, which would be sent again without it. */
  | 'summary'
  | 'other';

/** From `start` up to `end`, in UTF-16 units of the file's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What items can be taken out of. The spans of lines end after their line ends. */
export type ItemList = JsonList | JsonObject | { readonly type: 'lines'; readonly items: Span[] };

export interface Item {
  readonly list: ItemList;
  /** One of the list's items or members. */
  readonly node: Span;
  /** Goes when nothing is left in the list. */
  readonly parent?: Item;
}

/** Where the writer finds a part. */
export interface Slot {
  readonly literal?: JsonString;
  /** The same text once more, for instance for the eye. */
  readonly mirrors?: readonly JsonString[];
  /** Of a text that is no JSON. */
  readonly span?: Span;
  /** Go with the part; without them it can only be emptied. */
  readonly items?: readonly Item[];
  /** The tool takes an empty string here, as long as the message has something else. */
  readonly mayBeEmpty?: boolean;
}

export interface HistoryPart extends MessagePart {
  readonly type: PartType;
  readonly name?: string;
  /** Joins a call and its results. */
  readonly callId?: string;
  readonly slot: Slot;
}

export interface HistoryMessage extends Message {
  readonly parts: readonly HistoryPart[];
  readonly id?: string;
  /** As the tool wrote it: ISO 8601. */
  readonly at?: string;
  /** Where it starts in the file; `HistoryFile.lineAt` tells the line. */
  readonly offset: number;
  /** Go when no part is left; without them the message stays, with a marker in it. */
  readonly items: readonly Item[];
}

export interface History {
  /** Id of the format. */
  readonly tool: string;
  readonly label: string;
  readonly sessionId?: string | undefined;
  readonly title?: string | undefined;
  /** The folder it is about: a path or a URI, as the tool wrote it. */
  readonly workspace?: string | undefined;
  readonly startedAt?: string | undefined;
  /** What the model would be sent next, oldest first. */
  readonly messages: readonly HistoryMessage[];
  /** The file ends in the middle of a line, which is kept as it is. */
  readonly isCut: boolean;
  /** What a person should know before this is written back. */
  readonly notes: readonly string[];
  readonly file: HistoryFile;
  /** Files of the same session, such as a list of what was shown. */
  readonly beside: readonly HistoryFile[];
}

/**
 * What is left of each part, in the order of the messages and of their parts. `''` for a part with no
 * line left, `null` for one that goes with all that belongs to it: a call with its results.
 */
export type Edits = readonly (readonly (string | null)[])[];

export type WriteOptions =
  /** Nothing but the edits changes: not the ids, and not what the tool no longer reads. */
  | { readonly asCopy: true }
  | { readonly asCopy?: false; readonly newId: () => string; readonly now: Date };

export interface NewFile {
  /** Beside the file that was read; with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface NewSession {
  readonly files: readonly NewFile[];
  readonly continueBy: {
    readonly sentence: string;
    /** A command line for a terminal in the folder of the session. */
    readonly shell?: string;
    /** A command of VS Code that takes the first file. */
    readonly command?: 'workbench.action.chat.import';
  };
  /** The tool lists sessions in a file of its own: this has to be added to it while the tool is closed. */
  readonly indexRow?: { readonly path: string; readonly json: string };
}

export interface HistoryFormat {
  readonly id: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly detect: (file: HistoryFile) => boolean;
  /** @throws {UnsupportedHistory} */
  readonly read: (file: HistoryFile, beside?: readonly HistoryFile[]) => History;
  /**
   * The history with the edits, as a new session of the same tool.
   * @throws {UnsupportedHistory} when an edit changes what must stay whole.
   */
  readonly write?: (history: History, edits: Edits, options: WriteOptions) => NewSession;
}

/** A history that cannot be read or written without a guess. The message names no content. */
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
  if (messages.length === 0)
    throw new UnsupportedHistory(label, 'the session has no messages', 'Choose another session.');
}

/** @throws {UnsupportedHistory} when it has none to put another one in the place of. */
export function requireSessionId({ label, sessionId }: History): string {
  if (sessionId !== undefined) return sessionId;
  throw new UnsupportedHistory(
    label,
    'the session has no id',
    'Save the result as a file instead.',
  );
}

/** For a name that a file gave: short and harmless, or not shown. */
export function quoteName(name: string | undefined): string {
  return name !== undefined && /^[\w.$:/-]{1,40}$/.test(name)
    ? `"${name}"`
    : 'without a known name';
}

/** Refuses a kind of entry that this version does not know. */
export function unknown(tool: string, what: string, name: string | undefined): UnsupportedHistory {
  return new UnsupportedHistory(
    tool,
    `${what} ${quoteName(name)} is not known`,
    'Save the chat as Markdown or plain text and compact that, or update Splice.',
  );
}

/** An id of a file that may stand on a command line or in a path. */
export function isPlainId(id: string | undefined): id is string {
  return id !== undefined && /^\w[\w-]{0,99}$/.test(id);
}

/** Milliseconds since 1970 as ISO 8601; '' for a number that is no time. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
