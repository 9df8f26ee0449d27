import type { ServiceClient } from '../../service/client';
import type { EgressGate } from './gate';
import type { Sending } from './sending';

/** Operations that carry text of the user. */
export const textOperations = [
  'apply',
  'chat',
  'messages',
  'countTokens',
  'predict',
  'predictMany',
  'uploadReflexBatch',
  'compact',
  'classifyPrompt',
  'pickModel',
  'routeRaw',
  'routeWithProvider',
  'rerank',
  'embed',
] as const satisfies readonly (keyof ServiceClient)[];

/** Operations that send nothing of the user: ids, pages and the key alone. */
export const plainOperations = [
  'isReady',
  'obstacle',
  'reflexTraces',
  'reflexBatch',
  'reflexBatchResults',
  'listBatches',
  'listFineTuningJobs',
  'listEndpoints',
  'endpointStatus',
  'endpointTarget',
  'catalogue',
] as const satisfies readonly (keyof ServiceClient)[];

type TextOperation = (typeof textOperations)[number];
type Unsorted = Exclude<keyof ServiceClient, TextOperation | (typeof plainOperations)[number]>;

type Gated<Operation extends TextOperation> = (
  request: Parameters<ServiceClient[Operation]>[0],
  options: Parameters<ServiceClient[Operation]>[1] & { readonly sending: Sending },
) => ReturnType<ServiceClient[Operation]>;

/**
 * The client of the service as features get it: no text leaves without a word about what it is sent for,
 * and none that the gate refuses.
 */
export type GatedClient = Pick<ServiceClient, (typeof plainOperations)[number]> & {
  readonly [Operation in TextOperation]: Gated<Operation>;
} & { readonly [Operation in Unsorted]: never };

/** @param openGate loads the code of the gate at the first call. */
export function gateClient(
  client: ServiceClient,
  openGate: () => Promise<EgressGate>,
): GatedClient {
  const through = async <R, T>(
    operation: TextOperation,
    request: R,
    { sending }: { readonly sending: Sending },
    call: (request: R) => Promise<T>,
  ): Promise<T> => (await openGate()).send(operation, request, sending, call);
  return {
    apply: async (request, options) =>
      through('apply', request, options, async passed => client.apply(passed, options)),
    chat: async (request, options) =>
      through('chat', request, options, async passed => client.chat(passed, options)),
    messages: async (request, options) =>
      through('messages', request, options, async passed => client.messages(passed, options)),
    countTokens: async (request, options) =>
      through('countTokens', request, options, async passed => client.countTokens(passed, options)),
    predict: async (request, options) =>
      through('predict', request, options, async passed => client.predict(passed, options)),
    predictMany: async (request, options) =>
      through('predictMany', request, options, async passed => client.predictMany(passed, options)),
    uploadReflexBatch: async (request, options) =>
      through('uploadReflexBatch', request, options, async passed =>
        client.uploadReflexBatch(passed, options),
      ),
    compact: async (request, options) =>
      through('compact', request, options, async passed => client.compact(passed, options)),
    classifyPrompt: async (request, options) =>
      through('classifyPrompt', request, options, async passed =>
        client.classifyPrompt(passed, options),
      ),
    pickModel: async (request, options) =>
      through('pickModel', request, options, async passed => client.pickModel(passed, options)),
    routeRaw: async (request, options) =>
      through('routeRaw', request, options, async passed => client.routeRaw(passed, options)),
    routeWithProvider: async (request, options) =>
      through('routeWithProvider', request, options, async passed =>
        client.routeWithProvider(passed, options),
      ),
    rerank: async (request, options) =>
      through('rerank', request, options, async passed => client.rerank(passed, options)),
    embed: async (request, options) =>
      through('embed', request, options, async passed => client.embed(passed, options)),
    isReady: async () => client.isReady(),
    obstacle: async () => client.obstacle(),
    reflexTraces: async options => client.reflexTraces(options),
    reflexBatch: async (id, options) => client.reflexBatch(id, options),
    reflexBatchResults: async (request, options) => client.reflexBatchResults(request, options),
    listBatches: async (request, options) => client.listBatches(request, options),
    listFineTuningJobs: async (request, options) => client.listFineTuningJobs(request, options),
    listEndpoints: async options => client.listEndpoints(options),
    endpointStatus: async (id, options) => client.endpointStatus(id, options),
    endpointTarget: async status => client.endpointTarget(status),
    catalogue: async options => client.catalogue(options),
  };
}
