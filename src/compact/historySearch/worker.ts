import { parentPort, workerData } from 'node:worker_threads';
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

export type HistoryAnswer =
  | { readonly kind: 'progress'; readonly progress: IndexProgress }
  | { readonly kind: 'unreadable'; readonly path: string }
  | { readonly kind: 'indexed' }
  | { readonly kind: 'found'; readonly id: number; readonly found: readonly FoundMessage[] }
  | { readonly kind: 'searched'; readonly id: number }
  | { readonly kind: 'failed'; readonly id?: number; readonly message: string };

const say = (answer: HistoryAnswer): void => parentPort?.postMessage(answer);

function failed(error: unknown, id?: number): void {
  const message = error instanceof Error ? error.message : String(error);
  say({ kind: 'failed', message, ...(id === undefined ? {} : { id }) });
}

/** Answers in time for the eyes, in milliseconds. */
const answerMs = 50;

async function update(index: MessageIndex, files: readonly SessionFile[]): Promise<void> {
  const reader = new SessionReader();
  let isStopped = false;
  parentPort?.once('message', () => (isStopped = true));
  let saidAt = 0;
  try {
    await indexSessions(index, {
      files,
      read: async path => reader.read(path),
      onProgress: progress => {
        if (performance.now() - saidAt < answerMs && progress.done < progress.total) return;
        saidAt = performance.now();
        say({ kind: 'progress', progress });
      },
      onUnreadable: path => say({ kind: 'unreadable', path }),
      isStopped: () => isStopped,
    });
  } finally {
    await reader.close();
  }
  say({ kind: 'indexed' });
}

function answerQuestions(index: MessageIndex): void {
  let newest = 0;
  parentPort?.on('message', ({ id, query, limit }: HistoryQuestion) => {
    newest = id;
    const search = async (): Promise<void> => {
      const reader = new SessionReader();
      let found: FoundMessage[] = [];
      let count = 0;
      let saidAt = performance.now();
      try {
        for await (const each of findMessages(index, query, async path => reader.read(path))) {
          // Questions that came meanwhile are heard here.
          await new Promise(resolve => setImmediate(resolve));
          if (newest !== id) return;
          found.push(each);
          if (++count >= limit) break;
          if (performance.now() - saidAt < answerMs) continue;
          say({ kind: 'found', id, found });
          found = [];
          saidAt = performance.now();
        }
      } finally {
        await reader.close();
      }
      say({ kind: 'found', id, found });
      say({ kind: 'searched', id });
    };
    search().catch((error: unknown) => failed(error, id));
  });
}

try {
  // Only `historyThreads.ts` starts this.
  const { index: file, files }: HistoryThreadData = workerData;
  const index = await MessageIndex.open(file);
  if (files) {
    await update(index, files);
    index.close();
    parentPort?.close();
  } else {
    answerQuestions(index);
  }
} catch (error) {
  failed(error);
}
