import { idempotencyHeader } from './assumptions';
import { endpoint, parseBaseUrl } from './baseUrl';
import { ServiceError, cleanServerText } from './errors';
import { Guard } from './guard';
import { networkError } from './networkError';
import type { Billing, CallInfo, CallOptions, Charge, Operation } from './operation';
import { OriginState } from './originState';
import { type Reply, requestIdOf, statusError } from './reply';
import { backoffMs, mayRetry, politeMs } from './retry';
import { Slots } from './slots';
import { type Clock, Deadline, isAbortError } from './time';
import { type Timeouts, backgroundTimeouts, interactiveTimeouts } from './timeouts';
import type { Transport, TransportRequest, TransportResponse } from './transport';

export interface CallerOptions {
  baseUrl: () => string | undefined;
  /** The site address, where the public catalogue is; absent means that of the service. */
  siteUrl?: (() => string | undefined) | undefined;
  apiKey: (origin: string) => Promise<string | undefined>;
  transport: () => Promise<Transport>;
  clock: Clock;
  random: () => number;
  log: (line: string) => void;
  /** Win over what an operation asks for. */
  timeouts: Partial<Timeouts>;
  billing?: Billing | undefined;
}

export interface Outcome<T> extends CallInfo {
  readonly value: T;
}

/** The only place that sends and repeats requests. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #origins = new Map<string, OriginState>();
  readonly #gates = new Map<string, { slots: Slots; max: number }>();
  readonly #noted = new Set<string>();

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /**
   * @throws {ServiceError} with `attempts`; `retryAt` when the service asked for a longer wait than the
   *   caller's patience.
   * @throws {AbortError} at once in every phase when `signal` is aborted.
   */
  async call<T>(operation: Operation<T>, options: CallOptions): Promise<Outcome<T>> {
    const { clock, billing } = this.#options;
    const run = new Run(operation, options, this.#options);
    try {
      await billing?.admit(operation.name);
      const reached = await this.#run(run);
      const charge = operation.charge?.(reached.value);
      const cost = await this.#record(run, 'ok', reached.requestId, charge);
      const { value, requestId } = reached;
      return {
        value,
        attempts: run.attempt,
        ms: clock.monotonic() - run.startedAt,
        ...(requestId === undefined ? {} : { requestId }),
        ...(cost ? { cost } : {}),
      };
    } catch (error) {
      const told = error instanceof ServiceError ? error : undefined;
      const result = told?.kind ?? (isAbortError(error) ? 'canceled' : 'failed');
      await this.#record(run, result, told?.requestId, undefined, told?.partial?.length);
      throw error;
    }
  }

  async #run<T>(run: Run<T>): Promise<Reached<T>> {
    const { operation, options, deadline } = run;
    const { clock } = this.#options;
    const prepared = await this.#prepare(run);
    const state = this.#originState(prepared.request.url.origin, prepared.transport);
    for (;;) {
      await this.#passGate(state, run);
      run.attempt++;
      try {
        const reached = await this.#inSlots(state, run, () => this.#attempt(run, prepared));
        state.succeeded();
        return reached;
      } catch (error) {
        if (!(error instanceof ServiceError)) {
          state.probeEnded();
          throw error;
        }
        error.attempts = run.attempt;
        if (saysUnwell(error)) state.failed(clock.monotonic());
        else state.probeEnded();
        const waitMs = this.#waitMs(error, run, deadline, state);
        if (!mayRetry(error, operation.callClass, run.attempt, run.unknown)) throw error;
        if (waitMs === undefined || !state.takeRetry(error.kind)) throw error;
        if (error.outcome === 'unknown') run.unknown++;
        options.onWait?.({ retryAt: clock.now() + waitMs, error });
        await clock.sleep(waitMs, options.signal);
      }
    }
  }

  /** `undefined`: the wait is longer than the caller's patience or than what is left of the deadline. */
  #waitMs(
    error: ServiceError,
    { attempt, timeouts }: Run<unknown>,
    deadline: Deadline,
    state: OriginState,
  ): number | undefined {
    const { clock, random } = this.#options;
    const asked = error.retryAfterMs;
    const waitMs =
      asked === undefined
        ? backoffMs(attempt, timeouts.backoffCapMs, random)
        : politeMs(asked, random);
    if (asked !== undefined && error.kind === 'rateLimited') state.pause(waitMs, clock.monotonic());
    if (asked !== undefined && asked > timeouts.patienceMs) return undefined;
    return waitMs < deadline.remainingMs() ? waitMs : undefined;
  }

  /** Waits while another call's 429 holds all calls of the origin back; background calls also rest in an outage. */
  async #passGate(state: OriginState, { options, attempt, timeouts }: Run<unknown>): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      const closedMs = state.closedForMs(clock.monotonic());
      if (closedMs <= 0) break;
      const retryAt = clock.now() + closedMs;
      const error = new ServiceError('rateLimited', 'held back after a 429', { retryAt });
      error.attempts = attempt;
      if (closedMs > timeouts.patienceMs) throw error;
      options.onWait?.({ retryAt, error });
      await clock.sleep(closedMs, options.signal);
    }
    const restMs = options.background ? state.restMs(clock.monotonic()) : 0;
    if (restMs <= 0) return;
    const retryAt = clock.now() + restMs;
    const error = new ServiceError('paused', 'resting after failures in a row', { retryAt });
    error.attempts = attempt;
    throw error;
  }

  /** Runs one attempt when there is room for it; the wait for room is in no timeout but the deadline. */
  async #inSlots<T>(
    state: OriginState,
    { operation, options, deadline }: Run<T>,
    attempt: () => Promise<Reached<T>>,
  ): Promise<Reached<T>> {
    const isBackground = options.background ?? false;
    const guard = new Guard(options.signal, this.#options.clock, deadline);
    const given: (() => void)[] = [];
    const take = async (slots: Slots, background: boolean): Promise<void> => {
      if (guard.failure) throw guard.failure;
      guard.arm(Number.POSITIVE_INFINITY, 'queue');
      const giveBack = await slots.take(background, guard.signal).catch((error: unknown) => {
        throw guard.failure ?? error;
      });
      given.push(giveBack);
      guard.disarm();
    };
    try {
      const { gate } = operation;
      if (gate) await take(this.#gateSlots(gate.key, gate.max), false);
      await take(state.slots, isBackground);
      guard.close();
      return await attempt();
    } finally {
      guard.close();
      for (const giveBack of given) giveBack();
    }
  }

  async #attempt<T>(run: Run<T>, { request, transport }: Prepared): Promise<Reached<T>> {
    const { operation, options, deadline, timeouts, attempt } = run;
    const { clock, log } = this.#options;
    const guard = new Guard(options.signal, clock, deadline);
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
        note: surprise => this.#note(surprise),
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
  async #prepare(run: Run<unknown>): Promise<Prepared> {
    const { operation, options, deadline } = run;
    const { method, path, accept, body, target = 'service', query } = operation;
    const guard = new Guard(options.signal, this.#options.clock, deadline);
    try {
      if (guard.failure) throw guard.failure;
      const base = this.#base(target);
      const url = endpoint(target instanceof URL ? target : base, path, query);
      guard.arm(Number.POSITIVE_INFINITY, 'preparation');
      const headers: Record<string, string> = { ...operation.headers, accept };
      if (target !== 'site') {
        const key = await guard.wait(this.#options.apiKey(base.origin));
        headers['authorization'] = `Bearer ${sendableKey(key)}`;
      }
      const transport = await guard.wait(this.#options.transport());
      if (method === 'POST') {
        headers['content-type'] = 'application/json';
        headers[idempotencyHeader] = operation.idempotencyKey ?? crypto.randomUUID();
      }
      const text = body === undefined ? undefined : JSON.stringify(body);
      run.sentChars = text?.length ?? 0;
      return {
        transport,
        request: { method, url, headers, ...(text === undefined ? {} : { body: text }) },
      };
    } finally {
      guard.close();
    }
  }

  /** The address that decides about the key. */
  #base(target: 'service' | 'site' | URL): URL {
    const base = this.#options.baseUrl()?.trim();
    const site = target === 'site' ? this.#options.siteUrl?.()?.trim() : undefined;
    if (site) return parseBaseUrl(site);
    if (!base) throw new ServiceError('noUrl', 'no service address is set');
    const url = parseBaseUrl(base);
    if (target === 'site') url.pathname = '/';
    return url;
  }

  async #record(
    run: Run<unknown>,
    result: string,
    requestId: string | undefined,
    charge: Charge | undefined,
    partialChars = 0,
  ) {
    const { clock, billing } = this.#options;
    // What never left the machine is no call.
    if (!billing || run.attempt === 0) return undefined;
    const { operation, startedAt, attempt, sentChars } = run;
    return billing.record({
      operation: operation.name,
      model: operation.model,
      at: clock.now(),
      ms: Math.round(clock.monotonic() - startedAt),
      attempts: attempt,
      requestId: requestId && cleanServerText(requestId, 128),
      result,
      charge,
      sentChars,
      partialChars,
    });
  }

  /** Once per text; the names in it come from the service. */
  #note(surprise: string): void {
    const line = cleanServerText(surprise, 160);
    if (this.#noted.has(line) || this.#noted.size >= 200) return;
    this.#noted.add(line);
    this.#options.log(`surprise: ${line}`);
  }

  #originState(origin: string, transport: Transport): OriginState {
    const known = this.#origins.get(origin);
    if (known) return known;
    const state = new OriginState(transport.concurrency);
    this.#origins.set(origin, state);
    return state;
  }

  #gateSlots(key: string, max: number): Slots {
    const known = this.#gates.get(key);
    if (known?.max === max) return known.slots;
    const slots = new Slots(max);
    this.#gates.set(key, { slots, max });
    return slots;
  }
}

