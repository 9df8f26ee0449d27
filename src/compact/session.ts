import { randomUUID } from 'node:crypto';
import { estimateTokens } from '../service';
import { completeLines, editsOf, keptParts, partsText } from './session/keptText';
import { type MessageKind, messageKindOf } from './session/parts';
import { decodeHistory, requireUtf8, UnsupportedHistory } from './sessions';
import { type Chat, type ChatFile, readChat, writeChat } from './sessions/chat';
import { compactLocally } from './worker/engine';
import {
  indexLines,
  linesOfRange,
  type SessionLineIndex,
  shareTexts,
} from './worker/sessionLineIndex';

export interface SessionMessage {
  readonly id: number;
  readonly role: Chat['messages'][number]['role'];
  readonly kind: MessageKind;
  readonly text: string;
}

export interface CompactedSession {
  /** What a model would see. */
  readonly text: string;
  /** What is left of the messages, with their ids. */
  readonly messages: readonly SessionMessage[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /**
   * The session in its own format. The first file is the session.
   * @throws {UnsupportedHistory}
   */
  readonly write: () => { files: { path: string; bytes: Uint8Array }[]; resume: string };
}

export interface Session {
  readonly format: string;
  readonly messages: readonly SessionMessage[];
  readonly compact: (options: {
    readonly ratio: number;
    readonly query?: string;
    readonly keepRecent?: number;
  }) => CompactedSession;
  /** The original lines that a marker of a compaction of this session stands for. */
  readonly recall: (id: string) => string | undefined;
}

/**
 * Opens a session of a coding tool without VS Code.
 * @param name of the file, which helps to detect the format.
 */
export function openSession(
  name: string,
  bytes: Uint8Array,
  { includesEarlier = false }: Pick<ChatFile, 'includesEarlier'> = {},
): Session | { refused: string } {
  let chat: Chat;
  try {
    requireUtf8(bytes);
    chat = readChat({ path: name, text: bytes, includesEarlier });
  } catch (error) {
    if (error instanceof UnsupportedHistory) return { refused: error.message };
    throw error;
  }
  const read = (): ChatFile => ({ path: name, text: decodeHistory(bytes), includesEarlier });
  const lineIndex = indexLines(chat);
  shareTexts(chat, lineIndex);
  const recalled = new Map<string, readonly [first: number, end: number]>();
  let messages: readonly SessionMessage[] | undefined;
  return {
    format: chat.formatId,
    get messages() {
      messages ??= flatten(
        chat,
        chat.messages.map(({ parts }) => parts.map(({ text }) => text)),
      );
      return messages;
    },
    compact: ({ ratio, query = '', keepRecent = 2 }) =>
      compact(chat, lineIndex, read, { ratio, query, keepRecent }, recalled),
    recall(id) {
      const range = recalled.get(id);
      return range && linesOfRange(lineIndex, ...range);
    },
  };
}

function compact(
  chat: Chat,
  lineIndex: SessionLineIndex,
  file: () => ChatFile,
  options: { ratio: number; query: string; keepRecent: number },
  recalled: Map<string, readonly [first: number, end: number]>,
): CompactedSession {
  const plan = { engine: 'local', route: 'compact', pins: [], ...options } as const;
  const { kept } = compactLocally(chat, lineIndex, plan, () => performance.now());
  const left = completeLines(chat, lineIndex, kept, true);
  let [tokensBefore, tokensAfter] = [0, 0];
  for (let line = 0; line < left.kept.length; line++) {
    const count = lineIndex.tokens[line] ?? 0;
    tokensBefore += count;
    if (left.kept[line] === 1) tokensAfter += count;
  }
  for (const { id, text, first, end } of left.markers) {
    if (id !== undefined) recalled.set(id, [first, end]);
    tokensAfter += estimateTokens(text);
  }
  const texts = keptParts(chat, lineIndex, left);
  let messages: readonly SessionMessage[] | undefined;
  return {
    text: partsText(chat, texts, {
      turn: role => role,
      part: ({ type }) => (type === 'text' ? undefined : type),
    }),
    get messages() {
      messages ??= flatten(chat, texts);
      return messages;
    },
    tokensBefore,
    tokensAfter,
    write() {
      const edits = editsOf(chat, lineIndex, left);
      const session = writeChat(file(), { edits, asCopy: false, now: new Date() }, randomUUID);
      const files = session.files.map(({ path, text }) => ({
        path,
        bytes: new TextEncoder().encode(text),
      }));
      return { files, resume: session.continueBy.shell ?? session.continueBy.sentence };
    },
  };
}

/** One message for each part that has text; ids are the same before and after a compaction. */
function flatten(
  { messages }: Chat,
  texts: readonly (readonly string[])[],
): readonly SessionMessage[] {
  const pairs = new Set<string>();
  for (const [message, { parts }] of messages.entries()) {
    for (const [part, { callId }] of parts.entries()) {
      if (callId !== undefined && (texts[message]?.[part] ?? '') !== '') pairs.add(callId);
    }
  }
  let id = 0;
  const flat: SessionMessage[] = [];
  for (const [message, { role, parts }] of messages.entries()) {
    for (const [at, part] of parts.entries()) {
      const text = texts[message]?.[at] ?? '';
      const isOfPair = part.callId !== undefined && pairs.has(part.callId);
      if (text !== '' || isOfPair) flat.push({ id, role, kind: messageKindOf(role, part), text });
      id++;
    }
  }
  return flat;
}
