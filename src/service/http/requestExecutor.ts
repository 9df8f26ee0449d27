import { AbortError, type Clock, isAbortError } from '../../base/async/clock';
import { cleanServerText } from '../../base/format/serverText';
import { isStandbyRefusal, ServiceError } from '../errors';
import { checkCodings } from '../transport/contentCoding';
import { networkError } from '../transport/networkError';
import type { TransportResponse } from '../transport/transport';
import { Admission, type SharedLimits, unsentTimeout } from './admission';
import { CallContext } from './callContext';
import type {
  Billing,
  CallInfo,
  CallOptions,
  Charge,
  Cost,
  Operation,
  OperationName,
  RetryWait,
} from './operation';
import { type PreparedRequest, prepareRequest, type RequestSources } from './requestPreparation';
import { isSuccess, type ResponseContext, requestIdOf, statusError } from './responseContext';
import { backoffMs, jitteredRetryAfterMs, shouldRetry } from './retry';
import { StartThrottle } from './startThrottle';
import { TimeoutController } from './timeoutController';
import type { Timeouts } from './timeouts';

export interface RequestExecutorOptions extends RequestSources {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
  /** Take precedence over those of an operation. */
  readonly timeouts: Partial<Timeouts>;
  readonly billing?: Billing | undefined;
  /** Called before each wait of any call, in the asynchronous context of whoever made the call. */
  readonly onWait?: ((wait: RetryWait, operation: OperationName) => void) | undefined;
}

export interface ExecutedCall<T> extends CallInfo {
  readonly value: T;
}

/** Texts of warnings that are remembered so that each is logged once. */
const maxWarnings = 200;

/** The only place that sends and repeats requests. */
export class RequestExecutor {
  readonly #options: RequestExecutorOptions;
  readonly #admission: Admission;
  readonly #warned = new Set<string>();
  readonly #startThrottle = new StartThrottle();

  constructor(options: RequestExecutorOptions) {
    this.#options = options;
    this.#admission = new Admission(options);
  }

  /**
   * @throws {ServiceError} with `attempts`; `retryAt` when the service asked for a longer wait than
   *   {@link Timeouts.patienceMs}.
   * @throws {AbortError} at once in every phase when `signal` is aborted.
   */
  async execute<T>(operation: Operation<T>, options: CallOptions): Promise<ExecutedCall<T>> {
    const { clock, billing } = this.#options;
    const call = new CallContext(operation, options, this.#options);
    let answer: AttemptResult<T>;
    try {
      await billing?.admit(operation.name, options.source);
      answer = await this.#runAttempts(call);
    } catch (error) {
      const failure = error instanceof ServiceError ? error : undefined;
      if (failure) failure.attempts = call.attempt;
      const result = failure?.kind ?? (isAbortError(error) ? 'canceled' : 'failed');
      await this.#record(call, result, failure?.requestId, undefined, failure?.partial?.length);
      throw error;
    }
    const { value, requestId } = answer;
    const cost = await this.#record(call, 'ok', requestId, () => operation.charge?.(value));
    return {
      value,
      attempts: call.attempt,
      ms: clock.monotonic() - call.startedAt,
      ...(requestId === undefined ? {} : { requestId }),
      ...(cost ? { cost } : {}),
    };
  }

  async #runAttempts<T>(call: CallContext<T>): Promise<AttemptResult<T>> {
    await this.#startThrottle.acquire();
    const prepared = await this.#withinDeadline(this.#prepare(call), call);
    const { request, transport } = prepared;
    const shared = this.#admission.limitsOf(call.operation, request.url.origin, transport);
    const count = this.#counter(call.operation);
    for (;;) {
      count(1, 0);
      const leave = await this.#admission.enter(shared, call).finally(() => count(-1, 0));
      count(0, 1);
      let waitMs: number;
      try {
        call.attempt++;
        const answer = await this.#attempt(call, prepared);
        shared.origin.recordSuccess();
        shared.window.recordSuccess();
        return answer;
      } catch (error) {
        waitMs = this.#waitAfter(error, call, shared);
      } finally {
        count(0, -1);
        leave();
      }
      await this.#admission.sleep(waitMs, call);
    }
  }

