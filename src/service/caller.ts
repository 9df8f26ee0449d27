import { idempotencyHeader } from './assumptions';
import { endpoint, parseBaseUrl } from './baseUrl';
import { acceptEncoding, checkCodings } from './contentCoding';
import { ServiceError, cleanServerText, isStandbyRefusal } from './errors';
import { Guard } from './guard';
import { redactorOf } from './keyRedaction';
import { networkError } from './networkError';
import type {
  Billing,
  CallInfo,
  CallOptions,
  Charge,
  Cost,
  Operation,
  OperationName,
  Wait,
} from './operation';
import { OriginState } from './originState';
import type { RateLimitWindow } from './rateLimitWindow';
import { type Reply, isSuccess, requestIdOf, statusError } from './reply';
import { backoffMs, mayRetry, politeMs } from './retry';
import { Slots } from './slots';
import { Run } from './run';
import { AbortError, type Clock, isAbortError } from './time';
import type { Timeouts } from './timeouts';
import type { Transport, TransportRequest, TransportResponse } from './transport';
import { Turns } from './turns';

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
  /** Told before each wait of any call, in the asynchronous context of who made the call. */
  onWait?: ((wait: Wait, operation: OperationName) => void) | undefined;
}

export interface Outcome<T> extends CallInfo {
  readonly value: T;
}

