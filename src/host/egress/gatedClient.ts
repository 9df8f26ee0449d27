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
  const bound = (operation: keyof ServiceClient) => {
    const call: unknown = Reflect.get(client, operation);
    if (typeof call !== 'function') throw new TypeError(operation);
    return async (...args: unknown[]): Promise<unknown> => Reflect.apply(call, client, args);
  };
  const plain = plainOperations.map(operation => [operation, bound(operation)] as const);
  const gated = textOperations.map(operation => {
    const call = bound(operation);
    const through = async (request: unknown, options: { readonly sending: Sending }) =>
      (await openGate()).send(operation, request, options.sending, async passed =>
        call(passed, options),
      );
    return [operation, through] as const;
  });
  // Each operation has the type of the client's own, with `sending` beside its options.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries<unknown>([...plain, ...gated]) as GatedClient;
}
