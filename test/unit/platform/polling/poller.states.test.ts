import assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/async/clock';
import { english } from '../../../../src/base/sentence';
import { Poller, type ReadRequest } from '../../../../src/platform/polling/poller';
import { pollProblemOf } from '../../../../src/platform/polling/pollProblem';
import type { PollRecord, PollState } from '../../../../src/platform/polling/pollRecord';
import { ServiceError } from '../../../../src/service/errors';
import { VirtualTime } from '../../../support/unit/virtualTime';

const minuteMs = 60_000;
const failure = new ServiceError('server', 'no');

/** Windows that share a record and a clock. */
function setUp() {
  const time = new VirtualTime();
  const shared: { record: PollRecord<string> | undefined } = { record: undefined };
  const open = (name: string) => {
    const states: PollState<string>[] = [];
    const requests: ReadRequest<string>[] = [];
    const reads: [before: string | undefined, after: string][] = [];
    const next = { answer: async (): Promise<string> => `${name}${requests.length}` };
    const poller = new Poller<string>({
      t: english,
      clock: time,
      random: () => 0.5,
      name,
      store: {
        read: async () => shared.record,
        write: async record => {
          shared.record = record;
        },
      },
      scope: () => 'https://service.test',
      pollIntervalMs: (_data, _now, isVisible) => (isVisible ? minuteMs : undefined),
      read: request => {
        requests.push(request);
        return next.answer();
      },
      onChange: state => states.push(state),
      onRead: (before, after) => reads.push([before, after]),
    });
    return Object.assign(next, { poller, states, requests, reads });
  };
  return { time, shared, open };
}

describe('the state of a poller', () => {
  it('claims a read with its name, which no two windows share', async () => {
    const { time, shared, open } = setUp();
    open('a').poller.setVisible(true);
    await time.advance(10);
    assert.equal(shared.record?.claim?.by, 'a');
  });

  it('reads again when the data of another window is as old as its own would be', async () => {
    const { time, shared, open } = setUp();
    shared.record = { scope: 'https://service.test', data: 'old', at: time.now() };
    const { poller, requests } = open('b');
    await poller.start();
    poller.setVisible(true);
    await time.advance(minuteMs - 1);
    assert.deepEqual([requests.length, poller.state.data], [0, 'old']);
    await time.advance(200);
    assert.equal(requests.length, 1);
  });

  it('keeps to the limit of the service while the computer sleeps', async () => {
    const { time, open } = setUp();
    const window = open('a');
    const limited = { retryAt: time.now() + 60 * minuteMs };
    window.answer = () => Promise.reject(new ServiceError('rateLimited', 'no', limited));
    window.poller.setVisible(true);
    await time.advance(minuteMs);
    time.sleepComputer(10 * minuteMs);
    await time.advance(5 * minuteMs);
    assert.equal(window.requests.length, 1);
    time.sleepComputer(60 * minuteMs);
    await time.advance(minuteMs);
    assert.ok(window.requests.length > 1);
  });

  it('tells when a read begins and when it ends', async () => {
    const { time, open } = setUp();
    const { poller, states } = open('a');
    poller.setVisible(true);
    await time.advance(100);
    assert.deepEqual(
      states.map(({ isReading, data }) => [isReading, data]),
      [
        [true, undefined],
        [false, 'a1'],
      ],
    );
    assert.equal(states.at(-1)?.at, time.now() - 40);
    assert.equal(states.at(-1)?.problem, undefined);
  });

  it('has the data from before, and its time, for the next read and for who wants to compare', async () => {
    const { time, open } = setUp();
    const { poller, requests, reads } = open('a');
    await time.until(poller.refresh());
    const at = time.now();
    await time.advance(minuteMs);
    await time.until(poller.refresh());
    assert.deepEqual(
      requests.map(({ before, beforeAt, isUserInitiated }) => [before, beforeAt, isUserInitiated]),
      [
        [undefined, undefined, true],
        ['a1', requests[1]?.beforeAt, true],
      ],
    );
    assert.ok(Math.abs((requests[1]?.beforeAt ?? 0) - at) <= 10);
    assert.deepEqual(reads, [
      [undefined, 'a1'],
      ['a1', 'a2'],
    ]);
  });

  it('keeps the data and tells the problem when a refresh fails, and who asked learns of it', async () => {
    const { time, open } = setUp();
    const window = open('a');
    await time.until(window.poller.refresh());
    window.answer = () => Promise.reject(failure);
    await assert.rejects(window.poller.refresh(), failure);
    const { data, problem, isReading } = window.poller.state;
    assert.deepEqual(
      [data, problem?.kind, problem?.failures, isReading],
      ['a1', 'server', 1, false],
    );
    assert.deepEqual(window.reads, [[undefined, 'a1']]);
    window.answer = () => Promise.reject(new AbortError());
    await window.poller.refresh();
    assert.equal(window.poller.state.problem?.failures, 1);
  });

  it('has no problem any more once another window has read', async () => {
    const { time, open } = setUp();
    const [a, b] = [open('a'), open('b')];
    a.answer = () => Promise.reject(failure);
    a.poller.setVisible(true);
    await time.advance(1000);
    assert.equal(a.poller.state.problem?.kind, 'server');
    await time.until(b.poller.refresh());
    await time.advance(minuteMs);
    assert.equal(a.poller.state.data, 'b1');
    assert.equal(a.poller.state.problem, undefined);
    assert.equal(a.requests.length, 1);
  });

  it('tells of a failure of another window beside the data that it had', async () => {
    const { time, open } = setUp();
    const [a, b] = [open('a'), open('b')];
    a.poller.setVisible(true);
    await time.advance(1000);
    a.poller.setVisible(false);
    await time.advance(20_000);
    b.answer = () => Promise.reject(failure);
    await assert.rejects(b.poller.refresh());
    a.poller.setVisible(true);
    await time.advance(1000);
    const { data, problem } = a.poller.state;
    assert.deepEqual([data, problem?.kind], ['a1', 'server']);
    assert.equal(a.requests.length, 1);
  });

  it('can be edited, for the other windows too', async () => {
    const { time, open } = setUp();
    const [a, b] = [open('a'), open('b')];
    await a.poller.change(data => `${data}!`);
    assert.deepEqual([a.states.length, a.poller.state.data], [0, undefined]);
    await time.until(a.poller.refresh());
    const { length } = a.states;
    // A window that has not read edits what the other one has.
    await b.poller.change(data => `${data}!`);
    assert.equal(b.poller.state.data, 'a1!');
    assert.equal(b.states.at(-1)?.data, 'a1!');
    await a.poller.change(data => `${data}?`);
    assert.equal(a.states.length, length + 1);
    const later = open('c');
    await later.poller.start();
    assert.match(later.poller.state.data ?? '', /^a1/);
    assert.equal(later.requests.length, 0);
  });

  it('is empty after a change of the key, here and in the record', async () => {
    const { time, shared, open } = setUp();
    const window = open('a');
    await time.until(window.poller.refresh());
    await window.poller.reset();
    assert.deepEqual(window.states.at(-1), {
      data: undefined,
      at: undefined,
      problem: undefined,
      isReading: false,
      wait: undefined,
    });
    assert.deepEqual(shared.record, { scope: 'https://service.test' });
    assert.equal(window.requests.length, 1);
    window.poller.setVisible(true);
    await time.advance(1000);
    assert.equal(window.requests.length, 2);
    await time.until(window.poller.reset(), 100);
    assert.equal(window.requests.length, 3);
    assert.equal(window.poller.state.data, 'a3');
  });

  it('does not change any more after the end', async () => {
    const { time, open } = setUp();
    const window = open('a');
    const answers: ((value: string) => void)[] = [];
    window.answer = () => new Promise(resolve => void answers.push(resolve));
    window.poller.setVisible(true);
    await time.advance(100);
    const { length } = window.states;
    window.poller.dispose();
    assert.equal(window.requests[0]?.signal.aborted, true);
    answers[0]?.('late');
    await window.poller.refresh();
    await time.advance(10 * minuteMs);
    assert.equal(window.states.length, length);
    assert.equal(window.requests.length, 1);
  });
});

