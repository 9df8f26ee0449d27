import { AbortError, type Clock, systemClock } from '../../../src/base/async/clock';
import { type ClientOptions, ServiceClient } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { fetchTransport, type Transport } from '../../../src/service/transport/transport';

export const apiKey = 'sk-canary-4711';

/** Sleeps at once, and writes down for how long it was asked to. Timers are real. */
export class TestClock implements Clock {
  readonly sleeps: number[] = [];
  sleptMs = 0;

  now(): number {
    return systemClock.now() + this.sleptMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.sleptMs;
  }

  after(ms: number, run: () => void): () => void {
    return systemClock.after(ms, run);
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new AbortError();
    this.sleeps.push(ms);
    this.sleptMs += ms;
  }
}

/** A {@link TestClock} that stands still but for its sleeps: no figure depends on how busy the computer is. */
export class StoppedClock extends TestClock {
  readonly #startMs = Date.UTC(2026, 10, 20, 12);

  override now(): number {
    return this.#startMs + this.sleptMs;
  }

  override monotonic(): number {
    return this.sleptMs;
  }
}

export interface TestClient {
  client: ServiceClient;
  clock: TestClock;
  lines: string[];
}

export function testClient(url: string, options: Partial<ClientOptions> = {}): TestClient {
  const clock = new TestClock();
  const lines: string[] = [];
  const transport: Transport = fetchTransport((input, init) => globalThis.fetch(input, init));
  const client = new ServiceClient({
    baseUrl: () => url,
    apiKey: async () => apiKey,
    transport: async () => transport,
    clock,
    random: () => 0.5,
    log: line => lines.push(line),
    ...options,
  });
  return { client, clock, lines };
}

/** A {@link testClient} whose clock stands still, and that waits long enough for a busy computer. */
export function stoppedClient(url: string, options: Partial<ClientOptions> = {}): TestClient {
  const clock = new StoppedClock();
  const timeouts = { headersMs: 60_000, bodyIdleMs: 60_000, ...options.timeouts };
  return { ...testClient(url, { ...options, clock, timeouts }), clock };
}

/** A {@link testClient} that does not wait long, for answers that never come. */
export function hastyClient(url: string, options: Partial<ClientOptions> = {}): TestClient {
  const timeouts = { headersMs: 150, firstEventMs: 150, streamIdleMs: 100, bodyIdleMs: 100 };
  return testClient(url, { ...options, timeouts: { ...timeouts, ...options.timeouts } });
}

/** A client whose every answer is a stream of exactly these network reads. */
export function replying(reads: readonly (string | Uint8Array)[]): ServiceClient {
  const transport: Transport = {
    concurrency: 8,
    request: async () => ({
      status: 200,
      headers: new Headers({ 'content-type': 'text/event-stream' }),
      body: ReadableStream.from(reads.map(read => Buffer.from(read))),
      cancel: () => undefined,
    }),
  };
  return testClient('https://service.test', { transport: async () => transport }).client;
}

export const edit = { original: 'secret original\n', update: 'secret update\n' };

export async function failureOf(pending: Promise<unknown>): Promise<ServiceError> {
  try {
    await pending;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('expected a ServiceError');
}

/**
 * What comes within three turns of the event loop: a few ms, and no more on a busy computer.
 * @throws {Error} when nothing has come by then.
 */
export async function atOnce<T>(pending: Promise<T>): Promise<T> {
  return Promise.race([pending, late()]);
}

async function late(): Promise<never> {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
  throw new Error('not at once');
}

export const never = (): AbortSignal => new AbortController().signal;

/** Without the fields that are absent, null or `undefined`. */
export function defined(value: object): object {
  return Object.fromEntries(
    Object.entries(value).filter(([, part]) => part !== undefined && part !== null),
  );
}
