import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { ChatFile, ErasedChat, Erasure, WriteRequest } from '../sessions/chat';
import { type NewSession, UnsupportedHistory } from '../sessions/history';
import { NoSqlite } from '../sessions/stores/databaseCopy';
import type { StoredPlace, StoredSession } from '../sessions/stores/storedSession';
import type { Compaction, CompactPlan } from './engine';
import { type OpenedChat, runTask, type WorkerResult, type WorkerTask } from './workerTasks';

/** Longer texts, in characters, are processed in a worker thread; shorter ones take a few hundredths of a second. */
const maxInlineChars = 5_000_000;
/** A text that is written is parsed twice or more and searched for the lines that go: 1 MB took 70 to 1100 ms. */
const writtenWeight = 25;
/** A database is copied and searched, of which 700 MB held a thread up for one second. */
const databaseWeight = 0.25;

type WorkerMessage =
  | { readonly done: WorkerResult }
  | {
      readonly refused: { tool: string; what: string; advice: string } | undefined;
      readonly hasNoSqlite?: boolean;
      readonly message: string;
    };

/** Runs tasks on this thread or, when the text is long, in a worker thread that an abort terminates. */
export class WorkerClient {
  readonly #script: string;
  readonly #limit: number;

  /** @param script path of the built `worker.js`. */
  constructor(script: string, limit = maxInlineChars) {
    this.#script = script;
    this.#limit = limit;
  }

  /** @throws {UnsupportedHistory} */
  async open(file: ChatFile, signal: AbortSignal): Promise<OpenedChat> {
    return required((await this.#run({ kind: 'open', file }, signal)).opened);
  }

  async compact(
    { chat, lineIndex }: OpenedChat,
    plan: CompactPlan,
    signal: AbortSignal,
  ): Promise<Compaction> {
    return required(
      (await this.#run({ kind: 'compact', chat, lineIndex, plan }, signal)).compaction,
    );
  }

  /** @throws {UnsupportedHistory} */
  async write(file: ChatFile, request: WriteRequest, signal: AbortSignal): Promise<NewSession> {
    return required((await this.#run({ kind: 'write', file, request }, signal)).session);
  }

  /** @throws {UnsupportedHistory} */
  async erase(file: ChatFile, erasure: Erasure, signal: AbortSignal): Promise<ErasedChat> {
    return required((await this.#run({ kind: 'erase', file, erasure }, signal)).erased);
  }

  /**
   * See `listStored` of the stores. Cannot be aborted: a thread that is ended leaves its copy.
   * @throws {UnsupportedHistory | NoSqlite}
   */
  async listStored(database: string, limit: number): Promise<readonly StoredSession[]> {
    return required((await this.#run({ kind: 'listStored', database, limit })).listed);
  }

  /**
   * See `readStored` of the stores. Cannot be aborted: a thread that is ended leaves its copy.
   * @throws {UnsupportedHistory | NoSqlite}
   */
  async readStored(place: StoredPlace): Promise<string | undefined> {
    return required((await this.#run({ kind: 'readStored', ...place })).read).text;
  }

  async #run(task: WorkerTask, signal = new AbortController().signal): Promise<WorkerResult> {
    const size = await sizeOf(task);
    signal.throwIfAborted();
    if (size > this.#limit) return this.#runInThread(task, signal);
    return runTask(task, { newId: randomUUID, now: () => performance.now() });
  }

  async #runInThread(task: WorkerTask, signal: AbortSignal): Promise<WorkerResult> {
    const worker = new Worker(this.#script, { workerData: task });
    try {
      return await new Promise<WorkerResult>((resolve, reject) => {
        const stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        worker.once('message', (answer: WorkerMessage) => {
          signal.removeEventListener('abort', stop);
          if ('done' in answer) {
            resolve(answer.done);
          } else if (answer.refused) {
            const { tool, what, advice } = answer.refused;
            reject(new UnsupportedHistory(tool, what, advice));
          } else {
            reject(new (answer.hasNoSqlite ? NoSqlite : Error)(answer.message));
          }
        });
        worker.once('error', reject);
        worker.once('exit', code => reject(new Error(`the thread ended with ${code}`)));
      });
    } finally {
      await worker.terminate();
    }
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('the work has no result');
  return value;
}

/** The size of a task: the characters that it reads, each as often as it is read. */
async function sizeOf(task: WorkerTask): Promise<number> {
  if (task.kind === 'compact') return task.lineIndex.text.length;
  if (task.kind === 'listStored' || task.kind === 'readStored') {
    // One that is gone is reported when it is read.
    const found = await stat(task.database).catch(() => undefined);
    return (found?.size ?? 0) * databaseWeight;
  }
  return task.file.text.length * (task.kind === 'open' ? 1 : writtenWeight);
}
