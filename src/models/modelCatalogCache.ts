import type { Clock } from '../base/async/clock';
import type { GatedClient } from '../platform/egress/gatedClient';
import { type Catalogue, type EndpointStatus, fallbackModels, ServiceError } from '../service';

export type ModelCatalogClient = Pick<
  GatedClient,
  'catalogue' | 'listEndpoints' | 'endpointStatus'
>;

/** The models that can be offered. */
export interface ModelCatalogSnapshot {
  readonly catalogue: Catalogue;
  /** Serving endpoints. */
  readonly endpoints: readonly EndpointStatus[];
  /** The service refused the key. */
  readonly isRefused: boolean;
  /** Why the endpoints could not be read; the previous ones are kept. */
  readonly problem: ServiceError | undefined;
  /** ms since the epoch; absent for the built-in table. */
  readonly readAt: number | undefined;
}

/** Used before anything was read: the table of the service document. */
const builtInSnapshot: ModelCatalogSnapshot = {
  catalogue: { models: fallbackModels, unreadable: 0, source: 'builtIn' },
  endpoints: [],
  isRefused: false,
  problem: undefined,
  readAt: undefined,
};

const maxAgeMs = 10 * 60_000;
/** Maximum age after a failure, in milliseconds. */
const maxFailedAgeMs = 30_000;
/** Status calls per list call, at most. */
const maxEndpoints = 20;

export interface ModelCatalogCacheOptions {
  readonly client: ModelCatalogClient;
  readonly clock: Pick<Clock, 'now'>;
  /** The snapshot has changed. */
  readonly onChange: () => void;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Caches the model catalogue and the serving endpoints for ten minutes, with one reading at a time. VS Code
 * asks several times a second: it gets the cached snapshot, and an expired one is refreshed in the background.
 */
export class ModelCatalogCache {
  readonly #options: ModelCatalogCacheOptions;
  #snapshot = builtInSnapshot;
  #reading: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  #isDue = true;
  /** Start of the last reading, ms since the epoch. */
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ModelCatalogCacheOptions) {
    this.#options = options;
  }

  /** The current snapshot; sends no request. */
  get snapshot(): ModelCatalogSnapshot {
    return this.#snapshot;
  }

  /** Waits only for the first reading. Does not throw: failures are part of the snapshot. */
  async read(): Promise<ModelCatalogSnapshot> {
    const reading = this.#isOld() ? this.#read() : this.#reading?.done;
    if (this.#snapshot.readAt === undefined) await reading;
    return this.#snapshot;
  }

  /** Reads again regardless of age. */
  async refresh(): Promise<ModelCatalogSnapshot> {
    await this.#read();
    return this.#snapshot;
  }

  /** Makes the next `read` reload. */
  expire(): void {
    this.#isDue = true;
  }

  /** For a new key or address: the snapshot may belong to another account. */
  reset(): void {
    this.#reading?.controller.abort();
    this.#reading = undefined;
    this.#snapshot = builtInSnapshot;
    this.#isDue = true;
  }

  dispose(): void {
    this.#reading?.controller.abort();
  }

  #isOld(): boolean {
    const { isRefused, problem, catalogue } = this.#snapshot;
    const isWell = !isRefused && !problem && catalogue.source === 'live';
    const age = Math.abs(this.#options.clock.now() - this.#triedAt);
    return this.#isDue || age > (isWell ? maxAgeMs : maxFailedAgeMs);
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
        const before = keyOf(this.#snapshot);
        this.#snapshot = stock;
        if (keyOf(stock) !== before) this.#options.onChange();
      },
      (error: unknown) => {
        if (this.#reading === reading) this.#reading = undefined;
        if (!controller.signal.aborted) this.#options.onError('models', error);
      },
    );
    return reading.done;
  }

  async #readAll(signal: AbortSignal): Promise<ModelCatalogSnapshot> {
    const { client, clock } = this.#options;
    const [catalogue, own] = await Promise.all([
      client.catalogue({ signal }),
      this.#readEndpoints(signal),
    ]);
    // An earlier live catalogue is better than the built-in table.
    const known = this.#snapshot.catalogue;
    const isWorse = catalogue.source === 'builtIn' && known.source === 'live';
    return {
      catalogue: isWorse ? { ...known, problem: catalogue.problem } : catalogue,
      readAt: clock.now(),
      ...own,
    };
  }

  async #readEndpoints(
    signal: AbortSignal,
  ): Promise<Pick<ModelCatalogSnapshot, 'endpoints' | 'isRefused' | 'problem'>> {
    const { client, onError } = this.#options;
    try {
      const { endpoints } = await client.listEndpoints({ signal });
      const ready = endpoints.filter(({ state }) => state === 'ready').slice(0, maxEndpoints);
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
      return { endpoints: isRefused ? [] : this.#snapshot.endpoints, isRefused, problem: error };
    }
  }
}

/** Equal for snapshots that look the same in the picker. */
function keyOf({ catalogue, endpoints, isRefused }: ModelCatalogSnapshot): string {
  return JSON.stringify([
    catalogue.source,
    catalogue.models,
    endpoints.map(({ id, modelDisplayName, connection }) => [id, modelDisplayName, connection]),
    isRefused,
  ]);
}