/** The only place that sends and repeats requests. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #origins = new Map<string, OriginState>();
  readonly #gates = new Map<string, Slots>();
  readonly #noted = new Set<string>();
  readonly #turns = new Turns();

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
    let reached: Reached<T>;
    try {
      await billing?.admit(operation.name);
      reached = await this.#run(run);
    } catch (error) {
      const told = error instanceof ServiceError ? error : undefined;
      if (told) told.attempts = run.attempt;
      const result = told?.kind ?? (isAbortError(error) ? 'canceled' : 'failed');
      await this.#record(run, result, told?.requestId, undefined, told?.partial?.length);
      throw error;
    }
    const { value, requestId } = reached;
    const cost = await this.#record(run, 'ok', requestId, () => operation.charge?.(value));
    return {
      value,
      attempts: run.attempt,
      ms: clock.monotonic() - run.startedAt,
      ...(requestId === undefined ? {} : { requestId }),
      ...(cost ? { cost } : {}),
    };
  }

  async #run<T>(run: Run<T>): Promise<Reached<T>> {
    await this.#turns.take();
    const prepared = await this.#inTime(this.#prepare(run), run);
    const state = this.#originState(prepared.request.url.origin, prepared.transport);
    const shared: Shared = { state, window: state.window(scopeOf(run.operation)) };
    for (;;) {
      const leave = await this.#enter(shared, run);
      let waitMs: number;
      try {
        run.attempt++;
        const reached = await this.#attempt(run, prepared);
        state.succeeded();
        shared.window.succeeded();
        return reached;
      } catch (error) {
        waitMs = this.#waitAfter(error, run, shared);
      } finally {
        leave();
      }
      await this.#sleep(waitMs, run);
    }
  }

  /** How long to wait before the next attempt. @throws the error itself when there is to be none. */
  #waitAfter(error: unknown, run: Run<unknown>, { state, window }: Shared): number {
    if (!(error instanceof ServiceError)) throw error;
    const { operation, options, deadline, timeouts, attempt } = run;
    const { clock, random } = this.#options;
    const now = clock.monotonic();
    error.attempts = attempt;
    if (saysUnwell(error)) state.failed(error, now);
    else if (saysWell(error)) state.answered();
    const asked = error.retryAfterMs;
    const waitMs =
      asked === undefined
        ? backoffMs(attempt, timeouts.backoffCapMs, random)
        : politeMs(asked, random);
    // Requests that were under way when the window closed meet the same 429; they pay for it once.
    const isLimited = error.kind === 'rateLimited' && !isStandbyRefusal(error);
    const isPaid = isLimited && !window.pause(waitMs, now);
    if (!mayRetry(error, operation.callClass, attempt, run.unknown)) throw error;
    if (asked !== undefined && asked > timeouts.patienceMs) throw error;
    if (waitMs >= deadline.remainingMs()) throw error;
    if (options.background && state.restMs(now) > waitMs) throw error;
    const { budget } = error.kind === 'rateLimited' ? window : state;
    if (!isPaid && !budget.take(error.kind)) throw error;
    if (error.outcome === 'unknown') run.unknown++;
    this.#tellWait(run, { retryAt: clock.now() + waitMs, error });
    return waitMs;
  }

  /** Waits until the next attempt may be sent; the result gives its slots back and ends its probe. */
  async #enter(shared: Shared, run: Run<unknown>): Promise<() => void> {
    const { state, window } = shared;
    const { clock } = this.#options;
    const { options, deadline } = run;
    for (;;) {
      await this.#passWindow(window, run);
      this.#refuseInRest(state, run);
      const giveBack = await this.#takeSlots(shared, run);
      try {
        const now = clock.monotonic();
        // While this one waited for room another one may have met a 429 or an outage.
        if (window.closedForMs(now) > 0) {
          giveBack();
          continue;
        }
        this.#refuseInRest(state, run);
        if (options.signal.aborted) throw new AbortError();
        if (deadline.remainingMs() <= 0) throw unsentTimeout();
      } catch (error) {
        giveBack();
        throw error;
      }
      const isProbe = options.background === true && state.startProbe();
      return () => {
        if (isProbe) state.endProbe();
        giveBack();
      };
    }
  }

  /** Waits while the 429 of another call holds back those that the same limit counts. */
  async #passWindow(window: RateLimitWindow, run: Run<unknown>): Promise<void> {
    const { clock } = this.#options;
    const { timeouts, deadline, attempt } = run;
    for (;;) {
      const closedMs = window.closedForMs(clock.monotonic());
      if (closedMs <= 0) return;
      const retryAt = clock.now() + closedMs;
      const error = new ServiceError('rateLimited', 'held back after a 429', {
        retryAt,
        outcome: 'notProcessed',
      });
      error.attempts = attempt;
      if (closedMs > timeouts.patienceMs || closedMs >= deadline.remainingMs()) throw error;
      this.#tellWait(run, { retryAt, error });
      await this.#sleep(closedMs, run);
    }
  }

  /** Background calls rest in an outage; what a person asked for is always tried. */
  #refuseInRest(state: OriginState, { options }: Run<unknown>): void {
    const { clock } = this.#options;
    const restMs = options.background ? state.restMs(clock.monotonic()) : 0;
    if (restMs <= 0) return;
    const { inARow, last } = state.failure;
    throw new ServiceError('paused', `resting after ${inARow} failures in a row`, {
      retryAt: clock.now() + restMs,
      outcome: 'notProcessed',
      inARow,
      cause: last,
    });
  }

  /** Waits for room; that wait is in no timeout but the deadline. */
  async #takeSlots({ state, window }: Shared, run: Run<unknown>): Promise<() => void> {
    const { operation, options, deadline } = run;
    const isBackground = options.background ?? false;
    const { gate } = operation;
    const given: (() => void)[] = [];
    const giveBack = (): void => {
      for (const one of given.splice(0)) one();
    };
    let guard: Guard | undefined;
    try {
      const gates = gate ? [this.#gateSlots(gate)] : [];
      for (const slots of [...gates, window.slots, state.slots]) {
        const free = slots.tryTake(isBackground);
        if (free) {
          given.push(free);
          continue;
        }
        guard ??= new Guard(options.signal, this.#options.clock, deadline);
        guard.arm(Number.POSITIVE_INFINITY, 'queue');
        given.push(await slots.take(isBackground, guard.signal));
      }
      return giveBack;
    } catch (error) {
      giveBack();
      throw guard?.failure ? unsent(guard.failure) : error;
    } finally {
      guard?.close();
    }
  }

  /** To whoever made the call, and to whoever shows waits for all calls. */
  #tellWait({ operation, options }: Run<unknown>, wait: Wait): void {
    options.onWait?.(wait);
    this.#options.onWait?.(wait, operation.name);
  }

  async #sleep(ms: number, { options, deadline }: Run<unknown>): Promise<void> {
    const { clock } = this.#options;
    const due = clock.monotonic() + ms;
    await clock.sleep(ms, options.signal);
    deadline.forgive(clock.monotonic() - due);
  }

  async #attempt<T>(run: Run<T>, prepared: Prepared): Promise<Reached<T>> {
    const { request, transport, hide } = prepared;
    const { operation, options, deadline, timeouts, attempt } = run;
    const { clock, log } = this.#options;
    const guard = new Guard(options.signal, clock, deadline);
    const startedAt = clock.monotonic();
    let response: TransportResponse | undefined;
    let requestId: string | undefined;
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
      requestId = shownId(response, hide);
      const reply: Reply = {
        url: request.url,
        response,
        guard,
        timeouts,
        requestId,
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        hide,
        note: surprise => this.#note(surprise, hide),
      };
      if (isSuccess(response.status)) checkCodings(response.headers.get('content-encoding'));
      else throw await statusError(reply);
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
      log(
        `${operation.method} ${operation.template ?? operation.path} ${response?.status ?? '-'} ${result} ` +
          `${ms} ms, attempt ${attempt}${requestId ? `, request ${requestId}` : ''}`,
      );
    }
  }

  /** Everything that stays the same over all attempts; the body and the idempotency key above all. */
  async #prepare(run: Run<unknown>): Promise<Prepared> {
    const { operation, options } = run;
    const { method, path, accept, body, target = 'service', query } = operation;
    // Nothing is read from the key store for a call that is canceled already.
    if (options.signal.aborted) throw new AbortError();
    const base = this.#base(target);
    // The service address may have changed since the endpoint was looked at.
    if (target instanceof URL)
      (await import('./endpointPolicy')).checkEndpointUrl(target.href, base);
    const url = endpoint(target instanceof URL ? target : base, path, query);
    const headers: Record<string, string> = {
      ...operation.headers,
      accept,
      'accept-encoding': acceptEncoding,
    };
    let hide = same;
    if (target !== 'site') {
      const key = sendableKey(await this.#options.apiKey(base.origin));
      headers['authorization'] = `Bearer ${key}`;
      hide = redactorOf(key);
    }
    const transport = await this.#options.transport();
    if (method === 'POST') {
      headers['content-type'] = 'application/json';
      headers[idempotencyHeader] = operation.idempotencyKey ?? crypto.randomUUID();
    }
    const text = body === undefined ? undefined : JSON.stringify(body);
    run.sentChars = text?.length ?? 0;
    return {
      transport,
      hide,
      request: { method, url, headers, ...(text === undefined ? {} : { body: text }) },
    };
  }

  /** Rejects as soon as the call is canceled or its deadline is over; what comes later is dropped. */
  #inTime<T>(pending: Promise<T>, { options, deadline }: Run<unknown>): Promise<T> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const free = (): void => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
      };
      const fail = (error: unknown): void => {
        free();
        reject(error);
      };
      const onAbort = (): void => fail(new AbortError());
      const cancelTimer = this.#options.clock.after(deadline.remainingMs(), () =>
        fail(unsentTimeout()),
      );
      signal.addEventListener('abort', onAbort, { once: true });
      pending.then(value => {
        free();
        resolve(value);
      }, fail);
    });
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

  /** A ledger that cannot be written must cost neither the answer nor the reason of a failure. */
  async #record(
    run: Run<unknown>,
    result: string,
    requestId: string | undefined,
    chargeOf: (() => Charge | undefined) | undefined,
    partialChars = 0,
  ): Promise<Cost | undefined> {
    const { clock, billing } = this.#options;
    // What never left the machine is no call.
    if (!billing || run.attempt === 0) return undefined;
    const { operation, startedAt, attempt, sentChars } = run;
    try {
      return await billing.record({
        operation: operation.name,
        model: operation.model,
        at: clock.now(),
        ms: Math.round(clock.monotonic() - startedAt),
        attempts: attempt,
        requestId,
        result,
        charge: chargeOf?.(),
        sentChars,
        partialChars,
      });
    } catch {
      this.#note(`the cost of ${operation.name} could not be written down`);
      return undefined;
    }
  }

  /** Once per text; the names in it come from the service. */
  #note(surprise: string, hide: (text: string) => string = same): void {
    // First of all: a stream may note the same with each of its events.
    if (this.#noted.has(surprise) || this.#noted.size >= 200) return;
    this.#noted.add(surprise);
    const line = cleanServerText(hide(surprise), 160);
    this.#options.log(`surprise: ${line}`);
  }

  #originState(origin: string, { concurrency }: Transport): OriginState {
    let state = this.#origins.get(origin);
    if (!state) this.#origins.set(origin, (state = new OriginState(concurrency)));
    state.setConcurrency(concurrency);
    return state;
  }

  #gateSlots({ key, max }: { key: string; max: number }): Slots {
    let slots = this.#gates.get(key);
    if (!slots) this.#gates.set(key, (slots = new Slots(max)));
    slots.resize(max);
    return slots;
  }
}

