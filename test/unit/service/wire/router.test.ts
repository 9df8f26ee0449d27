import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../src/service/client';
import type { FinishedCall } from '../../../../src/service/http/operation';
import { needsInfo } from '../../../../src/service/wire/router';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { answer } from '../../../service/faults';
import { failureOf, never, testClient } from '../helpers';

const options = { signal: never() };
const input = 'sort a list';
const withProvider = (client: ServiceClient, provider: string) =>
  // The one caller of a deprecated method.
  client.routeWithProvider({ provider, input, mode: 'balanced' }, options);

const classified = {
  classifications: {
    difficulty: { class_id: 0, label: 'easy', confidence: 0.9, meets_threshold: true },
    domain: { label: 'coding', confidence: 0.8, meets_threshold: false },
  },
};

describe('router', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  const requests: [string, (client: ServiceClient) => Promise<object>, string, object, object][] = [
    [
      'classify',
      client => client.classifyPrompt({ input }, options),
      '/v1/router/classify',
      { input },
      classified,
    ],
    [
      'classify by some classes',
      client => client.classifyPrompt({ input, classes: ['domain'] }, options),
      '/v1/router/classify',
      { input, classes: ['domain'] },
      classified,
    ],
    [
      'multimodel with nothing chosen',
      client => client.pickModel({ input }, options),
      '/v1/router/multimodel',
      { input, allowed_models: [], allowed_providers: [] },
      { model: 'm' },
    ],
    [
      'multimodel',
      client =>
        client.pickModel(
          {
            input,
            allowedModels: ['m'],
            allowedProviders: ['p'],
            policy: 'cost_efficient',
            defaultModel: 'd',
          },
          options,
        ),
      '/v1/router/multimodel',
      {
        input,
        allowed_models: ['m'],
        allowed_providers: ['p'],
        policy: 'cost_efficient',
        default_model: 'd',
      },
      { model: 'm' },
    ],
    [
      'raw',
      client => client.routeRaw({ input, mode: 'aggressive' }, options),
      '/v1/router/raw',
      { input, mode: 'aggressive' },
      { difficulty: 'hard' },
    ],
    [
      'a provider',
      client => withProvider(client, 'some_key-1'),
      '/v1/router/some_key-1',
      { input, mode: 'balanced' },
      { model: 'm' },
    ],
  ];
  for (const [name, ask, path, body, reply] of requests)
    it(`asks ${name} and charges one request`, async () => {
      server.script(answer(200, reply));
      const calls: FinishedCall[] = [];
      const billing = {
        admit: async () => undefined,
        record: async (call: FinishedCall) => void calls.push(call),
      };
      await ask(testClient(server.url, { billing }).client);
      const [seen] = server.requests;
      assert.equal(`${seen?.method} ${seen?.path}`, `POST ${path}`);
      assert.deepEqual(JSON.parse(seen?.body ?? ''), body);
      assert.deepEqual(calls[0]?.charge, { kind: 'router', requests: 1 });
    });

  it('reads classifications one by one and keeps labels that are new', async () => {
    server.script(
      answer(200, {
        classifications: {
          difficulty: { label: 'extreme', confidence: '?', meets_threshold: null },
          ambiguity: { confidence: 1 },
          tone: { label: 'rude', confidence: 0.5, meets_threshold: true },
        },
      }),
    );
    const { client, lines } = testClient(server.url);
    const { classifications } = await client.classifyPrompt({ input }, options);
    assert.deepEqual(classifications, [
      { name: 'difficulty', label: 'extreme', confidence: undefined, meetsThreshold: undefined },
      { name: 'tone', label: 'rude', confidence: 0.5, meetsThreshold: true },
    ]);
    assert.deepEqual(
      lines.filter(line => line.startsWith('unexpected')),
      [
        'unexpected: difficulty has a new value "extreme"',
        'unexpected: a prompt classification could not be read',
        'unexpected: router class has a new value "tone"',
      ],
    );
  });

  const unsure: [string, boolean | undefined, boolean][] = [
    ['difficulty', false, true],
    ['difficulty', true, false],
    ['difficulty', undefined, false],
    ['domain', false, false],
  ];
  for (const [name, meetsThreshold, expected] of unsure)
    it(`${name} that meets the threshold: ${meetsThreshold} needs info: ${expected}`, () => {
      const classification = { name, label: 'easy', confidence: 1, meetsThreshold };
      assert.equal(needsInfo({ classifications: [classification] }), expected);
    });

  const picks: [string, object, object][] = [
    [
      'a model with signals',
      { model: 'm', provider: 'p', difficulty: 'easy', confidence: 0.9, domain: { label: 'data' } },
      {
        model: 'm',
        provider: 'p',
        difficulty: 'easy',
        confidence: 0.9,
        signals: { domain: { label: 'data' } },
      },
    ],
    [
      'no model for a prompt that is not clear',
      { model: null, provider: null, difficulty: 'needs_info' },
      {
        model: undefined,
        provider: undefined,
        difficulty: 'needs_info',
        confidence: undefined,
        signals: {},
      },
    ],
  ];
  for (const [name, body, expected] of picks)
    it(`picks ${name}`, async () => {
      server.script(answer(200, body));
      const result = await testClient(server.url).client.pickModel({ input }, options);
      const { model, provider, difficulty, confidence, signals } = result;
      assert.deepEqual({ model, provider, difficulty, confidence, signals }, expected);
    });

  it('reads the difficulty of a raw route and the model of a provider', async () => {
    server.script(
      answer(200, { difficulty: 'needs_info', confidence: 0.4 }),
      answer(200, { model: 'm-1', confidence: 0.6 }),
    );
    const { client, lines } = testClient(server.url);
    const raw = await client.routeRaw({ input }, options);
    assert.deepEqual([raw.difficulty, raw.confidence], ['needs_info', 0.4]);
    const provided = await withProvider(client, 'key');
    assert.deepEqual([provided.model, provided.confidence], ['m-1', 0.6]);
    assert.ok(!lines.some(line => line.startsWith('unexpected')));
    assert.ok(lines[1]?.startsWith('POST /v1/router/{provider} 200'));
  });

  for (const provider of ['', 'a/b', '..', 'a.b', 'a?b', 'a b', 'raw', 'classify', 'multimodel'])
    it(`sends nothing to the provider "${provider}"`, async () => {
      server.script('ok');
      const error = await failureOf(withProvider(testClient(server.url).client, provider));
      assert.equal(error.kind, 'limit');
      assert.equal(server.requests.length, 0);
    });

  it('sends no prompt above the limit', async () => {
    server.script('ok');
    const { client } = testClient(server.url);
    const error = await failureOf(client.pickModel({ input: 'long '.repeat(90_000) }, options));
    assert.deepEqual([error.kind, server.requests.length], ['limit', 0]);
    assert.match(error.message, /65,536 tokens/);
  });

  const others: [string, (client: ServiceClient) => Promise<object>, object][] = [
    ['classify', client => client.classifyPrompt({ input }, options), { classifications: [] }],
    ['multimodel', client => client.pickModel({ input }, options), { model: '' }],
    ['raw', client => client.routeRaw({ input }, options), { model: 'm' }],
    ['a provider', client => withProvider(client, 'key'), { difficulty: 'easy' }],
  ];
  for (const [name, ask, body] of others)
    it(`takes another answer of ${name} for what it is`, async () => {
      server.script(answer(200, body));
      assert.equal((await failureOf(ask(testClient(server.url).client))).kind, 'protocol');
    });
});
