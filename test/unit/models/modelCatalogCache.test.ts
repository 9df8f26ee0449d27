import assert from 'node:assert/strict';
import { ModelCatalogCache, type ModelCatalogClient } from '../../../src/models/modelCatalogCache';
import { ServiceError } from '../../../src/service/errors';
import type { Catalogue } from '../../../src/service/wire/catalogue';
import type { EndpointStatus } from '../../../src/service/wire/dedicated';

const info = { attempts: 1, ms: 1 };
const live = (id: string): Catalogue => ({
  models: [{ id, isBeta: false, features: [] }],
  unreadable: 0,
  source: 'live',
});
const minuteMs = 60_000;

class World {
  now = 1_000_000;
  catalogue: () => Promise<Catalogue> = async () => live('one');
  states: Record<string, string> = {};
  /** States that the endpoints have once their status is asked for. */
  readonly late: Record<string, string> = {};
  /** Endpoints whose status cannot be read. */
  readonly failing = new Set<string>();
  refusal: ServiceError | undefined;
  asked: string[] = [];
  changes = 0;
  readonly errors: string[] = [];

  readonly shelf = new ModelCatalogCache({
    client: this.#client(),
    clock: { now: () => this.now },
    onChange: () => this.changes++,
    onError: what => this.errors.push(what),
  });

  #client(): ModelCatalogClient {
    return {
      catalogue: async () => {
        this.asked.push('catalogue');
        return { ...(await this.catalogue()), ...info };
      },
      listEndpoints: async () => {
        this.asked.push('list');
        if (this.refusal) throw this.refusal;
        const endpoints = Object.entries(this.states).map(([id, state]) => ({ id, state }));
        return { endpoints, unreadable: 0, ...info };
      },
      endpointStatus: async id => {
        this.asked.push(id);
        const state = this.late[id] ?? this.states[id] ?? '';
        if (state === '' || this.failing.has(id)) throw new ServiceError('notFound', 'gone');
        const status: EndpointStatus = { id, state, events: [], unreadable: 0 };
        return { ...status, ...info };
      },
    };
  }
}

const idsOf = ({ endpoints }: { endpoints: readonly EndpointStatus[] }) =>
  endpoints.map(({ id }) => id);
const settled = async () => new Promise(resolve => setImmediate(resolve));

const inOrder = (a: string, b: string) => a.localeCompare(b);

