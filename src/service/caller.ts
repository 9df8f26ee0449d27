import { idempotencyHeader } from './assumptions';
import { endpoint, parseBaseUrl } from './baseUrl';
import { ServiceError, cleanServerText } from './errors';
import { Guard } from './guard';
import { networkError } from './networkError';
import { OriginState } from './originState';
import { type Reply, requestIdOf, statusError } from './reply';
import { type CallClass, backoffMs, mayRetry, politeMs } from './retry';
import { type Clock, Deadline } from './time';
import type { Timeouts } from './timeouts';
import type { Transport, TransportRequest, TransportResponse } from './transport';

export interface CallerOptions {
  baseUrl: () => string | undefined;
  apiKey: (origin: string) => Promise<string | undefined>;
  transport: () => Promise<Transport>;
  clock: Clock;
  random: () => number;
  log: (line: string) => void;
  timeouts: Timeouts;
}

export interface Wait {
  /** ms since the epoch. */
  readonly retryAt: number;
  readonly error: ServiceError;
}

/** One operation of the service document. */
export interface Operation<T> {
  readonly callClass: CallClass;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The path without ids, for the log. */
  readonly template?: string;
  readonly body?: unknown;
  readonly accept: 'application/json' | 'text/event-stream';
  /** Reads a successful answer. */
  read(reply: Reply): Promise<T>;
  /** Told before every wait, so that it can be shown. */
  onWait?: ((wait: Wait) => void) | undefined;
}

export interface Outcome<T> {
  readonly value: T;
  readonly requestId: string | undefined;
  readonly attempts: number;
  /** Over all attempts and waits. */
  readonly ms: number;
}

