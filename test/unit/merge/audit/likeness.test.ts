import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { likeness } from '../../../../src/merge/audit/likeness';

const near = (a: string, b: string, wanted: number): void => {
  const found = likeness(a, b);
  assert.ok(Math.abs(found - wanted) < 1e-9, `${a} ${b}: ${found}`);
};

describe('the likeness of two lines', () => {
  it('is the share of the characters at their ends', () => {
    near('limit = 10;', 'limit = 200;', 20 / 23);
    near('abcXdef', 'abcYdef', 12 / 14);
    near('abc', 'abcabc', 6 / 9);
    near('aa', 'aaa', 4 / 5);
    near('a', 'b', 0);
    near('a', 'a', 1);
    near('', 'a', 0);
  });

  it('is the share of the pairs of characters if that is more', () => {
    near('one two', 'two one', 8 / 12);
    near('xabcdy', 'zabcdw', 6 / 10);
    near('ababab', 'xabx', 2 / 8);
    near('ab', 'ba', 0);
  });

  it('compares longer lines by their ends only', () => {
    const long = 'ab'.repeat(200);
    near(`x${long.slice(2)}y`, `z${long.slice(2)}w`, (2 * 397) / (2 * 399));
    near(`x${long}y`, `z${long}w`, 0);
    near(`x${long}`, `x${long}`, 1);
  });

  it('is that of both directions, and whole for a line itself', () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const found = likeness(a, b);
        assert.ok(found >= 0 && found <= 1);
        near(b, a, found);
        near(a, a, 1);
      }),
    ));
});
