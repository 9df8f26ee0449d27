import { isAbortError, systemClock } from '../base/async/clock';
import { type AgentEvent, type AgentOutcome, SearchFailure } from './agent/searchAgent';
import { engineOf, fuse, type LocatedFile } from './fusion';
import type { LocalSummary } from './local/localSearch';
import { corrected } from './local/query/misspelled';
import { describeFile, type FoundFile, type RawFile, type SearchEngine } from './view/results';
import { Trace } from './view/trace';

/** What the local engine found. */
export interface LocalAnswer {
  readonly files: readonly RawFile[];
  /** Number of files that were searched; undefined when the query has no word to search for. */
  readonly searched: number | undefined;
  readonly usedIndex?: boolean | undefined;
  /** What is to be said of the order; see {@link LocalSummary}. */
  readonly history?: LocalSummary['history'];
  /** Which limit ended the search early. */
  readonly cut?: LocalSummary['cut'];
  /** Words that no file has, and what was looked for in their place. */
  readonly corrections?: LocalSummary['corrections'];
}

/** @param missing what the order of these files lacks */
export type OnPartial = (files: readonly RawFile[], missing: 'rank' | 'history') => void;

export interface SearchParts {
  readonly query: string;
  readonly signal: AbortSignal;
  /** Local files that are shown at most. */
  readonly limit: number;
  /** @param onPartial gets results before their order is final. */
  readonly local: (signal: AbortSignal, onPartial: OnPartial) => Promise<LocalAnswer>;
  /**
   * Absent when only the local engine searches.
   * @param known what the local engine found so far, best first
   */
  readonly model?:
    | ((
        signal: AbortSignal,
        onEvent: (event: AgentEvent) => void,
        known: readonly FoundFile[],
      ) => Promise<AgentOutcome>)
    | undefined;
  /** Resolves files of the model's answer in the workspace; those that are missing or not allowed are left out. */
  readonly locate: (files: AgentOutcome['files']) => Promise<readonly LocatedFile[]>;
  /** The current text, including unsaved changes; undefined when it cannot be read. */
  readonly readText: (file: RawFile) => Promise<string | undefined>;
  readonly onChange: (state: SearchState) => void;
  readonly now: () => number;
}

/** Why the results are not those of the model, although it was asked. */
type Fallback = 'failed' | 'nothing' | 'turns' | 'repeats' | 'time' | 'silent';

export interface SearchState {
  readonly query: string;
  readonly isRunning: boolean;
  /** Undefined until something was found. */
  readonly engine: SearchEngine | undefined;
  readonly files: readonly FoundFile[];
  readonly trace: Trace;
  readonly ms: number;
  readonly searched: number | undefined;
  /** Whether an index chose the files that the local engine read. */
  readonly usedIndex?: LocalAnswer['usedIndex'];
  readonly fallback?: Fallback | undefined;
  /** `reading` while git's history is read for the order of the local results. */
  readonly history?: 'reading' | LocalAnswer['history'];
  /** Which limit ended the local search early. */
  readonly cut?: LocalAnswer['cut'];
  readonly corrections?: LocalAnswer['corrections'];
  /** The error of the search model, for the message and its actions. */
  readonly error?: unknown;
}

/** Milliseconds for which the search model waits for the local results that it gets. */
const maxLocalWaitMs = 2000;

/** A search that has just begun. */
export function initialSearchState(query: string): SearchState {
  return {
    query,
    isRunning: true,
    engine: undefined,
    files: [],
    trace: new Trace(),
    ms: 0,
    searched: undefined,
  };
}

/**
 * Runs one search. The local engine answers first, the model gets what it found, and the results of both
 * become one list when the model finishes; see {@link fuse}. When the model fails, the local results stay.
 *
 * @throws {AbortError} when `signal` is aborted.
 */
export async function runSearch(parts: SearchParts): Promise<SearchState> {
  return new SearchSession(parts).run();
}

