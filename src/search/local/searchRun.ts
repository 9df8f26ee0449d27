import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { findCandidates } from './candidates';
import { type FileText, TextReader } from './fileText';
import { GitLog } from './gitLog';
import { type Commit, FileHistory } from './history';
import { filesPerBatch, findHits, type Hits, readDisk } from './hits';
import type { LocalGit, LocalRoot, LocalSummary, RootResult, RootsOptions } from './localSearch';
import { requestedKindsOf } from './paths';
import { TermFinder } from './query/termFinder';
import type { Term } from './query/terms';
import { type RankedFile, rank } from './rank';
import { spansOf } from './spans';
import { spanLimits } from './weights';

/** How long results wait for the git history before they are shown without it, and then sorted anew. */
const quickHistoryMs = 100;
/** Only the first read of a very large repository takes longer. */
const defaultHistoryMs = 10_000;

const gitLog = new GitLog();

/** Preliminary results are not published earlier, since most searches finish by then. */
const defaultFirstMs = 80;
/** Delay before the next attempt when there were no results yet. */
const retryMs = 20;

/** One search in one or more roots. */
export class LocalSearchRun {
  readonly #roots: readonly LocalRoot[];
  readonly #terms: readonly Term[];
  readonly #options: RootsOptions;
  readonly #finder: TermFinder;
  readonly #reader: TextReader;
  readonly #requestedKinds: ReturnType<typeof requestedKindsOf>;
  /** By absolute path. */
  readonly #texts = new Map<string, ReadText>();
  readonly #startedAt = performance.now();
  #history: FileHistory;
  #isDone = false;

  constructor(
    roots: readonly LocalRoot[],
    query: string,
    terms: readonly Term[],
    options: RootsOptions,
  ) {
    this.#roots = roots;
    this.#terms = terms;
    this.#options = options;
    this.#finder = new TermFinder(terms);
    this.#reader = new TextReader(terms, this.#finder);
    this.#requestedKinds = requestedKindsOf(query);
    this.#history = new FileHistory(terms, new Map());
  }

  async run(): Promise<RootResult[]> {
    const { signal, onSummary } = this.#options;
    const reading = this.#readHistory();
    const hits = await this.#findHits();
    const found = this.#candidates(hits);
    await this.#read(found.candidates);
    signal?.throwIfAborted();
    this.#isDone = true;
    const { results, history } = await this.#inOrder(found, reading);
    onSummary?.({
      files: hits.reduce((sum, { files }) => sum + files.length, 0),
      ms: performance.now() - this.#startedAt,
      usedRipgrep: hits.every(({ usedRipgrep }) => usedRipgrep),
      usedHistory: !this.#history.isEmpty,
      history,
      cut: hits.find(({ cut }) => cut !== undefined)?.cut,
    });
    return results;
  }

