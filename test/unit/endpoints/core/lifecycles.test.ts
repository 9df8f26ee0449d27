import assert from 'node:assert/strict';
import { english } from '../../../../src/base/sentence';
import {
  type EndpointsSnapshot,
  expectEnd,
} from '../../../../src/endpoints/core/endpointsSnapshot';
import type { Notice } from '../../../../src/endpoints/core/notices';
import { endpointsPollIntervalMs } from '../../../../src/endpoints/core/pollInterval';
import { readAndNotice } from '../../../../src/endpoints/core/readEndpoints';
import { Poller } from '../../../../src/platform/polling/poller';
import type { PollRecord } from '../../../../src/platform/polling/pollRecord';
import { ServiceError } from '../../../../src/service/errors';
import type { EndpointEvent, EndpointStatus } from '../../../../src/service/wire/dedicated';
import { seededRandom, VirtualTime } from '../../../support/unit/virtualTime';
import { dayMs, endpoint, event, hourMs, minuteMs, status } from './support';

const secondMs = 1000;
const promiseMs = 60 * secondMs;
const horizonMs = 4 * hourMs;
const accounts = 200;
const endpointsOfAccount = 5;

/** What the user must be told of: no later than a minute after `at`, and once. */
interface Expected {
  readonly kind: Notice['kind'];
  readonly at: number;
  /** A state that was over within a minute may have been seen or not. */
  isOptional?: boolean;
}

/** One endpoint from its order to its end, as the service has it. */
class Lifecycle {
  readonly events: EndpointEvent[] = [];
  readonly expected: Expected[] = [];
  /** When the user cancels it in the dashboard, for which nobody has to tell them. */
  ownCancelAt: number | undefined;
  readonly #moves: { readonly at: number; readonly act: () => void }[] = [];
  readonly #random: () => number;
  #state = 'checkout_pending';
  #isRemoved = false;
  #readyAt: number | undefined;
  #cancelAt: number | undefined;
  #startedAt: number;

  constructor(
    readonly id: string,
    startMs: number,
    random: () => number,
  ) {
    this.#random = random;
    this.#startedAt = startMs;
    this.#plan(startMs);
  }

  /** Brings it to a time. @returns undefined where the service does not know it any more */
  at(nowMs: number): EndpointStatus | undefined {
    for (let move = this.#moves[0]; move && move.at <= nowMs; move = this.#moves[0]) {
      this.#moves.shift();
      move.act();
    }
    if (this.#isRemoved) return undefined;
    return status(this.id, this.#state, {
      createdAt: this.#startedAt,
      readyAt: this.#readyAt,
      cancelEffectiveAt: this.#cancelAt,
      events: [...this.events],
    });
  }

