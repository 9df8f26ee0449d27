import { Worker } from 'node:worker_threads';
import type { CandidateQuery, FoundCandidates } from '../local/candidateIndex';
import type { Correction } from '../local/query/misspelled';
import type { IndexAnswer, IndexRequest, IndexSize } from './answerIndex';
import type { IndexedFolder } from './folderIndex';
import type { SearchIndex } from './folderIndexes';

export interface IndexListener {
  readonly onReady: (root: string, size: IndexSize) => void;
  /** @param missed how many changes the index had not been told of */
  readonly onVerified: (root: string, missed: number) => void;
  /** The index of the root is closed; of all roots when there is none. */
  readonly onFailed: (root: string | undefined, message: string) => void;
}

/** Milliseconds after which a question is answered by searching the files. */
const maxAnswerMs = 400;

/** Reading files makes much garbage. With the default the thread has 100 MB more, and is slower. */
const youngGenerationMb = 16;

/** Keeps indexes of folders in a thread of its own. */
export class IndexThread implements SearchIndex {
  readonly #thread: Worker;
  readonly #listener: IndexListener;
  readonly #ready = new Set<string>();
  readonly #waiting = new Map<number, (answer: IndexAnswer | undefined) => void>();
  #id = 0;

  /** @param script the built thread */
  constructor(script: string, listener: IndexListener) {
    this.#listener = listener;
    this.#thread = new Worker(script, {
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    this.#thread.on('message', (answer: IndexAnswer) => this.#answered(answer));
    this.#thread.on('error', error => this.#ended(String(error)));
    this.#thread.on('exit', code => this.#ended(`the thread ended with ${code}`));
    // It has nothing that must be finished before the process may end.
    this.#thread.unref();
  }

  open(folder: IndexedFolder): void {
    this.#ready.delete(folder.root);
    this.#say({ kind: 'open', folder });
  }

  update(root: string, paths: readonly string[]): void {
    this.#say({ kind: 'update', root, paths });
  }

  verify(root: string): void {
    this.#say({ kind: 'verify', root });
  }

  close(root: string): void {
    this.#ready.delete(root);
    this.#say({ kind: 'close', root });
  }

  async find(query: CandidateQuery): Promise<FoundCandidates | undefined> {
    if (!query.roots.every(({ path }) => this.#ready.has(path))) return undefined;
    const answer = await this.#ask({ kind: 'find', id: ++this.#id, query });
    return answer?.kind === 'found' ? answer.found : undefined;
  }

  async filesWith(root: string, name: string): Promise<readonly string[] | undefined> {
    if (!this.#ready.has(root)) return undefined;
    const answer = await this.#ask({ kind: 'filesWith', id: ++this.#id, root, name });
    return answer?.kind === 'filesFound' ? answer.files : undefined;
  }

  async correctionsOf(
    roots: readonly string[],
    words: readonly string[],
  ): Promise<readonly Correction[] | undefined> {
    if (!roots.every(root => this.#ready.has(root))) return undefined;
    const answer = await this.#ask({ kind: 'correct', id: ++this.#id, roots, words });
    return answer?.kind === 'corrected' ? answer.corrections : undefined;
  }

  async dispose(): Promise<void> {
    this.#thread.removeAllListeners();
    this.#forgetAll();
    await this.#thread.terminate();
  }

  /** Undefined when there is no answer in time. */
  async #ask(request: IndexRequest & { readonly id: number }): Promise<IndexAnswer | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<IndexAnswer | undefined>(resolve => {
      this.#waiting.set(request.id, resolve);
      timer = setTimeout(() => resolve(undefined), maxAnswerMs);
      this.#say(request);
    });
    clearTimeout(timer);
    this.#waiting.delete(request.id);
    return answer;
  }

  #say(request: IndexRequest): void {
    this.#thread.postMessage(request);
  }

  #answered(answer: IndexAnswer): void {
    switch (answer.kind) {
      case 'found':
      case 'filesFound':
      case 'corrected':
        this.#waiting.get(answer.id)?.(answer);
        return;
      case 'ready':
        this.#ready.add(answer.root);
        this.#listener.onReady(answer.root, answer.size);
        return;
      case 'verified':
        this.#listener.onVerified(answer.root, answer.missed);
        return;
      case 'failed':
        this.#ready.delete(answer.root);
        this.#listener.onFailed(answer.root, answer.message);
    }
  }

  #ended(message: string): void {
    this.#forgetAll();
    this.#listener.onFailed(undefined, message);
  }

  #forgetAll(): void {
    this.#ready.clear();
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }
}
