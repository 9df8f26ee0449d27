import assert from 'node:assert/strict';
import { english } from '../../../../src/base/sentence';
import {
  type EndpointsSnapshot,
  mergeList,
} from '../../../../src/endpoints/core/endpointsSnapshot';
import { endpointsPollIntervalMs } from '../../../../src/endpoints/core/pollInterval';
import { Poller } from '../../../../src/platform/polling/poller';
import { seededRandom, VirtualTime } from '../../../support/unit/virtualTime';
import { dayMs, endpoint, hourMs, minuteMs, snapshotOf, startMs } from './support';

const secondMs = 1000;

describe('endpointsPollIntervalMs', () => {
  const rows: [
    string,
    states: string[],
    ageMs: number,
    looked: number | undefined,
    hidden: number | undefined,
  ][] = [
    ['starting', ['deploying', 'ready'], 0, 15_000, 50_000],
    ['starting for 30 min', ['deploying'], 30 * minuteMs, 30_000, 50_000],
    ['starting for 2 h', ['pr_open'], 2 * hourMs, 50_000, 50_000],
    ['starting for a day', ['pr_open'], dayMs, 300_000, undefined],
    ['waiting for payment', ['checkout_pending'], 0, 15_000, 50_000],
    ['refunding', ['refunding'], 0, 15_000, 50_000],
    ['of an unknown state', ['hibernating'], 0, 15_000, 50_000],
    ['ready and failed', ['ready', 'failed'], 0, 50_000, 50_000],
    ['suspended', ['suspended'], 0, 50_000, 50_000],
    ['failed', ['failed'], 0, 300_000, undefined],
    ['over', ['refunded', 'canceled'], 0, undefined, undefined],
    ['none', [], 0, undefined, undefined],
  ];
  for (const [what, states, ageMs, looked, hidden] of rows)
    it(`${what}: ${looked ?? 'never'} and ${hidden ?? 'never'}`, () => {
      const snapshot = snapshotOf(states.map((state, n) => endpoint(`e${n}`, state)));
      const now = startMs + ageMs;
      assert.equal(endpointsPollIntervalMs(snapshot, now, true), looked);
      assert.equal(endpointsPollIntervalMs(snapshot, now, false), hidden);
    });

  it('is as short as the youngest state wants', () => {
    const old = snapshotOf([endpoint('a', 'deploying')]);
    const both = snapshotOf(
      [endpoint('a', 'deploying'), endpoint('b', 'paid')],
      startMs + hourMs,
      old,
    );
    assert.equal(endpointsPollIntervalMs(old, startMs + hourMs, true), 30_000);
    assert.equal(endpointsPollIntervalMs(both, startMs + hourMs, true), 15_000);
  });
});

/** Seconds in each state on the way to `ready`. */
const traces = {
  fast: [20, 40, 240, 60, 30, 300],
  typical: [30, 180, 720, 360, 60, 1080],
  slow: [60, 7200, 3600, 14_400, 120, 2700],
} as const;
const states = ['paid', 'capacity_held', 'provisioning', 'pr_open', 'merged', 'deploying', 'ready'];

/** The poller itself over one way to `ready`: requests until it is shown, and the lag of each move. */
async function playTo(trace: readonly number[], isLooked: boolean, random: () => number) {
  const time = new VirtualTime();
  // Begins somewhere within an interval.
  const offset = random() * (isLooked ? 15 : 60) * secondMs;
  const ends: number[] = [];
  let at = time.now() - offset;
  for (const seconds of trace) ends.push((at += seconds * (0.7 + 0.6 * random()) * secondMs));
  const stateAt = (now: number): number => ends.filter(end => end <= now).length;
  const lags: number[] = [];
  let requests = 0;
  let shown = 0;
  const poller = new Poller<EndpointsSnapshot>({
    t: english,
    clock: time,
    random,
    scope: () => 'https://service.test',
    pollIntervalMs: (snapshot, now, looked) =>
      shown === trace.length ? undefined : endpointsPollIntervalMs(snapshot, now, looked),
    read: async ({ before }) => {
      requests++;
      const state = stateAt(time.now());
      for (; shown < state; shown++) lags.push(time.now() - (ends[shown] ?? 0));
      return mergeList(
        before,
        { endpoints: [endpoint('e', states[state] ?? 'ready')], unreadable: 0 },
        time.now(),
      ).snapshot;
    },
    onChange: () => undefined,
  });
  // It was known before; a hidden view shows nothing new by itself.
  void poller.refresh();
  await time.advance(0);
  poller.setVisible(isLooked);
  while (shown < trace.length) await time.advance(minuteMs);
  poller.dispose();
  return { requests, lags };
}

describe('requests and lag of the poller', () => {
  // Simulated before: requests until ready, mean and longest lag in seconds.
  const expected: [
    keyof typeof traces,
    isLooked: boolean,
    requests: number,
    mean: number,
    max: number,
  ][] = [
    ['fast', true, 47, 7.4, 16],
    ['typical', true, 163, 7.4, 16],
    ['slow', true, 1180, 14, 54],
    ['fast', false, 16, 25, 54],
    ['typical', false, 50, 25, 54],
    ['slow', false, 567, 26, 54],
  ];
  for (const [name, isLooked, requests, mean, max] of expected)
    it(`${name}, ${isLooked ? 'looked at' : 'hidden'}: about ${requests} requests, ${mean} s behind`, async () => {
      const random = seededRandom(5);
      const runs = name === 'slow' ? 20 : 60;
      const all: number[] = [];
      let sum = 0;
      for (let n = 0; n < runs; n++) {
        const played = await playTo(traces[name], isLooked, random);
        sum += played.requests;
        all.push(...played.lags);
      }
      const figures = {
        requests: sum / runs,
        mean: all.reduce((total, lag) => total + lag, 0) / all.length / secondMs,
        max: Math.max(...all) / secondMs,
      };
      const hours = traces[name].reduce((total, seconds) => total + seconds, 0) / 3600;
      if (process.env['FIGURES'])
        console.log(
          `${name} ${isLooked ? 'looked' : 'hidden'}: ${figures.requests.toFixed(0)} requests,` +
            ` ${(figures.requests / hours).toFixed(0)}/h, lag ${figures.mean.toFixed(1)}/${figures.max.toFixed(0)} s`,
        );
      assert.ok(
        Math.abs(figures.requests - requests) <= requests * 0.12 + 1,
        JSON.stringify(figures),
      );
      assert.ok(figures.mean <= mean * 1.25, JSON.stringify(figures));
      assert.ok(figures.max <= max * 1.1, JSON.stringify(figures));
    });

  it('of a settled view: 72 per hour while an endpoint serves, none when all have failed', async () => {
    for (const [state, isLooked, least, most] of [
      ['ready', true, 65, 80],
      ['ready', false, 65, 80],
      ['failed', true, 11, 13],
      ['failed', false, 0, 0],
    ] as const) {
      const time = new VirtualTime();
      let requests = 0;
      const poller = new Poller<EndpointsSnapshot>({
        t: english,
        clock: time,
        random: seededRandom(3),
        scope: () => 'x',
        pollIntervalMs: endpointsPollIntervalMs,
        read: async ({ before }) => {
          requests++;
          return snapshotOf([endpoint('a', state)], time.now(), before);
        },
        onChange: () => undefined,
      });
      void poller.refresh();
      await time.advance(0);
      poller.setVisible(isLooked);
      await time.advance(hourMs);
      assert.ok(requests - 1 >= least && requests - 1 <= most, `${requests - 1}`);
    }
  });
});
