import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  complementOf,
  findRangeFlaw,
  type LineRange,
  lineStartsOf,
  linesIn,
  rangesOf,
} from '../../../../src/compact/core/ranges';

const reasonOf = (...ranges: LineRange[]): string | undefined => findRangeFlaw(ranges, 5)?.reason;

describe('ranges of lines', () => {
  it('are the runs of lines that are marked', () => {
    assert.deepEqual(rangesOf(Uint8Array.of(1, 1, 0, 0, 1, 0, 1)), [
      [1, 2],
      [5, 5],
      [7, 7],
    ]);
    assert.deepEqual(rangesOf(Uint8Array.of()), []);
    assert.deepEqual(rangesOf(Uint8Array.of(0, 0)), []);
    assert.deepEqual(rangesOf(Uint8Array.of(1, 2, 3, 2), 2), [[2, 4]]);
  });

  it('have the other lines between them', () => {
    assert.deepEqual(complementOf([[2, 3]], 5), [
      [1, 1],
      [4, 5],
    ]);
    assert.deepEqual(complementOf([], 3), [[1, 3]]);
    assert.deepEqual(complementOf([[1, 3]], 3), []);
    assert.deepEqual(complementOf([], 0), []);
    assert.deepEqual(
      complementOf(
        [
          [1, 1],
          [2, 2],
        ],
        3,
      ),
      [[3, 3]],
    );
  });

  it('share out all lines with what is between them', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean()), marks => {
        const ranges = rangesOf(Uint8Array.from(marks, Number));
        const all = [...ranges, ...complementOf(ranges, marks.length)].sort(([a], [b]) => a - b);
        let next = 1;
        for (const [start, end] of all) {
          assert.equal(start, next);
          assert.ok(end >= start);
          next = end + 1;
        }
        assert.equal(next, marks.length + 1);
        assert.equal(findRangeFlaw(ranges, marks.length), undefined);
      }),
    ));

  it('are sound only when they are whole, within the text, in order and apart', () => {
    assert.equal(reasonOf([1, 2], [3, 5]), undefined);
    assert.equal(reasonOf([1.5, 2]), 'range 1.5-2 is not of whole numbers');
    assert.equal(reasonOf([1, Number.NaN]), 'range 1-NaN is not of whole numbers');
    assert.equal(reasonOf([0, 2]), 'range 0-2 is not within lines 1-5');
    assert.equal(reasonOf([4, 6]), 'range 4-6 is not within lines 1-5');
    assert.equal(reasonOf([3, 2]), 'range 3-2 ends before it starts');
    assert.equal(reasonOf([1, 3], [3, 4]), 'range 3-4 starts before the end of the range above, 3');
    assert.equal(
      findRangeFlaw(
        [
          [1, 1],
          [9, 9],
        ],
        5,
      )?.line,
      9,
    );
  });

  it('count a line up to its end, and none behind the last end', () => {
    assert.deepEqual([...lineStartsOf('a\nbc\n')], [0, 2, 5]);
    assert.deepEqual([...lineStartsOf('a\nbc')], [0, 2, 4]);
    assert.deepEqual([...lineStartsOf('\n\n')], [0, 1, 2]);
    assert.deepEqual([...lineStartsOf('')], [0]);
    const short = '\n'.repeat(5000);
    assert.deepEqual(
      [...lineStartsOf(short)],
      Array.from({ length: 5001 }, (_, at) => at),
    );
  });

  it('give the text of their lines', () => {
    const text = 'a\nb\r\nc';
    assert.equal(linesIn(text, lineStartsOf(text), [[2, 3]]), 'b\r\nc');
    assert.equal(linesIn(text, lineStartsOf(text), []), '');
  });
});
