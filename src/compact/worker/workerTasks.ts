import {
  type Chat,
  type ChatFile,
  type ErasedChat,
  type Erasure,
  eraseFromChat,
  readChat,
  type WriteRequest,
  writeChat,
} from '../sessions/chat';
import type { NewSession } from '../sessions/history';
import { listStored, readStored } from '../sessions/stores/sessionStores';
import type { StoredPlace, StoredSession } from '../sessions/stores/storedSession';
import { type Compaction, type CompactPlan, compactLocally } from './engine';
import { indexLines, type SessionLineIndex } from './sessionLineIndex';

/** Tasks that may be worth a worker thread. Input and result are plain data. */
export type WorkerTask =
  | { readonly kind: 'open'; readonly file: ChatFile }
  | {
      readonly kind: 'compact';
      readonly chat: Chat;
      readonly lineIndex: SessionLineIndex;
      readonly plan: CompactPlan;
    }
  | { readonly kind: 'write'; readonly file: ChatFile; readonly request: WriteRequest }
  | { readonly kind: 'erase'; readonly file: ChatFile; readonly erasure: Erasure }
  | { readonly kind: 'listStored'; readonly database: string; readonly limit: number }
  | ({ readonly kind: 'readStored' } & StoredPlace);

export interface OpenedChat {
  readonly chat: Chat;
  readonly lineIndex: SessionLineIndex;
}

/** The result of a task; the member that belongs to its kind is set. */
export interface WorkerResult {
  readonly opened?: OpenedChat;
  readonly compaction?: Compaction;
  readonly session?: NewSession;
  readonly erased?: ErasedChat;
  readonly listed?: readonly StoredSession[];
  readonly read?: { readonly text: string | undefined };
}

/** @throws {UnsupportedHistory | NoSqlite} */
export async function runTask(
  task: WorkerTask,
  tools: { readonly newId: () => string; readonly now: () => number },
): Promise<WorkerResult> {
  if (task.kind === 'open') {
    const chat = readChat(task.file);
    return { opened: { chat, lineIndex: indexLines(chat) } };
  }
  if (task.kind === 'compact') {
    return { compaction: compactLocally(task.chat, task.lineIndex, task.plan, tools.now) };
  }
  if (task.kind === 'erase') {
    return { erased: eraseFromChat(task.file, task.erasure, new Date()) };
  }
  if (task.kind === 'listStored') return { listed: await listStored(task.database, task.limit) };
  if (task.kind === 'readStored') return { read: { text: await readStored(task) } };
  return { session: writeChat(task.file, task.request, tools.newId) };
}
