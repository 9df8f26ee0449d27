import assert from 'node:assert/strict';
import { endpointName } from '../../../../src/contracts/endpointName';
import {
  type EndpointsSnapshot,
  expectEnd,
  markGone,
  mergeList,
  mergeStatus,
  uncheckedEnds,
} from '../../../../src/endpoints/core/endpointsSnapshot';
import {
  groupNotices,
  type Notice,
  type NoticeInput,
  noticesOf,
} from '../../../../src/endpoints/core/notices';
import { parseSnapshotRecord } from '../../../../src/endpoints/core/parseSnapshot';
import { snippetForms, snippetOf } from '../../../../src/endpoints/core/snippets';
import { type EndpointStatus, endpointStates } from '../../../../src/service/wire/dedicated';
import { assertApproved } from '../../../support/unit/approved';
import {
  dayMs,
  endpoint,
  event,
  hourMs,
  minuteMs,
  snapshotOf,
  startMs,
  status,
  t,
} from './support';

function move(
  from: string,
  to: string,
  more: Partial<NoticeInput> = {},
  before = snapshotOf([endpoint('a', from)]),
): { notices: readonly Notice[]; snapshot: EndpointsSnapshot } {
  const { snapshot, changes } = mergeList(
    before,
    { endpoints: [endpoint('a', to)], unreadable: 0 },
    startMs,
  );
  return noticesOf({
    snapshot,
    changes,
    beforeAt: startMs - minuteMs,
    nowMs: startMs,
    level: 'attention',
    watched: new Set(),
    statuses: new Map(),
    t,
    ...more,
  });
}

const kinds = ({ notices }: { notices: readonly Notice[] }) => notices.map(({ kind }) => kind);
const grouped = (all: readonly Notice[]) =>
  groupNotices(all, endpointName, String, t).map(({ text }) => text);
const watched = { watched: new Set(['a']) };

const noticed = event('cancellation.noticed', startMs - hourMs, [], { actorType: 'user' });

const ending = (more: Partial<EndpointStatus> = {}) =>
  status('a', 'ready', {
    cancelEffectiveAt: startMs + 30 * dayMs,
    events: [noticed],
    ...more,
  });

const reading = (snapshot: EndpointsSnapshot, more: Partial<NoticeInput> = {}) =>
  noticesOf({
    snapshot,
    changes: [],
    beforeAt: startMs - minuteMs,
    nowMs: startMs,
    level: 'attention',
    watched: new Set(),
    statuses: new Map(),
    t,
    ...more,
  });

const record = (data: unknown) =>
  parseSnapshotRecord(JSON.parse(JSON.stringify({ scope: 's', at: 1, data })))?.data;

const withEnd = (
  more: Partial<EndpointStatus> = {},
  before = snapshotOf([endpoint('a', 'ready')]),
) => mergeStatus(before, ending(more), startMs);

