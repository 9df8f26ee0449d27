import assert from 'node:assert/strict';
import { JsonCopy, wellFormed } from '../../../../src/models/format/json';

const copyOf = (value: unknown, values = 100, depth = 10) =>
  new JsonCopy({ values, depth }).of(value);

describe('JsonCopy', () => {
  it('copies what JSON can hold, and leaves out the rest', () => {
    const own: unknown = JSON.parse('{"__proto__":{"a":1},"b\\ud800":"\\ud800"}');
    for (const [value, copy] of [
      ['a', 'a'],
      [null, null],
      [true, true],
      [1.5, 1.5],
      [Number.NaN, undefined],
      [Infinity, undefined],
      [() => 1, undefined],
      [1n, undefined],
      [
        [1, undefined, () => 1, NaN],
        [1, null, null, null],
      ],
      [
        { a: undefined, b: [], c: {} },
        { b: [], c: {} },
      ],
      [own, { 'b\ufffd': '\ufffd' }],
    ] as const)
      assert.deepEqual(copyOf(value), copy);
    assert.deepEqual(copyOf(Array(3)), [null, null, null]);
  });

  it('leaves out a circle, but not an object that comes twice', () => {
    const twice = { a: 1 };
    const circle: Record<string, unknown> = { one: twice, two: twice };
    circle['self'] = [circle];
    assert.deepEqual(copyOf(circle), { one: { a: 1 }, two: { a: 1 }, self: [null] });
  });

  it('takes as many values and levels as it may, and no more', () => {
    assert.deepEqual(copyOf([1, 2, [3]], 5), [1, 2, [3]]);
    assert.throws(() => copyOf([1, 2, [3]], 4), RangeError);
    assert.deepEqual(copyOf([1, 2], 3), [1, 2]);
    assert.throws(() => copyOf(Array(1e9), 3), RangeError);
    assert.deepEqual(copyOf([[[1]]], 100, 3), [[[1]]]);
    assert.deepEqual(copyOf([[[1]]], 100, 2), [[null]]);
  });
});

describe('wellFormed', () => {
  it('replaces lone halves of characters only', () => {
    assert.equal(wellFormed('a\ud800b\udc00😀'), 'a\ufffdb\ufffd😀');
  });
});
