import type { ServiceClient } from '../../service';
import type { EgressGate } from './gate';
import type { Sending } from './sending';

/** Operations that carry text of the user. */
type TextOperation =
  | 'apply'
  | 'chat'
  | 'messages'
  | 'countTokens'
  | 'predict'
  | 'predictMany'
  | 'uploadReflexBatch'
  | 'compact'
  | 'classifyPrompt'
  | 'pickModel'
  | 'routeRaw'
  | 'routeWithProvider'
  | 'rerank'
  | 'embed';

/** Operations that send no text of the user: only ids, page positions and the key. */
type PlainOperation =
  | 'isReady'
  | 'obstacle'
  | 'reflexTraces'
  | 'reflexBatch'
  | 'reflexBatchResults'
  | 'listBatches'
  | 'listFineTuningJobs'
  | 'listEndpoints'
  | 'endpointStatus'
  | 'endpointTarget'
  | 'catalogue';

interface Call<Request, Options, Result> {
  readonly request: Request;
  readonly options: Options;
  readonly result: Result;
}

type Calls = {
  readonly [Operation in TextOperation]: Call<
    Parameters<ServiceClient[Operation]>[0],
    Parameters<ServiceClient[Operation]>[1],
    Awaited<ReturnType<ServiceClient[Operation]>>
  >;
};

/** The text operations of the client without the gate. */
type Ungated = {
  readonly [Operation in TextOperation]: (
    request: Calls[Operation]['request'],
    options: Calls[Operation]['options'],
  ) => Promise<Calls[Operation]['result']>;
};

type GatedCall<Operation extends TextOperation> = (
  request: Calls[Operation]['request'],
  options: Calls[Operation]['options'] & { readonly sending: Sending },
) => Promise<Calls[Operation]['result']>;

/**
 * The service client for features: each call that carries text states its purpose and passes the gate. A
 * new operation of the client is in neither of the two lists, so that nothing fits its type, and
 * {@link gateClient} does not compile until it is added to one.
 */
export type GatedClient = {
  [Operation in keyof ServiceClient]: Operation extends TextOperation
    ? GatedCall<Operation>
    : Operation extends PlainOperation
      ? ServiceClient[Operation]
      : never;
};

/** @param openGate loads the code of the gate at the first call. */
export function gateClient(
  client: ServiceClient,
  openGate: () => Promise<EgressGate>,
): GatedClient {
  const ungated: Ungated = client;
  const gated =
    <Operation extends TextOperation>(operation: Operation): GatedCall<Operation> =>
    async (request, options) =>
      (await openGate()).send(operation, request, options.sending, async (passed, source) =>
        ungated[operation](passed, { ...options, source }),
      );
  return {
    apply: gated('apply'),
    chat: gated('chat'),
    messages: gated('messages'),
    countTokens: gated('countTokens'),
    predict: gated('predict'),
    predictMany: gated('predictMany'),
    uploadReflexBatch: gated('uploadReflexBatch'),
    compact: gated('compact'),
    classifyPrompt: gated('classifyPrompt'),
    pickModel: gated('pickModel'),
    routeRaw: gated('routeRaw'),
    routeWithProvider: gated('routeWithProvider'),
    rerank: gated('rerank'),
    embed: gated('embed'),
    isReady: client.isReady.bind(client),
    obstacle: client.obstacle.bind(client),
    reflexTraces: client.reflexTraces.bind(client),
    reflexBatch: client.reflexBatch.bind(client),
    reflexBatchResults: client.reflexBatchResults.bind(client),
    listBatches: client.listBatches.bind(client),
    listFineTuningJobs: client.listFineTuningJobs.bind(client),
    listEndpoints: client.listEndpoints.bind(client),
    endpointStatus: client.endpointStatus.bind(client),
    endpointTarget: client.endpointTarget.bind(client),
    catalogue: client.catalogue.bind(client),
  };
}