class SearchSession {
  readonly #parts: SearchParts;
  readonly #startedAt: number;
  #state: SearchState;
  #localFiles: readonly RawFile[] = [];
  #namedFiles: readonly LocatedFile[] = [];
  /** Number of the newest list that is being read; an older one is not shown after it. */
  #shown = 0;
  #history: SearchState['history'];
  #markLocalReady: () => void = () => undefined;
  readonly #localReady = new Promise<void>(resolve => {
    this.#markLocalReady = resolve;
  });

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#startedAt = parts.now();
    this.#state = initialSearchState(parts.query);
  }

  async run(): Promise<SearchState> {
    this.#parts.onChange(this.#state);
    const [local, model] = await Promise.allSettled([this.#local(), this.#model()]);
    this.#parts.signal.throwIfAborted();
    if (local.status === 'rejected' && this.#namedFiles.length === 0) throw local.reason;
    if (model.status === 'rejected') throw model.reason;
    this.#set({ isRunning: false });
    return this.#state;
  }

  async #local(): Promise<void> {
    const { local, signal } = this.#parts;
    try {
      const answer = await local(signal, (partial, missing) => {
        this.#localFiles = partial;
        this.#history = missing === 'history' ? 'reading' : undefined;
        if (missing === 'history') this.#markLocalReady();
        void this.#show();
      });
      const { searched, usedIndex, history, cut, corrections } = answer;
      this.#localFiles = answer.files;
      this.#history = history;
      this.#set({ searched, usedIndex, cut, corrections });
      await this.#show(true);
    } finally {
      this.#markLocalReady();
    }
  }

  async #model(): Promise<void> {
    const { model, signal } = this.#parts;
    if (!model) return;
    try {
      const known = await this.#known();
      const outcome = await model(
        signal,
        event => {
          this.#state.trace.add(event);
          this.#set({});
        },
        known,
      );
      if (outcome.end === 'finished') {
        await this.#named(outcome.files);
        // When the model finds nothing, the local results are more useful than none.
        if (this.#namedFiles.length === 0) this.#set({ fallback: 'nothing' });
      } else {
        await this.#keepRead(outcome.end, outcome.files);
      }
    } catch (error) {
      if (isAbortError(error) || signal.aborted) throw error;
      const failure = error instanceof SearchFailure ? error : undefined;
      this.#set({ error: failure?.cause ?? error });
      await this.#keepRead('failed', failure?.files ?? []);
    }
  }

  /** The local results for the model, or those so far when all take too long. */
  async #known(): Promise<FoundFile[]> {
    const cancel = systemClock.after(maxLocalWaitMs, this.#markLocalReady);
    await this.#localReady;
    cancel();
    this.#parts.signal.throwIfAborted();
    return this.#describe(this.#localFiles);
  }

  /** The model was stopped: what it read last is shown when the local engine found nothing. */
  async #keepRead(fallback: Fallback, read: AgentOutcome['files']): Promise<void> {
    this.#set({ fallback });
    if (this.#localFiles.length === 0) await this.#named(read);
  }

  async #named(files: AgentOutcome['files']): Promise<void> {
    const { locate, readText } = this.#parts;
    const located = await locate(files);
    const texts = await Promise.all(located.map(readText));
    this.#namedFiles = located.filter((_, at) => texts[at] !== undefined);
    if (this.#namedFiles.length > 0) await this.#show();
  }

  /**
   * Shows what is known by now.
   * @param isWhole whether it is shown even if it is empty
   */
  async #show(isWhole = false): Promise<void> {
    const { limit, signal } = this.#parts;
    const number = ++this.#shown;
    const files = await this.#describe(fuse(this.#localFiles, this.#namedFiles, limit));
    if (number !== this.#shown || signal.aborted) return;
    if (files.length > 0 || isWhole) {
      this.#set({ history: this.#history, engine: engineOf(files) ?? 'local', files });
    }
  }

  async #describe(files: readonly RawFile[]): Promise<FoundFile[]> {
    const { readText } = this.#parts;
    const query = corrected(this.#parts.query, this.#state.corrections ?? []);
    const described = await Promise.all(
      files.map(async file => {
        const text = await readText(file);
        return text === undefined ? undefined : describeFile(file, text, query);
      }),
    );
    return described.filter(file => file !== undefined);
  }

  #set(change: Partial<SearchState>): void {
    this.#state = { ...this.#state, ...change, ms: this.#parts.now() - this.#startedAt };
    if (!this.#parts.signal.aborted) this.#parts.onChange(this.#state);
  }
}