/** One logical call over all its attempts. */
class Run<T> {
  readonly operation: Operation<T>;
  readonly options: CallOptions;
  readonly timeouts: Timeouts;
  readonly deadline: Deadline;
  readonly startedAt: number;
  /** Attempts so far, the present one included. */
  attempt = 0;
  /** Attempts that ended with an unknown outcome. */
  unknown = 0;
  /** Characters of the body. */
  sentChars = 0;

  constructor(operation: Operation<T>, options: CallOptions, caller: CallerOptions) {
    this.operation = operation;
    this.options = options;
    this.timeouts = {
      ...(options.background ? backgroundTimeouts : interactiveTimeouts),
      ...operation.timeouts,
      ...caller.timeouts,
    };
    this.deadline = new Deadline(caller.clock, this.timeouts.deadlineMs);
    this.startedAt = caller.clock.monotonic();
  }
}

interface Reached<T> {
  readonly value: T;
  readonly requestId: string | undefined;
}

interface Prepared {
  readonly transport: Transport;
  readonly request: Omit<TransportRequest, 'signal'>;
}

/** Failures that count for the circuit breaker: the service or the way to it is ill, not the request. */
function saysUnwell({ kind }: ServiceError): boolean {
  return ['server', 'timeout', 'connection', 'offline'].includes(kind);
}

function sendableKey(text: string | undefined): string {
  const key = text?.trim();
  if (!key) throw new ServiceError('noKey', 'no API key for this service');
  // Anything else cannot stand in a header, and the platform's error would quote it.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ServiceError('noKey', 'the API key holds characters that cannot be sent');
}