/** The only place that sends and repeats requests. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #origins = new Map<string, OriginState>();

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /**
   * @throws {ServiceError} with `attempts`; `retryAt` when the service asked for a longer wait than the
   *   caller's patience.
   * @throws {AbortError} at once in every phase when `signal` is aborted.
   */
  async call<T>(operation: Operation<T>, signal: AbortSignal): Promise<Outcome<T>> {
    const { clock, timeouts } = this.#options;
    const startedAt = clock.monotonic();
    const deadline = new Deadline(clock, timeouts.deadlineMs);
    const prepared = await this.#prepare(operation, signal, deadline);
    const state = this.#originState(prepared.request.url.origin);
    let unknown = 0;
    for (let attempt = 1; ; attempt++) {
      await this.#passGate(state, operation, attempt, signal);
      try {
        const reached = await this.#attempt(operation, prepared, attempt, signal, deadline);
        state.succeeded();
        return { ...reached, attempts: attempt, ms: clock.monotonic() - startedAt };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        error.attempts = attempt;
        const waitMs = this.#waitMs(error, attempt, deadline, state);
        if (!mayRetry(error, operation.callClass, attempt, unknown)) throw error;
        if (waitMs === undefined || !state.takeRetry(error.kind)) throw error;
        if (error.outcome === 'unknown') unknown++;
        operation.onWait?.({ retryAt: clock.now() + waitMs, error });
        await clock.sleep(waitMs, signal);
      }
    }
  }

  /** `undefined`: the wait is longer than the caller's patience or than what is left of the deadline. */
  #waitMs(
    error: ServiceError,
    attempt: number,
    deadline: Deadline,
    state: OriginState,
  ): number | undefined {
    const { clock, random, timeouts } = this.#options;
    const asked = error.retryAfterMs;
    const waitMs =
      asked === undefined
        ? backoffMs(attempt, timeouts.backoffCapMs, random)
        : politeMs(asked, random);
    if (asked !== undefined && error.kind === 'rateLimited') state.pause(waitMs, clock.monotonic());
    if (asked !== undefined && asked > timeouts.patienceMs) return undefined;
    return waitMs < deadline.remainingMs() ? waitMs : undefined;
  }

  /** Waits while another call's 429 holds all calls of the origin back. */
  async #passGate(
    state: OriginState,
    operation: Pick<Operation<unknown>, 'onWait'>,
    attempt: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, timeouts } = this.#options;
    for (;;) {
      const closedMs = state.closedForMs(clock.monotonic());
      if (closedMs <= 0) return;
      const retryAt = clock.now() + closedMs;
      const error = new ServiceError('rateLimited', 'held back after a 429', { retryAt });
      error.attempts = attempt - 1;
      if (closedMs > timeouts.patienceMs) throw error;
      operation.onWait?.({ retryAt, error });
      await clock.sleep(closedMs, signal);
    }
  }

  async #attempt<T>(
    operation: Operation<T>,
    { request, transport }: Prepared,
    attempt: number,
    signal: AbortSignal,
    deadline: Deadline,
  ): Promise<{ value: T; requestId: string | undefined }> {
    const { clock, timeouts, log } = this.#options;
    const guard = new Guard(signal, clock, deadline);
    const startedAt = clock.monotonic();
    let response: TransportResponse | undefined;
    let result = 'ok';
    try {
      if (guard.failure) throw guard.failure;
      guard.arm(timeouts.headersMs, 'headers');
      const pending = transport.request({ ...request, signal: guard.signal });
      response = await guard.wait(pending).catch((error: unknown) => {
        // A transport that is slow to notice the abort must not leave an answer open.
        pending.then(late => late.cancel()).catch(() => undefined);
        throw error;
      });
      guard.disarm();
      const requestId = requestIdOf(response);
      const reply: Reply = {
        url: request.url,
        response,
        guard,
        timeouts,
        requestId,
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
      };
      if (response.status < 200 || response.status > 299) throw await statusError(reply);
      return { value: await operation.read(reply), requestId };
    } catch (error) {
      const failure = guard.failure ?? networkError(error, request.url.host);
      // A stream that was interrupted knows more than the guard: the text that came before.
      const told =
        error instanceof ServiceError && failure instanceof ServiceError ? error : failure;
      result = told instanceof ServiceError ? told.kind : 'canceled';
      throw told;
    } finally {
      guard.close();
      const ms = Math.round(clock.monotonic() - startedAt);
      const id = response && requestIdOf(response);
      log(
        `${operation.method} ${operation.template ?? operation.path} ${response?.status ?? '-'} ${result} ` +
          `${ms} ms, attempt ${attempt}${id ? `, request ${cleanServerText(id, 128)}` : ''}`,
      );
    }
  }

  /** Everything that stays the same over all attempts; the body and the idempotency key above all. */
  async #prepare(
    operation: Operation<unknown>,
    signal: AbortSignal,
    deadline: Deadline,
  ): Promise<Prepared> {
    const { method, path, accept, body } = operation;
    const guard = new Guard(signal, this.#options.clock, deadline);
    try {
      if (guard.failure) throw guard.failure;
      const text = this.#options.baseUrl();
      if (!text?.trim()) throw new ServiceError('noUrl', 'no service address is set');
      const url = endpoint(parseBaseUrl(text), path);
      guard.arm(Number.POSITIVE_INFINITY, 'preparation');
      const key = (await guard.wait(this.#options.apiKey(url.origin)))?.trim();
      if (!key) throw new ServiceError('noKey', 'no API key for this service');
      // Anything else cannot stand in a header, and the platform's error would quote it.
      if (!/^[\x21-\x7e]+$/.test(key))
        throw new ServiceError('noKey', 'the API key holds characters that cannot be sent');
      const transport = await guard.wait(this.#options.transport());
      const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept };
      if (method === 'POST') {
        headers['content-type'] = 'application/json';
        headers[idempotencyHeader] = crypto.randomUUID();
      }
      const snapshot = body === undefined ? {} : { body: JSON.stringify(body) };
      return { transport, request: { method, url, headers, ...snapshot } };
    } finally {
      guard.close();
    }
  }

  #originState(origin: string): OriginState {
    const known = this.#origins.get(origin);
    if (known) return known;
    const state = new OriginState();
    this.#origins.set(origin, state);
    return state;
  }
}

interface Prepared {
  readonly transport: Transport;
  readonly request: Omit<TransportRequest, 'signal'>;
}
