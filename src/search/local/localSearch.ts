import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { findCandidates } from './candidates';
import { type FileText, TextReader } from './fileText';
import { GitLog } from './gitLog';
import { FileHistory } from './history';
import { type FileOptions, filesPerBatch, findHits, type Hits, readDisk } from './hits';
import { requestedKindsOf } from './paths';
import { TermFinder } from './query/termFinder';
import { type Term, termsOf } from './query/terms';
import { type RankedFile, rank } from './rank';
import { spansOf } from './spans';
import { spanLimits } from './weights';

/** Lines of a file, 1-based and inclusive. The path is relative to the root, with `/`. */
export interface LocalResult {
  path: string;
  startLine: number;
  endLine: number;
  /** Relative to the best file of this search, whose score is 1. */
  score: number;
}

export interface LocalSummary {
  /** Files that were searched. */
  files: number;
  ms: number;
  /** False when ripgrep was not available and files were read by Node instead. */
  usedRipgrep: boolean;
  usedHistory: boolean;
}

export interface LocalGit {
  dir: string;
  rev: string;
  /** Path of the root in the repository, ending in `/`; absent when it is the root of the repository. */
  prefix?: string;
}

export interface LocalSearchOptions extends FileOptions {
  /** Files wanted. Each has up to three spans. */
  limit: number;
  /** A repository or its `.git` folder, and the revision that the files are of. */
  git?: LocalGit | undefined;
  /** Called with a first good answer, at most once, when the search takes longer than `firstMs`. */
  onFirst?: (results: LocalResult[]) => void;
  firstMs?: number;
  onSummary?: (summary: LocalSummary) => void;
}

/** How long a search waits for the git history. Only the first read of a large repository takes longer. */
const maxHistoryWaitMs = 400;

const gitLog = new GitLog();

/**
 * Finds the files and lines that a description in plain words is about, without an index: one search for
 * all terms of the query, then a closer look at the most promising files.
 * Rejects with the reason of the signal when it is aborted.
 */
export async function localSearch(
  root: string,
  query: string,
  options: LocalSearchOptions,
): Promise<LocalResult[]> {
  options.signal?.throwIfAborted();
  const terms = termsOf(query);
  return terms.length === 0 ? [] : new LocalSearchRun(root, query, terms, options).run();
}

/** Preliminary results are not published earlier, since most searches finish by then. */
const defaultFirstMs = 80;
/** Delay before the next attempt when there were no results yet. */
const retryMs = 20;

class LocalSearchRun {
  readonly #root: string;
  readonly #terms: readonly Term[];
  readonly #options: LocalSearchOptions;
  readonly #finder: TermFinder;
  readonly #reader: TextReader;
  readonly #requestedKinds: ReturnType<typeof requestedKindsOf>;
  readonly #texts = new Map<string, { text: string; facts: FileText }>();
  readonly #startedAt = performance.now();
  #history: FileHistory;
  #isDone = false;

  constructor(root: string, query: string, terms: readonly Term[], options: LocalSearchOptions) {
    this.#root = root;
    this.#terms = terms;
    this.#options = options;
    this.#finder = new TermFinder(terms);
    this.#reader = new TextReader(terms, this.#finder);
    this.#requestedKinds = requestedKindsOf(query);
    this.#history = new FileHistory(terms, [], '');
  }

  async run(): Promise<LocalResult[]> {
    const { signal, onSummary, limit } = this.#options;
    const reading = this.#readHistory();
    const { files, counts, usedRipgrep } = await findHits(
      this.#root,
      this.#finder,
      this.#terms.length,
      this.#options,
      partial => void this.#publishEarly(partial),
    );
    const found = this.#candidates(files, counts);
    await this.#read(found.candidates);
    if (reading) await withTimeout(maxHistoryWaitMs, reading, signal);
    signal?.throwIfAborted();
    this.#isDone = true;
    const results = resultsOf(this.#rank(found), this.#texts, limit);
    onSummary?.({
      files: files.length,
      ms: performance.now() - this.#startedAt,
      usedRipgrep,
      usedHistory: !this.#history.isEmpty,
    });
    return results;
  }

  /** Publishes preliminary results from the file names and the hits counted so far. */
  async #publishEarly({ files, counts }: Hits): Promise<void> {
    const { onFirst, firstMs = defaultFirstMs, limit, signal } = this.#options;
    if (!onFirst) return;
    let waitMs = firstMs - (performance.now() - this.#startedAt);
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, Math.max(1, waitMs)));
      if (this.#isDone || signal?.aborted) return;
      const { candidates, corpus } = this.#candidates(files, counts);
      const pool = candidates.slice(0, 2 * limit);
      await this.#read(pool).catch(() => undefined);
      if (this.#isDone || signal?.aborted) return;
      const results = resultsOf(this.#rank({ candidates: pool, corpus }), this.#texts, limit);
      if (results.length > 0) return onFirst(results);
      waitMs = retryMs;
    }
  }

  /** When git cannot read the repository, the search runs without its history. */
  #readHistory(): Promise<void> | undefined {
    const { git } = this.#options;
    if (!git) return undefined;
    return gitLog.read(git.dir, git.rev).then(
      commits => {
        this.#history = new FileHistory(this.#terms, commits, git.prefix ?? '');
      },
      () => undefined,
    );
  }

  #candidates(files: string[], counts: Map<string, Float32Array>): Found {
    return findCandidates(this.#terms, this.#finder, files, counts, this.#requestedKinds);
  }

  async #read(pool: Found['candidates']): Promise<void> {
    const { signal, readText } = this.#options;
    for (let at = 0; at < pool.length; at += filesPerBatch) {
      signal?.throwIfAborted();
      for (const { path: file } of pool.slice(at, at + filesPerBatch)) {
        if (this.#texts.has(file)) continue;
        const absolute = path.join(this.#root, file);
        const text = (await readText?.(absolute)) ?? readDisk(absolute);
        if (text !== undefined) this.#texts.set(file, { text, facts: this.#reader.read(text) });
      }
      await setImmediate();
    }
  }

  #rank({ candidates, corpus }: Found): RankedFile[] {
    const read = candidates.flatMap(candidate => {
      const known = this.#texts.get(candidate.path);
      if (!known) return [];
      return [{ candidate, text: known.facts, history: this.#history.of(candidate.path) }];
    });
    return rank(this.#terms, corpus, this.#requestedKinds, read);
  }
}

type Found = ReturnType<typeof findCandidates>;

async function withTimeout<T>(
  ms: number,
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve, reject) => {
        timer = setTimeout(() => resolve(undefined), ms);
        abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
  }
}

/** Better ranked files get more lines, so that all results stay short enough to read. */
function resultsOf(
  ranked: readonly RankedFile[],
  texts: ReadonlyMap<string, { text: string; facts: FileText }>,
  limit: number,
): LocalResult[] {
  const best = ranked[0]?.score ?? 0;
  return ranked.slice(0, limit).flatMap(({ path: file, score, weights }, index) => {
    const read = texts.get(file);
    const lines = spanLimits.linesByRank[index] ?? spanLimits.linesByRank.at(-1) ?? 0;
    const spans = read ? spansOf(read.text, read.facts.hits, weights, lines) : [];
    return spans.map(span => ({ path: file, ...span, score: Math.exp(score - best) }));
  });
}
