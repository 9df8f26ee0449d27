import assert from 'node:assert/strict';
import { toLine } from '../../../../src/merge/lines';
import type { BlockPlace } from '../../../../src/merge/place/aligner';
import { equalEnds, partOfBlock } from '../../../../src/merge/place/block';
import { BracketBalances } from '../../../../src/merge/place/bracketBalances';
import { doubtOf, looseEdges } from '../../../../src/merge/place/edges/doubt';
import type { EdgeFit } from '../../../../src/merge/place/edges/edges';
import { indentsWithTabs, levelColumns, withIndent } from '../../../../src/merge/place/indentStyle';
import { countLess, escapingCost, floorOf, Nesting } from '../../../../src/merge/place/nesting';
import { indexOf, sectionOf } from './places';

const place = (
  start: number,
  end: number,
  head: EdgeFit = 'exact',
  tail: EdgeFit = 'exact',
): BlockPlace => ({
  start,
  end,
  score: 0,
  head,
  tail,
});

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

describe('the brackets of a block', () => {
  const text = 'run(() => {\n  one();\n  two([\n    1,\n  ]);\n});\nlast({\n';
  const file = indexOf(text);
  const compare = (section: string, start: number, end: number, name = 'a.ts') => {
    const balances = new BracketBalances(file, name);
    const block = sectionOf(section, file);
    const found = place(start, end);
    const difference = balances.difference(block, found);
    assert.equal(balances.isSame(block, found), difference === 0);
    assert.equal(balances.difference(block, found), difference, 'again');
    return difference;
  };

  it('are as many as those of the lines that it replaces, or differ', () => {
    assert.equal(compare('  one();', 1, 2), 0);
    assert.equal(compare('  three();', 1, 2), 0);
    assert.equal(compare('  three({', 1, 2), 2);
    assert.equal(compare('  three(', 1, 2), 1);
    assert.equal(compare('  two([\n    2,', 2, 4), 0);
    assert.equal(compare('  two([\n    2,\n  ]);', 2, 5), 0);
    assert.equal(compare('  two();', 2, 5), 0);
    assert.equal(compare('  two();', 2, 4), 2);
    assert.equal(compare('  two();', 0, 6), 0);
    assert.equal(compare('run(() => {\n  two();\n});', 0, 6), 0);
    assert.equal(compare('x({[({[', 1, 2), 4, 'no more than four');
    assert.equal(compare('  }', 1, 1), 1);
  });

  it('are tags where a file has them', () => {
    assert.equal(compare('  <div>', 1, 2, 'a.tsx'), 1);
    assert.equal(compare('  <div>', 1, 2, 'a.py'), 0);
    assert.equal(compare('  <div></div>', 1, 2, 'a.tsx'), 0);
  });
});

describe('how far the edges of a place tie it', () => {
  const file = indexOf('a\n}\n');
  const [one, two] = [sectionOf('}', file), sectionOf('}\n}', file)];

  it('is less with each edge that is no line of the file', () => {
    assert.deepEqual(
      (['exact', 'common', 'similar', 'new'] as const).map(fit => looseEdges(place(0, 1, fit))),
      [0, 0, 1, 1],
    );
    assert.equal(looseEdges(place(0, 1, 'new', 'similar')), 2);
    assert.equal(doubtOf(place(0, 1), two), 0);
    assert.equal(doubtOf(place(0, 1, 'new'), two), 0.8);
    assert.equal(doubtOf(place(0, 1, 'new', 'similar'), two), 1.6);
  });

  it('is less for two lines that are everywhere', () => {
    assert.equal(doubtOf(place(0, 1, 'common', 'common'), two), 0.6);
    assert.equal(doubtOf(place(0, 1, 'common', 'common'), one), 0);
    assert.equal(doubtOf(place(0, 1, 'common', 'common'), undefined), 0);
    assert.equal(doubtOf(place(0, 1, 'common'), two), 0);
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
