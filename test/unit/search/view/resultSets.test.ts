import assert from 'node:assert/strict';
import { maxResultSets, ResultSets } from '../../../../src/search/view/resultSets';

describe('the result sets beside a search', () => {
  it('stand newest first, each once', () => {
    const sets = new ResultSets<string>();
    for (const set of ['a', 'b', 'a']) assert.equal(sets.add(set), true);
    assert.deepEqual(sets.all, ['a', 'b']);
    sets.remove('a');
    assert.deepEqual(sets.all, ['b']);
  });

  it('are never more than there may be, and none is dropped for another', () => {
    const sets = new ResultSets<number>();
    for (let at = 0; at < maxResultSets; at++) {
      assert.equal(sets.isFull, false);
      assert.equal(sets.add(at), true);
    }
    assert.equal(sets.isFull, true);
    assert.equal(sets.add(99), false);
    assert.equal(sets.add(0), true, 'one that is there can be moved to the top');
    assert.deepEqual([sets.all.length, sets.all[0], sets.all.includes(99)], [10, 0, false]);
    sets.remove(5);
    assert.equal(sets.add(99), true);
  });
});