  #counter({ endpointId }: Operation<unknown>): (waiting: number, running: number) => void {
    const { billing } = this.#options;
    if (endpointId === undefined || !billing) return () => undefined;
    return (waiting, running) => void billing.count?.(endpointId, waiting, running);
  }

  async #prepare(call: CallContext<unknown>): Promise<PreparedRequest> {
    const prepared = await prepareRequest(call.operation, call.options.signal, this.#options);
    call.sentChars = prepared.request.body?.length ?? 0;
    return prepared;
  }

  /** How long to wait before the next attempt, in milliseconds. @throws the error itself when it is final. */
  #waitAfter(error: unknown, call: CallContext<unknown>, { origin, window }: SharedLimits): number {
    if (!(error instanceof ServiceError)) throw error;
    const { operation, options, deadline, timeouts, attempt } = call;
    const { clock, random } = this.#options;
    const { breaker } = origin;
    const now = clock.monotonic();
    error.attempts = attempt;
    if (isServiceFailure(error)) breaker.recordFailure(error, now);
    else if (isServiceAnswer(error)) breaker.recordAnswer();
    const askedMs = error.retryAfterMs;
    const waitMs =
      askedMs === undefined
        ? backoffMs(attempt, timeouts.backoffCapMs, random)
        : jitteredRetryAfterMs(askedMs, random);
    // Requests that were under way when the window closed meet the same 429; they pay for it once.
    const isLimited = error.kind === 'rateLimited' && !isStandbyRefusal(error);
    const isPaid = isLimited && !window.pause(waitMs, now);
    if (!shouldRetry(error, operation.callClass, attempt, call.unknownOutcomes)) throw error;
    if (askedMs !== undefined && askedMs > timeouts.patienceMs) throw error;
    if (waitMs >= deadline.remainingMs()) throw error;
    if (options.background && breaker.refusesForMs(now) > waitMs) throw error;
    const { budget } = error.kind === 'rateLimited' ? window : origin;
    if (!isPaid && !budget.tryTake(error.kind)) throw error;
    if (error.outcome === 'unknown') call.unknownOutcomes++;
    this.#admission.notifyWait(call, { retryAt: clock.now() + waitMs, error });
    return waitMs;
  }

  async #attempt<T>(call: CallContext<T>, prepared: PreparedRequest): Promise<AttemptResult<T>> {
    const { request, transport, redact } = prepared;
    const { operation, options, deadline, timeouts, attempt } = call;
    const { clock, log } = this.#options;
    const timeoutController = new TimeoutController(options.signal, clock, deadline);
    const startedAt = clock.monotonic();
    let response: TransportResponse | undefined;
    let requestId: string | undefined;
    let result = 'ok';
    let firstMs: number | undefined;
    try {
      if (timeoutController.failure) throw timeoutController.failure;
      timeoutController.arm(timeouts.headersMs, 'headers');
      const pending = transport.request({ ...request, signal: timeoutController.signal });
      response = await timeoutController.wait(pending).catch((error: unknown) => {
        // A transport that is slow to notice the abort must not leave an answer open.
        pending.then(late => late.cancel()).catch(() => undefined);
        throw error;
      });
      timeoutController.disarm();
      requestId = displayedRequestId(response, redact);
      const context: ResponseContext = {
        url: request.url,
        response,
        timeoutController,
        timeouts,
        requestId,
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        redact,
        warn: unexpected => this.#warn(unexpected, redact),
        onContent: () => (firstMs ??= clock.monotonic() - startedAt),
      };
      if (isSuccess(response.status)) checkCodings(response.headers.get('content-encoding'));
      else throw await statusError(context);
      return { value: await operation.read(context), requestId };
    } catch (error) {
      const failure = timeoutController.failure ?? networkError(error, request.url.host);
      // A stream that was interrupted knows more than the timeout: the text that came before it.
      const reported =
        error instanceof ServiceError && failure instanceof ServiceError ? error : failure;
      result = reported instanceof ServiceError ? reported.kind : 'canceled';
      throw reported;
    } finally {
      timeoutController.close();
      const ms = Math.round(clock.monotonic() - startedAt);
      const { endpointId: id } = operation;
      if (id !== undefined) call.timing = { id, ms, firstMs: firstMs && Math.round(firstMs) };
      log(
        `${operation.method} ${operation.template ?? operation.path} ${response?.status ?? '-'} ${result} ` +
          `${ms} ms, attempt ${attempt}${requestId ? `, request ${requestId}` : ''}`,
      );
    }
  }

  /** Rejects as soon as the call is canceled or its deadline passes; a later result is dropped. */
  #withinDeadline<T>(pending: Promise<T>, { options, deadline }: CallContext<unknown>): Promise<T> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const cleanUp = (): void => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
      };
      const fail = (error: unknown): void => {
        cleanUp();
        reject(error);
      };
      const onAbort = (): void => fail(new AbortError());
      const cancelTimer = this.#options.clock.after(deadline.remainingMs(), () =>
        fail(unsentTimeout()),
      );
      signal.addEventListener('abort', onAbort, { once: true });
      pending.then(value => {
        cleanUp();
        resolve(value);
      }, fail);
    });
  }

  /** A ledger that cannot be written must cost neither the answer nor the reason of a failure. */
  async #record(
    call: CallContext<unknown>,
    result: string,
    requestId: string | undefined,
    chargeOf: (() => Charge | undefined) | undefined,
    partialChars = 0,
  ): Promise<Cost | undefined> {
    const { clock, billing } = this.#options;
    // A call of which nothing was sent is not recorded.
    if (!billing || call.attempt === 0) return undefined;
    const { operation, startedAt, attempt, sentChars } = call;
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
        source: call.options.source,
        timing: call.timing,
      });
    } catch {
      this.#warn(`the cost of ${operation.name} could not be written down`);
      return undefined;
    }
  }

  /** Logs something unexpected, once per text; names in it come from the service. */
  #warn(unexpected: string, redact: (text: string) => string = text => text): void {
    // Checked first: a stream may warn of the same with each of its events.
    if (this.#warned.has(unexpected) || this.#warned.size >= maxWarnings) return;
    this.#warned.add(unexpected);
    const line = cleanServerText(redact(unexpected), 160);
    this.#options.log(`unexpected: ${line}`);
  }
}

interface AttemptResult<T> {
  readonly value: T;
  readonly requestId: string | undefined;
}

/** Failures that count for the circuit breaker: the service, or the way to it, fails. */
function isServiceFailure({ kind }: ServiceError): boolean {
  return ['server', 'timeout', 'connection', 'offline'].includes(kind);
}

/** A plain answer to a bad request shows that the service works. */
function isServiceAnswer({ kind }: ServiceError): boolean {
  return ['badRequest', 'unauthorized', 'payment', 'forbidden', 'notFound'].includes(kind);
}

function displayedRequestId(
  response: TransportResponse,
  redact: (text: string) => string,
): string | undefined {
  const id = requestIdOf(response);
  return id === undefined ? undefined : cleanServerText(redact(id), 128);
}
