import type { MessagePort } from 'node:worker_threads';
import { Sequencer } from '../../base/async/sequencer';
import type { CandidateQuery, FoundCandidates } from '../local/candidateIndex';
import { findCandidates } from '../local/candidates';
import { type Correction, NearWordFinder } from '../local/query/misspelled';
import { TermFinder } from '../local/query/termFinder';
import { CountedTerms } from './countTerms';
import { FolderIndex, type IndexedFolder } from './folderIndex';

/** What the thread is told and asked. A folder goes by the path of its root. */
export type IndexRequest =
  | { readonly kind: 'open'; readonly folder: IndexedFolder }
  | { readonly kind: 'update'; readonly root: string; readonly paths: readonly string[] }
  | { readonly kind: 'verify'; readonly root: string }
  | { readonly kind: 'close'; readonly root: string }
  | { readonly kind: 'find'; readonly id: number; readonly query: CandidateQuery }
  | {
      readonly kind: 'filesWith';
      readonly id: number;
      readonly root: string;
      readonly name: string;
    }
  | {
      readonly kind: 'correct';
      readonly id: number;
      readonly roots: readonly string[];
      readonly words: readonly string[];
    };

export type IndexAnswer =
  | { readonly kind: 'ready'; readonly root: string; readonly size: IndexSize }
  | { readonly kind: 'verified'; readonly root: string; readonly missed: number }
  | { readonly kind: 'failed'; readonly root: string; readonly message: string }
  | {
      readonly kind: 'found';
      readonly id: number;
      readonly found: FoundCandidates | undefined;
    }
  | {
      readonly kind: 'filesFound';
      readonly id: number;
      readonly files: readonly string[] | undefined;
    }
  | {
      readonly kind: 'corrected';
      readonly id: number;
      readonly corrections: readonly Correction[] | undefined;
    };

export interface IndexSize {
  readonly files: number;
  readonly bytes: number;
  /** Milliseconds until it was ready. */
  readonly ms: number;
}

/** The end of the thread at which it is asked, and answers. */
export type IndexPort = Pick<MessagePort, 'on' | 'postMessage'>;

/** A question waits so long for changes that are being read, in milliseconds. */
const maxWaitMs = 100;

/** Answers what the thread of the indexes is asked. */
export function answerIndex(port: IndexPort): void {
  const indexes = new Map<string, OpenIndex>();
  const say = (answer: IndexAnswer): void => port.postMessage(answer);
  port.on('message', (request: IndexRequest) => {
    switch (request.kind) {
      case 'open':
        indexes.get(request.folder.root)?.close();
        indexes.set(request.folder.root, new OpenIndex(request.folder, say));
        return;
      case 'update':
        indexes.get(request.root)?.update(request.paths);
        return;
      case 'verify':
        indexes.get(request.root)?.verify();
        return;
      case 'close':
        indexes.get(request.root)?.close();
        indexes.delete(request.root);
        return;
      case 'find':
        void find(indexes, request.query).then(found => {
          say({ kind: 'found', id: request.id, found });
        });
        return;
      case 'filesWith':
        void filesWith(indexes, request).then(files => {
          say({ kind: 'filesFound', id: request.id, files });
        });
        return;
      case 'correct':
        void correctionsOf(indexes, request).then(corrections => {
          say({ kind: 'corrected', id: request.id, corrections });
        });
    }
  });
}

type OpenIndexes = ReadonlyMap<string, OpenIndex>;

/** The indexes of roots, in their order; undefined unless all are there and have what they were told of. */
async function currentOf(
  indexes: OpenIndexes,
  roots: readonly string[],
): Promise<FolderIndex[] | undefined> {
  const opened = roots.map(root => indexes.get(root));
  await Promise.all(opened.map(async index => index?.settled(maxWaitMs)));
  const current = opened.flatMap(index => (index?.isCurrent ? [index.files] : []));
  return current.length === roots.length ? current : undefined;
}

async function find(
  indexes: OpenIndexes,
  { roots, ...query }: CandidateQuery,
): Promise<FoundCandidates | undefined> {
  const current = await currentOf(
    indexes,
    roots.map(({ path }) => path),
  );
  if (!current) return undefined;
  const wanted = new CountedTerms(query.terms);
  const counted = roots.flatMap(({ unsaved, without }, at) => {
    const files = current[at];
    return files ? [files.counted(wanted, unsaved, without)] : [];
  });
  return findCandidates(query, new TermFinder(query.terms), counted);
}

async function filesWith(
  indexes: OpenIndexes,
  { root, name }: Extract<IndexRequest, { kind: 'filesWith' }>,
): Promise<string[] | undefined> {
  const current = await currentOf(indexes, [root]);
  return current?.[0]?.filesWith(name);
}

async function correctionsOf(
  indexes: OpenIndexes,
  { roots, words }: Extract<IndexRequest, { kind: 'correct' }>,
): Promise<Correction[] | undefined> {
  const current = await currentOf(indexes, roots);
  if (!current) return undefined;
  const finder = new NearWordFinder(words);
  for (const files of current) files.findNear(finder);
  return finder.corrections();
}

/** An index with what is to be done to it, one after the other. */
class OpenIndex {
  readonly files: FolderIndex;
  readonly #root: string;
  readonly #say: (answer: IndexAnswer) => void;
  readonly #stop = new AbortController();
  readonly #sequence = new Sequencer();
  #isReady = false;
  /** Updates that are not yet in the index. */
  #updates = 0;
  #updated = Promise.resolve();

  constructor(folder: IndexedFolder, say: (answer: IndexAnswer) => void) {
    this.files = new FolderIndex(folder, this.#stop.signal);
    this.#root = folder.root;
    this.#say = say;
    const startedAt = performance.now();
    void this.#do(async () => {
      await this.files.load();
      await this.files.verify();
      this.#isReady = true;
      const { size: count, bytes } = this.files;
      const size = { files: count, bytes, ms: performance.now() - startedAt };
      say({ kind: 'ready', root: this.#root, size });
    });
  }

  /** Whether it has everything that it was told of. */
  get isCurrent(): boolean {
    return this.#isReady && this.#updates === 0;
  }

  /** Waits for the updates, but not for long. */
  async settled(maxMs: number): Promise<void> {
    if (!this.#isReady || this.#updates === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(resolve => (timer = setTimeout(resolve, maxMs)));
    await Promise.race([this.#updated, late]);
    clearTimeout(timer);
  }

  update(paths: readonly string[]): void {
    this.#updates++;
    this.#updated = this.#do(async () => this.files.update(paths)).finally(() => this.#updates--);
  }

  verify(): void {
    void this.#do(async () => {
      const { missed } = await this.files.verify();
      this.#say({ kind: 'verified', root: this.#root, missed });
    });
  }

  close(): void {
    this.#isReady = false;
    this.#stop.abort();
  }

  /** An index that failed may lack anything. */
  async #do(work: () => Promise<void>): Promise<void> {
    await this.#sequence.run(async () => {
      if (this.#stop.signal.aborted) return;
      try {
        await work();
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.close();
        const message = error instanceof Error ? error.message : String(error);
        this.#say({ kind: 'failed', root: this.#root, message });
      }
    });
  }
}