interface Shared {
  readonly state: OriginState;
  readonly window: RateLimitWindow;
}

/** Calls that one rate limit counts together, as far as is known; see {@link RateLimitWindow}. */
function scopeOf({ name, model }: Operation<unknown>): string {
  return model === undefined ? `operation ${name}` : `model ${model}`;
}

interface Reached<T> {
  readonly value: T;
  readonly requestId: string | undefined;
}

interface Prepared {
  /** Takes the key out of a text. */
  readonly hide: (text: string) => string;
  readonly transport: Transport;
  readonly request: Omit<TransportRequest, 'signal'>;
}

function unsentTimeout(): ServiceError {
  return new ServiceError('timeout', 'timeout (deadline) before sending', {
    outcome: 'notProcessed',
  });
}

/** Our side gave up before anything was sent. */
function unsent(failure: Error): Error {
  return failure instanceof ServiceError ? unsentTimeout() : failure;
}

/** Failures that count for the circuit breaker: the service or the way to it is ill, not the request. */
function saysUnwell({ kind }: ServiceError): boolean {
  return ['server', 'timeout', 'connection', 'offline'].includes(kind);
}

/** A plain answer to a bad request shows that the service works. */
function saysWell({ kind }: ServiceError): boolean {
  return ['badRequest', 'unauthorized', 'payment', 'forbidden', 'notFound'].includes(kind);
}

const same = (text: string): string => text;

function shownId(response: TransportResponse, hide: (text: string) => string): string | undefined {
  const id = requestIdOf(response);
  return id === undefined ? undefined : cleanServerText(hide(id), 128);
}

function sendableKey(text: string | undefined): string {
  const key = text?.trim();
  if (!key) throw new ServiceError('noKey', 'no API key for this service');
  // Anything else cannot stand in a header, and the platform's error would quote it.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ServiceError('noKey', 'the API key holds characters that cannot be sent');
}
