import assert from 'node:assert/strict';
import type { BlockPlace } from '../../../../src/merge/place/aligner';
import { BracketBalances } from '../../../../src/merge/place/bracketBalances';
import { indexOf, sectionOf } from './places';

const place = (start: number, end: number): BlockPlace => ({
  start,
  end,
  score: 0,
  head: 'exact',
  tail: 'exact',
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