const problemAfter = (error: unknown, failures: number, random: number) => {
  const clock = new VirtualTime();
  const before = { kind: 'server', text: '', at: 0, failures } as const;
  const problem = pollProblemOf(error, failures > 0 ? before : undefined, {
    clock,
    random: () => random,
    t: english,
  });
  assert.equal(problem.at, clock.now());
  assert.equal(problem.failures, failures + 1);
  return {
    kind: problem.kind,
    waitMs: problem.nextAt === undefined ? undefined : problem.nextAt - clock.now(),
  };
};

describe('the problem after a failed read', () => {
  it('is tried again after 15 seconds, or up to twice as long with each failure, at most 10 minutes', () => {
    for (const [failures, least, most] of [
      [0, 15_000, 30_000],
      [1, 15_000, 60_000],
      [4, 15_000, 480_000],
      [5, 15_000, 600_000],
      [50, 15_000, 600_000],
    ] as const) {
      assert.deepEqual(problemAfter(failure, failures, 0), { kind: 'server', waitMs: least });
      assert.deepEqual(problemAfter(failure, failures, 1), { kind: 'server', waitMs: most });
    }
    assert.deepEqual(problemAfter(new Error('x'), 0, 0), { kind: 'unknown', waitMs: 15_000 });
  });

  it('is not tried again where only a new key or address can help', () => {
    for (const kind of ['unauthorized', 'forbidden', 'noKey', 'noUrl', 'badUrl'] as const)
      assert.deepEqual(problemAfter(new ServiceError(kind, ''), 0, 0), { kind, waitMs: undefined });
  });

  it('is not tried again before the service says so', () => {
    const retryAt = new VirtualTime().now() + 90_000;
    const limited = new ServiceError('rateLimited', '', { retryAt });
    assert.deepEqual(problemAfter(limited, 0, 0), { kind: 'rateLimited', waitMs: 90_000 });
  });
});
