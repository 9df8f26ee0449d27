import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SequencerByKey } from '../../base/async/sequencer';
import { isMissing } from '../../base/fileErrors';
import {
  boundRecord,
  callLine,
  type EndpointCall,
  type EndpointRecord,
  parseRecord,
  recordText,
} from '../../service';

/** Requests of this window to one endpoint. */
export interface EndpointLoad {
  /** Sent, and not answered yet. */
  readonly running: number;
  /** Held back, because the endpoint takes no more at once. */
  readonly waiting: number;
}

/** Calls that are kept one by one; sums remain of those before. */
export const maxEndpointCalls = 2000;
/** A file above this has more lines than that, and is written anew, in bytes. */
const maxFileBytes = 600_000;
const noLoad: EndpointLoad = { running: 0, waiting: 0 };

/**
 * What calls to dedicated endpoints took: one private file of numbers for each endpoint, which all windows append
 * to. A call that another window appends just while the file is written anew, once in thousands, is lost.
 */
export class EndpointTraffic {
  readonly #folder: string | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #load = new Map<string, EndpointLoad>();
  readonly #sequencer = new SequencerByKey<string>();
  readonly #listeners = new Set<(endpointId: string) => void>();
  /** Only where nothing can be stored. */
  readonly #memory = new Map<string, EndpointRecord>();

  /** @param folder undefined where the storage is not a folder of this computer. */
  constructor(folder: string | undefined, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  loadOf(endpointId: string): EndpointLoad {
    return this.#load.get(endpointId) ?? noLoad;
  }

  count(endpointId: string, waiting: number, running: number): void {
    const load = this.loadOf(endpointId);
    this.#load.set(endpointId, {
      running: load.running + running,
      waiting: load.waiting + waiting,
    });
    this.#notify(endpointId);
  }

  /** Never rejects: a measurement that cannot be stored must not cost the answer. */
  async add(endpointId: string, call: EndpointCall): Promise<void> {
    try {
      const file = this.#fileOf(endpointId);
      if (file === undefined) {
        const { calls, earlier } = await this.read(endpointId);
        const record = boundRecord({ calls: [...calls, call], earlier }, maxEndpointCalls);
        this.#memory.set(endpointId, record);
      } else await this.#sequencer.run(file, () => append(file, call));
    } catch (error) {
      this.#onError(error);
    }
    this.#notify(endpointId);
  }

  async read(endpointId: string): Promise<EndpointRecord> {
    const file = this.#fileOf(endpointId);
    if (file === undefined) return this.#memory.get(endpointId) ?? parseRecord('');
    return boundRecord(await this.#sequencer.run(file, () => readRecord(file)), maxEndpointCalls);
  }

  /** Called with the id of the endpoint after its load or its record has changed. */
  onDidChange(listener: (endpointId: string) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  #notify(endpointId: string): void {
    for (const listener of this.#listeners) listener(endpointId);
  }

  /** Ids come from the service, so a hash names the file. */
  #fileOf(endpointId: string): string | undefined {
    const name = createHash('sha256').update(endpointId).digest('hex').slice(0, 32);
    return this.#folder && path.join(this.#folder, 'endpoint-traffic', `${name}.jsonl`);
  }
}

async function append(file: string, call: EndpointCall): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await appendFile(file, callLine(call), { mode: 0o600 });
  if ((await stat(file)).size <= maxFileBytes) return;
  const record = boundRecord(await readRecord(file), maxEndpointCalls);
  await writeFile(`${file}.new`, recordText(record), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function readRecord(file: string): Promise<EndpointRecord> {
  try {
    return parseRecord(await readFile(file, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return parseRecord('');
    throw error;
  }
}
