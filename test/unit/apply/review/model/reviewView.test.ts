import assert from 'node:assert/strict';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { buildReviewView, type ReviewView } from '../../../../../src/apply/review/model/reviewView';
import { cpuMs } from '../../../../support/unit/cpuTime';

const viewOf = (current: string, proposed: string) =>
  buildReviewView(new ReviewModel(current.split(' '), proposed.split(' ')));

function draw(view: ReviewView): string {
  const texts = view.text.split('\n');
  return view.rows
    .slice(1)
    .map(({ kind, oldLine, newLine, hunk }, row) =>
      [oldLine ?? '.', newLine ?? '.', kind + (texts[row] ?? ''), hunk ? `#${hunk}` : '']
        .join(' ')
        .trimEnd(),
    )
    .join('\n');
}

describe('buildView', () => {
  const view = viewOf('a b c d e', 'a X Y c e F');

  it('shows removed lines above inserted ones, with both line numbers', () => {
    assert.equal(
      draw(view),
      [
        '1 1  a',
        '2 . -b #1',
        '. 2 +X #1',
        '. 3 +Y #1',
        '3 4  c',
        '4 . -d #2',
        '5 5  e',
        '. 6 +F #3',
      ].join('\n'),
    );
  });

  it('knows where each hunk lies in each document', () => {
    assert.deepEqual(view.hunks[0], {
      id: 1,
      firstRow: 2,
      removedRows: 1,
      insertedRows: 2,
      fileLine: 1,
      proposedLine: 1,
    });
    assert.deepEqual(view.lineCounts, { unified: 9, proposed: 6, file: 5 });
  });

  it('shows the file alone when nothing is pending', () => {
    assert.equal(viewOf('a b', 'a b').text, 'a\nb');
  });

  it('takes under 10 ms for 10,000 lines with 300 hunks', () => {
    const current = Array.from({ length: 10_000 }, (_, line) => `line ${line}`);
    const model = new ReviewModel(
      current,
      current.map((line, index) => (index % 33 === 0 ? `${line}!` : line)),
    );
    assert(model.hunks.length >= 300);
    const ms = cpuMs(() => buildReviewView(model), 5);
    assert(ms < 10, `${ms} ms`);
  });
});
