import assert from 'node:assert/strict';
import { newestFirst } from '../../../../src/search/tools/newest';

/** A time for each file, out of order, some of them the same. */
const timeAt = (file: string): number => (Number(file) * 7919) % 3001;

describe('the newest files', () => {
  const files = Array.from({ length: 5000 }, (_, at) => ({ file: `${at}` }));
  const { signal } = new AbortController();

  it('come first, all of them, those of one time in their order', async () => {
    const found: string[] = [];
    for await (const { file } of newestFirst(files, signal, async name => timeAt(name)))
      found.push(file);
    const wanted = files
      .map(({ file }) => file)
      .toSorted((a, b) => timeAt(b) - timeAt(a) || Number(a) - Number(b));
    assert.deepEqual(found, wanted);
    for await (const none of newestFirst([], signal)) assert.fail(String(none));
  });

  it('are asked for their time in portions, between which other work goes on', async () => {
    let [pending, most, turns] = [0, 0, 0];
    const timer = setInterval(() => turns++);
    const timeOf = async (): Promise<number> => {
      most = Math.max(most, ++pending);
      await new Promise(resolve => setTimeout(resolve, 2));
      return pending--;
    };
    for await (const _ of newestFirst(files, signal, timeOf)) break;
    clearInterval(timer);
    assert.equal(most, 200);
    assert.ok(turns > 1);
  });

  it('are not looked for after an abort', async () => {
    const controller = new AbortController();
    let asked = 0;
    const timeOf = async (): Promise<number> => {
      if (++asked === 300) controller.abort();
      return asked;
    };
    const first = newestFirst(files, controller.signal, timeOf).next();
    await assert.rejects(first, { name: 'AbortError' });
    assert.equal(asked, 400);
  });
});
