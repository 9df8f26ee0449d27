import assert from 'node:assert/strict';
import { restoreHunks } from '../../../../../../src/apply/review/model/formatting/joinHunks';
import type { Hunk } from '../../../../../../src/apply/review/model/rebase';

const hunk = (id: number, removed: readonly string[], inserted: readonly string[]): Hunk => ({
  id,
  at: 0,
  removed,
  inserted,
  conflict: false,
});

describe('restoreHunks', () => {
  for (const { what, current, ours, theirs, joined } of [
    {
      what: 'the white space in front of a word behind the change',
      current: ['line 10', 'line 18'],
      ours: ['line 10', 'other'],
      theirs: ['new 0.10', 'line 18'],
      joined: ['new 0.10', 'other'],
    },
    {
      what: 'white space alone',
      current: ['f( a )', 'b'],
      ours: ['f( a )', 'B'],
      theirs: ['f(a)', 'b'],
      joined: ['f(a)', 'B'],
    },
    {
      what: 'white space that the other one has changed elsewhere',
      current: ['f( a )', 'b'],
      ours: ['f(a)', 'b'],
      theirs: ['f( a )', 'B'],
      joined: ['f(a)', 'B'],
    },
  ]) {
    it(`joins a change with the one that has its lines, with ${what}`, () => {
      const { all, left } = restoreHunks(
        [hunk(1, current, ours)],
        [hunk(2, current, theirs)],
        current,
      );
      assert.deepEqual(
        all.map(({ id, inserted }) => [id, inserted]),
        [[1, joined]],
      );
      assert.deepEqual(left, []);
    });
  }

  it('leaves out a change of the same words', () => {
    const other = hunk(2, ['a'], ['c']);
    const { all, added, left } = restoreHunks([hunk(1, ['a'], ['b'])], [other], ['a']);
    assert.deepEqual([all, added, left], [[hunk(1, ['a'], ['b'])], [], [other]]);
  });
});
