import assert from 'node:assert/strict';
import { endpointStates } from '../../../../src/service/wire/dedicated';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { answer } from '../../../service/faults';
import { apiKey, defined, failureOf, never, testClient } from '../helpers';

const id = '6f1c2b1e-6a0f-4a57-9a3c-5b8d4f3e2a10';
const path = '/api/v1/dedicated/endpoints';

const item = {
  id,
  state: 'ready',
  createdAt: '2026-01-02T03:04:05Z',
  readyAt: null,
  modelId: 'svc-glm52-744b',
  modelDisplayName: 'GLM',
  modelHardware: 'B200',
  planName: 'Four',
  endpointUrl: 'https://gpu.example.com/e',
  servedModelName: 'served',
};

const event = (eventType: string, createdAt: unknown, change: object = {}) => ({
  id: `event-${eventType}`,
  eventType,
  fromState: null,
  toState: null,
  actorType: 'system',
  createdAt,
  ...change,
});

const status = {
  id,
  state: 'ready',
  createdAt: '2026-01-02T03:04:05.250+01:00',
  activationDeadline: '2026-01-02T05:04:05Z',
  readyAt: '2026-01-02T04:00:00Z',
  failureCode: null,
  spendCapCents: 500_000,
  planName: 'Four',
  reservedGpuEquivalents: 4,
  modelId: 'svc-glm52-744b',
  modelDisplayName: 'GLM',
  modelHardware: 'B200',
  provisioningStatus: 'ready',
  events: [
    event('deployment.ready', '2026-01-02T04:00:00Z', { fromState: 'deploying', toState: 'ready' }),
    event('payment.succeeded', '2026-01-02T03:04:06Z', { actorType: 'some_vendor' }),
  ],
  endpoint: {
    servedModelName: 'served',
    displayName: 'GLM',
    endpointUrl: 'https://gpu.example.com/e',
    hardware: null,
    contextWindow: 131_072,
    maxConcurrency: null,
    inputPricePerM: 1.1,
    outputPricePerM: 4.1,
    cachedInputPricePerM: null,
  },
  cancelEffectiveAt: null,
};

const unexpected = (lines: string[]) => lines.filter(line => line.startsWith('unexpected'));

