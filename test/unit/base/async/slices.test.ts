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

  it('calls the work with each number, and lets other work run in between', async () => {
    let now = 0;
    let others = 0;
    const numbers: number[] = [];
    const othersAt: number[] = [];
    setImmediate(() => others++);
    await new Slices(undefined, () => now++).each(1000, number => {
      numbers.push(number);
      othersAt.push(others);
    });
    assert.deepEqual(
      numbers,
      Array.from({ length: 1000 }, (_, number) => number),
    );
    assert.deepEqual([othersAt[0], othersAt.at(-1)], [0, 1]);
    await new Slices().each(0, () => assert.fail());
  });

  it('ends between two numbers when it is canceled', async () => {
    const canceled = new AbortController();
    let last = 0;
    const work = new Slices(canceled.signal).each(1000, number => {
      last = number;
      if (number === 100) canceled.abort();
    });
    await assert.rejects(work, { name: 'AbortError' });
    assert.ok(last < 999, String(last));
  });
});
