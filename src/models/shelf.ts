import type { GatedClient } from '../host/egress/gatedClient';
import { ServiceError } from '../service/errors';
import type { Clock } from '../service/time';
import { type Catalogue, fallbackModels } from '../service/wire/catalogue';
import type { EndpointStatus } from '../service/wire/dedicated';

export type ShelfClient = Pick<GatedClient, 'catalogue' | 'listEndpoints' | 'endpointStatus'>;

/** What there is to choose from. */
export interface Stock {
  readonly catalogue: Catalogue;
  /** Those that serve. */
  readonly endpoints: readonly EndpointStatus[];
  /** The service refused the key. */
  readonly isRefused: boolean;
  /** Why the endpoints could not be read; those of before stay. */
  readonly problem: ServiceError | undefined;
  /** ms since the epoch; absent for the built-in table. */
  readonly readAt: number | undefined;
}

/** Before anything is read: the table of the service document. */
const tableAlone: Stock = {
  catalogue: { models: fallbackModels, unreadable: 0, source: 'builtIn' },
  endpoints: [],
  isRefused: false,
  problem: undefined,
  readAt: undefined,
};

const freshMs = 10 * 60_000;
/** After a failure. */
const brokenMs = 30_000;
/** Status calls beside one list call, at most. */
const mostEndpoints = 20;

export interface ShelfOptions {
  readonly client: ShelfClient;
  readonly clock: Pick<Clock, 'now'>;
  /** The stock is another one now. */
  readonly onChange: () => void;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * The stock of models, read at most every ten minutes and one reading at a time. VS Code asks several
 * times a second: it gets what is there, and what is old is read behind its back.
 */
export class Shelf {
  readonly #options: ShelfOptions;
  #stock = tableAlone;
  #reading: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  #isDue = true;
  /** Of the last reading, ms since the epoch. */
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  /** What is known; sends nothing. */
  get stock(): Stock {
    return this.#stock;
  }

  /** Waits for the first reading only. @throws nothing: what fails is part of the stock. */
  async read(): Promise<Stock> {
    const reading = this.#isOld() ? this.#read() : this.#reading?.done;
    if (this.#stock.readAt === undefined) await reading;
    return this.#stock;
  }

  /** Reads now, whatever there is. */
  async refresh(): Promise<Stock> {
    await this.#read();
    return this.#stock;
  }

  /** Somebody has seen a change: the next question reads again. */
  expire(): void {
    this.#isDue = true;
  }

  /** Another key or address: what was read may be of another account. */
  reset(): void {
    this.#reading?.controller.abort();
    this.#reading = undefined;
    this.#stock = tableAlone;
    this.#isDue = true;
  }

  dispose(): void {
    this.#reading?.controller.abort();
  }

  #isOld(): boolean {
    const { isRefused, problem, catalogue } = this.#stock;
    const isWell = !isRefused && !problem && catalogue.source === 'live';
    const age = Math.abs(this.#options.clock.now() - this.#triedAt);
    return this.#isDue || age > (isWell ? freshMs : brokenMs);
  }

  async #read(): Promise<void> {
    if (this.#reading) return this.#reading.done;
    this.#isDue = false;
    this.#triedAt = this.#options.clock.now();
    const controller = new AbortController();
    const reading = { controller, done: Promise.resolve() };
    this.#reading = reading;
    reading.done = this.#readAll(controller.signal).then(
      stock => {
        if (this.#reading !== reading) return;
        this.#reading = undefined;
        const before = keyOf(this.#stock);
        this.#stock = stock;
        if (keyOf(stock) !== before) this.#options.onChange();
      },
      (error: unknown) => {
        if (this.#reading === reading) this.#reading = undefined;
        if (!controller.signal.aborted) this.#options.onError('models', error);
      },
    );
    return reading.done;
  }

  async #readAll(signal: AbortSignal): Promise<Stock> {
    const { client, clock } = this.#options;
    const [catalogue, own] = await Promise.all([
      client.catalogue({ signal }),
      this.#readEndpoints(signal),
    ]);
    // A table that was live once is better than the built-in one.
    const known = this.#stock.catalogue;
    const isWorse = catalogue.source === 'builtIn' && known.source === 'live';
    return {
      catalogue: isWorse ? { ...known, problem: catalogue.problem } : catalogue,
      readAt: clock.now(),
      ...own,
    };
  }

  async #readEndpoints(
    signal: AbortSignal,
  ): Promise<Pick<Stock, 'endpoints' | 'isRefused' | 'problem'>> {
    const { client, onError } = this.#options;
    try {
      const { endpoints } = await client.listEndpoints({ signal });
      const ready = endpoints.filter(({ state }) => state === 'ready').slice(0, mostEndpoints);
      const statuses = await Promise.all(
        ready.map(async ({ id }) =>
          client.endpointStatus(id, { signal }).catch((error: unknown) => {
            if (signal.aborted) throw error;
            onError('endpoint status', error);
            return undefined;
          }),
        ),
      );
      const serving = statuses.filter(status => status?.state === 'ready');
      return {
        endpoints: serving.filter(status => status !== undefined),
        isRefused: false,
        problem: undefined,
      };
    } catch (error) {
      if (signal.aborted || !(error instanceof ServiceError)) throw error;
      onError('endpoints', error);
      const isRefused = error.kind === 'unauthorized';
      return { endpoints: isRefused ? [] : this.#stock.endpoints, isRefused, problem: error };
    }
  }
}

/** The same for stocks that look the same in the picker. */
function keyOf({ catalogue, endpoints, isRefused }: Stock): string {
  return JSON.stringify([
    catalogue.source,
    catalogue.models,
    endpoints.map(({ id, modelDisplayName, connection }) => [id, modelDisplayName, connection]),
    isRefused,
  ]);
}
