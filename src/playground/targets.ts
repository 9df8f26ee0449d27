import type { Translate } from '../base/format/text';
import { chatModels, modelLabel, routerModels, takesEffort } from '../contracts/chatModels';
import { defaultReflexes } from '../contracts/defaultReflexes';
import { endpointName } from '../contracts/endpointName';
import type { GatedClient } from '../platform/egress/gatedClient';
import type { EndpointStatus, Model } from '../service';
import type { TargetOption } from './core/draft';
import type { KnownPrices } from './core/estimate';

export type TargetsClient = Pick<
  GatedClient,
  'catalogue' | 'listEndpoints' | 'endpointStatus' | 'listFineTuningJobs'
>;

/** What prompts can be sent to now. */
export interface KnownTargets {
  readonly options: readonly TargetOption[];
  readonly prices: KnownPrices;
  /** The models that the router picks from. */
  readonly candidates: readonly Model[];
  /** Classifiers of the service and of the account, with their labels. */
  readonly reflexes: ReadonlyMap<string, readonly string[]>;
}

/** Status calls, at most. */
const maxEndpoints = 20;

/** @throws {ServiceError} if the endpoints cannot be read, or the key is refused. */
export async function readKnownTargets(
  client: TargetsClient,
  signal: AbortSignal,
  t: Translate,
): Promise<KnownTargets> {
  const [catalogue, { endpoints }, jobs] = await Promise.all([
    client.catalogue({ signal }),
    client.listEndpoints({ signal }),
    client.listFineTuningJobs({ limit: 100 }, { signal }),
  ]);
  const ready = endpoints.filter(({ state }) => state === 'ready').slice(0, maxEndpoints);
  const statuses = await Promise.all(
    ready.map(async ({ id }) => client.endpointStatus(id, { signal })),
  );
  const models = chatModels(catalogue);
  const candidates = routerModels(models);
  const own = jobs.items.flatMap(({ fineTunedModel, labels }) =>
    fineTunedModel === undefined ? [] : [[fineTunedModel, labels] as const],
  );
  return {
    options: optionsOf(models, candidates, statuses, t),
    candidates,
    prices: {
      byId: new Map([
        ...models.flatMap(({ id, price }) => (price ? [[id, price] as const] : [])),
        ...statuses.flatMap(({ id, connection }) =>
          connection?.pricePerM ? [[id, connection.pricePerM] as const] : [],
        ),
      ]),
      candidates: candidates.map(({ id }) => id),
    },
    reflexes: new Map([
      ...own.toReversed(),
      ...defaultReflexes.map(({ name, labels }) => [name, labels] as const),
    ]),
  };
}

function optionsOf(
  models: readonly Model[],
  candidates: readonly Model[],
  endpoints: readonly EndpointStatus[],
  t: Translate,
): TargetOption[] {
  const auto: TargetOption = {
    value: 'auto',
    kind: 'auto',
    label: t('Auto (router)'),
    hasEffort: true,
  };
  return [
    ...models.map(
      (model): TargetOption => ({
        value: `model:${model.id}`,
        kind: 'model',
        label: modelLabel(model.id),
        hasEffort: takesEffort(model),
      }),
    ),
    ...endpoints
      .filter(({ state }) => state === 'ready')
      .map(
        (status): TargetOption => ({
          value: `endpoint:${status.id}`,
          kind: 'endpoint',
          label: endpointName(status),
          hasEffort: models.every(model => model.id !== status.modelId || takesEffort(model)),
        }),
      ),
    ...(candidates.length > 1 ? [auto] : []),
  ];
}
