import assert from 'node:assert/strict';
import { Slices } from '../../../../src/base/async/slices';

describe('long work in slices', () => {
  it('lets other work run when its time is over, and not before', async () => {
    let now = 0;
    const { pause } = new Slices(undefined, () => now);
    let others = 0;
    setImmediate(() => others++);
    now = 7;
    await pause();
    assert.equal(others, 0);
    now = 8;
    await pause();
    assert.equal(others, 1);
    setImmediate(() => others++);
    now = 15;
    await pause();
    assert.equal(others, 1);
    now = 16;
    await pause();
    assert.equal(others, 2);
  });

  it('ends when it is canceled', async () => {
    const canceled = new AbortController();
    const { pause } = new Slices(canceled.signal);
    await pause();
    canceled.abort();
    await assert.rejects(pause(), { name: 'AbortError' });
  });
});
