import { lazy } from '../base/async';
import type { Caller, CallerOptions } from './caller';
import type { ServiceError } from './errors';
import type { Called, CallOptions, Operation } from './operation';
import type { Page } from './pages';
import { systemClock } from './time';
import type { ApplyRequest, ApplyResult, ApplyStreamOptions } from './wire/apply';
import type { Batch, ListBatchesRequest } from './wire/batches';
import type { Catalogue } from './wire/catalogue';
import type { ChatOptions, ChatResult } from './wire/chat';
import type { ChatRequest } from './wire/chatRequest';
import type { CompactRequest, CompactResult } from './wire/compact';
import type { EndpointList, EndpointStatus, EndpointTarget } from './wire/dedicated';
import type { EmbedRequest, Embeddings } from './wire/embeddings';
import type { FineTuningJob, ListFineTuningJobsRequest } from './wire/fineTuning';
import type {
  CountTokensRequest,
  MessagesRequest,
  MessagesResult,
  TokenCount,
} from './wire/messages';
import type {
  PredictManyRequest,
  PredictRequest,
  Prediction,
  Predictions,
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
  CallerOptions,
  'baseUrl' | 'siteUrl' | 'apiKey' | 'transport' | 'billing' | 'onWait'
> &
  Partial<Pick<CallerOptions, 'clock' | 'random' | 'log' | 'timeouts'>> & {
    /** The key cannot be read, and who asked makes do without; undefined once it can be read. */
    readonly onKeyring?: (error: ServiceError | undefined) => void;
  };

/**
 * The inference service: one method per operation of the service document. Features take the slice
 * that they use, `Pick<ServiceClient, 'apply'>`, so that a signature says what a feature can do to the bill.
 *
 * Every method throws a `ServiceError` of any kind but `badUrl` typed by hand, and an `AbortError` as
 * soon as `signal` is aborted; what is said at a method comes on top.
 */
export class ServiceClient {
  readonly #options: CallerOptions;
  readonly #onKeyring: ClientOptions['onKeyring'];
  readonly #caller: () => Promise<Caller>;
  /** Until the service refuses it. */
  #asksStreamUsage = true;

  /** Cheap: the code behind a method loads at its first call. */
  constructor({ onKeyring, ...options }: ClientOptions) {
    this.#onKeyring = onKeyring;
    this.#options = {
      clock: systemClock,
      random: Math.random,
      log: () => undefined,
      timeouts: {},
      ...options,
    };
    this.#caller = lazy(async () => new (await import('./caller')).Caller(this.#options));
  }

  /**
   * True when a service address is set and a key is known for its origin. For those who can do without:
   * a key that cannot be read counts as none. Sends nothing.
   */
  async isReady(): Promise<boolean> {
    const obstacle = await this.obstacle();
    this.#onKeyring?.(obstacle?.kind === 'keyring' ? obstacle : undefined);
    return obstacle === undefined;
  }

  /** What keeps calls from being sent: `noUrl`, `badUrl`, `noKey` or `keyring`. Sends nothing. */
  async obstacle(): Promise<ServiceError | undefined> {
    const address = this.#options.baseUrl()?.trim() ?? '';
    const { ServiceError } = await import('./errors');
    if (address === '') return new ServiceError('noUrl', 'no service address is set');
    if (!URL.canParse(address)) return (await import('./baseUrl')).noAddress();
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
   * @throws {ServiceError} `truncated` when the file is not whole; its `partial` holds what came.
   * @see service document, Endpoints, "Apply"
   */
  async apply(request: ApplyRequest, options: ApplyStreamOptions): Promise<Called<ApplyResult>> {
    const { applyOperation } = await import('./wire/apply');
    return this.#call(applyOperation(request, options), options);
  }

  /**
   * One turn of a conversation, with the shared service or a dedicated endpoint.
   *
   * @returns also an answer that was stopped at a limit; see `isCut`.
   * @throws {ServiceError} `limit` for what the model does not take, before anything is sent;
   *   `rateLimited` with `code` `resource_unavailable` and `retryAt` when standby has no room.
   * @see service document, Endpoints, "POST /v1/chat/completions"
   */
  async chat(request: ChatRequest, options: ChatOptions): Promise<Called<ChatResult>> {
    const { chatOperation, isUsageRefused } = await import('./wire/chat');
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
   * @throws {ServiceError} `limit` for a model or a role that this format does not take.
   * @see service document, Endpoints, "POST /v1/messages"
   */
  async messages(request: MessagesRequest, options: ChatOptions): Promise<Called<MessagesResult>> {
    const { messagesOperation } = await import('./wire/messages');
    return this.#call(messagesOperation(request, options), options);
  }

  /** Tokens of a conversation in the messages format, as the service counts them. */
  async countTokens(
    request: CountTokensRequest,
    options: CallOptions,
  ): Promise<Called<TokenCount>> {
    const { countTokensOperation } = await import('./wire/messages');
    return this.#call(countTokensOperation(request), options);
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

  /** Turns that tracing recorded and labeled, in whatever form the service gives them. */
  async reflexTraces(options: CallOptions): Promise<Called<ReflexTraces>> {
    const { tracesOperation } = await import('./wire/reflex');
    return this.#call(tracesOperation(), options);
  }

  /**
   * Queues up to 10,000 rows for classification at the batch rate. After a failure, the same key again
   * gives the batch that exists, if it does.
   */
  async uploadReflexBatch(
    request: UploadRequest,
    options: CallOptions,
  ): Promise<Called<ReflexBatch>> {
    const { uploadReflexBatchOperation } = await import('./wire/reflexBatches');
    return this.#call(uploadReflexBatchOperation(request), options);
  }

  /** How far a reflex batch is. */
  async reflexBatch(id: string, options: CallOptions): Promise<Called<ReflexBatch>> {
    const { pollReflexBatchOperation } = await import('./wire/reflexBatches');
    return this.#call(pollReflexBatchOperation(id), options);
  }

  /**
   * Hands out the rows of a completed batch while they come, each once. What `onRows` throws is thrown here.
   * @throws {ServiceError} `notFound` when the service serves no results.
   */
  async reflexBatchResults(
    request: ResultsRequest,
    options: CallOptions,
  ): Promise<Called<BatchResults>> {
    const { reflexBatchResultsOperation } = await import('./wire/reflexBatches');
    const { stopped, ...results } = await this.#call(reflexBatchResultsOperation(request), options);
    if (stopped) throw stopped.reason;
    return results;
  }

  /**
   * Removes what is irrelevant from a long text; every line that stays is a line of it.
   * @throws {ServiceError} `limit` above 1M tokens, `truncated` when nothing is left.
   * @see service document, Endpoints, "POST /v1/compact"
   */
  async compact(request: CompactRequest, options: CallOptions): Promise<Called<CompactResult>> {
    const { compactOperation } = await import('./wire/compact');
    return this.#call(compactOperation(request), options);
  }

  /** Difficulty, ambiguity and domain of a prompt of up to 65,536 tokens. */
  async classifyPrompt(
    request: ClassifyRequest,
    options: CallOptions,
  ): Promise<Called<Classifications>> {
    const { classifyPromptOperation } = await import('./wire/router');
    return this.#call(classifyPromptOperation(request), options);
  }

  /** The model to call next for a prompt of up to 65,536 tokens. */
  async pickModel(request: PickRequest, options: CallOptions): Promise<Called<ModelPick>> {
    const { pickModelOperation } = await import('./wire/router');
    return this.#call(pickModelOperation(request), options);
  }

  /** The difficulty alone; legacy, and served on. */
  async routeRaw(request: RawRouteRequest, options: CallOptions): Promise<Called<RawRoute>> {
    const { routeRawOperation } = await import('./wire/router');
    return this.#call(routeRawOperation(request), options);
  }

  /** @deprecated by the service, in favour of {@link pickModel}. */
  async routeWithProvider(
    request: ProviderRouteRequest,
    options: CallOptions,
  ): Promise<Called<ProviderRoute>> {
    const { routeWithProviderOperation } = await import('./wire/router');
    return this.#call(routeWithProviderOperation(request), options);
  }

  /** Orders documents by relevance. The service plans to remove it; nothing new should be built on it. */
  async rerank(request: RerankRequest, options: CallOptions): Promise<Called<RerankResult>> {
    const { rerankOperation } = await import('./wire/rerank');
    return this.#call(rerankOperation(request), options);
  }

  /** One vector for each text, in their order. */
  async embed(request: EmbedRequest, options: CallOptions): Promise<Called<Embeddings>> {
    const { embedOperation } = await import('./wire/embeddings');
    return this.#call(embedOperation(request), options);
  }

  /** Newest first. For all of them: `pages(next => client.listBatches({ after: next }, options))`. */
  async listBatches(
    request: ListBatchesRequest,
    options: CallOptions,
  ): Promise<Called<Page<Batch, number>>> {
    const { listBatchesOperation } = await import('./wire/batches');
    return this.#call(listBatchesOperation(request), options);
  }

  /** Newest first. For all of them: `pages(next => client.listFineTuningJobs({ before: next }, options))`. */
  async listFineTuningJobs(
    request: ListFineTuningJobsRequest,
    options: CallOptions,
  ): Promise<Called<Page<FineTuningJob, string>>> {
    const { listFineTuningJobsOperation } = await import('./wire/fineTuning');
    return this.#call(listFineTuningJobsOperation(request), options);
  }

  /** Every dedicated endpoint of the account, in every state, newest first. */
  async listEndpoints(options: CallOptions): Promise<Called<EndpointList>> {
    const { listEndpointsOperation } = await import('./wire/dedicated');
    return this.#call(listEndpointsOperation(), options);
  }

  /** @throws {ServiceError} `notFound` also for an endpoint of another account. */
  async endpointStatus(id: string, options: CallOptions): Promise<Called<EndpointStatus>> {
    const { endpointStatusOperation } = await import('./wire/dedicated');
    return this.#call(endpointStatusOperation(id), options);
  }

  /**
   * What a conversation with a dedicated endpoint needs. Sends nothing.
   * @throws {ServiceError} `endpoint` when it does not serve, or its address may not get the key.
   */
  async endpointTarget(status: EndpointStatus): Promise<EndpointTarget> {
    const [{ endpointTarget }, { parseBaseUrl }] = await Promise.all([
      import('./endpointPolicy'),
      import('./baseUrl'),
    ]);
    return endpointTarget(status, parseBaseUrl(this.#options.baseUrl() ?? ''));
  }

  /** The chat models with windows and prices; from the built-in table, and marked so, where the live page fails. */
  async catalogue(options: CallOptions): Promise<Called<Catalogue>> {
    const { catalogueOperation, orBuiltIn } = await import('./wire/catalogue');
    return orBuiltIn(() => this.#call(catalogueOperation(), options), this.#options);
  }

  async #call<T extends object>(operation: Operation<T>, options: CallOptions): Promise<Called<T>> {
    const caller = await this.#caller();
    const { value, ...info } = await caller.call(operation, options);
    return { ...value, ...info };
  }
}
