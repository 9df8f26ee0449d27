import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lazy } from '../../../../src/base/async/lazy';

describe('lazy', () => {
  it('loads at the first call and keeps the result', async () => {
    let loads = 0;
    const load = lazy(async () => ++loads);
    assert.equal(loads, 0);
    assert.deepEqual([await load(), await load()], [1, 1]);
  });

  it('shares one load among concurrent calls', async () => {
    let loads = 0;
    const load = lazy(async () => {
      await Promise.resolve();
      return ++loads;
    });
    assert.deepEqual(await Promise.all([load(), load(), load()]), [1, 1, 1]);
  });

  it('tries a failed load again at the next call, and each caller of the failed one learns of it', async () => {
    let loads = 0;
    const load = lazy(async () => {
      await Promise.resolve();
      if (++loads === 1) throw new Error('chunk is missing');
      return loads;
    });
    const both = await Promise.allSettled([load(), load()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.deepEqual([await load(), await load(), loads], [2, 2, 2]);
  });

  it('treats a load that throws at once as one that rejects', async () => {
    let isBroken = true;
    const load = lazy((): Promise<string> => {
      if (isBroken) throw new Error('at once');
      return Promise.resolve('well');
    });
    await assert.rejects(load(), /at once/);
    isBroken = false;
    assert.equal(await load(), 'well');
  });

  it('does not let an old failure end a newer load', async () => {
    const endings: ((error?: Error) => void)[] = [];
    const load = lazy(
      () =>
        new Promise<number>((resolve, reject) => {
          const n = endings.length;
          endings.push(error => (error ? reject(error) : resolve(n)));
        }),
    );
    const first = load();
    endings[0]?.(new Error('broken'));
    await assert.rejects(first);
    const second = load();
    const third = load();
    endings[1]?.();
    assert.deepEqual([await second, await third, endings.length], [1, 1, 2]);
  });

  it('is the only way in which src keeps what it loads at the first use', () => {
    const offenders = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .filter(name => /\?\?=[^;]*\bimport\(/.test(readFileSync(path.join('src', name), 'utf8')));
    assert.deepEqual(offenders, []);
  });
});
