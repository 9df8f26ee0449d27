import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { waitUntil } from '../../../../src/base/async/waitUntil';

/** Lets time pass until the promise is settled, and says how many milliseconds that took. */
async function timeOf(pending: Promise<boolean>): Promise<[met: boolean, ms: number]> {
  let met: boolean | undefined;
  void pending.then(value => (met = value));
  for (let ms = 0; ; ms += 10) {
    await Promise.resolve();
    await new Promise(setImmediate);
    if (met !== undefined) return [met, ms];
    mock.timers.tick(10);
  }
}

describe('waiting for what has no event', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('ends at once when the condition is met', async () => {
    assert.deepEqual(await timeOf(waitUntil(() => true, 100)), [true, 0]);
    assert.deepEqual(await timeOf(waitUntil(() => true, 0)), [true, 0]);
  });

  it('ends soon after it is met', async () => {
    let looks = 0;
    assert.deepEqual(await timeOf(waitUntil(() => ++looks > 3, 100)), [true, 30]);
  });

  it('ends in time when it is never met, and looks once more at the end', async () => {
    let looks = 0;
    const pending = waitUntil(() => ++looks === 99, 50);
    assert.deepEqual(await timeOf(pending), [false, 50]);
    assert.equal(looks, 6);
  });
});
