import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { lowerBound } from '../../../src/base/sorted';

describe('lowerBound', () => {
  it('is the first place whose number is not below the value', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 20 }), fc.nat(22), (numbers, value) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        const first = sorted.findIndex(one => one >= value);
        assert.equal(lowerBound(sorted, value), first < 0 ? sorted.length : first);
      }),
    ));

  it('stays within the part that is asked for', () => {
    const sorted = [1, 3, 5, 7, 9];
    assert.equal(lowerBound(sorted, 1, 2), 2);
    assert.equal(lowerBound(sorted, 9, 1, 3), 3);
    assert.equal(lowerBound(sorted, 5, 1, 4), 2);
    assert.equal(lowerBound([], 1), 0);
  });
});