describe('dedicated endpoints', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  it('lists them in the order of the service; a bad item costs only itself', async () => {
    const later = { id: 'new', state: 'hibernating', createdAt: 'soon 1', planName: 7 };
    server.script(answer(200, { endpoints: [item, null, { ...item, id: 5 }, { id: 'x' }, later] }));
    const { client, lines } = testClient(server.url);
    const { endpoints, unreadable } = await client.listEndpoints({ signal: never() });
    const [seen] = server.requests;
    assert.equal(`${seen?.method} ${seen?.path}`, `GET ${path}`);
    assert.equal(seen?.headers.authorization, `Bearer ${apiKey}`);
    assert.deepEqual(endpoints.map(defined), [
      { ...defined(item), createdAt: Date.UTC(2026, 0, 2, 3, 4, 5) },
      { id: 'new', state: 'hibernating' },
    ]);
    assert.equal(unreadable, 3);
    assert.deepEqual(unexpected(lines), [
      'unexpected: dedicated endpoint in a list could not be read',
      'unexpected: endpoint state has a new value "hibernating"',
    ]);
  });

  it('reads a status: dates in ms, events oldest first, the connection', async () => {
    server.script(answer(200, status));
    const { client, lines } = testClient(server.url);
    const result = await client.endpointStatus(id, { signal: never() });
    assert.equal(server.requests[0]?.path, `${path}/${id}`);
    assert.match(lines[0] ?? '', /^GET \/api\/v1\/dedicated\/endpoints\/\{id\} 200 ok/);
    assert.equal(result.createdAt, Date.UTC(2026, 0, 2, 2, 4, 5, 250));
    assert.equal(result.activationDeadline, Date.UTC(2026, 0, 2, 5, 4, 5));
    assert.equal(result.cancelEffectiveAt, undefined);
    assert.equal(result.spendCapCents, 500_000);
    assert.deepEqual(
      result.events.map(({ eventType, fromState, toState, actorType }) => [
        eventType,
        fromState,
        toState,
        actorType,
      ]),
      [
        ['payment.succeeded', undefined, undefined, 'some_vendor'],
        ['deployment.ready', 'deploying', 'ready', 'system'],
      ],
    );
    assert.deepEqual(result.connection, {
      servedModelName: 'served',
      displayName: 'GLM',
      endpointUrl: 'https://gpu.example.com/e',
      hardware: undefined,
      contextTokens: 131_072,
      maxConcurrency: undefined,
      pricePerM: { input: 1.1, output: 4.1, cachedInput: undefined },
    });
    assert.deepEqual(unexpected(lines), []);
  });

  for (const odd of [{}, { events: 'none', endpoint: 'none', spendCapCents: '5', readyAt: 7 }])
    it(`reads a status with hardly more than ${JSON.stringify(odd)}`, async () => {
      server.script(answer(200, { id, state: 'paid', ...odd }));
      const { client } = testClient(server.url);
      const result = await client.endpointStatus(id, { signal: never() });
      assert.deepEqual(
        [result.state, result.events, result.connection, result.spendCapCents, result.readyAt],
        ['paid', [], undefined, undefined, undefined],
      );
    });

  for (const half of ['inputPricePerM', 'outputPricePerM'])
    it(`reads what it can of a connection, and no price of the ${half} alone`, async () => {
      const endpoint = { endpointUrl: 7, contextWindow: -1, maxConcurrency: 0, [half]: 1 };
      server.script(answer(200, { ...status, endpoint }));
      const { client } = testClient(server.url);
      const { connection } = await client.endpointStatus(id, { signal: never() });
      assert.deepEqual(defined(connection ?? { isMissing: true }), {});
    });

  it('leaves the order of events alone when one has no date, and counts the unreadable', async () => {
    const events = [event('b.b', '2026-01-02T04:00:00Z'), event('a.a', null), { id: 'x' }];
    server.script(answer(200, { ...status, events, provisioningStatus: 'napping' }));
    const { client, lines } = testClient(server.url);
    const result = await client.endpointStatus(id, { signal: never() });
    assert.deepEqual(
      result.events.map(({ eventType }) => eventType),
      ['b.b', 'a.a'],
    );
    assert.equal(result.unreadable, 1);
    assert.equal(result.provisioningStatus, 'napping');
    assert.ok(lines.includes('unexpected: provisioning status has a new value "napping"'));
  });

  it('understands the flat errors of these routes', async () => {
    for (const [fault, kind, text] of [
      ['status401Flat', 'unauthorized', 'Unauthorized'],
      ['status404', 'notFound', 'Endpoint not found'],
    ] as const) {
      server.script(fault);
      const { client } = testClient(server.url);
      const error = await failureOf(client.endpointStatus(id, { signal: never() }));
      assert.deepEqual([error.kind, error.serverText, error.attempts], [kind, text, 1]);
    }
  });

  for (const bad of ['', '..', 'a/../b', '%2e%2e/..'])
    it(`sends nothing for the id ${JSON.stringify(bad)}`, async () => {
      server.script('ok');
      const { client } = testClient(server.url);
      const error = await failureOf(client.endpointStatus(bad, { signal: never() }));
      assert.equal(error.kind, 'limit');
      assert.equal(server.requests.length, 0);
    });

  it('makes a target of a status, by the service address of that moment', async () => {
    server.script(answer(200, status));
    let address = server.url;
    const { client } = testClient(server.url, { baseUrl: () => address });
    const snapshot = await client.endpointStatus(id, { signal: never() });
    assert.equal((await failureOf(client.endpointTarget(snapshot))).kind, 'endpoint');
    address = 'https://api.example.com/v1';
    const target = await client.endpointTarget(snapshot);
    assert.equal(target.url.href, 'https://gpu.example.com/e');
    assert.equal(target.servedModelName, 'served');
  });

  it('knows the 13 states, of which one serves', () => {
    assert.equal(endpointStates.size, 13);
    assert.deepEqual(
      [...endpointStates].filter(([, phase]) => phase === 'serving').map(([state]) => state),
      ['ready'],
    );
  });
});
