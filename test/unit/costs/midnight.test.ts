import assert from 'node:assert/strict';
import { midnightAfter } from '../../../src/costs/midnight';

describe('the end of a day', () => {
  it('is the next midnight, also at the end of a month and of a year', () => {
    for (const [at, wanted] of [
      [new Date(2026, 10, 21, 12, 30, 5, 7), new Date(2026, 10, 22)],
      [new Date(2026, 10, 21), new Date(2026, 10, 22)],
      [new Date(2026, 10, 30, 23, 59, 59, 999), new Date(2026, 11, 1)],
      [new Date(2026, 11, 31, 1), new Date(2027, 0, 1)],
    ] as const)
      assert.equal(midnightAfter(at.getTime()), wanted.getTime(), at.toString());
  });
});
