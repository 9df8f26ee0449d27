import assert from 'node:assert/strict';
import { english } from '../../../src/base/sentence';
import { readKnownTargets, type TargetsClient } from '../../../src/playground/targets';
import type { EndpointStatus } from '../../../src/service';
import type { Model } from '../../../src/service/wire/catalogue';
import { endpoint, status } from '../endpoints/core/support';

const info = { attempts: 1, ms: 1 };
const model = (id: string, more: Partial<Model> = {}): Model => ({
  id,
  isBeta: false,
  features: ['reasoning'],
  contextTokens: 1000,
  price: { input: 1, output: 2 },
  ...more,
});
const connection: EndpointStatus['connection'] = {
  servedModelName: 'served',
  pricePerM: { input: 3, output: 4 },
};

const job = (fineTunedModel: string | undefined, ...labels: string[]) => ({
  id: 'ftjob-1',
  fineTunedModel,
  labels,
});

/** What is known where the account has these models, endpoints and training jobs. */
async function known({
  models = [],
  states = {},
  jobs = [],
}: {
  models?: readonly Model[];
  /** By id, the state in the list and the one that the endpoint itself tells later. */
  states?: Readonly<Record<string, readonly [listed: string, own: string]>>;
  jobs?: Awaited<ReturnType<TargetsClient['listFineTuningJobs']>>['items'];
}) {
  const asked: string[] = [];
  const client: TargetsClient = {
    catalogue: async () => ({ models, unreadable: 0, source: 'live', ...info }),
    listEndpoints: async () => ({
      endpoints: Object.entries(states).map(([id, [listed]]) => endpoint(id, listed)),
      unreadable: 0,
      ...info,
    }),
    endpointStatus: async id => {
      asked.push(id);
      const own = states[id]?.[1] ?? '';
      return { ...status(id, own, { modelId: 'svc-plain', connection }), ...info };
    },
    listFineTuningJobs: async () => ({ items: jobs, hasMore: false, unreadable: 0, ...info }),
  };
  return { asked, ...(await readKnownTargets(client, new AbortController().signal, english)) };
}

describe('what the Playground can send prompts to', () => {
  it('is each chat model, and Auto where the router has a choice', async () => {
    const chosen = [model('svc-a'), model('svc-b', { features: ['tools'] })];
    const rest = [
      model('svc-apply', { use: 'apply' }),
      model('svc-free', { price: undefined }),
      model('svc-short', { contextTokens: undefined }),
    ];
    const { options, candidates, prices } = await known({ models: [...chosen, ...rest] });
    assert.deepEqual(options, [
      { value: 'model:svc-a', kind: 'model', label: 'a', hasEffort: true },
      { value: 'model:svc-b', kind: 'model', label: 'b', hasEffort: false },
      { value: 'model:svc-free', kind: 'model', label: 'free', hasEffort: true },
      { value: 'model:svc-short', kind: 'model', label: 'short', hasEffort: true },
      { value: 'auto', kind: 'auto', label: 'Auto (router)', hasEffort: true },
    ]);
    assert.deepEqual(candidates, chosen);
    assert.deepEqual(prices.candidates, ['svc-a', 'svc-b']);
    assert.deepEqual([...prices.byId.keys()], ['svc-a', 'svc-b', 'svc-short']);
    const single = await known({ models: [model('svc-a')] });
    assert.deepEqual(
      single.options.map(({ value }) => value),
      ['model:svc-a'],
    );
  });

  it('is each endpoint that is ready, with its own price', async () => {
    const states = {
      'ep-0001': ['ready', 'ready'],
      'ep-0002': ['deploying', 'ready'],
      'ep-0003': ['ready', 'stopped'],
    } as const;
    const { asked, options, prices } = await known({ states });
    assert.deepEqual(asked, ['ep-0001', 'ep-0003']);
    assert.deepEqual(options, [
      {
        value: 'endpoint:ep-0001',
        kind: 'endpoint',
        label: 'Model ep-0001 #0001',
        hasEffort: true,
      },
    ]);
    assert.deepEqual(prices.byId.get('ep-0001'), { input: 3, output: 4 });
    const plain = model('svc-plain', { features: ['tools'] });
    const withModel = await known({ states, models: [model('svc-a'), plain] });
    assert.deepEqual(
      withModel.options.map(({ value, hasEffort }) => [value, hasEffort]),
      [
        ['model:svc-a', true],
        ['model:svc-plain', false],
        ['endpoint:ep-0001', false],
        ['auto', true],
      ],
    );
  });

  it('costs at most 20 calls for endpoints', async () => {
    const ids = Array.from({ length: 30 }, (_, nth) => [`ep-${nth}`, ['ready', 'ready']] as const);
    const { asked } = await known({ states: Object.fromEntries(ids) });
    assert.equal(asked.length, 20);
  });

  it('knows the classifiers of the account, the newest of a name, and the default ones', async () => {
    const { reflexes } = await known({
      jobs: [job('mine', 'new'), job(undefined, 'in training'), job('mine', 'old')],
    });
    assert.deepEqual(reflexes.get('mine'), ['new']);
    assert.deepEqual(reflexes.get('jailbreak'), ['benign', 'jailbreak']);
    assert.equal(reflexes.has('undefined'), false);
  });
});
