import { systemClock } from '../base/async/clock';
import { lazy } from '../base/async/lazy';
import type { ServiceError } from './errors';
import type { CallOptions, CallResult, Operation } from './http/operation';
import type { RequestExecutor, RequestExecutorOptions } from './http/requestExecutor';
import type { ApplyRequest, ApplyResult, ApplyStreamOptions } from './wire/apply';
import type { Batch, ListBatchesRequest } from './wire/batches';
import type { Catalogue } from './wire/catalogue';
import type { ChatOptions, ChatResult } from './wire/chat/chat';
import type { ChatRequest } from './wire/chat/chatRequest';
import type { MessagesResult } from './wire/chat/messageBuilder';
import type { TokenCount } from './wire/chat/messages';
import type { CountTokensRequest, MessagesRequest } from './wire/chat/messagesRequest';
import type { CompactRequest, CompactResult } from './wire/compact';
import type { EndpointList, EndpointStatus, EndpointTarget } from './wire/dedicated';
import type { Embeddings, EmbedRequest } from './wire/embeddings';
import type { FineTuningJob, ListFineTuningJobsRequest } from './wire/fineTuning';
import type { Page } from './wire/pages';
import type {
  Prediction,
  Predictions,
  PredictManyRequest,
  PredictRequest,
  ReflexTraces,
} from './wire/reflex';
import type {
  BatchResults,
  ReflexBatch,
  ResultsRequest,
  UploadRequest,
} from './wire/reflexBatches';
import type { RerankRequest, RerankResult } from './wire/rerank';
import type {
  Classifications,
  ClassifyRequest,
  ModelPick,
  PickRequest,
  ProviderRoute,
  ProviderRouteRequest,
  RawRoute,
  RawRouteRequest,
} from './wire/router';

export type ClientOptions = Pick<
  RequestExecutorOptions,
  'baseUrl' | 'siteUrl' | 'apiKey' | 'transport' | 'billing' | 'onWait'
> &
  Partial<Pick<RequestExecutorOptions, 'clock' | 'random' | 'log' | 'timeouts'>> & {
    /** Called when the key cannot be read and the caller continues without it; with undefined once it can be read. */
    readonly onKeyring?: (error: ServiceError | undefined) => void;
  };

/**
 * The inference service: one method per operation of the service document. Features take the part
 * that they use, `Pick<ServiceClient, 'apply'>`, so that a signature shows which costs a feature can cause.
 *
 * Every method throws a `ServiceError` of any kind, and an `AbortError` as soon as `signal` is aborted;
 * the methods document only errors of their own.
 */
export class ServiceClient {
  readonly #options: RequestExecutorOptions;
  readonly #onKeyring: ClientOptions['onKeyring'];
  readonly #executor: () => Promise<RequestExecutor>;
  /** True until the service refuses the field. */
  #asksStreamUsage = true;

