import assert from 'node:assert/strict';
import { toLine } from '../../../../src/merge/lines';
import { equalEnds, partOfBlock } from '../../../../src/merge/place/block';
import { indentsWithTabs, levelColumns, withIndent } from '../../../../src/merge/place/indentStyle';
import { countLess, escapingCost, floorOf, Nesting } from '../../../../src/merge/place/nesting';
import { indexOf, sectionOf } from './places';

describe('the nesting of a file', () => {
  const file = indexOf('a\n  b\n    c\n  d\ne\n    f\n');

  it('counts the lines of a range that are indented less', () => {
    const nesting = new Nesting(file);
    for (const [columns, start, end, count] of [
      [2, 0, 6, 2],
      [4, 0, 6, 4],
      [5, 0, 6, 6],
      [0, 0, 6, 0],
      [2, 1, 4, 0],
      [3, 1, 4, 2],
      [2, 4, 5, 1],
      [2, 3, 3, 0],
    ] as const) {
      assert.equal(nesting.less(columns, start, end), count);
      assert.equal(nesting.less(columns, start, end), count, 'again');
      assert.equal(countLess(file, columns, start, end), count);
    }
  });

  const floor = (text: string): number => floorOf(sectionOf(text, file));

  it('ends for a block with what is indented less than its lines', () => {
    assert.equal(floor('  x\n    y\n  z'), 3, 'a whole one');
    assert.equal(floor('x\n    y\n  z'), 1);
    assert.equal(floor('    x\n    y\n  z'), 3);
    assert.equal(floor('  x\n  y\n  z'), 2, 'lines of one depth');
    assert.equal(floor('  x\ny\n  z'), 0, 'one that is left');
    assert.equal(floor('  x\n    z'), 3);
    assert.equal(floor('  x\n  z'), 2);
    assert.equal(floor('    x'), 4);
  });

  it('costs more for each line outside, up to a limit', () => {
    assert.deepEqual([0, 1, 2, 3, 9].map(escapingCost), [0, 2, 4, 6, 6]);
  });
});

describe('the rows of a block', () => {
  const file = indexOf('a\nb\nc\nd\n}\n');
  const ends = (text: string, start: number, end: number): number[] => {
    const { above, below } = equalEnds(sectionOf(text, file).ids, start, end, file);
    return [above, below];
  };

  it('equal those of the file at both ends, each counted once', () => {
    assert.deepEqual(ends('a\nx\nd', 0, 4), [1, 1]);
    assert.deepEqual(ends('a\nb\nc\nd', 0, 4), [4, 0]);
    assert.deepEqual(ends('a\nb', 0, 4), [2, 0]);
    assert.deepEqual(ends('c\nd', 0, 4), [0, 2]);
    assert.deepEqual(ends('a\nb\nx\ny\nz', 0, 2), [2, 0]);
    assert.deepEqual(ends('x', 1, 2), [0, 0]);
    assert.deepEqual(ends('b', 1, 1), [0, 0]);
  });

  it('are without blank lines, and a closing line without its comment', () => {
    const block = sectionOf('  a\n\n} // end of a\n', file);
    assert.deepEqual(block.ids, [0, 4]);
    assert.deepEqual(block.indents, [2, 0]);
    const part = partOfBlock(block, 1, 2);
    assert.deepEqual([part.ids, part.indents, part.section], [[4], [0], block.section]);
    assert.equal(file.hasLine(sectionOf('} // [', file).ids[0] ?? -1), true);
  });
});

describe('the style of indentation', () => {
  it('is tabs or blanks, whichever more lines have', () => {
    assert.equal(indentsWithTabs(indexOf('a\n\tb\n\tc\n  d\n')), true);
    assert.equal(indentsWithTabs(indexOf('a\n\tb\n  c\n  d\n')), false);
    assert.equal(indentsWithTabs(indexOf('a\n\tb\n  c\n')), false);
    assert.equal(indentsWithTabs(indexOf('a\n\nb\n')), undefined);
    const most = `${'\tb\n'.repeat(101)}${'  c\n'.repeat(300)}`;
    assert.equal(indentsWithTabs(indexOf(most)), true, 'by the first 200 lines');
  });

  it('has the columns of the most frequent step to a deeper line', () => {
    assert.equal(levelColumns(indexOf('a\n  b\n    c\nd\n    e\n')), 2);
    assert.equal(levelColumns(indexOf('a\n   b\nc\n   d\ne\n  f\n')), 3);
    assert.equal(levelColumns(indexOf('a\n    b\nc\n  d\n')), 2, 'the smaller of two');
    assert.equal(levelColumns(indexOf('a\n        b\n')), 8);
    assert.equal(levelColumns(indexOf('a\n         b\n')), 4, 'a step that is none');
    assert.equal(levelColumns(indexOf('a\nb\n')), 4);
  });

  it('is that of the file for other lines too', () => {
    const [tabs, blanks, none] = ['a\n\tb\n', 'a\n  b\n', 'a\n'].map(indexOf);
    assert.ok(tabs && blanks && none);
    const line = toLine(' x = 1');
    assert.equal(withIndent(line, 10, tabs).text, '\t\t  x = 1');
    assert.equal(withIndent(line, 10, blanks).text, `${' '.repeat(10)}x = 1`);
    assert.equal(withIndent(line, 3, none).text, '   x = 1');
    assert.equal(withIndent(line, 8, tabs).indent, 8);
  });
});
