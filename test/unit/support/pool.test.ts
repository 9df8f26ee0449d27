import assert from 'node:assert/strict';
import { runInTurn } from '../../support/runner/pool.mjs';

describe('workers that follow each other', () => {
  it('go on with the files that one that died has left', async () => {
    const files = ['a', 'b', 'c'];
    const outcomes = await runInTurn(
      () => files.length,
      async life => [`${life}: ${files.shift()}`],
    );
    assert.deepEqual(outcomes, ['0: a', '1: b', '2: c']);
  });

  it('end when one has died without a file', async () => {
    const files = ['a', 'b'];
    const outcomes = await runInTurn(
      () => files.length,
      async life => [life === 0 ? files.shift() : 'nothing to run in'],
    );
    assert.deepEqual(outcomes, ['a', 'nothing to run in']);
    assert.deepEqual(files, ['b']);
  });
});