  /** Between two times, more often near the first. */
  #between(least: number, most: number): number {
    return Math.round(least + (most - least) * this.#random() ** 2);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #plan(startMs: number): void {
    let at = startMs;
    let state = this.#state;
    const enter = (next: string, afterMs: number, kind?: Notice['kind'], actor = 'system') => {
      const last = this.expected.at(-1);
      if (last && afterMs < promiseMs && at === last.at) last.isOptional = true;
      at += afterMs;
      const [from, when] = [state, at];
      state = next;
      this.#moves.push({
        at: when,
        act: () => {
          this.#state = next;
          if (next === 'ready') this.#readyAt ??= when;
          this.events.push(event(`move.${next}`, when, [from, next], { actorType: actor }));
        },
      });
      if (!kind) return;
      // Back in a state after an interruption that may not have been seen.
      const isBack = last?.isOptional === true && this.expected.at(-2)?.kind === kind;
      this.expected.push({ kind, at: when, isOptional: isBack });
    };
    for (const step of [
      'paid',
      'capacity_held',
      'provisioning',
      'pr_open',
      'merged',
      'deploying',
    ]) {
      enter(step, this.#between(5 * secondMs, 20 * minuteMs));
      if (this.#chance(0.06)) return this.#refund(enter);
      if (this.#chance(0.04)) return enter('failed', this.#between(secondMs, hourMs), 'failed');
      if (this.#chance(0.02)) return this.#remove(at + this.#between(secondMs, hourMs));
    }
    enter('ready', this.#between(minuteMs, 20 * minuteMs), 'ready');
    while (this.#chance(0.4)) {
      enter('suspended', this.#between(10 * secondMs, 40 * minuteMs), 'suspended');
      enter('ready', this.#between(10 * secondMs, 40 * minuteMs), 'ready');
    }
    const cancelAt = at + this.#between(2 * minuteMs, hourMs);
    const end = this.#random();
    if (end < 0.1) return this.#remove(cancelAt);
    if (end < 0.2) return enter('canceled', cancelAt - at, 'canceled', 'user');
    if (end < 0.9) {
      // Some end on the same day, some within the hours that the test looks at after one more day.
      const endsAt =
        cancelAt + this.#between(10 * minuteMs, 90 * minuteMs) + (this.#chance(0.3) ? dayMs : 0);
      const isOwn = this.#chance(0.25);
      this.#moves.push({
        at: cancelAt,
        act: () => {
          this.#cancelAt = endsAt;
          this.events.push(event('cancellation.noticed', cancelAt, [], { actorType: 'user' }));
        },
      });
      if (isOwn) this.ownCancelAt = cancelAt;
      else this.expected.push({ kind: 'canceling', at: cancelAt });
      const isSoon = endsAt - cancelAt < dayMs;
      // The message about a cancellation names its end.
      if (isOwn || !isSoon) {
        this.expected.push({ kind: 'ends', at: Math.max(cancelAt, endsAt - dayMs) });
      }
      if (isSoon) enter('canceled', endsAt - at);
    }
  }

  #refund(
    enter: (next: string, afterMs: number, kind?: Notice['kind'], actor?: string) => void,
  ): void {
    if (this.#chance(0.3)) {
      enter('refunded', this.#between(secondMs, hourMs), 'refunded', 'user');
      return;
    }
    enter('refunding', this.#between(secondMs, hourMs), 'refunding');
    // Told of already, with the refund that has begun.
    enter('refunded', this.#between(2 * minuteMs, hourMs));
  }

  #remove(at: number): void {
    this.#moves.push({ at, act: () => (this.#isRemoved = true) });
    this.expected.push({ kind: 'gone', at });
  }
}

interface Told {
  readonly kind: Notice['kind'];
  readonly id: string;
  readonly at: number;
}

/** One account, read by two windows with one file between them, of which one may show the view. */
async function play(seed: number): Promise<{ lives: Lifecycle[]; told: Told[]; lags: number[] }> {
  const random = seededRandom(seed);
  const time = new VirtualTime();
  const startMs = time.now();
  const lives = Array.from(
    { length: endpointsOfAccount },
    (_, n) => new Lifecycle(`${seed}-${n}`, startMs + random() * hourMs, random),
  );
  const told: Told[] = [];
  const lags: number[] = [];
  const states = new Map<string, string>();
  let file: PollRecord<EndpointsSnapshot> | undefined;
  const open = (name: string): Poller<EndpointsSnapshot> => {
    let notices: readonly Notice[] = [];
    return new Poller<EndpointsSnapshot>({
      t: english,
      clock: time,
      random,
      name,
      scope: () => 'https://service.test',
      store: { read: async () => file, write: async record => void (file = record) },
      pollIntervalMs: endpointsPollIntervalMs,
      read: async ({ before, beforeAt, signal, isUserInitiated }) => {
        const nowMs = time.now();
        const known = lives.flatMap(life => life.at(nowMs) ?? []);
        const reading = await readAndNotice(
          { before, beforeAt, nowMs, isUserInitiated, signal },
          {
            list: async () => ({
              endpoints: known.map(({ id, state, createdAt, readyAt }) =>
                endpoint(id, state, { createdAt, readyAt }),
              ),
              unreadable: 0,
            }),
            status: async id =>
              known.find(item => item.id === id) ??
              Promise.reject(new ServiceError('notFound', 'no such endpoint')),
            onFailure: error => assert.fail(String(error)),
          },
          { level: 'all', watched: new Set(), t: english },
        );
        ({ notices } = reading);
        for (const { id, state, events } of known) {
          const since = events.findLast(({ toState }) => toState === state)?.createdAt;
          if (states.get(id) !== state && since !== undefined) lags.push(nowMs - since);
          states.set(id, state);
        }
        return reading.snapshot;
      },
      onChange: () => undefined,
      onRead: () => {
        for (const {
          kind,
          endpoint: { id },
        } of notices)
          told.push({ kind, id, at: time.now() });
        notices = [];
      },
    });
  };
  const windows = [open('one'), open('two')] as const;
  await Promise.all([time.advance(0), windows[0].refresh()]);
  await Promise.all([time.advance(0), windows[1].start()]);
  windows[0].setVisible(seed % 2 === 0);
  for (const life of lives) {
    const { ownCancelAt } = life;
    if (ownCancelAt === undefined) continue;
    time.after(ownCancelAt - 5 * secondMs - time.now(), () => {
      void windows[0].change(snapshot => expectEnd(snapshot, life.id, time.now()));
    });
  }
  await time.advance(horizonMs);
  for (const window of windows) window.dispose();
  return { lives, told, lags };
}

describe('a thousand lifecycles of endpoints, also ended by others', () => {
  it('tell each change once, within a minute, in one of two windows, looked at or not', async () => {
    const wrong: string[] = [];
    const kinds = new Map<string, number>();
    const all: number[] = [];
    let longest = 0;
    for (let seed = 1; seed <= accounts; seed++) {
      const { lives, told, lags } = await play(seed);
      const endMs = new VirtualTime().now() + horizonMs - promiseMs - secondMs;
      all.push(...lags);
      for (const { id, expected } of lives) {
        const left = told.filter(notice => notice.id === id);
        for (const { kind, at, isOptional = false } of expected) {
          if (at > endMs) continue;
          const found = left.findIndex(
            notice => notice.kind === kind && notice.at >= at && notice.at <= at + promiseMs,
          );
          const [notice] = found < 0 ? [] : left.splice(found, 1);
          if (notice) {
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
            longest = Math.max(longest, notice.at - at);
          } else if (!isOptional) wrong.push(`${id}: not told of ${kind}`);
        }
        for (const { kind, at } of left)
          if (at <= endMs) wrong.push(`${id}: told of ${kind} for no reason, or once more`);
      }
    }
    assert.deepEqual(wrong.slice(0, 20), []);
    for (const kind of [
      'ready',
      'failed',
      'suspended',
      'canceling',
      'ends',
      'refunding',
      'refunded',
      'canceled',
      'gone',
    ])
      assert.ok((kinds.get(kind) ?? 0) >= 10, `${kind}: ${kinds.get(kind)}`);
    // The view shows every state, also those of which nothing is told.
    assert.ok(Math.max(...all) <= promiseMs, `${Math.max(...all)} ms`);
    assert.ok(all.length > 3 * accounts * endpointsOfAccount, `${all.length}`);
    if (process.env['FIGURES'])
      console.log(Object.fromEntries(kinds), `longest ${longest} ms, ${all.length} states`);
  });
});
