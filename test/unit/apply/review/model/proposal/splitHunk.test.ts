import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { selectedIn, splitHunk } from '../../../../../../src/apply/review/model/proposal/splitHunk';
import { applyEdits, editOfHunk, type Hunk } from '../../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../../src/apply/review/model/reviewModel';
import { buildReviewView } from '../../../../../../src/apply/review/model/reviewView';

const hunk: Hunk = {
  id: 4,
  at: 1,
  removed: ['a', 'b', 'c'],
  inserted: ['x', 'y'],
  conflict: false,
};
const file = ['top', 'a', 'b', 'c', 'end'];
const shapeOf = ({ at, removed, inserted }: Hunk) =>
  `${at} -${removed.join('')} +${inserted.join('')}`;
const split = (removed: [number, number], inserted: [number, number]) => {
  const spans = [removed, inserted].map(([start, end]) => ({ start, end }));
  const [r = { start: 0, end: 0 }, i = { start: 0, end: 0 }] = spans;
  const { parts, selected } = splitHunk(hunk, { removed: r, inserted: i }, [8, 9]);
  return { shapes: parts.map(shapeOf), ids: parts.map(({ id }) => id), selected, parts };
};

const span = (length: number) =>
  fc
    .tuple(fc.nat(length), fc.nat(length))
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);

describe('a change that is divided at lines', () => {
  it('has the lines above, the selected ones, and those below', () => {
    const { shapes, ids, selected } = split([1, 2], [0, 1]);
    assert.deepEqual(shapes, ['1 -a +', '2 -b +x', '3 -c +y']);
    assert.deepEqual(ids, [4, 8, 9]);
    assert.equal(selected.id, 8);
  });

  it('adds selected lines alone below the removed ones', () => {
    const { shapes, selected } = split([0, 0], [1, 2]);
    assert.deepEqual(shapes, ['1 -abc +x', '4 - +y']);
    assert.equal(shapeOf(selected), '4 - +y');
  });

  it('removes selected lines alone above the new ones', () => {
    assert.deepEqual(split([0, 2], [0, 0]).shapes, ['1 -ab +', '3 -c +xy']);
  });

  it('stays whole where all is selected', () => {
    const { ids, selected } = split([0, 3], [0, 2]);
    assert.deepEqual(ids, [4]);
    assert.deepEqual(selected, hunk);
  });

  it('has the same result as the change, whatever is selected', () => {
    fc.assert(
      fc.property(span(3), span(2), (removed, inserted) => {
        const { parts } = split(removed, inserted);
        assert.deepEqual(applyEdits(file, parts.map(editOfHunk)), ['top', 'x', 'y', 'end']);
      }),
    );
  });
});

describe('the lines of a change that are selected in a document', () => {
  const model = new ReviewModel(file, ['top', 'x', 'y', 'end']);
  const place = buildReviewView(model).hunks[0] ?? assert.fail();

  it('are removed and new ones in the review', () => {
    // Row 0 is the header.
    assert.deepEqual(selectedIn(place, 'unified', { start: 3, end: 6 }), {
      removed: { start: 1, end: 3 },
      inserted: { start: 0, end: 1 },
    });
    assert.equal(selectedIn(place, 'unified', { start: 0, end: 2 }), undefined);
    assert.equal(selectedIn(place, 'unified', { start: 7, end: 8 }), undefined);
  });

  it('are new ones at the right of a diff, and removed ones at its left', () => {
    assert.deepEqual(selectedIn(place, 'proposed', { start: 2, end: 9 })?.inserted, {
      start: 1,
      end: 2,
    });
    const left = selectedIn(place, 'file', { start: 1, end: 2 });
    assert.deepEqual(left?.removed, { start: 0, end: 1 });
    assert.deepEqual(left?.inserted, { start: 0, end: 0 });
  });
});
