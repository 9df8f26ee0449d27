import assert from 'node:assert/strict';
import { readStart, toStoredStart } from '../../../../../src/apply/review/journal/startState';
import { hunksBetween } from '../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { readReviewState } from '../../../../../src/apply/review/model/reviewState';

const before = ['a', 'b', 'c', 'd', 'e'];
const proposed = ['A', 'b', 'c', 'd', 'E'];
const start = { text: before, hunks: hunksBetween(before, proposed) };

/** The stored state of a review after its first change was rejected, or at its beginning. */
function stateOf(isDecided: boolean) {
  const model = new ReviewModel(before, proposed);
  if (isDecided) model.reject([model.hunks[0]?.id ?? 0]);
  return readReviewState(model.toJSON()) ?? assert.fail('no state');
}

describe('what a review began with', () => {
  it('is read as it was written, whatever the text of the file is now', () => {
    const state = stateOf(true);
    for (const current of [before, ['new', ...before, 'more'], []]) {
      const stored = toStoredStart(start, current);
      assert.deepEqual(readStart(stored, { ...state, current }), start);
    }
  });

  it('is in journals of earlier versions only until the first decision', () => {
    const { text, hunks } = readStart(undefined, stateOf(false)) ?? assert.fail('no start');
    assert.deepEqual(text, before);
    assert.deepEqual(
      hunks.map(({ inserted }) => inserted),
      [['A'], ['E']],
    );
    assert.equal(readStart(undefined, stateOf(true)), undefined);
  });

  it('is unknown when it is damaged, or belongs to other lines', () => {
    const state = stateOf(true);
    const stored = toStoredStart(start, before);
    for (const json of [null, 'start', {}, { ...stored, edits: 1 }, { ...stored, hunks: [1] }])
      assert.equal(readStart(json, state), undefined);
    assert.equal(readStart(stored, { ...state, current: ['other'] }), undefined);
  });
});
