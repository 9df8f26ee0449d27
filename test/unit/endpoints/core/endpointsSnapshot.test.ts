import assert from 'node:assert/strict';
import {
  dropGone,
  type EndpointsSnapshot,
  expectEnd,
  isExpected,
  markGone,
  mergeMissingStatus,
  mergeStatus,
} from '../../../../src/endpoints/core/endpointsSnapshot';
import {
  actorLabel,
  appearanceOf,
  eventLabel,
  groupLabel,
} from '../../../../src/endpoints/core/lifecycle';
import { parseSnapshotRecord } from '../../../../src/endpoints/core/parseSnapshot';
import { stateSince, timelineOf } from '../../../../src/endpoints/core/timeline';
import { endpoint, event, hourMs, minuteMs, snapshotOf, startMs, status, t } from './support';

const scope = 'https://service.test';

/** What a file gives back: JSON has no undefined. */
const throughFile = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const parsed = (data: unknown): EndpointsSnapshot | undefined =>
  parseSnapshotRecord({ scope, at: 1, data })?.data;

const broken = (part: object): object[] =>
  Object.keys(part).map(field => ({ ...part, [field]: null }));

describe('a stored snapshot', () => {
  const snapshot: EndpointsSnapshot = {
    ...snapshotOf([endpoint('a', 'ready'), endpoint('b', 'deploying')]),
    unreadable: 2,
    notified: ['a canceling'],
    ends: {
      a: { checkedAt: startMs, endsAt: startMs + hourMs, requestedAt: startMs, actor: 'user' },
      b: { checkedAt: startMs },
    },
    gone: [{ endpoint: endpoint('c', 'ready'), at: startMs }],
    expected: { a: startMs },
  };

  it('is read as it was written, with its problem and its claim', () => {
    const record = {
      scope,
      at: startMs,
      data: snapshot,
      problem: { kind: 'server', text: 'x', at: 1, failures: 2, nextAt: 3 },
      claim: { by: 'w1', until: 9 },
    };
    const read = parseSnapshotRecord(throughFile(record));
    assert.deepEqual(throughFile(read), throughFile(record));
    const { nextAt: _nextAt, ...problem } = record.problem;
    assert.deepEqual(parseSnapshotRecord({ scope, problem })?.problem, problem);
  });

  it('is not taken from anything else, so that it is read again', () => {
    for (const value of [undefined, null, 'x', [], {}, { scope: 1 }])
      assert.equal(parseSnapshotRecord(value), undefined);
    assert.deepEqual(parseSnapshotRecord({ scope }), { scope });
    assert.equal(parseSnapshotRecord({ scope, data: snapshot })?.data, undefined, 'without a time');
    for (const field of ['endpoints', 'seen', 'ends', 'notified'])
      for (const value of [undefined, 'x', 1]) {
        assert.equal(parsed({ ...snapshot, [field]: value }), undefined, field);
      }
    const problem = { kind: 'server', text: 'x', at: 1, failures: 2, nextAt: 3 };
    for (const field of Object.keys(problem))
      assert.equal(
        parseSnapshotRecord({ scope, problem: { ...problem, [field]: null } })?.problem,
        undefined,
        field,
      );
    for (const claim of [{ by: 'w1' }, { until: 1 }, { by: 1, until: 1 }, 'x'])
      assert.equal(parseSnapshotRecord({ scope, claim })?.claim, undefined);
  });

  it('keeps what is right where a part is not', () => {
    const seen = { state: 'ready', since: 1, isExact: true };
    const end = { checkedAt: 1, endsAt: 2, requestedAt: 3, actor: 'user' };
    const read = parsed({
      endpoints: [
        { id: 'a', state: 'ready', createdAt: 'x', modelId: 1 },
        { id: 'b' },
        { state: 'x' },
        7,
      ],
      unreadable: 'x',
      seen: { a: seen, ...Object.fromEntries(broken(seen).entries()), b: 'x' },
      ends: { a: end, c: { checkedAt: 1 }, ...Object.fromEntries(broken(end).entries()), b: 1 },
      told: ['a ready', 1],
      gone: [
        { endpoint: { id: 'g', state: 'ready' }, at: 1 },
        { endpoint: { id: 'h' }, at: 1 },
        { at: 1 },
        'x',
      ],
      expected: { a: 1, b: 'x' },
    });
    assert.deepEqual(throughFile(read), {
      endpoints: [{ id: 'a', state: 'ready' }],
      unreadable: 0,
      seen: { a: seen },
      notified: ['a ready'],
      ends: { a: end, c: { checkedAt: 1 } },
      gone: [{ endpoint: { id: 'g', state: 'ready' }, at: 1 }],
      expected: { a: 1 },
    });
    const { gone: _gone, expected: _expected, ...old } = snapshot;
    assert.deepEqual([parsed(old)?.gone, parsed(old)?.expected], [[], {}]);
  });
});

