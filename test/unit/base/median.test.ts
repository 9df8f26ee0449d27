import assert from 'node:assert/strict';
import { median } from '../../../src/base/median';

describe('the median', () => {
  it('is the value in the middle, whatever the order', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([10, 9, 100]), 10);
  });

  it('is the mean of the two in the middle for an even count', () => {
    assert.equal(median([4, 1, 2, 3]), 2.5);
  });

  it('is undefined for no value', () => {
    assert.equal(median([]), undefined);
  });
});
