import { setImmediate } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { ReadableFile } from '../sessions/chat';
import { type FoundMessage, findMessages } from './findMessages';
import { type IndexProgress, indexSessions, type SessionFile } from './indexSessions';
import { MessageIndex } from './messageIndex';
import type { HistoryQuery } from './query';
import { SessionReader } from './sessionReader';

/** What a thread is started with: the file of the index, and the sessions to read unless it is to search. */
export interface HistoryThreadData {
  readonly index: string;
  readonly files?: readonly SessionFile[];
}

/** What a thread that searches is asked; a later question ends an earlier one. */
export interface HistoryQuestion {
  readonly id: number;
  readonly query: HistoryQuery;
  readonly limit: number;
}

/** What a thread that searches is sent: a question, that the last one needs no more answers, or that it is to end. */
export type HistoryRequest = HistoryQuestion | 'forget' | 'close';

export type HistoryAnswer =
  | { readonly kind: 'opened' }
  | { readonly kind: 'progress'; readonly progress: IndexProgress }
  | { readonly kind: 'unreadable'; readonly path: string }
  | { readonly kind: 'indexed' }
  | { readonly kind: 'found'; readonly id: number; readonly found: readonly FoundMessage[] }
  | { readonly kind: 'searched'; readonly id: number }
  | { readonly kind: 'failed'; readonly id?: number; readonly message: string };

/** The end of a thread at which it is asked, and says what it has found. */
export type HistoryPort = Pick<MessagePort, 'on' | 'once' | 'postMessage' | 'close'>;

const say = (port: HistoryPort, answer: HistoryAnswer): void => port.postMessage(answer);

function failed(port: HistoryPort, error: unknown, id?: number): void {
  const message = error instanceof Error ? error.message : String(error);
  say(port, { kind: 'failed', message, ...(id === undefined ? {} : { id }) });
}

/** Answers in time for the eyes, in milliseconds. */
const answerMs = 50;

async function update(
  port: HistoryPort,
  index: MessageIndex,
  files: readonly SessionFile[],
): Promise<void> {
  const reader = new SessionReader();
  let isStopped = false;
  port.once('message', () => (isStopped = true));
  let saidAt = 0;
  try {
    await indexSessions(index, {
      files,
      read: async path => reader.read(path),
      onProgress: progress => {
        if (performance.now() - saidAt < answerMs && progress.done < progress.total) return;
        saidAt = performance.now();
        say(port, { kind: 'progress', progress });
      },
      onUnreadable: path => say(port, { kind: 'unreadable', path }),
      isStopped: () => isStopped,
    });
  } finally {
    await reader.close();
  }
  say(port, { kind: 'indexed' });
}

function answerQuestions(port: HistoryPort, index: MessageIndex): void {
  let newest: HistoryRequest | undefined;
  const answering = new Set<Promise<void>>();
  const close = async (): Promise<void> => {
    await Promise.all(answering);
    index.close();
    port.close();
  };
  port.on('message', (asked: HistoryRequest) => {
    newest = asked;
    if (asked === 'close') void close();
    if (asked === 'close' || asked === 'forget') return;
    const isStopped = async (): Promise<boolean> => {
      // What was asked meanwhile is heard here.
      await setImmediate();
      return newest !== asked;
    };
    const answered = answerQuestion(port, index, asked, isStopped)
      .catch((error: unknown) => failed(port, error, asked.id))
      .finally(() => answering.delete(answered));
    answering.add(answered);
  });
}

async function answerQuestion(
  port: HistoryPort,
  index: MessageIndex,
  { id, query, limit }: HistoryQuestion,
  isStopped: () => Promise<boolean>,
): Promise<void> {
  const reader = new SessionReader();
  const read = async (path: string): Promise<ReadableFile> => reader.read(path);
  let found: FoundMessage[] = [];
  let count = 0;
  let saidAt = performance.now();
  try {
    for await (const each of findMessages(index, query, read, isStopped)) {
      if (await isStopped()) return;
      found.push(each);
      if (++count >= limit) break;
      if (performance.now() - saidAt < answerMs) continue;
      say(port, { kind: 'found', id, found });
      found = [];
      saidAt = performance.now();
    }
  } finally {
    await reader.close();
  }
  if (await isStopped()) return;
  say(port, { kind: 'found', id, found });
  say(port, { kind: 'searched', id });
}

/** What a thread does: it reads sessions into the index, or answers questions until it is ended. */
export async function answerHistory(
  port: HistoryPort,
  { index: file, files }: HistoryThreadData,
): Promise<void> {
  try {
    const index = await MessageIndex.open(file);
    if (files) {
      say(port, { kind: 'opened' });
      await update(port, index, files);
      index.close();
      port.close();
    } else {
      answerQuestions(port, index);
    }
  } catch (error) {
    failed(port, error);
  }
}
