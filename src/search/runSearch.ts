import { isAbortError } from '../base/async/clock';
import { type AgentEvent, type AgentOutcome, SearchFailure } from './agent/searchAgent';
import type { LocalSummary } from './local/localSearch';
import { describeFile, type FoundFile, type RawFile, type SearchEngine } from './view/results';
import { Trace } from './view/trace';

/** What the local engine found. */
export interface LocalAnswer {
  readonly files: readonly RawFile[];
  /** Number of files that were searched. */
  readonly searched: number;
  /** What is to be said of the order; see {@link LocalSummary}. */
  readonly history?: LocalSummary['history'];
  /** Which limit ended the search early. */
  readonly cut?: LocalSummary['cut'];
}

/** @param missing what the order of these files lacks */
export type OnPartial = (files: readonly RawFile[], missing: 'rank' | 'history') => void;

export interface SearchParts {
  readonly query: string;
  readonly signal: AbortSignal;
  /** @param onPartial gets results before their order is final. */
  readonly local: (signal: AbortSignal, onPartial: OnPartial) => Promise<LocalAnswer>;
  /** Absent when only the local engine searches. */
  readonly model?:
    | ((signal: AbortSignal, onEvent: (event: AgentEvent) => void) => Promise<AgentOutcome>)
    | undefined;
  /** Resolves files of the model's answer in the workspace; those that are missing or not allowed are left out. */
  readonly locate: (files: AgentOutcome['files']) => Promise<readonly RawFile[]>;
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
  readonly fallback?: Fallback | undefined;
  /** `reading` while git's history is read for the order of the local results. */
  readonly history?: 'reading' | LocalAnswer['history'];
  /** Which limit ended the local search early. */
  readonly cut?: LocalAnswer['cut'];
  /** The error of the search model, for the message and its actions. */
  readonly error?: unknown;
}

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
 * Runs one search. The local engine answers first; results of the model replace them when it finishes.
 * When the model fails, the local results stay.
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

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#startedAt = parts.now();
    this.#state = initialSearchState(parts.query);
  }

  async run(): Promise<SearchState> {
    this.#parts.onChange(this.#state);
    const [local, model] = await Promise.allSettled([this.#local(), this.#model()]);
    this.#parts.signal.throwIfAborted();
    if (local.status === 'rejected' && this.#state.engine !== 'model') throw local.reason;
    if (model.status === 'rejected') throw model.reason;
    this.#set({ isRunning: false });
    return this.#state;
  }

  async #local(): Promise<void> {
    const { local, signal } = this.#parts;
    let partials = 0;
    const answer = await local(signal, (partial, missing) => {
      const number = ++partials;
      void this.#describe(partial).then(files => {
        if (number !== partials || files.length === 0) return;
        this.#showLocal(files, missing === 'history' ? 'reading' : undefined);
      });
    });
    partials++;
    const { searched, history, cut } = answer;
    this.#set({ searched, cut });
    this.#showLocal(await this.#describe(answer.files), history);
  }

  #showLocal(files: readonly FoundFile[], history: SearchState['history']): void {
    if (this.#state.engine !== 'model' && !this.#parts.signal.aborted) {
      this.#set({ engine: 'local', files, history });
    }
  }

  async #model(): Promise<void> {
    const { model, signal } = this.#parts;
    if (!model) return;
    try {
      const outcome = await model(signal, event => {
        this.#state.trace.add(event);
        this.#set({});
      });
      if (outcome.end === 'finished') {
        const files = await this.#describeFound(outcome.files);
        // When the model finds nothing, the local results are more useful than none.
        if (files.length > 0) this.#set({ engine: 'model', files });
        else this.#set({ fallback: 'nothing' });
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

  /** The model was stopped: what it read last is shown when the local engine found nothing. */
  async #keepRead(fallback: Fallback, read: AgentOutcome['files']): Promise<void> {
    this.#set({ fallback });
    const files = await this.#describeFound(read);
    if (files.length > 0 && this.#state.files.length === 0) this.#set({ engine: 'model', files });
  }

  async #describeFound(files: AgentOutcome['files']): Promise<FoundFile[]> {
    return this.#describe(await this.#parts.locate(files));
  }

  async #describe(files: readonly RawFile[]): Promise<FoundFile[]> {
    const { query, readText } = this.#parts;
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
