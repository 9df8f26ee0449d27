import assert from 'node:assert/strict';
import { rowOfLine, unchangedLine } from '../../../../../src/apply/review/editor/rowMap';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { buildReviewView } from '../../../../../src/apply/review/model/reviewView';

const viewOf = (current: string, proposed: string) => {
  const model = new ReviewModel(current.split(' '), proposed.split(' '));
  return buildReviewView(model);
};

/** Every row with the line of the file that it shows as unchanged. */
function outline(current: string, proposed: string): string {
  const view = viewOf(current, proposed);
  return view.text
    .split('\n')
    .map((text, row) => `${text}${unchangedLine(view, row + 1) ?? '-'}`)
    .join(' ');
}

const cases: readonly (readonly [current: string, proposed: string, outline: string])[] = [
  ['a b c', 'a b c', 'a0 b1 c2'],
  ['a b c d', 'a x c d', 'a0 b- x- c2 d3'],
  ['a b c d', 'x y a b c d', 'x- y- a0 b1 c2 d3'],
  ['a b c d', 'a b c d x', 'a0 b1 c2 d3 x-'],
  ['a b c d e f g', 'a c d x e f y', 'a0 b- c2 d3 x- e4 f5 g- y-'],
  ['a b', 'x y', 'a- b- x- y-'],
];

describe('the rows of a review and the lines of its file', () => {
  it('are the same text where nothing changes', () => {
    for (const [current, proposed, expected] of cases) {
      assert.equal(outline(current, proposed), expected);
    }
    assert.equal(unchangedLine(viewOf('a b', 'a x'), 9), undefined);
    assert.equal(unchangedLine(viewOf('a b', 'a x'), -1), undefined);
  });

  it('have one row for each line, removed ones too', () => {
    for (const [current, proposed] of cases) {
      const view = viewOf(current, proposed);
      const rows = ['header', ...view.text.split('\n')];
      const lines = current.split(' ');
      lines.forEach((text, line) => {
        assert.equal(rows[rowOfLine(view, line)], text, `${current} → ${proposed}, line ${line}`);
        assert.notEqual(view.rows[rowOfLine(view, line)]?.kind, '+');
      });
      // A range may end at the start of the line after the last one.
      assert.equal(rowOfLine(view, lines.length), rowOfLine(view, lines.length - 1));
    }
  });
});
