import { type Chat, type ChatFile, readChat, type WriteRequest, writeChat } from './chat';
import { type Compaction, compactLocally, type CompactPlan } from './engine';
import type { NewSession } from './histories/history';
import { type Sheet, sheetOf } from './sheet';

/** What takes long enough to be worth a thread: plain data in, plain data out. */
export type Work =
  | { readonly kind: 'open'; readonly file: ChatFile }
  | {
      readonly kind: 'compact';
      readonly chat: Chat;
      readonly sheet: Sheet;
      readonly plan: CompactPlan;
    }
  | { readonly kind: 'write'; readonly file: ChatFile; readonly request: WriteRequest };

export interface OpenedChat {
  readonly chat: Chat;
  readonly sheet: Sheet;
}

/** What became of the work of a kind. */
export interface Done {
  readonly opened?: OpenedChat;
  readonly compaction?: Compaction;
  readonly session?: NewSession;
}

/** @throws {UnsupportedHistory} */
export function doWork(
  work: Work,
  tools: { readonly newId: () => string; readonly now: () => number },
): Done {
  if (work.kind === 'open') {
    const chat = readChat(work.file);
    return { opened: { chat, sheet: sheetOf(chat) } };
  }
  if (work.kind === 'compact')
    return { compaction: compactLocally(work.chat, work.sheet, work.plan, tools.now) };
  return { session: writeChat(work.file, work.request, tools.newId) };
}