describe('a status beside the list', () => {
  const before = snapshotOf([endpoint('a', 'ready'), endpoint('b', 'ready')]);
  const later = startMs + hourMs;

  it('tells since when, unless it is newer than the list or of no endpoint of it', () => {
    const events = [event('deployment.ready', startMs - minuteMs, ['deploying', 'ready'])];
    const merged = mergeStatus(before, status('a', 'ready', { events }), later);
    assert.deepEqual(merged.seen['a'], {
      state: 'ready',
      since: startMs - minuteMs,
      isExact: true,
    });
    assert.deepEqual(merged.seen['b'], before.seen['b']);
    assert.deepEqual(
      mergeStatus(before, status('a', 'failed', { events }), later).seen,
      before.seen,
    );
    assert.equal(mergeStatus(before, status('x', 'ready'), later), before);
  });

  it('tells the planned end, who asked for it and when', () => {
    const endsAt = later + hourMs;
    const asked = event('cancellation.noticed', startMs, [], { actorType: 'user' });
    const end = (snapshot: EndpointsSnapshot, events = [asked]) =>
      mergeStatus(snapshot, status('a', 'ready', { cancelEffectiveAt: endsAt, events }), later)
        .ends['a'];
    assert.deepEqual(end(before), {
      checkedAt: later,
      endsAt,
      requestedAt: startMs,
      actor: 'user',
    });
    // Without an event: when it was first seen, if it was looked for before.
    assert.equal(end(before, [])?.requestedAt, undefined);
    const looked = mergeStatus(before, status('a', 'ready'), startMs);
    assert.deepEqual(looked.ends['a'], { checkedAt: startMs });
    assert.equal(end(looked, [])?.requestedAt, later);
    const told = { ...before, ends: { a: { checkedAt: 1, endsAt, requestedAt: 7 } } };
    assert.equal(end(told, [])?.requestedAt, 7);
    const stopped = status('a', 'suspended', { cancelEffectiveAt: endsAt });
    const suspended = snapshotOf([endpoint('a', 'suspended')]);
    assert.deepEqual(mergeStatus(suspended, stopped, later).ends, {});
  });

  it('lets a cancellation be told of again once it was taken back', () => {
    const notified = ['a canceling', 'a ends', 'a ready', 'b ends'];
    const told = { ...before, notified };
    assert.deepEqual(mergeStatus(told, status('a', 'ready'), later).notified, [
      'a ready',
      'b ends',
    ]);
    const canceled = status('a', 'ready', { cancelEffectiveAt: later });
    assert.deepEqual(mergeStatus(told, canceled, later).notified, notified);
  });

  it('decides the state of an endpoint that the list left out', () => {
    const told = { ...before, ends: { a: { checkedAt: 1 }, b: { checkedAt: 2 } } };
    const { snapshot, changes } = mergeMissingStatus(told, status('a', 'failed'), later);
    assert.deepEqual(
      snapshot.endpoints.map(({ id, state }) => `${id} ${state}`),
      ['a failed', 'b ready'],
    );
    assert.deepEqual(snapshot.seen['a'], { state: 'failed', since: later, isExact: true });
    assert.deepEqual(snapshot.ends, { b: { checkedAt: 2 } });
    assert.deepEqual(
      changes.map(({ endpoint: { id, state }, from }) => [id, state, from]),
      [['a', 'failed', 'ready']],
    );
    assert.deepEqual(mergeMissingStatus(before, status('a', 'ready'), later).changes, []);
    assert.equal(mergeMissingStatus(before, status('x', 'ready'), later).snapshot, before);
  });
});