  /** Cheap: the code of a method is loaded at its first call. */
  constructor({ onKeyring, ...options }: ClientOptions) {
    this.#onKeyring = onKeyring;
    this.#options = {
      clock: systemClock,
      random: Math.random,
      log: () => undefined,
      timeouts: {},
      ...options,
    };
    this.#executor = lazy(
      async () => new (await import('./http/requestExecutor')).RequestExecutor(this.#options),
    );
  }

  /**
   * True when a service address is set and a key is stored for its origin. For features with a local
   * engine: a key that cannot be read counts as none. Sends nothing.
   */
  async isReady(): Promise<boolean> {
    const obstacle = await this.obstacle();
    this.#onKeyring?.(obstacle?.kind === 'keyring' ? obstacle : undefined);
    return obstacle === undefined;
  }

  /** What prevents calls from being sent: `noUrl`, `badUrl`, `noKey` or `keyring`. Sends nothing. */
  async obstacle(): Promise<ServiceError | undefined> {
    const address = this.#options.baseUrl()?.trim() ?? '';
    const { ServiceError } = await import('./errors');
    if (address === '') return new ServiceError('noUrl', 'no service address is set');
    if (!URL.canParse(address)) return (await import('./baseUrl')).invalidAddress();
    try {
      const key = await this.#options.apiKey(new URL(address).origin);
      return key === undefined
        ? new ServiceError('noKey', 'no API key for this service')
        : undefined;
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  }

  /**
   * Merges an edit snippet into a file.
   *
   * @returns the whole merged file; at temperature 0, so the same request gives the same file.
   * @throws {ServiceError} `truncated` when the file is incomplete; its `partial` holds what arrived.
   * @see service document, Endpoints, "Apply"
   */
  async apply(
    request: ApplyRequest,
    options: ApplyStreamOptions,
  ): Promise<CallResult<ApplyResult>> {
    const { applyOperation } = await import('./wire/apply');
    return this.#call(applyOperation(request, options), options);
  }

  /**
   * One turn of a conversation, with the shared service or a dedicated endpoint.
   *
   * @returns an answer, which may have been stopped at a limit; see `isCut`.
   * @throws {ServiceError} `limit` for what the model does not accept, before anything is sent;
   *   `rateLimited` with `code` `resource_unavailable` and `retryAt` when standby has no capacity.
   * @see service document, Endpoints, "POST /v1/chat/completions"
   */
  async chat(request: ChatRequest, options: ChatOptions): Promise<CallResult<ChatResult>> {
    const { chatOperation, isUsageRefused } = await import('./wire/chat/chat');
    const asksUsage = this.#asksStreamUsage;
    const turn = (asks: boolean) => this.#call(chatOperation(request, options, asks), options);
    try {
      return await turn(asksUsage);
    } catch (error) {
      if (!options.stream || !asksUsage || !isUsageRefused(error)) throw error;
      this.#asksStreamUsage = false;
      return turn(false);
    }
  }

  /**
   * {@link chat} in the messages format, for the open-source chat models.
   * @throws {ServiceError} `limit` for a model or a role that this format does not accept.
   * @see service document, Endpoints, "POST /v1/messages"
   */
  async messages(
    request: MessagesRequest,
    options: ChatOptions,
  ): Promise<CallResult<MessagesResult>> {
    const { messagesOperation } = await import('./wire/chat/messages');
    return this.#call(messagesOperation(request, options), options);
  }

  /** Counts the tokens of a conversation in the messages format. */
  async countTokens(
    request: CountTokensRequest,
    options: CallOptions,
  ): Promise<CallResult<TokenCount>> {
    const { countTokensOperation } = await import('./wire/chat/messages');
    return this.#call(countTokensOperation(request), options);
  }

  /**
   * Classifies one text with one classifier. No selected class means no confident label, which is no error.
   * @throws {ServiceError} `limit` for a text above 65,536 tokens.
   * @see service document, Endpoints, "POST /v1/reflex/predict"
   */
  async predict(request: PredictRequest, options: CallOptions): Promise<CallResult<Prediction>> {
    const { predictOperation } = await import('./wire/reflex');
    return this.#call(predictOperation(request), options);
  }

  /** Classifies one text with several classifiers in one request; `failures` holds those that failed. */
  async predictMany(
    request: PredictManyRequest,
    options: CallOptions,
  ): Promise<CallResult<Predictions>> {
    const { predictManyOperation } = await import('./wire/reflex');
    return this.#call(predictManyOperation(request), options);
  }

  /** Turns that tracing recorded and labeled, in the form in which the service gives them. */
  async reflexTraces(options: CallOptions): Promise<CallResult<ReflexTraces>> {
    const { tracesOperation } = await import('./wire/reflex');
    return this.#call(tracesOperation(), options);
  }

  /**
   * Queues up to 10,000 rows for classification at the batch rate. After a failure, a repeated call with the
   * same idempotency key returns the batch that was created, if there is one.
   */
  async uploadReflexBatch(
    request: UploadRequest,
    options: CallOptions,
  ): Promise<CallResult<ReflexBatch>> {
    const { uploadReflexBatchOperation } = await import('./wire/reflexBatches');
    return this.#call(uploadReflexBatchOperation(request), options);
  }

  /** Status and progress of a reflex batch. */
  async reflexBatch(id: string, options: CallOptions): Promise<CallResult<ReflexBatch>> {
    const { pollReflexBatchOperation } = await import('./wire/reflexBatches');
    return this.#call(pollReflexBatchOperation(id), options);
  }

  /**
   * Passes the rows of a completed batch to `onRows` as they arrive, each once. Errors of `onRows` are rethrown.
   * @throws {ServiceError} `notFound` when the service offers no results.
   */
  async reflexBatchResults(
    request: ResultsRequest,
    options: CallOptions,
  ): Promise<CallResult<BatchResults>> {
    const { reflexBatchResultsOperation } = await import('./wire/reflexBatches');
    const { stopped, ...results } = await this.#call(reflexBatchResultsOperation(request), options);
    if (stopped) throw stopped.reason;
    return results;
  }

  /**
   * Removes what is irrelevant from a long text; every remaining line is a line of the input.
   * @throws {ServiceError} `limit` above 1M tokens, `truncated` when nothing is left.
   * @see service document, Endpoints, "POST /v1/compact"
   */
  async compact(request: CompactRequest, options: CallOptions): Promise<CallResult<CompactResult>> {
    const { compactOperation } = await import('./wire/compact');
    return this.#call(compactOperation(request), options);
  }

  /** Difficulty, ambiguity and domain of a prompt of up to 65,536 tokens. */
  async classifyPrompt(
    request: ClassifyRequest,
    options: CallOptions,
  ): Promise<CallResult<Classifications>> {
    const { classifyPromptOperation } = await import('./wire/router');
    return this.#call(classifyPromptOperation(request), options);
  }

  /** The model to call next for a prompt of up to 65,536 tokens. */
  async pickModel(request: PickRequest, options: CallOptions): Promise<CallResult<ModelPick>> {
    const { pickModelOperation } = await import('./wire/router');
    return this.#call(pickModelOperation(request), options);
  }

  /** Only the difficulty; legacy, but still served. */
  async routeRaw(request: RawRouteRequest, options: CallOptions): Promise<CallResult<RawRoute>> {
    const { routeRawOperation } = await import('./wire/router');
    return this.#call(routeRawOperation(request), options);
  }

  /** @deprecated by the service in favour of {@link pickModel}. */
  async routeWithProvider(
    request: ProviderRouteRequest,
    options: CallOptions,
  ): Promise<CallResult<ProviderRoute>> {
    const { routeWithProviderOperation } = await import('./wire/router');
    return this.#call(routeWithProviderOperation(request), options);
  }

  /** Orders documents by relevance. The service plans to remove it; nothing new should be built on it. */
  async rerank(request: RerankRequest, options: CallOptions): Promise<CallResult<RerankResult>> {
    const { rerankOperation } = await import('./wire/rerank');
    return this.#call(rerankOperation(request), options);
  }

  /** One vector for each text, in the order of the texts. */
  async embed(request: EmbedRequest, options: CallOptions): Promise<CallResult<Embeddings>> {
    const { embedOperation } = await import('./wire/embeddings');
    return this.#call(embedOperation(request), options);
  }

  /** Newest first. For all of them: `pages(next => client.listBatches({ after: next }, options))`. */
  async listBatches(
    request: ListBatchesRequest,
    options: CallOptions,
  ): Promise<CallResult<Page<Batch, number>>> {
    const { listBatchesOperation } = await import('./wire/batches');
    return this.#call(listBatchesOperation(request), options);
  }

  /** Newest first. For all of them: `pages(next => client.listFineTuningJobs({ before: next }, options))`. */
  async listFineTuningJobs(
    request: ListFineTuningJobsRequest,
    options: CallOptions,
  ): Promise<CallResult<Page<FineTuningJob, string>>> {
    const { listFineTuningJobsOperation } = await import('./wire/fineTuning');
    return this.#call(listFineTuningJobsOperation(request), options);
  }

  /** Every dedicated endpoint of the account, in every state, newest first. */
  async listEndpoints(options: CallOptions): Promise<CallResult<EndpointList>> {
    const { listEndpointsOperation } = await import('./wire/dedicated');
    return this.#call(listEndpointsOperation(), options);
  }

  /** @throws {ServiceError} `notFound` also for an endpoint of another account. */
  async endpointStatus(id: string, options: CallOptions): Promise<CallResult<EndpointStatus>> {
    const { endpointStatusOperation } = await import('./wire/dedicated');
    return this.#call(endpointStatusOperation(id), options);
  }

  /**
   * The target for conversations with a dedicated endpoint. Sends nothing.
   * @throws {ServiceError} `endpoint` when it is not ready, or its address must not get the key.
   */
  async endpointTarget(status: EndpointStatus): Promise<EndpointTarget> {
    const [{ endpointTarget }, { parseBaseUrl }] = await Promise.all([
      import('./endpointPolicy'),
      import('./baseUrl'),
    ]);
    return endpointTarget(status, parseBaseUrl(this.#options.baseUrl() ?? ''));
  }

  /** The chat models with context windows and prices; from the built-in table, marked so, when the live page fails. */
  async catalogue(options: CallOptions): Promise<CallResult<Catalogue>> {
    const { catalogueOperation, orBuiltIn } = await import('./wire/catalogue');
    return orBuiltIn(() => this.#call(catalogueOperation(), options), this.#options);
  }

  async #call<T extends object>(
    operation: Operation<T>,
    options: CallOptions,
  ): Promise<CallResult<T>> {
    const executor = await this.#executor();
    const { value, ...info } = await executor.execute(operation, options);
    return { ...value, ...info };
  }
}
