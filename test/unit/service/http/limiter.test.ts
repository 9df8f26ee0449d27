import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { AbortError } from '../../../../src/base/async/clock';
import { Limiter } from '../../../../src/service/http/limiter';
import { never } from '../helpers';

/** Starts calls that end when told to, and notes the order in which they get their turn. */
class Calls {
  readonly started: string[] = [];
  readonly #releases = new Map<string, () => void>();
  readonly #limiter: Limiter;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  async start(name: string, isBackground: boolean, signal = never()): Promise<void> {
    this.#releases.set(name, await this.#limiter.acquire(isBackground, signal));
    this.started.push(name);
  }

  async end(...names: readonly string[]): Promise<void> {
    for (const name of names) this.#releases.get(name)?.();
    await new Promise(setImmediate);
  }
}

describe('the limit of calls at a time', () => {
  it('serves in order of arrival, calls that somebody waits for first', async () => {
    const limiter = new Limiter(1);
    const calls = new Calls(limiter);
    await calls.start('running', false);
    for (const name of ['one', 'two']) {
      void calls.start(`background ${name}`, true);
      void calls.start(name, false);
    }
    assert.equal(limiter.tryAcquire(false), undefined);
    await calls.end('running');
    await calls.end('one');
    await calls.end('two');
    await calls.end('background one');
    const order = ['running', 'one', 'two', 'background one', 'background two'];
    assert.deepEqual(calls.started, order);
    assert.equal(limiter.running, 1);
    await calls.end('background two');
    assert.equal(limiter.running, 0);
  });

  it('leaves 4 of 24 places to calls that somebody waits for', () => {
    const limiter = new Limiter(24);
    const acquired = (isBackground: boolean): number => {
      let count = 0;
      while (limiter.tryAcquire(isBackground)) count++;
      return count;
    };
    assert.deepEqual([acquired(true), acquired(false)], [20, 4]);
  });

  it('lets background calls run one at a time where there is one place', async () => {
    for (const max of [1, 0, -3, Number.NaN]) {
      const limiter = new Limiter(max);
      const release = limiter.tryAcquire(true);
      assert.ok(release, `${max}`);
      assert.equal(limiter.tryAcquire(true), undefined);
      assert.equal(limiter.tryAcquire(false), undefined);
      release();
      assert.equal(limiter.running, 0);
    }
  });

  it('counts a call that ends twice once', () => {
    const limiter = new Limiter(2);
    const releases = [limiter.tryAcquire(false), limiter.tryAcquire(false)];
    releases[0]?.();
    releases[0]?.();
    assert.equal(limiter.running, 1);
    assert.ok(limiter.tryAcquire(false));
    assert.equal(limiter.tryAcquire(false), undefined);
  });

  it('starts what waits as soon as the limit is larger, and stops nothing when it is smaller', async () => {
    const limiter = new Limiter(1);
    const calls = new Calls(limiter);
    for (const name of ['one', 'two', 'three']) void calls.start(name, false);
    limiter.resize(2);
    await calls.end();
    assert.deepEqual(calls.started, ['one', 'two']);
    limiter.resize(1);
    assert.equal(limiter.running, 2);
    await calls.end('one');
    assert.deepEqual(calls.started, ['one', 'two']);
    await calls.end('two');
    assert.deepEqual(calls.started, ['one', 'two', 'three']);
  });

  it('drops a call that is canceled while it waits, and nothing of one that has started', async () => {
    const limiter = new Limiter(1);
    const calls = new Calls(limiter);
    const [waiting, later] = [new AbortController(), new AbortController()];
    await calls.start('one', false);
    const canceled = calls.start('canceled', false, waiting.signal);
    const kept = calls.start('kept', false, later.signal);
    waiting.abort();
    await assert.rejects(canceled, AbortError);
    await calls.end('one');
    await kept;
    assert.deepEqual(getEventListeners(later.signal, 'abort'), []);
    later.abort();
    assert.equal(limiter.running, 1);
    await assert.rejects(limiter.acquire(false, later.signal), AbortError);
  });
});
