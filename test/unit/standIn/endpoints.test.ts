import assert from 'node:assert/strict';
import { endpointStates, type StandIn, startStandIn } from '../../service/standIn';
import {
  connection,
  endpointItem,
  endpointStatus,
  lifecycleEvent,
  message,
  mismatches,
} from '../service/document';
import { apiKey } from '../service/helpers';
import { assertEnvelope, type Json, list, record, type Sent, sendTo } from './calls';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe('the dedicated endpoints of the stand-in', () => {
  let service: StandIn;
  beforeEach(async () => {
    service = await startStandIn({ apiKey, merge: (code, update) => code + update });
  });
  afterEach(() => service.close());

  const send = (path: string, sent?: Sent) => sendTo(service, path, sent);
  const idOf = (state: string): string =>
    service.endpoints.ids.find(id => service.endpoints.state(id) === state) ?? '';
  const base = '/api/v1/dedicated/endpoints';
  const status = async (id: string) => (await send(`${base}/${id}`)).json;

  it('has one of every state, each with every documented field, newest first', async () => {
    const { json } = await send(base);
    const items = list(json['endpoints']);
    assert.deepEqual(mismatches(items, [endpointItem]), []);
    assert.deepEqual(items.map(({ state }) => String(state)).sort(), [...endpointStates].sort());
    const dates = items.map(({ createdAt }) => String(createdAt));
    assert.deepEqual([...dates].sort().reverse(), dates);
    for (const { id, state, endpointUrl } of items) {
      const whole = await status(String(id));
      assert.deepEqual(mismatches(whole, endpointStatus), [], String(state));
      for (const event of list(whole['events']))
        assert.deepEqual(mismatches(event, lifecycleEvent), [], String(state));
      if (whole['endpoint'] !== null)
        assert.deepEqual(mismatches(whole['endpoint'], connection), [], String(state));
      assert.equal(record(whole['endpoint'])['endpointUrl'] ?? null, endpointUrl);
      assertTrail(whole);
    }
  });

  it('goes all the way to ready by the clock', async () => {
    const id = service.endpoints.create();
    const seen: unknown[] = [];
    for (let minute = 0; minute < 20; minute += 0.25) {
      const state = service.endpoints.state(id);
      if (state !== seen.at(-1)) seen.push(state);
      service.clock.advance(0.25 * minuteMs);
    }
    assert.deepEqual(seen, endpointStates.slice(0, 8));
    const whole = await status(id);
    assertTrail(whole);
    const events = list(whole['events']);
    assert.deepEqual(
      [events.at(-1)?.['eventType'], events.at(-1)?.['actorType']],
      ['deployment.ready', 'system'],
    );
    assert.equal(whole['readyAt'], events.at(-1)?.['createdAt']);
    const paidAt = Date.parse(String(events[0]?.['createdAt']));
    assert.equal(Date.parse(String(whole['activationDeadline'])), paidAt + 2 * hourMs);
    service.clock.advance(3 * hourMs);
    assert.equal((await status(id))['state'], 'ready');
  });

  it('gives the money back when it is not ready two hours after the payment', async () => {
    const id = service.endpoints.create({ stuckIn: 'merged' });
    service.clock.advance(2 * hourMs + minuteMs - 1);
    assert.equal((await status(id))['state'], 'merged');
    service.clock.advance(1);
    assert.equal((await status(id))['state'], 'refunding');
    service.clock.advance(10 * minuteMs);
    const whole = await status(id);
    assert.deepEqual([whole['state'], whole['failureCode']], ['refunded', null]);
    assertTrail(whole);
  });

  it('gives the money back for a failed deployment too, and none once it was ready', () => {
    service.clock.advance(2 * hourMs);
    // Whatever had a deadline is refunded by now or about to be.
    assert.deepEqual(
      [...new Set(service.endpoints.ids.map(id => service.endpoints.state(id)))].sort(),
      ['canceled', 'checkout_pending', 'ready', 'refunded', 'refunding', 'suspended'],
    );
  });

  it('serves until a cancellation takes effect, and keeps its address', async () => {
    const id = idOf('ready');
    const { servedModelName, endpointUrl } = record((await status(id))['endpoint']);
    const path = `${new URL(String(endpointUrl)).pathname}/v1/chat/completions`;
    const ask = (model: unknown) => send(path, { body: { model, messages: [message('user')] } });
    service.endpoints.cancel(id, service.clock.now() + hourMs);
    assert.equal((await ask(servedModelName)).status, 200);
    assert.equal((await ask('svc-dsv4flash')).status, 400);
    const notice = await status(id);
    assert.equal(notice['state'], 'ready');
    const last = list(notice['events']).at(-1);
    assert.deepEqual(
      [last?.['eventType'], last?.['fromState'], last?.['toState'], last?.['actorType']],
      ['cancellation.noticed', null, null, 'user'],
    );
    service.clock.advance(hourMs);
    const ended = await status(id);
    assert.equal(ended['state'], 'canceled');
    assert.equal(record(ended['endpoint'])['endpointUrl'], endpointUrl);
    assert.equal(ended['cancelEffectiveAt'], list(ended['events']).at(-1)?.['createdAt']);
    assert.equal((await ask(servedModelName)).status, 404);
    assert.ok(service.endpoints.ids.includes(id));
  });

  it('serves in no other state than ready', async () => {
    for (const state of endpointStates) {
      const path = `/endpoints/${idOf(state)}/v1/chat/completions`;
      const { status: got } = await send(path, {
        body: { model: 'x', messages: [message('user')] },
      });
      assert.equal(got, state === 'ready' ? 400 : 404, state);
    }
  });

  it('can be suspended and resumed, and fail', () => {
    const id = service.endpoints.create({ state: 'deploying' });
    service.endpoints.play(id, 'suspended');
    service.endpoints.play(id, 'ready');
    assert.equal(service.endpoints.state(id), 'ready');
    assert.throws(() => service.endpoints.play(id, 'paid'));
    const other = service.endpoints.create({ state: 'paid' });
    service.endpoints.play(other, 'failed');
    assert.equal(service.endpoints.state(other), 'failed');
  });

  it('hides those of other accounts as if they were not there', async () => {
    const id = service.endpoints.create({ state: 'ready', isForeign: true });
    const foreign = await send(`${base}/${id}`);
    const unknown = await send(`${base}/5e11ce00-0000-4000-8000-0000000fffff`);
    assert.deepEqual([foreign.status, foreign.json], [404, { error: 'Endpoint not found' }]);
    assert.deepEqual([unknown.status, unknown.json], [foreign.status, foreign.json]);
    assert.ok(!service.endpoints.ids.includes(id));
  });

  it('refuses more requests at once than it has room for', async () => {
    const id = service.endpoints.create({ state: 'ready', maxConcurrency: 2 });
    const { servedModelName } = record((await status(id))['endpoint']);
    let answer: (() => void) | undefined;
    const held = new Promise<void>(resolve => (answer = resolve));
    service.chat = async () => {
      await held;
      return { text: 'late' };
    };
    const body = { model: servedModelName, messages: [message('user')] };
    const ask = () => send(`/endpoints/${id}/v1/chat/completions`, { body });
    const running = [ask(), ask(), ask()];
    const refused = await Promise.race(running);
    assert.equal(refused.status, 429);
    assertEnvelope(refused.json, 'rate_limited', /retry after \d+ second/);
    answer?.();
    const statuses = (await Promise.all(running)).map(({ status: got }) => got);
    assert.deepEqual(statuses.filter(got => got === 200).length, 2);
    assert.equal((await ask()).status, 200);
  });
});

/** Events follow each other in time and from state to state, up to the state of the endpoint. */
function assertTrail(status: Json): void {
  let state: unknown = 'checkout_pending';
  let at = String(status['createdAt']);
  for (const { fromState, toState, createdAt } of list(status['events'])) {
    assert.ok(String(createdAt) >= at, `${String(createdAt)} after ${at}`);
    at = String(createdAt);
    if (toState === null) continue;
    assert.equal(fromState, state);
    state = toState;
  }
  assert.equal(status['state'], state);
}
