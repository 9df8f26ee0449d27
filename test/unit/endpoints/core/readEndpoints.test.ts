import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { english } from '../../../../src/base/sentence';
import { ClaimFiles } from '../../../../src/endpoints/core/claimFiles';
import type { EndpointsSnapshot } from '../../../../src/endpoints/core/endpointsSnapshot';
import { endpointsPollIntervalMs } from '../../../../src/endpoints/core/pollInterval';
import { readEndpoints } from '../../../../src/endpoints/core/readEndpoints';
import { Poller } from '../../../../src/platform/polling/poller';
import { ServiceError } from '../../../../src/service/errors';
import type { EndpointStatus, EndpointSummary } from '../../../../src/service/wire/dedicated';
import { seededRandom, VirtualTime } from '../../../support/unit/virtualTime';
import { dayMs, endpoint, event, minuteMs, snapshotOf, startMs, status } from './support';

/** One reading of a service that lists `endpoints`; a status that is not given is unknown there. */
async function read(
  before: EndpointsSnapshot | undefined,
  endpoints: readonly EndpointSummary[],
  statuses: Readonly<Record<string, EndpointStatus | Error>> = {},
  { isAsked = false, nowMs = startMs } = {},
) {
  const asked: string[] = [];
  const failures: unknown[] = [];
  const { signal } = new AbortController();
  const reading = await readEndpoints(
    { before, nowMs, isUserInitiated: isAsked, signal },
    {
      list: async () => ({ endpoints, unreadable: 0 }),
      status: async id => {
        asked.push(id);
        const found = statuses[id] ?? new ServiceError('notFound', 'no such endpoint');
        if (found instanceof Error) throw found;
        return found;
      },
      onFailure: error => failures.push(error),
    },
  );
  return { ...reading, asked, failures };
}

const statesOf = ({ endpoints }: EndpointsSnapshot) =>
  endpoints.map(({ id, state }) => `${id} ${state}`);

