import assert from 'node:assert/strict';
import { ReviewModel } from '../../../src/apply/reviewModel';
import { buildView, type View } from '../../../src/apply/reviewView';
import { cpuMs } from '../../support/cpuTime';

const viewOf = (current: string, proposed: string) =>
  buildView(new ReviewModel(current.split(' '), proposed.split(' ')));

function draw(view: View): string {
  const texts = view.text.split('\n');
  return view.rows
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

  it('knows the hunk of a row and the rows of a hunk', () => {
    assert.deepEqual([0, 1, 3, 4, 99].map(view.hunkAtRow), [undefined, 1, 1, undefined, undefined]);
    assert.deepEqual([1, 2, 3, 4].map(view.rowOfHunk), [1, 5, 7, undefined]);
    assert.deepEqual(view.hunks[0], {
      id: 1,
      firstRow: 1,
      removedRows: 1,
      insertedRows: 2,
      fileLine: 1,
    });
  });

  it('goes to the next hunk, down, up and around', () => {
    assert.equal(view.nextHunk(0, 1, false), 1);
    assert.equal(view.nextHunk(1, 1, false), 2);
    assert.equal(view.nextHunk(3, -1, false), undefined);
    assert.equal(view.nextHunk(6, -1, false), 2);
    assert.equal(view.nextHunk(7, 1, false), undefined);
    assert.equal(view.nextHunk(7, 1, true), 1);
    assert.equal(view.nextHunk(0, -1, true), 3);
    assert.equal(viewOf('a', 'a').nextHunk(0, 1, true), undefined);
  });

  it('finds the line of the file for every row', () => {
    const fileLines = view.rows.map((_, row) => view.fileLineOfRow(row));
    assert.deepEqual(fileLines, [0, 1, 2, 2, 2, 3, 4, 5]);
    assert.equal(view.fileLineOfRow(99), 5);
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
    const ms = cpuMs(() => buildView(model), 5);
    assert(ms < 10, `${ms} ms`);
  });
});