describe('an endpoint that is gone', () => {
  const before = {
    ...snapshotOf([endpoint('a', 'ready'), endpoint('b', 'ready')]),
    ends: { a: { checkedAt: 1 }, b: { checkedAt: 2 } },
  };

  it('is kept apart, the latest first, until it is dropped', () => {
    const first = markGone(before, 'a', startMs);
    assert.deepEqual(
      first.endpoints.map(({ id }) => id),
      ['b'],
    );
    assert.deepEqual([Object.keys(first.seen), first.ends], [['b'], { b: { checkedAt: 2 } }]);
    const both = markGone(first, 'b', startMs + 1);
    assert.deepEqual(
      both.gone.map(one => [one.endpoint.id, one.at]),
      [
        ['b', startMs + 1],
        ['a', startMs],
      ],
    );
    assert.deepEqual(
      dropGone(both, 'b').gone.map(one => one.endpoint.id),
      ['a'],
    );
    assert.equal(markGone(before, 'x', startMs), before);
  });

  it('was expected for an hour after the dashboard was opened for it', () => {
    const asked = expectEnd(expectEnd(before, 'b', 1), 'a', startMs);
    assert.deepEqual(asked.expected, { a: startMs, b: 1 });
    for (const [at, is] of [
      [startMs - 5 * minuteMs, false],
      [startMs - 5 * minuteMs + 1, true],
      [startMs + hourMs - 1, true],
      [startMs + hourMs, false],
    ] as const)
      assert.equal(isExpected(asked, 'a', at), is);
    assert.equal(isExpected(asked, 'x', startMs), false);
    assert.equal(isExpected(asked, 'toString', startMs), false);
  });
});

describe('the words of a life cycle', () => {
  it('are those of the service document, or what the service wrote', () => {
    for (const [type, label] of [
      ['payment.succeeded', 'Payment received'],
      ['capacity.held', 'GPUs reserved'],
      ['deployment.started', 'Deployment started'],
      ['deployment.ready', 'Ready'],
      ['deployment.failed', 'Deployment failed'],
      ['cancellation.noticed', 'Cancellation requested'],
      ['cancellation.effective', 'Cancellation took effect'],
      [`new ${'x'.repeat(80)}`, `new ${'x'.repeat(55)}…`],
    ] as const)
      assert.equal(eventLabel(type, t), label);
    for (const [actor, label] of [
      ['user', 'someone in your account'],
      ['payments_provider', 'the payment provider'],
      ['system', 'the service'],
      ['code_host_app', 'the code host'],
      ['code_host_actions', 'a job of the code host'],
      ['x'.repeat(50), `${'x'.repeat(39)}…`],
    ] as const)
      assert.equal(actorLabel(actor, t), label);
    assert.deepEqual(
      (['attention', 'starting', 'ready', 'ended'] as const).map(group => groupLabel(group, t)),
      ['Needs Attention', 'Starting', 'Ready', 'Ended'],
    );
    assert.equal(appearanceOf('x'.repeat(50), t).label, `New state "${'x'.repeat(39)}…"`);
  });

  it('are in a timeline, the newest first, with how long each state lasted', () => {
    const noId = { id: undefined };
    const entries = timelineOf([
      event('payment.succeeded', startMs, ['checkout_pending', 'paid']),
      event('note', startMs + 1, [], noId),
      event('note', startMs + 1, [], noId),
      event('deployment.started', startMs + minuteMs, ['paid', 'deploying']),
      event('check.failed', startMs + hourMs, [], { createdAt: undefined, id: undefined }),
      event('deployment.over', startMs + hourMs, ['deploying', 'failed']),
    ]);
    assert.deepEqual(
      entries.map(({ key, lastedMs, isCurrent, isFailure }) => [
        key,
        lastedMs,
        isCurrent,
        isFailure,
      ]),
      [
        [`deployment.over-${startMs + hourMs}`, undefined, true, true],
        ['check.failed@', undefined, false, true],
        [`deployment.started-${startMs + minuteMs}`, hourMs - minuteMs, false, false],
        [`note@${startMs + 1}`, undefined, false, false],
        [`note@${startMs + 1}#1`, undefined, false, false],
        [`payment.succeeded-${startMs}`, minuteMs, false, false],
      ],
    );
    assert.equal(
      stateSince([event('a', 1, ['x', 'y']), event('b', 2, ['y', 'z']), event('c', 3)]),
      2,
    );
    assert.equal(stateSince([]), undefined);
  });
});
