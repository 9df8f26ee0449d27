import type { Caller, CallerOptions } from './caller';
import type { Called, CallOptions, Operation } from './operation';
import { systemClock } from './time';
import type { ApplyRequest, ApplyResult, ApplyStreamOptions } from './wire/apply';
import type { PredictManyRequest, PredictRequest, Prediction, Predictions } from './wire/reflex';

export type ClientOptions = Pick<
  CallerOptions,
  'baseUrl' | 'siteUrl' | 'apiKey' | 'transport' | 'billing'
> &
  Partial<Pick<CallerOptions, 'clock' | 'random' | 'log' | 'timeouts'>>;

/**
 * The inference service: one method per operation of the service document. Features take the slice
 * that they use, `Pick<ServiceClient, 'apply'>`, so that a signature says what a feature can do to the bill.
 *
 * Every method throws a `ServiceError` of any kind but `badUrl` typed by hand, and an `AbortError` as
 * soon as `signal` is aborted; what is said at a method comes on top.
 */
export class ServiceClient {
  readonly #options: CallerOptions;
  #loading: Promise<Caller> | undefined;

  /** Cheap: the code behind a method loads at its first call. */
  constructor(options: ClientOptions) {
    this.#options = {
      clock: systemClock,
      random: Math.random,
      log: () => undefined,
      timeouts: {},
      ...options,
    };
  }

  /** True when a service address is set and a key is known for its origin. Sends nothing. */
  async isReady(): Promise<boolean> {
    const address = this.#options.baseUrl()?.trim() ?? '';
    if (!URL.canParse(address)) return false;
    return (await this.#options.apiKey(new URL(address).origin)) !== undefined;
  }

  /**
   * Merges an edit snippet into a file.
   *
   * @returns the whole merged file; at temperature 0, so the same request gives the same file.
   * @throws {ServiceError} `truncated` when the file is not whole; its `partial` holds what came.
   * @see service document, Endpoints, "Apply"
   */
  async apply(request: ApplyRequest, options: ApplyStreamOptions): Promise<Called<ApplyResult>> {
    const { applyOperation } = await import('./wire/apply');
    return this.#call(applyOperation(request, options), options);
  }

  /**
   * One classifier over one text. No class selected means no confident label; that is no error.
   * @throws {ServiceError} `limit` for a text above 65,536 tokens.
   * @see service document, Endpoints, "POST /v1/reflex/predict"
   */
  async predict(request: PredictRequest, options: CallOptions): Promise<Called<Prediction>> {
    const { predictOperation } = await import('./wire/reflex');
    return this.#call(predictOperation(request), options);
  }

  /** Several classifiers over one text, in one request; a classifier that failed is in `failures`. */
  async predictMany(
    request: PredictManyRequest,
    options: CallOptions,
  ): Promise<Called<Predictions>> {
    const { predictManyOperation } = await import('./wire/reflex');
    return this.#call(predictManyOperation(request), options);
  }

  async #call<T extends object>(operation: Operation<T>, options: CallOptions): Promise<Called<T>> {
    this.#loading ??= import('./caller').then(({ Caller }) => new Caller(this.#options));
    const caller = await this.#loading;
    const { value, ...info } = await caller.call(operation, options);
    return { ...value, ...info };
  }
}
