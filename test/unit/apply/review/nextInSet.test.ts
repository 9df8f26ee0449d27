import assert from 'node:assert/strict';
import { nextInSet } from '../../../../src/apply/review/nextInSet';

const review = (set: string | undefined, index: number, changes = 1) => ({
  id: `${set}${index}`,
  changeSet: set === undefined ? undefined : { id: set, index },
  model: { hunks: { length: changes } },
});

describe('the next review of an answer', () => {
  const [first, second, third] = [review('a', 0), review('a', 1), review('a', 2)];

  it('is the one after it, whatever was begun in between', () => {
    assert.equal(nextInSet([first, review('b', 1), second, third], first), second);
    assert.equal(nextInSet([first, third], second), third);
  });

  it('is the first one after the last one', () => {
    assert.equal(nextInSet([first, second], third), first);
  });

  it('is none that has nothing left to decide', () => {
    assert.equal(nextInSet([first, review('a', 1, 0), third], first), third);
  });

  it('is never the review itself', () => {
    assert.equal(nextInSet([second], second), undefined);
  });

  it('is none for a review by itself', () => {
    const alone = review(undefined, 0);
    assert.equal(nextInSet([alone, review(undefined, 1)], alone), undefined);
  });
});
