import assert from 'node:assert/strict';
import {
  type Fleet,
  mergeList,
  mergeStatus,
  parseRecord,
  uncheckedEnds,
} from '../../../src/endpoints/fleet';
import { nameOf } from '../../../src/endpoints/endpointRows';
import {
  type Notice,
  type NoticeInput,
  groupNotices,
  noticesOf,
} from '../../../src/endpoints/notifications';
import { snippetForms, snippetOf } from '../../../src/endpoints/snippets';
import { endpointStates } from '../../../src/service/wire/dedicated';
import { dayMs, endpoint, event, fleetOf, hourMs, minuteMs, startMs, status, t } from './support';

function move(
  from: string,
  to: string,
  more: Partial<NoticeInput> = {},
  before = fleetOf([endpoint('a', from)]),
): { notices: readonly Notice[]; fleet: Fleet } {
  const { fleet, moves } = mergeList(
    before,
    { endpoints: [endpoint('a', to)], unreadable: 0 },
    startMs,
  );
  return noticesOf({
    fleet,
    moves,
    beforeAt: startMs - minuteMs,
    nowMs: startMs,
    level: 'attention',
    watched: new Set(),
    expected: new Set(),
    statuses: new Map(),
    t,
    ...more,
  });
}

const kinds = ({ notices }: { notices: readonly Notice[] }) => notices.map(({ kind }) => kind);
const grouped = (all: readonly Notice[]) =>
  groupNotices(all, nameOf, String, t).map(({ text }) => text);
const watched = { watched: new Set(['a']) };

describe('notices of endpoints', () => {
  const told: Record<string, string[]> = {
    failed: ['failed'],
    suspended: ['suspended'],
    refunding: ['refunding'],
    canceled: ['canceled'],
  };
  for (const to of [...endpointStates.keys(), 'hibernating'])
    it(`into ${to}: ${told[to]?.[0] ?? 'none'}`, () => {
      const from = to === 'paid' ? 'checkout_pending' : 'paid';
      assert.deepEqual(kinds(move(from, to)), told[to] ?? []);
      assert.deepEqual(kinds(move(from, to, { level: 'off' })), []);
    });

  it('of ready only for what is watched, or for all', () => {
    assert.deepEqual(kinds(move('deploying', 'ready')), []);
    assert.deepEqual(kinds(move('deploying', 'ready', watched)), ['ready']);
    assert.deepEqual(kinds(move('deploying', 'ready', { level: 'all' })), ['ready']);
  });

  it('come once per endpoint and kind, over readings and reloads', () => {
    const first = move('paid', 'suspended');
    assert.deepEqual(kinds(first), ['suspended']);
    const text = JSON.stringify({ scope: 's', at: startMs, data: first.fleet });
    const { data } = parseRecord(JSON.parse(text)) ?? {};
    assert.equal(JSON.stringify(data), JSON.stringify(first.fleet));
    const back = move('suspended', 'ready', {}, data);
    const again = move('ready', 'suspended', {}, back.fleet);
    assert.deepEqual(kinds(again), []);
  });

  it('say nothing of what is first seen, or has changed while nobody looked for a day', () => {
    assert.deepEqual(kinds(move('paid', 'failed', { beforeAt: undefined })), []);
    assert.deepEqual(kinds(move('paid', 'failed', { beforeAt: startMs - dayMs })), []);
    assert.deepEqual(kinds(move('failed', 'failed')), []);
  });

  it('leave out an end that somebody has asked for', () => {
    const asked = status('a', 'canceled', {
      events: [event('cancellation.noticed', startMs - hourMs)],
    });
    assert.deepEqual(kinds(move('ready', 'canceled', { statuses: new Map([['a', asked]]) })), []);
    assert.deepEqual(kinds(move('ready', 'canceled', { expected: new Set(['a']) })), []);
  });

  it('tell of an end within a day, once', () => {
    const before = mergeStatus(
      fleetOf([endpoint('a', 'ready')]),
      status('a', 'ready', { cancelEffectiveAt: startMs + 23 * hourMs }),
      startMs,
    );
    const first = move('ready', 'ready', {}, before);
    assert.deepEqual(kinds(first), ['ends']);
    assert.deepEqual(kinds(move('ready', 'ready', {}, first.fleet)), []);
    assert.deepEqual(kinds(move('ready', 'ready', { nowMs: startMs - 2 * hourMs }, before)), []);
  });

  it('name the reason, and become one where several come at once', () => {
    const why = status('a', 'failed', { events: [event('deployment.failed', startMs)] });
    const { notices } = move('deploying', 'failed', { statuses: new Map([['a', why]]) });
    assert.deepEqual(grouped(notices), ['The endpoint Model a has failed (Deployment failed).']);
    const ready = ['a', 'b'].map(
      id => ({ kind: 'ready', endpoint: endpoint(id, 'ready') }) as const,
    );
    assert.deepEqual(grouped([...ready, ...notices]), [
      '2 endpoints are ready.',
      'The endpoint Model a has failed (Deployment failed).',
    ]);
  });
});

