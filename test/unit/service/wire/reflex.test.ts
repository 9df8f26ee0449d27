import assert from 'node:assert/strict';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { answer } from '../../../service/faults';
import { failureOf, never, testClient } from '../helpers';

const jailbreak = {
  model: 'jailbreak',
  mode: 'single_label',
  classes: [
    { class_id: 0, label: 'benign', score: 0.07, selected: false },
    { class_id: 1, label: 'jailbreak', score: 0.93, selected: true },
  ],
  inference_time_ms: 12,
  prefill_tokens: 8,
};

describe('reflex predict', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  it('asks one reflex about one text', async () => {
    server.script(answer(200, jailbreak));
    const { client } = testClient(server.url);
    const result = await client.predict({ model: 'jailbreak', text: 'hi' }, { signal: never() });
    const [seen] = server.requests;
    assert.equal(`${seen?.method} ${seen?.path}`, 'POST /v1/reflex/predict');
    assert.deepEqual(JSON.parse(seen?.body ?? ''), { model: 'jailbreak', text: 'hi' });
    assert.deepEqual(
      result.selected.map(({ label }) => label),
      ['jailbreak'],
    );
    assert.equal(result.inferenceMs, 12);
    assert.equal(result.requestId, 'req-7');
  });

  it('takes a prediction that selects nothing for an answer', async () => {
    const classes = jailbreak.classes.map(item => ({ ...item, selected: false }));
    server.script(answer(200, { ...jailbreak, mode: 'multi_label', classes }));
    const { client } = testClient(server.url);
    const result = await client.predict({ model: 'domain', text: 'hi' }, { signal: never() });
    assert.deepEqual(result.selected, []);
  });

  for (const [shape, body] of Object.entries({
    predictions: { predictions: [jailbreak, { model: 'odd', error: { message: 'unknown' } }] },
    results: { results: [jailbreak, { model: 'odd', error: 'unknown' }] },
    'object by name': { predictions: { jailbreak, odd: { error: 'unknown' } } },
  })) {
    it(`reads several reflexes from the shape "${shape}"`, async () => {
      server.script(answer(200, body));
      const { client } = testClient(server.url);
      const { predictions, failures } = await client.predictMany(
        { models: ['jailbreak', 'odd'], text: 'hi' },
        { signal: never() },
      );
      assert.deepEqual(
        predictions.map(({ model }) => model),
        ['jailbreak'],
      );
      assert.deepEqual(failures, [{ model: 'odd', message: 'unknown' }]);
    });
  }

  for (const body of ['[{"label":"leaked"}]', '{"data":[]}', 'null', '"none"'])
    it(`hands out the traces ${body} as they are`, async () => {
      server.script(answer(200, body));
      const { json } = await testClient(server.url).client.reflexTraces({ signal: never() });
      const [seen] = server.requests;
      assert.equal(`${seen?.method} ${seen?.path}`, 'GET /v1/reflex/traces');
      assert.deepEqual(json, JSON.parse(body));
    });

  it('takes traces that are no JSON, or an error, for what they are', async () => {
    server.script(answer(200, '<html>'), answer(200, { error: { code: 'unauthorized' } }));
    const { client } = testClient(server.url);
    const kind = async () => (await failureOf(client.reflexTraces({ signal: never() }))).kind;
    assert.deepEqual([await kind(), await kind()], ['protocol', 'unauthorized']);
  });

  it('sends no text above the limit and names it', async () => {
    server.script('ok');
    const { client } = testClient(server.url);
    const text = 'classify this '.repeat(60_000);
    const error = await failureOf(
      client.predict({ model: 'jailbreak', text }, { signal: never() }),
    );
    assert.equal(error.kind, 'limit');
    assert.match(error.message, /65,536 tokens/);
    assert.equal(server.requests.length, 0);
  });

  it('notes a new mode and a new field once, by name', async () => {
    server.script(answer(200, { ...jailbreak, mode: 'ranked', mood: 'secret' }));
    const { client, lines } = testClient(server.url);
    for (let n = 0; n < 2; n++)
      await client.predict({ model: 'jailbreak', text: 'hi' }, { signal: never() });
    assert.deepEqual(
      lines.filter(line => line.startsWith('unexpected')),
      [
        'unexpected: reflex prediction has a new field "mood"',
        'unexpected: reflex mode has a new value "ranked"',
      ],
    );
  });
});