describe('the stock of models', () => {
  it('is the table of the service document before anything is read', () => {
    const { shelf, asked } = new World();
    assert.equal(shelf.snapshot.catalogue.source, 'builtIn');
    assert.ok(shelf.snapshot.catalogue.models.length > 5);
    assert.deepEqual(asked, []);
  });

  it('is read once for many questions', async () => {
    const world = new World();
    const stocks = await Promise.all(Array.from({ length: 20 }, async () => world.shelf.read()));
    assert.ok(stocks.every(({ catalogue }) => catalogue.models[0]?.id === 'one'));
    await world.shelf.read();
    assert.deepEqual(world.asked.toSorted(inOrder), ['catalogue', 'list']);
  });

  it('is served while it is read anew, and tells when it has changed', async () => {
    const world = new World();
    await world.shelf.read();
    world.changes = 0;
    world.now += 11 * minuteMs;
    world.catalogue = async () => live('two');
    assert.equal((await world.shelf.read()).catalogue.models[0]?.id, 'one');
    await settled();
    assert.equal(world.changes, 1);
    assert.equal((await world.shelf.read()).catalogue.models[0]?.id, 'two');
    world.now += 11 * minuteMs;
    await world.shelf.read();
    await settled();
    assert.equal(world.changes, 1, 'nothing has changed');
  });

  it('has the endpoints that serve, with their status', async () => {
    const world = new World();
    world.states = { a: 'ready', b: 'suspended', c: 'ready' };
    assert.deepEqual(idsOf(await world.shelf.read()), ['a', 'c']);
    assert.ok(!world.asked.includes('b'));
    world.states['a'] = 'canceled';
    world.shelf.expire();
    await world.shelf.read();
    await settled();
    assert.deepEqual(idsOf(world.shelf.snapshot), ['c']);
  });

  it('keeps what it had when a reading fails, and tries again soon', async () => {
    const world = new World();
    world.states = { a: 'ready' };
    await world.shelf.read();
    world.refusal = new ServiceError('server', 'ill');
    world.catalogue = async () => ({
      ...live('table'),
      source: 'builtIn',
      problem: new ServiceError('offline', 'gone'),
    });
    const stock = await world.shelf.refresh();
    assert.deepEqual([stock.catalogue.models[0]?.id, idsOf(stock)], ['one', ['a']]);
    assert.deepEqual(
      [stock.catalogue.problem?.kind, stock.problem?.kind, stock.isRefused],
      ['offline', 'server', false],
    );
    assert.deepEqual(world.errors, ['endpoints']);
    world.asked = [];
    world.now += 10_000;
    await world.shelf.read();
    assert.deepEqual(world.asked, []);
    world.now += 30_000;
    world.refusal = undefined;
    await world.shelf.read();
    assert.deepEqual(world.asked.toSorted(inOrder), ['a', 'catalogue', 'list']);
  });

  it('is read anew after ten minutes, and after half a minute when something failed', async () => {
    for (const { problem, ageMs } of [
      { problem: undefined, ageMs: 10 * minuteMs },
      { problem: new ServiceError('server', 'ill'), ageMs: minuteMs / 2 },
      { problem: new ServiceError('unauthorized', 'no'), ageMs: minuteMs / 2 },
    ]) {
      const world = new World();
      world.refusal = problem;
      await world.shelf.read();
      for (const [later, calls] of [
        [ageMs, 0],
        [1, 2],
      ] as const) {
        world.asked = [];
        world.now += later;
        await world.shelf.read();
        await settled();
        assert.equal(world.asked.length, calls, `${problem?.kind} after ${later}`);
      }
    }
  });

  it('asks for the status of 20 endpoints at most, and does without those that fail', async () => {
    const world = new World();
    world.states = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`e${n}`, 'ready']));
    assert.equal((await world.shelf.read()).endpoints.length, 20);
    assert.equal(world.asked.filter(name => name.startsWith('e')).length, 20);
    const failing = new World();
    failing.states = { a: 'ready', b: 'ready' };
    const { endpoints, problem } = await failing.shelf.read();
    assert.deepEqual([endpoints.length, problem], [2, undefined]);
    failing.failing.add('a');
    assert.deepEqual(idsOf(await failing.shelf.refresh()), ['b']);
    assert.deepEqual(failing.errors, ['endpoint status']);
    failing.failing.clear();
    failing.late['b'] = 'canceled';
    assert.deepEqual(idsOf(await failing.shelf.refresh()), ['a']);
  });

  it('says when the catalogue cannot be read, and keeps what it had', async () => {
    const world = new World();
    await world.shelf.read();
    world.catalogue = async () => Promise.reject(new Error('odd'));
    const { catalogue } = await world.shelf.refresh();
    assert.equal(catalogue.models[0]?.id, 'one');
    assert.deepEqual(world.errors, ['models']);
    world.catalogue = async () => live('two');
    assert.equal((await world.shelf.refresh()).catalogue.models[0]?.id, 'two');
  });

  it('has no endpoints of a key that is refused, and says that it has changed', async () => {
    const world = new World();
    world.states = { a: 'ready' };
    await world.shelf.read();
    world.changes = 0;
    world.refusal = new ServiceError('unauthorized', 'no');
    const { endpoints, isRefused, readAt } = await world.shelf.refresh();
    assert.deepEqual([endpoints, isRefused, readAt], [[], true, world.now]);
    assert.equal(world.changes, 1);
  });

  it('knows a refused key', async () => {
    const world = new World();
    world.refusal = new ServiceError('unauthorized', 'no');
    assert.equal((await world.shelf.read()).isRefused, true);
  });

  it('forgets all of another account, also what is still on its way', async () => {
    const world = new World();
    const waiting: ((catalogue: Catalogue) => void)[] = [];
    world.catalogue = async () => new Promise(resolve => void waiting.push(resolve));
    const reading = world.shelf.read();
    world.shelf.reset();
    waiting[0]?.(live('old account'));
    await reading;
    assert.equal(world.shelf.snapshot.catalogue.source, 'builtIn');
    world.catalogue = async () => live('new account');
    assert.equal((await world.shelf.read()).catalogue.models[0]?.id, 'new account');
  });
});
