import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  equalRange,
  indentAt,
  LineCodes,
  Postings,
  partOfText,
} from '../../../../src/merge/audit/auditText';

const codesOf = (...lines: string[]): number[] => [...new LineCodes().ofLines(lines).codes];

const heightOf = (text: string): number => new LineCodes().read(text).height;

describe('the lines of a text that is audited', () => {
  it('have one number for equal lines, in all texts', () => {
    const codes = new LineCodes();
    assert.deepEqual([...codes.read('a\nb\na\n').codes], [0, 1, 0]);
    assert.deepEqual([...codes.read('c\nb').codes], [2, 1]);
    assert.equal(codes.count, 3);
  });

  it('are equal apart from the amount of white space', () => {
    assert.deepEqual(
      codesOf('x = 1', '  x = 1  ', 'x  = 1', 'x =\t1', 'x \t = 1'),
      [0, 0, 0, 0, 0],
    );
    assert.deepEqual(codesOf('x = 1', 'x =1', 'x= 1'), [0, 1, 2]);
    assert.deepEqual(codesOf('}', '} // end of run'), [0, 0]);
  });

  it('leave out blank ones, which are counted', () => {
    const read = new LineCodes().read('\uFEFF\n  a\n\t\n\tb \n\n');
    assert.deepEqual(read.trimmed, ['a', 'b']);
    assert.deepEqual(read.texts, ['  a', '\tb ']);
    assert.deepEqual([read.rows, read.height], [[1, 3], 5]);
    assert.deepEqual([indentAt(read, 0), indentAt(read, 1)], [2, 4]);
  });

  it('end with the last newline', () => {
    assert.deepEqual(['a\nb', 'a\nb\n', 'a\nb\n\n', ''].map(heightOf), [2, 2, 3, 0]);
  });

  it('may be a part of a text', () => {
    const part = partOfText(new LineCodes().read('a\n\nb\nc\nd'), 1, 3);
    assert.deepEqual(
      [part.trimmed, [...part.codes], part.rows],
      [
        ['b', 'c'],
        [1, 2],
        [2, 3],
      ],
    );
    assert.deepEqual([part.texts, part.height], [['b', 'c'], 5]);
  });

  it('are those of a range or not', () => {
    const all = Int32Array.of(1, 2, 3, 4);
    const isAt = (codes: number[], from: number, to: number): boolean =>
      equalRange(Int32Array.from(codes), all, from, to);
    assert.equal(isAt([2, 3], 1, 3), true);
    assert.equal(isAt([2, 3], 1, 4), false);
    assert.equal(isAt([2, 4], 1, 3), false);
    assert.equal(isAt([], 2, 2), true);
  });
});

describe('the places of lines', () => {
  it('are all of those from a line on', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(5)), fc.nat(20), (codes, from) => {
        const postings = new Postings(Int32Array.from(codes), 7);
        for (let code = 0; code < 7; code++) {
          const places = codes.flatMap((one, at) => (one === code ? [at] : []));
          assert.equal(postings.count(code), places.length);
          assert.deepEqual(
            [...postings.from(code, from)],
            places.filter(at => at >= from),
          );
        }
      }),
    ));
});