describe('what is kept of endpoints', () => {
  it('holds no address', () => {
    const secret = endpoint('a', 'ready', {
      endpointUrl: 'https://secret.test',
      servedModelName: 'secret',
    });
    assert.doesNotMatch(JSON.stringify(fleetOf([secret])), /secret/);
  });

  it('is read leniently, and not at all when it is something else', () => {
    for (const value of [undefined, null, 1, [], {}, { scope: 1 }])
      assert.equal(parseRecord(value), undefined);
    const fleet = fleetOf([endpoint('a', 'ready')]);
    for (const data of [null, {}, { ...fleet, seen: 1 }, { ...fleet, endpoints: 'x' }])
      assert.deepEqual(parseRecord({ scope: 's', at: 1, data }), { scope: 's' });
    const odd = { ...fleet, endpoints: [{ id: 3 }, ...fleet.endpoints], seen: { a: 1 } };
    assert.deepEqual(parseRecord({ scope: 's', at: 1, data: odd })?.data?.endpoints.length, 1);
  });

  it('takes an id once, and forgets what has left the list', () => {
    const twice = fleetOf([endpoint('a', 'ready'), endpoint('a', 'failed'), endpoint('b', 'paid')]);
    assert.deepEqual(
      twice.endpoints.map(({ id, state }) => [id, state]),
      [
        ['a', 'ready'],
        ['b', 'paid'],
      ],
    );
    const told = { ...twice, told: ['a ready', 'b failed'] };
    assert.deepEqual(fleetOf([endpoint('b', 'paid')], startMs, told).told, ['b failed']);
  });

  it('looks up ends of a few endpoints at a time, and again after hours', () => {
    const many = fleetOf(
      Array.from({ length: 9 }, (_, n) => endpoint(`e${n}`, n === 0 ? 'paid' : 'ready')),
    );
    assert.deepEqual(uncheckedEnds(many, startMs), ['e1', 'e2', 'e3', 'e4', 'e5']);
    const one = mergeStatus(fleetOf([endpoint('a', 'ready')]), status('a', 'ready'), startMs);
    assert.deepEqual(uncheckedEnds(one, startMs + hourMs), []);
    assert.deepEqual(uncheckedEnds(one, startMs + 7 * hourMs), ['a']);
  });
});

describe('snippets of a connection', () => {
  const target = {
    url: new URL('https://e.service.test/endpoints/1'),
    servedModelName: 'dedicated/glm',
  };
  for (const form of snippetForms)
    it(`as ${form}: address, model and a variable for the key`, () => {
      const text = snippetOf(form, target);
      assert.ok(text.includes('https://e.service.test/endpoints/1/v1'), text);
      assert.ok(text.includes('dedicated/glm') && text.includes('SPLICE_API_KEY'), text);
    });

  it('quote what the service has named', () => {
    const evil = { ...target, servedModelName: `x'; rm -rf / #"\n$(id)` };
    assert.ok(snippetOf('curl', evil).includes(String.raw`"x'\''; rm -rf / #\"\n$(id)"`));
    assert.match(snippetOf('.env', evil), /^SPLICE_MODEL='x ; rm -rf \/ #" \$\(id\)'$/m);
    for (const form of ['Python', 'TypeScript'] as const)
      assert.ok(snippetOf(form, evil).includes(JSON.stringify(evil.servedModelName)), form);
  });
});
