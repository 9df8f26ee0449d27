import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { ChatFile, WriteRequest } from './chat';
import type { Compaction, CompactPlan } from './engine';
import { type NewSession, UnsupportedHistory } from './histories/history';
import { type Done, doWork, type OpenedChat, type Work } from './work';

/** Characters above which work is done in a thread of its own; less takes a few hundredths of a second. */
const longText = 5_000_000;

type Answer =
  | { readonly done: Done }
  | {
      readonly refused: { tool: string; what: string; advice: string } | undefined;
      readonly message: string;
    };

/** Does work here or, when it is large, in a thread that an abort ends. */
export class WorkThread {
  readonly #script: string;
  readonly #limit: number;

  /** @param script path of the built `worker.js`. */
  constructor(script: string, limit = longText) {
    this.#script = script;
    this.#limit = limit;
  }

  /** @throws {UnsupportedHistory} */
  async open(file: ChatFile, signal: AbortSignal): Promise<OpenedChat> {
    return needed((await this.#run({ kind: 'open', file }, signal)).opened);
  }

  async compact(
    { chat, sheet }: OpenedChat,
    plan: CompactPlan,
    signal: AbortSignal,
  ): Promise<Compaction> {
    return needed((await this.#run({ kind: 'compact', chat, sheet, plan }, signal)).compaction);
  }

  /** @throws {UnsupportedHistory} */
  async write(file: ChatFile, request: WriteRequest, signal: AbortSignal): Promise<NewSession> {
    return needed((await this.#run({ kind: 'write', file, request }, signal)).session);
  }

  async #run(work: Work, signal: AbortSignal): Promise<Done> {
    signal.throwIfAborted();
    if (sizeOf(work) > this.#limit) return this.#runInThread(work, signal);
    return doWork(work, { newId: randomUUID, now: () => performance.now() });
  }

  async #runInThread(work: Work, signal: AbortSignal): Promise<Done> {
    const worker = new Worker(this.#script, { workerData: work });
    try {
      return await new Promise<Done>((resolve, reject) => {
        const stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        worker.once('message', (answer: Answer) => {
          signal.removeEventListener('abort', stop);
          if ('done' in answer) resolve(answer.done);
          else if (answer.refused) {
            const { tool, what, advice } = answer.refused;
            reject(new UnsupportedHistory(tool, what, advice));
          } else reject(new Error(answer.message));
        });
        worker.once('error', reject);
        worker.once('exit', code => reject(new Error(`the thread ended with ${code}`)));
      });
    } finally {
      await worker.terminate();
    }
  }
}

function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('the work has no result');
  return value;
}

function sizeOf(work: Work): number {
  return work.kind === 'compact' ? work.sheet.text.length : work.file.text.length;
}
