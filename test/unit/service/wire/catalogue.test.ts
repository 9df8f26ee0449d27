import assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/async/clock';
import { fallbackModels, specialModels } from '../../../../src/service/wire/catalogue';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { answer } from '../../../service/faults';
import { defined, never, testClient } from '../helpers';

const full = {
  id: 'svc-a',
  context_length: 262_144,
  max_output_length: 32_768,
  pricing: { prompt: '0.0000029', completion: '0.000014', input_cache_read: '0.0000003' },
  input_modalities: ['text', 'image'],
  supported_features: ['tools', 7, 'reasoning'],
};

describe('the live catalogue', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  it('is read at the origin of the service, and gets no key', async () => {
    server.script(answer(200, { data: [full] }));
    const { client } = testClient(`${server.url}/inner/v1`);
    const before = Date.now();
    const { models, source, fetchedAt = 0 } = await client.catalogue({ signal: never() });
    const [seen] = server.requests;
    assert.equal(`${seen?.method} ${seen?.path}`, 'GET /api/models/json');
    assert.equal(seen?.headers.authorization, undefined);
    assert.equal(source, 'live');
    assert.ok(fetchedAt >= before && fetchedAt <= Date.now());
    assert.deepEqual(models.map(defined), [
      {
        id: 'svc-a',
        contextTokens: 262_144,
        maxOutputTokens: 32_768,
        isBeta: false,
        price: { input: 2.9, output: 14, cachedInput: 0.3 },
        features: ['tools', 'reasoning'],
        inputModalities: ['text', 'image'],
      },
    ]);
  });

  it('is read at the site where one is set', async () => {
    server.script(answer(200, { data: [full] }));
    const { client } = testClient('https://api.invalid', { siteUrl: () => `${server.url}/site/` });
    assert.equal((await client.catalogue({ signal: never() })).source, 'live');
    assert.equal(server.requests[0]?.path, '/site/api/models/json');
  });

  for (const [shape, page] of Object.entries({
    'a list': [{ id: 'svc-a' }, 'svc-b'],
    'a list under data': { data: ['svc-a', { id: 'svc-b' }], object: 'list' },
    'a list under models': {
      models: [{ id: 'svc-a' }, { id: 'svc-b' }, { id: 'svc-a', beta: true }],
    },
    'an object by id': { models: { 'svc-a': {}, key: { id: 'svc-b' } } },
    'a list with odd items': [null, 7, {}, { id: 'a b' }, { id: '' }, { id: 'svc-a' }, 'svc-b'],
  }))
    it(`is understood as ${shape}`, async () => {
      server.script(answer(200, page));
      const { client } = testClient(server.url);
      const { models, source, unreadable } = await client.catalogue({ signal: never() });
      assert.deepEqual(
        models.map(({ id, isBeta }) => [id, isBeta]),
        [
          ['svc-a', false],
          ['svc-b', false],
        ],
      );
      assert.deepEqual([source, unreadable], ['live', shape.includes('odd') ? 5 : 0]);
    });

  const readings: [string, object, object][] = [
    [
      'rates of a token as numbers',
      { pricing: { prompt: 1.2e-7, completion: 2.78e-7 } },
      { input: 0.12, output: 0.278 },
    ],
    [
      'rates of a million',
      { pricing: { input: 0.12, output: '0.278' } },
      { input: 0.12, output: 0.278 },
    ],
    [
      'rates as those of an endpoint',
      { inputPricePerM: 0.0004, outputPricePerM: 1, cachedInputPricePerM: 0 },
      { input: 0.0004, output: 1, cachedInput: 0 },
    ],
    ['a free model', { pricing: { prompt: '0', completion: 0 } }, { input: 0, output: 0 }],
  ];
  for (const [name, item, price] of readings)
    it(`reads ${name}`, async () => {
      server.script(answer(200, [{ id: 'svc-a', ...item }]));
      const { models } = await testClient(server.url).client.catalogue({ signal: never() });
      assert.deepEqual(defined(models[0]?.price ?? {}), price);
    });

  for (const [item, isBeta] of [
    [{ beta: true }, true],
    [{ is_beta: true }, true],
    [{ beta: false, is_beta: false }, false],
    [{ beta: 'yes' }, false],
  ] as const)
    it(`tells from ${JSON.stringify(item)} whether a model is in beta`, async () => {
      server.script(answer(200, [{ id: 'svc-a', ...item }]));
      const { models } = await testClient(server.url).client.catalogue({ signal: never() });
      assert.equal(models[0]?.isBeta, isBeta);
    });

  for (const pricing of [
    { prompt: 1e-6 },
    { prompt: '-1', completion: '-1' },
    { prompt: 'x', completion: '1' },
    { prompt: '', completion: ' ' },
    'free',
    null,
  ])
    it(`takes ${JSON.stringify(pricing)} for no price`, async () => {
      server.script(answer(200, [{ id: 'svc-a', pricing }]));
      const { models } = await testClient(server.url).client.catalogue({ signal: never() });
      assert.deepEqual([models[0]?.id, models[0]?.price], ['svc-a', undefined]);
    });

  const windows: [object, number | undefined][] = [
    [{ max_model_len: 131_072 }, 131_072],
    [{ context_window: '262k' }, 262_000],
    [{ contextWindow: '1M' }, 1_000_000],
    [{ context_length: '131072' }, 131_072],
    [{ context_length: null, max_model_len: 8192 }, 8192],
    [{ context_length: 'long' }, undefined],
    [{ context_length: -1 }, undefined],
    [{ context_length: 1.5 }, undefined],
  ];
  for (const [item, tokens] of windows)
    it(`reads the window ${JSON.stringify(item)} as ${tokens}`, async () => {
      server.script(answer(200, [{ id: 'svc-a', ...item }]));
      const { models } = await testClient(server.url).client.catalogue({ signal: never() });
      assert.equal(models[0]?.contextTokens, tokens);
    });

  it('tells models with a use of their own from chat models', async () => {
    server.script(answer(200, [{ id: 'svc-v3-fast' }, { id: 'svc-a' }]));
    const { models } = await testClient(server.url).client.catalogue({ signal: never() });
    assert.deepEqual(
      models.map(({ use }) => use),
      ['apply', undefined],
    );
  });

  for (const [fault, kind, attempts] of [
    [answer(404, 'no such page'), 'notFound', 1],
    ['notJson', 'protocol', 1],
    ['redirect', 'redirect', 1],
    ['status500', 'server', 4],
    [answer(200, { data: [] }), 'protocol', 1],
    [answer(200, { data: [null] }), 'protocol', 1],
    [answer(200, { error: { message: 'x' } }), 'protocol', 1],
  ] as const)
    it(`gives way to the built-in table: ${kind} ${typeof fault === 'string' ? fault : ''}`, async () => {
      server.script(fault);
      const { client, lines } = testClient(server.url);
      const result = await client.catalogue({ signal: never() });
      assert.equal(result.source, 'builtIn');
      assert.equal(result.models, fallbackModels);
      assert.equal(result.fetchedAt, undefined);
      assert.deepEqual([result.problem?.kind, result.attempts], [kind, attempts]);
      assert.ok(lines.includes(`catalogue: the built-in table stands in (${kind})`));
    });

  it('gives way where no address is set', async () => {
    const { client } = testClient('', {});
    const { source, problem, attempts } = await client.catalogue({ signal: never() });
    assert.deepEqual([source, problem?.kind, attempts], ['builtIn', 'noUrl', 0]);
  });

  it('is canceled all the same', async () => {
    server.script('stallHeaders');
    const controller = new AbortController();
    const pending = testClient(server.url).client.catalogue({ signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    await assert.rejects(pending, AbortError);
  });
});

describe('the built-in catalogue', () => {
  it('is the table of the service document', () => {
    assert.deepEqual(
      fallbackModels.map(({ id, contextTokens, price, isBeta }) =>
        [id, contextTokens, price?.input, price?.output, price?.cachedInput, isBeta ? 'beta' : '']
          .filter(part => part !== undefined && part !== '')
          .join(' '),
      ),
      [
        'svc-kimik3 1000000 2.9 14',
        'svc-kimik3-fast 1000000 6 22.5',
        'svc-qwen35-397b 262000 0.5 3.5 0.3',
        'svc-glm52-744b 1000000 1.1 4.1',
        'svc-glm53flash 1000000 0.15 0.5',
        'svc-minimax3-428b 256000 0.3 1.2',
        'svc-minimax27-230b 196000 0.279 1.2',
        'svc-dsv4flash 1000000 0.12 0.278 beta',
        'svc-qwen38-27b 131000 0.289 2.4',
        'svc-qwen36-27b 131000 0.289 2.4',
        'svc-gemma4-31b 175000 0.14 0.4',
        'svc-glm53-744b',
      ],
    );
  });

  it('names no special model', () => {
    const special = new Set(specialModels.map(({ id }) => id));
    assert.equal(special.size, 8);
    assert.deepEqual(
      fallbackModels.filter(({ id }) => special.has(id)),
      [],
    );
  });
});