describe('notices of endpoints', () => {
  const told: Record<string, string[]> = {
    failed: ['failed'],
    suspended: ['suspended'],
    refunding: ['refunding'],
    refunded: ['refunded'],
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

  it('come once for each change, over readings and reloads', () => {
    const first = move('paid', 'suspended');
    assert.deepEqual(kinds(first), ['suspended']);
    const text = JSON.stringify({ scope: 's', at: startMs, data: first.snapshot });
    const { data } = parseSnapshotRecord(JSON.parse(text)) ?? {};
    assert.equal(JSON.stringify(data), JSON.stringify(first.snapshot));
    assert.deepEqual(kinds(move('paid', 'suspended', {}, data)), []);
    const back = move('suspended', 'ready', {}, data);
    const again = move('ready', 'suspended', {}, back.snapshot);
    assert.deepEqual(kinds(again), ['suspended']);
  });

  it('say nothing of what is first seen, or has changed while nobody looked for a day', () => {
    assert.deepEqual(kinds(move('paid', 'failed', { beforeAt: undefined })), []);
    assert.deepEqual(kinds(move('paid', 'failed', { beforeAt: startMs - dayMs })), []);
    assert.deepEqual(kinds(move('failed', 'failed')), []);
  });

  it('of an end that somebody else has asked for name who it was', () => {
    const asked = status('a', 'canceled', { events: [noticed] });
    for (const [from, to, text] of [
      [
        'ready',
        'canceled',
        'was canceled by someone in your account and no longer serves requests.',
      ],
      [
        'paid',
        'refunding',
        'was canceled by someone in your account. The order is being refunded.',
      ],
      ['paid', 'refunded', 'was canceled by someone in your account. The order was refunded.'],
    ] as const) {
      const { notices } = move(from, to, { statuses: new Map([['a', { ...asked, state: to }]]) });
      assert.deepEqual(grouped(notices), [`The endpoint Model a #a ${text}`]);
    }
    assert.deepEqual(grouped(move('ready', 'canceled').notices), [
      'The endpoint Model a #a was canceled and no longer serves requests.',
    ]);
    assert.deepEqual(kinds(move('refunding', 'refunded')), []);
  });

  it('leave out an end that the user has gone to the dashboard for', () => {
    const before = snapshotOf([endpoint('a', 'ready')]);
    const asked = status('a', 'canceled', { events: [noticed] });
    const statuses = new Map([['a', asked]]);
    const at = (ms: number) => expectEnd(before, 'a', startMs - ms);
    assert.deepEqual(kinds(move('ready', 'canceled', {}, at(minuteMs))), []);
    assert.deepEqual(kinds(move('ready', 'canceled', { statuses }, at(hourMs + minuteMs))), []);
    // By the time of the event: that was before, and so by somebody else.
    assert.deepEqual(kinds(move('ready', 'canceled', { statuses }, at(minuteMs))), ['canceled']);
    assert.deepEqual(kinds(move('ready', 'canceled', {}, at(3 * hourMs))), ['canceled']);
  });

  describe('of a cancellation that takes effect later', () => {
    it('come once, with who and until when, and not again at the end', () => {
      const first = move('ready', 'ready', {}, withEnd());
      assert.deepEqual(grouped(first.notices), [
        `The endpoint Model a #a was canceled by someone in your account. It serves until ${startMs + 30 * dayMs}.`,
      ]);
      assert.deepEqual(kinds(move('ready', 'ready', {}, first.snapshot)), []);
      assert.deepEqual(kinds(move('ready', 'canceled', {}, first.snapshot)), []);
    });

    it('come without an event too, when its end is seen for the first time', () => {
      const checked = mergeStatus(
        snapshotOf([endpoint('a', 'ready')]),
        status('a', 'ready'),
        startMs - minuteMs,
      );
      const { notices } = move('ready', 'ready', {}, withEnd({ events: [] }, checked));
      assert.deepEqual(grouped(notices), [
        `The endpoint Model a #a was canceled. It serves until ${startMs + 30 * dayMs}.`,
      ]);
      assert.deepEqual(kinds(move('ready', 'ready', {}, withEnd({ events: [] }))), []);
    });

    it('say nothing of the own one, of an old one, and at the first reading', () => {
      const own = expectEnd(withEnd(), 'a', startMs - hourMs - minuteMs);
      const silent = move('ready', 'ready', {}, own);
      assert.deepEqual(kinds(silent), []);
      assert.deepEqual(kinds(move('ready', 'canceled', {}, silent.snapshot)), []);
      const old = withEnd({ events: [event('cancellation.noticed', startMs - 2 * dayMs)] });
      assert.deepEqual(kinds(move('ready', 'ready', {}, old)), []);
      const first = move('ready', 'ready', { beforeAt: undefined }, withEnd());
      assert.deepEqual(kinds(first), []);
      assert.deepEqual(kinds(move('ready', 'ready', {}, first.snapshot)), []);
    });

    it('name an end within a day once, and come again after it was withdrawn', () => {
      const near = withEnd({ cancelEffectiveAt: startMs + 5 * hourMs });
      const first = move('ready', 'ready', {}, near);
      assert.deepEqual(kinds(first), ['canceling']);
      assert.deepEqual(kinds(move('ready', 'ready', {}, first.snapshot)), []);
      const withdrawn = mergeStatus(first.snapshot, status('a', 'ready'), startMs);
      const again = move('ready', 'ready', {}, withEnd({}, withdrawn));
      assert.deepEqual(kinds(again), ['canceling']);
    });
  });

  it('of one that the service knows no more come once', () => {
    const before = markGone(snapshotOf([endpoint('a', 'ready')]), 'a', startMs);
    const first = reading(before);
    assert.deepEqual(grouped(first.notices), [
      'The service no longer lists the endpoint Model a #a. Its last state was: Ready.',
    ]);
    assert.deepEqual(kinds(reading(first.snapshot)), []);
    assert.deepEqual(kinds(reading(expectEnd(before, 'a', startMs))), []);
    assert.deepEqual(kinds(reading(before, { level: 'off' })), []);
  });

  it('tell of an end within a day, once', () => {
    const before = mergeStatus(
      snapshotOf([endpoint('a', 'ready')]),
      status('a', 'ready', { cancelEffectiveAt: startMs + 23 * hourMs }),
      startMs,
    );
    const first = move('ready', 'ready', {}, before);
    assert.deepEqual(kinds(first), ['ends']);
    assert.deepEqual(kinds(move('ready', 'ready', {}, first.snapshot)), []);
    assert.deepEqual(kinds(move('ready', 'ready', { nowMs: startMs - 2 * hourMs }, before)), []);
  });

  it('name the reason, and become one where several come at once', () => {
    const why = status('a', 'failed', { events: [event('deployment.failed', startMs)] });
    const { notices } = move('deploying', 'failed', { statuses: new Map([['a', why]]) });
    assert.deepEqual(grouped(notices), ['The endpoint Model a #a has failed (Deployment failed).']);
    const after = [event('deployment.failed', startMs), event('refund.requested', startMs + 1)];
    const later = status('a', 'failed', { events: after });
    assert.deepEqual(
      grouped(move('deploying', 'failed', { statuses: new Map([['a', later]]) }).notices),
      ['The endpoint Model a #a has failed (Deployment failed).'],
    );
    const ready = ['a', 'b'].map(
      id => ({ kind: 'ready', endpoint: endpoint(id, 'ready') }) as const,
    );
    assert.deepEqual(grouped([...ready, ...notices]), [
      '2 endpoints are ready.',
      'The endpoint Model a #a has failed (Deployment failed).',
    ]);
  });
});

describe('what is kept of endpoints', () => {
  it('holds no address', () => {
    const secret = endpoint('a', 'ready', {
      endpointUrl: 'https://secret.test',
      servedModelName: 'secret',
    });
    assert.doesNotMatch(JSON.stringify(snapshotOf([secret])), /secret/);
  });

  it('is read leniently, and not at all when it is something else', () => {
    for (const value of [undefined, null, 1, [], {}, { scope: 1 }])
      assert.equal(parseSnapshotRecord(value), undefined);
    const snapshot = snapshotOf([endpoint('a', 'ready')]);
    for (const data of [null, {}, { ...snapshot, seen: 1 }, { ...snapshot, endpoints: 'x' }])
      assert.deepEqual(parseSnapshotRecord({ scope: 's', at: 1, data }), { scope: 's' });
    const odd = { ...snapshot, endpoints: [{ id: 3 }, ...snapshot.endpoints], seen: { a: 1 } };
    assert.deepEqual(
      parseSnapshotRecord({ scope: 's', at: 1, data: odd })?.data?.endpoints.length,
      1,
    );
  });

  it('takes an id once, and forgets what has left the list', () => {
    const twice = snapshotOf([
      endpoint('a', 'ready'),
      endpoint('a', 'failed'),
      endpoint('b', 'paid'),
    ]);
    assert.deepEqual(
      twice.endpoints.map(({ id, state }) => [id, state]),
      [
        ['a', 'ready'],
        ['b', 'paid'],
      ],
    );
    const notified = { ...twice, notified: ['a ready', 'b failed'] };
    const after = (ms: number) =>
      snapshotOf([endpoint('b', 'paid')], startMs + ms, markGone(notified, 'a', startMs));
    // As long as the view shows that it is gone.
    assert.deepEqual(after(0).notified, ['a ready', 'b failed']);
    assert.deepEqual(after(8 * dayMs).notified, ['b failed']);
  });

  it('keeps what has left the list as it was until its status is known, unless it was over', () => {
    const before = snapshotOf([
      endpoint('a', 'ready'),
      endpoint('b', 'paid'),
      endpoint('c', 'refunded'),
    ]);
    const { snapshot, missing, changes } = mergeList(
      before,
      { endpoints: [], unreadable: 0 },
      startMs,
    );
    assert.deepEqual([missing, changes], [['a', 'b'], []]);
    assert.deepEqual(
      snapshot.endpoints.map(({ id, state }) => [id, state]),
      [
        ['a', 'ready'],
        ['b', 'paid'],
      ],
    );
  });

  it('is kept over a reload with what is gone and expected, and read as empty from an earlier version', () => {
    const snapshot = expectEnd(
      markGone(snapshotOf([endpoint('a', 'ready'), endpoint('b', 'ready')]), 'a', startMs),
      'b',
      startMs,
    );
    assert.equal(JSON.stringify(record(snapshot)), JSON.stringify(snapshot));
    const { gone: _gone, expected: _expected, ...earlier } = snapshot;
    assert.deepEqual(
      [record(earlier)?.gone, record(earlier)?.expected, record(earlier)?.endpoints.length],
      [[], {}, 1],
    );
  });

  it('names ends to look up: at each reading, but not twice within a minute unless asked', () => {
    const both = snapshotOf([
      endpoint('a', 'ready'),
      endpoint('b', 'ready'),
      endpoint('c', 'paid'),
    ]);
    assert.deepEqual(uncheckedEnds(both, startMs), ['a', 'b']);
    const one = mergeStatus(both, status('a', 'ready'), startMs);
    assert.deepEqual(uncheckedEnds(one, startMs + 20_000), ['b']);
    // The one that was looked up longest ago comes first.
    assert.deepEqual(uncheckedEnds(one, startMs + minuteMs), ['b', 'a']);
    assert.deepEqual(uncheckedEnds(one, startMs + 20_000, true), ['b', 'a']);
    assert.deepEqual(uncheckedEnds(expectEnd(one, 'a', startMs), startMs + 20_000), ['b', 'a']);
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

const textsOf = (...notices: Notice[]): string[] =>
  groupNotices(
    notices,
    ({ modelDisplayName = '' }) => modelDisplayName,
    ms => new Date(ms).toISOString().slice(0, 10),
    t,
  ).map(({ kind, text, ids }) => `${kind} ${ids.join()}: ${text}`);

const notice = (kind: Notice['kind'], more: Partial<Notice> = {}): Notice => ({
  kind,
  endpoint: endpoint('a', 'ready'),
  ...more,
});

describe('the messages about endpoints', () => {
  const noticeKinds: Notice['kind'][] = [
    'ready',
    'failed',
    'suspended',
    'canceling',
    'ends',
    'refunding',
    'refunded',
    'canceled',
    'gone',
  ];

  it('say what has happened to one, why and by whom, or to how many', () => {
    assertApproved(
      'endpointNotices',
      [
        ...noticeKinds.flatMap(kind => [
          ...textsOf(notice(kind, { endsAt: startMs })),
          ...textsOf(notice(kind, { endsAt: startMs, reason: 'gpu shortage' })),
          ...textsOf(notice(kind, { endsAt: startMs, by: 'the team' })),
          ...textsOf(notice(kind), notice(kind)),
        ]),
        ...textsOf(notice('failed'), notice('ready'), notice('failed')),
        '',
      ].join('\n'),
    );
  });
});
