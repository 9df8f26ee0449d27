import { Worker } from 'node:worker_threads';
import type { HistoryAnswer, HistoryRequest, HistoryThreadData } from './answerHistory';
import type { FoundMessage } from './findMessages';
import type { IndexProgress, SessionFile } from './indexSessions';
import type { HistoryQuery } from './query';

/** Where the built thread and the index are. */
export interface HistoryPlaces {
  readonly script: string;
  readonly index: string;
}

export interface UpdateListener {
  /** The index is there, and others may open it. */
  readonly onOpened: () => void;
  readonly onProgress: (progress: IndexProgress) => void;
}

/**
 * Brings the index up to date in a thread. An abort ends it after the file that is being read; what is in the index
 * by then stays.
 * @returns the files that could not be read
 */
export async function updateIndex(
  { script, index }: HistoryPlaces,
  files: readonly SessionFile[],
  { onOpened, onProgress }: UpdateListener,
  signal: AbortSignal,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const data: HistoryThreadData = { index, files };
  const thread = new Worker(script, { workerData: data });
  const stop = (): void => thread.postMessage('stop');
  signal.addEventListener('abort', stop, { once: true });
  const unreadable: string[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      thread.on('message', (answer: HistoryAnswer) => {
        if (answer.kind === 'opened') onOpened();
        else if (answer.kind === 'progress') onProgress(answer.progress);
        else if (answer.kind === 'unreadable') unreadable.push(answer.path);
        else if (answer.kind === 'indexed') resolve();
        else if (answer.kind === 'failed') reject(new Error(answer.message));
      });
      thread.once('error', reject);
      thread.once('exit', code => reject(new Error(`the thread ended with ${code}`)));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
  return unreadable;
}

export interface SearchListener {
  readonly onFound: (found: readonly FoundMessage[]) => void;
  readonly onEnd: () => void;
  readonly onError: (error: Error) => void;
}

/** A thread that is asked to end reads one session to its end at most; in milliseconds. */
const maxEndMs = 5000;

/** A thread that searches, which reads while another one writes to the index. */
export class SearchThread {
  #thread: Worker | undefined;
  #id = 0;
  #listener: SearchListener | undefined;
  /** Asked before there was a thread. */
  #waiting: HistoryRequest | undefined;
  /** Why the thread ended, which answers no more. */
  #failure: Error | undefined;
  #isDisposed = false;
  #hasExited = false;

  /** @param isOpened the index, which the thread does not open before: two that make it anew at once destroy it. */
  constructor(places: HistoryPlaces, isOpened: Promise<void>) {
    void isOpened.then(() => this.#start(places));
  }

  #start({ script, index }: HistoryPlaces): void {
    if (this.#isDisposed) return;
    const data: HistoryThreadData = { index };
    this.#thread = new Worker(script, { workerData: data });
    this.#thread.on('message', (answer: HistoryAnswer) => this.#answered(answer));
    this.#thread.on('error', error => this.#ended(error));
    this.#thread.once('exit', () => (this.#hasExited = true));
    if (this.#waiting) this.#thread.postMessage(this.#waiting);
  }

  /** Asks for messages; an earlier question gets no more answers. */
  ask(query: HistoryQuery, limit: number, listener: SearchListener): void {
    this.#listener = listener;
    this.#send({ id: ++this.#id, query, limit });
    const failure = this.#failure;
    // The one who asks hears of it as of any other failure: later.
    if (failure) setImmediate(() => this.#listener === listener && listener.onError(failure));
  }

  /** Wants no more answers. */
  forget(): void {
    this.#id++;
    this.#listener = undefined;
    this.#send('forget');
  }

  /** The thread takes away its copies of databases, unless that lasts too long. */
  async dispose(endMs = maxEndMs): Promise<void> {
    this.#isDisposed = true;
    this.#listener = undefined;
    const thread = this.#thread;
    if (!thread || this.#hasExited) return;
    const timer = setTimeout(() => void thread.terminate(), endMs);
    this.#send('close');
    await new Promise(resolve => thread.once('exit', resolve));
    clearTimeout(timer);
  }

  #send(request: HistoryRequest): void {
    this.#waiting = request;
    this.#thread?.postMessage(request);
  }

  #answered(answer: HistoryAnswer): void {
    if (answer.kind === 'failed') {
      const error = new Error(answer.message);
      if (answer.id === undefined) this.#ended(error);
      else if (answer.id === this.#id) this.#listener?.onError(error);
    } else if ('id' in answer && answer.id === this.#id) {
      if (answer.kind === 'found') this.#listener?.onFound(answer.found);
      else this.#listener?.onEnd();
    }
  }

  #ended(error: unknown): void {
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#listener?.onError(this.#failure);
  }
}