describe('a reading of the endpoints', () => {
  const ready = [endpoint('a', 'ready')];

  it('sees a cancellation that was requested elsewhere, with its end', async () => {
    const endsAt = startMs + 30 * dayMs;
    const first = await read(undefined, ready, { a: status('a', 'ready') });
    const canceled = status('a', 'ready', {
      cancelEffectiveAt: endsAt,
      events: [event('cancellation.noticed', startMs, [], { actorType: 'user' })],
    });
    const next = await read(
      first.snapshot,
      ready,
      { a: canceled },
      { nowMs: startMs + 5 * minuteMs },
    );
    assert.deepEqual(next.snapshot.ends['a'], {
      checkedAt: startMs + 5 * minuteMs,
      endsAt,
      requestedAt: startMs,
      actor: 'user',
    });
    // A manual refresh looks it up at once, a reading by itself within a minute does not.
    const soon = { nowMs: startMs + 10_000 };
    assert.deepEqual((await read(first.snapshot, ready, { a: canceled }, soon)).asked, []);
    const asked = await read(first.snapshot, ready, { a: canceled }, { ...soon, isAsked: true });
    assert.equal(asked.snapshot.ends['a']?.endsAt, endsAt);
  });

  for (const [what, others] of [
    ['of a view that has settled', []],
    ['while another endpoint starts', [endpoint('b', 'deploying')]],
  ] as const)
    it(`sees a cancellation within one poll, ${what}`, async () => {
      const time = new VirtualTime();
      let isCanceled = false;
      const endsAt = time.now() + 30 * dayMs;
      const poller = new Poller<EndpointsSnapshot>({
        t: english,
        clock: time,
        random: seededRandom(7),
        scope: () => 'https://service.test',
        pollIntervalMs: endpointsPollIntervalMs,
        read: async ({ before, signal, isUserInitiated }) =>
          (
            await readEndpoints(
              { before, signal, isUserInitiated, nowMs: time.now() },
              {
                list: async () => ({ endpoints: [...ready, ...others], unreadable: 0 }),
                status: async id =>
                  status(id, 'ready', isCanceled ? { cancelEffectiveAt: endsAt } : {}),
                onFailure: error => assert.fail(String(error)),
              },
            )
          ).snapshot,
        onChange: () => undefined,
      });
      poller.setVisible(true);
      await time.advance(40_000);
      isCanceled = true;
      const settledMs = 5.5 * minuteMs;
      // While something starts, readings are 15 s apart and ends are looked up once in a minute.
      await time.advance(others.length === 0 ? settledMs : 75_000);
      assert.equal(poller.state.data?.ends['a']?.endsAt, endsAt);
      poller.dispose();
    });

  it('looks for what has left the list by its id, and takes the state that it has now', async () => {
    const before = snapshotOf([endpoint('a', 'ready'), endpoint('b', 'paid')]);
    const { snapshot, changes, statuses } = await read(before, [], {
      a: status('a', 'canceled'),
      b: status('b', 'paid'),
    });
    assert.deepEqual(statesOf(snapshot), ['a canceled', 'b paid']);
    assert.deepEqual(
      changes.map(({ endpoint: { id, state }, from }) => [id, from, state]),
      [['a', 'ready', 'canceled']],
    );
    assert.equal(statuses.get('a')?.state, 'canceled');
  });

  it('keeps what the service knows no more apart, and takes it back when it is listed again', async () => {
    const before = snapshotOf([endpoint('a', 'ready'), endpoint('b', 'paid')]);
    const { snapshot, asked } = await read(before, [endpoint('b', 'paid')]);
    assert.deepEqual(asked, ['a']);
    assert.deepEqual(statesOf(snapshot), ['b paid']);
    assert.deepEqual(
      snapshot.gone.map(({ endpoint: { id, state }, at }) => [id, state, at]),
      [['a', 'ready', startMs]],
    );
    const back = await read(snapshot, [endpoint('a', 'ready'), endpoint('b', 'paid')]);
    assert.deepEqual([statesOf(back.snapshot), back.snapshot.gone], [['a ready', 'b paid'], []]);
  });

  it('leaves the list as it is where a status cannot be read, and asks no more of a service that is ill', async () => {
    const many = Array.from({ length: 12 }, (_, n) => endpoint(`e${n}`, 'ready'));
    const ill = Object.fromEntries(
      many.map(({ id }) => [id, new ServiceError('server', 'it fails')]),
    );
    const { snapshot, asked, failures } = await read(snapshotOf(many), many.slice(1), ill);
    assert.equal(snapshot.endpoints.length, 12);
    assert.deepEqual([asked.length, failures.length, snapshot.gone], [5, 5, []]);
  });

  it('looks up at most twenty at a time, and the others at the readings after it', async () => {
    const many = Array.from({ length: 45 }, (_, n) => endpoint(`e${n}`, 'ready'));
    const statuses = Object.fromEntries(many.map(({ id }) => [id, status(id, 'ready')]));
    let snapshot: EndpointsSnapshot | undefined;
    const all = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const reading = await read(snapshot, many, statuses, { nowMs: startMs + n * 15_000 });
      assert.ok(reading.asked.length <= 20);
      for (const id of reading.asked) all.add(id);
      ({ snapshot } = reading);
    }
    assert.equal(all.size, 45);
  });
});

describe('what several windows have read', () => {
  it('is told by one of them, and can be told again later', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'splice-once-'));
    const windows = Array.from({ length: 8 }, () => new ClaimFiles(path.join(folder, 'told')));
    const claims = async (key: string) =>
      (await Promise.all(windows.map(async one => one.claim(key)))).filter(Boolean).length;
    assert.equal(await claims('a canceled'), 1);
    assert.equal(await claims('a canceled'), 0);
    assert.equal(await claims('b canceled'), 1);
    for (const name of await readdir(path.join(folder, 'told')))
      await utimes(path.join(folder, 'told', name), 0, 0);
    assert.equal(await windows[0]?.claim('a canceled'), true);
    await rm(folder, { recursive: true });
  });

  it('is told by all where no file can be made', async () => {
    const broken = new ClaimFiles(path.join(process.execPath, 'no-folder'));
    assert.equal(await broken.claim('a'), true);
  });
});