  /** The results in their final order. Those without the history are published when it is late. */
  async #inOrder(
    found: Found,
    reading: Promise<void> | undefined,
  ): Promise<{ results: RootResult[]; history?: LocalSummary['history'] }> {
    const { signal, onBeforeHistory, historyMs = defaultHistoryMs } = this.#options;
    if (!reading || (await endsWithin(quickHistoryMs, reading, signal))) {
      return { results: this.#resultsOf(found) };
    }
    const before = this.#resultsOf(found);
    onBeforeHistory?.(before);
    if (!(await endsWithin(historyMs, reading, signal))) {
      return { results: before, history: 'missing' };
    }
    const results = this.#resultsOf(found);
    const files = [before, results].map(list =>
      list.map(({ root, path: file }) => `${root}:${file}`),
    );
    const isSame = files[0]?.join('\n') === files[1]?.join('\n');
    return { results, history: isSame ? undefined : 'late' };
  }

  /** The hits of all roots, in their order. */
  async #findHits(): Promise<Hits[]> {
    const partial: Hits[] = this.#roots.map(() => noHits);
    let isPublishing = false;
    return Promise.all(
      this.#roots.map(async ({ path: root }, index) => {
        const isElsewhere = this.#isInInnerRoot(root);
        const onListed = (listed: Hits): void => {
          partial[index] = listed;
          if (!isPublishing) void this.#publishEarly(partial);
          isPublishing = true;
        };
        const { length } = this.#terms;
        const hits = await findHits(root, this.#finder, length, this.#options, onListed);
        return isElsewhere
          ? { ...hits, files: hits.files.filter(file => !isElsewhere(file)) }
          : hits;
      }),
    );
  }

  /** Whether a file of a root belongs to another root inside of it; undefined when there is none. */
  #isInInnerRoot(root: string): ((file: string) => boolean) | undefined {
    const inner = this.#roots.flatMap(({ path: other }) =>
      other !== root && other.startsWith(root + path.sep)
        ? [`${path.relative(root, other).split(path.sep).join('/')}/`]
        : [],
    );
    return inner.length === 0 ? undefined : file => inner.some(folder => file.startsWith(folder));
  }

  /** Publishes preliminary results from the file names and the hits counted so far. */
  async #publishEarly(partial: readonly Hits[]): Promise<void> {
    const { onFirst, firstMs = defaultFirstMs, limit, signal } = this.#options;
    if (!onFirst) return;
    let waitMs = firstMs - (performance.now() - this.#startedAt);
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, Math.max(1, waitMs)));
      if (this.#isDone || signal?.aborted) return;
      const { candidates, corpus } = this.#candidates(partial);
      const pool = candidates.slice(0, 2 * limit);
      await this.#read(pool).catch(() => undefined);
      if (this.#isDone || signal?.aborted) return;
      const results = this.#resultsOf({ candidates: pool, corpus });
      if (results.length > 0) return onFirst(results);
      waitMs = retryMs;
    }
  }

  /** When git cannot read a repository, the search runs without its history. */
  #readHistory(): Promise<void> | undefined {
    const repositories = new Map(
      this.#roots.flatMap(({ git }) => (git ? [[repositoryOf(git), git] as const] : [])),
    );
    if (repositories.size === 0) return undefined;
    return Promise.all(
      [...repositories].map(async ([key, { dir, rev }]) => {
        const commits = await gitLog.read(dir, rev).catch((): Commit[] => []);
        return [key, commits] as const;
      }),
    ).then(logs => {
      this.#history = new FileHistory(this.#terms, new Map(logs));
    });
  }

  #candidates(hits: readonly Hits[]): Found {
    return findCandidates(this.#terms, this.#finder, hits, this.#requestedKinds);
  }

  async #read(pool: Found['candidates']): Promise<void> {
    const { signal, readText } = this.#options;
    for (let at = 0; at < pool.length; at += filesPerBatch) {
      signal?.throwIfAborted();
      for (const candidate of pool.slice(at, at + filesPerBatch)) {
        const absolute = this.#absolute(candidate);
        if (this.#texts.has(absolute)) continue;
        const text = (await readText?.(absolute)) ?? readDisk(absolute);
        if (text !== undefined) this.#texts.set(absolute, { text, facts: this.#reader.read(text) });
      }
      await setImmediate();
    }
  }

  #absolute({ root, path: file }: Pick<RankedFile, 'root' | 'path'>): string {
    return path.join(this.#roots[root]?.path ?? '', file);
  }

  #rank({ candidates, corpus }: Found): RankedFile[] {
    const read = candidates.flatMap(candidate => {
      const known = this.#texts.get(this.#absolute(candidate));
      if (!known) return [];
      const git = this.#roots[candidate.root]?.git;
      const inRepository = `${git?.prefix ?? ''}${candidate.path}`;
      const history = this.#history.of(git ? repositoryOf(git) : '', inRepository);
      return [{ candidate, text: known.facts, history }];
    });
    return rank(this.#terms, corpus, this.#requestedKinds, read);
  }

  /** Better ranked files get more lines, so that all results stay short enough to read. */
  #resultsOf(found: Found): RootResult[] {
    const ranked = this.#rank(found);
    const best = ranked[0]?.score ?? 0;
    return ranked.slice(0, this.#options.limit).flatMap((file, index) => {
      const read = this.#texts.get(this.#absolute(file));
      const lines = spanLimits.linesByRank[index] ?? spanLimits.linesByRank.at(-1) ?? 0;
      const spans = read ? spansOf(read.text, read.facts.hits, file.weights, lines) : [];
      const { root, path: below } = file;
      const score = Math.exp(file.score - best);
      return spans.map(span => ({ root, path: below, ...span, score }));
    });
  }
}

interface ReadText {
  readonly text: string;
  readonly facts: FileText;
}

type Found = ReturnType<typeof findCandidates>;

const noHits: Hits = { files: [], counts: new Map(), usedRipgrep: false };

const repositoryOf = ({ dir, rev }: LocalGit): string => `${dir}\0${rev}`;

/** Whether a promise, which does not reject, is fulfilled in time. */
async function endsWithin(
  ms: number,
  promise: Promise<void>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await Promise.race([
      promise.then(() => true),
      new Promise<false>((resolve, reject) => {
        timer = setTimeout(() => resolve(false), ms);
        abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
  }
}
