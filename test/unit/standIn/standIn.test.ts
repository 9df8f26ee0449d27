import assert from 'node:assert/strict';
import { type StandIn, startStandIn } from '../../service/standIn';
import { cpuMsOfAsync } from '../../support/unit/cpuTime';
import { type Documented, documented, mismatches, rules, withoutEach } from '../service/document';
import { apiKey } from '../service/helpers';
import { assertEnvelope, type Json, list, type Sent, sendTo } from './calls';

const minuteMs = 60_000;

describe('the stand-in', () => {
  let service: StandIn;
  let rows: Documented[];
  beforeEach(async () => {
    service = await startStandIn({ apiKey, merge: (code, update) => code + update });
    rows = documented(idOf('ready'), await drainedBatch());
  });
  afterEach(() => service.close());

  const idOf = (state: string): string =>
    service.endpoints.ids.find(id => service.endpoints.state(id) === state) ?? '';

  const send = (path: string, sent?: Sent) => sendTo(service, path, sent);

  const call = ({ path, body, headers, method }: Documented, changed?: Json, more: Sent = {}) =>
    send(path, {
      method,
      ...(body ? { body: { ...body, ...changed } } : {}),
      ...(headers ? { headers } : {}),
      ...more,
    });

  async function drainedBatch(): Promise<string> {
    const requests = [{ id: 'a', model: ['jailbreak'], text: 'hello' }];
    const { json } = await send('/v1/reflex/asynchronous_batches/upload', { body: { requests } });
    service.clock.advance(minuteMs);
    return String(json['id']);
  }

  it('has every route of the document and no other', () => {
    const known = rows.map(({ method, path, template = path }) => `${method} ${template}`);
    assert.deepEqual([...new Set(known)].sort(), [...service.routes].sort());
  });

  it('answers every documented request with every documented field', async () => {
    for (const row of rows) {
      const { status, json, text } = await call(row);
      assert.equal(status, 200, `${row.name}: ${text}`);
      assert.deepEqual(mismatches(json, row.response), [], row.name);
    }
  });

  it('would be found out when it left out a documented field', async () => {
    let cut = 0;
    for (const row of rows)
      for (const { left, value } of withoutEach((await call(row)).json, row.response)) {
        assert.notDeepEqual(mismatches(value, row.response), [], `${row.name} without ${left}`);
        cut++;
      }
    assert.ok(cut > 180, `${cut} fields`);
    assert.deepEqual(mismatches({ a: '1', b: 'x-1' }, { a: 'integer', b: 'y-* | null' }), [
      'answer.a should be integer',
      'answer.b should be y-* | null',
    ]);
  });

  it('refuses a request without a required field, and one of another type', async () => {
    for (const row of rows)
      for (const name of Object.keys(row.body ?? {}))
        for (const value of [undefined, true]) {
          const { status, json } = await call(row, { [name]: value });
          assert.equal(status, 400, `${row.name}: ${name} ${value}`);
          assertEnvelope(json, 'invalid_request_error');
        }
  });

  it('takes the good values of an optional field and no bad ones', async () => {
    for (const row of rows)
      for (const [name, { good, bad }] of Object.entries(row.optional ?? {})) {
        for (const value of [...good, ...(bad.length > 0 && good.length > 0 ? [null] : [])]) {
          const { status, text } = await call(row, { [name]: value });
          assert.equal(status, 200, `${row.name}: ${name} ${JSON.stringify(value)}: ${text}`);
        }
        for (const value of bad) {
          const { status } = await call(row, { [name]: value });
          assert.equal(status, 400, `${row.name}: ${name} ${JSON.stringify(value)}`);
        }
      }
  });

  it('asks for the key, in the form that each route takes', async () => {
    for (const row of rows) {
      for (const authorization of [null, 'Bearer sk-other', `Basic ${apiKey}`, apiKey]) {
        const { status, json } = await call(row, {}, { authorization });
        assert.equal(status, row.auth === 'none' ? 200 : 401, `${row.name} ${authorization}`);
        if (row.auth === 'none') continue;
        if (row.isFlat) assert.deepEqual(json, { error: 'Unauthorized' });
        else assertEnvelope(json, 'unauthorized');
      }
      const headers = { ...row.headers, 'x-api-key': apiKey };
      const { status } = await call(row, {}, { authorization: null, headers });
      assert.equal(status, row.auth ? 200 : 401, `${row.name} x-api-key`);
    }
  });

  it('knows no other method and no other path', async () => {
    for (const row of rows)
      for (const method of ['HEAD', 'DELETE', 'PUT', row.method === 'GET' ? 'POST' : 'GET']) {
        const { status, headers } = await send(row.path, { method });
        assert.equal(status, 405, `${method} ${row.path}`);
        assert.equal(headers.get('allow'), row.method);
      }
    for (const path of ['/', '//', '/v1', '/v1/models', '/v1/compact/', '/v1/router/nobody'])
      assert.equal((await send(path, { body: { input: 'a' } })).status, 404, path);
    const flat = await send('/api/v1/dedicated/orders');
    assert.deepEqual([flat.status, flat.json], [404, { error: 'no such route' }]);
  });

  it('refuses what is no JSON object', async () => {
    for (const body of ['', '{"model"', '[]', 'null', '"text"'])
      assert.equal((await send('/v1/compact', { method: 'POST', body })).status, 400, body);
  });

  for (const [rule, path, body, refusal] of rules)
    it(`refuses ${rule}`, async () => {
      const { status, json } = await send(path, { body });
      assert.equal(status, 400);
      assertEnvelope(json, 'invalid_request_error', refusal);
    });

  it('takes as much as the limits allow', async () => {
    const requests = Array.from({ length: 10_000 }, (_, n) => ({
      id: `${n}`,
      model: ['domain'],
      text: 'a',
    }));
    assert.equal(
      (await send('/v1/reflex/asynchronous_batches/upload', { body: { requests } })).status,
      200,
    );
    const text = 'word '.repeat(65_000);
    assert.equal(
      (await send('/v1/reflex/predict', { body: { model: 'domain', text } })).status,
      200,
    );
    for (const lists of ['/v1/batches', '/v1/fine_tuning/jobs']) {
      for (const limit of ['1', '100'])
        assert.equal((await send(`${lists}?limit=${limit}`)).status, 200);
      for (const limit of ['0', '101', '-1', '1.5', 'all', ''])
        assert.equal((await send(`${lists}?limit=${limit}`)).status, 400, `${lists} ${limit}`);
    }
    for (const after of ['-1', 'batch_000001'])
      assert.equal((await send(`/v1/batches?after=${after}`)).status, 400, after);
  });

  it('pages to the end of both lists without a repeat', async () => {
    const batches: unknown[] = [];
    for (let after = 0, more = true; more; after += 20) {
      const { json } = await send(`/v1/batches?limit=20&after=${after}`);
      const data = list(json['data']);
      batches.push(...data.map(({ id }) => id));
      assert.deepEqual([json['first_id'], json['last_id']], [data[0]?.['id'], data.at(-1)?.['id']]);
      more = json['has_more'] === true;
    }
    assert.deepEqual([batches.length, new Set(batches).size], [57, 57]);
    const { json: beyond } = await send('/v1/batches?after=57');
    assert.deepEqual(beyond, {
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });

    const jobs: Json[] = [];
    for (let after = '', more = true; more; after = `?after=${String(jobs.at(-1)?.['id'])}`) {
      const { json } = await send(`/v1/fine_tuning/jobs${after}`);
      jobs.push(...list(json['data']));
      more = json['has_more'] === true;
    }
    assert.deepEqual([jobs.length, new Set(jobs.map(({ id }) => id)).size], [23, 23]);
    assert.ok(new Set(jobs.map(({ status }) => status)).size >= 4);
    for (const items of [batches.map(String), jobs.map(({ id }) => String(id))])
      assert.deepEqual([...items].sort().reverse(), items);
  });

  it('gives faults by route and call, and writes down which', async () => {
    service.requests.length = 0;
    service.inject('POST /v1/compact', { fault: 'status503', calls: [1, 3] });
    service.inject('GET /v1/batches', { fault: 'status500', times: 2 });
    const compact = { body: { input: 'a' } };
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await send('/v1/compact', compact)).status);
    for (let n = 0; n < 3; n++) statuses.push((await send('/v1/batches')).status);
    assert.deepEqual(statuses, [503, 200, 503, 200, 500, 500, 200]);
    assert.deepEqual(
      service.requests.map(({ route, call: nth, fault, status }) => [route, nth, fault, status]),
      [
        ['POST /v1/compact', 1, 'status503', 503],
        ['POST /v1/compact', 2, undefined, 200],
        ['POST /v1/compact', 3, 'status503', 503],
        ['POST /v1/compact', 4, undefined, 200],
        ['GET /v1/batches', 1, 'status500', 500],
        ['GET /v1/batches', 2, 'status500', 500],
        ['GET /v1/batches', 3, undefined, 200],
      ],
    );
    service.inject('POST /v1/compact', { fault: 'reset' });
    await assert.rejects(send('/v1/compact', compact));
    const { status, isCut } = service.requests.at(-1) ?? {};
    assert.deepEqual([status, isCut], [undefined, true]);
    service.heal();
    assert.equal((await send('/v1/compact', compact)).status, 200);
    assert.throws(() => service.inject('GET /v1/compact', { fault: 'reset' }));
  });

  it('starts in less than 50 ms', async () => {
    let best = Infinity;
    for (let n = 0; n < 5; n++) {
      let other: StandIn | undefined;
      const ms = await cpuMsOfAsync(async () => (other = await startStandIn({ apiKey })));
      best = Math.min(best, ms);
      await other?.close();
    }
    assert.ok(best < 50, `${best} ms`);
  });

  it('has an empty account when no seed is wanted', async () => {
    const other = await startStandIn({ apiKey, seed: false });
    try {
      for (const path of ['/v1/batches', '/v1/fine_tuning/jobs'])
        assert.deepEqual((await sendTo(other, path)).json['data'], []);
      assert.deepEqual(other.endpoints.ids, []);
    } finally {
      await other.close();
    }
  });
});
